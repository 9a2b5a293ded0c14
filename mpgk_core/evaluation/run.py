"""Evaluate kernels on a data set: every fold is a unit of work that can be done anywhere."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, fields
from functools import cached_property
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mpgk_core.evaluation.data_checks import check_kernel, checked_classes
from mpgk_core.evaluation.folds import Fold, outer_folds
from mpgk_core.evaluation.gram_source import (
    candidates,
    cross_matrices,
    feature_rows,
    square_matrices,
)
from mpgk_core.evaluation.kernel_spec import KernelSpec
from mpgk_core.evaluation.nested_cv import FoldRecord, Samples, evaluate_fold
from mpgk_core.evaluation.protocol import Protocol
from mpgk_core.evaluation.results import Evaluation
from mpgk_core.graphs import GraphSet, as_graph_set
from mpgk_core.jobs import Engine, Progress, Store, Task, Unit, run_here, run_key


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
        if rules.inductive:
            return asdict(_inductive_fold(self.graphs, codes, spec, rules, fold))
        if memory.get("key") != unit.key:
            memory["samples"] = None  # two sets of matrices may be too much
            memory["samples"] = kernel_samples(spec, rules, self.graphs)
            memory["key"] = unit.key
        shared_seconds = perf_counter() - begin
        record = evaluate_fold(memory["samples"], candidates(spec, rules), codes, fold, rules)
        return asdict(record.moved(fold.test, shared_seconds))

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
                records[unit.key].append(_record(results[unit]))
        return [
            Evaluation(spec, self.protocol, names, codes, tuple(records[key]))
            for key, spec in self._spec_of.items()
        ]

    @cached_property
    def _checked(self) -> tuple[tuple[Any, ...], NDArray[np.int64]]:
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
    graphs : GraphSet, or list of GraphSets or networkx graphs
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
    if engine is not None:
        title = f"Classification by {chosen.title}"
        results = engine.run(task, title=title, progress=progress, stop=stop)
    else:
        results = run_here(task, store, progress=progress, stop=stop)
    return task.evaluations(results)[0]


def kernel_samples(spec: KernelSpec, protocol: Protocol, graphs: GraphSet) -> list[Samples]:
    """Return what all folds of a kernel learn from: one matrix for every candidate.

    Parameters
    ----------
    spec : KernelSpec
    protocol : Protocol
    graphs : GraphSet

    Returns
    -------
    list of kernel matrices or, for the linear solver, of sparse feature rows
    """
    if protocol.solver == "linear":
        return [feature_rows(spec, choice, graphs) for choice in candidates(spec, protocol)]
    return list(square_matrices(spec, protocol, graphs))


def _inductive_fold(
    graphs: GraphSet, classes: NDArray[np.int64], spec: KernelSpec, protocol: Protocol, fold: Fold
) -> FoldRecord:
    """Learn features and trees from the training graphs of this fold, then evaluate it."""
    begin = perf_counter()
    train, test = graphs[fold.train], graphs[fold.test]
    choices = candidates(spec, protocol)
    samples: list[Samples]
    if protocol.solver == "linear":
        samples = [feature_rows(spec, candidate, train, test) for candidate in choices]
    else:
        samples = list(cross_matrices(spec, protocol, train, test))
    kernel_seconds = perf_counter() - begin
    order = np.concatenate([fold.train, fold.test])
    local = Fold(
        fold.repeat, fold.number, np.arange(len(fold.train)), np.arange(len(fold.train), len(order))
    )
    return evaluate_fold(samples, choices, classes[order], local, protocol).moved(
        fold.test, kernel_seconds
    )


def _place(repeat: int, fold: int) -> str:
    return f"{repeat}/{fold}"


def _record(values: Mapping[str, Any]) -> FoldRecord:
    """Return a fold as it was before it became JSON."""
    kept = {field.name: values[field.name] for field in fields(FoldRecord)}
    return FoldRecord(
        **{**kept, "test": tuple(kept["test"]), "predicted": tuple(kept["predicted"])}
    )
