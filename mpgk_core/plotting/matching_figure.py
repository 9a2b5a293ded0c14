"""Two neighbourhoods, or two graphs, side by side, with links between what was compared."""

from __future__ import annotations

from typing import Any

import numpy as np
import plotly.graph_objects as go

from mpgk_core.arrays import FloatArray, IntArray
from mpgk_core.explain.graph_pairs import GraphPair
from mpgk_core.explain.vertex_pairs import VertexPair
from mpgk_core.explain.words import ExplainedPair, vertex_words
from mpgk_core.plotting.colouring import Colouring, class_colours
from mpgk_core.plotting.graph_figure import draw_graph
from mpgk_core.plotting.layouts import graph_layout
from mpgk_core.plotting.style import MARK_COLOUR, QUIET_AXIS, base_layout, safe_names

MOST_LINKS_DRAWN = 200

_GOLDEN_RATIO = 0.618034
_WIDTHS = (1.0, 2.5, 4.5, 7.0)
_POSITIVE, _, _NEGATIVE = class_colours(3)


def link_traces(
    starts: FloatArray,
    stops: FloatArray,
    values: FloatArray,
    texts: list[str],
    rows: IntArray,
    is_crossing: bool = False,
) -> list[dict[str, Any]]:
    """Return plotly traces of straight links, and of points at their middles to hover over.

    Parameters
    ----------
    starts, stops : ndarray of shape (m, 2)
    values : ndarray of shape (m,)
        The greater, the wider; links of negative values are dashed.
    texts : list of str
        Safe text for each link.
    rows : ndarray of shape (m,)
        Numbers that a click on a middle gives back, as customdata.
    is_crossing : bool
        Whether links cross: then the points to hover over lie here and there near the middles.

    Returns
    -------
    list of dict
        The last one are the middles.
    """
    largest = float(np.abs(values).max(initial=0.0))
    level = np.zeros(len(values), dtype=np.int64)
    if largest > 0:
        level = np.ceil(np.abs(values) / largest * len(_WIDTHS)).astype(np.int64) - 1
    traces = [
        _lines(starts[chosen], stops[chosen], width, is_negative)
        for is_negative in (False, True)
        for step, width in enumerate(_WIDTHS)
        if (chosen := (np.maximum(level, 0) == step) & ((values < 0) == is_negative)).any()
    ]
    spread = (rows * _GOLDEN_RATIO % 1.0 - 0.5) * 0.6 if is_crossing else np.zeros(len(rows))
    middles = starts + (0.5 + spread)[:, np.newaxis] * (stops - starts)
    hover = {
        "type": "scatter",
        "x": middles[:, 0],
        "y": middles[:, 1],
        "mode": "markers",
        "marker": {"size": 9, "color": _POSITIVE, "opacity": 0.6},
        "customdata": rows,
        "text": texts,
        "hovertemplate": "%{text}<extra></extra>",
    }
    return [*traces, hover]


def _lines(
    starts: FloatArray, stops: FloatArray, width: float, is_negative: bool
) -> dict[str, Any]:
    line = np.full((len(starts), 3, 2), np.nan)
    line[:, 0], line[:, 1] = starts, stops
    look = {"color": _NEGATIVE, "dash": "dash"} if is_negative else {"color": _POSITIVE}
    return {
        "type": "scatter",
        "x": line[:, :, 0].ravel(),
        "y": line[:, :, 1].ravel(),
        "mode": "lines",
        "line": {"width": width, **look},
        "opacity": 0.55,
        "hoverinfo": "skip",
    }


_MOST_NAMED = 3

MOST_NEIGHBOURS_DRAWN = 40

_PAIRED, _ALONE = class_colours(1)[0], MARK_COLOUR
_APART = 1.35
"""How far the middles of two graphs are moved to the sides."""


