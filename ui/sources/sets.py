"""Source of the data set of a page: built-in, generated, uploaded or downloaded."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import streamlit as st
from numpy.typing import NDArray

from mpgk_core import GraphSet, MPGKError
from mpgk_core.datasets import available, fetch_tu, load, version_of
from mpgk_core.evaluation import RECIPES, generate
from mpgk_core.export import GeneratedSet, GivenSet, NamedSet
from mpgk_core.formats import GraphTables, Summary, bounds, classes_of_graphs, counted, summary_of
from mpgk_core.formats.columns import column_of_values
from mpgk_core.formats.graph_rows import graph_rows, graph_titles
from mpgk_core.formats.source import Bounds
from ui.shared.widgets import (
    NOT_DONE,
    NOT_USABLE,
    ProblemsShown,
    from_list,
    help_of,
    number,
    slider,
)
from ui.sources.uploads import (
    ReadFile,
    Uses,
    column_uses,
    file_box,
    source_choice,
    upload_box,
    usable,
)
from ui.state.cache import cached
from ui.state.choices import Keyed

_SOURCES = {
    "here": "Built-in",
    "made": "Generated",
    "file": "Upload",
    "web": "Download",
    "loaded": "Loaded",
}


@dataclass(frozen=True, eq=False)
class ChosenSet(Keyed):
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
    titles : tuple
        Distinct names of the graphs; empty where they have none.
    """

    name: str
    graphs: GraphSet
    classes: Sequence[Any]
    about: str
    data: NamedSet | GeneratedSet | GivenSet
    notes: tuple[str, ...] = ()
    titles: tuple[Hashable, ...] = ()

    @property
    def names(self) -> Sequence[Hashable]:
        """What rows of tables may call the graphs: their names, or numbers from 0."""
        return self.titles or range(len(self.graphs))


@cached()
def set_summary(chosen: ChosenSet) -> Summary:
    """Return what a set of graphs holds, and what was lost when it was read."""
    found = summary_of(chosen.graphs, chosen.name, classes=chosen.classes)
    return replace(found, losses=chosen.notes)


def data_set_source() -> ChosenSet | None:
    """Let the user choose a data set; None until there is one."""
    with st.sidebar:
        st.subheader("Data set")
        label = "Source of the data set"
        source, given = source_choice("set-source", label, _SOURCES, GivenSet)
        if source == "here":
            return _built_in()
        if source == "made":
            return _generated()
        if source == "web":
            return _downloaded()
        if given is not None:
            st.text(given.name)
            st.caption("The set of the session file that was loaded.")
            return ChosenSet(given.name, given.graphs, given.classes, "", given)
    return _uploaded()


def _built_in() -> ChosenSet:
    names = list(available())
    name = from_list("set", "Data set", names, "MUTAG" if "MUTAG" in names else None)
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
    recipe = from_list("recipe", "Recipe", {key: one.title for key, one in RECIPES.items()})
    st.caption(RECIPES[recipe].explanation)
    n = slider("per-class", "Graphs per class", 10, 200, 50, 10)
    seed = number("set-seed", "Seed of the set")
    return _made(recipe, n, seed)


@cached(spinner="Making the graphs …")
def _made(recipe: str, n: int, seed: int) -> ChosenSet:
    made, about = generate(recipe, n, seed), RECIPES[recipe]
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
    uses = column_uses(read)
    with ProblemsShown(NOT_USABLE):
        classes = read.tables.classes
        if classes is None:
            classes = _classes_beside(read.tables)
        if classes is None:
            graphs = counted(len(read.tables), "graph")
            vertices = counted(read.tables.n_vertices, "vertex", "vertices")
            raise MPGKError(
                f"{read.title}: {graphs}, {vertices}. There are no classes, so there is nothing to "
                "predict. Upload a table of classes in the sidebar, or a TU data set with a "
                "graph_labels file."
            )
        return _of_file(read, uses, tuple(classes.tolist()))
    return None


def _classes_beside(tables: GraphTables) -> NDArray[Any] | None:
    """Let the user say where the class of every graph stands: in a column, or in a table."""
    with st.sidebar:
        columns = {"": "A table of classes", **{name: name for name in tables.targets}}
        column = from_list("class-column", "Class", columns) if tables.targets else ""
        if column:
            return column_of_values(tables.targets[column].tolist())
        given = file_box("upload-classes", "Table of classes", TABLES)
        if given is None:
            return None
        titles = graph_titles(tables)
        header = graph_rows(given.source, titles).header
        chosen = from_list("class-of-table", "Column", header) if len(header) > 1 else None
    return classes_of_graphs(given.source, titles, chosen)


TABLES = ["csv", "tsv", "txt"]
"""Extensions of tables with a row for every graph."""


@cached(spinner="Reading …")
def _of_file(read: ReadFile, uses: Uses, classes: tuple[Any, ...]) -> ChosenSet:
    graphs = uses.graphs(read)
    data = GivenSet(read.title, graphs, classes)
    titles = () if read.tables is None else tuple(graph_titles(read.tables))
    return ChosenSet(read.title, graphs, classes, "", data, titles=titles)


def _downloaded() -> ChosenSet | None:
    name = st.text_input(
        "Name in the TU collection", "PROTEINS", 100, "tu-name", help=help_of("tu-name")
    )
    if name in available():
        return _named(name)
    if not st.button("Download", key="download", help=help_of("download")):
        return None
    bar = st.progress(0.0, "Connecting …")

    def tell(done: int, total: int | None) -> None:
        bar.progress(min(done / total, 1.0) if total else 0.0, f"{done / 1e6:.1f} MB")

    with ProblemsShown(NOT_DONE):
        fetch_tu(name, progress=tell)
        return _named(name)
    return None
