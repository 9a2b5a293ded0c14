"""The edges of a TU data set: millions of lines, each edge listed once for each direction."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mpgk_core._compiled import compiled


@compiled
def first_bad_edge(edges: NDArray[np.int64], graph: NDArray[np.int64]) -> int:
    """Return the first edge that ends at no vertex or joins two graphs, or -1.

    Parameters
    ----------
    edges : ndarray of shape (m, 2)
        Pairs of vertices, counted from 1.
    graph : ndarray of shape (n,)
        The graph of every vertex.

    Returns
    -------
    int
    """
    n = len(graph)
    for e in range(len(edges)):
        u, v = edges[e, 0], edges[e, 1]
        if u < 1 or v < 1 or u > n or v > n or graph[u - 1] != graph[v - 1]:
            return e
    return -1


@compiled
def merged_edges(edges: NDArray[np.int64], n: int) -> tuple[NDArray[np.int64], int, int]:
    """Return every undirected edge once, sorted, in time linear in the edges.

    Parameters
    ----------
    edges : ndarray of shape (m, 2)
        Pairs of vertices, counted from 0.
    n : int
        Number of vertices.

    Returns
    -------
    merged : ndarray of shape (k, 2)
        Pairs with the smaller vertex first.
    n_repeated : int
        Number of lines that repeat an earlier one in the same direction.
    n_one_way : int
        Number of edges that are listed in one direction only, self-loops aside.
    """
    starts, codes = _sorted_codes(edges, n)
    n_merged = 0
    for low in range(n):
        for i in range(starts[low], starts[low + 1]):
            n_merged += i == starts[low] or codes[i] // 2 != codes[i - 1] // 2
    merged = np.empty((n_merged, 2), dtype=np.int64)
    filled, n_repeated, n_one_way = 0, 0, 0
    for low in range(n):
        i = starts[low]
        while i < starts[low + 1]:
            first, high, up, down = i, codes[i] // 2, False, False
            while i < starts[low + 1] and codes[i] // 2 == high:
                up, down = up or codes[i] % 2 == 0, down or codes[i] % 2 == 1
                i += 1
            n_repeated += i - first - up - down
            n_one_way += low != high and up != down
            merged[filled] = low, high
            filled += 1
    return merged, n_repeated, n_one_way


@compiled
def _sorted_codes(edges: NDArray[np.int64], n: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return for every vertex, from start to start, its larger neighbours in rising order.

    A neighbour is coded as twice its number, plus 1 where the line names it first. Two counting
    sorts do it, by the larger and then by the smaller end, as in transposing a sparse matrix.
    """
    ends = np.zeros(n + 1, dtype=np.int64)
    for e in range(len(edges)):
        ends[max(edges[e, 0], edges[e, 1]) + 1] += 1
    ends = np.cumsum(ends)
    place = ends[:-1].copy()
    by_high = np.empty(len(edges), dtype=np.int64)
    for e in range(len(edges)):
        u, v = edges[e, 0], edges[e, 1]
        by_high[place[max(u, v)]] = 2 * min(u, v) + (u > v)
        place[max(u, v)] += 1
    starts = np.zeros(n + 1, dtype=np.int64)
    for code in by_high:
        starts[code // 2 + 1] += 1
    starts = np.cumsum(starts)
    place = starts[:-1].copy()
    by_low = np.empty(len(edges), dtype=np.int64)
    for high in range(n):
        for i in range(ends[high], ends[high + 1]):
            by_low[place[by_high[i] // 2]] = 2 * high + by_high[i] % 2
            place[by_high[i] // 2] += 1
    return starts, by_low
