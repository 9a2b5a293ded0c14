"""Why two vertices or graphs are similar: links between what was compared, and bars over time."""

from __future__ import annotations

from collections.abc import Hashable
from itertools import product
from typing import Any, TypeAlias

import numpy as np
import plotly.graph_objects as go
from scipy.spatial import KDTree

from mpgk_core.arrays import FloatArray, IntArray
from mpgk_core.explain.graph_pairs import GraphPair
from mpgk_core.explain.vertex_pairs import Contributions, History, VertexPair
from mpgk_core.explain.words import ExplainedPair, vertex_words
from mpgk_core.graphs import GraphSet
from mpgk_core.plotting.colouring import SHARE_SCALE, Colouring, class_colours, readable_on
from mpgk_core.plotting.graph_figure import draw_graph
from mpgk_core.plotting.graph_layout import graph_layout
from mpgk_core.plotting.matrix_figure import MAX_ROWS_DRAWN
from mpgk_core.plotting.style import (
    LEGEND_ABOVE,
    MARK_COLOUR,
    OUTLINE,
    QUIET_AXIS,
    base_figure,
    line_trace,
    margins,
    point_trace,
    safe_names,
    titled_axis,
)
from mpgk_core.text import counted

MAX_LINKS_DRAWN = 200
MAX_STRONGEST_DRAWN = 30
MAX_NEIGHBOURS_DRAWN = 40
_MAX_NAMED = 3
_GOLDEN_RATIO = 0.618034
_WIDTHS = (1.0, 2.5, 4.5, 7.0)
_PAIRED, _SECOND, _NEGATIVE = class_colours(3)
_LABEL_COLOURS = [class_colours(10)[i] for i in (1, 2, 4, 5, 6, 7, 9)]
"""Colours that are neither that of links nor grey."""
_GAP, _MARGIN = 0.9, 0.12
"""Between two graphs, and around them, where the longer side of a graph is 2."""
_LEAST_SCALE = 0.5
_USUAL_WIDTH, _PAIR_HEIGHT = 330, 400
_LARGEST_MARKER, _LEAST_LABELLED, _LONGEST_SYMBOL = 24.0, 15.0, 4
_MAX_TICKS, _LONGEST_TICK = 30, 10

_Place: TypeAlias = tuple[float, float]
_Places: TypeAlias = dict[tuple[int, int], _Place]
"""Where the vertices of the left side (0) and of the right side (1) are drawn."""


def matching_figure(pair: VertexPair) -> go.Figure:
    """Draw the neighbourhoods of two vertices, with a link for each pair that contributes.

    Parameters
    ----------
    pair : VertexPair

    Returns
    -------
    plotly.graph_objects.Figure
        Links are as wide as their contributions; under A partners lie opposite each other, and
        vertices without one are grey. At most ``MAX_NEIGHBOURS_DRAWN`` neighbours on each side
        and ``MAX_LINKS_DRAWN`` links are drawn, those that contribute most. The middle of a link
        has its row of ``pair.contributions`` as customdata, a vertex its number.
    """
    found = pair.contributions
    order = found.largest(len(found))
    adjacency = pair.graphs.adjacency
    places: _Places = {}
    dots: list[tuple[int, _Place]] = []
    spokes: list[tuple[_Place, _Place]] = []
    n_most = 0
    for side, vertex, partners, x in (
        (0, pair.left, found.left, -0.4),
        (1, pair.right, found.right, 0.4),
    ):
        around = adjacency.indices[slice(*adjacency.indptr[vertex : vertex + 2])].tolist()
        shown = list(dict.fromkeys([*partners[order].tolist(), *around]))[:MAX_NEIGHBOURS_DRAWN]
        shown = shown if found.nodes is not None else sorted(shown)
        heights = np.linspace(1, -1, len(shown) + 2)[1:-1].tolist()
        places |= {(side, v): (x, y) for v, y in zip(shown, heights, strict=True)}
        dots.append((vertex, (2.5 * x, 0.0)))
        spokes += [((2.5 * x, 0.0), places[side, v]) for v in shown]
        n_most = max(n_most, len(shown))
    alone = {(side, v) for side in (0, 1) for v in pair.unmatched[side].tolist()}
    colours = [MARK_COLOUR if key in alone else _PAIRED for key in places]
    dots += [(v, place) for (_, v), place in places.items()]
    drawn = [
        line_trace(np.array(spokes).reshape(-1, 2, 2), line=OUTLINE),
        _vertices(pair, dots, [_PAIRED, _PAIRED, *colours]),
    ]
    height = max(420, 80 + 20 * n_most)
    return _figure(pair, drawn, places, MAX_LINKS_DRAWN).update_layout(height=height)


