"""Automorphism orbits: which vertices of a graph play exactly the same role."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from mpgk_core.arrays import IntArray
from mpgk_core.automorphism.coloured_part import ColouredPart, SearchAbandonedError, WorkBudget
from mpgk_core.automorphism.isomorphism_search import AutomorphismSearch
from mpgk_core.errors import InvalidGraphError
from mpgk_core.graphs.graph_set import as_graph_set
from mpgk_core.parameters import check_whole
from mpgk_core.refinement.colour_refinement import agreeing

_DEFAULT_BUDGET = 700_000_000


@dataclass(frozen=True, eq=False)
class Orbits:
    """The orbits of the automorphism group of a graph.

    Parameters
    ----------
    of_vertex : ndarray of shape (n,)
        The orbit of each vertex. Orbits are numbered 0, 1, 2, ... in order of their first vertex.
    proven : bool
        True: these are the orbits. False: the search reached its limit; vertices of different
        classes are certainly not equivalent, vertices of one class may or may not be.
    """

    of_vertex: IntArray
    proven: bool

    @property
    def n_orbits(self) -> int:
        """Number of orbits."""
        return int(self.of_vertex.max(initial=-1)) + 1

    def classes(self) -> list[IntArray]:
        """Return the vertices of each orbit, in ascending order."""
        by_orbit = np.argsort(self.of_vertex, kind="stable")
        sizes = np.bincount(self.of_vertex, minlength=self.n_orbits)
        return np.split(by_orbit, np.cumsum(sizes)[:-1]) if self.n_orbits else []


def orbits(graph: Any, *, respect_labels: bool = False, budget: int = _DEFAULT_BUDGET) -> Orbits:
    """Find the automorphism orbits of a graph, exactly.

    An automorphism is a way to rename the vertices that leaves the graph as it is. Two vertices
    are in one orbit if an automorphism maps one to the other: nothing about the graph tells them
    apart. Colour refinement only comes close to this: it can never tell apart the vertices of a
    regular graph, such as a cycle of three and a cycle of four side by side.

    The search starts from the stable colours. In a forest these are the orbits already. Elsewhere
    the graph is taken apart where its colours explain all edges, alike pieces are matched, and in
    pieces that do not come apart a vertex is set aside to see what it can be mapped to. Every map
    is checked edge by edge.

    Parameters
    ----------
    graph : GraphSet with one graph, or networkx graph
        A vertex with a self-loop (in a GraphSet that keeps them) differs from one without.
    respect_labels : bool
        Whether automorphisms must keep the vertex labels. Without labels, this changes nothing.
    budget : int
        The search ends after about so many edge visits, some 10 to 20 seconds by default.

    Returns
    -------
    Orbits
        If the budget was not enough, the classes of stable colours, marked as not proven.

    Raises
    ------
    InvalidGraphError
        If there is more than one graph.
    InvalidParameterError
        If the budget is negative.

    Examples
    --------
    >>> import networkx as nx
    >>> cycles = nx.disjoint_union(nx.cycle_graph(3), nx.cycle_graph(4))
    >>> found = orbits(cycles)
    >>> found.of_vertex.tolist(), found.proven
    ([0, 0, 0, 1, 1, 1, 1], True)
    >>> orbits(nx.barbell_graph(10, 10)).n_orbits
    7
    """
    graphs = as_graph_set(graph)
    if len(graphs) != 1:
        raise InvalidGraphError(
            f"Orbits belong to one graph. Got {len(graphs)}: choose one of them."
        )
    check_whole(budget, 0, "budget", "orbits")
    adjacency = graphs.adjacency
    loops = adjacency.diagonal() != 0
    colours = loops.astype(np.int64)
    if respect_labels and graphs.label_codes is not None:
        colours += 2 * graphs.label_codes.astype(np.int64)
    whole = ColouredPart.from_graph(*_without_loops(adjacency), colours, WorkBudget(budget))
    n_components = connected_components(adjacency, directed=False, return_labels=False)
    if len(whole.indices) // 2 == len(whole) - n_components:
        return Orbits(agreeing(whole.partition.cell), proven=True)
    try:
        found = AutomorphismSearch(whole).orbits()
    except SearchAbandonedError:
        return Orbits(agreeing(whole.partition.cell), proven=False)
    return Orbits(agreeing(found.first_of_all()), proven=True)


def _without_loops(adjacency: csr_array) -> tuple[IntArray, IntArray]:
    rows = np.repeat(np.arange(adjacency.shape[0]), np.diff(adjacency.indptr))
    others = adjacency.indices != rows
    kept_before = np.concatenate([[0], np.cumsum(others)])
    return kept_before[adjacency.indptr], adjacency.indices[others]
