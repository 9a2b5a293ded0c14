"""Sparse and dense matrices: conversions, and a word where numbers grow too large."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, issparse

from mpgk_core.errors import KernelOverflowError


def refuse_overflow(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the values, or raise if any of them is beyond the range of floating-point numbers.

    Parameters
    ----------
    values : ndarray

    Returns
    -------
    ndarray
        The same array.
    """
    if not np.all(np.isfinite(values)):
        raise KernelOverflowError(
            "The kernel values grow beyond the range of floating-point numbers: with neighbourhood "
            "R they rise like degree to the power of T. Choose fewer iterations, or smaller "
            "features, for example features='log-degree'."
        )
    return values


Matrix: TypeAlias = Any
"""A dense ``ndarray`` of floats or a scipy ``csr_array``."""


def as_csr(matrix: Matrix) -> csr_array:
    """Return the matrix in sparse form.

    A dense one is taken apart here: by way of scipy's other formats it takes three times as long,
    which is most of the time that small graphs need.
    """
    if not isinstance(matrix, np.ndarray):
        return csr_array(matrix)
    rows, columns = np.nonzero(matrix)
    starts = np.searchsorted(rows, np.arange(len(matrix) + 1))
    return csr_array((matrix[rows, columns], columns, starts), shape=matrix.shape)


def as_dense(matrix: Matrix) -> NDArray[np.float64]:
    """Return the matrix in dense form."""
    return matrix.toarray() if issparse(matrix) else np.asarray(matrix)


def membership_matrix(
    classes: NDArray[np.int32], n_classes: int, offsets: NDArray[np.int64]
) -> csr_array:
    """Count the vertices of every class in every graph.

    Parameters
    ----------
    classes : ndarray of shape (n,)
        The class of every vertex.
    n_classes : int
    offsets : ndarray of shape (N + 1,)
        The vertices of graph g are ``offsets[g]`` to ``offsets[g + 1]``.

    Returns
    -------
    csr_array of shape (N, n_classes)
        Whole numbers, with sorted indices.
    """
    counts = csr_array(
        (np.ones(len(classes)), classes.copy(), offsets.copy()), shape=(len(offsets) - 1, n_classes)
    )
    counts.sum_duplicates()
    return counts