def graph_matching_figure(
    pair: GraphPair, positions: tuple[FloatArray, FloatArray] | None = None
) -> go.Figure:
    """Draw two graphs side by side, with links between the vertices that contribute most.

    Parameters
    ----------
    pair : GraphPair
    positions : tuple of two ndarrays of shape (n, 2), optional
        Where the vertices of each graph are drawn. By default as :func:`facing_layouts` says.

    Returns
    -------
    plotly.graph_objects.Figure
        Under A all matched pairs are linked, under R the ``MAX_STRONGEST_DRAWN`` strongest. The
        middle of a link has its row of ``pair.contributions`` as customdata, a vertex its number.
        Vertices have the colours of their labels; those that take part in no pair are grey.
    """
    first, second = facing_layouts(pair) if positions is None else positions
    middle = _GAP / 2
    left_edge, right_edge = first[:, 0].max(initial=0.0), second[:, 0].min(initial=0.0)
    where = np.concatenate([first - [left_edge + middle, 0], second - [right_edge - middle, 0]])
    alone = set(np.concatenate(pair.unmatched).tolist())
    titles, symbols = safe_names(vertex_titles(pair.graphs)), _symbols(pair.graphs)
    codes = pair.graphs.label_codes
    codes = np.zeros(pair.graphs.n_vertices, np.int32) if codes is None else codes
    colours = [
        MARK_COLOUR if v in alone else _LABEL_COLOURS[code % len(_LABEL_COLOURS)]
        for v, code in enumerate(codes.tolist())
    ]
    texts = ["without a partner" if v in alone else "takes part" for v in range(len(colours))]
    use = pair.node_kernel.edges
    drawing = draw_graph(pair.graphs, where, Colouring("", [colours], [texts]), use)
    edges, vertices, *styled = drawing.data
    size = _marker_size(where)
    is_labelled = size >= _LEAST_LABELLED and any(symbols)
    edges |= {"line": {"width": 2, "color": MARK_COLOUR}, "opacity": 0.9}
    vertices |= {
        "hovertext": [
            f"{title}<br>{text}" for title, text in zip(titles, vertices["text"], strict=True)
        ],
        "hovertemplate": "%{hovertext}<extra></extra>",
        "text": symbols if is_labelled else None,
        "mode": "markers+text" if is_labelled else "markers",
        "textfont": {"size": 10, "color": [readable_on(colour) for colour in colours]},
        "marker": {**vertices["marker"], "size": size},
    }
    border = int(pair.graphs.offsets[1])
    places = {(int(v >= border), v): (x, y) for v, (x, y) in enumerate(where.tolist())}
    is_matched = pair.contributions.nodes is not None
    n_links = MAX_LINKS_DRAWN if is_matched else MAX_STRONGEST_DRAWN
    figure = _figure(pair, [edges, *styled, vertices], places, n_links)
    if drawing.layout["showlegend"]:
        figure.update_traces(showlegend=False, selector=lambda trace: trace.meta is None)
        figure.update_layout(showlegend=True, legend={"orientation": "h", "y": 0, "yanchor": "top"})
    (x_low, y_low), (x_high, y_high) = _frame(where)
    return figure.update_layout(
        margin=margins(4, 4, 4, 4),
        xaxis={"range": [x_low, x_high], "constrain": "domain"},
        yaxis={"range": [y_low, y_high], "scaleanchor": "x", "constrain": "domain"},
    )


def facing_layouts(pair: GraphPair) -> tuple[FloatArray, FloatArray]:
    """Return positions for two graphs that face each other, so that their links are short.

    Both stand upright, with edges of about equal length; the second is mirrored so that the sum
    of |contribution| · distance² over all pairs is least.

    Parameters
    ----------
    pair : GraphPair

    Returns
    -------
    tuple of two ndarrays of shape (n, 2)

    Examples
    --------
    >>> import networkx as nx
    >>> from mpgk_core.explain import explain_four_variants
    >>> pairs = explain_four_variants([nx.path_graph(3), nx.path_graph(5)], 0, 1)
    >>> [places.shape for places in facing_layouts(pairs["AA"])]
    [(3, 2), (5, 2)]
    """
    layouts = [_upright(graph) for graph in pair.graphs]
    lengths = [_edge_length(graph, at) for graph, at in zip(pair.graphs, layouts, strict=True)]
    longest = min(lengths)
    first, second = (
        layout * np.clip(longest / length, _LEAST_SCALE, 1.0)
        for layout, length in zip(layouts, lengths, strict=True)
    )
    found, border = pair.contributions, pair.graphs.offsets[1]

    def stretch(sides: tuple[float, ...]) -> float:
        apart = first[found.left] - second[found.right - border] * sides
        return float(np.abs(found.values) @ (apart**2).sum(axis=1))

    return first, second * min(product((1.0, -1.0), repeat=2), key=stretch)


