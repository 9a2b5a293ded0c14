"""Optimal assignment under a hierarchy, as histogram intersection and as an explicit feature map.

For two sets S, S' of vertices and the strong kernel k_s of a hierarchy, the value of the best
assignment of the smaller set into the larger one is

    k_A(S, S') = Σ_c ω(c) · min(h_c(S), h_c(S')),      h_c(S) = number of members of S in c,

over all tree nodes c (Kriege, Giscard & Wilson 2016, theorem 2). And min(h, h') is the dot
product of the unary codes of h and h': h ones, then zeros. Codes and weights are whole numbers, so
their products are exact, in any order.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csc_array, csr_array, get_index_dtype

from mpgk_core._compiled import compiled
from mpgk_core.arrays import FloatArray, Int32Array, IntArray
from mpgk_core.grouping import SparseRows
from mpgk_core.kernels.hierarchy import Hierarchy
from mpgk_core.refinement.colour_refinement import VertexTypes


@dataclass(frozen=True, eq=False)
class UnaryColumns:
    """Where the unary codes of the tree nodes lie: node c owns columns starts[c] to starts[c+1].

    As wide as the largest count seen in training. A larger count of a new set is cut there,
    which leaves its kernel with every training set unchanged.
    """

    starts: IntArray

    @classmethod
    def fitting(cls, histograms: csr_array) -> UnaryColumns:
        """Make room for the largest count of every column of ``histograms``."""
        return cls.fitting_all([histograms])

    @classmethod
    def fitting_all(cls, parts: Iterable[csr_array]) -> UnaryColumns:
        """Make room for the largest count of every column in any of the parts, one at least."""
        largest = np.zeros(0, dtype=np.int64)
        for histograms in parts:
            if len(largest) == 0:
                largest = np.zeros(histograms.shape[1], dtype=np.int64)
            np.maximum.at(largest, histograms.indices, histograms.data.astype(np.int64))
        return cls(np.concatenate([[0], np.cumsum(largest)]))

    @property
    def n_nodes(self) -> int:
        """Number of tree nodes, counted once for every channel of neighbours."""
        return len(self.starts) - 1

    @property
    def n_columns(self) -> int:
        """Total number of columns."""
        return int(self.starts[-1])

    def room(self, nodes: IntArray) -> IntArray:
        """Return the number of columns of each of ``nodes``; none where training had no such node.

        A channel that did not occur in training has nodes beyond all others.
        """
        widths = np.append(np.diff(self.starts), 0)
        return widths[np.minimum(nodes, self.n_nodes)]

    def spread(self, per_node: IntArray) -> IntArray:
        """Repeat a value per tree node for each of the node's columns."""
        return np.repeat(per_node, np.diff(self.starts))

    def move(self, codes: csr_array, source: UnaryColumns) -> csr_array:
        """Move codes over from other columns of the same tree, and cut what finds no room."""
        node = source.spread(np.arange(source.n_nodes))[codes.indices]
        member = codes.indices - source.starts[node]
        fits = member < self.room(node)
        indptr = np.concatenate([[0], np.cumsum(fits)])[codes.indptr]
        return csr_array(
            (codes.data[fits], self.starts[node[fits]] + member[fits], indptr),
            shape=(codes.shape[0], self.n_columns),
        )


