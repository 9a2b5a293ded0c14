"""Which scores a graph allows, and why not the others."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np

from mpgk_core.automorphism.orbits import Orbits
from mpgk_core.automorphism.orbits import orbits as find_orbits
from mpgk_core.errors import InvalidGraphError, InvalidParameterError
from mpgk_core.graphs import GraphSet, as_graph_set
from mpgk_core.parameters import check_choice, check_whole
from mpgk_core.tuning.scores import SCORES
from mpgk_core.tuning.vertex_facts import VertexFacts, checked_labels, checked_orbits


def score_problems(graph: Any, orbits: Orbits | None = None, n_folds: int = 5) -> dict[str, str]:
    """Say for every score what stands in its way.

    Parameters
    ----------
    graph : networkx graph, or GraphSet with one graph
    orbits : Orbits, optional
        The orbits of the graph, where they are known already.
    n_folds : int
        Folds in which labels are predicted.

    Returns
    -------
    dict from str to str
        By the name of the score; empty where nothing does.

    Examples
    --------
    >>> import networkx as nx
    >>> problems = score_problems(nx.cycle_graph(5))
    >>> [name for name, problem in problems.items() if not problem]
    ['recovered', 'points']
    >>> problems["gap"]
    'All vertices are in one orbit, so there is no gap between orbits. Choose another score, or
    another graph.'
    """
    graphs = as_graph_set(graph)
    known = find_orbits(graphs) if orbits is None else orbits
    problems = dict.fromkeys(SCORES, "")
    for name in SCORES:
        try:
            facts_for(graphs, [name], orbits=known, n_folds=n_folds)
        except InvalidGraphError as problem:
            problems[name] = str(problem)
    return problems


def check_scores(scores: Sequence[str]) -> None:
    """Raise unless these are names of scores, and there is at least one."""
    if isinstance(scores, str) or not scores:
        raise InvalidParameterError(
            f"The 'scores' parameter of sweep must be a list of names. Got {scores!r} instead."
        )
    for name in scores:
        check_choice(name, list(SCORES), "scores", "sweep")


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
    check_scores(scores)
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
