"""Try many kernels on the vertices of one graph."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterator, Sequence
from typing import Any

import numpy as np

from mpgk_core.equivalence.orbits import Orbits
from mpgk_core.errors import InvalidParameterError
from mpgk_core.graphs import as_graph_set
from mpgk_core.graphs.graph_set import GraphSet
from mpgk_core.parameters import check_choice, check_whole
from mpgk_core.tuning.cell_points import CellPoints, point_source
from mpgk_core.tuning.grid import Grid
from mpgk_core.tuning.record import Progress, Record, ScoredCell
from mpgk_core.tuning.result import Sweep
from mpgk_core.tuning.scores import SCORES
from mpgk_core.tuning.vertex_facts import VertexFacts, checked_labels, checked_orbits

__all__ = ["facts_for", "sweep", "sweep_steps"]


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
    progress : callable, optional
        Called with what was found so far and the seconds left, after all T of an α and a β.
    stop : callable, optional
        Asked after every cell; once it returns True, what is done is returned.

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
    chosen = Grid() if grid is None else grid
    steps = sweep_steps(
        graph,
        chosen,
        scores,
        labels=labels,
        orbits=orbits,
        n_neighbours=n_neighbours,
        n_folds=n_folds,
        random_state=random_state,
    )
    record = Record(chosen, {name: SCORES[name].title for name in scores}, progress)
    if stop is not None and stop():
        return record.sweep()
    for cell in steps:
        record.note(*cell)
        if stop is not None and stop():
            break
        if cell.place[-1] == len(chosen.iterations) - 1:
            record.report()
    return record.sweep()


def sweep_steps(
    graph: Any,
    grid: Grid,
    scores: Sequence[str] = ("recovered",),
    *,
    labels: Sequence[Hashable] | None = None,
    orbits: Orbits | None = None,
    n_neighbours: int = 5,
    n_folds: int = 5,
    random_state: int = 0,
    known: Collection[tuple[int, ...]] = (),
) -> Iterator[ScoredCell]:
    """Do the same cell by cell, at the pace of whoever asks for the next one.

    Parameters
    ----------
    graph, grid, scores, labels, orbits, n_neighbours, n_folds, random_state
        As for :func:`sweep`; whatever cannot work is refused before the first cell.
    known : collection of tuples of int
        Places of cells that need not be tried again.

    Returns
    -------
    iterator of ScoredCell

    Examples
    --------
    >>> import networkx as nx
    >>> grid = Grid([0.8], [0.2], range(1, 6), features=["degree"])
    >>> steps = sweep_steps(nx.barbell_graph(10, 10), grid, known=[(0, 0, 0, 0, 0)])
    >>> [int(cell.scores["recovered"]) for cell in steps]
    [4, 5, 7, 7]
    """
    if grid.is_for_graphs:
        raise InvalidParameterError(
            f"The variants {', '.join(grid.variants)} are kernels between graphs. Give R or A "
            "to compare vertices, or use sweep_sets."
        )
    graphs = as_graph_set(graph)
    facts = facts_for(
        graphs,
        scores,
        labels=labels,
        orbits=orbits,
        n_neighbours=n_neighbours,
        n_folds=n_folds,
        random_state=random_state,
    )
    return _steps(graphs, grid, scores, facts, known)


def _steps(
    graphs: GraphSet,
    grid: Grid,
    scores: Sequence[str],
    facts: VertexFacts,
    known: Collection[tuple[int, ...]],
) -> Iterator[ScoredCell]:
    sources = [
        [point_source(graphs, grid, variant, text) for text in grid.features]
        for variant in grid.variants
    ]
    seen: dict[tuple[Hashable, ...], float] = {}
    for line in grid.lines():
        variant, features, alpha, beta = line
        places = [(*line, T) for T in range(len(grid.iterations))]
        if all(place in known for place in places):
            continue
        cells = sources[variant][features](grid.alphas[alpha], grid.betas[beta])
        for place, cell in zip(places, cells, strict=True):
            if place not in known:
                yield ScoredCell(place, _scores_of(cell, scores, facts, line[:2], seen))


def facts_for(
    graphs: GraphSet,
    scores: Sequence[str],
    *,
    labels: Sequence[Hashable] | None = None,
    orbits: Orbits | None = None,
    n_neighbours: int = 5,
    n_folds: int = 5,
    random_state: int = 0,
) -> VertexFacts:
    """Find out what some scores need to know of the vertices, or raise if that cannot be.

    Parameters
    ----------
    graphs, scores, labels, orbits, n_neighbours, n_folds, random_state
        As for :func:`sweep`.

    Returns
    -------
    VertexFacts
    """
    if isinstance(scores, str) or not scores:
        raise InvalidParameterError(
            f"The 'scores' parameter of sweep must be a list of names. Got {scores!r} instead."
        )
    for name in scores:
        check_choice(name, list(SCORES), "scores", "sweep")
    check_whole(n_neighbours, 1, "n_neighbours", "sweep")
    check_whole(n_folds, 2, "n_folds", "sweep")
    check_whole(random_state, 0, "random_state", "sweep")
    nothing = np.empty(0, dtype=np.int64)
    classes = orbit_of_vertex = nothing
    if any(SCORES[name].needs_labels for name in scores):
        classes = checked_labels(graphs, labels, n_folds if "accuracy" in scores else None)
    if any(SCORES[name].needs_orbits for name in scores):
        orbit_of_vertex = checked_orbits(graphs, orbits, needs_two="gap" in scores)
    return VertexFacts(orbit_of_vertex, classes, n_neighbours, n_folds, random_state)


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