def node_histograms(
    leaf_histograms: csr_array, hierarchy: Hierarchy, n_channels: int = 1
) -> csr_array:
    """Count the members of every set in every tree node, from their counts in the leaves.

    Parameters
    ----------
    leaf_histograms : csr_array of shape (m, n_channels × (n_leaves + 1))
        Sorted indices, channel after channel; the last column of a channel counts vertices that
        belong to no leaf.
    hierarchy : Hierarchy
    n_channels : int

    Returns
    -------
    csr_array of shape (m, n_channels × (n_nodes + 1))
        Columns as in ``hierarchy.node_weights``. Nodes of weight zero are left out, for they
        contribute nothing.
    """
    n_leaves, height = hierarchy.paths.shape
    useful = np.where(hierarchy.paths >= 0, hierarchy.weights[hierarchy.paths] > 0, False)
    paths = np.full((height + 1, n_leaves + 1), -1, dtype=np.int32)
    paths[:-1, :-1] = np.where(useful, hierarchy.paths, -1).T
    paths[0, -1] = 0 if hierarchy.weights[0] > 0 else -1
    paths[-1, -1] = hierarchy.n_nodes
    width = n_channels * (hierarchy.n_nodes + 1)
    no_nodes = np.empty(0, dtype=get_index_dtype(maxval=width))
    parts = _climb(SparseRows.of(leaf_histograms), paths, no_nodes)
    return csr_array(parts, shape=(leaf_histograms.shape[0], width))


def received_histograms(types: VertexTypes, hierarchy: Hierarchy) -> csr_array:
    """Count the neighbours of every type in every tree node, channel after channel.

    Neighbours over different channels never meet, as if the tree began with a split by channel.

    Parameters
    ----------
    types : VertexTypes
        Whose messages are leaves of the hierarchy.
    hierarchy : Hierarchy

    Returns
    -------
    csr_array of shape (m, number of channels × (n_nodes + 1))
    """
    return node_histograms(types.messages, hierarchy, types.n_channels)


def weights_of_nodes(hierarchy: Hierarchy, n_nodes: int) -> IntArray:
    """Return the numerators of ω for the columns of histograms: alike for every channel."""
    return np.resize(hierarchy.node_weights, n_nodes)


def unary_codes(histograms: csr_array, columns: UnaryColumns) -> csr_array:
    """Write every count h as h ones followed by zeros.

    Parameters
    ----------
    histograms : csr_array of shape (m, n_nodes)
        Whole numbers.
    columns : UnaryColumns
        Room for each node; larger counts are cut.

    Returns
    -------
    csr_array of shape (m, n_columns)

    Examples
    --------
    >>> histograms = csr_array([[2.0, 1.0], [1.0, 0.0]])
    >>> unary_codes(histograms, UnaryColumns.fitting(histograms)).toarray()
    array([[1., 1., 1.],
           [1., 0., 0.]])
    """
    indptr = _code_lengths(SparseRows.of(histograms), columns.starts)
    index_type = get_index_dtype(maxval=max(int(indptr[-1]), columns.n_columns))
    indices = np.empty(indptr[-1], dtype=index_type)
    _write_codes(SparseRows.of(histograms), columns.starts, indices)
    shape = (histograms.shape[0], columns.n_columns)
    return csr_array((np.ones(len(indices)), indices, indptr.astype(index_type)), shape=shape)


@compiled
def _code_length(node: int, count: float, starts: IntArray) -> int:
    """Return how many columns of a node are one; a node that training did not have has none."""
    if node + 1 >= len(starts):
        return 0
    length: int = min(np.int64(count), starts[node + 1] - starts[node])
    return length


@compiled
def _code_lengths(histograms: SparseRows, starts: IntArray) -> IntArray:
    indptr, nodes, counts = histograms
    ends = np.zeros(len(indptr), dtype=np.int64)
    for i in range(len(indptr) - 1):
        ends[i + 1] = ends[i]
        for e in range(indptr[i], indptr[i + 1]):
            ends[i + 1] += _code_length(nodes[e], counts[e], starts)
    return ends


@compiled
def _write_codes(histograms: SparseRows, starts: IntArray, indices: IntArray) -> None:
    _, nodes, counts = histograms
    position = 0
    for e in range(len(nodes)):
        for member in range(_code_length(nodes[e], counts[e], starts)):
            indices[position] = starts[nodes[e]] + member
            position += 1


