"""Source of the data set of a page: built-in, generated, uploaded or downloaded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from mpgk_core import GraphSet, MPGKError
from mpgk_core.content_key import content_key
from mpgk_core.datasets import available, fetch_tu, load, version_of
from mpgk_core.evaluation import RECIPES, generate
from mpgk_core.export import GeneratedSet, GivenSet, NamedSet
from mpgk_core.formats import Role, bounds, counted
from mpgk_core.formats.source import Bounds
from ui.files import ReadFile
from ui.loaded_data import ask_for, loaded_data
from ui.shared.messages import NOT_DONE, NOT_USABLE, show_problem
from ui.sources.uploads import column_roles, upload_box, usable
from ui.state.address import one_of
from ui.state.cache import cached
from ui.state.choices import key_of_data, key_of_graphs

_SOURCES = {
    "here": "Built-in",
    "made": "Generated",
    "file": "Upload",
    "web": "Download",
    "loaded": "Loaded",
}


@dataclass(frozen=True, eq=False)
class ChosenSet:
    """Graphs with classes, and how they came about.

    Attributes
    ----------
    name : str
    graphs : GraphSet
    classes : sequence
        One for every graph.
    about : str
        A sentence or a citation.
    data : NamedSet, GeneratedSet or GivenSet
        How others can get at the same set.
    notes : tuple of str
        What was dropped or merged when the set was read.
    key : str
        Made of all of these: equal keys mean equal choices.
    """

    name: str
    graphs: GraphSet
    classes: Sequence[Any]
    about: str
    data: NamedSet | GeneratedSet | GivenSet
    notes: tuple[str, ...] = ()
    key: str = field(init=False)

    def __post_init__(self) -> None:
        data = key_of_data(self.data) if isinstance(self.data, GivenSet) else self.data
        graphs = key_of_graphs(self.graphs)
        key = content_key(self.name, graphs, list(self.classes), self.about, data, self.notes)
        object.__setattr__(self, "key", key)

    def content(self) -> tuple[str]:
        """Return what stands for this in keys."""
        return (self.key,)


def data_set_source() -> ChosenSet | None:
    """Let the user choose a data set; None until there is one."""
    loaded = loaded_data(GivenSet)
    with st.sidebar:
        st.subheader("Data set")
        choices = [key for key in _SOURCES if key != "loaded" or loaded is not None]
        source = one_of(
            st.segmented_control,
            "Source of the data set",
            choices,
            "here",
            format_func=_SOURCES.__getitem__,
            key="set-source",
            label_visibility="collapsed",
            help="A set on this server, one made by a seeded generator, a TU archive or several "
            "files of your own, or one of the TU collection by name.",
        )
        if source == "here":
            return _at_hand()
        if source == "made":
            return _generated()
        if source == "web":
            return _fetched()
        if source == "loaded" and loaded is not None:
            return _of_session(*loaded)
    return _uploaded()


def _at_hand() -> ChosenSet:
    names = list(available())
    name = one_of(
        st.selectbox,
        "Data set",
        names,
        "MUTAG" if "MUTAG" in names else names[0],
        key="set",
        label_visibility="collapsed",
        help="From the samples, the folder MPGK_DATA, and earlier downloads.",
    )
    return _named(name)


def _named(name: str) -> ChosenSet:
    """Read a set on this server, again if its file has changed."""
    return _loaded(name, version_of(name), bounds())


@cached(spinner="Reading …")
def _loaded(name: str, version: tuple[Any, ...], limits: Bounds) -> ChosenSet:
    found = load(name)
    classes = found.classes.tolist()
    return ChosenSet(name, found.graphs, classes, found.citation, NamedSet(name), found.notes)


def _generated() -> ChosenSet:
    recipes = list(RECIPES)
    recipe = one_of(
        st.selectbox,
        "Recipe",
        recipes,
        recipes[0],
        key="recipe",
        label_visibility="collapsed",
        format_func=lambda key: RECIPES[key].title,
        help="Sets whose classes differ in a known way.",
    )
    st.caption(RECIPES[recipe].explanation)
    n = st.slider(
        "Graphs per class",
        10,
        200,
        50,
        10,
        key="per-class",
        bind="query-params",
        help="More graphs, steadier numbers, longer runs.",
    )
    seed = st.number_input(
        "Seed of the set",
        0,
        9999,
        0,
        key="set-seed",
        bind="query-params",
        help="Same seed, same graphs.",
    )
    return _made(recipe, n, int(seed))


@cached(spinner="Making the graphs …")
def _made(recipe: str, n: int, seed: int) -> ChosenSet:
    made = generate(recipe, n, seed)
    about = RECIPES[recipe]
    data = GeneratedSet(recipe, n, seed)
    return ChosenSet(about.title, made.graphs, made.classes, about.explanation, data)


def _uploaded() -> ChosenSet | None:
    with st.sidebar:
        given = upload_box("upload-set")
    read = usable(
        given, "Upload a TU data set (.zip) in the sidebar, or several files as one set of graphs."
    )
    if read is None or read.tables is None:
        return None
    roles = column_roles(read)
    if read.tables.classes is None:
        graphs, vertices = len(read.tables), read.tables.n_vertices
        show_problem(
            f"{read.title}: {counted(graphs, 'graph')}, {counted(vertices, 'vertex', 'vertices')}. "
            "There are no classes, so there is nothing to predict. Give a TU data set with a "
            "graph_labels file.",
            title=NOT_USABLE,
        )
        return None
    try:
        return _of_file(read, tuple(sorted(roles.items())))
    except MPGKError as problem:
        show_problem(str(problem), title=NOT_USABLE)
        return None


@cached(spinner="Reading …")
def _of_file(read: ReadFile, roles: tuple[tuple[str, Role], ...]) -> ChosenSet:
    assert read.tables is not None
    assert read.tables.classes is not None
    graphs = read.tables.graph_set(dict(roles))
    classes = read.tables.classes.tolist()
    data = GivenSet(read.title, graphs, tuple(classes))
    return ChosenSet(read.title, graphs, classes, "", data)


def _of_session(key: str, given: GivenSet) -> ChosenSet:
    ask_for(key, given)
    st.text(given.name)
    st.caption("The set of the session file that was loaded.")
    return ChosenSet(given.name, given.graphs, given.classes, "", given)


def _fetched() -> ChosenSet | None:
    name = st.text_input(
        "Name in the TU collection",
        "PROTEINS",
        key="tu-name",
        max_chars=100,
        help="Downloaded once from the address MPGK_TU_ADDRESS, then kept on this server.",
    )
    if name in available():
        return _named(name)
    if st.button("Download", key="download", help="The only request that leaves this server."):
        bar = st.progress(0.0, "Connecting …")

        def tell(done: int, total: int | None) -> None:
            bar.progress(min(done / total, 1.0) if total else 0.0, f"{done / 1e6:.1f} MB")

        try:
            fetch_tu(name, progress=tell)
        except MPGKError as problem:
            show_problem(str(problem), title=NOT_DONE)
            return None
        return _named(name)
    return None
