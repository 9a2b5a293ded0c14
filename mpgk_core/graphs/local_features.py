"""Features of a vertex that its surroundings alone decide: degree, triangles, core number."""

from __future__ import annotations

from types import MappingProxyType

import numpy as np
from scipy.sparse import csr_array

from mpgk_core._compiled import compiled
from mpgk_core.arrays import FloatArray, Int32Array, IntArray


def degree(adjacency: csr_array) -> FloatArray:
    """Count the neighbours of every vertex; a kept self-loop makes it its own neighbour."""
    return np.asarray(np.diff(adjacency.indptr), dtype=np.float64)


def log_degree(adjacency: csr_array) -> FloatArray:
    """Return log(1 + degree), which keeps hubs within sight of the rest."""
    return np.log1p(degree(adjacency))


def triangles(adjacency: csr_array) -> FloatArray:
    """Count the triangles that every vertex lies on.

    Examples
    --------
    >>> import networkx as nx
    >>> triangles(nx.to_scipy_sparse_array(nx.house_graph())).tolist()
    [0.0, 0.0, 1.0, 1.0, 1.0]
    """
    return _triangles(adjacency.indptr, adjacency.indices)


def core_number(adjacency: csr_array) -> FloatArray:
    """Return the largest k such that the vertex survives in the k-core (Batagelj & Zaversnik).

    Examples
    --------
    >>> import networkx as nx
    >>> core_number(nx.to_scipy_sparse_array(nx.lollipop_graph(4, 2))).tolist()
    [3.0, 3.0, 3.0, 3.0, 1.0, 1.0]
    """
    remaining = (np.diff(adjacency.indptr) - adjacency.diagonal()).astype(np.int64)
    order = np.argsort(remaining, kind="stable")
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    degrees = np.arange(remaining.max(initial=0) + 2)
    bucket = np.searchsorted(remaining[order], degrees)
    return _peeled(adjacency.indptr, adjacency.indices, remaining, order, place, bucket)


def clustering(adjacency: csr_array) -> FloatArray:
    """Return the share of pairs of neighbours that are themselves joined; 0 below two neighbours.

    Examples
    --------
    >>> import networkx as nx
    >>> clustering(nx.to_scipy_sparse_array(nx.complete_graph(4))).tolist()
    [1.0, 1.0, 1.0, 1.0]
    """
    others: FloatArray = degree(adjacency) - adjacency.diagonal()
    pairs = others * (others - 1) / 2
    return np.divide(triangles(adjacency), pairs, out=np.zeros(len(pairs)), where=pairs > 0)


def constant(adjacency: csr_array) -> FloatArray:
    """Return 1 for every vertex: all that is known of it is that it exists."""
    return np.ones(adjacency.shape[0])


LOCAL_FEATURES = MappingProxyType(
    {
        "degree": degree,
        "degree-label": degree,
        "log-degree": log_degree,
        "triangles": triangles,
        "core-number": core_number,
        "clustering": clustering,
        "constant": constant,
    }
)
"""The local features by name; ``"degree-label"`` is compared as a label, see ``FeatureEncoder``."""


@compiled
def _triangles(indptr: Int32Array, indices: Int32Array) -> FloatArray:
    """Visit every triangle once, from its vertex of lowest degree upwards."""
    n = len(indptr) - 1
    counts = np.zeros(n, dtype=np.float64)
    marked = np.full(n, -1, dtype=np.int64)
    for u in range(n):
        for e in range(indptr[u], indptr[u + 1]):
            if _is_above(indptr, indices[e], u):
                marked[indices[e]] = u
        for e in range(indptr[u], indptr[u + 1]):
            v = indices[e]
            if not _is_above(indptr, v, u):
                continue
            for f in range(indptr[v], indptr[v + 1]):
                w = indices[f]
                if marked[w] == u and _is_above(indptr, w, v):
                    counts[u] += 1.0
                    counts[v] += 1.0
                    counts[w] += 1.0
    return counts


@compiled
def _is_above(indptr: Int32Array, v: int, u: int) -> bool:
    degree_v = indptr[v + 1] - indptr[v]
    degree_u = indptr[u + 1] - indptr[u]
    return degree_v > degree_u or (degree_v == degree_u and v > u)


@compiled
def _peeled(
    indptr: Int32Array,
    indices: Int32Array,
    remaining: IntArray,
    order: IntArray,
    place: IntArray,
    bucket: IntArray,
) -> FloatArray:
    """Remove vertices in the order of their remaining degree, kept sorted in buckets."""
    for i in range(len(order)):
        v = order[i]
        for e in range(indptr[v], indptr[v + 1]):
            u = indices[e]
            if remaining[u] > remaining[v]:
                first = order[bucket[remaining[u]]]
                order[place[u]], place[first] = first, place[u]
                place[u] = bucket[remaining[u]]
                order[place[u]] = u
                bucket[remaining[u]] += 1
                remaining[u] -= 1
    return remaining.astype(np.float64)
