"""Where a node kernel puts vertices, and which of them it puts on one point.

Two vertices are one point if their distance in feature space, √(k(v,v) + k(u,u) - 2 k(v,u)), is
zero. Kernel values cannot always decide this: on a long path, what tells two vertices apart may be
1e-10 of their kernel with themselves. So the rows of the feature map are compared, entry by entry.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.sparse import coo_array, csr_array, issparse
from scipy.sparse.csgraph import connected_components

from mpgk_core.arrays import FloatArray, Int32Array, IntArray, as_dense
from mpgk_core.errors import InvalidGraphError
from mpgk_core.graphs.graph_set import GraphSet
from mpgk_core.grouping import Rows, group_rows
from mpgk_core.recovery.distances import leading_coordinate
from mpgk_core.refinement.colour_refinement import agreeing

if TYPE_CHECKING:
    from mpgk_core.kernels.node_kernel import MessagePassingNodeKernel


_ROUNDING = 1e-12
"""Entries x and y are equal if they differ by at most this part of all that was added to them."""

_FEW_COMPARISONS = 100_000
"""Of entries, up to which all pairs of rows are compared in one step."""


@dataclass(frozen=True, eq=False)
class KernelPoints:
    """The distinct points of a node kernel.

    Attributes
    ----------
    of_vertex : ndarray of shape (n,)
        The point of every vertex. Points are numbered in order of their first vertex.
    rows : csr_array of shape (n_points, D)
        Where the points lie in feature space.
    """

    of_vertex: IntArray
    rows: csr_array

    @property
    def n_points(self) -> int:
        """Number of points."""
        return int(self.rows.shape[0])

    def stretched(self, factors: FloatArray) -> KernelPoints:
        """Return the points with every column of their rows multiplied by a number above 0."""
        return KernelPoints(self.of_vertex, _stretched(self.rows, factors))


@dataclass(frozen=True, eq=False)
class TypeRows:
    """The feature rows of all types of vertices, from which points are found.

    Attributes
    ----------
    of_vertex : ndarray of shape (n,)
        The row of every vertex.
    rows : csr_array of shape (m, D)
        Before normalisation, without zeros, with sorted indices.
    sizes : csr_array of shape (m, D)
        What the rows would be if no terms of their sums cancelled out.
    """

    of_vertex: IntArray
    rows: csr_array
    sizes: csr_array

    def stretched(self, factors: FloatArray) -> TypeRows:
        """Return the rows with every column multiplied by a number; 0 leaves the column out."""
        rows = _stretched(self.rows, factors)
        same = self.sizes is self.rows
        return TypeRows(self.of_vertex, rows, rows if same else _stretched(self.sizes, factors))

    def points(self, normalize: bool) -> KernelPoints:
        """Find the distinct points among the rows, or among the rows divided by their lengths."""
        rows, sizes = self.rows, self.sizes
        if normalize:
            lengths = _lengths(rows)
            rows = _divided(self.rows, lengths)
            sizes = rows if self.sizes is self.rows else _divided(self.sizes, lengths)
        point_of_vertex = agreeing(_equal_up_to_rounding(rows, sizes)[self.of_vertex])
        holders = self.of_vertex[np.unique(point_of_vertex, return_index=True)[1]]
        if np.array_equal(holders, np.arange(rows.shape[0])):
            return KernelPoints(point_of_vertex, rows)
        return KernelPoints(point_of_vertex, rows[holders])


def kernel_points(graphs: GraphSet, kernel: MessagePassingNodeKernel, t: int) -> KernelPoints:
    """Find the distinct points on which a kernel puts vertices after t rounds.

    Parameters
    ----------
    graphs : GraphSet
        What the kernel was fitted to.
    kernel : MessagePassingNodeKernel
        Fitted.
    t : int
        Round.

    Returns
    -------
    KernelPoints

    Raises
    ------
    InvalidGraphError
        If the kernel was fitted to something else.

    Examples
    --------
    >>> import networkx as nx
    >>> from mpgk_core import GraphSet, MessagePassingNodeKernel
    >>> path = GraphSet.from_networkx(nx.path_graph(5))
    >>> kernel = MessagePassingNodeKernel("R", n_iterations=2).fit(path)
    >>> kernel_points(path, kernel, 0).of_vertex.tolist()
    [0, 1, 1, 1, 0]
    >>> kernel_points(path, kernel, 1).of_vertex.tolist()
    [0, 1, 2, 1, 0]
    """
    return type_rows(graphs, kernel, t).points(kernel.normalize)


def type_rows(graphs: GraphSet, kernel: MessagePassingNodeKernel, t: int) -> TypeRows:
    """Return the feature rows of all types of vertices after t rounds.

    Parameters
    ----------
    graphs, kernel, t
        As for :func:`kernel_points`.

    Returns
    -------
    TypeRows

    Raises
    ------
    InvalidGraphError
        If the kernel was fitted to something else.
    """
    t = kernel.checked_round(t)
    if kernel.n_vertices_in_ != graphs.n_vertices:
        raise InvalidGraphError(
            f"The graph has {graphs.n_vertices} vertices, but the kernel was fitted to "
            f"{kernel.n_vertices_in_}. Fit the kernel to this graph."
        )
    _, first, type_of_vertex = np.unique(
        kernel.rounds_[t].types.of_vertex, return_index=True, return_inverse=True
    )
    rows = kernel.feature_map(t, first)
    rows.eliminate_zeros()
    rows.sort_indices()
    return TypeRows(type_of_vertex, rows, _sizes_of_terms(graphs, kernel, t, rows, first))


def _sizes_of_terms(
    graphs: GraphSet, kernel: MessagePassingNodeKernel, t: int, rows: csr_array, vertices: IntArray
) -> csr_array:
    """Return what the rows of some vertices would be if no terms of their sums cancelled out."""
    if kernel.neighbourhood == "A":
        return abs(rows)
    given = kernel.initial_features_
    entries = given.data if issparse(given) else given
    if entries.min(initial=0.0) >= 0.0:
        return rows
    start = abs(as_dense(given))
    without_signs = kernel.get_params() | {"features": lambda _: start}
    return type(kernel)(**without_signs).fit(graphs).feature_map(t, vertices)


def _stretched(rows: csr_array, factors: FloatArray) -> csr_array:
    data = rows.data * factors[rows.indices]
    stretched = csr_array((data, rows.indices.copy(), rows.indptr.copy()), shape=rows.shape)
    stretched.eliminate_zeros()
    return stretched


def _lengths(rows: csr_array) -> FloatArray:
    lengths: FloatArray = np.sqrt(rows.multiply(rows).sum(axis=1))
    return lengths


def _divided(rows: csr_array, lengths: FloatArray) -> csr_array:
    of_entry = np.repeat(lengths, np.diff(rows.indptr))
    unit = np.divide(rows.data, of_entry, out=np.zeros_like(rows.data), where=of_entry > 0)
    return csr_array((unit, rows.indices, rows.indptr), shape=rows.shape)


def _as_numbers(rows: csr_array) -> Rows:
    """Write every row as pairs of column and value, the value by its bits."""
    pairs = np.column_stack([rows.indices.astype(np.int64), rows.data.view(np.int64)])
    heads = np.zeros(rows.shape[0], dtype=np.int32)
    return Rows(heads, 2 * rows.indptr.astype(np.int64), pairs.ravel())


def _equal_up_to_rounding(rows: csr_array, sizes: csr_array) -> Int32Array:
    """Return a class for every row, shared by rows that differ by no more than rounding.

    Few rows are compared pair by pair. Many are first grouped by their bits.
    """
    m = rows.shape[0]
    if m * m * rows.shape[1] <= _FEW_COMPARISONS:
        entries = rows.toarray()
        return _compared_pair_by_pair(entries, entries if sizes is rows else sizes.toarray())
    same = group_rows(_as_numbers(rows))
    distinct = same.representatives
    return _compared_along_a_line(rows[distinct], sizes[distinct])[same.of_row]


def _compared_along_a_line(rows: csr_array, sizes: csr_array) -> Int32Array:
    """Compare only rows close on a line: equal ones are close in every direction."""
    m = rows.shape[0]
    if m * m * rows.shape[1] <= _FEW_COMPARISONS:
        return _compared_pair_by_pair(rows.toarray(), sizes.toarray())
    coordinate = leading_coordinate(rows)
    order = np.argsort(coordinate, kind="stable")
    coordinate = coordinate[order]
    reach = 2 * _ROUNDING * _lengths(sizes)[order]
    widest = 2 * reach.max(initial=0.0)
    pairs = [np.empty((2, 0), dtype=np.int64)]
    low = np.arange(m)
    for step in range(1, m):
        low = low[low + step < m]
        gap = coordinate[low + step] - coordinate[low]
        near = low[gap <= reach[low] + reach[low + step]]
        if len(near):
            one, other = order[near], order[near + step]
            allowed = _ROUNDING * (sizes[one] + sizes[other])
            excess = (abs(rows[one] - rows[other]) - allowed).max(axis=1).toarray().ravel()
            pairs.append(np.stack([one, other])[:, excess <= 0.0])
        low = low[gap <= widest]
        if not len(low):
            break
    ends = np.concatenate(pairs, axis=1)
    links = coo_array((np.ones(ends.shape[1]), (ends[0], ends[1])), shape=(m, m))
    classes: Int32Array = connected_components(links, directed=False)[1]
    return classes


def _compared_pair_by_pair(rows: FloatArray, sizes: FloatArray) -> Int32Array:
    if not len(rows):
        return np.empty(0, dtype=np.int32)
    gaps = np.abs(rows[:, np.newaxis] - rows)
    is_same = (gaps <= _ROUNDING * (sizes[:, np.newaxis] + sizes)).all(axis=2)
    first: Int32Array = is_same.argmax(axis=1).astype(np.int32)
    if np.array_equal(is_same, np.equal.outer(first, first)):
        return first
    classes: Int32Array = connected_components(coo_array(is_same), directed=False)[1]
    return classes
