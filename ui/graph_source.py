"""Where the graph of a page comes from: built, a sample, or a file of the user."""

from __future__ import annotations

import numpy as np
import streamlit as st

from mpgk_core import MPGKError
from mpgk_core.datasets import samples
from mpgk_core.errors import shortened
from mpgk_core.graphs.generators import PRESETS, Parameter
from mpgk_core.readers import Role
from mpgk_core.takeaway import GivenGraph
from ui.cached import graph_of_file, preset_graph
from ui.choices import ChosenGraph
from ui.column_roles import column_roles
from ui.files import ReadFile, sample_file
from ui.loaded_data import ask_for, loaded_data
from ui.problem_box import show_problem
from ui.upload_box import upload_box

__all__ = ["graph_source", "number_of_graph"]

_SOURCES = {"build": "Build", "sample": "Sample", "file": "Own file", "loaded": "Loaded"}
_LAST = "last graph"


def graph_source() -> ChosenGraph:
    """Let the user choose a graph; while a file cannot be used, the last graph stays."""
    loaded = loaded_data(GivenGraph)
    with st.sidebar:
        st.subheader("Graph")
        choices = [key for key in _SOURCES if key != "loaded" or loaded is not None]
        source = st.segmented_control(
            "Source of the graph", choices, default="build", required=True,
            format_func=_SOURCES.__getitem__, key="source", bind="query-params", width="stretch",
            label_visibility="collapsed",
            help="Build a graph from a few numbers, take a sample file, or upload your own.",
        )  # fmt: skip
        if source == "build":
            return _kept(_preset())
        if source == "loaded" and loaded is not None:
            return _kept(_of_session(*loaded))
        read = _sample() if source == "sample" else upload_box("upload")
    if read is None or read.tables is None:
        if read is not None:
            show_problem(read.problem)
        return _last()
    roles = column_roles(read)
    with st.sidebar:
        number = number_of_graph(read)
    return _of_file(read, roles, number)


def _of_file(read: ReadFile, roles: dict[str, Role], number: int) -> ChosenGraph:
    try:
        chosen = graph_of_file(read, tuple(roles.items()), number)
    except MPGKError as problem:
        show_problem(str(problem))
        return _last()
    if chosen.graph.n_vertices == 0:
        show_problem("This graph has no vertices. Choose another one.")
        return _last()
    return _kept(chosen)


def _kept(graph: ChosenGraph) -> ChosenGraph:
    st.session_state[_LAST] = graph
    return graph


def _last() -> ChosenGraph:
    if _LAST not in st.session_state:
        first = next(iter(PRESETS.values()))
        return preset_graph(first.key, {p.key: p.default for p in first.parameters})
    last: ChosenGraph = st.session_state[_LAST]
    return last


def _of_session(key: str, given: GivenGraph) -> ChosenGraph:
    ask_for(key, given)
    st.text(f"{shortened(given.title)}: {given.graph.n_vertices:,} vertices")
    st.caption("The graph of the session file that was loaded.")
    return ChosenGraph(key, given.title, given.graph)


def _preset() -> ChosenGraph:
    preset = st.selectbox(
        "Graph", list(PRESETS), format_func=lambda key: PRESETS[key].title, key="graph",
        help="Graphs that show something about structural equivalence.",
        label_visibility="collapsed", bind="query-params",
    )  # fmt: skip
    st.caption(PRESETS[preset].explanation)
    values = {p.key: _parameter(preset, p) for p in PRESETS[preset].parameters}
    return preset_graph(preset, values)


def _parameter(preset: str, parameter: Parameter) -> float:
    value: float = st.slider(
        parameter.label, parameter.minimum, parameter.maximum, parameter.default, parameter.step,
        key=f"{preset}-{parameter.key}", help=parameter.help, bind="query-params",
    )  # fmt: skip
    return value


def _sample() -> ReadFile:
    by_title = {sample.title: sample for sample in samples()}
    title = st.selectbox(
        "Sample", list(by_title), key="sample", label_visibility="collapsed", bind="query-params",
        help="Small files in many formats, each of which teaches something.",
    )  # fmt: skip
    sample = by_title[title]
    st.caption(f"{sample.teaches} *{sample.path.name}*")
    return sample_file(sample)


def number_of_graph(read: ReadFile) -> int:
    """Let the user choose one of the graphs of a file; counted from 0."""
    assert read.tables is not None
    n = len(read.tables)
    if n == 1:
        return 0
    number = st.number_input(
        f"Graph, of {n:,}", 1, n, int(np.argmax(np.diff(read.tables.offsets) > 0)) + 1,
        key=f"number-{read.key[:8]}", bind="query-params",
        help="The file holds several graphs; this one is shown.",
    )  # fmt: skip
    names = read.tables.graph_names
    if names is not None:
        st.text(str(names[int(number) - 1])[:60])
    return int(number) - 1
