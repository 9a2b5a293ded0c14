"""The distances between all pairs of sparse rows.

Products of rows are quick, but k(x,x) + k(y,y) - 2 k(x,y) loses a small distance between two long
rows. So the products decide which rows are close, and the distances between these are summed up
from differences of entries.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from mpgk_core._compiled import compiled
from mpgk_core.limits import check_memory
from mpgk_core.recovery.point_distances import squared_distance

_CLOSE = 1e-5
"""Share of the squared lengths below which a squared distance is summed up from differences."""

_ROWS_AT_ONCE = 64
_FEW_CELLS = 1 << 22
"""Numbers for which there is always room."""


def distance_matrix(rows: csr_array) -> NDArray[np.float64]:
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
def _squared_distances(
    indptr: NDArray[np.int32], indices: NDArray[np.int32], data: NDArray[np.float64], n_columns: int
) -> NDArray[np.float64]:
    """Multiply every row with some rows before it at once."""
    n = len(indptr) - 1
    norms = np.zeros(n)
    for i in range(n):
        for e in range(indptr[i], indptr[i + 1]):
            norms[i] += data[e] * data[e]
    table = np.zeros((n, n))
    block = np.zeros((n_columns, _ROWS_AT_ONCE))
    products = np.empty(_ROWS_AT_ONCE)
    for start in range(0, n, _ROWS_AT_ONCE):
        stop = min(start + _ROWS_AT_ONCE, n)
        for i in range(start, stop):
            for e in range(indptr[i], indptr[i + 1]):
                block[indices[e], i - start] = data[e]
        for j in range(start + 1, n):
            products[:] = 0.0
            for e in range(indptr[j], indptr[j + 1]):
                value = data[e]
                column = block[indices[e]]
                for k in range(_ROWS_AT_ONCE):
                    products[k] += value * column[k]
            for i in range(start, min(stop, j)):
                squared = norms[i] + norms[j] - 2 * products[i - start]
                if squared < _CLOSE * (norms[i] + norms[j]):
                    squared = squared_distance(indptr, indices, data, i, j, np.inf)
                table[i, j] = squared
                table[j, i] = squared
        for i in range(start, stop):
            for e in range(indptr[i], indptr[i + 1]):
                block[indices[e], i - start] = 0.0
    return table