def sum_of_codes(membership: csr_array, histograms: csr_array, columns: UnaryColumns) -> csr_array:
    """Add up the unary codes of many sets: column (c, i) counts the sets with h_c >= i.

    Equal to ``membership @ unary_codes(histograms, columns)`` without writing the codes out.

    Parameters
    ----------
    membership : csr_array of shape (N, m)
        How often each set occurs in each sum.
    histograms : csr_array of shape (m, n_nodes)
    columns : UnaryColumns
        With room for all counts.

    Returns
    -------
    csr_array of shape (N, n_columns)
    """
    exactly = csr_array(
        (
            np.ones(histograms.nnz),
            columns.starts[histograms.indices] + histograms.data.astype(np.int64) - 1,
            histograms.indptr,
        ),
        shape=(histograms.shape[0], columns.n_columns),
    )
    sums = membership @ exactly
    sums.sort_indices()
    node_of_column = columns.spread(np.arange(len(columns.starts) - 1))
    parts = _suffix_sums(SparseRows.of(sums), node_of_column, columns.starts)
    return csr_array(parts, shape=sums.shape)


@compiled
def _climb(
    histograms: SparseRows, paths: Int32Array, no_nodes: IntArray
) -> tuple[FloatArray, IntArray, IntArray]:
    """Add neighbouring leaves up where they share an ancestor, channel by channel, by depth.

    Leaves are numbered depth first, so those below one node stand side by side. Nodes are numbers
    of the type of ``no_nodes``.
    """
    indptr, leaves, counts = histograms
    m, n_leaves = len(indptr) - 1, paths.shape[1]
    n_nodes = paths[-1, -1] + 1
    node_indptr = np.zeros(m + 1, dtype=np.int64)
    for fill in range(2):
        nodes = np.empty(node_indptr[m] if fill else 0, dtype=no_nodes.dtype)
        sums = np.zeros(node_indptr[m] if fill else 0, dtype=np.float64)
        position = -1
        for i in range(m):
            start = indptr[i]
            while start < indptr[i + 1]:
                channel = leaves[start] // n_leaves
                shift, stop = channel * n_leaves, start + 1
                while stop < indptr[i + 1] and leaves[stop] < shift + n_leaves:
                    stop += 1
                for depth in range(len(paths)):
                    current = -1
                    for e in range(start, stop):
                        node = paths[depth, leaves[e] - shift]
                        if node < 0:
                            continue
                        if node != current:
                            current = node
                            position += 1
                            if fill:
                                nodes[position] = channel * n_nodes + node
                        if fill:
                            sums[position] += counts[e]
                start = stop
            node_indptr[i + 1] = position + 1
    return sums, nodes, node_indptr


@compiled
def _suffix_sums(
    sums: SparseRows, node_of_column: IntArray, starts: IntArray
) -> tuple[FloatArray, IntArray, IntArray]:
    """Turn "exactly i" counts into "at least i" counts within the columns of every node."""
    indptr, columns, counts = sums
    m = len(indptr) - 1
    new_indptr = np.zeros(m + 1, dtype=np.int64)
    for i in range(m):
        length = 0
        for e in range(indptr[i], indptr[i + 1]):
            last = e + 1 == indptr[i + 1]
            if last or node_of_column[columns[e + 1]] != node_of_column[columns[e]]:
                length += columns[e] - starts[node_of_column[columns[e]]] + 1
        new_indptr[i + 1] = new_indptr[i] + length
    new_columns = np.empty(new_indptr[m], dtype=np.int64)
    new_counts = np.empty(new_indptr[m], dtype=np.float64)
    for i in range(m):
        position = new_indptr[i + 1]
        current = -1
        running = 0.0
        for e in range(indptr[i + 1] - 1, indptr[i] - 1, -1):
            node = node_of_column[columns[e]]
            if node != current:
                current = node
                running = 0.0
            running += counts[e]
            below = starts[node] - 1
            if e > indptr[i] and node_of_column[columns[e - 1]] == node:
                below = columns[e - 1]
            for column in range(columns[e], below, -1):
                position -= 1
                new_columns[position] = column
                new_counts[position] = running
    return new_counts, new_columns, new_indptr


