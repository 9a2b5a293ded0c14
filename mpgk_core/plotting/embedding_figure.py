"""The kernel-PCA plane, one marker for vertices that coincide: one embedding, or several panels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray
from plotly.subplots import make_subplots

from mpgk_core.embedding.trajectory import Trajectory
from mpgk_core.errors import InvalidParameterError
from mpgk_core.parameters import check_whole
from mpgk_core.plotting.colouring import Colouring
from mpgk_core.plotting.style import MARK_COLOUR, QUIET_AXIS, Drawing, base_layout

_PLACES = ("top center", "bottom center", "middle right", "middle left")
_SIDES = np.array([[0, 1], [0, -1], [1, 0], [-1, 0]])
_PIXELS_PER_UNIT = 145.0
_LETTER, _LINE, _GAP = 7.0, 14.0, 0.5


def label_places(
    points: NDArray[np.float64], labels: Sequence[str], sizes: NDArray[np.float64]
) -> list[str]:
    """Choose a side of its marker for every label.

    Parameters
    ----------
    points : array (n_points, 2)
        Coordinates; the plane is about two units wide.
    labels : sequence of str
        An empty one takes no room.
    sizes : array (n_points,)
        Diameters of the markers, in pixels.

    Returns
    -------
    list of str
        In Plotly's words. Labels stand on top of their markers where they meet nothing there.
        The others, one after the other, take the first of four sides on which they meet neither a
        marker nor a label that has its place, as far as can be known before they are drawn; what
        meets something on every side stands on top.

    Examples
    --------
    >>> import numpy as np
    >>> label_places(np.array([[0, 0], [0, 0.1]]), ["×2", "×3"], np.array([11.0, 11.0]))
    ['bottom center', 'top center']
    """
    half = np.array([[_LETTER * len(label), _LINE] for label in labels]).reshape(-1, 2) / 2
    markers = _boxes(points * _PIXELS_PER_UNIT, sizes[:, None] / 2)
    away = _SIDES[:, None] * (half + sizes[:, None] / 2 + _GAP)
    offered = _boxes(points * _PIXELS_PER_UNIT + away, half)
    named = np.flatnonzero([bool(label) for label in labels])
    tops = offered[0, named]
    others = ~np.eye(len(named), dtype=bool)
    crowded = _meet(tops, markers).any(axis=1) | (_meet(tops, tops) & others).any(axis=1)
    chosen = np.zeros(len(labels), dtype=np.int64)
    taken = np.concatenate([markers, tops[~crowded], np.empty((crowded.sum(), 4))])
    for n_taken, i in enumerate(named[crowded].tolist(), start=len(taken) - crowded.sum()):
        free = ~_meet(offered[:, i], taken[:n_taken]).any(axis=1)
        chosen[i] = np.argmax(free)
        taken[n_taken] = offered[chosen[i], i]
    return [_PLACES[side] for side in chosen.tolist()]


def _boxes(centres: NDArray[np.float64], half: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return left, bottom, right and top of boxes of this half width and height."""
    return np.concatenate([centres - half, centres + half], axis=-1)


