"""A graph, drawn."""

from __future__ import annotations

from collections import Counter

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from mpgk_core.graphs.graph_set import GraphSet
from mpgk_core.plotting.colouring import Colouring
from mpgk_core.plotting.style import MARK_COLOUR, QUIET_AXIS, Drawing, base_layout, safe_names

_MOST_LABELS = 6

MOST_EDGES_DRAWN = 12_000
_MANY_VERTICES = 1_500


def graph_figure(
    graph: GraphSet, positions: NDArray[np.float64], colouring: Colouring, controls: bool = False
) -> go.Figure:
    """Draw one graph; every round is a frame with the colours of that round.

    Beyond ``MOST_EDGES_DRAWN`` edges only an evenly spaced part of them is drawn.

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


def draw_graph(graph: GraphSet, positions: NDArray[np.float64], colouring: Colouring) -> Drawing:
    """Do the work of :func:`graph_figure`, where the parameters are described."""
    n = graph.n_vertices
    kind = "scattergl" if n > _MANY_VERTICES else "scatter"
    lines_x, lines_y = _edge_lines(graph, positions)
    names = safe_names(graph.names)
    degrees = np.diff(graph.adjacency.indptr).tolist()
    edges = {
        "type": kind,
        "x": lines_x,
        "y": lines_y,
        "mode": "lines",
        "line": {"width": 1 if n <= 300 else 0.5, "color": MARK_COLOUR},
        "opacity": 0.6 if n <= 300 else 0.35,
        "hoverinfo": "skip",
    }
    vertices = {
        "type": kind,
        "x": positions[:, 0],
        "y": positions[:, 1],
        "mode": "markers",
        "marker": {
            "size": _marker_size(n),
            "color": colouring.colours[-1],
            "line": {"width": 1, "color": MARK_COLOUR},
        },
        "customdata": list(range(n)),
        "text": [
            f"{name}<br>{word}<br>degree {degree}"
            for name, word, degree in zip(names, colouring.words[-1], degrees, strict=True)
        ],
        "hovertemplate": "%{text}<extra></extra>",
    }
    layout = base_layout(
        xaxis={**QUIET_AXIS, "range": [-1.1, 1.1], "visible": False},
        yaxis={**QUIET_AXIS, "range": [-1.1, 1.1], "visible": False, "scaleanchor": "x"},
    )
    frames = [
        {"name": str(t), "data": [{"type": kind, "marker": {"color": colours}}], "traces": [1]}
        for t, colours in enumerate(colouring.colours)
    ]
    return Drawing([edges, vertices], layout, frames)


def _edge_lines(
    graph: GraphSet, positions: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the edges as one broken line."""
    entries = graph.adjacency.tocoo()
    upper = entries.row < entries.col
    sources, targets = entries.row[upper], entries.col[upper]
    step = -(-len(sources) // MOST_EDGES_DRAWN) or 1
    ends = np.stack([sources[::step], targets[::step]], axis=1)
    line = np.full((len(ends), 3, 2), np.nan)
    line[:, :2] = positions[ends]
    return line[:, :, 0].ravel(), line[:, :, 1].ravel()


def _marker_size(n: int) -> float:
    return float(np.clip(66 / np.sqrt(max(n, 1)), 4, 16))


def graph_words(graph: GraphSet) -> str:
    """Say how large a graph is, and which degrees and labels it has.

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
    words = f"{graph.n_vertices:,} vertices and {graph.n_edges:,} edges"
    if len(degrees):
        words += f"; degrees from {degrees.min()} to {degrees.max()}"
    if graph.labels is None:
        return f"{words}."
    counts = Counter(str(label)[:40] for label in graph.labels).most_common()
    listed = ", ".join(f"{label} ({n:,})" for label, n in counts[:_MOST_LABELS])
    more = " and others" if len(counts) > _MOST_LABELS else ""
    return f"{words}; labels {listed}{more}."
