"""The distances between all pairs of sparse rows."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from mpgk_core._compiled import compiled
from mpgk_core.equivalence.point_distances import squared_distance
from mpgk_core.limits import check_memory

__all__ = ["distance_matrix"]


def distance_matrix(rows: csr_array) -> NDArray[np.float64]:
    """Return the distances between all pairs of rows, summed up from differences of entries.

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
    m = rows.shape[0]
    check_memory(
        3 * 8 * m**2,
        f"A distance matrix of {m} points",
        "Use a smaller graph, or a score that needs no distances.",
    )
    ordered = rows.copy()
    ordered.sort_indices()
    return np.sqrt(_squared_distances(ordered.indptr, ordered.indices, ordered.data))


@compiled
def _squared_distances(
    indptr: NDArray[np.int32], indices: NDArray[np.int32], data: NDArray[np.float64]
) -> NDArray[np.float64]:
    n = len(indptr) - 1
    table = np.zeros((n, n))
    for i in range(n):
        for j in range(i):
            table[i, j] = squared_distance(indptr, indices, data, i, j, np.inf)
            table[j, i] = table[i, j]
    return table
