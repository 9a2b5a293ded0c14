"""A part of a graph that is too large to be shown whole."""

from __future__ import annotations

import numpy as np
from scipy.sparse.csgraph import breadth_first_order

from mpgk_core.arrays import IntArray
from mpgk_core.graphs.graph_set import GraphSet
from mpgk_core.parameters import check_whole


def neighbourhood_sample(graph: GraphSet, n_vertices: int, random_state: int = 0) -> GraphSet:
    """Return the part of a graph around a vertex drawn at random.

    Vertices are taken in the order of their distance from it; where a component is used up,
    another vertex is drawn. All edges between the vertices taken are kept, so inner vertices keep
    their neighbourhoods, and those on the rim lose some neighbours.

    Parameters
    ----------
    graph : GraphSet
        With one graph.
    n_vertices : int
        Number of vertices to keep.
    random_state : int
        Seed of the draw.

    Returns
    -------
    GraphSet

    Examples
    --------
    >>> import networkx as nx
    >>> ring = GraphSet.from_networkx(nx.cycle_graph(1000))
    >>> neighbourhood_sample(ring, 5)
    GraphSet(1 graph, 5 vertices, 4 edges)
    """
    check_whole(n_vertices, 1, "n_vertices", "neighbourhood_sample")
    is_taken = np.zeros(graph.n_vertices, dtype=np.bool_)
    missing = n_vertices
    for start in np.random.default_rng(random_state).permutation(graph.n_vertices):
        if missing == 0:
            break
        if not is_taken[start]:
            reached = breadth_first_order(graph.adjacency, start, return_predecessors=False)
            is_taken[reached[:missing]] = True
            missing -= min(missing, len(reached))
    return induced_subgraph(graph, np.flatnonzero(is_taken))


def induced_subgraph(graph: GraphSet, vertices: IntArray) -> GraphSet:
    """Return some vertices of one graph and all edges between them.

    Parameters
    ----------
    graph : GraphSet
        With one graph.
    vertices : ndarray of int
        The vertices to keep, in their new order.

    Returns
    -------
    GraphSet
    """
    labels = graph.labels
    return GraphSet(
        graph.adjacency[vertices][:, vertices],
        [0, len(vertices)],
        names=[graph.names[v] for v in vertices.tolist()],
        labels=None if labels is None else [labels[v] for v in vertices.tolist()],
        attributes=None if graph.attributes is None else graph.attributes[vertices],
        self_loops="keep",
    )
