"""What models of regression share, and those that learn no kernel.

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
from mpgk_core.checks import check_positive, check_whole, distinct_values
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
    """

    n_trees: int = _BOOSTING_TREES
    learning_rate: float = 0.1

    one_by_one = True

    def __post_init__(self) -> None:
        check_whole(self.n_trees, 1, "n_trees", "Boosting", maximum=10_000)
        check_positive(self.learning_rate, "learning_rate", "Boosting")

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
