"""Which graphs are tested when: stratified folds, shuffled anew in every repetition."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mpgk_core.evaluation.protocol import Protocol
from mpgk_core.kernels.seeds import derived_seed

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
    train: NDArray[np.int64]
    test: NDArray[np.int64]


def outer_folds(classes: NDArray[np.int64], protocol: Protocol) -> list[Fold]:
    """Split the graphs for every repetition.

    The folds depend on the seed, the number of the repetition and the classes alone: all
    kernels are tried on the same ones, and adding repetitions leaves the earlier ones as they
    are. Graphs are dealt out by their position, so a set in another order is another sample of
    folds; no split could tell equal graphs apart otherwise.

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
    for repeat in range(protocol.n_repeats):
        seed = derived_seed(protocol.random_state, "outer folds", repeat)
        for number, (train, test) in enumerate(_split(classes, protocol.n_folds, seed)):
            folds.append(Fold(repeat, number, train, test))
    return folds


def inner_folds(
    classes: NDArray[np.int64], fold: Fold, protocol: Protocol
) -> list[tuple[NDArray[np.int64], NDArray[np.int64]]]:
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
    return _split(classes, protocol.inner_folds, seed)


def _split(
    classes: NDArray[np.int64], n_parts: int, seed: int
) -> list[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    from sklearn.model_selection import StratifiedKFold

    splitter = StratifiedKFold(n_parts, shuffle=True, random_state=seed % (1 << _SEED_BITS))
    return list(splitter.split(np.zeros(len(classes)), classes))
