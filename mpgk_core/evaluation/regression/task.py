"""Regression as long work: models, sizes of the training part and targets, one by one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from time import perf_counter
from typing import Any

import numpy as np

from mpgk_core.content_key import content_key
from mpgk_core.errors import InvalidGraphError, InvalidParameterError
from mpgk_core.evaluation.regression.fitted import FittedRegression, fit_parts
from mpgk_core.evaluation.regression.protocol import (
    ContentOrder,
    RegressionProtocol,
    Split,
    TargetColumn,
    content_order,
    split_graphs,
)
from mpgk_core.evaluation.regression.results import RegressionResult
from mpgk_core.evaluation.regression.spec import MODELS, RegressionSpec
from mpgk_core.graphs import GraphSet, as_graph_set
from mpgk_core.jobs import Engine, Progress, Store, Task, Unit, run_key, run_task


@dataclass(frozen=True, eq=False)
class RegressionTask(Task):
    """Every model with every size of the training part, for every target.

    A model that learns all targets at once does so in the first unit that needs it; the next ones
    of the same process only hand out what was found.

    Attributes
    ----------
    graphs : GraphSet
    targets : tuple of TargetColumn
    specs : tuple of RegressionSpec
    protocol : RegressionProtocol
    """

    graphs: GraphSet
    targets: tuple[TargetColumn, ...]
    specs: tuple[RegressionSpec, ...]
    protocol: RegressionProtocol

    kind = "regression"
    unit_name = "predictions"

    def units(self) -> list[Unit]:
        """Return all predictions, size by size, model by model, or raise if a part is too small."""
        keys = list(self._spec_of)
        for size in self.protocol.sizes:
            self.parts(size)
        return [
            Unit(key, _place(size, target))
            for size in self.protocol.sizes
            for key in keys
            for target in range(len(self.targets))
        ]

    def run(self, unit: Unit, memory: dict[Any, Any]) -> dict[str, Any]:
        """Learn, and predict one target of the test part."""
        spec = self._spec_of[unit.key]
        size, target = _read_place(unit.place)
        is_single = MODELS[spec.model].kind.one_by_one
        learnt = [target] if is_single else list(range(len(self.targets)))
        place = unit.key, size, target if is_single else None
        begin = perf_counter()
        if memory.get("place") != place:
            memory["found"] = None
            parts = self.parts(size)
            fitted = fit_parts(
                self.graphs, [self.targets[t] for t in learnt], spec, parts, self.protocol, memory
            )
            memory["found"] = fitted.found
            memory["place"] = place
        found = memory["found"]
        column = learnt.index(target)
        deviation = found.deviations
        return {
            "predicted": found.means[:, column].tolist(),
            "deviation": None if deviation is None else deviation[:, column].tolist(),
            "chosen": found.chosen[column],
            "validation_rmse": float(found.validation_errors[column]),
            "seconds": perf_counter() - begin,
        }

    def results(self, found: Mapping[Unit, Any]) -> list[RegressionResult]:
        """Return what is known, in the order of the units.

        Parameters
        ----------
        found : mapping from Unit to JSON values
            As many as there are.

        Returns
        -------
        list of RegressionResult
        """
        results = []
        for unit in self.units():
            if unit not in found:
                continue
            values = found[unit]
            size, number = _read_place(unit.place)
            target, parts = self.targets[number], self.parts(size)
            known = target.values[parts.train]
            deviation = values["deviation"]
            results.append(
                RegressionResult(
                    self._spec_of[unit.key],
                    target.name,
                    target.unit,
                    len(parts.train),
                    len(parts.validation),
                    parts.test,
                    target.values[parts.test],
                    np.array(values["predicted"]),
                    None if deviation is None else np.array(deviation),
                    self.graphs.sizes[parts.test],
                    float(known.mean()),
                    float(known.std()),
                    values["chosen"],
                    values["validation_rmse"],
                    self._order.n_repeated(parts.test, parts.train),
                    values["seconds"],
                )
            )
        return results

    def parts(self, size: int | None = None) -> Split:
        """Return the parts of the split, with so many training graphs."""
        if size not in self._parts:
            self._parts[size] = split_graphs(self._order.order, self.protocol, size)
        return self._parts[size]

    @cached_property
    def _parts(self) -> dict[int | None, Split]:
        return {}

    @cached_property
    def _order(self) -> ContentOrder:
        return content_order(self.graphs)

    @cached_property
    def _spec_of(self) -> dict[str, RegressionSpec]:
        if not self.targets or not self.specs:
            raise InvalidParameterError("Give at least one target and one model.")
        names = [target.name for target in self.targets]
        if len(set(names)) < len(names):
            raise InvalidParameterError("Two targets have the same name. Rename one of them.")
        for target in self.targets:
            if len(target.values) != len(self.graphs):
                raise InvalidGraphError(
                    f"The target {target.name!r} has {len(target.values):,} values for "
                    f"{len(self.graphs):,} graphs. Give one each."
                )
        facts = content_key(self.graphs, self.targets, self.protocol.identity())
        return {run_key("regression", facts, spec): spec for spec in self.specs}


def evaluate_regression(
    graphs: Any,
    targets: TargetColumn | Sequence[TargetColumn],
    specs: RegressionSpec | Sequence[RegressionSpec],
    protocol: RegressionProtocol | None = None,
    *,
    engine: Engine | None = None,
    store: Store | None = None,
    progress: Progress | None = None,
    stop: Callable[[], bool] | None = None,
) -> list[RegressionResult]:
    """Measure how well models predict numbers of unseen graphs.

    Parameters
    ----------
    graphs : GraphSet, or list of GraphSets or networkx graphs
    targets : TargetColumn or sequence of them
    specs : RegressionSpec or sequence of them
    protocol : RegressionProtocol, optional
        Default: 80 %, 10 % and 10 %, as in the paper.
    engine : Engine, optional
        Does the work, and keeps results in its own store. Default: this process.
    store : Store, optional
        Where results are kept as they come, without an engine. What is found in it is not
        computed again.
    progress : callable, optional
        Called with the number of predictions done, the number of all, and the seconds left.
    stop : callable, optional
        Asked before every prediction; once it returns True, what is done is returned.

    Returns
    -------
    list of RegressionResult

    Examples
    --------
    >>> import networkx as nx
    >>> graphs = [nx.path_graph(n) for n in range(2, 32)]
    >>> edges = TargetColumn("edges", np.arange(1.0, 31.0))
    >>> (found,) = evaluate_regression(graphs, edges, RegressionSpec.of("linear-counts"))
    >>> found.size, len(found.test), bool(found.mae < 0.1)
    (24, 3, True)
    """
    columns = (targets,) if isinstance(targets, TargetColumn) else tuple(targets)
    chosen = (specs,) if isinstance(specs, RegressionSpec) else tuple(specs)
    rules = RegressionProtocol() if protocol is None else protocol
    task = RegressionTask(as_graph_set(graphs), columns, chosen, rules)
    names = ", ".join(column.name for column in columns)
    title = f"Regression of {names}"
    found = run_task(task, store, engine=engine, title=title, progress=progress, stop=stop)
    return task.results(found)


def fit_regression(
    graphs: Any,
    target: TargetColumn,
    spec: RegressionSpec,
    protocol: RegressionProtocol | None = None,
) -> FittedRegression:
    """Learn a model of one target from the training part, and return it.

    Parameters
    ----------
    graphs : GraphSet, or list of GraphSets or networkx graphs
    target : TargetColumn
    spec : RegressionSpec
    protocol : RegressionProtocol, optional
        Its largest size of the training part is taken.

    Returns
    -------
    FittedRegression

    Examples
    --------
    >>> import networkx as nx
    >>> graphs = [nx.path_graph(n) for n in range(2, 32)]
    >>> edges = TargetColumn("edges", np.arange(1.0, 31.0))
    >>> fitted = fit_regression(graphs, edges, RegressionSpec.of("linear-counts"))
    >>> means, deviations = fitted.predict([nx.path_graph(21)])
    >>> bool(abs(means[0] - 20.0) < 0.1), deviations
    (True, None)
    """
    prepared = as_graph_set(graphs)
    rules = RegressionProtocol() if protocol is None else protocol
    task = RegressionTask(prepared, (target,), (spec,), rules)
    task.units()
    return fit_parts(prepared, [target], spec, task.parts(rules.sizes[-1]), rules, {}).fitted


def _place(size: int | None, target: int) -> str:
    return f"{'all' if size is None else size}/{target}"


def _read_place(place: str) -> tuple[int | None, int]:
    size, target = place.split("/")
    return None if size == "all" else int(size), int(target)
