"""Kernel principal component analysis: the plane in which similar vertices lie close."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mpgk_core.errors import InvalidParameterError
from mpgk_core.parameters import check_whole

_NOTHING = 1e-14
_INDEFINITE = (
    "kernel_pca needs a positive semidefinite kernel matrix. This one has negative eigenvalues."
)


@dataclass(frozen=True, eq=False)
class KernelEmbedding:
    """Points whose distances approximate those in the feature space of a kernel.

    Attributes
    ----------
    points : ndarray of shape (n, n_components)
    variance : ndarray of shape (n_components,)
        Variance along each axis.
    explained : ndarray of shape (n_components,)
        Share of the total variance; all zero where all points coincide.
    """

    points: NDArray[np.float64]
    variance: NDArray[np.float64]
    explained: NDArray[np.float64]


def kernel_pca(kernel: ArrayLike, n_components: int = 2) -> KernelEmbedding:
    """Embed the samples of a kernel matrix in a few dimensions.

    Axes come in the order of their variance; each points to the side where the distribution is
    skewed, so their signs do not depend on the order of samples or on the solver. Samples with
    identical rows get identical points.

    Parameters
    ----------
    kernel : array-like of shape (n, n)
        Symmetric, positive semidefinite.
    n_components : int
        Number of axes; missing ones are filled with zeros.

    Returns
    -------
    KernelEmbedding

    Examples
    --------
    >>> embedding = kernel_pca(np.diag([1.0, 1.0, 4.0]), n_components=2)
    >>> embedding.explained.round(3).tolist()
    [0.75, 0.25]
    >>> kernel_pca(np.ones((3, 3))).points.tolist()
    [[0.0, 0.0], [0.0, 0.0], [0.0, 0.0]]
    """
    check_whole(n_components, 1, "n_components", "kernel_pca")
    matrix = np.asarray(kernel, dtype=np.float64)
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
        raise InvalidParameterError(
            f"kernel_pca needs a square kernel matrix. Got shape {matrix.shape} instead."
        )
    if not np.all(np.isfinite(matrix)):
        raise InvalidParameterError("kernel_pca needs finite kernel values. Got NaN or infinity.")
    n = len(matrix)
    scale = float(np.abs(matrix).max(initial=0.0))
    if np.abs(matrix - matrix.T).max(initial=0.0) > 1e-8 * scale:
        raise InvalidParameterError("kernel_pca needs a symmetric kernel matrix.")
    empty = KernelEmbedding(
        np.zeros((n, n_components)), np.zeros(n_components), np.zeros(n_components)
    )
    distinct, first, which = np.unique(matrix, axis=0, return_index=True, return_inverse=True)
    if scale == 0.0 or len(distinct) == 1:
        return empty
    centred_trace = np.trace(matrix) - matrix.mean(axis=0).sum()
    if centred_trace < -1e-8 * scale * n:
        raise InvalidParameterError(_INDEFINITE)
    if centred_trace <= _NOTHING * scale * n:
        return empty
    from sklearn.decomposition import KernelPCA  # takes half a second; nobody else needs it

    solver = KernelPCA(
        n_components=min(n_components, n), kernel="precomputed", eigen_solver="dense"
    )
    points = solver.fit_transform(matrix / scale) * np.sqrt(scale)
    eigenvalues = np.maximum(solver.eigenvalues_, 0.0) * scale
    if eigenvalues.sum() > centred_trace + 1e-6 * scale * n:
        raise InvalidParameterError(_INDEFINITE)
    points = np.where(eigenvalues > _NOTHING * eigenvalues[0], points, 0.0)
    points = points[first][which.ravel()] * axis_signs(points, np.ones(n))
    return KernelEmbedding(
        padded(points, n_components),
        padded(eigenvalues / n, n_components),
        padded(eigenvalues / centred_trace, n_components),
    )


def axis_signs(points: NDArray[np.float64], counts: NDArray[Any]) -> NDArray[np.float64]:
    """Choose a direction for every axis: that in which the distribution is skewed.

    Parameters
    ----------
    points : ndarray of shape (m, d)
    counts : ndarray of shape (m,)
        How many samples lie on each point.

    Returns
    -------
    ndarray of shape (d,)
        1 or -1; where an axis is symmetric, the sign of its first large coordinate.
    """
    largest = np.abs(points).max(axis=0)
    unit = np.divide(points, largest, out=np.zeros_like(points), where=largest > 0)
    skewness = counts @ unit**3 / counts.sum()
    leading = np.argmax(np.abs(unit) > 1 - 1e-6, axis=0)
    tie_break = unit[leading, np.arange(unit.shape[1])]
    return np.where(np.where(np.abs(skewness) > 1e-9, skewness, tie_break) < 0, -1.0, 1.0)


def padded(values: NDArray[np.float64], width: int) -> NDArray[np.float64]:
    """Fill the last axis up with zeros."""
    filled = np.zeros((*values.shape[:-1], width))
    filled[..., : values.shape[-1]] = values
    return filled
