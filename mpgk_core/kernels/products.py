"""Matrix products that give the same bits for every order of rows.

Whole-number products are exact, so their order is free; products of real rows are formed once
per distinct row, with the distinct rows in an order of their own.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csc_array, csr_array

from mpgk_core._compiled import compiled

_HEAVY_SHARE = 1 / 64
_DENSE_CELLS = 1 << 24
_EXACT_IN_FLOAT32 = float(1 << 24)


def code_product(
    left: csr_array, right: csr_array, weights: NDArray[np.float64], largest: float
) -> NDArray[np.float64]:
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
    product = _dense_product(left, right, weights, np.flatnonzero(is_heavy), largest)
    by_column = csc_array(right)
    light_weights = np.where(is_heavy, 0.0, weights)
    _add_meetings(
        product,
        left.indptr,
        left.indices,
        left.data,
        light_weights,
        by_column.indptr,
        by_column.indices,
        by_column.data,
        right is left,
    )
    return product


def _dense_product(
    left: csr_array,
    right: csr_array,
    weights: NDArray[np.float64],
    columns: NDArray[np.int64],
    largest: float,
) -> NDArray[np.float64]:
    precision = np.float32 if largest < _EXACT_IN_FLOAT32 else np.float64
    total = np.zeros((left.shape[0], right.shape[0]), dtype=precision)
    width = max(_DENSE_CELLS // max(left.shape[0], right.shape[0], 1), 1)
    for start in range(0, len(columns), width):
        chosen = columns[start : start + width]
        dense_left = _chosen_columns(left, chosen, precision)
        dense_right = dense_left if right is left else _chosen_columns(right, chosen, precision)
        total += (dense_left * weights[chosen].astype(precision)) @ dense_right.T
    return total.astype(np.float64)


def _chosen_columns(
    matrix: csr_array, columns: NDArray[np.int64], precision: type[np.floating]
) -> NDArray[np.floating]:
    dense = np.zeros((matrix.shape[0], len(columns)), dtype=precision)
    place = np.full(matrix.shape[1], -1, dtype=np.int64)
    place[columns] = np.arange(len(columns))
    _scatter(dense, matrix.indptr, matrix.indices, matrix.data, place)
    return dense


@compiled
def _scatter(
    dense: NDArray[np.floating],
    indptr: NDArray[np.int32],
    indices: NDArray[np.int32],
    data: NDArray[np.float64],
    place: NDArray[np.int64],
) -> None:
    for i in range(len(indptr) - 1):
        for e in range(indptr[i], indptr[i + 1]):
            column = place[indices[e]]
            if column >= 0:
                dense[i, column] = data[e]


@compiled
def _add_meetings(
    product: NDArray[np.float64],
    indptr: NDArray[np.int32],
    indices: NDArray[np.int32],
    data: NDArray[np.float64],
    weights: NDArray[np.float64],
    column_indptr: NDArray[np.int32],
    column_rows: NDArray[np.int32],
    column_data: NDArray[np.float64],
    is_symmetric: bool,
) -> None:
    for i in range(len(indptr) - 1):
        for e in range(indptr[i], indptr[i + 1]):
            column = indices[e]
            weight = weights[column] * data[e]
            if weight == 0.0:
                continue
            stop = column_indptr[column + 1]
            for f in range(column_indptr[column], stop):
                j = column_rows[f]
                if is_symmetric and j > i:
                    break
                product[i, j] += weight * column_data[f]
    if is_symmetric:
        for i in range(len(product)):
            for j in range(i):
                product[j, i] = product[i, j]
