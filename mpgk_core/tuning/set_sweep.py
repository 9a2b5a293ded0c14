"""Try many kernels on a set of graphs, and see how well each predicts the classes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray

from mpgk_core.errors import InvalidParameterError
from mpgk_core.evaluation.data_checks import check_kernel, checked_classes
from mpgk_core.evaluation.folds import Fold, outer_folds
from mpgk_core.evaluation.gram_source import candidates, square_matrices
from mpgk_core.evaluation.kernel_spec import Candidate, KernelSpec
from mpgk_core.evaluation.nested_cv import FoldRecord, evaluate_fold
from mpgk_core.evaluation.protocol import Protocol
from mpgk_core.evaluation.results import Evaluation
from mpgk_core.graphs import GraphSet, as_graph_set
from mpgk_core.kernels import MessagePassingGraphKernel
from mpgk_core.tuning.grid import Cell, Grid
from mpgk_core.tuning.record import Progress, Record, ScoredCell
from mpgk_core.tuning.result import Sweep

__all__ = ["SET_TITLES", "sweep_sets", "sweep_sets_steps"]

_SCORE = "accuracy"
SET_TITLES = {_SCORE: "Classes predicted"}
"""The one score of a sweep over a set, by name."""


def sweep_sets(
    graphs: Any,
    classes: Any,
    grid: Grid | None = None,
    protocol: Protocol | None = None,
    *,
    n_jobs: int | None = None,
    progress: Progress | None = None,
    stop: Callable[[], bool] | None = None,
) -> Sweep:
    """Measure how well an SVM predicts the classes of graphs, with every kernel of a grid.

    A score is the mean accuracy that :func:`~mpgk_core.evaluation.evaluate` finds for the kernel
    of its cell: the training folds choose C, and how rounds are used, for each cell alone. The
    best cell is chosen by its test folds, so its score flatters it; to know how well the choice
    does on unseen graphs, let ``evaluate`` choose.

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
    n_jobs : int, optional
        Folds to work on at a time; None leaves it to ``joblib.parallel_config``. Results do not
        depend on it.
    progress : callable, optional
        Called with what was found so far and the seconds left, after every cell.
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
    chosen = _usual_grid() if grid is None else grid
    steps = sweep_sets_steps(graphs, classes, chosen, protocol, n_jobs=n_jobs, stop=stop)
    record = Record(chosen, SET_TITLES, progress)
    for cell in steps:
        record.note(*cell)
        record.report()
    return record.sweep()


def sweep_sets_steps(
    graphs: Any,
    classes: Any,
    grid: Grid,
    protocol: Protocol | None = None,
    *,
    n_jobs: int | None = None,
    stop: Callable[[], bool] | None = None,
    known: Collection[tuple[int, ...]] = (),
) -> Iterator[ScoredCell]:
    """Do the same cell by cell, at the pace of whoever asks for the next one.

    Parameters
    ----------
    graphs, classes, grid, protocol, n_jobs, stop
        As for :func:`sweep_sets`; whatever cannot work is refused before the first cell.
    known : collection of tuples of int
        Places of cells that need not be tried again.

    Returns
    -------
    iterator of ScoredCell
    """
    rules = Protocol().quick() if protocol is None else protocol
    rules = replace(rules, iterations=grid.iterations)
    _check_kind(grid, rules)
    prepared = as_graph_set(graphs)
    names, codes = checked_classes(classes, len(prepared), rules)
    return _steps(prepared, names, codes, grid, rules, n_jobs, stop, known)


def _steps(
    graphs: GraphSet,
    names: tuple[Any, ...],
    codes: NDArray[np.int64],
    grid: Grid,
    protocol: Protocol,
    n_jobs: int | None,
    stop: Callable[[], bool] | None,
    known: Collection[tuple[int, ...]],
) -> Iterator[ScoredCell]:
    folds = outer_folds(codes, protocol)
    if stop is not None and stop():
        return
    _check_largest(graphs, grid, protocol)
    with Parallel(n_jobs=n_jobs, return_as="generator_unordered", pre_dispatch="n_jobs") as workers:
        for line in grid.lines():
            if stop is not None and stop():
                break
            wanted = [T for t, T in enumerate(grid.iterations) if (*line, t) not in known]
            if not wanted:
                continue
            spec = _spec(grid, grid.cell((*line, 0)))
            matrices = square_matrices(spec, protocol, graphs)
            samples = dict(zip(candidates(spec, protocol), matrices, strict=True))
            done: dict[int, list[FoldRecord]] = {T: [] for T in wanted}
            for T, result in workers(_tasks(samples, wanted, codes, folds, protocol, stop)):
                done[T].append(result)
                if len(done[T]) == len(folds):
                    found = Evaluation(spec, protocol, names, codes, tuple(done[T]))
                    place = (*line, grid.iterations.index(T))
                    yield ScoredCell(place, {_SCORE: found.mean})


def _tasks(
    samples: dict[Candidate, NDArray[np.float64]],
    wanted: list[int],
    classes: NDArray[np.int64],
    folds: list[Fold],
    protocol: Protocol,
    stop: Callable[[], bool] | None,
) -> Iterator[Any]:
    """Yield the work of every fold of every T that is wanted."""
    for T in wanted:
        choices = [candidate for candidate in samples if candidate.T == T]
        matrices = [samples[candidate] for candidate in choices]
        for fold in folds:
            if stop is not None and stop():
                return
            yield delayed(_fold_at)(T, matrices, choices, classes, fold, protocol)


def _fold_at(
    T: int,
    matrices: list[NDArray[np.float64]],
    choices: list[Candidate],
    classes: NDArray[np.int64],
    fold: Fold,
    protocol: Protocol,
) -> tuple[int, FoldRecord]:
    return T, evaluate_fold(matrices, choices, classes, fold, protocol)


def _usual_grid() -> Grid:
    fifths = tuple(round(0.2 * i, 1) for i in range(1, 6))
    return Grid(fifths, fifths, (1, 2, 3, 4), ("AA",))


def _spec(grid: Grid, cell: Cell) -> KernelSpec:
    return KernelSpec.of(
        cell.variant,
        alpha=cell.alpha,
        beta=cell.beta,
        features=cell.features,
        branching=grid.branching,
        depth=grid.depth,
        random_state=grid.random_state,
    )


def _check_largest(graphs: GraphSet, grid: Grid, protocol: Protocol) -> None:
    """Fit the kernels with the largest α, β and T: if that works, all others will."""
    for variant, features in product(grid.variants, grid.features):
        cell = Cell(variant, features, grid.alphas[-1], grid.betas[-1], grid.iterations[-1])
        spec = _spec(grid, cell)
        check_kernel(len(graphs), spec, protocol)
        MessagePassingGraphKernel(variant, n_iterations=cell.T, **spec.parameters(0)).fit(graphs)


def _check_kind(grid: Grid, protocol: Protocol) -> None:
    if not grid.is_for_graphs:
        raise InvalidParameterError(
            f"The variants {', '.join(grid.variants)} are kernels between vertices. Give RR, RA, "
            "AR or AA to compare graphs, or use sweep."
        )
    if protocol.inductive or protocol.solver != "kernel":
        raise InvalidParameterError(
            "A sweep computes the kernel matrices of all graphs once for all folds. Use a protocol "
            "with inductive=False and solver='kernel'."
        )