_HEAVY_SHARE = 1 / 64
_DENSE_CELLS = 1 << 24
_EXACT_IN_FLOAT32 = float(1 << 24)


def code_product(
    left: csr_array, right: csr_array, weights: FloatArray, largest: float
) -> FloatArray:
    """Return ``left @ diag(weights) @ right.T``, exactly, for whole numbers.

    Columns that most rows share are multiplied densely, the others by running through the
    pairs of rows that meet in them.

    Parameters
    ----------
    left : csr_array of shape (M, C)
        Whole numbers.
    right : csr_array of shape (N, C)
        Whole numbers; the same object as ``left`` for a Gram matrix.
    weights : ndarray of shape (C,)
        Whole numbers >= 0.
    largest : float
        A bound on the result; below 2**24 the dense part is done in single precision.

    Returns
    -------
    ndarray of shape (M, N)
    """
    n_columns = left.shape[1]
    in_left = np.bincount(left.indices, minlength=n_columns)
    in_right = in_left if right is left else np.bincount(right.indices, minlength=n_columns)
    cells = left.shape[0] * right.shape[0]
    is_heavy = in_left.astype(np.float64) * in_right > _HEAVY_SHARE * cells
    product = dense_product(left, right, weights, np.flatnonzero(is_heavy), largest)
    light_weights = np.where(is_heavy, 0.0, weights)
    by_column = SparseRows.of(csc_array(right))
    _add_meetings(product, SparseRows.of(left), light_weights, by_column, right is left)
    return product


def dense_product(
    left: csr_array, right: csr_array, weights: FloatArray, columns: IntArray, largest: float
) -> FloatArray:
    """Return what some columns add to :func:`code_product`, by products of dense matrices."""
    precision = np.float32 if largest < _EXACT_IN_FLOAT32 else np.float64
    total = np.zeros((left.shape[0], right.shape[0]), dtype=precision)
    width = max(_DENSE_CELLS // max(left.shape[0], right.shape[0], 1), 1)
    for start in range(0, len(columns), width):
        chosen = columns[start : start + width]
        dense_left = _chosen_columns(left, chosen, precision)
        dense_right = dense_left if right is left else _chosen_columns(right, chosen, precision)
        if np.any(weights[chosen] != 1):
            dense_left = dense_left * weights[chosen].astype(precision)
        total += dense_left @ dense_right.T
    return total.astype(np.float64)


def _chosen_columns(
    matrix: csr_array, columns: IntArray, precision: type[np.floating]
) -> NDArray[np.floating]:
    dense = np.zeros((matrix.shape[0], len(columns)), dtype=precision)
    place = np.full(matrix.shape[1], -1, dtype=np.int64)
    place[columns] = np.arange(len(columns))
    _scatter(dense, SparseRows.of(matrix), place)
    return dense


@compiled
def _scatter(dense: NDArray[np.floating], rows: SparseRows, place: IntArray) -> None:
    indptr, indices, data = rows
    for i in range(len(indptr) - 1):
        for e in range(indptr[i], indptr[i + 1]):
            column = place[indices[e]]
            if column >= 0:
                dense[i, column] = data[e]


@compiled
def _add_meetings(
    product: FloatArray,
    rows: SparseRows,
    weights: FloatArray,
    columns: SparseRows,
    is_symmetric: bool,
) -> None:
    indptr, indices, data = rows
    for i in range(len(indptr) - 1):
        for e in range(indptr[i], indptr[i + 1]):
            column = indices[e]
            weight = weights[column] * data[e]
            if weight == 0.0:
                continue
            for f in range(columns.indptr[column], columns.indptr[column + 1]):
                j = columns.indices[f]
                if is_symmetric and j > i:
                    break
                product[i, j] += weight * columns.data[f]
    if is_symmetric:
        for i in range(len(product)):
            for j in range(i):
                product[j, i] = product[i, j]
