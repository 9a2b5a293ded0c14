"""Nested cross-validation: choose on the training part of a fold, then test once.

Every fold is a unit of work that can be done in any process.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from time import perf_counter
from typing import Any

import numpy as np

from mpgk_core.arrays import IntArray
from mpgk_core.evaluation.methods import Candidate, KernelSpec, candidates
from mpgk_core.evaluation.protocol import Fold, Protocol, checked_classes, inner_folds, outer_folds
from mpgk_core.evaluation.results import Evaluation, FoldRecord, kept_decisions
from mpgk_core.evaluation.samples import Samples, check_kernel, kernel_samples
from mpgk_core.evaluation.svm import decide_linear, decide_path, predict_path, predict_path_linear
from mpgk_core.graphs import GraphSet, as_graph_set
from mpgk_core.jobs import Engine, Progress, Store, Task, Unit, run_key, run_task


def evaluate_fold(
    samples: Sequence[Samples],
    choices: Sequence[Candidate],
    classes: IntArray,
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
    is_linear = protocol.solver == "linear"
    predict = predict_path_linear if is_linear else predict_path
    decide = decide_linear if is_linear else decide_path
    parts = [
        (fold.train[train], fold.train[test])
        for train, test in inner_folds(classes[fold.train], fold, protocol)
    ]
    right = np.zeros((len(costs), len(choices)), dtype=np.int64)
    unconverged = 0
    svm_begin = perf_counter()
    for c, sample in enumerate(samples):
        for train, test in parts:
            predicted, failures = predict(sample, classes, train, test, costs)
            right[:, c] += np.count_nonzero(predicted == classes[test], axis=1)
            unconverged += failures
    cost, chosen = divmod(int(right.argmax()), len(choices))
    some_costs = costs[: cost + 1]
    predicted, decisions, failures = decide(
        samples[chosen], classes, fold.train, fold.test, some_costs
    )
    end = perf_counter()
    return FoldRecord(
        fold.repeat,
        fold.number,
        inner_accuracy=float(right.max() / len(fold.train)),
        accuracy=float(np.mean(predicted == classes[fold.test])),
        test=tuple(fold.test.tolist()),
        predicted=tuple(predicted.tolist()),
        decisions=kept_decisions(decisions),
        C=float(costs[cost]),
        unconverged=unconverged + failures,
        svm_seconds=end - svm_begin,
        other_seconds=svm_begin - begin,
        **choices[chosen]._asdict(),
    )


@dataclass(frozen=True, eq=False)
class ClassificationTask(Task):
    """The folds of several kernels on one data set.

    Attributes
    ----------
    graphs : GraphSet
    classes : tuple
        The class of every graph.
    specs : tuple of KernelSpec
        What ``features="auto"`` stands for is settled by all graphs, without their classes, and
        stands in the results.
    protocol : Protocol
    """

    graphs: GraphSet
    classes: tuple[Any, ...]
    specs: tuple[KernelSpec, ...]
    protocol: Protocol

    kind = "classification"
    unit_name = "folds"

    def units(self) -> list[Unit]:
        """Return all folds, kernel by kernel, or raise if they do not fit into memory now."""
        for spec in self._spec_of.values():
            check_kernel(len(self.graphs), spec, self.protocol)
        return [
            Unit(key, _place(repeat, fold))
            for key in self._spec_of
            for repeat in range(self.protocol.n_repeats)
            for fold in range(self.protocol.n_folds)
        ]

    def run(self, unit: Unit, memory: dict[Any, Any]) -> dict[str, Any]:
        """Evaluate one fold of one kernel."""
        spec, codes, rules = self._spec_of[unit.key], self._checked[1], self.protocol
        begin = perf_counter()
        if "folds" not in memory:
            memory["folds"] = {_place(f.repeat, f.number): f for f in outer_folds(codes, rules)}
        fold: Fold = memory["folds"][unit.place]
        local = fold
        if rules.inductive:
            samples = kernel_samples(spec, rules, self.graphs[fold.train], self.graphs[fold.test])
            order = np.concatenate([fold.train, fold.test])
            numbers = np.split(np.arange(len(order)), [len(fold.train)])
            codes, local = codes[order], fold._replace(train=numbers[0], test=numbers[1])
        else:
            if memory.get("key") != unit.key:
                memory["samples"] = None  # two sets of matrices may be too much
                memory["samples"] = kernel_samples(spec, rules, self.graphs)
                memory["key"] = unit.key
            samples = memory["samples"]
        seconds = perf_counter() - begin
        record = evaluate_fold(samples, candidates(spec, rules), codes, local, rules)
        seconds += record.other_seconds
        return asdict(replace(record, test=tuple(fold.test.tolist()), other_seconds=seconds))

    def evaluations(self, results: Mapping[Unit, Any]) -> list[Evaluation]:
        """Return what is known of every kernel.

        Parameters
        ----------
        results : mapping from Unit to JSON values
            As many as there are.

        Returns
        -------
        list of Evaluation
            One per kernel, possibly without any fold.
        """
        names, codes = self._checked
        records: dict[str, list[FoldRecord]] = {key: [] for key in self._spec_of}
        for unit in self.units():
            if unit in results:
                records[unit.key].append(record_of(results[unit]))
        return [
            Evaluation(spec, self.protocol, names, codes, tuple(records[key]))
            for key, spec in self._spec_of.items()
        ]

    @cached_property
    def _checked(self) -> tuple[tuple[Any, ...], IntArray]:
        return checked_classes(self.classes, len(self.graphs), self.protocol)

    @cached_property
    def _spec_of(self) -> dict[str, KernelSpec]:
        codes = self._checked[1]
        specs = [spec.resolved(self.graphs) for spec in self.specs]
        facts = self.graphs, codes, self.protocol.identity()
        return {run_key("classification", *facts, spec): spec for spec in specs}


def evaluate(
    graphs: Any,
    classes: Any,
    spec: KernelSpec | str,
    protocol: Protocol | None = None,
    *,
    engine: Engine | None = None,
    store: Store | None = None,
    progress: Progress | None = None,
    stop: Callable[[], bool] | None = None,
) -> Evaluation:
    """Measure how well an SVM with this kernel predicts the classes of unseen graphs.

    Parameters
    ----------
    graphs : GraphSet, or graphs of any kind that as_graph_set accepts
    classes : array-like of shape (N,)
        The class of every graph.
    spec : KernelSpec or str
        The kernel, or the name of its method. What ``features="auto"`` stands for is settled by
        all graphs, without their classes, and stands in the result.
    protocol : Protocol, optional
        Default: the paper's.
    engine : Engine, optional
        Works on several folds at a time, and keeps them in its own store. Results do not depend
        on it. Default: this process, one fold after the other.
    store : Store, optional
        Where results are kept as they come, without an engine. Folds found in it are not computed
        again.
    progress : callable, optional
        Called with the number of folds done, the number of all folds, and the seconds left.
    stop : callable, optional
        Asked before every fold; once it returns True, no further fold begins, and what is done
        is returned.

    Returns
    -------
    Evaluation

    Examples
    --------
    >>> import networkx as nx
    >>> graphs = [f(n) for f in (nx.cycle_graph, nx.star_graph) for n in range(3, 13)]
    >>> protocol = Protocol(n_folds=5, n_repeats=2, iterations=(1,))
    >>> evaluation = evaluate(graphs, ["ring"] * 10 + ["star"] * 10, "AA", protocol)
    >>> evaluation.mean, evaluation.std
    (1.0, 0.0)
    """
    chosen = KernelSpec.of(spec) if isinstance(spec, str) else spec
    rules = Protocol() if protocol is None else protocol
    given = tuple(classes) if classes is not None else ()
    task = ClassificationTask(as_graph_set(graphs), given, (chosen,), rules)
    title = f"Classification by {chosen.title}"
    results = run_task(task, store, engine=engine, title=title, progress=progress, stop=stop)
    return task.evaluations(results)[0]


def _place(repeat: int, fold: int) -> str:
    return f"{repeat}/{fold}"


def record_of(values: Mapping[str, Any]) -> FoldRecord:
    """Return a fold as it was before it became JSON."""
    lists = {name: tuple(values[name]) for name in ("test", "predicted")}
    decisions = tuple(map(tuple, values.get("decisions", ())))
    return FoldRecord(**{**values, **lists, "decisions": decisions})