def matching_figure(pair: VertexPair) -> go.Figure:
    """Draw the neighbourhoods of two vertices, with a link for each pair that contributes.

    Parameters
    ----------
    pair : VertexPair

    Returns
    -------
    plotly.graph_objects.Figure
        Links are as wide as their contributions; under A partners lie opposite each other, and
        vertices without one are grey. At most ``MOST_NEIGHBOURS_DRAWN`` neighbours on each side
        and ``MOST_LINKS_DRAWN`` links are drawn, those that contribute most. The middle of a link
        has its row of ``pair.contributions`` as customdata, a vertex its number.
    """
    found = pair.contributions
    order = found.largest(len(found))
    adjacency = pair.graphs.adjacency
    sides: list[tuple[int, float, list[int]]] = []
    places: dict[tuple[int, int], tuple[float, float]] = {}
    for column, vertex, partners, x in (
        (0, pair.left, found.left, -0.4),
        (1, pair.right, found.right, 0.4),
    ):
        around = adjacency.indices[slice(*adjacency.indptr[vertex : vertex + 2])].tolist()
        shown = list(dict.fromkeys([*partners[order].tolist(), *around]))[:MOST_NEIGHBOURS_DRAWN]
        shown = shown if found.nodes is not None else sorted(shown)
        heights = np.linspace(1, -1, len(shown) + 2)[1:-1].tolist()
        places |= {(column, v): (x, y) for v, y in zip(shown, heights, strict=True)}
        sides.append((vertex, 2.5 * x, shown))
    spokes = [
        ((end, 0.0), places[column, v])
        for column, (_, end, shown) in enumerate(sides)
        for v in shown
    ]
    alone = {(column, v) for column in (0, 1) for v in pair.unmatched[column].tolist()}
    dots = [(vertex, (end, 0.0), _PAIRED) for vertex, end, _ in sides]
    dots += [
        (v, place, _ALONE if (column, v) in alone else _PAIRED)
        for (column, v), place in places.items()
    ]
    height = max(420, 80 + 20 * max(len(shown) for _, _, shown in sides))
    figure = _figure(pair, [_spokes(spokes), _vertices(pair, dots)], places)
    return figure.update_layout(height=height)


def graph_matching_figure(
    pair: GraphPair, positions: tuple[FloatArray, FloatArray] | None = None
) -> go.Figure:
    """Draw two graphs side by side, with links between the vertices that contribute most.

    Parameters
    ----------
    pair : GraphPair
    positions : tuple of two ndarrays of shape (n, 2), optional
        Where the vertices of each graph are drawn, within [-1, 1].

    Returns
    -------
    plotly.graph_objects.Figure
        At most ``MOST_LINKS_DRAWN`` links; the middle of a link has its row of
        ``pair.contributions`` as customdata, a vertex its number. Vertices that take part in no
        pair are grey.
    """
    if positions is None:
        positions = (graph_layout(pair.graphs[0]), graph_layout(pair.graphs[1]))
    where = np.concatenate([positions[0] - [_APART, 0.0], positions[1] + [_APART, 0.0]])
    alone = set(np.concatenate(pair.unmatched).tolist())
    everybody = range(pair.graphs.n_vertices)
    words = [_state(v in alone) for v in everybody]
    colours = [_ALONE if v in alone else _PAIRED for v in everybody]
    drawn = draw_graph(pair.graphs, where, Colouring("Partners", [colours], [words])).data
    middle = int(pair.graphs.offsets[1])
    places = {(int(v >= middle), v): place for v, place in enumerate(map(tuple, where.tolist()))}
    return _figure(pair, drawn, places)


def _figure(
    pair: ExplainedPair,
    drawn: list[dict[str, Any]],
    places: dict[tuple[int, int], tuple[float, float]],
) -> go.Figure:
    found = pair.contributions
    names = safe_names(pair.graphs.names)
    links = [
        (row, places[0, v], places[1, u], f"{names[v]} · {names[u]}<br>{_added(pair, row)}")
        for row, v, u in _pairs_by_size(found.largest(len(found)), found.left, found.right)
        if (0, v) in places and (1, u) in places
    ][:MOST_LINKS_DRAWN]
    rows = np.array([link[0] for link in links], dtype=np.int64)
    starts, stops = (np.array([link[side] for link in links]).reshape(-1, 2) for side in (1, 2))
    texts = [link[3] for link in links]
    is_crossing = found.nodes is None
    traces = link_traces(starts, stops, found.values[rows], texts, rows, is_crossing)
    reach = 1.2 if isinstance(pair, VertexPair) else _APART + 1.1
    layout = base_layout(
        xaxis={**QUIET_AXIS, "range": [-reach, reach], "visible": False},
        yaxis={**QUIET_AXIS, "range": [-1.1, 1.1], "visible": False},
    )
    return go.Figure([*traces[:-1], *drawn, traces[-1]], layout)


