"""Roles of vertices to be predicted, and graphs whose vertices have known roles."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import networkx as nx
import numpy as np
from numpy.typing import NDArray

from mpgk_core.arrays import IntArray
from mpgk_core.checks import check_choice, check_whole
from mpgk_core.errors import InvalidGraphError, shortened
from mpgk_core.evaluation.generated_sets import TEXTS
from mpgk_core.evaluation.protocol import check_one_each
from mpgk_core.graphs import GraphSet
from mpgk_core.graphs.generators import build_graph

MAX_ROLES = 100
"""Every two roles need an SVM of their own: with more roles, thousands of them."""


@dataclass(frozen=True, eq=False)
class Roles:
    """The role of every vertex.

    Attributes
    ----------
    names : tuple of str
        The roles, in ascending order.
    of_vertex : ndarray of shape (n,)
        Positions in ``names``.
    """

    names: tuple[str, ...]
    of_vertex: IntArray

    @property
    def counts(self) -> IntArray:
        """The number of vertices in every role."""
        return np.bincount(self.of_vertex, minlength=len(self.names))

    @property
    def chance(self) -> float:
        """Accuracy of always saying the most frequent role."""
        return float(self.counts.max() / len(self.of_vertex))


def checked_roles(roles: Sequence[Hashable] | NDArray[Any], n_vertices: int) -> Roles:
    """Return the roles as numbers, or raise if nothing can be learnt from them.

    Parameters
    ----------
    roles : sequence of length n
        Text or numbers; equal texts are equal roles.
    n_vertices : int
        The number n.

    Returns
    -------
    Roles

    Examples
    --------
    >>> roles = checked_roles(["roof", "floor", "floor", "roof"], 4)
    >>> roles.names, roles.of_vertex.tolist()
    (('floor', 'roof'), [1, 0, 0, 1])
    """
    given = list(roles)
    check_one_each(given, range(n_vertices), "vertex", "role", "choose another column")
    names, codes = np.unique([str(role) for role in given], return_inverse=True)
    if len(names) < 2:
        raise InvalidGraphError(
            "All vertices have the same role, so there is nothing to predict. Choose a column "
            "with at least two roles."
        )
    if len(names) > MAX_ROLES:
        raise InvalidGraphError(
            f"There are {len(names):,} roles; at most {MAX_ROLES} can be told apart here. Choose "
            "a column with fewer."
        )
    counts = np.bincount(codes)
    if counts.min() < 2:
        lonely = shortened(str(names[int(counts.argmin())]))
        raise InvalidGraphError(
            f"Only one vertex has the role {lonely!r}: it cannot be both learnt and tested. Give "
            "every role at least two vertices, or choose another column."
        )
    return Roles(tuple(names.tolist()), codes.astype(np.int64))


MAX_EXTRA_EDGES = 60
"""More would hide what the graph was."""


@dataclass(frozen=True)
class RoleGraph:
    """How a graph with roles is made.

    Attributes
    ----------
    title : str
    explanation : str
        What the roles are, and what to expect.
    build : callable
        Returns a networkx graph whose node attribute ``label`` is the role.
    """

    title: str
    explanation: str
    build: Callable[[], nx.Graph]


def role_graph(name: str, extra_edges: int = 0, random_state: int = 0) -> tuple[GraphSet, Roles]:
    """Make a graph, and return the roles of its vertices apart from it.

    Parameters
    ----------
    name : str
        A key of ``ROLE_GRAPHS``.
    extra_edges : int
        Edges added between vertices drawn at random, which disturb the roles; from 0 to 60.
    random_state : int
        Seed of these edges. More edges begin with those of fewer.

    Returns
    -------
    graph : GraphSet
        One graph without labels, so that no kernel can see the roles.
    roles : Roles

    Examples
    --------
    >>> graph, roles = role_graph("houses")
    >>> graph.n_vertices, graph.labels, len(roles.names)
    (80, None, 5)
    """
    check_choice(name, list(ROLE_GRAPHS), "name", "role_graph")
    check_whole(extra_edges, 0, "extra_edges", "role_graph", maximum=MAX_EXTRA_EDGES)
    check_whole(random_state, 0, "random_state", "role_graph")
    built = ROLE_GRAPHS[name].build()
    chance = np.random.default_rng([random_state, len(built)])
    for _ in range(extra_edges):
        built.add_edge(*_strangers(built, chance))
    bare = GraphSet.from_networkx(built, node_label=None)
    return bare, checked_roles([role for _, role in built.nodes("label")], len(built))


def _strangers(graph: nx.Graph, chance: np.random.Generator) -> tuple[int, int]:
    """Draw two vertices without an edge between them."""
    while True:
        v, u = chance.integers(len(graph), size=2).tolist()
        if v != u and not graph.has_edge(v, u):
            return v, u


def _houses() -> nx.Graph:
    return build_graph("houses-on-a-ring", houses=10, spacing=3)


def _mirrored_karate() -> nx.Graph:
    """Return two karate clubs, joined by an edge between a member and his mirror image."""
    club = nx.Graph(build_graph("karate-club").edges)
    members = sorted(club)
    graph = nx.Graph()
    for copy in range(2):
        first = copy * len(members)
        place = {member: first + i for i, member in enumerate(members)}
        graph.add_nodes_from((place[m], {"label": f"member {i}"}) for i, m in enumerate(members))
        graph.add_edges_from((place[v], place[u]) for v, u in club.edges)
    graph.add_edge(0, len(members))
    return graph


def _barbell() -> nx.Graph:
    """Return a barbell whose roles are clique, the clique's vertex on the bridge, and bridge."""
    size, length = 10, 10
    graph: nx.Graph = nx.barbell_graph(size, length)
    bridge = range(size, size + length)
    for v in graph:
        touches = any(u in bridge for u in graph[v])
        graph.nodes[v]["label"] = "bridge" if v in bridge else "head" if touches else "clique"
    return graph


_BUILD = {"houses": _houses, "karate": _mirrored_karate, "barbell": _barbell}

ROLE_GRAPHS: Mapping[str, RoleGraph] = {
    name: RoleGraph(**text, build=_BUILD[name]) for name, text in TEXTS["role graphs"].items()
}
"""The graphs that can be made."""
