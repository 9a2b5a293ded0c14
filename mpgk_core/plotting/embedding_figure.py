"""The kernel-PCA plane, one marker for vertices that coincide: one embedding, or several panels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go

from mpgk_core.arrays import BoolArray, FloatArray, IntArray
from mpgk_core.checks import check_whole
from mpgk_core.embedding.trajectory import SMALL_SHARE, Trajectory
from mpgk_core.errors import InvalidParameterError
from mpgk_core.plotting.colouring import Colouring
from mpgk_core.plotting.style import (
    MARK_COLOUR,
    OUTLINE,
    QUIET_AXIS,
    Drawing,
    base_layout,
    margins,
    panel_grid,
)
from mpgk_core.recovery.verdict import Recovery
from mpgk_core.text import counted

_PLACES = ("top center", "bottom center", "middle right", "middle left")
_SIDES = np.array([[0, 1], [0, -1], [1, 0], [-1, 0]])
_PIXELS_PER_UNIT = np.array([160.0, 62.0])
"""In the plane of the first page, along both axes."""

_REACH = 1.3
"""How far a plane goes, so that there is room for numbers beside its outermost points."""

_CAMERA = {"eye": {"x": 1.7, "y": 1.7, "z": 1.0}, "center": {"x": 0, "y": 0, "z": -0.12}}
"""So far away that the names of all axes are seen."""

_SMALL_TYPE = {"tickfont": {"size": 9}}
_CORNER = {
    "x": 0,
    "y": 1,
    "xref": "paper",
    "yref": "paper",
    "xanchor": "left",
    "yanchor": "top",
    "align": "left",
    "showarrow": False,
}

_LETTER, _LINE, _GAP = 7.0, 14.0, 0.5
_ROUNDING = 1e-9
_ON_TOP, _MOVED = 1e6, 1e3
"""How much worse it is to cover a label than a marker: one that can be read, or one that moved."""


def label_places(points: FloatArray, labels: Sequence[str], sizes: FloatArray) -> list[str]:
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
        marker nor a label that has its place, as far as can be known before they are drawn. Where
        there is no such side, they take the one on which they cover labels least, then markers.

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
    n_markers, n_on_top = len(markers), int((~crowded).sum())
    n_own = n_markers + n_on_top
    for n_taken, i in enumerate(named[crowded].tolist(), start=len(taken) - crowded.sum()):
        covered = _shared(offered[:, i], taken[:n_taken])
        weights = np.repeat([1.0, _ON_TOP, _MOVED], [n_markers, n_on_top, n_taken - n_own])
        chosen[i] = np.argmin(covered @ weights)
        taken[n_taken] = offered[chosen[i], i]
    return [_PLACES[side] for side in chosen.tolist()]


def _boxes(centres: FloatArray, half: FloatArray) -> FloatArray:
    """Return left, bottom, right and top of boxes of this half width and height."""
    return np.concatenate([centres - half, centres + half], axis=-1)


def _meet(some: FloatArray, others: FloatArray) -> BoolArray:
    """Return which of some boxes share room with which of the others."""
    return _shared(some, others) > 0


def _shared(some: FloatArray, others: FloatArray) -> FloatArray:
    """Return how much room each of some boxes shares with each of the others."""
    a, b = some[:, None, :], others[None, :, :]
    sides = np.minimum(a[..., 2:], b[..., 2:]) - np.maximum(a[..., :2], b[..., :2])
    room: FloatArray = np.prod(np.maximum(sides, 0), axis=-1)
    return room


SEVERAL = "rgba(127,127,127,0.25)"
"""The colour of a point that holds vertices of several colours."""

_MANY_CLASSES = 1_500
_MAX_NUMBERS = 300
_ONE_PLACE = 0.004  # less than a pixel of a plane that is about two units wide
_NAMED_IN_HOVER = 5


def embedding_figure(
    trajectory: Trajectory, colouring: Colouring, names: list[str], controls: bool = False
) -> go.Figure:
    """Draw the embedding; every round is a frame, in which the points travel.

    Parameters
    ----------
    trajectory : Trajectory
        With two or three axes.
    colouring : Colouring
        Of the vertices; a marker has their colour, and is pale where they have several.
    names : list of str
        Safe names of the vertices.
    controls : bool
        Whether to add a slider and a play button, for notebooks.

    Returns
    -------
    plotly.graph_objects.Figure
        Trace 0 has a marker for each class; customdata is the number of the class.
    """
    return draw_embedding(trajectory, colouring, names).figure(controls)


def draw_embedding(trajectory: Trajectory, colouring: Colouring, names: list[str]) -> Drawing:
    """Do the work of :func:`embedding_figure`, where the parameters are described."""
    n_classes, n_axes = trajectory.points.shape[1:]
    kind = "scatter3d" if n_axes == 3 else "scattergl" if n_classes > _MANY_CLASSES else "scatter"
    members = _members(trajectory, names)
    T = trajectory.n_rounds
    rounds = [_round_data(trajectory, colouring, members, t) for t in range(T + 1)]
    trace = {
        **rounds[-1],
        "type": kind,
        "mode": "markers+text" if n_classes <= _MAX_NUMBERS else "markers",
        "marker": rounds[-1]["marker"] | {"line": OUTLINE},
        "customdata": list(range(n_classes)),
        "hovertemplate": "%{hovertext}<extra></extra>",
    }
    if kind == "scatter":
        trace["cliponaxis"] = False  # so that numbers at the edge are not cut off
    frames = [
        {
            "name": str(t),
            "data": [{"type": kind, **data}],
            "traces": [0],
            "layout": _titled_axes(trajectory, t, {}),
        }
        for t, data in enumerate(rounds)
    ]
    axis = {
        **QUIET_AXIS,
        "range": [-_REACH, _REACH],
        "showline": True,
        "linecolor": MARK_COLOUR,
        "showticklabels": True,
        "ticks": "outside",
        "tickcolor": MARK_COLOUR,
        "ticklabeloverflow": "allow",  # the margins have room: measuring it takes long
    }
    layout = {"margin": _ROOM_FOR_AXES, **_titled_axes(trajectory, T, axis)}
    return Drawing([trace], base_layout(**layout), frames)


def _round_data(
    trajectory: Trajectory, colouring: Colouring, members: list[str], t: int
) -> dict[str, Any]:
    """Return what changes from round to round."""
    points, point = trajectory.points[t], trajectory.point_of_class[t]
    n_classes, n_axes = points.shape
    together = np.bincount(point, weights=trajectory.counts).astype(np.int64)[point]
    shown = [_several(kinds, colouring.words[t]) for kinds in _kinds(trajectory, colouring, t)]
    spot = _spots(points, point, [shown[place][:2] for place in point.tolist()])
    seen = np.bincount(spot, weights=trajectory.counts).astype(np.int64)[spot]
    is_first = np.zeros(n_classes, dtype=np.bool_)
    is_first[np.unique(spot, return_index=True)[1]] = True
    smallest = 11.0 if n_classes <= 100 else 7.0 if n_classes <= 600 else 5.0
    sizes = smallest + 2.2 * np.log2(np.maximum(seen, 1))
    labels, hover, colours = [], [], []
    for has_label, n_seen, count, some, place in zip(
        is_first.tolist(), seen.tolist(), together.tolist(), members, point.tolist(), strict=True
    ):
        colour, word, n_kinds = shown[place]
        label = f"×{n_seen}" if has_label and n_seen > 1 else ""
        labels.append(f"{label}, {n_kinds} classes" if label and n_kinds > 1 else label)
        here = f"{count} vertices on this point<br>" if count > 1 else ""
        if n_seen > count:
            here += f"{n_seen} vertices are drawn at this place<br>"
        hover.append(f"{word}<br>{here}{some}")
        colours.append(colour)
    data: dict[str, Any] = {axis: points[:, i] for i, axis in enumerate("xyz"[:n_axes])}
    data["marker"] = {"size": sizes, "color": colours, "opacity": 0.95}
    # A blank, since Plotly removes an empty text for good: later rounds would lack theirs.
    data |= {"text": [label or " " for label in labels], "hovertext": hover}
    if n_axes == 2 and n_classes <= _MAX_NUMBERS:
        data["textposition"] = label_places(points, labels, sizes)
    return data


def _spots(points: FloatArray, point: IntArray, looks: list[tuple[str, str]]) -> IntArray:
    """Return which classes are drawn at one place and look alike, as numbers of places.

    The axes of a picture are not all there are: vertices that differ elsewhere may lie on each
    other here, and a reader who counts markers would miss all but one.
    """
    if not 0 < len(points) <= _MAX_NUMBERS:
        return point
    number = {look: i for i, look in enumerate(dict.fromkeys(looks))}
    kind = np.array([number[look] for look in looks], dtype=np.int64)
    apart = np.abs(points[:, np.newaxis] - points).max(axis=2, initial=0.0)
    first: IntArray = np.argmax((apart < _ONE_PLACE) & np.equal.outer(kind, kind), axis=1)
    spots: IntArray = first[first]
    return spots


def _kinds(trajectory: Trajectory, colouring: Colouring, t: int) -> list[dict[str, int]]:
    """Return, for every point of a round, its colours, each with a vertex that has it."""
    n_points = int(trajectory.point_of_class[t].max(initial=-1)) + 1
    found: list[dict[str, int]] = [{} for _ in range(n_points)]
    places = trajectory.point_of_class[t][trajectory.class_of_vertex].tolist()
    for vertex, (place, colour) in enumerate(zip(places, colouring.colours[t], strict=True)):
        found[place].setdefault(colour, vertex)
    return found


def _several(kinds: dict[str, int], words: list[str]) -> tuple[str, str, int]:
    """Return colour, meaning and number of the classes on a point; several have no colour."""
    some = [words[vertex] for vertex in list(kinds.values())[:_NAMED_IN_HOVER]]
    text = ", ".join(some) + (", …" if len(kinds) > len(some) else "")
    return (next(iter(kinds)) if len(kinds) == 1 else SEVERAL, text, len(kinds))


def _members(trajectory: Trajectory, names: list[str]) -> list[str]:
    """Name the first few vertices of every class."""
    shown: list[list[str]] = [[] for _ in trajectory.counts]
    for vertex, number in enumerate(trajectory.class_of_vertex.tolist()):
        if len(shown[number]) < _NAMED_IN_HOVER:
            shown[number].append(names[vertex])
    return [
        ", ".join(some) + (", …" if count > len(some) else "")
        for some, count in zip(shown, trajectory.counts.tolist(), strict=True)
    ]


def _titled_axes(trajectory: Trajectory, t: int, axis: dict[str, Any]) -> dict[str, Any]:
    """Return the axes of a round; those of a cube are named there, and described beside it."""
    shares, scales = trajectory.explained[t].tolist(), trajectory.scales[t].tolist()
    is_flat = len(shares) == 2
    of = " of the variance" if is_flat else ""
    titles = [
        f"axis {i}: {_percent(share)}{of}{_note(share, scale, scales)}"
        for i, (share, scale) in enumerate(zip(shares, scales, strict=True), start=1)
    ]
    shown = titles if is_flat else [title.split(":")[0] for title in titles]
    if not is_flat:
        axis = {key: axis[key] for key in axis if key not in _FLAT_ONLY} | _SMALL_TYPE
    titled = {
        f"{letter}axis": axis | _ticks(scale) | {"title": {"text": title}}
        for letter, scale, title in zip("xyz", scales, shown, strict=False)
    }
    if is_flat:
        return titled
    return {
        "scene": {"aspectmode": "cube", "camera": _CAMERA, **titled},
        "annotations": [{**_CORNER, "text": "<br>".join(titles)}],
        "margin": margins(0, 0, 0, 0),
    }


_ROOM_FOR_AXES = margins(60, 12, 12, 52)
"""Room for ticks and titles in usual type: where Plotly finds less, it draws everything twice."""

_FLAT_ONLY = ("automargin", "ticklabeloverflow")


def _note(share: float, scale: float, scales: list[float]) -> str:
    """Return how an axis is drawn whose share of the variance is small."""
    if share >= SMALL_SHARE or share == 0.0:
        return ""
    if np.isnan(scale):
        return ", ranks"
    return ", to scale" if scale == max(scales) else ", stretched"


def _ticks(scale: float) -> dict[str, Any]:
    """Return about five round numbers and their places; none where distances mean nothing."""
    if not scale > 0.0:
        return {"tickvals": [], "ticktext": []}
    raw = scale / 2
    unit = 10.0 ** np.floor(np.log10(raw))
    step = next(unit * factor for factor in (1, 2, 5, 10) if unit * factor >= raw)
    values = step * np.arange(-int(scale / step), int(scale / step) + 1)
    return {"tickvals": (values / scale).tolist(), "ticktext": [f"{v:.3g}" for v in values]}


def _percent(share: float) -> str:
    return "below 0.01 %" if 0.0 < share < 1e-4 else f"{100 * share:.3g} %"


def embedding_words(trajectory: Trajectory) -> str:
    """Describe on how many points the vertices lie in the last round.

    Parameters
    ----------
    trajectory : Trajectory

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
    T = trajectory.n_rounds
    sizes = np.bincount(trajectory.point_of_class[T], weights=trajectory.counts)
    shares = ", ".join(f"{100 * share:.3g} %" for share in trajectory.explained[T])
    n = int(trajectory.counts.sum())
    return (
        f"After {counted(T, 'round')} {counted(n, 'vertex', 'vertices')} "
        f"{'lies' if n == 1 else 'lie'} on {counted(trajectory.n_points(T), 'point')}, at most "
        f"{int(sizes.max(initial=0)):,} on one; the axes carry {shares} of the variance."
    )


