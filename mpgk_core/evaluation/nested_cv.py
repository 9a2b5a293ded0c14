"""Nested cross-validation: choose on the training part of a fold, then test once.

Every fold is a unit of work that can be done in any process.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from mpgk_core.activity import steps
from mpgk_core.arrays import FloatArray, IntArray
from mpgk_core.evaluation.methods import Candidate, KernelSpec
from mpgk_core.evaluation.protocol import Fold, Protocol, checked_classes, inner_folds, outer_folds
from mpgk_core.evaluation.results import Evaluation, FoldRecord, kept_decisions
from mpgk_core.evaluation.samples import (
    Samples,
    check_can_be_fixed,
    check_kernel,
    checked_matrix,
    kernel_samples,
    matrices_of,
)
from mpgk_core.evaluation.search import Search, TrainingPart, leave_one_out_scores
from mpgk_core.evaluation.svm import decide_linear, decide_path, predict_path, predict_path_linear
from mpgk_core.graphs import GraphSet, as_graph_set
from mpgk_core.jobs import Engine, Progress, Store, Task, Unit, run_key, run_task
from mpgk_core.text import counted


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
    what = f"fold {fold.number + 1}: SVMs of {counted(len(choices), 'candidate')}"
    for c, sample in steps(enumerate(samples), what):
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
    matrices : mapping of KernelSpec to ndarray of shape (N, N)
        Kernel matrices that the user has made.
    """

    graphs: GraphSet
    classes: tuple[Any, ...]
    specs: tuple[KernelSpec, ...]
    protocol: Protocol
    matrices: Mapping[KernelSpec, FloatArray] = field(default_factory=dict)

    kind = "classification"
    unit_name = "steps"

    def units(self) -> list[Unit]:
        """Return all units, kernel by kernel, or raise if they do not fit into memory now.

        A unit is a fold or, for a kernel with many candidates, a part of the search.
        """
        units = []
        for key, search in self._search_of.items():
            if search.spec in self.matrices:
                check_can_be_fixed(self.protocol)
            if search.is_needed:
                search.check()
                places = [place for stage in search.places for place in stage]
            else:
                check_kernel(len(self.graphs), search.spec, self.protocol)
                places = list(self._places)
            units += [Unit(key, place) for place in places]
        return units

    def ready(self, waiting: Sequence[Unit], results: Mapping[Unit, Any]) -> list[tuple[Unit, Any]]:
        """Return folds first, which soon give rows, and of searches the stage whose turn it is."""
        ready: list[tuple[Unit, Any]] = []
        keys = dict.fromkeys(unit.key for unit in waiting)
        for key in sorted(keys, key=lambda key: self._search_of[key].is_needed):
            search = self._search_of[key]
            own = {unit.place for unit in waiting if unit.key == key}
            if not search.is_needed:
                ready += [(Unit(key, place), None) for place in self._places if place in own]
                continue
            for stage, places in enumerate(search.places):
                if all(Unit(key, place) in results for place in places):
                    continue
                if not own.isdisjoint(places):
                    known = {unit.place: results[unit] for unit in results if unit.key == key}
                    plan = search.plan(stage, known)
                    ready += [(Unit(key, place), needed) for place, needed in plan if place in own]
                break
        return ready

    def run(self, unit: Unit, memory: dict[Any, Any]) -> dict[str, Any]:
        """Evaluate one fold of one kernel, or do one part of a search."""
        search = self._search_of[unit.key]
        begin = perf_counter()
        if "folds" not in memory:
            every = outer_folds(self._checked[1], self.protocol)
            memory["folds"] = {_place(f.repeat, f.number): f for f in every}
        if not search.is_needed:
            return self._evaluated(unit, search.choices, search.choices, unit.place, memory)
        stage, repeat, *fold, _ = unit.place.split("/")
        if fold:
            choices, made = (
                [search.choices[c] for c in memory[unit][w]] for w in ("choices", "made")
            )
            place = f"{repeat}/{fold[0]}"
            return self._evaluated(unit, choices, made, place, memory) if choices else {}
        wanted: list[list[int]] = memory[unit]["folds"]
        if not any(wanted):
            return {}
        sample = search.sample(int(stage))
        trained = [
            np.flatnonzero(np.isin(sample, memory["folds"][f"{repeat}/{f}"].train))
            for f in range(self.protocol.n_folds)
        ]
        shares = self._shares(search, sample, wanted, trained)
        return {"shares": shares, "seconds": perf_counter() - begin}

    def _shares(
        self, search: Search, sample: IntArray, wanted: list[list[int]], trained: list[IntArray]
    ) -> list[dict[str, float]]:
        """Compare the candidates that each fold wants on those of a sample that it trains on."""
        shares: list[dict[str, float]] = [{} for _ in wanted]
        codes = self._checked[1][sample]
        runs = [list(range(len(wanted)))]
        if self.protocol.inductive:
            runs = [[fold] for fold, some in enumerate(wanted) if some]
        for folds in runs:
            numbers = sorted({c for fold in folds for c in wanted[fold]})
            choices = [search.choices[c] for c in numbers]
            known = trained[folds[0]] if self.protocol.inductive else np.arange(len(sample))
            found = matrices_of(search.spec, choices, self.graphs[sample[known]])
            places = {fold: np.searchsorted(known, trained[fold]) for fold in folds}
            parts = {fold: TrainingPart.of(codes[known], places[fold]) for fold in folds}
            for c, choice in steps(zip(numbers, choices, strict=True), "comparing candidates"):
                own = [fold for fold in folds if c in wanted[fold]]
                scores = leave_one_out_scores(found[choice], [parts[fold] for fold in own])
                for fold, score in zip(own, scores, strict=True):
                    shares[fold][str(c)] = score / len(trained[fold])
        return shares

    def _evaluated(
        self,
        unit: Unit,
        choices: Sequence[Candidate],
        made: Sequence[Candidate],
        place: str,
        memory: dict[Any, Any],
    ) -> dict[str, Any]:
        """Let the SVM choose among candidates on the training part of a fold, and test it."""
        spec, codes, rules = self._search_of[unit.key].spec, self._checked[1], self.protocol
        begin = perf_counter()
        fold: Fold = memory["folds"][place]
        local = fold
        samples: list[Samples]
        if spec in self.matrices:
            samples = [self.matrices[spec]]
        elif rules.inductive:
            parts = self.graphs[fold.train], self.graphs[fold.test]
            samples = kernel_samples(spec, choices, rules.solver, *parts)
            order = np.concatenate([fold.train, fold.test])
            numbers = np.split(np.arange(len(order)), [len(fold.train)])
            codes, local = codes[order], fold._replace(train=numbers[0], test=numbers[1])
        else:
            found = _remembered(
                memory,
                (unit.key, tuple(made)),
                lambda: dict(
                    zip(made, kernel_samples(spec, made, rules.solver, self.graphs), strict=True)
                ),
            )
            samples = [found[one] for one in choices]
        seconds = perf_counter() - begin
        record = evaluate_fold(samples, choices, codes, local, rules)
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
        known: dict[str, dict[str, Any]] = {key: {} for key in self._search_of}
        for unit, value in results.items():
            known[unit.key][unit.place] = value
        return [
            Evaluation(search.spec, self.protocol, names, codes, self._records(search, known[key]))
            for key, search in self._search_of.items()
        ]

    def _records(self, search: Search, known: Mapping[str, Any]) -> tuple[FoldRecord, ...]:
        """Return the folds that are done, with what each of them chose."""
        if not search.is_needed:
            return tuple(record_of(known[place]) for place in self._places if place in known)
        last = len(search.stages) - 1
        records = []
        for place in self._places:
            units = search.svm_places(*map(int, place.split("/")))
            if not all(unit in known for unit in units):
                continue
            found = [record_of(known[unit]) for unit in units if known[unit]]
            order = {one: number for number, one in enumerate(search.choices)}
            effects = search.effects(last, found[0].repeat, found[0].fold, known)
            score = {
                one: round(one.inner_accuracy + effects[order[candidate_of(one)]], 9)
                for one in found
            }
            best = min(found, key=lambda one: (-score[one], one.C, order[candidate_of(one)]))
            seconds = search.seconds(best.repeat, known)
            records.append(
                replace(
                    best,
                    unconverged=sum(one.unconverged for one in found),
                    svm_seconds=sum(one.svm_seconds for one in found),
                    other_seconds=seconds + sum(one.other_seconds for one in found),
                )
            )
        return tuple(records)

    @cached_property
    def _places(self) -> tuple[str, ...]:
        rules = self.protocol
        return tuple(_place(r, f) for r in range(rules.n_repeats) for f in range(rules.n_folds))

    @cached_property
    def _checked(self) -> tuple[tuple[Any, ...], IntArray]:
        return checked_classes(self.classes, len(self.graphs), self.protocol)

    @cached_property
    def _search_of(self) -> dict[str, Search]:
        codes, rules = self._checked[1], self.protocol
        specs = [spec.resolved(self.graphs) for spec in self.specs]
        if rules.solver == "linear":
            specs = [spec.for_rows() for spec in specs]
        facts = self.graphs, codes, rules.identity()
        return {
            run_key("classification", *facts, spec): Search(spec, rules, len(self.graphs))
            for spec in specs
        }