def _meet(some: NDArray[np.float64], others: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Return which of some boxes share room with which of the others."""
    a, b = some[:, None, :], others[None, :, :]
    sharing = (a[..., :2] < b[..., 2:]) & (b[..., :2] < a[..., 2:])
    both: NDArray[np.bool_] = sharing[..., 0] & sharing[..., 1]
    return both


_MANY_CLASSES = 1_500
_MOST_NUMBERS = 300
_NAMED_IN_HOVER = 5
_SOLID_AXES = ("xaxis", "yaxis", "zaxis")


def embedding_figure(
    way: Trajectory, colouring: Colouring, names: list[str], controls: bool = False
) -> go.Figure:
    """Draw the embedding; every round is a frame, in which the points travel.

    Parameters
    ----------
    way : Trajectory
        With two or three axes.
    colouring : Colouring
        Of the vertices; a marker takes the colour of its first vertex.
    names : list of str
        Safe names of the vertices.
    controls : bool
        Whether to add a slider and a play button, for notebooks.

    Returns
    -------
    plotly.graph_objects.Figure
        Trace 0 has a marker for each class; customdata is the number of the class.
    """
    return draw_embedding(way, colouring, names).figure(controls)


def draw_embedding(way: Trajectory, colouring: Colouring, names: list[str]) -> Drawing:
    """Do the work of :func:`embedding_figure`, where the parameters are described."""
    n_axes = way.points.shape[2]
    members = _members(way, names)
    first = way.representatives.tolist()
    rounds = [_round_data(way, colouring, first, members, t) for t in range(way.n_rounds + 1)]
    kind = "scatter3d" if n_axes == 3 else "scatter"
    if n_axes == 2 and len(way.counts) > _MANY_CLASSES:
        kind = "scattergl"
    outline = {"line": {"width": 1, "color": MARK_COLOUR}}
    trace = {
        **rounds[-1],
        "type": kind,
        "mode": "markers+text" if len(way.counts) <= _MOST_NUMBERS else "markers",
        "marker": rounds[-1]["marker"] | outline,
        "customdata": list(range(len(way.counts))),
        "hovertemplate": "%{hovertext}<extra></extra>",
    }
    frames = [
        {
            "name": str(t),
            "data": [{"type": kind, **data}],
            "traces": [0],
            "layout": _titled_axes(way, t, {}),
        }
        for t, data in enumerate(rounds)
    ]
    axis = {**QUIET_AXIS, "range": [-1.18, 1.18], "showline": True, "linecolor": MARK_COLOUR}
    layout = base_layout(**_titled_axes(way, way.n_rounds, axis))
    return Drawing([trace], layout, frames)


def _round_data(
    way: Trajectory, colouring: Colouring, representatives: list[int], members: list[str], t: int
) -> dict[str, Any]:
    point = way.point_of_class[t]
    on_point = np.bincount(point, weights=way.counts).astype(np.int64)
    first_class = np.full(len(on_point), -1)
    first_class[point[::-1]] = np.arange(len(point))[::-1]
    is_first = first_class[point] == np.arange(len(point))
    together = on_point[point]
    data: dict[str, Any] = {
        axis: way.points[t, :, i] for i, axis in enumerate("xyz"[: way.points.shape[2]])
    }
    colours = [colouring.colours[t][v] for v in representatives]
    data["marker"] = {
        "size": _marker_sizes(together, len(way.counts)),
        "color": colours,
        "opacity": 0.95,
    }
    data["text"] = [
        f"×{count}" if first and count > 1 else ""
        for first, count in zip(is_first.tolist(), together.tolist(), strict=True)
    ]
    if way.points.shape[2] == 2 and len(way.counts) <= _MOST_NUMBERS:
        sizes = data["marker"]["size"]
        data["textposition"] = label_places(way.points[t], data["text"], sizes)
    data["hovertext"] = [
        f"{colouring.words[t][v]}<br>{count} vertices on this point<br>{who}"
        if count > 1
        else f"{colouring.words[t][v]}<br>{who}"
        for v, count, who in zip(representatives, together.tolist(), members, strict=True)
    ]
    return data


def _members(way: Trajectory, names: list[str]) -> list[str]:
    """Name the first few vertices of every class."""
    shown: list[list[str]] = [[] for _ in way.counts]
    for vertex, number in enumerate(way.class_of_vertex.tolist()):
        if len(shown[number]) < _NAMED_IN_HOVER:
            shown[number].append(names[vertex])
    return [
        ", ".join(some) + (", …" if count > len(some) else "")
        for some, count in zip(shown, way.counts.tolist(), strict=True)
    ]


def _marker_sizes(together: NDArray[np.int64], n_classes: int) -> NDArray[np.float64]:
    smallest = 11.0 if n_classes <= 100 else 7.0 if n_classes <= 600 else 5.0
    return smallest + 2.2 * np.log2(np.maximum(together, 1))


def _titled_axes(way: Trajectory, t: int, axis: dict[str, Any]) -> dict[str, Any]:
    shares = way.explained[t].tolist()
    is_flat = len(shares) == 2
    of = " of the variance" if is_flat else ""  # in a cube there is no room for it
    titled = [
        axis | {"title": {"text": f"axis {i + 1}: {_percent(share)}{of}"}}
        for i, share in enumerate(shares)
    ]
    if is_flat:
        return dict(zip(("xaxis", "yaxis"), titled, strict=True))
    plain = [{key: value for key, value in axis.items() if key != "automargin"} for axis in titled]
    return {"scene": {"aspectmode": "cube", **dict(zip(_SOLID_AXES, plain, strict=True))}}


def _percent(share: float) -> str:
    if share == 0.0:
        return "0 %"
    return f"{100 * share:.3g} %" if share >= 1e-4 else f"{100 * share:.1e} %"


def embedding_words(way: Trajectory) -> str:
    """Say on how many points the vertices lie in the last round.

    Parameters
    ----------
    way : Trajectory

    Returns
    -------
    str

    Examples
    --------
    >>> import networkx as nx
    >>> from mpgk_core import MessagePassingNodeKernel
    >>> from mpgk_core.embedding.trajectory import trajectory
    >>> path = nx.path_graph(5)
    >>> kernel = MessagePassingNodeKernel(features="degree", n_iterations=2).fit(path)
    >>> embedding_words(trajectory(path, kernel)).split(";")[0]
    'After 2 rounds 5 vertices lie on 3 points, at most 2 on one'
    """
    T = way.n_rounds
    sizes = np.bincount(way.point_of_class[T], weights=way.counts)
    shares = ", ".join(f"{100 * share:.3g} %" for share in way.explained[T])
    return (
        f"After {T} round{'' if T == 1 else 's'} {int(way.counts.sum()):,} vertices lie on "
        f"{way.n_points(T):,} points, at most {int(sizes.max(initial=0)):,} on one; the axes carry "
        f"{shares} of the variance."
    )


ROOM_FOR_TITLE = {"l": 36, "r": 12, "t": 56, "b": 36}
"""Margins of a figure whose title stands above it."""

_HEIGHT = 260
_AROUND = 1.3


@dataclass(frozen=True, eq=False)
class Panel:
    """One embedding.

    Attributes
    ----------
    title : str
        Safe to be shown.
    way : Trajectory
        In the plane; its last round is drawn.
    colouring : Colouring
        Of the vertices; the colours of its last round count.
    names : list of str
        Safe names of the vertices.
    """

    title: str
    way: Trajectory
    colouring: Colouring
    names: list[str]


def panels_figure(
    panels: Sequence[Panel], n_columns: int = 3, reach: float | None = None
) -> go.Figure:
    """Draw embeddings side by side, on the same scale.

    Parameters
    ----------
    panels : sequence of Panel
    n_columns : int
        Panels in a row; at least 1.
    reach : float, optional
        How far the axes go in every direction; as far as all these panels need, where none is
        given. For panels in several figures, see :func:`reach_of`.

    Returns
    -------
    plotly.graph_objects.Figure
        A trace for each panel, with the number of the class as customdata.
    """
    check_whole(n_columns, 1, "n_columns", "panels_figure")
    if not panels:
        raise InvalidParameterError("There is no embedding to draw. Choose at least one.")
    n_columns = min(n_columns, len(panels))
    n_rows = -(-len(panels) // n_columns)
    figure = make_subplots(
        n_rows,
        n_columns,
        subplot_titles=[panel.title for panel in panels],
        horizontal_spacing=0.04,
        vertical_spacing=0.12 / n_rows,
    )
    for place, panel in enumerate(panels):
        row, column = divmod(place, n_columns)
        colouring = _in_all_rounds(panel.colouring, panel.way.n_rounds)
        drawing = draw_embedding(panel.way, colouring, panel.names)
        figure.add_trace(drawing.data[0], row + 1, column + 1)
    far = _AROUND * (reach_of(panels) if reach is None else reach)
    axis = {**QUIET_AXIS, "range": [-far, far], "showline": True, "linecolor": MARK_COLOUR}
    figure.update_xaxes(axis).update_yaxes(axis)
    figure.update_annotations(font={"size": 12})
    return figure.update_layout(base_layout(margin=ROOM_FOR_TITLE, height=40 + _HEIGHT * n_rows))


def reach_of(panels: Sequence[Panel]) -> float:
    """Return how far the points lie from the middle along an axis, and at least 1.

    Parameters
    ----------
    panels : sequence of Panel

    Returns
    -------
    float
    """
    return max(
        (float(np.abs(panel.way.points[-1]).max(initial=1.0)) for panel in panels), default=1.0
    )


def _in_all_rounds(colouring: Colouring, n_rounds: int) -> Colouring:
    """Repeat the last round of a colouring."""
    return Colouring(
        colouring.title,
        [colouring.colours[-1]] * (n_rounds + 1),
        [colouring.words[-1]] * (n_rounds + 1),
    )
