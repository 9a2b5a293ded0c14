"""Where a page's data set comes from: at hand, generated, uploaded, or fetched by name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from mpgk_core import GraphSet, MPGKError
from mpgk_core.datasets import available, fetch_tu, load
from mpgk_core.evaluation import RECIPES, generate
from mpgk_core.readers import Role
from mpgk_core.takeaway import GeneratedSet, GivenSet, NamedSet
from ui.choices import CACHE_KEYS
from ui.column_roles import column_roles
from ui.content_keys import key_of_data
from ui.files import ReadFile
from ui.loaded_data import ask_for, loaded_data
from ui.problem_box import show_problem
from ui.upload_box import upload_box

__all__ = ["ChosenSet", "data_set_source"]

_SOURCES = {
    "here": "At hand", "made": "Generated", "file": "Own file", "web": "Fetch", "loaded": "Loaded",
}  # fmt: skip


@dataclass(frozen=True, eq=False)
class ChosenSet:
    """Graphs with classes, and a word that stands for all of them.

    Attributes
    ----------
    key : str
        Equal keys mean equal sets.
    name : str
    graphs : GraphSet
    classes : sequence
        One for every graph.
    about : str
        A sentence or a citation.
    data : NamedSet, GeneratedSet or GivenSet
        How others can get at the same set.
    """

    key: str
    name: str
    graphs: GraphSet
    classes: Sequence[Any]
    about: str
    data: NamedSet | GeneratedSet | GivenSet


def data_set_source() -> ChosenSet | None:
    """Let the user choose a data set; None until there is one."""
    loaded = loaded_data(GivenSet)
    with st.sidebar:
        st.subheader("Data set")
        choices = [key for key in _SOURCES if key != "loaded" or loaded is not None]
        source = st.segmented_control(
            "Source of the data set", choices, default="here", required=True,
            format_func=_SOURCES.__getitem__, key="set-source", bind="query-params",
            label_visibility="collapsed",
            help="A set on this machine, one made by a seeded generator, a TU archive or several "
            "files of your own, or one of the TU collection by name.",
        )  # fmt: skip
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
    name = st.selectbox(
        "Data set", names, index=names.index("MUTAG") if "MUTAG" in names else 0, key="set",
        bind="query-params", label_visibility="collapsed",
        help="From the samples, the folder MPGK_DATA, and earlier downloads.",
    )  # fmt: skip
    return _loaded(name)


@st.cache_resource(max_entries=4, show_spinner="Reading …")
def _loaded(name: str) -> ChosenSet:
    found = load(name)
    return ChosenSet(f"set {name}", name, found.graphs, found.classes.tolist(), found.citation,
                     NamedSet(name))  # fmt: skip


def _generated() -> ChosenSet:
    recipe = st.selectbox(
        "Recipe", list(RECIPES), format_func=lambda key: RECIPES[key].title, key="recipe",
        bind="query-params", label_visibility="collapsed",
        help="Sets whose classes differ in a known way.",
    )  # fmt: skip
    st.caption(RECIPES[recipe].explanation)
    n = st.slider("Graphs per class", 10, 200, 50, 10, key="per-class", bind="query-params",
                  help="More graphs, steadier numbers, longer runs.")  # fmt: skip
    seed = st.number_input("Seed of the set", 0, 9999, 0, key="set-seed", bind="query-params",
                           help="Same seed, same graphs.")  # fmt: skip
    return _made(recipe, n, int(seed))


@st.cache_resource(max_entries=16, show_spinner="Making the graphs …")
def _made(recipe: str, n: int, seed: int) -> ChosenSet:
    made = generate(recipe, n, seed)
    about = RECIPES[recipe]
    return ChosenSet(f"made {recipe} {n} {seed}", about.title, made.graphs, made.classes,
                     about.explanation, GeneratedSet(recipe, n, seed))  # fmt: skip


def _uploaded() -> ChosenSet | None:
    with st.sidebar:
        read = upload_box("upload-set")
    if read is None or read.tables is None:
        st.info("Upload a TU data set as .zip, or one file for each graph.")
        return None
    roles = column_roles(read)
    if read.tables.classes is None:
        show_problem("These graphs have no classes, so there is nothing to predict. Give a TU "
                     "data set with a graph_labels file.")  # fmt: skip
        return None
    try:
        return _of_file(read, tuple(sorted(roles.items())))
    except MPGKError as problem:
        show_problem(str(problem))
        return None


@st.cache_resource(max_entries=8, show_spinner="Reading …", hash_funcs=CACHE_KEYS)
def _of_file(read: ReadFile, roles: tuple[tuple[str, Role], ...]) -> ChosenSet:
    assert read.tables is not None
    assert read.tables.classes is not None
    graphs = read.tables.graph_set(dict(roles))
    classes = read.tables.classes.tolist()
    data = GivenSet(read.title, graphs, tuple(classes))
    return ChosenSet(key_of_data(data), read.title, graphs, classes, "", data)


def _of_session(key: str, given: GivenSet) -> ChosenSet:
    ask_for(key, given)
    st.text(f"{given.name}: {len(given.graphs):,} graphs")
    st.caption("The set of the session file that was loaded.")
    return ChosenSet(key, given.name, given.graphs, list(given.classes), "", given)


def _fetched() -> ChosenSet | None:
    name = st.text_input(
        "Name in the TU collection", "PROTEINS", key="tu-name", max_chars=100,
        help="Downloaded once from the address MPGK_TU_ADDRESS, then kept on this machine.",
    )  # fmt: skip
    if name in available():
        return _loaded(name)
    if st.button("Download", key="download", help="The only request that leaves this machine."):
        bar = st.progress(0.0, "Connecting …")

        def tell(done: int, total: int | None) -> None:
            bar.progress(min(done / total, 1.0) if total else 0.0, f"{done / 1e6:.1f} MB")

        try:
            fetch_tu(name, progress=tell)
        except MPGKError as problem:
            show_problem(str(problem))
            return None
        return _loaded(name)
    return None
