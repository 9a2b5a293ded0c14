"""R-convolution over whole graphs: walks instead of vertex pairs.

For RR one needs, for every graph g and j = 0..T, the row Σ_{v in g} (A^j X)_v. Because A is
symmetric this is Σ_v w_j(v) x_v with w_j = A^j 1, the number of walks of length j from v: one
sparse product with a *vector* per round, however many features there are.
"""

from __future__ import annotations

from itertools import islice

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, issparse

from mpgk_core._compiled import compiled
from mpgk_core.graphs.graph_set import GraphSet
from mpgk_core.graphs.initial_features import InitialFeatures
from mpgk_core.graphs.local_features import degree
from mpgk_core.kernels.blocks import FeatureBlock
from mpgk_core.kernels.matrices import Matrix
from mpgk_core.refinement.colour_refinement import refinement_rounds

_EXACT_IN_FLOAT64 = float(1 << 53)
_FEW_COLUMNS = 8


def walk_blocks(
    graphs: GraphSet, features: InitialFeatures, n_iterations: int
) -> list[FeatureBlock]:
    """Return the blocks G A^j X for j = 0..T.

    Parameters
    ----------
    graphs : GraphSet
    features : InitialFeatures
    n_iterations : int
        T.

    Returns
    -------
    list of FeatureBlock
        The samples are graphs.
    """
    of_vertex, rows = features.of_vertex, features.rows
    walks = walk_counts(graphs, n_iterations)
    most_walks = walks[-1].max(initial=1.0) * max(graphs.sizes.max(), 1)
    if most_walks > _EXACT_IN_FLOAT64:
        walks, of_vertex, rows = _by_finer_types(graphs, features, n_iterations)
    if issparse(rows):
        sums = [_sparse_sums(graphs, of_vertex, counts) @ rows for counts in walks]
        for block in sums:
            block.sort_indices()
    elif rows.shape[1] <= _FEW_COLUMNS and _are_small_whole_numbers(
        rows, _EXACT_IN_FLOAT64 / most_walks
    ):
        sums = list(_sums_in_any_order(graphs.offsets, of_vertex, rows, walks))
    else:
        order = _vertices_by_type(graphs, of_vertex).data
        sums = list(_sums_by_type(graphs.offsets, order, of_vertex, rows, walks))
    return [FeatureBlock.of_samples(block, features.n_known) for block in sums]


def walk_counts(graphs: GraphSet, n_iterations: int) -> NDArray[np.float64]:
    """Count the walks of length 0..T that start at every vertex.

    Parameters
    ----------
    graphs : GraphSet
    n_iterations : int
        T.

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
    if n_iterations:
        counts[1] = degree(graphs.adjacency)
    for t in range(2, n_iterations + 1):
        counts[t] = graphs.adjacency @ counts[t - 1]
    return counts


def _by_finer_types(
    graphs: GraphSet, features: InitialFeatures, n_iterations: int
) -> tuple[NDArray[np.float64], NDArray[np.int32], Matrix]:
    """Count walks type by type, and give every type a feature row.

    Sums of whole numbers are exact, in any order, only up to 2**53. Beyond that, neighbours are
    added up in the order of their types, which no renumbering of vertices changes.
    """
    of_vertex, rows = features.of_vertex, features.rows
    per_type = np.ones(rows.shape[0])
    counts = [per_type[of_vertex]]
    refined = refinement_rounds(graphs, of_vertex, rows.shape[0])
    for types in islice(refined, n_iterations):
        per_type = types.messages @ per_type
        of_vertex, rows = types.of_vertex, rows[types.parents]
        counts.append(per_type[of_vertex])
    return np.array(counts), of_vertex, rows


def _vertices_by_type(graphs: GraphSet, of_vertex: NDArray[np.int32]) -> csr_array:
    """Return a (graphs, types) matrix whose entries are vertices, in each graph by type."""
    shape = (len(graphs), int(of_vertex.max(initial=-1)) + 1)
    entries = (np.arange(graphs.n_vertices), of_vertex, graphs.offsets)
    return csr_array(entries, shape=shape).tocsc().tocsr()


def _sparse_sums(
    graphs: GraphSet, of_vertex: NDArray[np.int32], counts: NDArray[np.float64]
) -> csr_array:
    """Return the number of walks from the vertices of every type, in every graph."""
    sums = _vertices_by_type(graphs, of_vertex).astype(np.float64)
    sums.data = counts[sums.data.astype(np.int64)]
    sums.sum_duplicates()
    return sums


@compiled
def _are_small_whole_numbers(rows: NDArray[np.float64], largest: float) -> bool:
    for row in rows:
        for x in row:
            if abs(x) > largest or x != np.rint(x):
                return False
    return True


@compiled
def _sums_in_any_order(
    offsets: NDArray[np.int64],
    of_vertex: NDArray[np.int32],
    rows: NDArray[np.float64],
    walks: NDArray[np.float64],
) -> NDArray[np.float64]:
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
    offsets: NDArray[np.int64],
    order: NDArray[np.int64],
    of_vertex: NDArray[np.int32],
    rows: NDArray[np.float64],
    walks: NDArray[np.float64],
) -> NDArray[np.float64]:
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
