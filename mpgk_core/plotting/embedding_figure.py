"""The kernel-PCA plane: one marker for all vertices that coincide."""

from __future__ import annotations

from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from mpgk_core.embedding.trajectory import Trajectory
from mpgk_core.plotting.colouring import Colouring
from mpgk_core.plotting.drawing import Drawing
from mpgk_core.plotting.label_places import label_places
from mpgk_core.plotting.style import MARK_COLOUR, QUIET_AXIS, base_layout

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
