"""A graph before and after a change, drawn so that only what changed looks different."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mpgk_core.edits.comparison import Comparison
from mpgk_core.edits.edge_edits import with_edges_replaced
from mpgk_core.edits.lookup import matched_vertices, named_edges
from mpgk_core.formats.columns import undirected_edges
from mpgk_core.graphs.graph_set import GraphSet
from mpgk_core.plotting.colouring import Colouring
from mpgk_core.plotting.drawing import Drawing
from mpgk_core.plotting.graph_figure import draw_graph
from mpgk_core.plotting.palette import class_colours

_BESIDE, _OUTSIDE = 0.12, 1.05
"""How far a new vertex lies from the middle of its neighbours, or, without any, of the drawing."""

_GOLDEN_ANGLE = 2.399963
_STRIKING = class_colours(3)[2]


def carried_layout(
    before: GraphSet, positions: NDArray[np.float64], after: GraphSet
) -> NDArray[np.float64]:
    """Leave vertices where they were drawn, and place new ones among their neighbours.

    Parameters
    ----------
    before : GraphSet
        With one graph.
    positions : ndarray of shape (n, 2)
        Its drawing, within [-1, 1].
    after : GraphSet
        Another version of the graph; equal names are the same vertex.

    Returns
    -------
    ndarray of shape (number of vertices after, 2)

    Examples
    --------
    >>> import networkx as nx
    >>> from mpgk_core.edits import with_vertex
    >>> path = GraphSet.from_networkx(nx.path_graph(2))
    >>> line = np.array([[-1.0, 0.0], [1.0, 0.0]])
    >>> carried_layout(path, line, with_vertex(path, joined_to=[0, 1])).round(2)
    array([[-1.  ,  0.  ],
           [ 1.  ,  0.  ],
           [ 0.01, -0.12]])
    """
    in_before, in_after = matched_vertices(before, after)
    placed = np.zeros((after.n_vertices, 2))
    placed[in_after] = positions[in_before]
    is_placed = np.isin(np.arange(after.n_vertices), in_after)
    for v in np.flatnonzero(~is_placed).tolist():
        neighbours = after.adjacency.indices[slice(*after.adjacency.indptr[v : v + 2])]
        known = placed[neighbours[is_placed[neighbours]]]
        middle, reach = (known.mean(axis=0), _BESIDE) if len(known) else (0.0, _OUTSIDE)
        angle = _GOLDEN_ANGLE * v
        placed[v] = middle + reach * np.array([np.cos(angle), np.sin(angle)])
        is_placed[v] = True
    return placed


def draw_change(
    comparison: Comparison, positions: NDArray[np.float64], colourings: tuple[Colouring, Colouring]
) -> tuple[Drawing, Drawing]:
    """Draw a graph before and after, with the edges that only one version has in red.

    Parameters
    ----------
    comparison : Comparison
    positions : ndarray of shape (n, 2)
        Of the vertices before; those after are carried over.
    colourings : tuple of two Colouring
        Of the vertices before and after.

    Returns
    -------
    before, after : Drawing
        Trace 0 are all edges, trace 1 the vertices, trace 2 the edges of this version alone.
    """
    versions = (comparison.before, comparison.after)
    carried = carried_layout(comparison.before, positions, comparison.after)
    before, after = (
        _with_own_edges(draw_graph(version, places, colouring), version, other, places, colouring)
        for version, other, places, colouring in zip(
            versions, versions[::-1], (positions, carried), colourings, strict=True
        )
    )
    return before, after


def _with_own_edges(
    drawing: Drawing,
    version: GraphSet,
    other: GraphSet,
    positions: NDArray[np.float64],
    colouring: Colouring,
) -> Drawing:
    elsewhere = named_edges(other)
    is_own = [pair not in elsewhere for pair in named_edges(version)]
    own = with_edges_replaced(version, undirected_edges(version)[np.array(is_own, dtype=np.bool_)])
    trace = draw_graph(own, positions, colouring).data[0] | {
        "line": {"width": 3, "color": _STRIKING, "dash": "dot"},
        "opacity": 1.0,
    }
    return Drawing([*drawing.data, trace], drawing.layout, drawing.frames)