def recovery_words(found: Recovery) -> str:
    """Describe how well points separate the orbits.

    Examples
    --------
    >>> recovery_words(Recovery(7, 5, 4, 0.25, 0.0))
    '4 of 7 orbits recovered. Distances: 0 inside orbits, ≥ 0.25 between them.'
    """
    recovered = f"{found.n_recovered} of {counted(found.n_orbits, 'orbit')} recovered"
    spread, gap = found.largest_spread, found.smallest_gap
    inside = f"≤ {spread:.3g}" if spread > _ROUNDING * (gap or 1.0) else "0"
    if gap is None:
        return f"{recovered}. Distances: {inside} inside the orbit."
    return f"{recovered}. Distances: {inside} inside orbits, ≥ {gap:.3g} between them."


ROOM_FOR_TITLE = margins(36, 12, 56, 36)
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
    trajectory : Trajectory
        In the plane; its last round is drawn.
    colouring : Colouring
        Of the vertices; the colours of its last round count.
    names : list of str
        Safe names of the vertices.
    """

    title: str
    trajectory: Trajectory
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
    spacing = {"horizontal_spacing": 0.04, "vertical_spacing": 0.2 / n_rows}
    traces = [
        draw_embedding(one.trajectory.last_round, one.colouring.last_round, one.names).data
        for one in panels
    ]
    figure = panel_grid(traces, [panel.title for panel in panels], n_columns, **spacing)
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
    ends = (panel.trajectory.points[-1] for panel in panels)
    return max((float(np.abs(points).max(initial=1.0)) for points in ends), default=1.0)
