"""Kernel PCA from explicit feature rows, where many samples may share one.

If k(x, y) = ⟨φ(x), φ(y)⟩, kernel PCA of k is ordinary PCA of the rows φ(x). Few columns are best
treated as columns, which is exact also where variances differ by many orders of magnitude; few
rows by the kernel between them; and large sparse tables by products with vectors alone.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import eigh
from scipy.sparse import csr_array
from scipy.sparse.linalg import LinearOperator, eigsh

from mpgk_core.embedding.kernel_pca import KernelEmbedding, axis_signs, padded
from mpgk_core.parameters import check_whole

_FEW_COLUMNS = 64
_FEW_ROWS = 200
_NOTHING = 1e-14


def feature_pca(
    rows: csr_array, counts: NDArray[np.int64], n_components: int = 2
) -> KernelEmbedding:
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
    rows: csr_array, scale: float, shares: NDArray[np.float64], n_components: int
) -> tuple[NDArray[np.float64], NDArray[np.float64], float]:
    """Take the singular vectors of the centred rows."""
    dense = rows.toarray() / scale
    centred = dense - shares @ dense
    weighted = centred * np.sqrt(shares)[:, np.newaxis]
    _, lengths, axes = np.linalg.svd(weighted, full_matrices=False)
    return centred @ axes.T, lengths**2, float((lengths**2).sum())


def _by_rows(
    rows: csr_array, scale: float, shares: NDArray[np.float64], n_components: int
) -> tuple[NDArray[np.float64], NDArray[np.float64], float]:
    """Take the eigenvectors of the kernel between the centred rows."""
    used = rows[:, np.unique(rows.indices)].toarray() / scale
    roots = np.sqrt(shares)
    weighted = (used - shares @ used) * roots[:, np.newaxis]
    values, vectors = eigh(weighted @ weighted.T)
    return _points(values, vectors, roots, n_components), values[::-1], float(values.sum())


def _by_products(
    rows: csr_array, scale: float, shares: NDArray[np.float64], n_components: int
) -> tuple[NDArray[np.float64], NDArray[np.float64], float]:
    """Take the leading eigenvectors of the same kernel, which is never written out."""
    m = rows.shape[0]
    rows = rows / scale
    roots = np.sqrt(shares)
    centre = rows.T @ shares
    columns = rows.T.tocsr()

    def multiply(vector: NDArray[np.float64]) -> NDArray[np.float64]:
        weighted = roots * vector.ravel()
        image = columns @ weighted - centre * weighted.sum()
        result: NDArray[np.float64] = roots * (rows @ image - centre @ image)
        return result

    operator = LinearOperator((m, m), matvec=multiply, dtype=np.float64)
    values, vectors = eigsh(operator, k=n_components, v0=np.linspace(1.0, 2.0, m))
    total = float(shares @ rows.power(2).sum(axis=1) - centre @ centre)
    return _points(values, vectors, roots, n_components), np.sort(values)[::-1], total


def _points(
    values: NDArray[np.float64],
    vectors: NDArray[np.float64],
    roots: NDArray[np.float64],
    n_components: int,
) -> NDArray[np.float64]:
    order = np.argsort(values)[::-1][:n_components]
    lengths = np.sqrt(np.maximum(values[order], 0.0))
    return vectors[:, order] * lengths / roots[:, np.newaxis]
