"""The models of regression: what each of them learns, chooses, and predicts.

All take standardised targets, learn from the training part, and choose their settings by the root
mean squared error on the validation part. Closed forms learn all targets at once, the others one.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np
from scipy.sparse import csr_array

from mpgk_core.arrays import FloatArray, IntArray
from mpgk_core.evaluation.regression.network import NetworkSettings, train_network
from mpgk_core.evaluation.regression.solvers import (
    LandmarkRegression,
    ScaledRows,
    Shape,
    is_small,
    ridge_by_descent,
    ridge_path,
)
from mpgk_core.kernels.update import derived_seed

_PENALTIES = tuple(float(10.0**e) for e in np.arange(-5, 2.5, 0.5))
_WIDTHS = (0.5, 1.0, 2.0, 4.0)
_NEIGHBOURS = (0.1, 1.0, 10.0)
_DESCENT_TOLERANCE = 1e-4
_BOOSTING_TREES = 400


@dataclass(frozen=True, eq=False)
class Learnt:
    """A model after training.

    Attributes
    ----------
    chosen : list of mappings
        For every target, the settings that were chosen on the validation part.
    predict : callable
        Takes the rows of graphs; returns means of shape (number of graphs, k), and predictive
        deviations of this shape or None.
    weights : ndarray of shape (d, k) or None
        Of the columns of the rows, where the model is linear in them: the prediction is
        ``rows @ weights`` plus a constant.
    """

    chosen: list[dict[str, Any]]
    predict: Callable[[csr_array], tuple[FloatArray, FloatArray | None]]
    weights: FloatArray | None = None


class Data:
    """What a model learns from.

    Parameters
    ----------
    rows, validation_rows : csr_array
        Of the training and the validation part.
    targets, validation_targets : ndarray of shape (n, k)
        Standardised; a mean function may be subtracted.
    random_state : int
        Seed of landmarks, samples and initial weights.
    """

    def __init__(
        self,
        rows: csr_array,
        targets: FloatArray,
        validation_rows: csr_array,
        validation_targets: FloatArray,
        random_state: int,
    ) -> None:
        self.rows, self.targets = rows, targets
        self.validation_rows, self.validation_targets = validation_rows, validation_targets
        self.random_state = random_state

    def sample(self, size: int, purpose: str) -> IntArray:
        """Return the positions of some of the training graphs, ascending; all if there are few."""
        n = self.rows.shape[0]
        if size >= n:
            return np.arange(n)
        seed = derived_seed(self.random_state, purpose, 0)
        return np.sort(np.random.default_rng(seed).choice(n, size, replace=False))

    def validation_errors(self, predicted: FloatArray) -> FloatArray:
        """Return the root mean squared error of every target on the validation part."""
        squares = np.mean((predicted - self.validation_targets) ** 2, axis=0)
        return np.asarray(np.sqrt(squares))


class Model(ABC):
    """A way to learn; its attributes are parameters."""

    one_by_one = False
    """Whether targets are learnt one by one."""

    @abstractmethod
    def fit(self, data: Data) -> Learnt:
        """Learn from the training part, and choose settings on the validation part."""


@dataclass(frozen=True)
class Mean(Model):
    """The mean function alone: without a composition, the mean of the training part."""

    def fit(self, data: Data) -> Learnt:
        """Learn nothing."""
        k = data.targets.shape[1]
        return Learnt([{}] * k, lambda rows: (np.zeros((rows.shape[0], k)), None))


@dataclass(frozen=True)
class Ridge(Model):
    """Ridge regression on explicit rows, without an N × N matrix.

    Minimises ‖y - X w‖² + λ ‖w‖². Where neither side of X exceeds a few thousand, all λ are solved
    exactly. Else λ is chosen in the same way on a sample of the training graphs, and, with a tenth
    and ten times of it, solved for all graphs by conjugate gradients.

    Parameters
    ----------
    penalties : tuple of float
        The λ to choose from.
    n_pilot : int
        Size of the sample; at most 3,000.
    """

    penalties: tuple[float, ...] = _PENALTIES
    n_pilot: int = 3000

    def fit(self, data: Data) -> Learnt:
        """Learn the weights."""
        rows = ScaledRows.of_training(data.rows)
        validation = rows.like(data.validation_rows)
        if is_small(rows):
            paths = ridge_path(rows, data.targets, self.penalties)
            best = _Best(data, rows.shape[1])
            for penalty, weights in zip(self.penalties, paths, strict=True):
                best.offer(validation.times(weights), {"lambda": penalty}, weights)
            return _linear(rows, best, {})
        pilot = data.sample(min(self.n_pilot, 3000), "pilot")
        first = _Best(data, rows.shape[1])
        paths = ridge_path(rows.chosen(pilot), data.targets[pilot], self.penalties)
        for penalty, weights in zip(self.penalties, paths, strict=True):
            first.offer(validation.times(weights), {"lambda": penalty}, weights)
        middle = np.array([chosen["lambda"] for chosen in first.chosen])
        best, start = _Best(data, rows.shape[1]), first.weights
        for factor in sorted(_NEIGHBOURS, reverse=True):
            found = ridge_by_descent(
                rows, data.targets, factor * middle, start, tolerance=_DESCENT_TOLERANCE
            )
            start = found.weights
            facts = [
                {"lambda": factor * one, "steps": found.n_steps, "residual": found.residual}
                for one in middle.tolist()
            ]
            best.offer(validation.times(start), facts, start)
        return _linear(rows, best, {"pilot": len(pilot)})


class _Best:
    """Keeps, for every target, the settings with the smallest error on the validation part."""

    def __init__(self, data: Data, d: int = 0) -> None:
        k = data.targets.shape[1]
        self.data, self.errors = data, np.full(k, np.inf)
        self.chosen: list[dict[str, Any]] = [{} for _ in range(k)]
        self.weights = np.zeros((d, k))

    def offer(
        self,
        predicted: FloatArray,
        facts: Mapping[str, Any] | Sequence[Mapping[str, Any]],
        weights: FloatArray | None = None,
    ) -> None:
        """Take what is better than before; of equally good settings, the first stay."""
        errors = self.data.validation_errors(predicted)
        better = np.flatnonzero(errors < self.errors)
        self.errors[better] = errors[better]
        for target in better.tolist():
            own = facts if isinstance(facts, Mapping) else facts[target]
            self.chosen[target] = dict(own)
        if weights is not None:
            self.weights[:, better] = weights[:, better]


def _linear(rows: ScaledRows, best: _Best, facts: Mapping[str, Any]) -> Learnt:
    """Return a linear model with its weights for the rows as they came."""
    plain = best.weights / rows.scale
    shift = rows.mean @ plain
    chosen = [{**facts, **of_target} for of_target in best.chosen]
    return Learnt(chosen, lambda new: (new @ plain - shift, None), plain)


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

    def fit(self, data: Data) -> Learnt:
        """Learn the weights of the landmarks."""
        rows = ScaledRows.of_training(data.rows)
        validation = rows.like(data.validation_rows)
        widths = self._chosen_widths(data, rows, validation)
        landmarks = _distinct(rows.chosen(data.sample(self.n_landmarks, "landmarks")))
        best, models = _Best(data), {}
        for width in sorted(set(widths), key=lambda width: width or 0.0):
            own = np.array([one == width for one in widths])
            models[width] = LandmarkRegression.fit(Shape(width), rows, data.targets, landmarks)
            for penalty, means in zip(
                self.penalties, models[width].means(validation, self.penalties), strict=True
            ):
                own_facts = {"width": width, "lambda": penalty, "landmarks": landmarks.shape[0]}
                best.offer(np.where(own, means, np.inf), own_facts)
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

    def _chosen_widths(
        self, data: Data, rows: ScaledRows, validation: ScaledRows
    ) -> list[float | None]:
        """Return the width for every target, by a sample of training graphs."""
        k = data.targets.shape[1]
        if self.shape == "linear":
            return [None] * k
        pilot = data.sample(self.n_pilot, "pilot")
        some, best = rows.chosen(pilot), _Best(data)
        for width in self.widths:
            model = LandmarkRegression.fit(Shape(width), some, data.targets[pilot], _distinct(some))
            means = model.means(validation, self.penalties)
            for predicted in means:
                best.offer(predicted, {"width": width})
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


@dataclass(frozen=True)
class Boosting(Model):
    """Gradient boosted trees (scikit-learn), stopped where the validation error is smallest.

    Parameters
    ----------
    n_trees : int
        At most.
    learning_rate : float
    """

    n_trees: int = _BOOSTING_TREES
    learning_rate: float = 0.1

    one_by_one = True

    def fit(self, data: Data) -> Learnt:
        """Grow trees for one target."""
        from sklearn.ensemble import HistGradientBoostingRegressor  # takes long to import

        model = HistGradientBoostingRegressor(
            max_iter=self.n_trees,
            learning_rate=self.learning_rate,
            early_stopping=False,
            random_state=data.random_state,
        )
        model.fit(data.rows.toarray(), data.targets[:, 0])
        staged = model.staged_predict(data.validation_rows.toarray())
        errors = [float(data.validation_errors(one[:, np.newaxis])[0]) for one in staged]
        n_chosen = int(np.argmin(errors)) + 1

        def predict(new: csr_array) -> tuple[FloatArray, FloatArray | None]:
            means = next(islice(model.staged_predict(new.toarray()), n_chosen - 1, None))
            return means[:, np.newaxis], None

        return Learnt([{"trees": n_chosen}], predict)


@dataclass(frozen=True)
class Network(Model):
    """The paper's network: one hidden layer, Adam, a rate that falls linearly to zero.

    One network for every target. The inputs are standardised. The epoch with the smallest error on
    the validation part is taken.

    Parameters
    ----------
    hidden : int
        Units of the hidden layer; 512 in the paper.
    epochs : int
        200 in the paper.
    learning_rate : float
        At the start.
    batch : int
        Graphs in a step.
    """

    hidden: int = 512
    epochs: int = 200
    learning_rate: float = 1e-3
    batch: int = 128

    def fit(self, data: Data) -> Learnt:
        """Train the networks of all targets side by side."""
        inputs = np.asarray(data.rows.toarray())
        mean, deviation = inputs.mean(axis=0), inputs.std(axis=0)
        deviation[deviation == 0.0] = 1.0

        def scaled(rows: csr_array) -> FloatArray:
            found: FloatArray = (rows.toarray() - mean) / deviation
            return found

        settings = NetworkSettings(self.hidden, self.epochs, self.learning_rate, self.batch)
        seed = derived_seed(data.random_state, "network", 0)
        network = train_network(
            (inputs - mean) / deviation,
            data.targets,
            scaled(data.validation_rows),
            data.validation_targets,
            settings,
            seed,
        )
        chosen = [{"epoch": epoch} for epoch in network.epochs]
        return Learnt(chosen, lambda rows: (network.predict(scaled(rows)), None))


def made(kind: type[Model], parameters: Mapping[str, Any]) -> Model:
    """Return a model with parameters that may come from JSON: lists become tuples."""
    settings = {
        name: tuple(value) if isinstance(value, list) else value
        for name, value in parameters.items()
    }
    return kind(**settings)
