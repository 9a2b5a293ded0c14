"""What an evaluation found: accuracies, errors, and the values that were chosen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from mpgk_core.arrays import BoolArray, FloatArray, IntArray
from mpgk_core.evaluation.methods import MAJORITY, KernelSpec
from mpgk_core.evaluation.protocol import OUT, Protocol, outer_folds


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
    decisions : tuple of tuples of float
        For every test graph one decision value, above 0 for the second of two classes, or a value
        for each of several classes. Empty without an SVM, and in results of earlier versions.
    """

    repeat: int
    fold: int
    inner_accuracy: float
    accuracy: float
    test: tuple[int, ...]
    predicted: tuple[int, ...]
    C: float | None = None
    T: int | None = None
    levels: str | None = None
    setting: int = 0
    unconverged: int = 0
    svm_seconds: float = 0.0
    other_seconds: float = 0.0
    decisions: tuple[tuple[float, ...], ...] = ()


def kept_decisions(decisions: FloatArray) -> tuple[tuple[float, ...], ...]:
    """Return decision values with seven significant digits, which halves what is stored.

    Examples
    --------
    >>> kept_decisions(np.array([[1 / 3], [-2.0]]))
    ((0.3333333,), (-2.0,))
    """
    return tuple(tuple(float(f"{value:.7g}") for value in row) for row in decisions.tolist())


@dataclass(frozen=True)
class ClassScore:
    """How well one class is found.

    Attributes
    ----------
    name : str or number
    n_graphs : int
    precision : float
        Share of graphs of this class among those predicted to be.
    recall : float
        Share of graphs of this class that were found.
    f1 : float
        Harmonic mean of both.
    """

    name: Any
    n_graphs: int
    precision: float
    recall: float
    f1: float


@dataclass(frozen=True, eq=False)
class Evaluation:
    """The folds of one kernel on one data set, and what follows from them.

    Attributes
    ----------
    spec : KernelSpec
    protocol : Protocol
    names : tuple
        The classes.
    truth : ndarray of shape (N,)
        The class of every graph, as a position in ``names``.
    records : tuple of FoldRecord
        In order; fewer than planned after a stop.
    """

    spec: KernelSpec
    protocol: Protocol
    names: tuple[Any, ...]
    truth: IntArray
    records: tuple[FoldRecord, ...]

    @property
    def is_complete(self) -> bool:
        """Whether every fold of every repetition is there."""
        return len(self.records) == self.protocol.n_folds * self.protocol.n_repeats

    @property
    def repeat_accuracies(self) -> FloatArray:
        """The mean accuracy over the folds of every repetition, as far as they are done."""
        return over_repetitions(self.records, [record.accuracy for record in self.records])

    @property
    def mean(self) -> float:
        """Mean accuracy over the repetitions; NaN before the first fold."""
        return float(np.mean(self.repeat_accuracies)) if self.records else float("nan")

    @property
    def std(self) -> float:
        """Standard deviation over the repetitions (divided by their number)."""
        return float(np.std(self.repeat_accuracies)) if self.records else float("nan")

    @property
    def fold_std(self) -> float:
        """Standard deviation over all folds (divided by their number)."""
        accuracies = [record.accuracy for record in self.records]
        return float(np.std(accuracies)) if accuracies else float("nan")

    @property
    def spread(self) -> float:
        """Standard deviation over the repetitions or, if there is only one, over its folds.

        NaN for a single fold: one number has no deviation.
        """
        if len(self.repeat_accuracies) > 1:
            return self.std
        return self.fold_std if len(self.records) > 1 else float("nan")

    @property
    def spread_over(self) -> str:
        """What :attr:`spread` is taken over: "repetitions" or "folds"."""
        return "repetitions" if len(self.repeat_accuracies) > 1 else "folds"

    @property
    def confusion(self) -> IntArray:
        """How often class i was taken for class j, over all repetitions, as entry (i, j)."""
        table = np.zeros((len(self.names), len(self.names)), dtype=np.int64)
        for record in self.records:
            for graph, predicted in zip(record.test, record.predicted, strict=True):
                table[self.truth[graph], predicted] += 1
        return table

    @property
    def class_scores(self) -> list[ClassScore]:
        """Precision, recall and F1 of every class, over all repetitions."""
        table = self.confusion.astype(np.float64)
        right, predicted, there = table.diagonal(), table.sum(axis=0), table.sum(axis=1)
        precision = np.divide(right, predicted, out=np.zeros_like(right), where=predicted > 0)
        recall = np.divide(right, there, out=np.zeros_like(right), where=there > 0)
        both = predicted + there
        f1 = np.divide(2 * right, both, out=np.zeros_like(right), where=both > 0)
        counts = np.bincount(self.truth, minlength=len(self.names)).tolist()
        return [
            ClassScore(*row)
            for row in zip(
                self.names, counts, precision.tolist(), recall.tolist(), f1.tolist(), strict=True
            )
        ]

    @property
    def chosen(self) -> dict[str, Counter[Any]]:
        """How often each C, T, way to use the rounds, and setting was chosen."""
        return {
            name: Counter(sorted((getattr(r, name) for r in self.records), key=str))
            for name in ("C", "T", "levels", "setting")
        }

    @property
    def error_rates(self) -> FloatArray:
        """Share of repetitions in which each graph was misclassified; NaN if never tested."""
        wrong, tested = np.zeros(len(self.truth)), np.zeros(len(self.truth))
        for record in self.records:
            test = list(record.test)
            tested[test] += 1
            wrong[test] += self.truth[test] != np.array(record.predicted)
        rates: FloatArray = np.full(len(wrong), np.nan)
        return np.divide(wrong, tested, out=rates, where=tested > 0)

    @property
    def is_mostly_wrong(self) -> BoolArray:
        """Whether each graph was misclassified in more than half of its tests."""
        wrong: BoolArray = np.nan_to_num(self.error_rates) > 0.5
        return wrong

    def trained_on(self, record: FoldRecord) -> IntArray:
        """Return the training graphs of a fold: all that are not tested, or what a split says."""
        others = np.setdiff1d(np.arange(len(self.truth)), record.test)
        if not self.protocol.splits:
            return others
        split = np.array(self.protocol.splits[record.repeat], dtype=np.int64)
        taught: IntArray = others[split[others] != OUT]
        return taught

    def learnt_from(self, graph: int) -> IntArray:
        """Return the training graphs of the first fold in which a graph was tested."""
        for record in self.records:
            if graph in record.test:
                return self.trained_on(record)
        return np.setdiff1d(np.arange(len(self.truth)), [graph])

    @property
    def svm_seconds(self) -> float:
        """Time in SVMs, over all folds."""
        return sum(record.svm_seconds for record in self.records)

    @property
    def other_seconds(self) -> float:
        """Time outside SVMs, kernels included."""
        return sum(record.other_seconds for record in self.records)