def _pairs_by_size(order: IntArray, left: IntArray, right: IntArray) -> list[tuple[int, int, int]]:
    triples: list[tuple[int, int, int]] = list(
        zip(order.tolist(), left[order].tolist(), right[order].tolist(), strict=True)
    )
    return triples


def _added(pair: ExplainedPair, row: int) -> str:
    found = pair.contributions
    said = f"adds {found.values[row]:.5g} of {found.total:.5g}"
    return said if found.nodes is None else f"{said}<br>they meet at tree node {found.nodes[row]}"


def _spokes(lines: list[tuple[tuple[float, float], tuple[float, float]]]) -> dict[str, Any]:
    table = np.full((len(lines), 3, 2), np.nan)
    table[:, :2] = np.array(lines).reshape(-1, 2, 2)
    return {
        "type": "scatter",
        "x": table[:, :, 0].ravel(),
        "y": table[:, :, 1].ravel(),
        "mode": "lines",
        "line": {"width": 1, "color": MARK_COLOUR},
        "hoverinfo": "skip",
    }


def _vertices(pair: VertexPair, dots: list[tuple[int, tuple[float, float], str]]) -> dict[str, Any]:
    chosen = [v for v, _, _ in dots]
    names = safe_names([pair.graphs.names[v] for v in chosen])
    degrees = np.diff(pair.graphs.adjacency.indptr)[chosen].tolist()
    return {
        "type": "scatter",
        "x": [place[0] for _, place, _ in dots],
        "y": [place[1] for _, place, _ in dots],
        "mode": "markers+text",
        "textposition": [
            "top center" if i < 2 else "middle left" if place[0] < 0 else "middle right"
            for i, (_, place, _) in enumerate(dots)
        ],
        "marker": {
            "size": [18] * 2 + [12] * (len(dots) - 2),
            "color": [colour for _, _, colour in dots],
            "line": {"width": 1, "color": MARK_COLOUR},
        },
        "text": names,
        "customdata": chosen,
        "hovertext": [f"{name}<br>degree {d}" for name, d in zip(names, degrees, strict=True)],
        "hovertemplate": "%{hovertext}<extra></extra>",
    }


def _state(is_alone: bool) -> str:
    return "without a partner" if is_alone else "takes part"


def matching_words(pair: ExplainedPair) -> str:
    """Say which pairs contribute most, and how many vertices have no partner.

    Parameters
    ----------
    pair : VertexPair or GraphPair

    Returns
    -------
    str
        Plain text: escape it before it becomes part of a page.

    Examples
    --------
    >>> import networkx as nx
    >>> from mpgk_core.explain import explain_neighbourhoods
    >>> matching_words(explain_neighbourhoods(nx.star_graph(4), 0, 1)["A"])
    '1 pair adds up to 1. The pair of vertex 1 and vertex 0 adds 1 (100 %). 3 vertices have no
    partner.'
    """
    found = pair.contributions
    if not len(found):
        return "No pair contributes."
    is_one = len(found) == 1
    parts = [f"{len(found):,} {'pair adds' if is_one else 'pairs add'} up to {found.total:.5g}."]
    sizes = float(np.abs(found.values).sum())
    for row in found.largest(_MOST_NAMED).tolist():
        value = float(found.values[row])
        share = 100 * abs(value) / sizes if sizes > 0 else 0.0
        parts.append(
            f"The pair of {vertex_words(pair, int(found.left[row]))} and "
            f"{vertex_words(pair, int(found.right[row]))} adds {value:.5g} ({share:.0f} %)."
        )
    n_alone = sum(map(len, pair.unmatched))
    if n_alone:
        alone = "1 vertex has" if n_alone == 1 else f"{n_alone:,} vertices have"
        parts.append(f"{alone} no partner.")
    return " ".join(parts)
