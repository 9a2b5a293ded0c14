"""The linear algebra of the models: ridge on explicit maps, and Gaussian kernels on landmarks.

Targets are standardised before they come here, and a mean function is subtracted. Rows of an
explicit map are centred and divided by a common factor, so that their mean squared length over the
training part is one: then the same λ mean the same for every map.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from scipy.linalg import cholesky, eigh, solve_triangular
from scipy.sparse import csr_array, issparse

from mpgk_core.arrays import FloatArray, IntArray, Matrix, as_csr
from mpgk_core.checks import check_memory
from mpgk_core.errors import InvalidGraphError
from mpgk_core.kernels.assignment import code_product

_EXACT_UP_TO = 3000
_TOLERANCE = 1e-6
_MAX_STEPS = 1000
_JITTER = 1e-9
_BLOCK = 2048


@dataclass(frozen=True, eq=False)
class ScaledRows:
    """Rows (x - μ) / s of an explicit map, never formed: the rows x stay sparse.

    Attributes
    ----------
    rows : csr_array of shape (n, d)
    mean : ndarray of shape (d,)
        The mean μ over the training part.
    scale : float
        The factor s: the root of the mean squared distance from μ in the training part.
    """

    rows: csr_array
    mean: FloatArray
    scale: float

    @classmethod
    def of_training(cls, rows: Matrix) -> ScaledRows:
        """Take the mean and the scale from the rows themselves.

        Examples
        --------
        >>> scaled = ScaledRows.of_training(np.array([[0.0, 1.0], [2.0, 1.0]]))
        >>> scaled.dense().tolist()
        [[-1.0, 0.0], [1.0, 0.0]]
        """
        sparse = as_csr(rows) if not issparse(rows) else csr_array(rows)
        mean = np.asarray(sparse.mean(axis=0)).ravel()
        squares = float(sparse.multiply(sparse).sum()) / max(sparse.shape[0], 1)
        variance = squares - float(mean @ mean)
        if not variance > 1e-12 * max(squares, 1e-300):
            raise InvalidGraphError(
                "All graphs of the training part have the same features, so nothing can be "
                "learnt. Choose other features or another kernel."
            )
        return cls(sparse, mean, float(np.sqrt(variance)))

    def like(self, rows: Matrix) -> ScaledRows:
        """Treat other rows in the same way."""
        return ScaledRows(csr_array(rows), self.mean, self.scale)

    def chosen(self, positions: IntArray) -> ScaledRows:
        """Return some of the rows."""
        return ScaledRows(self.rows[positions], self.mean, self.scale)

    @property
    def shape(self) -> tuple[int, int]:
        """Numbers of rows and columns."""
        return int(self.rows.shape[0]), int(self.rows.shape[1])

    def dense(self) -> FloatArray:
        """Return the rows themselves."""
        found: FloatArray = (self.rows.toarray() - self.mean) / self.scale
        return found

    def times(self, weights: FloatArray) -> FloatArray:
        """Return the product with weights of shape (d, k)."""
        found: FloatArray = (self.rows @ weights - self.mean @ weights) / self.scale
        return found

    def transposed_times(self, values: FloatArray) -> FloatArray:
        """Return the product of the transposed rows with values of shape (n, k)."""
        back = self.rows.T @ values - np.multiply.outer(self.mean, values.sum(axis=0))
        return np.asarray(back / self.scale)

    def products(self, others: ScaledRows) -> FloatArray:
        """Return all dot products with other rows."""
        ones = np.ones(self.rows.shape[1])
        found = code_product(self.rows, others.rows, ones, np.inf)
        found -= (self.rows @ self.mean)[:, np.newaxis]
        found -= others.rows @ self.mean - self.mean @ self.mean
        return found / self.scale**2

    def squared_lengths(self) -> FloatArray:
        """Return the dot product of every row with itself."""
        own = np.asarray(self.rows.multiply(self.rows).sum(axis=1)).ravel()
        found: FloatArray = (own - 2 * (self.rows @ self.mean) + self.mean @ self.mean) / (
            self.scale**2
        )
        return np.maximum(found, 0.0)


def ridge_path(
    rows: ScaledRows, targets: FloatArray, penalties: Sequence[float]
) -> list[FloatArray]:
    """Return the weights w with the least ‖y - X w‖² + λ ‖w‖², for every λ.

    By the eigenvectors of X Xᵀ or of Xᵀ X, whichever is smaller:

        w = Xᵀ (X Xᵀ + λ I)⁻¹ y = (Xᵀ X + λ I)⁻¹ Xᵀ y.

    Parameters
    ----------
    rows : ScaledRows
        n rows X with d columns, of which the smaller number is a few thousand.
    targets : ndarray of shape (n, k)
    penalties : sequence of float
        The λ, all above 0.

    Returns
    -------
    list of ndarray of shape (d, k)
        In the order of the penalties.

    Examples
    --------
    >>> rows = ScaledRows.of_training(np.array([[0.0], [2.0]]))
    >>> [w.item() for w in ridge_path(rows, np.array([[-1.0], [1.0]]), [2.0, 6.0])]
    [0.5, 0.25]
    """
    n, d = rows.shape
    check_memory(
        4 * 8 * min(n, d) ** 2,
        f"A matrix of {min(n, d):,} x {min(n, d):,} products",
        "Learn from fewer graphs.",
    )
    if d <= n:
        dense = rows.dense()
        values, vectors = eigh(dense.T @ dense)
        inner = vectors.T @ (dense.T @ targets)
        return [vectors @ (inner / _shifted(values, penalty)) for penalty in penalties]
    values, vectors = eigh(rows.products(rows))
    inner = vectors.T @ targets
    return [
        rows.transposed_times(vectors @ (inner / _shifted(values, penalty)))
        for penalty in penalties
    ]


def _shifted(values: FloatArray, penalty: float) -> FloatArray:
    found: FloatArray = (np.maximum(values, 0.0) + penalty)[:, np.newaxis]
    return found


class Descent(NamedTuple):
    """Weights found by conjugate gradients.

    Attributes
    ----------
    weights : ndarray of shape (d, k)
    n_steps : int
    residual : float
        The largest of ‖b - A w‖ / ‖b‖ over the targets.
    """

    weights: FloatArray
    n_steps: int
    residual: float


def ridge_by_descent(
    rows: ScaledRows,
    targets: FloatArray,
    penalties: FloatArray,
    start: FloatArray | None = None,
    tolerance: float = _TOLERANCE,
    max_steps: int = _MAX_STEPS,
) -> Descent:
    """Solve (Xᵀ X + λ I) w = Xᵀ y by conjugate gradients, one λ for every target.

    Needs neither an n × n nor a d × d matrix: a step is one product with X and one with Xᵀ.
    Preconditioned by the diagonal (Hestenes & Stiefel 1952; Jacobi).

    Parameters
    ----------
    rows : ScaledRows
        n rows X with d columns.
    targets : ndarray of shape (n, k)
    penalties : ndarray of shape (k,)
    start : ndarray of shape (d, k), optional
        Weights to start from.
    tolerance : float
        Of the residual, at which a target is done.
    max_steps : int

    Returns
    -------
    Descent

    Examples
    --------
    >>> rows = ScaledRows.of_training(np.array([[0.0, 1.0], [2.0, 1.0], [4.0, 0.0]]))
    >>> y = np.array([[-1.0], [0.0], [1.0]])
    >>> found = ridge_by_descent(rows, y, np.array([0.1]))
    >>> bool(np.allclose(found.weights, ridge_path(rows, y, [0.1])[0])), found.n_steps
    (True, 2)
    """
    squares = np.asarray(rows.rows.multiply(rows.rows).sum(axis=0)).ravel()
    diagonal = (squares - len(targets) * rows.mean**2) / rows.scale**2
    preconditioner = np.maximum(diagonal, 0.0)[:, np.newaxis] + penalties
    wanted = rows.transposed_times(targets)
    lengths = np.maximum(np.linalg.norm(wanted, axis=0), 1e-300)
    weights = np.zeros_like(wanted) if start is None else start.copy()
    rest = wanted.copy()
    if start is not None:
        rest -= rows.transposed_times(rows.times(weights)) + penalties * weights
    turned = rest / preconditioner
    direction, power = turned.copy(), np.einsum("dk,dk->k", rest, turned)
    steps = 0
    while steps < max_steps:
        active = np.flatnonzero(np.linalg.norm(rest, axis=0) > tolerance * lengths)
        if not len(active):
            break
        way = direction[:, active]
        image = rows.transposed_times(rows.times(way)) + penalties[active] * way
        step = power[active] / np.einsum("dk,dk->k", way, image)
        weights[:, active] += step * way
        rest[:, active] -= step * image
        turned[:, active] = rest[:, active] / preconditioner[:, active]
        renewed = np.einsum("dk,dk->k", rest[:, active], turned[:, active])
        direction[:, active] = turned[:, active] + renewed / power[active] * way
        power[active] = renewed
        steps += 1
    residual = float((np.linalg.norm(rest, axis=0) / lengths).max(initial=0.0))
    return Descent(weights, steps, residual)


def is_small(rows: ScaledRows) -> bool:
    """Return whether all λ can be solved at once, by eigenvectors."""
    return min(rows.shape) <= _EXACT_UP_TO


@dataclass(frozen=True)
class Shape:
    """How a kernel is made of dot products of rows: the products themselves, or a Gaussian.

    Attributes
    ----------
    width : float or None
        None: k(x, z) = ⟨x, z⟩. Else k(x, z) = exp(-‖x - z‖² / (2 width²)).
    """

    width: float | None

    def kernel(self, rows: ScaledRows, others: ScaledRows) -> FloatArray:
        """Return the kernel between two lists of rows."""
        products = rows.products(others)
        if self.width is None:
            return products
        products *= 2.0
        products -= rows.squared_lengths()[:, np.newaxis]
        products -= others.squared_lengths()
        np.minimum(products, 0.0, out=products)
        products /= 2.0 * self.width**2
        return np.asarray(np.exp(products, out=products))

    def own(self, rows: ScaledRows) -> FloatArray:
        """Return the kernel of every row with itself."""
        return rows.squared_lengths() if self.width is None else np.ones(rows.shape[0])


@dataclass(frozen=True, eq=False)
class LandmarkRegression:
    """Regression with the kernels to m landmarks, prepared for every λ at once.

    The subset of regressors: f(x) = k_m(x)ᵀ w with (K_mn K_nm + λ K_mm) w = K_mn y (Quiñonero-
    Candela & Rasmussen 2005, JMLR 6, Equation 16). Its predictive variance is that of their
    deterministic training conditional (Equation 20), in units of the kernel and with noise λ:

        v(x) = k(x, x) - k_mᵀ K_mm⁻¹ k_m + λ k_mᵀ (K_mn K_nm + λ K_mm)⁻¹ k_m + λ.

    If all training graphs are landmarks, these are mean and variance of exact Gaussian process
    regression, and the mean is kernel ridge regression. With K_mm = L Lᵀ and the eigenvectors U of
    L⁻¹ K_mn K_nm L⁻ᵀ, both are sums over eigenvalues for any λ.

    Attributes
    ----------
    shape : Shape
    landmarks : ScaledRows
    root : ndarray of shape (m, m)
        L.
    values, vectors : ndarray of shapes (m,) and (m, m)
        Of L⁻¹ K_mn K_nm L⁻ᵀ.
    inner : ndarray of shape (m, k)
        Uᵀ L⁻¹ K_mn y.
    """

    shape: Shape
    landmarks: ScaledRows
    root: FloatArray = field(repr=False)
    values: FloatArray = field(repr=False)
    vectors: FloatArray = field(repr=False)
    inner: FloatArray = field(repr=False)

    @classmethod
    def fit(
        cls, shape: Shape, rows: ScaledRows, targets: FloatArray, landmarks: ScaledRows
    ) -> LandmarkRegression:
        """Prepare everything but λ.

        Parameters
        ----------
        shape : Shape
        rows : ScaledRows
            Of the n training graphs.
        targets : ndarray of shape (n, k)
        landmarks : ScaledRows
            m of them, pairwise different.

        Returns
        -------
        LandmarkRegression
        """
        m = landmarks.shape[0]
        check_memory(
            5 * 8 * m**2, f"The kernel of {m:,} landmarks", "Choose fewer landmarks or graphs."
        )
        own = shape.kernel(landmarks, landmarks)
        own[np.diag_indices(m)] += _JITTER * max(float(np.trace(own)) / m, 1e-300)
        root = cholesky(own, lower=True)
        gram, right = np.zeros((m, m)), np.zeros((m, targets.shape[1]))
        for start in range(0, rows.shape[0], _BLOCK):
            part = np.arange(start, min(start + _BLOCK, rows.shape[0]))
            block = shape.kernel(rows.chosen(part), landmarks)
            gram += block.T @ block
            right += block.T @ targets[part]
        turned = solve_triangular(root, solve_triangular(root, gram, lower=True).T, lower=True)
        values, vectors = eigh((turned + turned.T) / 2)
        inner = vectors.T @ solve_triangular(root, right, lower=True)
        return cls(shape, landmarks, root, np.maximum(values, 0.0), vectors, inner)

    def means(self, rows: ScaledRows, penalties: Sequence[float]) -> list[FloatArray]:
        """Return the predictions of all targets for every λ.

        Parameters
        ----------
        rows : ScaledRows
        penalties : sequence of float

        Returns
        -------
        list of ndarray of shape (number of rows, k)
        """
        found = [np.empty((rows.shape[0], self.inner.shape[1])) for _ in penalties]
        for start in range(0, rows.shape[0], _BLOCK):
            part = np.arange(start, min(start + _BLOCK, rows.shape[0]))
            turned = self._turned(rows.chosen(part))
            for predicted, penalty in zip(found, penalties, strict=True):
                predicted[part] = turned.T @ (self.inner / (self.values + penalty)[:, np.newaxis])
        return found

    def variances(self, rows: ScaledRows, penalty: float) -> FloatArray:
        """Return the predictive variance v(x), with the noise, in units of the kernel.

        Parameters
        ----------
        rows : ScaledRows
        penalty : float
            λ.

        Returns
        -------
        ndarray of shape (number of rows,)
        """
        found = np.empty(rows.shape[0])
        for start in range(0, rows.shape[0], _BLOCK):
            part = np.arange(start, min(start + _BLOCK, rows.shape[0]))
            some = rows.chosen(part)
            squares = self._turned(some) ** 2
            known = squares.sum(axis=0)
            learnt = (penalty / (self.values + penalty)) @ squares
            found[part] = np.maximum(self.shape.own(some) - known, 0.0) + learnt + penalty
        return found

    def _turned(self, rows: ScaledRows) -> FloatArray:
        """Return Uᵀ L⁻¹ k_m for every row."""
        kernel = self.shape.kernel(rows, self.landmarks)
        found: FloatArray = self.vectors.T @ solve_triangular(self.root, kernel.T, lower=True)
        return found