def over_repetitions(records: Sequence[FoldRecord], values: Iterable[float]) -> FloatArray:
    """Return the mean of a value over the folds of every repetition, as far as they are done.

    Parameters
    ----------
    records : sequence of FoldRecord
    values : iterable of float
        One for every record.

    Returns
    -------
    ndarray of shape (number of repetitions,)
    """
    by_repeat: dict[int, list[float]] = {}
    for record, value in zip(records, values, strict=True):
        by_repeat.setdefault(record.repeat, []).append(float(value))
    return np.array([np.mean(by_repeat[repeat]) for repeat in sorted(by_repeat)])


def with_majority(evaluations: Sequence[Evaluation]) -> list[Evaluation]:
    """Add the baseline that every table of accuracies needs: always the most frequent class.

    In every fold it says the most frequent class of the training graphs; of equally frequent
    ones the first.

    Parameters
    ----------
    evaluations : sequence of Evaluation
        Of one data set under one protocol.

    Returns
    -------
    list of Evaluation
        The same, and the baseline in the folds of the one that has most of them.

    Examples
    --------
    >>> from mpgk_core.evaluation import Protocol, evaluate, generate
    >>> made = generate("motif", n_per_class=15)
    >>> protocol = Protocol(n_folds=5, n_repeats=1, iterations=(1,), inner_folds=3)
    >>> size = evaluate(made.graphs, made.classes, "size", protocol)
    >>> [(one.spec.title, one.mean) for one in with_majority([size])][1]
    ('Majority class', 0.5)
    """
    known = max(evaluations, key=lambda one: len(one.records), default=None)
    if known is None or any(one.spec.method == MAJORITY for one in evaluations):
        return list(evaluations)
    records = tuple(
        _majority_record(record, known.truth, known.trained_on(record)) for record in known.records
    )
    spec = KernelSpec(MAJORITY, ("{}",))
    return [*evaluations, replace(known, spec=spec, records=records)]


def majority_accuracy(classes: Any, protocol: Protocol) -> float:
    """Return the mean accuracy of the majority class in the folds of a protocol.

    Parameters
    ----------
    classes : array-like of shape (N,)
        Numbers or text.
    protocol : Protocol

    Returns
    -------
    float

    Examples
    --------
    >>> majority_accuracy(["a"] * 6 + ["b"] * 3, Protocol(n_folds=3, n_repeats=2))
    0.6666666666666666
    """
    truth = np.unique(np.array(list(classes)), return_inverse=True)[1].astype(np.int64)
    folds = outer_folds(truth, protocol)
    return float(np.mean([np.mean(truth[f.test] == _majority(truth[f.train])) for f in folds]))


def _majority(trained: IntArray) -> int:
    """Return the most frequent class of training graphs, or the first of them."""
    return int(np.bincount(trained).argmax())


def _majority_record(record: FoldRecord, truth: IntArray, train: IntArray) -> FoldRecord:
    test = np.array(record.test, dtype=np.int64)
    predicted = _majority(truth[train])
    return FoldRecord(
        record.repeat,
        record.fold,
        inner_accuracy=float(np.mean(truth[train] == predicted)),
        accuracy=float(np.mean(truth[test] == predicted)),
        test=record.test,
        predicted=(predicted,) * len(test),
    )
