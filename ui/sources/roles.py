"""Source of a graph with roles: a demonstration, or a file with a column of roles."""

from __future__ import annotations

from dataclasses import dataclass, replace

import streamlit as st

from mpgk_core.evaluation import ROLE_GRAPHS, Roles, checked_roles
from mpgk_core.evaluation.node_roles import MAX_EXTRA_EDGES
from mpgk_core.export import GivenRoles, PresetRoles
from mpgk_core.formats import guess_roles
from ui.shared.widgets import (
    NOT_USABLE,
    ProblemsShown,
    from_list,
    help_of,
    number,
    show_problem,
    slider,
)
from ui.sources.graphs import graph_of_file, number_of_graph, within_limit
from ui.sources.uploads import ReadFile, column_uses, source_choice, upload_box, usable
from ui.state.cache import cached
from ui.state.choices import ChosenGraph, Keyed

_SOURCES = {"made": "Demonstration", "file": "Upload", "loaded": "Loaded"}
_MOST_VERTICES = 2_000


@dataclass(frozen=True, eq=False)
class ChosenRoles(Keyed):
    """A graph, and the roles to be predicted, which the graph does not contain.

    Attributes
    ----------
    graph : ChosenGraph
    roles : Roles
    recipe : PresetRoles or None
        How others can build the same; None where only graph and roles themselves will do.
    """

    graph: ChosenGraph
    roles: Roles
    recipe: PresetRoles | None = None

    @property
    def source(self) -> PresetRoles | GivenRoles:
        """How others can get at the same graph and roles."""
        return self.recipe or GivenRoles(self.graph.title, self.graph.graph, self.roles)


def role_source() -> ChosenRoles | None:
    """Let the user choose a graph with roles; None until there is one."""
    with st.sidebar:
        st.subheader("Graph with roles")
        source, given = source_choice("roles-source", "Source of the roles", _SOURCES, GivenRoles)
        if source == "made":
            return _demonstration()
        if given is not None:
            st.caption("The graph of the session file that was loaded.")
            return ChosenRoles(ChosenGraph(given.title, given.graph), given.roles)
        uploaded = upload_box("upload-roles")
    read = usable(
        uploaded,
        "Upload a graph whose vertices have a column of roles, for example GraphML, GML, "
        "or a table of vertices with a table of edges.",
    )
    return None if read is None else _of_file(read)


def _demonstration() -> ChosenRoles:
    titles = {key: one.title for key, one in ROLE_GRAPHS.items()}
    name = from_list("roles", "Demonstration", titles)
    st.caption(ROLE_GRAPHS[name].explanation)
    extra = slider("extra-edges", "Extra edges", 0, MAX_EXTRA_EDGES, 4)
    seed = number("extra-seed", "Seed of the edges")
    return _made(name, extra, seed)


@cached(spinner="Building the graph …")
def _made(name: str, extra: int, seed: int) -> ChosenRoles:
    recipe = PresetRoles(name, extra, seed)
    graph, roles = recipe.build()
    return ChosenRoles(ChosenGraph(recipe.name, graph), roles, recipe)


def _of_file(read: ReadFile) -> ChosenRoles | None:
    assert read.tables is not None
    tables = read.tables
    columns = list(tables.columns)
    if not columns:
        show_problem(
            "The vertices in this file have no columns, so there are no roles to predict. Upload a "
            "file with a column that holds the role of every vertex.",
            title=NOT_USABLE,
        )
        return None
    guessed = [column for column, role in guess_roles(tables.columns).items() if role == "label"]
    with st.sidebar:
        target = st.selectbox(
            "Column of roles",
            columns,
            key=f"target {read.key}",
            index=columns.index(guessed[0]) if guessed else 0,
            persist_state="session",
            help=help_of("target"),
        )
        place = number_of_graph(read)
    chosen = column_uses(read)
    uses = replace(chosen, roles={**chosen.roles, target: "ignore"})
    with ProblemsShown(NOT_USABLE):
        whole = graph_of_file(read, uses, place)
        start, end = tables.offsets[place : place + 2].tolist()
        role_of = dict(zip(whole.graph.names, tables.columns[target][start:end], strict=True))
        part = within_limit(whole, _MOST_VERTICES)
        roles = checked_roles([role_of[name] for name in part.graph.names], part.graph.n_vertices)
        return ChosenRoles(part, roles)
    return None
