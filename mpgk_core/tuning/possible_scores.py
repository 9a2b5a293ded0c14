"""Which scores a graph allows, and why not the others."""

from __future__ import annotations

from typing import Any

from mpgk_core.equivalence.orbits import Orbits
from mpgk_core.equivalence.orbits import orbits as find_orbits
from mpgk_core.errors import InvalidGraphError
from mpgk_core.graphs import as_graph_set
from mpgk_core.tuning.scores import SCORES
from mpgk_core.tuning.vertex_sweep import facts_for

__all__ = ["score_problems"]


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
