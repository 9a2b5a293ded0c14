"""Scores of classification beside accuracy: balanced accuracy, ROC AUC and average precision."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np

from mpgk_core.arrays import BoolArray, FloatArray, IntArray
from mpgk_core.checks import check_choice
from mpgk_core.evaluation.results import Evaluation, FoldRecord, over_repetitions

SCORES: Mapping[str, str] = {
    "accuracy": "Accuracy",
    "balanced accuracy": "Balanced accuracy",
    "ROC AUC": "ROC AUC",
    "average precision": "Average precision",
}
"""Titles of all scores."""

SCORE_TEXTS: Mapping[str, str] = {
    "accuracy": "Share of test graphs whose class is predicted correctly.",
    "balanced accuracy": "Mean over the classes of the share of their graphs that are found; "
    "0.5 for guessing between two classes, whatever their sizes.",
    "ROC AUC": "Probability that a graph of a class gets a higher decision value than a graph of "
    "another class; 0.5 for guessing. Mean over the classes, each against all others.",
    "average precision": "Mean precision when graphs are ranked by their decision values; the "
    "share of the class for guessing. Mean over the classes, each against all others.",
}
"""What every score says."""


class ScoreSummary(NamedTuple):
    """A score over all folds.

    Attributes
    ----------
    mean, spread : float
        NaN where a fold has no score.
    over : str
        What the deviation is taken over: "repetitions", or "folds" if there is one repetition.
    """

    mean: float
    spread: float
    over: str


def summarised(evaluation: Evaluation, score: str = "accuracy") -> ScoreSummary:
    """Return the mean of a score over the repetitions, with its deviation.

    Parameters
    ----------
    evaluation : Evaluation
    score : str
        A key of ``SCORES``.

    Returns
    -------
    ScoreSummary

    Examples
    --------
    >>> from mpgk_core.evaluation import Protocol, evaluate, generate
    >>> made = generate("motif", n_per_class=15)
    >>> protocol = Protocol(n_folds=5, n_repeats=1, iterations=(1,), inner_folds=3)
    >>> size = evaluate(made.graphs, made.classes, "size", protocol)
    >>> summarised(size).mean == summarised(size, "balanced accuracy").mean == size.mean
    True
    """
    values = fold_scores(evaluation, score)
    return summary_of_folds(values, over_repetitions(evaluation.records, values))


def summary_of_folds(values: FloatArray, repeats: FloatArray) -> ScoreSummary:
    """Return the mean over the repetitions, and the deviation over these or over the folds.

    Parameters
    ----------
    values : ndarray of shape (number of folds,)
    repeats : ndarray of shape (number of repetitions,)
        The means of the repetitions.

    Returns
    -------
    ScoreSummary
    """
    chosen, over = (repeats, "repetitions") if len(repeats) > 1 else (values, "folds")
    if len(values) == 0:
        return ScoreSummary(float("nan"), float("nan"), over)
    spread = float(np.std(chosen)) if len(chosen) > 1 else float("nan")
    return ScoreSummary(float(np.mean(repeats)), spread, over)


def fold_scores(evaluation: Evaluation, score: str) -> FloatArray:
    """Return a score in every fold.

    Parameters
    ----------
    evaluation : Evaluation
    score : str
        A key of ``SCORES``.

    Returns
    -------
    ndarray of shape (number of folds,)
        From 0 to 1; NaN where a fold has no decision values, which scores of a ranking need.
    """
    check_choice(score, list(SCORES), "score", "fold_scores")
    if score == "accuracy":
        return np.array([record.accuracy for record in evaluation.records])
    truth = evaluation.truth
    found = [_score(record, truth[list(record.test)], score) for record in evaluation.records]
    return np.array(found, dtype=np.float64)


def _score(record: FoldRecord, truth: IntArray, score: str) -> float:
    if score == "balanced accuracy":
        return balanced_accuracy(truth, np.array(record.predicted))
    if not record.decisions:
        return float("nan")
    return one_versus_rest(_RANKING[score], truth, np.array(record.decisions))


def balanced_accuracy(truth: IntArray, predicted: IntArray) -> float:
    """Return the mean over the classes of the share of their samples that are found.

    Parameters
    ----------
    truth, predicted : ndarray of shape (m,)

    Returns
    -------
    float

    Examples
    --------
    >>> balanced_accuracy(np.array([0, 0, 0, 1]), np.array([0, 0, 0, 0]))
    0.5
    """
    is_right = truth == predicted
    return float(np.mean([is_right[truth == c].mean() for c in np.unique(truth)]))


def one_versus_rest(
    score_of: Callable[[BoolArray, FloatArray], float], truth: IntArray, decisions: FloatArray
) -> float:
    """Return a score of a ranking: of the second of two classes, or the mean over several.

    Parameters
    ----------
    score_of : callable
        :func:`roc_auc` or :func:`average_precision`.
    truth : ndarray of shape (m,)
        Numbers from 0.
    decisions : ndarray of shape (m, 1) or (m, number of classes)

    Returns
    -------
    float
        NaN where only one class occurs.
    """
    present = np.unique(truth)
    if len(present) < 2:
        return float("nan")
    if decisions.shape[1] == 1:
        return score_of(truth == 1, decisions[:, 0])
    return float(np.mean([score_of(truth == c, decisions[:, c]) for c in present]))


def roc_auc(is_positive: BoolArray, values: FloatArray) -> float:
    """Return the area under the ROC curve: P(value of a positive > value of a negative).

    Equal values count half, so with ranks r (the mean rank for equal values)

        AUC = (Σ_{positives} r - p (p + 1) / 2) / (p n)

    for p positives and n negatives.

    Parameters
    ----------
    is_positive : ndarray of shape (m,)
        Both kinds occur.
    values : ndarray of shape (m,)

    Returns
    -------
    float

    Examples
    --------
    >>> roc_auc(np.array([True, False, True, False]), np.array([0.9, 0.5, 0.4, 0.1]))
    0.75
    """
    from scipy.stats import rankdata

    p = int(np.count_nonzero(is_positive))
    ranks = rankdata(values)
    return float((ranks[is_positive].sum() - p * (p + 1) / 2) / (p * (len(values) - p)))


def average_precision(is_positive: BoolArray, values: FloatArray) -> float:
    """Return the average precision: Σ (recall_i - recall_{i-1}) precision_i.

    The sum is over the distinct values in descending order; everything down to the value is taken
    as positive.

    Parameters
    ----------
    is_positive : ndarray of shape (m,)
        A positive occurs.
    values : ndarray of shape (m,)

    Returns
    -------
    float

    Examples
    --------
    >>> average_precision(np.array([True, False, True]), np.array([0.9, 0.5, 0.4]))
    0.8333333333333333
    """
    order = np.argsort(-values, kind="stable")
    is_last = np.append(np.diff(values[order]) != 0, True)
    n_taken = np.flatnonzero(is_last) + 1
    n_found = np.cumsum(is_positive[order])[is_last]
    gained = np.diff(n_found, prepend=0)
    return float(np.sum(gained * n_found / n_taken) / n_found[-1])


_RANKING = {"ROC AUC": roc_auc, "average precision": average_precision}
