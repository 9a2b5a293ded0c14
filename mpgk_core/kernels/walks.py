"""Walks: the feature map of RR where all edges are of one kind.

Σ_{v in g} (A^j X)_v = Σ_v w_j(v) x_v with w_j = (Aᵀ)^j 1, the number of walks of length j that end
in v: one sparse product with a *vector* per round, however many features there are. With weights,
every walk counts as the product of the weights of its edges.
"""

from __future__ import annotations

import math
from itertools import islice

import numpy as np
from scipy.sparse import csr_array, issparse

from mpgk_core._compiled import compiled
from mpgk_core.arrays import EXACT_IN_FLOAT64, FloatArray, Int32Array, IntArray, Matrix
from mpgk_core.graphs.features import InitialFeatures
from mpgk_core.graphs.graph_set import GraphSet
from mpgk_core.graphs.local_features import degree
from mpgk_core.graphs.neighbourhoods import EdgeUse, checked_weights
from mpgk_core.kernels.blocks import FeatureBlock
from mpgk_core.refinement.colour_refinement import refinement_rounds

_FEW_COLUMNS = 8


def walk_blocks(
    graphs: GraphSet, features: InitialFeatures, n_iterations: int, edges: str = "ignore"
) -> list[FeatureBlock]:
    """Return the blocks G A^j X for j = 0..T (RR; Equation 8 with Equation 6 unrolled).

    Parameters
    ----------
    graphs : GraphSet
    features : InitialFeatures
    n_iterations : int
        T.
    edges : str
        ``"ignore"``, or a direction and weights, without channels.

    Returns
    -------
    list of FeatureBlock
        The samples are graphs.
    """
    of_vertex, rows = features.of_vertex, features.rows
    walks = walk_counts(graphs, n_iterations, edges)
    if EdgeUse.of(edges).multiplies:
        by_type = _vertices_by_type(graphs, of_vertex)
        found = [_weighted_sums(by_type, counts) @ rows for counts in walks]
        return [FeatureBlock.of_samples(block, features.n_known) for block in found]
    most_walks = walks[-1].max(initial=1.0) * max(graphs.sizes.max(), 1)
    if most_walks > EXACT_IN_FLOAT64:
        walks, of_vertex, rows = _by_finer_types(graphs, features, n_iterations, edges)
    if issparse(rows):
        sums = [_sparse_sums(graphs, of_vertex, counts) @ rows for counts in walks]
        for block in sums:
            block.sort_indices()
    elif rows.shape[1] <= _FEW_COLUMNS and _are_small_whole_numbers(
        rows, EXACT_IN_FLOAT64 / most_walks
    ):
        sums = list(_sums_in_any_order(graphs.offsets, of_vertex, rows, walks))
    else:
        order = _vertices_by_type(graphs, of_vertex).data
        sums = list(_sums_by_type(graphs.offsets, order, of_vertex, rows, walks))
    return [FeatureBlock.of_samples(block, features.n_known) for block in sums]


def walk_counts(graphs: GraphSet, n_iterations: int, edges: str = "ignore") -> FloatArray:
    """Count the walks of length 0..T that end in every vertex.

    Parameters
    ----------
    graphs : GraphSet
    n_iterations : int
        T.
    edges : str
        ``"ignore"``, or a direction and weights, without channels. With weights, every walk counts
        as the product of the weights of its edges.

    Returns
    -------
    ndarray of shape (T + 1, n)

    Examples
    --------
    >>> import networkx as nx
    >>> walk_counts(GraphSet.from_networkx(nx.star_graph(3)), 2)
    array([[1., 1., 1., 1.],
           [3., 1., 1., 1.],
           [3., 3., 3., 3.]])
    """
    counts = np.empty((n_iterations + 1, graphs.n_vertices))
    counts[0] = 1.0
    if n_iterations and edges == "ignore":
        counts[1] = degree(graphs.adjacency)
        for t in range(2, n_iterations + 1):
            counts[t] = graphs.adjacency @ counts[t - 1]
    elif n_iterations:
        starts, ends, weights = _arcs(graphs, EdgeUse.of(edges))
        for t in range(1, n_iterations + 1):
            if weights is not None:
                counts[t] = _walk_on(starts, ends, weights, counts[t - 1])
            else:
                before = counts[t - 1][starts]
                counts[t] = np.bincount(ends, before, minlength=graphs.n_vertices)
    return counts


