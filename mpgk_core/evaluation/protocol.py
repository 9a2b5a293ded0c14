"""How accuracy is measured: the protocol, its folds, and which classes can be evaluated."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from math import isfinite
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mpgk_core.arrays import IntArray
from mpgk_core.checks import check_choice, check_whole, distinct_values
from mpgk_core.errors import InvalidGraphError, InvalidParameterError, shortened
from mpgk_core.kernels.update import derived_seed
from mpgk_core.text import counted

_LEAST = {"n_folds": 2, "n_repeats": 1, "inner_folds": 2, "random_state": 0}
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
    splits : tuple of tuple of int
        Fixed splits instead of shuffles, one for every repetition: the fold in which each graph is
        tested, counted from 0; -1 for a graph that is never tested, -2 for one that takes no
        part. They decide on ``n_folds`` and ``n_repeats``. Inner folds are shuffled as ever.

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
    splits: tuple[tuple[int, ...], ...] = ()

    def __post_init__(self) -> None:
        if self.splits:
            object.__setattr__(self, "splits", tuple(map(tuple, self.splits)))
            object.__setattr__(self, "n_folds", _n_folds_of(self.splits))
            object.__setattr__(self, "n_repeats", len(self.splits))
        for name, least in _LEAST.items():
            if not (self.splits and name == "n_folds"):  # a single split is one fold
                check_whole(getattr(self, name), least, name, "Protocol")
        check_choice(self.inductive, (False, True), "inductive", "Protocol")
        check_choice(self.solver, ("kernel", "linear"), "solver", "Protocol")
        for name in ("C", "iterations", "levels"):
            values = distinct_values(getattr(self, name), name, "Protocol")
            object.__setattr__(self, name, tuple(sorted(values)))
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
        return replace(self, n_repeats=1, splits=self.splits[:1])

    @property
    def split_words(self) -> str:
        """What fixed splits test and leave out, in a sentence; empty without them.

        Examples
        --------
        >>> Protocol(splits=((0, 0, 1, 1, -2),)).split_words
        'Fixed splits, 1 x 2 folds: 4 of 5 graphs are tested, 1 takes no part in some of them.'
        """
        if not self.splits:
            return ""
        table = np.array(self.splits)
        n_tested = int((table >= 0).any(axis=0).sum())
        n_out = int((table == OUT).any(axis=0).sum())
        out = f", {n_out} take{'s' if n_out == 1 else ''} no part in some of them" if n_out else ""
        return (
            f"Fixed splits, {self.n_repeats} x {self.n_folds} folds: {n_tested} of "
            f"{table.shape[1]} graphs are tested{out}."
        )

    def identity(self) -> dict[str, Any]:
        """Return all that the result of one fold depends on: everything but ``n_repeats``.

        A quick run is therefore a part of the full one, and need not be done again.
        """
        facts = asdict(self)
        del facts["n_repeats"]
        return facts


OUT = -2
"""In a split: a graph that takes no part."""


def _n_folds_of(splits: tuple[tuple[int, ...], ...]) -> int:
    """Return how many folds each of the splits has, or raise."""
    owner = "The 'splits' parameter of Protocol"
    if len({len(split) for split in splits}) > 1:
        raise InvalidParameterError(f"{owner} has rows of different lengths. Give N numbers each.")
    found = [sorted({fold for fold in split if fold >= 0}) for split in splits]
    for repeat, (split, folds) in enumerate(zip(splits, found, strict=True)):
        if not folds or folds != list(range(len(folds))) or min(split) < OUT:
            raise InvalidParameterError(
                f"{owner}: repetition {repeat + 1} must hold folds counted from 0 without a gap, "
                f"-1 and -2. Got {sorted(set(split))[:20]} instead."
            )
        if len(folds) != len(found[0]):
            raise InvalidParameterError(
                f"{owner}: repetition {repeat + 1} has {len(folds)} folds, and the first has "
                f"{len(found[0])}. Give all of them equally many."
            )
    return len(found[0])


_SEED_BITS = 32


class Fold(NamedTuple):
    """One part of the graphs to test, and all others to learn from.

    Attributes
    ----------
    repeat, number : int
        From 0.
    train, test : ndarray of int
        Ascending.
    """

    repeat: int
    number: int
    train: IntArray
    test: IntArray


def outer_folds(classes: IntArray, protocol: Protocol) -> list[Fold]:
    """Split the graphs for every repetition.

    The folds depend on the seed, the number of the repetition and the classes alone: all
    kernels are tried on the same ones, and adding repetitions leaves the earlier ones as they
    are. Graphs are dealt out by their position, so a set in another order is another sample of
    folds; no split could distinguish equal graphs otherwise.

    Parameters
    ----------
    classes : ndarray of shape (N,)
        Numbers from 0.
    protocol : Protocol

    Returns
    -------
    list of Fold
        ``n_repeats`` times ``n_folds``.

    Examples
    --------
    >>> folds = outer_folds(np.array([0, 1] * 4), Protocol(n_folds=4, n_repeats=2))
    >>> len(folds), folds[0].test.tolist()
    (8, [0, 1])
    """
    folds = []
    for repeat, split in enumerate(protocol.splits):
        codes = np.array(split, dtype=np.int64)
        for number in range(protocol.n_folds):
            train = np.flatnonzero((codes != number) & (codes != OUT))
            folds.append(Fold(repeat, number, train, np.flatnonzero(codes == number)))
    for repeat in range(0 if protocol.splits else protocol.n_repeats):
        seed = derived_seed(protocol.random_state, "outer folds", repeat)
        for number, (train, test) in enumerate(stratified_split(classes, protocol.n_folds, seed)):
            folds.append(Fold(repeat, number, train, test))
    return folds


def inner_folds(
    classes: IntArray, fold: Fold, protocol: Protocol
) -> list[tuple[IntArray, IntArray]]:
    """Split the training part of a fold, to choose parameters on it.

    Parameters
    ----------
    classes : ndarray of shape (n,)
        Of the training graphs alone.
    fold : Fold
        Only its number and repetition count, for the seed.
    protocol : Protocol

    Returns
    -------
    list of (train, test)
        Positions among the training graphs.
    """
    place = fold.repeat * protocol.n_folds + fold.number
    seed = derived_seed(protocol.random_state, "inner folds", place)
    return stratified_split(classes, protocol.inner_folds, seed)


def stratified_split(classes: IntArray, n_parts: int, seed: int) -> list[tuple[IntArray, IntArray]]:
    """Split samples so that every class is spread evenly over the parts.

    Parameters
    ----------
    classes : ndarray of shape (n,)
    n_parts, seed : int

    Returns
    -------
    list of (train, test)
        Positions of the samples.
    """
    from sklearn.model_selection import StratifiedKFold

    splitter = StratifiedKFold(n_parts, shuffle=True, random_state=seed % (1 << _SEED_BITS))
    return list(splitter.split(np.zeros(len(classes)), classes))


def check_one_each(
    values: Sequence[Any], owners: Sequence[Any], owner: str, kind: str, remedy: str
) -> None:
    """Raise unless there is one value for each of its owners.

    Parameters
    ----------
    values : sequence
        Classes, roles or labels; None, NaN and empty texts are missing.
    owners : sequence
        Names of the graphs or vertices.
    owner : {"graph", "vertex"}
    kind : {"class", "role", "label"}
    remedy : str
        What to do about a missing value, beside giving it.
    """
    if len(values) != len(owners):
        n_owners = counted(len(owners), owner, _PLURALS.get(owner))
        n_values = counted(len(values), kind, _PLURALS.get(kind))
        raise InvalidGraphError(
            f"There are {n_owners} and {n_values}. Give every {owner} one {kind}."
        )
    for name, value in zip(owners, values, strict=True):
        if value is None or value != value or str(value) == "":
            raise InvalidGraphError(
                f"{owner.capitalize()} {shortened(str(name))} has no {kind}. Give it one, or "
                f"{remedy}."
            )


_PLURALS = {"vertex": "vertices", "class": "classes"}
FEWEST_GRAPHS = 10
"""Accuracies on fewer graphs say nothing."""


def checked_classes(
    classes: Any, n_graphs: int, protocol: Protocol
) -> tuple[tuple[Any, ...], IntArray]:
    """Return the names of the classes and the class of every graph as a number, or raise.

    Parameters
    ----------
    classes : array-like of shape (N,)
        Numbers or text.
    n_graphs : int
        The number N.
    protocol : Protocol

    Returns
    -------
    names : tuple
        In ascending order.
    codes : ndarray of shape (N,)
        Positions in ``names``.

    Examples
    --------
    >>> names, codes = checked_classes(["b", "a"] * 5, 10, Protocol(n_folds=5, inner_folds=2))
    >>> names, codes[:4].tolist()
    (('a', 'b'), [1, 0, 1, 0])
    """
    given = list(classes) if classes is not None else []
    check_one_each(given, range(n_graphs), "graph", "class", "leave the graph out")
    if n_graphs < FEWEST_GRAPHS:
        raise InvalidGraphError(
            f"There are only {n_graphs} graphs. Give at least {FEWEST_GRAPHS}: accuracies on fewer "
            "say nothing."
        )
    table, codes = np.unique(np.array(given), return_inverse=True)
    counts = np.bincount(codes)
    if len(table) < 2:
        raise InvalidGraphError(
            f"All graphs are of class {table[0]!s}. Give graphs of at least two classes."
        )
    if protocol.splits:
        _check_splits(table, codes, protocol)
    else:
        _check_counts(table, counts, protocol)
    return tuple(table.tolist()), codes.astype(np.int64)


def _check_splits(table: NDArray[Any], codes: IntArray, protocol: Protocol) -> None:
    """Raise unless there is a fold for every graph, and each class is in every training part."""
    if len(protocol.splits[0]) != len(codes):
        raise InvalidGraphError(
            f"There are {len(codes)} graphs, and the splits are of {len(protocol.splits[0])}. Give "
            "every graph one entry."
        )
    for fold in outer_folds(codes, protocol):
        counts = np.bincount(codes[fold.train], minlength=len(table))
        rarest = int(counts.argmin())
        if counts[rarest] < protocol.inner_folds:
            raise InvalidGraphError(
                f"Split {fold.repeat + 1}, fold {fold.number + 1}: class {table[rarest]!s} has "
                f"{counts[rarest]} graphs in the training part, fewer than the "
                f"{protocol.inner_folds} inner folds. Move some there, or leave this class out."
            )


def _check_counts(table: NDArray[Any], counts: IntArray, protocol: Protocol) -> None:
    rarest = int(counts.argmin())
    fewest = int(counts[rarest])
    if fewest < protocol.n_folds:
        raise InvalidGraphError(
            f"Class {table[rarest]!s} has only {fewest} graphs, fewer than the {protocol.n_folds} "
            "folds. Use fewer folds, or leave this class out."
        )
    in_training = fewest - -(-fewest // protocol.n_folds)
    if in_training < protocol.inner_folds:
        raise InvalidGraphError(
            f"Class {table[rarest]!s} has only {fewest} graphs: {in_training} remain for training, "
            f"fewer than the {protocol.inner_folds} inner folds. Use fewer inner folds, or leave "
            "this class out."
        )
