"""What models of regression share, those that learn no kernel, and ridge on explicit maps.

All take standardised targets, learn from the training part, and choose their settings by the root
mean squared error on the validation part. Closed forms learn all targets at once, the others one.
Ridge is solved exactly, or by conjugate gradients, and never needs an N × N matrix for large N.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, NamedTuple

import numpy as np
from scipy.linalg import eigh
from scipy.sparse import csr_array

from mpgk_core.activity import steps
from mpgk_core.arrays import FloatArray, IntArray
from mpgk_core.checks import check_memory, check_positive, check_whole, distinct_values
from mpgk_core.evaluation.regression.rows import ScaledRows
from mpgk_core.kernels.update import derived_seed

PENALTIES = tuple(float(10.0**e) for e in np.arange(-5, 2.5, 0.5))
"""The λ to choose from, by default."""
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


class Best:
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


@dataclass(frozen=True)
class Boosting(Model):
    """Gradient boosted trees (scikit-learn), stopped where the validation error is smallest.

    Parameters
    ----------
    n_trees : int
        At most.
    learning_rate : float
    n_columns : int
        The columns that differ from 0 in most training graphs are learnt from, so many at most.
    """

    n_trees: int = _BOOSTING_TREES
    learning_rate: float = 0.1
    n_columns: int = 128

    one_by_one = True

    def __post_init__(self) -> None:
        check_whole(self.n_trees, 1, "n_trees", "Boosting", maximum=10_000)
        check_positive(self.learning_rate, "learning_rate", "Boosting")
        check_whole(self.n_columns, 1, "n_columns", "Boosting")

    def fit(self, data: Data) -> Learnt:
        """Grow trees for one target."""
        from sklearn.ensemble import HistGradientBoostingRegressor  # takes long to import

        model = HistGradientBoostingRegressor(
            max_iter=self.n_trees,
            learning_rate=self.learning_rate,
            early_stopping=False,
            random_state=data.random_state,
        )
        common = np.argsort(-np.bincount(data.rows.indices), kind="stable")[: self.n_columns]

        def chosen(rows: csr_array) -> FloatArray:
            found: FloatArray = rows[:, np.sort(common)].toarray()
            return found

        model.fit(chosen(data.rows), data.targets[:, 0])
        staged = model.staged_predict(chosen(data.validation_rows))
        errors = [float(data.validation_errors(one[:, np.newaxis])[0]) for one in staged]
        n_chosen = int(np.argmin(errors)) + 1

        def predict(new: csr_array) -> tuple[FloatArray, FloatArray | None]:
            means = next(islice(model.staged_predict(chosen(new)), n_chosen - 1, None))
            return means[:, np.newaxis], None

        return Learnt([{"trees": n_chosen}], predict)


def check_positive_values(values: Any, name: str, owner: str) -> None:
    """Raise unless there is at least one value and all are finite numbers above 0."""
    for value in distinct_values(values, name, owner):
        check_positive(value, name, owner)


def made(kind: type[Model], parameters: Mapping[str, Any]) -> Model:
    """Return a model with parameters that may come from JSON: lists become tuples."""
    settings = {
        name: tuple(value) if isinstance(value, list) else value
        for name, value in parameters.items()
    }
    return kind(**settings)


_EXACT_UP_TO = 3000
_TOLERANCE = 1e-6
_MAX_STEPS = 1000
_NEIGHBOURS = (0.1, 1.0, 10.0)
_DESCENT_TOLERANCE, _DESCENT_STEPS = 1e-4, 200


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
    n_steps = 0
    for _ in steps(range(max_steps), "conjugate gradients"):
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
        n_steps += 1
    residual = float((np.linalg.norm(rest, axis=0) / lengths).max(initial=0.0))
    return Descent(weights, n_steps, residual)


def is_small(rows: ScaledRows) -> bool:
    """Return whether all λ can be solved at once, by eigenvectors."""
    return min(rows.shape) <= _EXACT_UP_TO


@dataclass(frozen=True)
class Ridge(Model):
    """Ridge regression on explicit rows, without an N × N matrix.

    Minimises ‖y - X w‖² + λ ‖w‖². Where neither side of X exceeds a few thousand, all λ are solved
    exactly. Else λ is chosen in the same way on a sample of the training graphs, and, with a tenth
    and ten times of it, solved for all graphs by conjugate gradients, of at most 200 steps each.

    Parameters
    ----------
    penalties : tuple of float
        The λ to choose from.
    n_pilot : int
        Size of the sample; at most 3,000.
    """

    penalties: tuple[float, ...] = PENALTIES
    n_pilot: int = 3000

    def __post_init__(self) -> None:
        check_positive_values(self.penalties, "penalties", "Ridge")
        check_whole(self.n_pilot, 2, "n_pilot", "Ridge", maximum=_EXACT_UP_TO)

    def fit(self, data: Data) -> Learnt:
        """Learn the weights."""
        rows = ScaledRows.of_training(data.rows)
        validation = rows.like(data.validation_rows)
        if is_small(rows):
            paths = ridge_path(rows, data.targets, self.penalties)
            best = Best(data, rows.shape[1])
            for penalty, weights in zip(self.penalties, paths, strict=True):
                best.offer(validation.times(weights), {"lambda": penalty}, weights)
            return _linear(rows, best, {})
        pilot = data.sample(self.n_pilot, "pilot")
        first = Best(data, rows.shape[1])
        paths = ridge_path(rows.chosen(pilot), data.targets[pilot], self.penalties)
        for penalty, weights in zip(self.penalties, paths, strict=True):
            first.offer(validation.times(weights), {"lambda": penalty}, weights)
        middle = np.array([chosen["lambda"] for chosen in first.chosen])
        best, start = Best(data, rows.shape[1]), first.weights
        for factor in sorted(_NEIGHBOURS, reverse=True):
            found = ridge_by_descent(
                rows, data.targets, factor * middle, start, _DESCENT_TOLERANCE, _DESCENT_STEPS
            )
            start = found.weights
            facts = [
                {"lambda": factor * one, "steps": found.n_steps, "residual": found.residual}
                for one in middle.tolist()
            ]
            best.offer(validation.times(start), facts, start)
        return _linear(rows, best, {"pilot": len(pilot)})


def _linear(rows: ScaledRows, best: Best, facts: Mapping[str, Any]) -> Learnt:
    """Return a linear model with its weights for the rows as they came."""
    plain = best.weights / rows.scale
    shift = rows.mean @ plain
    chosen = [{**facts, **of_target} for of_target in best.chosen]
    return Learnt(chosen, lambda new: (new @ plain - shift, None), plain)