def _remembered(memory: dict[Any, Any], key: Any, make: Callable[[], Any]) -> Any:
    """Return what was made last, or make it anew; one set of matrices is held at a time."""
    if memory.get("key") != key:
        memory["samples"] = None  # two sets of matrices may be too much
        memory["samples"] = make()
        memory["key"] = key
    return memory["samples"]


def candidate_of(record: FoldRecord) -> Candidate:
    """Return the candidate that a fold chose."""
    return Candidate(record.T, record.levels, record.setting)


def evaluate(
    graphs: Any,
    classes: Any,
    spec: KernelSpec | str | ArrayLike,
    protocol: Protocol | None = None,
    *,
    engine: Engine | None = None,
    store: Store | None = None,
    progress: Progress | None = None,
    stop: Callable[[], bool] | None = None,
    activity: Callable[[str], None] | None = None,
) -> Evaluation:
    """Measure how well an SVM with this kernel predicts the classes of unseen graphs.

    Parameters
    ----------
    graphs : GraphSet, or graphs of any kind that as_graph_set accepts
    classes : array-like of shape (N,)
        The class of every graph.
    spec : KernelSpec, str or array-like of shape (N, N)
        The kernel, or the name of its method. What ``features="auto"`` stands for is settled by
        all graphs, without their classes, and stands in the result. Or a kernel matrix of your
        own, which is checked, and used as it is; see
        :func:`~mpgk_core.evaluation.samples.checked_matrix`.
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
    activity : callable, optional
        Told in words what is being computed, with the share done of it.

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
    rules = Protocol() if protocol is None else protocol
    given = tuple(classes) if classes is not None else ()
    prepared, matrices = as_graph_set(graphs), {}
    if isinstance(spec, str):
        chosen = KernelSpec.of(spec)
    elif isinstance(spec, KernelSpec):
        chosen = spec
    else:
        matrix = checked_matrix(spec, len(prepared), rules)
        chosen = KernelSpec.of_matrix(matrix)
        matrices[chosen] = matrix
    task = ClassificationTask(prepared, given, (chosen,), rules, matrices)
    title = f"Classification by {chosen.title}"
    results = run_task(
        task, store, engine=engine, title=title, progress=progress, stop=stop, activity=activity
    )
    return task.evaluations(results)[0]


def _place(repeat: int, fold: int) -> str:
    return f"{repeat}/{fold}"


def record_of(values: Mapping[str, Any]) -> FoldRecord:
    """Return a fold as it was before it became JSON."""
    lists = {name: tuple(values[name]) for name in ("test", "predicted")}
    decisions = tuple(map(tuple, values.get("decisions", ())))
    return FoldRecord(**{**values, **lists, "decisions": decisions})
