"""Distances between the sparse rows of a matrix: the closest, the farthest, and all of them.

Products of rows are quick, but k(x,x) + k(y,y) - 2 k(x,y) loses a small distance between two long
rows. So products only decide which rows are close, and the distances between these are summed up
from differences of entries. To find the closest pair, the rows are visited along a direction in
which they spread widely, and a sum ends as soon as it exceeds the best one so far.
"""

from __future__ import annotations

import math

import numpy as np
from scipy.sparse import csr_array

from mpgk_core._compiled import compiled
from mpgk_core.arrays import FloatArray, Int32Array, IntArray
from mpgk_core.limits import check_memory

_POWER_STEPS = 5
_ROUNDING = 1e-13
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
    ordered = rows[order]
    ordered.sort_indices()
    squared = _closest(
        ordered.indptr,
        ordered.indices,
        ordered.data,
        rows.shape[1],
        coordinate[order],
        classes[order],
    )
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
    ordered = rows.copy()
    ordered.sort_indices()
    return math.sqrt(_farthest(ordered.indptr, ordered.indices, ordered.data, middle))


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
    ordered = rows if rows.has_sorted_indices else rows.sorted_indices()
    return np.sqrt(_squared_distances(ordered.indptr, ordered.indices, ordered.data, n_columns))


@compiled
def squared_distance(
    indptr: Int32Array, indices: Int32Array, data: FloatArray, i: int, j: int, limit: float
) -> float:
    """Sum up squared differences until the rows end or the limit is exceeded."""
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
def _squared_lengths(indptr: Int32Array, data: FloatArray) -> FloatArray:
    lengths = np.zeros(len(indptr) - 1)
    for i in range(len(lengths)):
        for e in range(indptr[i], indptr[i + 1]):
            lengths[i] += data[e] * data[e]
    return lengths


@compiled
def _write_columns(
    block: FloatArray, indptr: Int32Array, indices: Int32Array, values: FloatArray, start: int
) -> int:
    """Write some rows, from ``start`` on, as the columns of a dense block; return where it ends."""
    stop = min(start + _ROWS_AT_ONCE, len(indptr) - 1)
    for i in range(start, stop):
        for e in range(indptr[i], indptr[i + 1]):
            block[indices[e], i - start] = values[e]
    return stop


@compiled
def _multiply(
    products: FloatArray,
    block: FloatArray,
    indptr: Int32Array,
    indices: Int32Array,
    data: FloatArray,
    j: int,
) -> None:
    """Multiply row j with all columns of a dense block at once."""
    products[:] = 0.0
    for e in range(indptr[j], indptr[j + 1]):
        value = data[e]
        column = block[indices[e]]
        for k in range(_ROWS_AT_ONCE):
            products[k] += value * column[k]


@compiled
def _closest(
    indptr: Int32Array,
    indices: Int32Array,
    data: FloatArray,
    n_columns: int,
    coordinate: FloatArray,
    classes: IntArray,
) -> float:
    """Return the smallest squared distance; the rows come in the order of their coordinate.

    A row is multiplied with some rows before it at once. The products only tell which distances
    are worth a closer look: they cannot tell a small distance from none.
    """
    n = len(coordinate)
    norms = _squared_lengths(indptr, data)
    slack = _ROUNDING * np.sqrt(np.max(norms))
    best = np.inf
    for i in range(n - 1):  # neighbours on the line set a limit for all others
        if classes[i] != classes[i + 1]:
            best = min(best, squared_distance(indptr, indices, data, i, i + 1, best))
    block = np.zeros((n_columns, _ROWS_AT_ONCE))
    products = np.empty(_ROWS_AT_ONCE)
    nothing = np.zeros(len(data))
    for start in range(0, n, _ROWS_AT_ONCE):
        stop = _write_columns(block, indptr, indices, data, start)
        for j in range(start + 1, n):
            if j >= stop and coordinate[j] - coordinate[stop - 1] > np.sqrt(best) + slack:
                break
            _multiply(products, block, indptr, indices, data, j)
            for i in range(start, min(stop, j)):
                both = norms[i] + norms[j]
                if both - 2 * products[i - start] > best + _ROUNDING * both:
                    continue
                if classes[i] != classes[j]:
                    best = min(best, squared_distance(indptr, indices, data, i, j, best))
        _write_columns(block, indptr, indices, nothing, start)
    return best


@compiled
def _farthest(indptr: Int32Array, indices: Int32Array, data: FloatArray, middle: int) -> float:
    """Return the largest squared distance.

    Two rows are no farther apart than by way of the row in the middle, so rows far from it are
    visited first, and the search ends where that way is too short.
    """
    n = len(indptr) - 1
    radius = np.empty(n)
    for i in range(n):
        radius[i] = np.sqrt(squared_distance(indptr, indices, data, middle, i, np.inf))
    order = np.argsort(-radius)
    best = 0.0
    for a in range(n):
        for b in range(a + 1, n):
            if (radius[order[a]] + radius[order[b]]) ** 2 < best:
                break
            distance = squared_distance(indptr, indices, data, order[a], order[b], np.inf)
            best = max(best, distance)
    return best


@compiled
def _squared_distances(
    indptr: Int32Array, indices: Int32Array, data: FloatArray, n_columns: int
) -> FloatArray:
    """Multiply every row with some rows before it at once."""
    n = len(indptr) - 1
    norms = _squared_lengths(indptr, data)
    table = np.zeros((n, n))
    block = np.zeros((n_columns, _ROWS_AT_ONCE))
    products = np.empty(_ROWS_AT_ONCE)
    nothing = np.zeros(len(data))
    for start in range(0, n, _ROWS_AT_ONCE):
        stop = _write_columns(block, indptr, indices, data, start)
        for j in range(start + 1, n):
            _multiply(products, block, indptr, indices, data, j)
            for i in range(start, min(stop, j)):
                squared = norms[i] + norms[j] - 2 * products[i - start]
                if squared < _CLOSE * (norms[i] + norms[j]):
                    squared = squared_distance(indptr, indices, data, i, j, np.inf)
                table[i, j] = table[j, i] = squared
        _write_columns(block, indptr, indices, nothing, start)
    return table
