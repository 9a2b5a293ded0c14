"""Source of a graph with roles: a demonstration, or a file with a column of roles."""

from __future__ import annotations

from dataclasses import dataclass, field

import streamlit as st

from mpgk_core import MPGKError
from mpgk_core.content_key import content_key
from mpgk_core.evaluation import ROLE_GRAPHS, Roles, checked_roles
from mpgk_core.evaluation.node_roles import MAX_EXTRA_EDGES
from mpgk_core.export import GivenRoles, PresetRoles
from mpgk_core.formats import Role, guess_roles
from ui.files import ReadFile
from ui.loaded_data import ask_for, loaded_data
from ui.shared.messages import NOT_USABLE, show_problem
from ui.sources.graphs import graph_of_file, number_of_graph, within_limit
from ui.sources.uploads import column_roles, upload_box, usable
from ui.state.address import one_of
from ui.state.cache import cached
from ui.state.choices import ChosenGraph

_SOURCES = {"made": "Demonstration", "file": "Upload", "loaded": "Loaded"}
_MOST_VERTICES = 2_000


@dataclass(frozen=True, eq=False)
class ChosenRoles:
    """A graph, and the roles to be predicted, which the graph does not contain.

    Attributes
    ----------
    graph : ChosenGraph
    roles : Roles
    recipe : PresetRoles or None
        How others can build the same; None where only graph and roles themselves will do.
    key : str
        Made of all of these: equal keys mean equal choices.
    """

    graph: ChosenGraph
    roles: Roles
    recipe: PresetRoles | None = None
    key: str = field(init=False)

    def __post_init__(self) -> None:
        key = content_key(self.graph, self.roles, self.recipe)
        object.__setattr__(self, "key", key)

    def content(self) -> tuple[str]:
        """Return what stands for this in keys."""
        return (self.key,)

    @property
    def source(self) -> PresetRoles | GivenRoles:
        """How others can get at the same graph and roles."""
        return self.recipe or GivenRoles(self.graph.title, self.graph.graph, self.roles)


def role_source() -> ChosenRoles | None:
    """Let the user choose a graph with roles; None until there is one."""
    loaded = loaded_data(GivenRoles)
    with st.sidebar:
        st.subheader("Graph with roles")
        choices = [key for key in _SOURCES if key != "loaded" or loaded is not None]
        source = one_of(
            st.segmented_control,
            "Source of the roles",
            choices,
            "made",
            format_func=_SOURCES.__getitem__,
            key="roles-source",
            label_visibility="collapsed",
            help="A graph whose roles are known, or a file of yours with a column of roles.",
        )
        if source == "made":
            return _demonstration()
        if source == "loaded" and loaded is not None:
            key, given = loaded
            ask_for(key, given)
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
    names = list(ROLE_GRAPHS)
    name = one_of(
        st.selectbox,
        "Demonstration",
        names,
        names[0],
        key="roles",
        format_func=lambda key: ROLE_GRAPHS[key].title,
        label_visibility="collapsed",
        help="Graphs in which vertices far apart play the same role.",
    )
    st.caption(ROLE_GRAPHS[name].explanation)
    extra = st.slider(
        "Extra edges",
        0,
        MAX_EXTRA_EDGES,
        4,
        key="extra-edges",
        bind="query-params",
        help="Edges between vertices drawn at random. They disturb the roles: equality breaks at "
        "once, similarity little by little.",
    )
    seed = st.number_input(
        "Seed of the edges",
        0,
        9999,
        0,
        key="extra-seed",
        bind="query-params",
        help="Another seed, other edges.",
    )
    return _made(name, extra, int(seed))


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
            "The vertices in this file have no columns, so there are no roles to "
            "predict. Give a file with a column that says the role of every "
            "vertex.",
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
            help="What is to be predicted. The kernel does not see this column.",
        )
        number = number_of_graph(read)
    uses: dict[str, Role] = {**column_roles(read), target: "ignore"}
    try:
        whole = graph_of_file(read, tuple(uses.items()), number)
        start, end = tables.offsets[number : number + 2].tolist()
        role_of = dict(zip(whole.graph.names, tables.columns[target][start:end], strict=True))
        part = within_limit(whole, _MOST_VERTICES)
        roles = checked_roles([role_of[name] for name in part.graph.names], part.graph.n_vertices)
    except MPGKError as problem:
        show_problem(str(problem), title=NOT_USABLE)
        return None
    return ChosenRoles(part, roles)
