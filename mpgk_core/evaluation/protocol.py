"""How accuracy is measured: folds, repetitions, and what may be chosen on the training folds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from math import isfinite
from typing import Any

from mpgk_core.errors import InvalidParameterError
from mpgk_core.parameters import check_choice, check_whole

LEVELS = ("last", "sum")
"""Compare graphs by k^T alone, or by the sum of the graph kernels of t = 0..T."""


@dataclass(frozen=True)
class Protocol:
    """Repeated stratified cross-validation with everything chosen on the training folds.

    The defaults are the paper's: 10 folds, 10 repetitions with different shuffles, C from 10⁻³
    to 10³ and T from 1 to 4. In every fold, the values of C, T and levels with the most right
    predictions in a cross-validation of the training part alone are taken; of equally good ones
    the smallest C, then the smallest T, then ``"last"``. The test fold is looked at once, with
    these values.

    Parameters
    ----------
    n_folds : int
        Folds of the outer cross-validation; at least 2.
    n_repeats : int
        Repetitions, each with a shuffle of its own; at least 1.
    C : tuple of float
        Costs of the SVM to choose from.
    iterations : tuple of int
        Numbers of rounds T to choose from.
    levels : tuple of {"last", "sum"}
        Ways to use the rounds to choose from.
    inner_folds : int
        Folds of the cross-validation inside the training part; at least 2.
    random_state : int
        Seed of all shuffles.
    inductive : bool
        False is the paper's protocol: features and trees are learnt from all graphs, without
        their classes. True learns them from the training graphs of each fold alone.
    solver : {"kernel", "linear"}
        C-SVM on kernel matrices, or a linear SVM on explicit features, which needs no N × N
        matrix.

    Examples
    --------
    >>> Protocol().quick().n_repeats
    1
    >>> Protocol(n_folds=1)
    Traceback (most recent call last):
        ...
    mpgk_core.errors.InvalidParameterError: The 'n_folds' parameter of Protocol must be a whole
    number of at least 2. Got 1 instead.
    """

    n_folds: int = 10
    n_repeats: int = 10
    C: tuple[float, ...] = (1e-3, 1e-2, 1e-1, 1e0, 1e1, 1e2, 1e3)
    iterations: tuple[int, ...] = (1, 2, 3, 4)
    levels: tuple[str, ...] = LEVELS
    inner_folds: int = 5
    random_state: int = 0
    inductive: bool = False
    solver: str = "kernel"

    def __post_init__(self) -> None:
        check_whole(self.n_folds, 2, "n_folds", "Protocol")
        check_whole(self.n_repeats, 1, "n_repeats", "Protocol")
        check_whole(self.inner_folds, 2, "inner_folds", "Protocol")
        check_whole(self.random_state, 0, "random_state", "Protocol")
        check_choice(self.inductive, (False, True), "inductive", "Protocol")
        check_choice(self.solver, ("kernel", "linear"), "solver", "Protocol")
        for name in ("C", "iterations", "levels"):
            object.__setattr__(self, name, _distinct(getattr(self, name), name))
        for cost in self.C:
            if not isfinite(cost) or cost <= 0:
                raise InvalidParameterError(
                    f"Every C of Protocol must be a finite number above 0. Got {cost!r} instead."
                )
        for T in self.iterations:
            check_whole(T, 0, "iterations", "Protocol")
        for level in self.levels:
            check_choice(level, LEVELS, "levels", "Protocol")

    def quick(self) -> Protocol:
        """Return the same protocol with one repetition."""
        return replace(self, n_repeats=1)

    def identity(self) -> dict[str, Any]:
        """Return all that the result of one fold depends on: everything but ``n_repeats``.

        A quick run is therefore a part of the full one, and need not be done again.
        """
        facts = asdict(self)
        del facts["n_repeats"]
        return facts


def _distinct(values: Sequence[Any], name: str) -> tuple[Any, ...]:
    """Return the values in ascending order ("last" before "sum"), each once."""
    ordered = tuple(sorted(set(values)))
    if not ordered:
        raise InvalidParameterError(
            f"The {name!r} parameter of Protocol is empty. Give at least one value."
        )
    return ordered
