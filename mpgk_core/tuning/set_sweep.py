"""Try many kernels on a set of graphs, and see how well each predicts the classes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mpgk_core.errors import InvalidParameterError
from mpgk_core.evaluation.methods import KernelSpec, candidates, check_kernel, square_matrices
from mpgk_core.evaluation.nested_cv import evaluate_fold
from mpgk_core.evaluation.protocol import Protocol, checked_classes, outer_folds
from mpgk_core.graphs import GraphSet, as_graph_set
from mpgk_core.jobs import Engine, Progress, Unit, run_key, run_task
from mpgk_core.kernels import MessagePassingGraphKernel
from mpgk_core.tuning.grid import Cell, Grid, Sweep, collected
from mpgk_core.tuning.vertex_sweep import SweepTask

_SCORE = "accuracy"


@dataclass(frozen=True, eq=False)
class SetSweepTask(SweepTask):
    """A sweep over a set of graphs; a unit is one fold of one line of the grid, with all T.

    Attributes
    ----------
    graphs : GraphSet
    classes : tuple
        The class of every graph.
    grid : Grid
        With the variants RR, RA, AR and AA.
    protocol : Protocol
        How accuracy is measured; its ``iterations`` do not count.
    """

    graphs: GraphSet
    classes: tuple[Any, ...]
    grid: Grid
    protocol: Protocol

    def units(self) -> list[Unit]:
        """Return the folds of all lines."""
        self._check_kind()
        codes = self._codes
        facts = self.protocol.identity()
        key = run_key("sweep of a set", self.graphs, codes, self.grid, facts)
        return [
            Unit(key, f"{line}/{repeat}/{fold}")
            for line in range(len(self._lines))
            for repeat in range(self.protocol.n_repeats)
            for fold in range(self.protocol.n_folds)
        ]

    def run(self, unit: Unit, memory: dict[Any, Any]) -> list[float]:
        """Return the accuracy of every T in one fold."""
        line, repeat, number = map(int, unit.place.split("/"))
        spec = self._spec(self.grid.cell((*self._lines[line], 0)))
        if "folds" not in memory:
            self._check_largest()
            folds = outer_folds(self._codes, self._rules)
            memory["folds"] = {(fold.repeat, fold.number): fold for fold in folds}
        if memory.get("line") != line:
            memory["samples"] = None
            matrices = square_matrices(spec, self._rules, self.graphs)
            choices = candidates(spec, self._rules)
            memory["samples"] = dict(zip(choices, matrices, strict=True))
            memory["line"] = line
        fold = memory["folds"][repeat, number]
        found = []
        for T in self.grid.iterations:
            choices = [candidate for candidate in memory["samples"] if candidate.T == T]
            matrices = [memory["samples"][candidate] for candidate in choices]
            record = evaluate_fold(matrices, choices, self._codes, fold, self._rules)
            found.append(record.accuracy)
        return found

    @property
    def titles(self) -> Mapping[str, str]:
        """The one score of a sweep over a set, by name."""
        return {_SCORE: "Classes predicted"}

    def sweep(self, results: Mapping[Unit, Any]) -> Sweep:
        """Return what is known of all cells: those whose folds are all done."""
        shape = (self.protocol.n_repeats, self.protocol.n_folds, len(self.grid.iterations))
        of_line: dict[int, NDArray[np.float64]] = {}
        for unit, accuracies in results.items():
            line, repeat, fold = map(int, unit.place.split("/"))
            of_line.setdefault(line, np.full(shape, np.nan))[repeat, fold] = accuracies
        cells = [
            ((*self._lines[line], T), {_SCORE: mean})
            for line, values in of_line.items()
            if not np.isnan(values).any()
            for T, mean in enumerate(values.mean(axis=1).mean(axis=0).tolist())
        ]
        return collected(self.grid, self.titles, cells)

    @property
    def _rules(self) -> Protocol:
        return replace(self.protocol, iterations=self.grid.iterations)

    @cached_property
    def _codes(self) -> NDArray[np.int64]:
        return checked_classes(self.classes, len(self.graphs), self.protocol)[1]

    def _spec(self, cell: Cell) -> KernelSpec:
        settings = self.grid.parameters(cell).settings()
        shared = ("alpha", "beta", "features", "branching", "depth", "random_state")
        return KernelSpec.of(cell.variant, **{name: settings[name] for name in shared})

    def _check_largest(self) -> None:
        """Fit the kernels with the largest α, β and T: if that works, all others will."""
        grid = self.grid
        for variant, features in product(grid.variants, grid.features):
            cell = Cell(variant, features, grid.alphas[-1], grid.betas[-1], grid.iterations[-1])
            spec = self._spec(cell)
            check_kernel(len(self.graphs), spec, self._rules)
            MessagePassingGraphKernel(variant, n_iterations=cell.T, **spec.parameters(0)).fit(
                self.graphs
            )

    def _check_kind(self) -> None:
        if not self.grid.is_for_graphs:
            raise InvalidParameterError(
                f"The variants {', '.join(self.grid.variants)} are kernels between vertices. Give "
                "RR, RA, AR or AA to compare graphs, or use sweep."
            )
        if self.protocol.inductive or self.protocol.solver != "kernel":
            raise InvalidParameterError(
                "A sweep computes the kernel matrices of all graphs once for all folds. Use a "
                "protocol with inductive=False and solver='kernel'."
            )


def sweep_sets(
    graphs: Any,
    classes: Any,
    grid: Grid | None = None,
    protocol: Protocol | None = None,
    *,
    engine: Engine | None = None,
    progress: Progress | None = None,
    stop: Callable[[], bool] | None = None,
) -> Sweep:
    """Measure how well an SVM predicts the classes of graphs, with every kernel of a grid.

    A score is the mean accuracy that :func:`~mpgk_core.evaluation.evaluate` finds for the kernel
    of its cell: the training folds choose C, and how rounds are used, for each cell alone. The
    best cell is chosen by its test folds, so its score is optimistically biased; to know how well
    the choice does on unseen graphs, let ``evaluate`` choose.

    Parameters
    ----------
    graphs : GraphSet, or list of GraphSets or networkx graphs
    classes : array-like of shape (N,)
        The class of every graph.
    grid : Grid, optional
        With the variants RR, RA, AR and AA. Default: AA, five values of α, five of β, and T
        from 1 to 4.
    protocol : Protocol, optional
        How accuracy is measured; ``iterations`` are those of the grid. Default: one repetition
        of the paper's.
    engine : Engine, optional
        Works on several folds at a time; results do not depend on it.
    progress : callable, optional
        Called with the number of folds done, the number of all folds, and the seconds left.
    stop : callable, optional
        Asked before every fold; once it returns True, no further fold begins, and the cells that
        are done are returned.

    Returns
    -------
    Sweep
        With one score, ``"accuracy"``.

    Examples
    --------
    >>> import networkx as nx
    >>> graphs = [f(n) for f in (nx.cycle_graph, nx.star_graph) for n in range(3, 13)]
    >>> grid = Grid([0.8], [0.1, 0.2], [1, 2], variants=["RR", "AA"])
    >>> found = sweep_sets(graphs, [0] * 10 + [1] * 10, grid, Protocol(n_folds=5, n_repeats=1))
    >>> found.values["accuracy"].shape, found.best("accuracy").T
    ((2, 1, 1, 2, 2), 1)
    """
    task = SetSweepTask(
        as_graph_set(graphs),
        tuple(classes) if classes is not None else (),
        _usual_grid() if grid is None else grid,
        Protocol().quick() if protocol is None else protocol,
    )
    return task.sweep(run_task(task, engine=engine, title="Sweep", progress=progress, stop=stop))


def _usual_grid() -> Grid:
    fifths = tuple(round(0.2 * i, 1) for i in range(1, 6))
    return Grid(fifths, fifths, (1, 2, 3, 4), ("AA",))
