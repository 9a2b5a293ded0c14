"""Kernel ridge regression and Gaussian processes, exactly or on landmarks.

Targets are standardised before they come here, and a mean function is subtracted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from scipy.linalg import cholesky, eigh, solve_triangular
from scipy.sparse import csr_array

from mpgk_core.arrays import FloatArray
from mpgk_core.checks import check_choice, check_flag, check_memory, check_whole
from mpgk_core.evaluation.regression.models import (
    PENALTIES,
    Best,
    Data,
    Learnt,
    Model,
    check_positive_values,
)
from mpgk_core.evaluation.regression.scaled_rows import ScaledRows

_WIDTHS = (0.5, 1.0, 2.0, 4.0)
_PENALTIES = (1e-7, 1e-6, *PENALTIES)
_JITTER = 1e-9
_BLOCK = 2048


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


@dataclass(frozen=True)
class KernelRidge(Model):
    """Kernel ridge regression, or a Gaussian process, with a kernel made of the rows.

    Exact where there are at most ``n_landmarks`` training graphs, and else on as many landmarks,
    drawn at random: the subset of regressors, an approximation. The width is chosen on a sample of
    the training graphs, λ with all of them.

    Parameters
    ----------
    shape : {"gaussian", "linear"}
        The kernel of the model: Gaussian of the distance between rows, or their dot product.
    widths : tuple of float
        Of the Gaussian, to choose from; 1 is the root mean squared distance of rows from their
        mean.
    penalties : tuple of float
        The λ to choose from.
    n_landmarks, n_pilot : int
    with_deviations : bool
        Whether predictive deviations are wanted. The amplitude of the process is the one with
        which standardised errors on the validation part have mean square 1.
    """

    shape: str = "gaussian"
    widths: tuple[float, ...] = _WIDTHS
    penalties: tuple[float, ...] = _PENALTIES
    n_landmarks: int = 2000
    n_pilot: int = 2000
    with_deviations: bool = False

    def __post_init__(self) -> None:
        owner = "KernelRidge"
        check_choice(self.shape, ("gaussian", "linear"), "shape", owner)
        check_positive_values(self.widths, "widths", owner)
        check_positive_values(self.penalties, "penalties", owner)
        check_whole(self.n_landmarks, 1, "n_landmarks", owner)
        check_whole(self.n_pilot, 2, "n_pilot", owner)
        check_flag(self.with_deviations, "with_deviations", owner)

    def fit(self, data: Data) -> Learnt:
        """Learn the weights of the landmarks."""
        rows = ScaledRows.of_training(data.rows)
        validation = rows.like(data.validation_rows)
        possible = self._possible_widths(data, rows, validation)
        landmarks = _distinct(rows.chosen(data.sample(self.n_landmarks, "landmarks")))
        best, models = Best(data), {}
        for width in sorted(set().union(*possible), key=lambda width: width or 0.0):
            own = np.array([width in of_target for of_target in possible])
            models[width] = LandmarkRegression.fit(Shape(width), rows, data.targets, landmarks)
            for penalty, means in zip(
                self.penalties, models[width].means(validation, self.penalties), strict=True
            ):
                own_facts = {"width": width, "lambda": penalty, "landmarks": landmarks.shape[0]}
                best.offer(np.where(own, means, np.inf), own_facts)
        amplitudes = np.ones(len(possible))
        if self.with_deviations:
            for target, facts in enumerate(best.chosen):
                model, penalty = models[facts["width"]], facts["lambda"]
                error = model.means(validation, [penalty])[0][:, target]
                error = error - data.validation_targets[:, target]
                variances = model.variances(validation, penalty)
                amplitudes[target] = max(float(np.mean(error**2 / variances)), 1e-300)
                facts["amplitude"] = float(amplitudes[target])

        def predict(new: csr_array) -> tuple[FloatArray, FloatArray | None]:
            scaled = rows.like(new)
            kinds = [(facts["width"], facts["lambda"]) for facts in best.chosen]
            means = np.empty((scaled.shape[0], len(kinds)))
            deviations = np.empty_like(means) if self.with_deviations else None
            for kind in dict.fromkeys(kinds):
                model, penalty = models[kind[0]], kind[1]
                targets = [target for target, own in enumerate(kinds) if own == kind]
                means[:, targets] = model.means(scaled, [penalty])[0][:, targets]
                if deviations is not None:
                    variances = model.variances(scaled, penalty)[:, np.newaxis]
                    deviations[:, targets] = np.sqrt(variances * amplitudes[targets])
            return means, deviations

        return Learnt(best.chosen, predict)

    def _possible_widths(
        self, data: Data, rows: ScaledRows, validation: ScaledRows
    ) -> list[set[float | None]]:
        """Return the widths to try with all training graphs, for every target.

        One, chosen by a sample of training graphs; or all, if these are no more than the sample.
        """
        k = data.targets.shape[1]
        if self.shape == "linear":
            return [{None}] * k
        pilot = data.sample(self.n_pilot, "pilot")
        if len(pilot) == rows.shape[0] or len(self.widths) == 1:
            return [set(self.widths)] * k
        some, best = rows.chosen(pilot), Best(data)
        for width in self.widths:
            model = LandmarkRegression.fit(Shape(width), some, data.targets[pilot], _distinct(some))
            for predicted in model.means(validation, self.penalties):
                best.offer(predicted, {"width": width})
        return [{facts["width"]} for facts in best.chosen]


def _distinct(rows: ScaledRows) -> ScaledRows:
    """Return the rows that no earlier one equals."""
    sparse = rows.rows.copy()
    sparse.sum_duplicates()
    seen: dict[bytes, int] = {}
    for i, (start, stop) in enumerate(zip(sparse.indptr, sparse.indptr[1:], strict=False)):
        part = sparse.indices[start:stop].tobytes() + sparse.data[start:stop].tobytes()
        seen.setdefault(part, i)
    return rows.chosen(np.array(sorted(seen.values()), dtype=np.int64))
