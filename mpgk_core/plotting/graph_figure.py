"""One graph, drawn."""

from __future__ import annotations

from collections import Counter

import numpy as np
import plotly.graph_objects as go

from mpgk_core.arrays import FloatArray, IntArray
from mpgk_core.graphs.graph_set import GraphSet
from mpgk_core.plotting.colouring import Colouring
from mpgk_core.plotting.style import (
    MARK_COLOUR,
    OUTLINE,
    QUIET_AXIS,
    Drawing,
    base_layout,
    line_trace,
    needed_distance,
    point_trace,
    safe_names,
)
from mpgk_core.text import counted

_MAX_LABELS = 6

MAX_EDGES_DRAWN = 12_000
_MANY_VERTICES = 1_500


def graph_figure(
    graph: GraphSet, positions: FloatArray, colouring: Colouring, controls: bool = False
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

    Returns
    -------
    plotly.graph_objects.Figure
        Trace 0 are the edges, trace 1 the vertices, with the vertex number as customdata.
    """
    return draw_graph(graph, positions, colouring).figure(controls)


def draw_graph(graph: GraphSet, positions: FloatArray, colouring: Colouring) -> Drawing:
    """Do the work of :func:`graph_figure`, where the parameters are described."""
    n = graph.n_vertices
    kind = "scattergl" if n > _MANY_VERTICES else "scatter"
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
    return Drawing(
        [
            line_trace(positions[_drawn_edges(graph)], type=kind, line=line, opacity=opacity),
            vertices,
        ],
        base_layout(xaxis=xaxis, yaxis={**yaxis, "scaleanchor": "x"}),
        frames,
    )


def _drawn_edges(graph: GraphSet) -> IntArray:
    """Return an evenly spaced part of the edges as (m, 2) vertex numbers, without self-loops."""
    entries = graph.adjacency.tocoo()
    upper = entries.row < entries.col
    ends = np.stack([entries.row[upper], entries.col[upper]], axis=1)
    return ends[:: -(-len(ends) // MAX_EDGES_DRAWN) or 1]


def edge_words(graph: GraphSet) -> str:
    """Name all edges of a graph.

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
    entries = graph.adjacency.tocoo()
    pairs = zip(entries.row.tolist(), entries.col.tolist(), strict=True)
    listed = (f"{graph.names[v]}–{graph.names[u]}" for v, u in pairs if v <= u)
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
    if graph.labels is None:
        return f"{words}."
    counts = Counter(str(label)[:40] for label in graph.labels).most_common()
    listed = ", ".join(f"{label} ({n:,})" for label, n in counts[:_MAX_LABELS])
    more = " and others" if len(counts) > _MAX_LABELS else ""
    return f"{words}; labels {listed}{more}."
