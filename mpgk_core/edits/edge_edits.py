"""One edge more or less."""

from __future__ import annotations

from collections.abc import Hashable

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array

from mpgk_core.edits.lookup import shown, vertex_numbers
from mpgk_core.errors import InvalidGraphError
from mpgk_core.formats.columns import undirected_edges
from mpgk_core.graphs import GraphSet


def with_edge(graph: GraphSet, one: Hashable, other: Hashable) -> GraphSet:
    """Join two vertices.

    Parameters
    ----------
    graph : GraphSet
        With one graph; it stays as it is.
    one, other : hashable
        Names of two vertices that are not joined yet.

    Returns
    -------
    GraphSet

    Raises
    ------
    InvalidGraphError
        If a vertex is unknown, both are the same, or the edge is there already.

    Examples
    --------
    >>> import networkx as nx
    >>> with_edge(GraphSet.from_networkx(nx.path_graph(4)), 0, 3)
    GraphSet(1 graph, 4 vertices, 4 edges)
    """
    v, u = _ends(graph, one, other)
    if _is_edge(graph, v, u):
        raise InvalidGraphError(
            f"Vertices {shown(one)!r} and {shown(other)!r} are joined already. "
            "Choose two that are not."
        )
    return with_edges_replaced(graph, np.vstack([undirected_edges(graph), [[v, u]]]))


def without_edge(graph: GraphSet, one: Hashable, other: Hashable) -> GraphSet:
    """Part two vertices.

    Parameters
    ----------
    graph : GraphSet
        With one graph; it stays as it is.
    one, other : hashable
        Names of two vertices that are joined.

    Returns
    -------
    GraphSet

    Raises
    ------
    InvalidGraphError
        If a vertex is unknown, both are the same, or there is no such edge.

    Examples
    --------
    >>> import networkx as nx
    >>> without_edge(GraphSet.from_networkx(nx.path_graph(4)), 2, 1)
    GraphSet(1 graph, 4 vertices, 2 edges)
    """
    v, u = _ends(graph, one, other)
    if not _is_edge(graph, v, u):
        raise InvalidGraphError(
            f"There is no edge between {shown(one)!r} and {shown(other)!r}. "
            "Choose two vertices that are joined."
        )
    edges = undirected_edges(graph)
    return with_edges_replaced(graph, edges[(edges != sorted((v, u))).any(axis=1)])


def toggled_edge(graph: GraphSet, one: Hashable, other: Hashable) -> GraphSet:
    """Part two vertices that are joined, and join two that are not.

    Parameters
    ----------
    graph : GraphSet
        With one graph; it stays as it is.
    one, other : hashable
        Names of two vertices.

    Returns
    -------
    GraphSet

    Examples
    --------
    >>> import networkx as nx
    >>> ring = GraphSet.from_networkx(nx.cycle_graph(5))
    >>> toggled_edge(ring, 0, 1).n_edges, toggled_edge(ring, 0, 2).n_edges
    (4, 6)
    """
    change = without_edge if _is_edge(graph, *_ends(graph, one, other)) else with_edge
    return change(graph, one, other)


def with_edges_replaced(graph: GraphSet, edges: NDArray[np.int64]) -> GraphSet:
    """Return the same vertices with other edges.

    Parameters
    ----------
    graph : GraphSet
        With one graph.
    edges : ndarray of shape (m, 2)
        Pairs of vertex numbers.

    Returns
    -------
    GraphSet
    """
    n = graph.n_vertices
    return GraphSet(
        coo_array((np.ones(len(edges)), (edges[:, 0], edges[:, 1])), shape=(n, n)),
        graph.offsets,
        names=graph.names,
        labels=graph.labels,
        attributes=graph.attributes,
        self_loops="keep",
    )


def _ends(graph: GraphSet, one: Hashable, other: Hashable) -> tuple[int, int]:
    v, u = vertex_numbers(graph, [one, other]).tolist()
    if v == u:
        raise InvalidGraphError(
            f"An edge needs two different vertices. Both ends are {shown(one)!r}: choose another."
        )
    return v, u


def _is_edge(graph: GraphSet, v: int, u: int) -> bool:
    return bool(graph.adjacency[v, u])
