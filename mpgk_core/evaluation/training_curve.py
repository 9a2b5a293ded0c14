"""How accuracy grows with the number of training graphs, in the folds of an evaluation.

Every fold is tested again after training on a part of its training graphs. The parts are nested:
each holds the smaller ones. The kernel (T, features, weights) is the one that the fold chose on its
whole training part; C is chosen anew on every part. So the largest part gives the accuracy of the
evaluation itself, and the accuracies of small parts are slightly optimistic, because their kernel
was chosen with more graphs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from mpgk_core.arrays import FloatArray, IntArray
from mpgk_core.checks import check_memory
from mpgk_core.errors import InvalidParameterError
from mpgk_core.evaluation.methods import Candidate, KernelSpec
from mpgk_core.evaluation.nested_cv import evaluate_fold, record_of
from mpgk_core.evaluation.protocol import Fold, Protocol
from mpgk_core.evaluation.results import Evaluation, FoldRecord
from mpgk_core.evaluation.samples import Samples, checked_matrix, feature_rows, square_matrix
from mpgk_core.evaluation.scores import summarised
from mpgk_core.graphs import GraphSet, as_graph_set
from mpgk_core.jobs import Engine, Progress, Store, Task, Unit, run_key, run_task
from mpgk_core.kernels.update import derived_seed

SHARES = (0.1, 0.2, 0.4, 0.6, 0.8, 1.0)
"""Parts of the training graphs, by default."""


@dataclass(frozen=True)
class TrainingPoint:
    """One kernel trained on a part of the training graphs.

    Attributes
    ----------
    share : float
        Of the training graphs of a fold.
    n_graphs : float
        Training graphs, the mean over the folds.
    evaluation : Evaluation
        The folds that are done with this part.
    """

    share: float
    n_graphs: float
    evaluation: Evaluation


@dataclass(frozen=True, eq=False)
class TrainingCurve:
    """The learning curves of several kernels.

    Attributes
    ----------
    of_method : mapping
        From the method to its points, in ascending order.
    """

    of_method: Mapping[str, tuple[TrainingPoint, ...]]

    def rows(self, score: str = "accuracy") -> list[dict[str, Any]]:
        """Return one row for every kernel and part, in per cent.

        Parameters
        ----------
        score : str
            A key of ``SCORES``.
        """
        rows = []
        for method, points in self.of_method.items():
            for point in points:
                mean, spread, over = summarised(point.evaluation, score)
                rows.append(
                    {
                        "kernel": method,
                        "share of training graphs": point.share,
                        "training graphs": round(point.n_graphs, 1),
                        score: round(100 * mean, 2),
                        "std": round(100 * spread, 2),
                        "std over": over,
                        "folds": len(point.evaluation.records),
                    }
                )
        return rows


def nested_parts(
    classes: IntArray, fold: Fold, protocol: Protocol, shares: Sequence[float]
) -> list[IntArray]:
    """Return parts of the training graphs of a fold, each of which holds the smaller ones.

    Every class keeps its share, but at least as many graphs as there are inner folds.

    Parameters
    ----------
    classes : ndarray of shape (N,)
        Numbers from 0.
    fold : Fold
    protocol : Protocol
    shares : sequence of float
        Above 0, at most 1.

    Returns
    -------
    list of ndarray
        Graphs in ascending order.

    Examples
    --------
    >>> fold = Fold(0, 0, np.arange(20), np.arange(20, 24))
    >>> parts = nested_parts(np.arange(24) % 2, fold, Protocol(inner_folds=2), (0.2, 0.5, 1.0))
    >>> [len(part) for part in parts]
    [4, 10, 20]
    """
    place = fold.repeat * protocol.n_folds + fold.number
    rng = np.random.default_rng(derived_seed(protocol.random_state, "training parts", place))
    own = classes[fold.train]
    orders = [rng.permutation(fold.train[own == c]) for c in np.unique(own)]
    parts = []
    for share in shares:
        sizes = [max(round(share * len(order)), protocol.inner_folds) for order in orders]
        chosen = [order[:size] for order, size in zip(orders, sizes, strict=True)]
        parts.append(np.sort(np.concatenate(chosen)))
    return parts


@dataclass(frozen=True, eq=False)
class TrainingCurveTask(Task):
    """The folds of evaluations, trained on growing parts; a unit is a fold with all its parts.

    Attributes
    ----------
    graphs : GraphSet
    evaluations : tuple of Evaluation
        Of these graphs; the folds that they have are done.
    shares : tuple of float
        Parts of the training graphs.
    matrices : mapping of KernelSpec to ndarray of shape (N, N)
        Kernel matrices that the user has made.
    """

    graphs: GraphSet
    evaluations: tuple[Evaluation, ...]
    shares: tuple[float, ...] = SHARES
    matrices: Mapping[KernelSpec, FloatArray] = field(default_factory=dict)

    kind = "training curve"
    unit_name = "folds"

    def units(self) -> list[Unit]:
        """Return the folds, those that share a kernel side by side, or raise."""
        for share in self.shares:
            if not 0 < share <= 1:
                raise InvalidParameterError(
                    f"A share of training graphs must be above 0 and at most 1. Got {share!r}."
                )
        for one in self.evaluations:
            if one.protocol.inductive:
                raise InvalidParameterError(
                    "The learning curve needs kernels that are learnt from all graphs, without "
                    "their classes. Switch off the inductive protocol."
                )
            if one.protocol.solver == "kernel":
                check_memory(
                    3 * 8 * len(self.graphs) ** 2,
                    f"A kernel matrix of {len(self.graphs)} graphs",
                    "Use solver='linear', or fewer graphs.",
                )
        return list(self._fold_of)

    def run(self, unit: Unit, memory: dict[Any, Any]) -> list[dict[str, Any]]:
        """Train on the parts of one fold, and test each."""
        evaluation, record = self._fold_of[unit]
        rules, classes = evaluation.protocol, evaluation.truth
        candidate = Candidate(record.T, record.levels, record.setting)
        if memory.get("key") != unit.key:
            memory["samples"] = None  # two matrices may be too much
            memory["samples"] = self._samples(evaluation.spec, candidate, rules)
            memory["key"] = unit.key
        test = np.array(record.test, dtype=np.int64)
        fold = Fold(record.repeat, record.fold, evaluation.trained_on(record), test)
        return [
            {
                "share": share,
                "n_train": len(part),
                "record": asdict(
                    evaluate_fold(
                        [memory["samples"]], [candidate], classes, fold._replace(train=part), rules
                    )
                ),
            }
            for share, part in zip(
                self.shares, nested_parts(classes, fold, rules, self.shares), strict=True
            )
        ]

    def curve(self, results: Mapping[Unit, Any]) -> TrainingCurve:
        """Return what is known of the curves.

        Parameters
        ----------
        results : mapping from Unit to JSON values
            As many as there are.

        Returns
        -------
        TrainingCurve
        """
        found: dict[str, dict[float, list[tuple[int, FoldRecord]]]] = {}
        for unit, (evaluation, _) in self._fold_of.items():
            by_share = found.setdefault(evaluation.spec.method, {})
            for values in results.get(unit, ()):
                record = record_of(values["record"])
                by_share.setdefault(values["share"], []).append((values["n_train"], record))
        curves: dict[str, tuple[TrainingPoint, ...]] = {}
        for one in self.evaluations:
            points = []
            for share, folds in sorted(found.get(one.spec.method, {}).items()):
                records = sorted((r for _, r in folds), key=lambda r: (r.repeat, r.fold))
                size = float(np.mean([n for n, _ in folds]))
                points.append(TrainingPoint(share, size, replace(one, records=tuple(records))))
            if points:
                curves[one.spec.method] = tuple(points)
        return TrainingCurve(curves)

    def _samples(self, spec: KernelSpec, candidate: Candidate, rules: Protocol) -> Samples:
        if spec in self.matrices:
            return self.matrices[spec]
        if rules.solver == "linear":
            return feature_rows(spec, candidate, self.graphs)
        return square_matrix(spec, candidate, self.graphs)

    @cached_property
    def _fold_of(self) -> dict[Unit, tuple[Evaluation, FoldRecord]]:
        """The evaluation and the fold of every unit."""
        units: dict[Unit, tuple[Evaluation, FoldRecord]] = {}
        for one in self.evaluations:
            keys: dict[Candidate, str] = {}
            facts = self.graphs, one.truth, one.protocol.identity(), one.spec, self.shares
            own = []
            for record in one.records:
                candidate = Candidate(record.T, record.levels, record.setting)
                if candidate not in keys:
                    keys[candidate] = run_key("training curve", *facts, tuple(candidate))
                place = f"{record.repeat}/{record.fold}"
                own.append((Unit(keys[candidate], place), record))
            order = {key: number for number, key in enumerate(keys.values())}
            for unit, record in sorted(own, key=lambda pair: order[pair[0].key]):
                units[unit] = one, record
        return units


def training_curve(
    graphs: Any,
    evaluations: Sequence[Evaluation],
    shares: Sequence[float] = SHARES,
    *,
    engine: Engine | None = None,
    store: Store | None = None,
    progress: Progress | None = None,
    stop: Callable[[], bool] | None = None,
    matrix: ArrayLike | None = None,
) -> TrainingCurve:
    """Measure how accuracy grows with the number of training graphs.

    Parameters
    ----------
    graphs : GraphSet, or list of GraphSets or networkx graphs
    evaluations : sequence of Evaluation
        Of these graphs.
    shares : sequence of float
        Parts of the training graphs.
    engine, store, progress, stop
        As for :func:`~mpgk_core.evaluation.evaluate`.
    matrix : array-like of shape (N, N), optional
        The kernel matrix of your own that one of the evaluations is of.

    Returns
    -------
    TrainingCurve

    Examples
    --------
    >>> from mpgk_core.evaluation import evaluate, generate
    >>> made = generate("motif", n_per_class=15)
    >>> protocol = Protocol(n_folds=5, n_repeats=1, iterations=(1,), inner_folds=2)
    >>> found = evaluate(made.graphs, made.classes, "AA", protocol)
    >>> curve = training_curve(made.graphs, [found], (0.25, 1.0))
    >>> [round(point.n_graphs) for point in curve.of_method["AA"]]
    [6, 24]
    """
    prepared, matrices = as_graph_set(graphs), {}
    if matrix is not None:
        checked = checked_matrix(matrix, len(prepared), evaluations[0].protocol)
        matrices[KernelSpec.of_matrix(checked)] = checked
    task = TrainingCurveTask(prepared, tuple(evaluations), tuple(shares), matrices)
    results = run_task(
        task, store, engine=engine, title="Learning curve", progress=progress, stop=stop
    )
    return task.curve(results)
