"""Where a node kernel puts vertices, which of them share a point, and how far points are apart.

Two vertices are one point if their distance in feature space, √(k(v,v) + k(u,u) - 2 k(v,u)), is
zero. Kernel values cannot always decide this: on a long path, what tells two vertices apart may be
1e-10 of their kernel with themselves. So the rows of the feature map are compared, entry by entry.

For the same reason, products of rows only decide which points are close, and the distances
between these are summed up from differences of entries. To find the closest pair, the rows are
visited along a direction in which they spread widely, and a sum ends as soon as it exceeds the
best one so far.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.sparse import coo_array, csr_array, issparse
from scipy.sparse.csgraph import connected_components

from mpgk_core._compiled import compiled
from mpgk_core.arrays import FloatArray, Int32Array, IntArray, as_dense
from mpgk_core.checks import check_memory
from mpgk_core.errors import InvalidGraphError
from mpgk_core.graphs.graph_set import GraphSet
from mpgk_core.grouping import Rows, SparseRows, group_rows
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


def points_of_rounds(
    graphs: GraphSet, kernel: MessagePassingNodeKernel
) -> tuple[KernelPoints, ...]:
    """Find the distinct points of all rounds, from 0 to T; see :func:`kernel_points`."""
    return tuple(kernel_points(graphs, kernel, t) for t in range(kernel.n_iterations + 1))


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


_POWER_STEPS = 5
_PRODUCT_ROUNDING = 1e-13
_ROWS_AT_ONCE = 64
_CLOSE = 1e-5
"""Share of the squared lengths below which a squared distance is summed up from differences."""
_FEW_CELLS = 1 << 22
"""Numbers for which there is always room."""


def leading_coordinate(rows: csr_array) -> FloatArray:
    """Project rows on one direction in which they spread widely.

    Two rows are at least as far apart as their projections are.

    Parameters
    ----------
    rows : csr_array of shape (m, D)

    Returns
    -------
    ndarray of shape (m,)

    Examples
    --------
    >>> line = csr_array(np.array([[0.0, 1.0], [3.0, 5.0], [6.0, 9.0]]))
    >>> np.diff(leading_coordinate(line)).round(6).tolist()
    [5.0, 5.0]
    """
    scale = float(np.abs(rows.data).max(initial=0.0))
    if scale == 0.0:
        return np.zeros(rows.shape[0])
    scaled = rows / scale
    columns = scaled.T
    direction = np.cos(np.arange(rows.shape[1]))  # anything that no columns share a pattern with
    for _ in range(_POWER_STEPS):
        along = scaled @ direction
        towards = columns @ (along - along.mean())
        length = float(np.linalg.norm(towards))
        if length == 0.0:
            break
        direction = towards / length
    coordinate: FloatArray = rows @ (direction / np.linalg.norm(direction))
    return coordinate


def smallest_distance(rows: csr_array, classes: IntArray) -> float | None:
    """Return the distance between the closest two rows of different classes.

    Parameters
    ----------
    rows : csr_array of shape (m, D)
    classes : ndarray of shape (m,)

    Returns
    -------
    float or None
        None where there are no two rows of different classes.

    Examples
    --------
    >>> rows = csr_array(np.array([[0.0, 0.0], [0.0, 1.0], [3.0, 4.0]]))
    >>> smallest_distance(rows, np.array([0, 1, 2])), smallest_distance(rows, np.array([0, 0, 1]))
    (1.0, 4.242640687119285)
    """
    if np.all(classes == classes[:1]):
        return None
    coordinate = leading_coordinate(rows)
    order = np.argsort(coordinate, kind="stable")
    squared = _closest(_sorted(rows[order]), rows.shape[1], coordinate[order], classes[order])
    return math.sqrt(squared)


def largest_distance(rows: csr_array) -> float:
    """Return the distance between the farthest two rows; 0 where there are fewer.

    Parameters
    ----------
    rows : csr_array of shape (m, D)

    Returns
    -------
    float

    Examples
    --------
    >>> largest_distance(csr_array(np.array([[0.0, 0.0], [0.0, 1.0], [3.0, 4.0]])))
    5.0
    """
    m = rows.shape[0]
    if m < 2:
        return 0.0
    middle = np.argsort(leading_coordinate(rows), kind="stable")[m // 2]
    return math.sqrt(_farthest(_sorted(rows), middle))


def distance_matrix(rows: csr_array) -> FloatArray:
    """Return the distances between all pairs of rows, to ten digits or more.

    Parameters
    ----------
    rows : csr_array of shape (m, D)

    Returns
    -------
    ndarray of shape (m, m)
        Symmetric; 0 between equal rows.

    Examples
    --------
    >>> distance_matrix(csr_array(np.array([[0.0, 0.0], [3.0, 4.0]]))).tolist()
    [[0.0, 5.0], [5.0, 0.0]]
    """
    m, n_columns = rows.shape
    n_cells = 3 * m**2 + _ROWS_AT_ONCE * n_columns
    if n_cells > _FEW_CELLS:
        check_memory(
            8 * n_cells,
            f"A distance matrix of {m} points",
            "Use a smaller graph, or a score that needs no distances.",
        )
    return np.sqrt(_squared_distances(_sorted(rows), n_columns))


def _sorted(rows: csr_array) -> SparseRows:
    return SparseRows.of(rows if rows.has_sorted_indices else rows.sorted_indices())


@compiled
def _squared_distance(rows: SparseRows, i: int, j: int, limit: float) -> float:
    """Sum up squared differences until the rows end or the limit is exceeded."""
    indptr, indices, data = rows
    total = 0.0
    e, f = indptr[i], indptr[j]
    stop_e, stop_f = indptr[i + 1], indptr[j + 1]
    while (e < stop_e or f < stop_f) and total <= limit:
        if f == stop_f or (e < stop_e and indices[e] < indices[f]):
            difference = data[e]
            e += 1
        elif e == stop_e or indices[f] < indices[e]:
            difference = data[f]
            f += 1
        else:
            difference = data[e] - data[f]
            e += 1
            f += 1
        total += difference * difference
    return total


@compiled
def _squared_lengths(rows: SparseRows) -> FloatArray:
    lengths = np.zeros(len(rows.indptr) - 1)
    for i in range(len(lengths)):
        for e in range(rows.indptr[i], rows.indptr[i + 1]):
            lengths[i] += rows.data[e] * rows.data[e]
    return lengths


@compiled
def _write_columns(block: FloatArray, rows: SparseRows, start: int, is_over: bool) -> int:
    """Write some rows, from ``start`` on, as the columns of a dense block; return where it ends.

    Afterwards zeros are written in their place, so that the block serves the next rows.
    """
    stop = min(start + _ROWS_AT_ONCE, len(rows.indptr) - 1)
    for i in range(start, stop):
        for e in range(rows.indptr[i], rows.indptr[i + 1]):
            block[rows.indices[e], i - start] = 0.0 if is_over else rows.data[e]
    return stop


@compiled
def _multiply(products: FloatArray, block: FloatArray, rows: SparseRows, j: int) -> None:
    """Multiply row j with all columns of a dense block at once."""
    products[:] = 0.0
    for e in range(rows.indptr[j], rows.indptr[j + 1]):
        value = rows.data[e]
        column = block[rows.indices[e]]
        for k in range(_ROWS_AT_ONCE):
            products[k] += value * column[k]


@compiled
def _closest(rows: SparseRows, n_columns: int, coordinate: FloatArray, classes: IntArray) -> float:
    """Return the smallest squared distance; the rows come in the order of their coordinate.

    A row is multiplied with some rows before it at once. The products only tell which distances
    are worth a closer look: they cannot tell a small distance from none.
    """
    n = len(coordinate)
    norms = _squared_lengths(rows)
    slack = _PRODUCT_ROUNDING * np.sqrt(np.max(norms))
    best = np.inf
    for i in range(n - 1):  # neighbours on the line set a limit for all others
        if classes[i] != classes[i + 1]:
            best = min(best, _squared_distance(rows, i, i + 1, best))
    block = np.zeros((n_columns, _ROWS_AT_ONCE))
    products = np.empty(_ROWS_AT_ONCE)
    for start in range(0, n, _ROWS_AT_ONCE):
        stop = _write_columns(block, rows, start, False)
        for j in range(start + 1, n):
            if j >= stop and coordinate[j] - coordinate[stop - 1] > np.sqrt(best) + slack:
                break
            _multiply(products, block, rows, j)
            for i in range(start, min(stop, j)):
                both = norms[i] + norms[j]
                if both - 2 * products[i - start] > best + _PRODUCT_ROUNDING * both:
                    continue
                if classes[i] != classes[j]:
                    best = min(best, _squared_distance(rows, i, j, best))
        _write_columns(block, rows, start, True)
    return best


@compiled
def _farthest(rows: SparseRows, middle: int) -> float:
    """Return the largest squared distance.

    Two rows are no farther apart than by way of the row in the middle, so rows far from it are
    visited first, and the search ends where that way is too short.
    """
    n = len(rows.indptr) - 1
    radius = np.empty(n)
    for i in range(n):
        radius[i] = np.sqrt(_squared_distance(rows, middle, i, np.inf))
    order = np.argsort(-radius)
    best = 0.0
    for a in range(n):
        for b in range(a + 1, n):
            if (radius[order[a]] + radius[order[b]]) ** 2 < best:
                break
            distance = _squared_distance(rows, order[a], order[b], np.inf)
            best = max(best, distance)
    return best


@compiled
def _squared_distances(rows: SparseRows, n_columns: int) -> FloatArray:
    """Multiply every row with some rows before it at once."""
    n = len(rows.indptr) - 1
    norms = _squared_lengths(rows)
    table = np.zeros((n, n))
    block = np.zeros((n_columns, _ROWS_AT_ONCE))
    products = np.empty(_ROWS_AT_ONCE)
    for start in range(0, n, _ROWS_AT_ONCE):
        stop = _write_columns(block, rows, start, False)
        for j in range(start + 1, n):
            _multiply(products, block, rows, j)
            for i in range(start, min(stop, j)):
                squared = norms[i] + norms[j] - 2 * products[i - start]
                if squared < _CLOSE * (norms[i] + norms[j]):
                    squared = _squared_distance(rows, i, j, np.inf)
                table[i, j] = table[j, i] = squared
        _write_columns(block, rows, start, True)
    return table