def _arcs(graphs: GraphSet, use: EdgeUse) -> tuple[Int32Array, Int32Array, FloatArray | None]:
    """Return the steps that walks can take, and their weights where they are used.

    A message goes from a neighbour to a vertex; a walk that counts how often features are summed
    takes the same steps from the vertex to its neighbour.
    """
    edges = graphs.all_edges()
    weights = checked_weights(edges) if use.multiplies else None
    starts, ends = edges.sources, edges.targets
    if weights is None and edges.label_codes is not None:  # parallel edges count once
        is_first = np.ones(len(starts), dtype=np.bool_)
        is_first[1:] = (np.diff(starts) != 0) | (np.diff(ends) != 0)
        starts, ends = starts[is_first], ends[is_first]
    if use.direction == "merge" or not edges.is_directed:
        way = starts != ends
        back = None if weights is None else weights[way]
        weights = None if back is None or weights is None else np.concatenate([weights, back])
        return np.append(starts, ends[way]), np.append(ends, starts[way]), weights
    return (ends, starts, weights) if use.direction == "reverse" else (starts, ends, weights)


@compiled
def _walk_on(
    starts: Int32Array, ends: Int32Array, weights: FloatArray, counts: FloatArray
) -> FloatArray:
    """Return Σ w · counts[start] over the arcs that end in each vertex, in whatever order.

    The terms of a vertex are rounded to multiples of a power of two, so fine that only the last
    bits of the greatest of them fall away, and so coarse that their sums are whole numbers of 64
    bits: these are exact, so the order of arcs does not matter.
    """
    n = len(counts)
    largest, n_terms = np.zeros(n), np.zeros(n, dtype=np.int64)
    for e in range(len(starts)):
        n_terms[ends[e]] += 1
        largest[ends[e]] = max(largest[ends[e]], weights[e] * counts[starts[e]])
    units, inverse = np.empty(n), np.empty(n)
    for v in range(n):
        units[v] = _unit(largest[v], n_terms[v])
        inverse[v] = 1.0 / units[v]
    totals = np.zeros(n, dtype=np.int64)
    for e in range(len(starts)):
        v = ends[e]
        if units[v] < np.inf:
            totals[v] += np.int64(np.rint(weights[e] * counts[starts[e]] * inverse[v]))
    for v in range(n):
        units[v] = totals[v] * units[v] if units[v] < np.inf else np.inf
    return units


@compiled
def _unit(largest: float, n_terms: int) -> float:
    """Return the power of two of which whole numbers below 2**62 make up so many terms.

    It is not so small that its inverse would be infinite.
    """
    if not largest < np.inf:
        return np.inf
    bits = 62
    while n_terms > 0:
        bits -= 1
        n_terms >>= 1
    _, exponent = math.frexp(largest)
    return math.ldexp(1.0, max(exponent - bits, -1022))


def _weighted_sums(by_type: csr_array, counts: FloatArray) -> csr_array:
    """Return Σ counts over the vertices of every type, in every graph, in whatever order."""
    parts = _sums_of_runs(by_type.indptr, by_type.indices, by_type.data, counts)
    return csr_array(parts, shape=by_type.shape)


@compiled
def _sums_of_runs(
    indptr: Int32Array, types: Int32Array, vertices: IntArray, counts: FloatArray
) -> tuple[FloatArray, Int32Array, IntArray]:
    sums = np.empty(len(vertices))
    chosen = np.empty(len(vertices), dtype=np.int32)
    starts = np.zeros(len(indptr), dtype=np.int64)
    n_runs = 0
    for g in range(len(indptr) - 1):
        i = indptr[g]
        while i < indptr[g + 1]:
            stop, largest = i, 0.0
            while stop < indptr[g + 1] and types[stop] == types[i]:
                largest = max(largest, counts[vertices[stop]])
                stop += 1
            unit = _unit(largest, stop - i)
            total = np.int64(0)
            if unit < np.inf:
                for j in range(i, stop):
                    total += np.int64(np.rint(counts[vertices[j]] / unit))
            sums[n_runs] = total * unit if unit < np.inf else np.inf
            chosen[n_runs] = types[i]
            n_runs += 1
            i = stop
        starts[g + 1] = n_runs
    return sums[:n_runs].copy(), chosen[:n_runs].copy(), starts


