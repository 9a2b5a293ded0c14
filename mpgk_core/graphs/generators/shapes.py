"""Shapes without chance, where networkx's own function does not fit as it is."""

from __future__ import annotations

import networkx as nx

__all__ = [
    "balanced_tree",
    "barbell",
    "circular_skip_links",
    "connected_caveman",
    "grid",
    "lollipop",
]


def barbell(h: int, k: int) -> nx.Graph:
    """Return B(h, k): two cliques of h vertices, joined by a path of k vertices.

    Vertices are listed from the left clique over the path to the right clique, as numbered;
    networkx lists the only path vertex of B(h, 1) last.

    Examples
    --------
    >>> list(barbell(2, 1))
    [0, 1, 2, 3, 4]
    """
    graph = nx.empty_graph(2 * h + k)
    graph.add_edges_from(nx.barbell_graph(h, k).edges)
    return graph


def lollipop(h: int, k: int) -> nx.Graph:
    """Return a clique of h vertices with a path of k vertices hanging on it.

    Examples
    --------
    >>> [degree for _, degree in lollipop(4, 2).degree]
    [3, 3, 3, 4, 2, 1]
    """
    return nx.lollipop_graph(h, k)


def grid(rows: int, columns: int) -> nx.Graph:
    """Return a rectangular grid; its vertices are named (row, column).

    Examples
    --------
    >>> list(grid(rows=2, columns=3))
    [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2)]
    """
    return nx.grid_2d_graph(rows, columns)


def balanced_tree(branching: int, height: int) -> nx.Graph:
    """Return the rooted tree in which all but the lowest vertices have ``branching`` children.

    Examples
    --------
    >>> len(balanced_tree(branching=2, height=3))
    15
    """
    return nx.balanced_tree(branching, height)


def circular_skip_links(n: int, skip: int) -> nx.Graph:
    """Return a ring of n vertices, each also joined to those ``skip`` steps away.

    A link cannot skip more than half of the ring: a larger ``skip`` is read as n // 2.

    Examples
    --------
    >>> sorted(circular_skip_links(7, 2)[0])
    [1, 2, 5, 6]
    >>> sorted(circular_skip_links(6, 5)[0])
    [1, 3, 5]
    """
    return nx.circulant_graph(n, [1, min(skip, n // 2)])


def connected_caveman(cliques: int, size: int) -> nx.Graph:
    """Return a ring of cliques in which one edge of each is rewired to the clique before it.

    Examples
    --------
    >>> graph = connected_caveman(cliques=3, size=4)
    >>> len(graph), nx.is_connected(graph)
    (12, True)
    """
    return nx.connected_caveman_graph(cliques, size)
