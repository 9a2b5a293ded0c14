"""Where the graphs of a study come from.

One graph is a recipe of :mod:`mpgk_core.graphs.generators`. Sets of graphs with classes, and graphs
with roles, are here. Each has a ``name`` fit for a line of text, a ``file_part`` for names of
files, and ``build``.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import TypeAlias

from mpgk_core.checks import check_choice, check_whole
from mpgk_core.datasets import DataSet, load
from mpgk_core.errors import InvalidGraphError
from mpgk_core.evaluation import RECIPES, ROLE_GRAPHS, LabelledSet, Roles, generate, role_graph
from mpgk_core.evaluation.node_roles import MAX_EXTRA_EDGES
from mpgk_core.export.packed_graphs import PackedSet
from mpgk_core.graphs import GraphSet
from mpgk_core.graphs.generators import Given, GivenGraph, PresetGraph, check_one_graph


@dataclass(frozen=True)
class NamedSet:
    """A data set that :func:`mpgk_core.datasets.load` finds.

    Parameters
    ----------
    name : str
        "MUTAG".
    """

    name: str

    @property
    def file_part(self) -> str:
        """The part of a file name that stands for it."""
        return self.name

    def build(self) -> DataSet:
        """Return graphs and classes."""
        return load(self.name)


@dataclass(frozen=True)
class GeneratedSet:
    """A data set that :func:`mpgk_core.evaluation.generate` makes.

    Parameters
    ----------
    recipe : str
        A key of :data:`~mpgk_core.evaluation.RECIPES`.
    n_per_class : int
        Graphs of each class.
    random_state : int

    Examples
    --------
    >>> GeneratedSet("rings", 3).build().graphs
    GraphSet(6 graphs, 121 vertices, 118 edges)
    """

    recipe: str
    n_per_class: int = 50
    random_state: int = 0

    def __post_init__(self) -> None:
        check_choice(self.recipe, list(RECIPES), "recipe", "GeneratedSet")
        check_whole(self.n_per_class, 1, "n_per_class", "GeneratedSet")
        check_whole(self.random_state, 0, "random_state", "GeneratedSet")

    @property
    def name(self) -> str:
        """Title of the recipe."""
        return RECIPES[self.recipe].title

    @property
    def file_part(self) -> str:
        """The part of a file name that stands for it."""
        return f"{self.recipe}-{self.n_per_class}-{self.random_state}"

    def build(self) -> LabelledSet:
        """Return graphs and classes."""
        return generate(self.recipe, self.n_per_class, self.random_state)


@dataclass(frozen=True, eq=False)
class GivenSet(Given):
    """The graphs themselves, with their classes.

    Parameters
    ----------
    title : str
        Any text.
    graphs : GraphSet
    classes : tuple of str or number
        One for every graph.
    """

    title: str
    graphs: GraphSet
    classes: tuple[Hashable, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "classes", tuple(self.classes))
        self.build()  # raises unless every graph has a class

    @property
    def name(self) -> str:
        """The title, fit for a line of text."""
        return super().name or "graphs"

    def build(self) -> PackedSet:
        """Return graphs and classes."""
        return PackedSet(self.graphs, self.classes)


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
    >>> graph, roles = PresetRoles("barbell", extra_edges=2).build()
    >>> graph, roles.names
    (GraphSet(1 graph, 30 vertices, 103 edges), ('bridge', 'clique', 'head'))
    """

    preset: str
    extra_edges: int = 0
    random_state: int = 0

    def __post_init__(self) -> None:
        check_choice(self.preset, list(ROLE_GRAPHS), "preset", "PresetRoles")
        check_whole(self.extra_edges, 0, "extra_edges", "PresetRoles", maximum=MAX_EXTRA_EDGES)
        check_whole(self.random_state, 0, "random_state", "PresetRoles")

    @property
    def name(self) -> str:
        """Title of the preset."""
        return ROLE_GRAPHS[self.preset].title

    @property
    def file_part(self) -> str:
        """The part of a file name that stands for it."""
        return f"{self.preset}-{self.extra_edges}-{self.random_state}"

    def build(self) -> tuple[GraphSet, Roles]:
        """Return the graph, and the roles of its vertices."""
        return role_graph(self.preset, self.extra_edges, self.random_state)


@dataclass(frozen=True, eq=False)
class GivenRoles(Given):
    """The graph itself, and the roles of its vertices.

    Parameters
    ----------
    title : str
        Any text.
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

    def build(self) -> tuple[GraphSet, Roles]:
        """Return the graph, and the roles of its vertices."""
        return self.graph, self.roles


OneGraph: TypeAlias = PresetGraph | GivenGraph
"""A graph by name, or the graph itself."""

ClassifiedGraphs: TypeAlias = NamedSet | GeneratedSet | GivenSet
"""A set of graphs with classes."""

RoleSource: TypeAlias = PresetRoles | GivenRoles
"""A graph with roles."""
