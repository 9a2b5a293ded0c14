"""Kernel ridge regression and Gaussian processes, exactly or on landmarks.

Targets are standardised before they come here, and a mean function is subtracted.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from scipy.linalg import cho_factor, cho_solve, cholesky, eigh, solve_triangular
from scipy.sparse import csr_array

from mpgk_core.activity import steps
from mpgk_core.arrays import FloatArray, IntArray
from mpgk_core.checks import check_choice, check_flag, check_memory, check_whole
from mpgk_core.evaluation.regression.models import (
    PENALTIES,
    Best,
    Data,
    Learnt,
    Model,
    check_positive_values,
)
from mpgk_core.evaluation.regression.rows import ScaledRows

_WIDTHS = (0.5, 1.0, 2.0, 4.0)
_PENALTIES = (1e-7, 1e-6, *PENALTIES)
_JITTER = 1e-9
_BLOCK = 2048
_MOST_DIAGONAL = 3000


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
        return self.of_products(rows.products(others), rows, others)

    def of_products(self, products: FloatArray, rows: ScaledRows, others: ScaledRows) -> FloatArray:
        """Return the kernel between two lists of rows whose dot products are known."""
        if self.width is None:
            return products
        distances = 2.0 * products
        distances -= rows.squared_lengths()[:, np.newaxis]
        distances -= others.squared_lengths()
        np.minimum(distances, 0.0, out=distances)
        distances /= 2.0 * self.width**2
        return np.asarray(np.exp(distances, out=distances))

    def own(self, rows: ScaledRows) -> FloatArray:
        """Return the kernel of every row with itself."""
        return rows.squared_lengths() if self.width is None else np.ones(rows.shape[0])


class OnLandmarks(ABC):
    """A function of the kernels to landmarks, for every λ.

    Attributes
    ----------
    shape : Shape
    landmarks : ScaledRows
    """

    shape: Shape
    landmarks: ScaledRows

    @abstractmethod
    def weights(self, penalties: Sequence[float]) -> FloatArray:
        """Return w for every λ, side by side: an array of shape (m, k · number of λ)."""

    @abstractmethod
    def variances(self, rows: ScaledRows, penalty: float) -> FloatArray:
        """Return the predictive variance v(x), with the noise, in units of the kernel."""

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
        weights = self.weights(penalties)
        k = weights.shape[1] // len(penalties)
        found = np.empty((rows.shape[0], weights.shape[1]))
        for part in _blocks(rows, f"predictions of {rows.shape[0]:,} graphs"):
            found[part] = self.shape.kernel(rows.chosen(part), self.landmarks) @ weights
        return [found[:, start : start + k] for start in range(0, found.shape[1], k)]


@dataclass(frozen=True, eq=False)
class LandmarkRegression(OnLandmarks):
    """Regression with the kernels to m landmarks, prepared for every λ at once.

    The subset of regressors: f(x) = k_m(x)ᵀ w with (K_mn K_nm + λ K_mm) w = K_mn y (Quiñonero-
    Candela & Rasmussen 2005, JMLR 6, Equation 16). Its predictive variance is that of their
    deterministic training conditional (Equation 20), in units of the kernel and with noise λ:

        v(x) = k(x, x) - k_mᵀ K_mm⁻¹ k_m + λ k_mᵀ (K_mn K_nm + λ K_mm)⁻¹ k_m + λ.

    If all training graphs are landmarks, these are mean and variance of exact Gaussian process
    regression, and the mean is kernel ridge regression. With a basis B in which K_mm is the
    identity and K_mn K_nm is diagonal, Bᵀ K_mm B = I and Bᵀ K_mn K_nm B = diag(s), both are sums
    over s for any λ. If all are landmarks, the eigenvectors of K_mm are such a basis.

    Attributes
    ----------
    shape : Shape
    landmarks : ScaledRows
    basis : ndarray of shape (m, r)
        B.
    values : ndarray of shape (r,)
        s.
    inner : ndarray of shape (r, k)
        Bᵀ K_mn y.
    """

    shape: Shape
    landmarks: ScaledRows
    basis: FloatArray = field(repr=False)
    values: FloatArray = field(repr=False)
    inner: FloatArray = field(repr=False)

    @classmethod
    def exact(
        cls, shapes: Sequence[Shape], rows: ScaledRows, targets: FloatArray
    ) -> list[LandmarkRegression]:
        """Prepare everything but λ with all training graphs as landmarks, for every shape.

        Parameters
        ----------
        shapes : sequence of Shape
        rows : ScaledRows
            Of the n training graphs; some may be equal.
        targets : ndarray of shape (n, k)

        Returns
        -------
        list of LandmarkRegression
        """
        _check_room(rows.shape[0])
        products, found = rows.products(rows), []
        for shape in steps(shapes, f"kernel of {rows.shape[0]:,} graphs"):
            values, vectors = eigh(shape.of_products(products, rows, rows))
            is_kept = values > _JITTER * max(float(values[-1]), 1e-300)
            roots = np.sqrt(values[is_kept])
            inner = roots[:, np.newaxis] * (vectors[:, is_kept].T @ targets)
            found.append(cls(shape, rows, vectors[:, is_kept] / roots, values[is_kept], inner))
        return found

    @classmethod
    def fit(
        cls, shapes: Sequence[Shape], rows: ScaledRows, targets: FloatArray, landmarks: ScaledRows
    ) -> list[OnLandmarks]:
        """Prepare everything but λ, for every shape.

        Parameters
        ----------
        shapes : sequence of Shape
        rows : ScaledRows
            Of the n training graphs.
        targets : ndarray of shape (n, k)
        landmarks : ScaledRows
            m of them, pairwise different.

        Returns
        -------
        list of OnLandmarks
        """
        m = landmarks.shape[0]
        _check_room(m)
        grams = [np.zeros((m, m)) for _ in shapes]
        right = [np.zeros((m, targets.shape[1])) for _ in shapes]
        for part in _blocks(rows, f"kernels with {m:,} landmarks"):
            some = rows.chosen(part)
            products = some.products(landmarks)
            for place, shape in enumerate(shapes):
                block = shape.of_products(products, some, landmarks)
                grams[place] += block.T @ block
                right[place] += block.T @ targets[part]
        found: list[OnLandmarks] = []
        for shape, gram, inner in steps(
            list(zip(shapes, grams, right, strict=True)), f"equations of {m:,} landmarks"
        ):
            own = shape.kernel(landmarks, landmarks)
            own[np.diag_indices(m)] += _JITTER * max(float(np.trace(own)) / m, 1e-300)
            large = ManyLandmarks(shape, landmarks, own, gram, inner)
            found.append(large if m > _MOST_DIAGONAL else large.diagonal())
        return found

    def weights(self, penalties: Sequence[float]) -> FloatArray:
        """Return w for every λ, side by side."""
        shrunk = [self.inner / (self.values + penalty)[:, np.newaxis] for penalty in penalties]
        return np.asarray(self.basis @ np.hstack(shrunk))

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
        for part in _blocks(rows, f"intervals of {rows.shape[0]:,} graphs"):
            some = rows.chosen(part)
            squares = (self.shape.kernel(some, self.landmarks) @ self.basis) ** 2
            unknown = np.maximum(self.shape.own(some) - squares.sum(axis=1), 0.0)
            found[part] = unknown + squares @ (penalty / (self.values + penalty)) + penalty
        return found


@dataclass(frozen=True, eq=False)
class ManyLandmarks(OnLandmarks):
    """The same with so many landmarks that eigenvectors would take longer than all λ one by one.

    Attributes
    ----------
    shape : Shape
    landmarks : ScaledRows
    own, gram : ndarray of shape (m, m)
        K_mm and K_mn K_nm.
    right : ndarray of shape (m, k)
        K_mn y.
    """

    shape: Shape
    landmarks: ScaledRows
    own: FloatArray = field(repr=False)
    gram: FloatArray = field(repr=False)
    right: FloatArray = field(repr=False)

    def diagonal(self) -> LandmarkRegression:
        """Return the same prepared for every λ at once."""
        root = cholesky(self.own, lower=True)
        half = solve_triangular(root, self.gram, lower=True)
        turned = solve_triangular(root, half.T, lower=True)
        values, vectors = eigh((turned + turned.T) / 2, overwrite_a=True)
        basis = solve_triangular(root.T, vectors, lower=False)
        values, inner = np.maximum(values, 0.0), basis.T @ self.right
        return LandmarkRegression(self.shape, self.landmarks, basis, values, inner)

    def weights(self, penalties: Sequence[float]) -> FloatArray:
        """Solve for every λ."""
        found = [
            cho_solve(self._factor(penalty), self.right, check_finite=False)
            for penalty in steps(penalties, "penalties")
        ]
        return np.hstack(found)

    def variances(self, rows: ScaledRows, penalty: float) -> FloatArray:
        """Return the predictive variance v(x), with the noise, in units of the kernel."""
        prior, posterior = cho_factor(self.own), self._factor(penalty)
        found = np.empty(rows.shape[0])
        for part in _blocks(rows, f"intervals of {rows.shape[0]:,} graphs"):
            some = rows.chosen(part)
            kernel = self.shape.kernel(some, self.landmarks)
            known = np.einsum("nm,mn->n", kernel, cho_solve(prior, kernel.T))
            learnt = penalty * np.einsum("nm,mn->n", kernel, cho_solve(posterior, kernel.T))
            found[part] = np.maximum(self.shape.own(some) - known, 0.0) + learnt + penalty
        return found

    def _factor(self, penalty: float) -> tuple[FloatArray, bool]:
        both = penalty * self.own
        both += self.gram
        factor: tuple[FloatArray, bool] = cho_factor(both, overwrite_a=True, check_finite=False)
        return factor


def _check_room(m: int) -> None:
    check_memory(
        5 * 8 * m**2, f"The kernel of {m:,} landmarks", "Choose fewer landmarks or graphs."
    )


def _blocks(rows: ScaledRows, what: str) -> Iterator[IntArray]:
    """Yield the positions of some thousand rows after the other."""
    n = rows.shape[0]
    for start in steps(range(0, n, _BLOCK), what):
        yield np.arange(start, min(start + _BLOCK, n))


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
    n_pilot: int = 1000
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
        widths = self._widths_of_targets(data, rows, validation)
        shapes = [Shape(width) for width in sorted({*widths}, key=lambda width: width or 0.0)]
        learnt: Sequence[OnLandmarks]
        if rows.shape[0] <= self.n_landmarks:
            learnt = LandmarkRegression.exact(shapes, rows, data.targets)
        else:
            landmarks = _distinct(rows.chosen(data.sample(self.n_landmarks, "landmarks")))
            learnt = LandmarkRegression.fit(shapes, rows, data.targets, landmarks)
        best, models = Best(data), {model.shape.width: model for model in learnt}
        for width, model in models.items():
            own = np.array([width == of_target for of_target in widths])
            same = {"width": width, "landmarks": model.landmarks.shape[0]}
            for penalty, means in zip(
                self.penalties, model.means(validation, self.penalties), strict=True
            ):
                best.offer(np.where(own, means, np.inf), {**same, "lambda": penalty})
        amplitudes = np.ones(len(widths))
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

    def _widths_of_targets(
        self, data: Data, rows: ScaledRows, validation: ScaledRows
    ) -> list[float | None]:
        """Return the width for every target: the best one for a sample of training graphs."""
        k = data.targets.shape[1]
        if self.shape == "linear":
            return [None] * k
        if len(self.widths) == 1:
            return [*self.widths] * k
        pilot, best = data.sample(self.n_pilot, "pilot"), Best(data)
        shapes = [Shape(width) for width in self.widths]
        for model in LandmarkRegression.exact(shapes, rows.chosen(pilot), data.targets[pilot]):
            for predicted in model.means(validation, self.penalties):
                best.offer(predicted, {"width": model.shape.width})
        return [facts["width"] for facts in best.chosen]


def _distinct(rows: ScaledRows) -> ScaledRows:
    """Return the rows that no earlier one equals."""
    sparse = rows.rows.copy()
    sparse.sum_duplicates()
    seen: dict[bytes, int] = {}
    for i, (start, stop) in enumerate(zip(sparse.indptr, sparse.indptr[1:], strict=False)):
        part = sparse.indices[start:stop].tobytes() + sparse.data[start:stop].tobytes()
        seen.setdefault(part, i)
    return rows.chosen(np.array(sorted(seen.values()), dtype=np.int64))
