"""One fold of nested cross-validation: choose on the training part, then test once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from time import perf_counter
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, issparse

from mpgk_core.evaluation.folds import Fold, inner_folds
from mpgk_core.evaluation.kernel_spec import Candidate
from mpgk_core.evaluation.linear_svm import predict_path_linear
from mpgk_core.evaluation.protocol import Protocol
from mpgk_core.evaluation.svm import predict_path

Samples: TypeAlias = NDArray[np.float64] | csr_array
"""What an SVM learns from: a kernel matrix, or sparse feature rows."""


@dataclass(frozen=True)
class FoldRecord:
    """What happened in one fold.

    Attributes
    ----------
    repeat, fold : int
        From 0.
    C : float or None
        The chosen cost; None without an SVM.
    T : int or None
        The chosen number of rounds.
    levels : str or None
        The chosen use of the rounds.
    setting : int
        The chosen one of the spec's alternatives.
    inner_accuracy : float
        Share of right predictions of the chosen values inside the training part.
    accuracy : float
        Share of right predictions in the test fold.
    test : tuple of int
        The graphs of the test fold.
    predicted : tuple of int
        Their predicted classes, as numbers.
    unconverged : int
        SVMs that gave up before they reached the tolerance.
    svm_seconds, other_seconds : float
        Time in SVMs, and time for everything else in this fold. What all folds share counts
        with the first one of a run.
    """

    repeat: int
    fold: int
    C: float | None
    T: int | None
    levels: str | None
    setting: int
    inner_accuracy: float
    accuracy: float
    test: tuple[int, ...]
    predicted: tuple[int, ...]
    unconverged: int
    svm_seconds: float
    other_seconds: float

    def moved(self, test: NDArray[np.int64], seconds: float) -> FoldRecord:
        """Return the record with other numbers for the test graphs, and with more time spent."""
        return replace(self, test=tuple(test.tolist()), other_seconds=self.other_seconds + seconds)


def evaluate_fold(
    samples: Sequence[Samples],
    choices: Sequence[Candidate],
    classes: NDArray[np.int64],
    fold: Fold,
    protocol: Protocol,
) -> FoldRecord:
    """Choose C and the candidate on the training part of a fold, and test them once.

    Parameters
    ----------
    samples : sequence of matrices
        For every candidate a kernel matrix or, for the linear solver, sparse feature rows.
    choices : sequence of Candidate
    classes : ndarray of shape (N,)
        Numbers from 0.
    fold : Fold
    protocol : Protocol

    Returns
    -------
    FoldRecord
    """
    begin = perf_counter()
    costs = np.array(protocol.C)
    parts = [
        (fold.train[train], fold.train[test])
        for train, test in inner_folds(classes[fold.train], fold, protocol)
    ]
    right = np.zeros((len(costs), len(choices)), dtype=np.int64)
    unconverged = 0
    svm_seconds = 0.0
    for c, sample in enumerate(samples):
        for train, test in parts:
            predicted, failures, seconds = _predict(sample, classes, train, test, costs)
            right[:, c] += np.count_nonzero(predicted == classes[test], axis=1)
            unconverged += failures
            svm_seconds += seconds
    cost, chosen = divmod(int(right.argmax()), len(choices))
    final, failures, seconds = _predict(
        samples[chosen], classes, fold.train, fold.test, costs[: cost + 1]
    )
    candidate = choices[chosen]
    return FoldRecord(
        repeat=fold.repeat,
        fold=fold.number,
        C=float(costs[cost]),
        T=candidate.T,
        levels=candidate.levels,
        setting=candidate.setting,
        inner_accuracy=float(right.max() / len(fold.train)),
        accuracy=float(np.mean(final[-1] == classes[fold.test])),
        test=tuple(fold.test.tolist()),
        predicted=tuple(final[-1].tolist()),
        unconverged=unconverged + failures,
        svm_seconds=svm_seconds + seconds,
        other_seconds=perf_counter() - begin - svm_seconds - seconds,
    )


def _predict(
    sample: Samples,
    classes: NDArray[np.int64],
    train: NDArray[np.int64],
    test: NDArray[np.int64],
    costs: NDArray[np.float64],
) -> tuple[NDArray[np.int64], int, float]:
    begin = perf_counter()
    method = predict_path_linear if issparse(sample) else predict_path
    predicted, failures = method(sample, classes, train, test, costs)
    return predicted, failures, perf_counter() - begin
