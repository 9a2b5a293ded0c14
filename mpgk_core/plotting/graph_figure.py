"""One graph, drawn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from mpgk_core.arrays import FloatArray, IntArray
from mpgk_core.graphs.graph_set import GraphSet
from mpgk_core.plotting.colouring import Colouring, colour_by_class, readable_on
from mpgk_core.plotting.edge_looks import EdgeLook, EdgeLooks, edge_facts_words, edge_looks
from mpgk_core.plotting.molecule_drawing import BOND_GAP, BOND_LINES, elements_of
from mpgk_core.plotting.style import (
    LEGEND_ABOVE,
    MARK_COLOUR,
    OUTLINE,
    QUIET_AXIS,
    Drawing,
    base_layout,
    line_trace,
    margins,
    needed_distance,
    point_trace,
    safe_names,
)
from mpgk_core.text import counted

_MAX_LABELS = 6
_LEAST_LABELLED = 9.0
_ROOM, _LEAST_SHARE = 0.06, 0.3  # of the larger extent of a small picture

MAX_EDGES_DRAWN = 12_000
MAX_STYLED = 1_500
"""How many vertices a graph can have whose edges are drawn with labels, weights, directions."""


def graph_figure(
    graph: GraphSet,
    positions: FloatArray,
    colouring: Colouring,
    controls: bool = False,
    edges: str | None = None,
) -> go.Figure:
    """Draw one graph; every round is a frame with the colours of that round.

    Beyond ``MAX_EDGES_DRAWN`` edges only an evenly spaced part of them is drawn.

    Parameters
    ----------
    graph : GraphSet
        With one graph.
    positions : ndarray of shape (n, 2)
    colouring : Colouring
    controls : bool
        Whether to add a slider and a play button, for notebooks.
    edges : str, optional
        What the kernel uses of edges. Labels, weights and directions are then drawn, those that it
        does not use discreetly; with more than 1,500 vertices, edges are plain all the same.

    Returns
    -------
    plotly.graph_objects.Figure
        Trace 0 are plain edges, trace 1 the vertices, with the vertex number as customdata; edges
        with labels, weights or directions follow.
    """
    return draw_graph(graph, positions, colouring, edges).figure(controls)


def draw_graph(
    graph: GraphSet,
    positions: FloatArray,
    colouring: Colouring,
    edges: str | None = None,
    symbols: Sequence[str] | None = None,
) -> Drawing:
    """Do the work of :func:`graph_figure`, where the parameters are described.

    ``symbols`` are written into the vertices, where these are not too small for it.
    """
    n = graph.n_vertices
    kind = "scattergl" if n > MAX_STYLED else "scatter"
    degrees = np.diff(graph.adjacency.indptr).tolist()
    width, opacity = (1, 0.6) if n <= 300 else (0.5, 0.35)
    line = {"width": width, "color": MARK_COLOUR}
    size = float(np.clip(66 / np.sqrt(max(n, 1)), 4, 16))
    vertices = point_trace(
        positions,
        type=kind,
        marker={"size": size, "color": colouring.colours[-1], "line": OUTLINE},
        customdata=list(range(n)),
        text=[
            f"{name}<br>{word}<br>degree {degree}"
            for name, word, degree in zip(
                safe_names(graph.names), colouring.words[-1], degrees, strict=True
            )
        ],
        hovertemplate="%{text}<extra></extra>",
    )
    if symbols is not None and size >= _LEAST_LABELLED:
        vertices |= {
            "mode": "markers+text",
            "hovertext": vertices["text"],
            "hovertemplate": "%{hovertext}<extra></extra>",
            "text": safe_names(symbols),
            "textfont": {"size": 10, "color": [readable_on(one) for one in colouring.colours[-1]]},
            "marker": vertices["marker"] | {"size": size + 4},
        }
    pad = 2 * needed_distance(positions) if n > 1 else 1.0
    lowest, highest = positions.min(axis=0, initial=0.0), positions.max(axis=0, initial=0.0)
    xaxis, yaxis = (
        {**QUIET_AXIS, "range": ends, "visible": False}
        for ends in np.column_stack([lowest - pad, highest + pad]).tolist()
    )
    frames = [
        {"name": str(t), "data": [{"type": kind, "marker": {"color": colours}}], "traces": [1]}
        for t, colours in enumerate(colouring.colours)
    ]
    layout = base_layout(xaxis=xaxis, yaxis={**yaxis, "scaleanchor": "x"})
    looks = None if edges is None or n > MAX_STYLED else edge_looks(graph, edges)
    plain = _drawn_edges(graph) if looks is None else np.zeros((0, 2), dtype=np.int64)
    lines = line_trace(positions[plain], type=kind, line=line, opacity=opacity)
    if looks is None:
        return Drawing([lines, vertices], layout, frames)
    if looks.legend:
        layout |= LEGEND_ABOVE
        lines["showlegend"] = vertices["showlegend"] = False
    vertices["zorder"] = 1  # above the edges, which follow
    return Drawing([lines, vertices, *_edge_traces(looks, positions, size)], layout, frames)


def labelled_figure(graph: GraphSet, positions: FloatArray, edges: str = "ignore") -> go.Figure:
    """Draw one graph, coloured by the labels of its vertices, and elements by their symbols.

    Parameters
    ----------
    graph : GraphSet
        With one graph.
    positions : ndarray of shape (n, 2)
    edges : str
        What the kernel uses of edges; see :func:`graph_figure`.

    Returns
    -------
    plotly.graph_objects.Figure
    """
    codes = graph.label_codes
    shown = np.zeros(graph.n_vertices, np.int64) if codes is None else codes.astype(np.int64)
    colouring = colour_by_class("Label", shown[np.newaxis], "label")
    return small_figure(graph, positions, colouring, edges)


def small_figure(
    graph: GraphSet, positions: FloatArray, colouring: Colouring, edges: str = "ignore"
) -> go.Figure:
    """Draw one graph for a small place: elements by their symbols, and all vertices whole.

    Vertices have a fixed size on screen, so a small picture needs more room around them, and a
    chain, which has no height of its own, gets some.

    Parameters
    ----------
    graph : GraphSet
        With one graph.
    positions : ndarray of shape (n, 2)
    colouring : Colouring
    edges : str
        What the kernel uses of edges; see :func:`graph_figure`.

    Returns
    -------
    plotly.graph_objects.Figure
    """
    drawing = draw_graph(graph, positions, colouring, edges, elements_of(graph))
    axes = [drawing.layout[axis] for axis in ("xaxis", "yaxis")]
    extents = [axis["range"][1] - axis["range"][0] for axis in axes]
    largest = max(extents)
    for axis, extent in zip(axes, extents, strict=True):
        room = _ROOM * largest + max(_LEAST_SHARE * largest - extent, 0.0) / 2
        low, high = axis["range"]
        # a column may be narrow at first: keep the ranges then
        axis |= {"range": [low - room, high + room], "constrain": "domain"}
    return drawing.figure().update_layout(margin=margins(4, 4, 4, 4))


def _edge_traces(looks: EdgeLooks, positions: FloatArray, size: float) -> list[dict[str, Any]]:
    """Return a trace for every look, its edges under ``meta``.

    These are pairs of vertices; those of bonds also say how far a line lies to the left of them.
    """
    step = -(-len(looks.ends) // MAX_EDGES_DRAWN) or 1
    ends, of_edge = looks.ends[::step], looks.of_edge[::step]
    sides = looks.inner_sides(positions)[::step]
    traces, named = [], set()
    for number, look in enumerate(looks.looks):
        own = ends[of_edge == number]
        colour = look.colour or MARK_COLOUR
        if look.bond:
            inner = sides[of_edge == number]
            traces += _bond_traces(look, own, inner, positions, look.words not in named)
            named.add(look.words)
            continue
        trace = line_trace(
            positions[own],
            line={"width": look.width, "color": colour, "dash": look.dash},
            opacity=0.9 if look.colour else 0.7,
            meta=own.tolist(),
            name=safe_names([look.words])[0],
            showlegend=bool(look.words) and look.words not in named,
        )
        named.add(look.words)
        if look.arrow:
            trace |= {
                "mode": "lines+markers",
                "marker": {
                    "symbol": "arrow",
                    "angleref": "previous",
                    "size": [0, look.arrow, 0] * len(own),
                    "standoff": size / 2,
                    "color": colour,
                    "opacity": 1,
                },
            }
        traces.append(trace)
    return traces


def _bond_traces(
    look: EdgeLook, ends: IntArray, sides: IntArray, positions: FloatArray, is_named: bool
) -> list[dict[str, Any]]:
    """Return the lines of bonds, side by side, and the dotted ones of aromatic bonds."""
    along = positions[ends[:, 1]] - positions[ends[:, 0]]
    lengths = np.linalg.norm(along, axis=1, keepdims=True)
    left = np.column_stack([-along[:, 1], along[:, 0]]) / np.where(lengths > 0, lengths, 1.0)
    gap = BOND_GAP * float(np.median(lengths)) if len(ends) else 0.0
    lines = [(side * gap, "solid") for side in BOND_LINES[look.bond]]
    traces = []
    if look.bond == "aromatic":
        lines.append((1.0, "dot"))
    for number, (side, dash) in enumerate(lines):
        shift = 2 * gap * sides if dash == "dot" else np.full(len(ends), side)
        trace = line_trace(
            positions[ends] + (shift[:, np.newaxis] * left)[:, np.newaxis, :],
            line={"width": look.width, "color": look.colour or MARK_COLOUR, "dash": dash},
            opacity=0.9 if look.colour else 0.7,
            meta=[[u, v, s] for (u, v), s in zip(ends.tolist(), shift.tolist(), strict=True)],
            name=safe_names([_bond_words(look)])[0],
            showlegend=is_named and number == 0,
        )
        traces.append(trace)
    return traces


def _bond_words(look: EdgeLook) -> str:
    """Return the words of a bond in a legend, where every sample is a single line."""
    signs = {"double": "=", "triple": "≡", "aromatic": "┄"}
    return f"{signs[look.bond]} {look.words}" if look.bond in signs else look.words


def _drawn_edges(graph: GraphSet) -> IntArray:
    """Return an evenly spaced part of the edges as (m, 2) vertex numbers, without self-loops."""
    entries = graph.adjacency.tocoo()
    upper = entries.row < entries.col
    ends = np.stack([entries.row[upper], entries.col[upper]], axis=1)
    return ends[:: -(-len(ends) // MAX_EDGES_DRAWN) or 1]


def edge_words(graph: GraphSet) -> str:
    """Name all edges of a graph, with their directions and labels.

    Parameters
    ----------
    graph : GraphSet
        With one graph.

    Returns
    -------
    str
        Plain text: escape it before it becomes part of a page.

    Examples
    --------
    >>> import networkx as nx
    >>> edge_words(GraphSet.from_networkx(nx.star_graph(2)))
    'Edges: 0–1, 0–2.'
    """
    edges, names = graph.all_edges(), graph.names
    between = " → " if edges.is_directed else "–"
    labels = [f" ({label})" for label in edges.labels or ()] or [""] * len(edges.sources)
    ends = zip(edges.sources.tolist(), edges.targets.tolist(), labels, strict=True)
    listed = (f"{names[v]}{between}{names[u]}{label}" for v, u, label in ends)
    return f"Edges: {', '.join(listed)}."


def graph_words(graph: GraphSet) -> str:
    """Describe how large a graph is, and which degrees and labels it has.

    Parameters
    ----------
    graph : GraphSet

    Returns
    -------
    str
        Plain text: escape it before it becomes part of a page.

    Examples
    --------
    >>> import networkx as nx
    >>> graph_words(GraphSet.from_networkx(nx.star_graph(3)))
    '4 vertices and 3 edges; degrees from 1 to 3.'
    """
    degrees = np.diff(graph.adjacency.indptr)
    words = counted(graph.n_vertices, "vertex", "vertices")
    words += f" and {counted(graph.n_edges, 'edge')}"
    if len(degrees):
        words += f"; degrees from {degrees.min()} to {degrees.max()}"
    facts = "".join(f"; {fact}" for fact in edge_facts_words(graph))
    labels = graph.named().labels
    if labels is None:
        return f"{words}{facts}."
    counts = Counter(str(label)[:40] for label in labels).most_common()
    listed = ", ".join(f"{label} ({n:,})" for label, n in counts[:_MAX_LABELS])
    more = " and others" if len(counts) > _MAX_LABELS else ""
    return f"{words}; labels {listed}{more}{facts}."
