"""Kernel principal component analysis: the plane in which similar vertices lie close.

It starts from a kernel matrix, or from explicit feature rows that many samples may share: if
k(x, y) = ⟨φ(x), φ(y)⟩, kernel PCA of k is ordinary PCA of the rows φ(x). Few columns are best
treated as columns, which is exact also where variances differ by many orders of magnitude; few
rows by the kernel between them; and large sparse tables by products with vectors alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.linalg import eigh
from scipy.sparse import csr_array
from scipy.sparse.linalg import LinearOperator, eigsh

from mpgk_core.arrays import FloatArray, IntArray
from mpgk_core.checks import check_whole
from mpgk_core.errors import InvalidParameterError

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

    points: FloatArray
    variance: FloatArray
    explained: FloatArray


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


def axis_signs(points: FloatArray, counts: NDArray[Any]) -> FloatArray:
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


def padded(values: FloatArray, width: int) -> FloatArray:
    """Fill the last axis up with zeros."""
    filled = np.zeros((*values.shape[:-1], width))
    filled[..., : values.shape[-1]] = values
    return filled


_FEW_COLUMNS = 64
_FEW_ROWS = 200


def feature_pca(rows: csr_array, counts: IntArray, n_components: int = 2) -> KernelEmbedding:
    """Embed feature rows, each shared by a number of samples.

    Parameters
    ----------
    rows : csr_array of shape (m, p)
        Distinct feature rows.
    counts : ndarray of shape (m,)
        How many samples share each row.
    n_components : int
        Number of axes; missing ones are filled with zeros.

    Returns
    -------
    KernelEmbedding
        Of the m rows; the same points as ``kernel_pca`` of the kernel of all samples.

    Examples
    --------
    >>> rows = csr_array([[0.0, 0.0], [2.0, 0.0], [0.0, 1.0]])
    >>> feature_pca(rows, np.array([1, 1, 1])).explained.round(3).tolist()
    [0.861, 0.139]
    """
    check_whole(n_components, 1, "n_components", "feature_pca")
    m, n_columns = rows.shape
    scale = float(np.abs(rows.data).max(initial=0.0))
    nothing = np.zeros(n_components)
    empty = KernelEmbedding(np.zeros((m, n_components)), nothing, nothing)
    if m < 2 or scale == 0.0:
        return empty
    shares = counts / counts.sum()
    solve = _by_columns if n_columns <= _FEW_COLUMNS else _by_rows
    if m > max(_FEW_ROWS, n_components) and n_columns > _FEW_COLUMNS:
        solve = _by_products
    points, variance, total = solve(rows, scale, shares, n_components)
    if total <= _NOTHING * m:
        return empty
    variance = np.maximum(variance[:n_components], 0.0)
    points = np.where(variance > _NOTHING * variance[0], points[:, :n_components], 0.0)
    points = points * axis_signs(points, counts) * scale
    return KernelEmbedding(
        padded(points, n_components),
        padded(variance * scale**2, n_components),
        padded(variance / total, n_components),
    )


def _by_columns(
    rows: csr_array, scale: float, shares: FloatArray, n_components: int
) -> tuple[FloatArray, FloatArray, float]:
    """Take the singular vectors of the centred rows."""
    dense = rows.toarray() / scale
    centred = dense - shares @ dense
    weighted = centred * np.sqrt(shares)[:, np.newaxis]
    _, lengths, axes = np.linalg.svd(weighted, full_matrices=False)
    return centred @ axes.T, lengths**2, float((lengths**2).sum())


def _by_rows(
    rows: csr_array, scale: float, shares: FloatArray, n_components: int
) -> tuple[FloatArray, FloatArray, float]:
    """Take the eigenvectors of the kernel between the centred rows."""
    used = rows[:, np.unique(rows.indices)].toarray() / scale
    roots = np.sqrt(shares)
    weighted = (used - shares @ used) * roots[:, np.newaxis]
    values, vectors = eigh(weighted @ weighted.T)
    return _points(values, vectors, roots, n_components), values[::-1], float(values.sum())


def _by_products(
    rows: csr_array, scale: float, shares: FloatArray, n_components: int
) -> tuple[FloatArray, FloatArray, float]:
    """Take the leading eigenvectors of the same kernel, which is never written out."""
    m = rows.shape[0]
    rows = rows / scale
    roots = np.sqrt(shares)
    centre = rows.T @ shares
    columns = rows.T.tocsr()

    def multiply(vector: FloatArray) -> FloatArray:
        weighted = roots * vector.ravel()
        image = columns @ weighted - centre * weighted.sum()
        result: FloatArray = roots * (rows @ image - centre @ image)
        return result

    operator = LinearOperator((m, m), matvec=multiply, dtype=np.float64)
    values, vectors = eigsh(operator, k=n_components, v0=np.linspace(1.0, 2.0, m))
    total = float(shares @ rows.power(2).sum(axis=1) - centre @ centre)
    return _points(values, vectors, roots, n_components), np.sort(values)[::-1], total


def _points(
    values: FloatArray, vectors: FloatArray, roots: FloatArray, n_components: int
) -> FloatArray:
    order = np.argsort(values)[::-1][:n_components]
    lengths = np.sqrt(np.maximum(values[order], 0.0))
    return vectors[:, order] * lengths / roots[:, np.newaxis]
