"""Where a graph with roles comes from: a demonstration that anybody can build, or itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from mpgk_core.errors import InvalidGraphError, shortened
from mpgk_core.evaluation import ROLE_GRAPHS, Roles, role_graph
from mpgk_core.evaluation.node_roles import MOST_EXTRA_EDGES
from mpgk_core.graphs import GraphSet
from mpgk_core.graphs.recipes import check_one_graph
from mpgk_core.parameters import check_choice, check_whole


@dataclass(frozen=True)
class PresetRoles:
    """A graph with roles that :func:`mpgk_core.evaluation.role_graph` makes.

    Parameters
    ----------
    preset : str
        A key of :data:`~mpgk_core.evaluation.ROLE_GRAPHS`.
    extra_edges : int
        Edges that disturb the roles.
    random_state : int
        Seed of these edges.

    Examples
    --------
    >>> graph, roles = PresetRoles("barbell", extra_edges=2).made()
    >>> graph, roles.names
    (GraphSet(1 graph, 30 vertices, 103 edges), ('bridge', 'clique', 'head'))
    """

    preset: str
    extra_edges: int = 0
    random_state: int = 0

    def __post_init__(self) -> None:
        owner = type(self).__name__
        check_choice(self.preset, list(ROLE_GRAPHS), "preset", owner)
        check_whole(self.extra_edges, 0, "extra_edges", owner, maximum=MOST_EXTRA_EDGES)
        check_whole(self.random_state, 0, "random_state", owner)

    @property
    def title(self) -> str:
        """Name for people."""
        return ROLE_GRAPHS[self.preset].title

    @property
    def file_part(self) -> str:
        """What a file name says of it."""
        return f"{self.preset}-{self.extra_edges}-{self.random_state}"

    def made(self) -> tuple[GraphSet, Roles]:
        """Return the graph, and the roles of its vertices."""
        return role_graph(self.preset, self.extra_edges, self.random_state)


@dataclass(frozen=True, eq=False)
class GivenRoles:
    """The graph itself, and the roles of its vertices.

    Parameters
    ----------
    title : str
        Name for people.
    graph : GraphSet
        With one graph, which must not contain the roles.
    roles : Roles
    """

    title: str
    graph: GraphSet
    roles: Roles

    def __post_init__(self) -> None:
        check_one_graph(self.graph, "GivenRoles")
        n_vertices, n_roles = self.graph.n_vertices, len(self.roles.of_vertex)
        if n_roles != n_vertices:
            raise InvalidGraphError(
                f"There are {n_vertices:,} vertices and {n_roles:,} roles. Give every vertex one "
                "role."
            )

    @property
    def file_part(self) -> str:
        """What a file name says of it."""
        return shortened(self.title)

    def made(self) -> tuple[GraphSet, Roles]:
        """Return the graph, and the roles of its vertices."""
        return self.graph, self.roles


RoleSource: TypeAlias = PresetRoles | GivenRoles
"""Either of these."""