_TURNED = {"follow": "reverse", "reverse": "follow", "ignore": "ignore"}
"""Where a walk comes from, if neighbours are where it goes."""


def _by_finer_types(
    graphs: GraphSet, features: InitialFeatures, n_iterations: int, edges: str
) -> tuple[FloatArray, Int32Array, Matrix]:
    """Count walks type by type, and give every type a feature row.

    Sums of whole numbers are exact, in any order, only up to 2**53. Beyond that, neighbours are
    added up in the order of their types, which no renumbering of vertices changes.
    """
    of_vertex, rows = features.of_vertex, features.rows
    per_type = np.ones(rows.shape[0])
    counts = [per_type[of_vertex]]
    refined = refinement_rounds(graphs, of_vertex, rows.shape[0], _TURNED[edges])
    for types in islice(refined, n_iterations):
        per_type = types.messages @ per_type
        of_vertex, rows = types.of_vertex, rows[types.parents]
        counts.append(per_type[of_vertex])
    return np.array(counts), of_vertex, rows


def _vertices_by_type(graphs: GraphSet, of_vertex: Int32Array) -> csr_array:
    """Return a (graphs, types) matrix whose entries are vertices, in each graph by type."""
    shape = (len(graphs), int(of_vertex.max(initial=-1)) + 1)
    entries = (np.arange(graphs.n_vertices), of_vertex, graphs.offsets)
    return csr_array(entries, shape=shape).tocsc().tocsr()


def _sparse_sums(graphs: GraphSet, of_vertex: Int32Array, counts: FloatArray) -> csr_array:
    """Return the number of walks from the vertices of every type, in every graph."""
    by_type = _vertices_by_type(graphs, of_vertex)
    entries = counts[by_type.data], by_type.indices, by_type.indptr
    sums = csr_array(entries, shape=by_type.shape)
    sums.sum_duplicates()
    return sums


@compiled
def _are_small_whole_numbers(rows: FloatArray, largest: float) -> bool:
    for row in rows:
        for x in row:
            if abs(x) > largest or x != np.rint(x):
                return False
    return True


@compiled
def _sums_in_any_order(
    offsets: IntArray, of_vertex: Int32Array, rows: FloatArray, walks: FloatArray
) -> FloatArray:
    """Return Σ_v w_j(v) x_v for every j and every graph; whole numbers are exact in any order."""
    n_graphs, n_columns = len(offsets) - 1, rows.shape[1]
    sums = np.zeros((len(walks), n_graphs, n_columns))
    for j in range(len(walks)):
        for g in range(n_graphs):
            for v in range(offsets[g], offsets[g + 1]):
                for d in range(n_columns):
                    sums[j, g, d] += walks[j, v] * rows[of_vertex[v], d]
    return sums


@compiled
def _sums_by_type(
    offsets: IntArray, order: IntArray, of_vertex: Int32Array, rows: FloatArray, walks: FloatArray
) -> FloatArray:
    """Return Σ_v w_j(v) x_v for every j and every graph, type by type.

    Vertices of one type share a row x: their walks, whole numbers, are added up first.
    """
    n_graphs, n_columns = len(offsets) - 1, rows.shape[1]
    sums = np.zeros((len(walks), n_graphs, n_columns))
    for j in range(len(walks)):
        for g in range(n_graphs):
            weight = 0.0
            stop = offsets[g + 1]
            for i in range(offsets[g], stop):
                weight += walks[j, order[i]]
                row = of_vertex[order[i]]
                if i + 1 == stop or of_vertex[order[i + 1]] != row:
                    for d in range(n_columns):
                        sums[j, g, d] += weight * rows[row, d]
                    weight = 0.0
    return sums