def _upright(graph: GraphSet) -> FloatArray:
    layout = graph_layout(graph)
    width, height = np.ptp(layout, axis=0) if len(layout) else (0.0, 0.0)
    return layout[:, ::-1] if width > height else layout


def _edge_length(graph: GraphSet, layout: FloatArray) -> float:
    ends = graph.adjacency.nonzero()
    lengths = np.linalg.norm(layout[ends[0]] - layout[ends[1]], axis=1)
    return float(np.median(lengths)) if len(lengths) else 1.0


def _frame(where: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the lower left and the upper right corner of the picture, with a margin."""
    if not len(where):
        return np.array([-1.0, -1.0]), np.array([1.0, 1.0])
    return where.min(axis=0) - _MARGIN, where.max(axis=0) + _MARGIN


def _marker_size(where: FloatArray) -> float:
    """Return the diameter of markers of which no two overlap in a picture of usual size."""
    if len(where) < 2:
        return _LARGEST_MARKER
    (x_low, y_low), (x_high, y_high) = _frame(where)
    pixels = min(_USUAL_WIDTH / (x_high - x_low), _PAIR_HEIGHT / (y_high - y_low))
    nearest = float(np.median(KDTree(where).query(where, 2)[0][:, 1]))
    return float(np.clip(0.8 * nearest * pixels, 5, _LARGEST_MARKER))


def vertex_titles(graphs: GraphSet) -> list[str]:
    """Return the name of every vertex with its label, not escaped.

    Examples
    --------
    >>> import networkx as nx
    >>> water = nx.path_graph(3)
    >>> nx.set_node_attributes(water, {0: "H", 1: "O", 2: "H"}, "label")
    >>> vertex_titles(GraphSet.from_networkx(water))
    ['H0', 'O1', 'H2']
    >>> nx.set_node_attributes(water, 7, "label")
    >>> vertex_titles(GraphSet.from_networkx(water))
    ['0 (7)', '1 (7)', '2 (7)']
    """
    labels = graphs.named().labels
    if labels is None:
        return [str(name) for name in graphs.names]
    return [
        f"{label}{name}" if _is_symbol(label) and isinstance(name, int) else f"{name} ({label})"
        for label, name in zip(labels, graphs.names, strict=True)
    ]


def _is_symbol(label: Hashable) -> bool:
    return isinstance(label, str) and label.isalpha()


def _symbols(graphs: GraphSet) -> list[str]:
    """Return what fits into markers: titles, else labels, else nothing."""
    for texts in (vertex_titles(graphs), graphs.named().labels or []):
        shown = [str(text) for text in texts]
        if max(map(len, shown), default=_LONGEST_SYMBOL + 1) <= _LONGEST_SYMBOL:
            return safe_names(shown)
    return [""] * graphs.n_vertices


def pair_matrix_figure(pair: GraphPair) -> go.Figure:
    """Draw the share of every pair of vertices in the value.

    Parameters
    ----------
    pair : GraphPair

    Returns
    -------
    plotly.graph_objects.Figure
        Rows are vertices of the first graph, columns those of the second, both named by
        :func:`vertex_titles`; pairs that are not compared stay empty. Of large graphs the
        ``MAX_ROWS_DRAWN`` vertices that contribute most are shown.
    """
    found, border = pair.contributions, int(pair.graphs.offsets[1])
    shares = np.full((border, pair.graphs.n_vertices - border), np.nan)
    sizes = float(np.abs(found.values).sum())
    shares[found.left, found.right - border] = 100 * found.values / (sizes or 1.0)
    known = np.nan_to_num(np.abs(shares))
    rows, columns = (
        np.sort(np.argsort(-known.sum(axis=axis), kind="stable")[:MAX_ROWS_DRAWN])
        for axis in (1, 0)
    )
    titles = vertex_titles(pair.graphs)
    of_rows, of_columns = [titles[v] for v in rows], [titles[border + u] for u in columns]
    cells = {
        "type": "heatmap",
        "z": shares[np.ix_(rows, columns)],
        "colorscale": SHARE_SCALE,
        "colorbar": {"thickness": 10, "title": {"text": "%"}},
        "text": [
            [f"{one} · {other}" for other in safe_names(of_columns)] for one in safe_names(of_rows)
        ],
        "hovertemplate": "%{text}: %{z:.2f} %<extra></extra>",
        "hoverongaps": False,
    }
    if max(len(rows), len(columns)) <= _MAX_TICKS:
        cells |= {"xgap": 1, "ygap": 1}
    xaxis, yaxis = _named_axis("second graph", of_columns), _named_axis("first graph", of_rows)
    yaxis["range"] = yaxis["range"][::-1]
    return base_figure(
        [cells], xaxis=xaxis | {"tickangle": -90}, yaxis=yaxis, margin=margins(8, 8, 8, 8)
    )


def _named_axis(title: str, names: list[str]) -> dict[str, Any]:
    """Return an axis with a name at every step, or at every few where there are many."""
    places = list(range(0, len(names), -(-len(names) // _MAX_TICKS) or 1))
    shown = (names[place] for place in places)
    short = [t if len(t) <= _LONGEST_TICK else t[: _LONGEST_TICK - 1] + "…" for t in shown]
    return {
        **QUIET_AXIS,
        "title": {"text": title, "standoff": 6},
        "range": [-0.5, len(names) - 0.5],
        "showticklabels": True,
        "tickvals": places,
        "ticktext": safe_names(short),
        "tickfont": {"size": 10},
        "showline": True,
        "mirror": True,
        "linecolor": MARK_COLOUR,
    }


def _figure(
    pair: ExplainedPair, drawn: list[dict[str, Any]], places: _Places, n_links: int
) -> go.Figure:
    """Draw links, the greatest contributions first, below and above what is drawn already."""
    found = pair.contributions
    left, right = found.left.tolist(), found.right.tolist()
    names = safe_names(pair.graphs.names)
    rows = [
        row
        for row in found.largest(len(found)).tolist()
        if (0, left[row]) in places and (1, right[row]) in places
    ][:n_links]
    lines = [(places[0, left[row]], places[1, right[row]]) for row in rows]
    texts = [f"{names[left[row]]} · {names[right[row]]}<br>{_added(pair, row)}" for row in rows]
    *links, middles = _link_traces(
        np.array(lines).reshape(-1, 2, 2),
        found.values[rows],
        texts,
        np.array(rows, dtype=np.int64),
        is_crossing=found.nodes is None,
    )
    return base_figure(
        [*links, *drawn, middles],
        xaxis={**QUIET_AXIS, "range": [-1.2, 1.2], "visible": False},
        yaxis={**QUIET_AXIS, "range": [-1.1, 1.1], "visible": False},
    )


def _link_traces(
    ends: FloatArray, values: FloatArray, texts: list[str], rows: IntArray, is_crossing: bool
) -> list[dict[str, Any]]:
    """Return straight links, as wide as their values, and points at their middles to hover over.

    Links of negative values are dashed. Where links cross, the points lie at different distances
    from the middle, but between the two sides. Their customdata are the rows.
    """
    largest = float(np.abs(values).max(initial=0.0)) or 1.0
    level = np.ceil(np.abs(values) / largest * len(_WIDTHS)).astype(np.int64) - 1
    traces = []
    for is_negative in (False, True):
        look = {"color": _NEGATIVE, "dash": "dash"} if is_negative else {"color": _PAIRED}
        for step, width in enumerate(_WIDTHS):
            chosen = (np.maximum(level, 0) == step) & ((values < 0) == is_negative)
            if chosen.any():
                line = {"width": width, **look}
                traces.append(line_trace(ends[chosen], line=line, opacity=0.55))
    inner = float(np.abs(ends[:, :, 0]).min(initial=1.0))
    spread = (rows * _GOLDEN_RATIO % 1.0 - 0.5) if is_crossing else np.zeros(len(rows))
    apart = ends[:, 1] - ends[:, 0]
    share = (1.2 * inner * spread - ends[:, 0, 0]) / apart[:, 0]
    middles = point_trace(
        ends[:, 0] + share[:, np.newaxis] * apart,
        marker={"size": 9, "color": _PAIRED, "opacity": 0.6},
        customdata=rows,
        text=texts,
        hovertemplate="%{text}<extra></extra>",
    )
    return [*traces, middles]


def _added(pair: ExplainedPair, row: int) -> str:
    found = pair.contributions
    text = f"adds {found.values[row]:.5g} of {found.total:.5g}"
    if found.edges is not None:
        text += f"<br>over edges: {safe_names([found.edges[row]])[0]}"
    return text if found.nodes is None else f"{text}<br>they meet at tree node {found.nodes[row]}"


def _vertices(
    pair: VertexPair, dots: list[tuple[int, _Place]], colours: list[str]
) -> dict[str, Any]:
    """Return the two vertices, then their neighbours."""
    vertices, places = zip(*dots, strict=True)
    names = safe_names([pair.graphs.names[v] for v in vertices])
    degrees = np.diff(pair.graphs.adjacency.indptr)[list(vertices)].tolist()
    sizes = [18] * 2 + [12] * (len(dots) - 2)
    sides = ["middle left" if x < 0 else "middle right" for x, _ in places[2:]]
    return point_trace(
        np.array(places),
        mode="markers+text",
        textposition=["top center"] * 2 + sides,
        marker={"size": sizes, "color": colours, "line": OUTLINE},
        text=names,
        customdata=list(vertices),
        hovertext=[f"{name}<br>degree {d}" for name, d in zip(names, degrees, strict=True)],
        hovertemplate="%{hovertext}<extra></extra>",
    )


def matching_words(pair: ExplainedPair) -> str:
    """Describe which pairs contribute most, and how many vertices have no partner.

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
        return "0 pairs contribute."
    add = "adds" if len(found) == 1 else "add"
    parts = [f"{counted(len(found), 'pair')} {add} up to {found.total:.5g}."]
    sizes = float(np.abs(found.values).sum())
    for row in found.largest(_MAX_NAMED).tolist():
        value = float(found.values[row])
        share = 100 * abs(value) / sizes if sizes > 0 else 0.0
        parts.append(
            f"The pair of {vertex_words(pair, int(found.left[row]))} and "
            f"{vertex_words(pair, int(found.right[row]))}{_over(found, row)} adds {value:.5g} "
            f"({share:.0f} %)."
        )
    n_alone = sum(map(len, pair.unmatched))
    if n_alone:
        have = "has" if n_alone == 1 else "have"
        parts.append(f"{counted(n_alone, 'vertex', 'vertices')} {have} no partner.")
    return " ".join(parts)


def _over(found: Contributions, row: int) -> str:
    return "" if found.edges is None else f", over edges with {found.edges[row]},"


def history_figure(history: History) -> go.Figure:
    """Draw a bar for every round, made of the previous similarity and of their neighbours.

    Parameters
    ----------
    history : History

    Returns
    -------
    plotly.graph_objects.Figure
        Values before normalisation; the hover text has the share of the neighbours.
    """
    rounds = list(range(len(history.total)))
    bars = [
        {
            "type": "bar",
            "x": rounds,
            "y": part,
            "name": name,
            "marker": {"color": colour, "pattern": {"shape": shape}, "line": OUTLINE},
            "customdata": 100 * shares,
            "hovertemplate": f"t = %{{x}}<br>{name}: %{{y:.5g}}<br>%{{customdata:.0f}} %"
            "<extra></extra>",
        }
        for name, part, shares, colour, shape in (
            ("previous similarity", history.own, 1 - history.neighbour_share, _PAIRED, ""),
            ("neighbours", history.neighbours, history.neighbour_share, _SECOND, "/"),
        )
    ]
    return base_figure(
        bars,
        barmode="relative",
        xaxis={"title": {"text": "round t"}, "tickvals": rounds},
        yaxis=titled_axis("kᵗ(v, u)"),
        margin=margins(48, 12, 40, 40),
        **LEGEND_ABOVE,
    )


def history_words(history: History) -> str:
    """Describe for every round how much came from the past and how much from neighbours.

    Parameters
    ----------
    history : History

    Returns
    -------
    str
    """
    parts = [f"At t = 0 the similarity is {history.own[0]:.5g}."]
    for t in range(1, len(history.own)):
        parts.append(
            f"At t = {t} it is {history.total[t]:.5g}: {history.own[t]:.5g} from the previous "
            f"similarity and {history.neighbours[t]:.5g} from the neighbours "
            f"({100 * history.neighbour_share[t]:.0f} %)."
        )
    return " ".join(parts)
