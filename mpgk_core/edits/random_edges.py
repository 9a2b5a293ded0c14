"""Edges removed at random, in an order that a seed decides."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mpgk_core.edits.edge_edits import with_edges_replaced
from mpgk_core.edits.lookup import check_one_graph
from mpgk_core.formats.columns import undirected_edges
from mpgk_core.graphs import GraphSet
from mpgk_core.parameters import check_whole


def without_random_edges(graph: GraphSet, n_edges: int, seed: int = 0) -> GraphSet:
    """Remove some edges at random.

    The same seed removes the same edges, whatever the order of the vertices; one more edge is
    removed in addition to those before it.

    Parameters
    ----------
    graph : GraphSet
        With one graph; it stays as it is.
    n_edges : int
        How many edges to remove, at most all.
    seed : int

    Returns
    -------
    GraphSet

    Raises
    ------
    InvalidParameterError
        If there are fewer edges.

    Examples
    --------
    >>> import networkx as nx
    >>> without_random_edges(GraphSet.from_networkx(nx.cycle_graph(9)), 2, seed=1)
    GraphSet(1 graph, 9 vertices, 7 edges)
    """
    order = random_edge_order(graph, seed)
    check_whole(n_edges, 0, "n_edges", "without_random_edges", maximum=len(order))
    return with_edges_replaced(graph, order[n_edges:])


def random_edge_order(graph: GraphSet, seed: int = 0) -> NDArray[np.int64]:
    """Return all edges in a random order, which depends on the names and the seed alone.

    Parameters
    ----------
    graph : GraphSet
        With one graph.
    seed : int

    Returns
    -------
    ndarray of shape (m, 2)
        Pairs of vertex numbers.

    Examples
    --------
    >>> import networkx as nx
    >>> random_edge_order(GraphSet.from_networkx(nx.path_graph(4)), seed=2).tolist()
    [[2, 3], [0, 1], [1, 2]]
    """
    check_one_graph(graph)
    check_whole(seed, 0, "seed", "random_edge_order")
    names = [repr(name) for name in graph.names]
    rank = np.empty(len(names), dtype=np.int64)
    rank[sorted(range(len(names)), key=names.__getitem__)] = np.arange(len(names))
    edges = undirected_edges(graph)
    ends = np.sort(rank[edges], axis=1)
    by_name = edges[np.lexsort((ends[:, 1], ends[:, 0]))]
    return by_name[np.random.default_rng(seed).permutation(len(edges))]
