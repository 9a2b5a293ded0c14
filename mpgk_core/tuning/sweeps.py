"""Sweeps: many kernels tried on the vertices of one graph, or on a set of graphs."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import product
from typing import Any

import numpy as np

from mpgk_core.arrays import FloatArray, IntArray
from mpgk_core.automorphism import Orbits
from mpgk_core.errors import InvalidParameterError
from mpgk_core.evaluation.methods import KernelSpec, candidates
from mpgk_core.evaluation.nested_cv import evaluate_fold
from mpgk_core.evaluation.protocol import Protocol, checked_classes, outer_folds
from mpgk_core.evaluation.samples import check_kernel, square_matrices
from mpgk_core.graphs import GraphSet, as_graph_set
from mpgk_core.jobs import Engine, Progress, Task, Unit, run_key, run_task
from mpgk_core.kernels import MessagePassingGraphKernel
from mpgk_core.tuning.cell_points import CellPoints, point_source
from mpgk_core.tuning.grid import Cell, Grid, Sweep, collected
from mpgk_core.tuning.scores import SCORES, VertexFacts, check_scores, facts_for


class SweepTask(Task):
    """A sweep over all cells of a grid; the subclasses score them.

    Attributes
    ----------
    graphs : GraphSet
    grid : Grid
    """

    kind = "sweep"
    unit_name = "parts"
    graphs: GraphSet
    grid: Grid

    @property
    @abstractmethod
    def titles(self) -> Mapping[str, str]:
        """The names of the scores in words."""

    @abstractmethod
    def sweep(self, results: Mapping[Unit, Any]) -> Sweep:
        """Return what is known of all cells.

        Parameters
        ----------
        results : mapping from Unit to JSON values
            As many as there are.

        Returns
        -------
        Sweep
        """

    @cached_property
    def _lines(self) -> list[tuple[int, int, int, int]]:
        return list(self.grid.lines())


_PORTION = 20_000
"""Lines of a portion times vertices and edges, about."""

_MAX_LINES = 20


@dataclass(frozen=True, eq=False)
class VertexSweepTask(SweepTask):
    """A sweep over the vertices of one graph; a unit is a few lines of the grid with all T.

    Attributes
    ----------
    graphs : GraphSet
        With one graph.
    grid : Grid
        With the variants R and A.
    scores : tuple of str
        Keys of ``SCORES``.
    labels : tuple or None
        One for every vertex, for scores that need labels; None takes those of the graph.
    n_neighbours, n_folds, random_state : int
        Of predictions.
    orbits : Orbits or None
        Of the graph, where they are known already; results do not depend on it.
    """

    graphs: GraphSet
    grid: Grid
    scores: tuple[str, ...] = ("recovered",)
    labels: tuple[Hashable, ...] | None = None
    n_neighbours: int = 5
    n_folds: int = 5
    random_state: int = 0
    orbits: Orbits | None = field(default=None, repr=False)

    def units(self) -> list[Unit]:
        """Return portions of about equal work, small enough to be stopped between them."""
        if self.grid.is_for_graphs:
            raise InvalidParameterError(
                f"The variants {', '.join(self.grid.variants)} are kernels between graphs. Give R "
                "or A to compare vertices, or use sweep_sets."
            )
        return [Unit(self._run_key, str(n)) for n in range(0, len(self._lines), self._step)]

    def run(self, unit: Unit, memory: dict[Any, Any]) -> list[Any]:
        """Score the cells of a portion: a list of (place, scores)."""
        facts = self._facts
        if "sources" not in memory:
            memory["sources"] = [
                [point_source(self.graphs, self.grid, variant, text) for text in self.grid.features]
                for variant in self.grid.variants
            ]
            memory["seen"] = {}
        found = []
        start = int(unit.place)
        for line in self._lines[start : start + self._step]:
            variant, features, alpha, beta = line
            source = memory["sources"][variant][features]
            cells = source(self.grid.alphas[alpha], self.grid.betas[beta])
            for T, cell in enumerate(cells):
                scores = _scores_of(cell, self.scores, facts, line[:2], memory["seen"])
                found.append([[*line, T], scores])
        return found

    @property
    def titles(self) -> Mapping[str, str]:
        """The names of the scores in words."""
        return {name: SCORES[name].title for name in self.scores}

    def sweep(self, results: Mapping[Unit, Any]) -> Sweep:
        """Return what is known of all cells."""
        cells = (cell for portion in results.values() for cell in portion)
        return collected(self.grid, self.titles, cells)

    @property
    def _step(self) -> int:
        """Lines in a portion: many on a small graph, one on a large one."""
        size = self.graphs.n_vertices + self.graphs.n_edges
        return min(max(_PORTION // max(size, 1), 1), _MAX_LINES)

    @cached_property
    def _run_key(self) -> str:
        settings = self.scores, self.labels, self.n_neighbours, self.n_folds, self.random_state
        return run_key("sweep", self.graphs, self.grid, *settings)

    @cached_property
    def _facts(self) -> VertexFacts:
        return facts_for(
            self.graphs,
            self.scores,
            labels=self.labels,
            orbits=self.orbits,
            n_neighbours=self.n_neighbours,
            n_folds=self.n_folds,
            random_state=self.random_state,
            edges=self.grid.edges,
        )


def sweep(
    graph: Any,
    grid: Grid | None = None,
    scores: Sequence[str] = ("recovered",),
    *,
    labels: Sequence[Hashable] | None = None,
    orbits: Orbits | None = None,
    n_neighbours: int = 5,
    n_folds: int = 5,
    random_state: int = 0,
    engine: Engine | None = None,
    progress: Progress | None = None,
    stop: Callable[[], bool] | None = None,
) -> Sweep:
    """Score the kernels of all cells of a grid on the vertices of one graph.

    Parameters
    ----------
    graph : networkx graph, or GraphSet with one graph
    grid : Grid, optional
        Default: neighbourhood R, 20 values of α, 20 of β, and T from 1 to 8.
    scores : sequence of str
        Keys of ``SCORES``.
    labels : sequence of hashable, optional
        One for every vertex, for the scores that need labels; by default those of the graph.
    orbits : Orbits, optional
        The orbits of the graph, where they are known already.
    n_neighbours : int
        Neighbours that predict the label of a vertex; at least 1.
    n_folds : int
        Folds in which labels are predicted; at least 2.
    random_state : int
        Seed of the folds.
    engine : Engine, optional
        Works on several parts at a time; results do not depend on it.
    progress : callable, optional
        Called with the number of parts done, the number of all parts, and the seconds left.
    stop : callable, optional
        Asked before every part; once it returns True, what is done is returned.

    Returns
    -------
    Sweep

    Raises
    ------
    InvalidGraphError
        If no score can come of the labels, or of the orbits, or if features are missing.
    KernelOverflowError
        If the kernel with the largest α, β and T is beyond floating-point numbers.

    Examples
    --------
    >>> import networkx as nx
    >>> grid = Grid([0.5, 0.8], [0, 0.2], range(1, 6), features=["degree"])
    >>> found = sweep(nx.barbell_graph(10, 10), grid)
    >>> found.values["recovered"][0, 0, 1].astype(int).tolist()
    [[2, 2, 2, 2, 2], [3, 4, 5, 7, 7]]
    >>> found.best("recovered").title
    'R, α = 0.5, β = 0.2, T = 4'
    """
    check_scores(scores)
    task = VertexSweepTask(
        as_graph_set(graph),
        Grid() if grid is None else grid,
        tuple(scores),
        None if labels is None else tuple(labels),
        n_neighbours,
        n_folds,
        random_state,
        orbits,
    )
    return task.sweep(run_task(task, engine=engine, title="Sweep", progress=progress, stop=stop))


def _scores_of(
    cell: CellPoints,
    scores: Sequence[str],
    facts: VertexFacts,
    source: tuple[int, ...],
    known: dict[tuple[Hashable, ...], float],
) -> dict[str, float]:
    """Score a cell; what only depends on which vertices share a point is looked up in ``known``."""
    points = None
    found = {}
    for name in scores:
        place = (*source, cell.key, name)
        is_shared = cell.key is not None and not SCORES[name].needs_distances
        if is_shared and place in known:
            found[name] = known[place]
            continue
        points = cell.find() if points is None else points
        found[name] = SCORES[name].compute(points, facts)
        if is_shared:
            known[place] = found[name]
    return found


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
        of_line: dict[int, FloatArray] = {}
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
    def _codes(self) -> IntArray:
        return checked_classes(self.classes, len(self.graphs), self.protocol)[1]

    def _spec(self, cell: Cell) -> KernelSpec:
        settings = self.grid.parameters(cell).settings()
        shared = ("alpha", "beta", "features", "branching", "depth", "random_state", "edges")
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
    graphs : GraphSet, or graphs of any kind that as_graph_set accepts
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
