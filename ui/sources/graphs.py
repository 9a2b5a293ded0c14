"""Source of the graph of a page, and a sample of a graph that is too large."""

from __future__ import annotations

import numpy as np
import streamlit as st

from mpgk_core import GraphSet, MPGKError
from mpgk_core.datasets import samples
from mpgk_core.errors import shortened
from mpgk_core.export import GivenGraph, PresetGraph
from mpgk_core.formats import Role
from mpgk_core.graphs.generators import PRESETS
from mpgk_core.graphs.presets import Parameter
from mpgk_core.graphs.sampling import neighbourhood_sample
from ui.files import ReadFile, sample_file
from ui.loaded_data import ask_for, loaded_data
from ui.shared.messages import NOT_USABLE, show_problem
from ui.sources.uploads import column_roles, upload_box, usable
from ui.state.address import one_of
from ui.state.cache import cached
from ui.state.choices import ChosenGraph

MOST_VERTICES = 6_000
MOST_EDGES = 60_000
_SAMPLE_SIZES = (500, 1_000, 2_000)
_SECONDS_PER_VERTEX = {"R": 2e-4, "A": 1.5e-3}

_CALL = """\
from mpgk_core import MessagePassingNodeKernel
from mpgk_core.formats import read_graphs

graph = read_graphs("your_file", open("your_file", "rb").read())
kernel = MessagePassingNodeKernel("R", alpha=0.8, beta=0.2, n_iterations=5).fit(graph)
features = kernel.feature_map()  # sparse: one row per vertex, never n x n"""


def is_within_limit(graph: GraphSet, most_vertices: int = MOST_VERTICES) -> bool:
    """Return whether a page takes the whole graph."""
    return graph.n_vertices <= most_vertices and graph.n_edges <= MOST_EDGES


def within_limit(chosen: ChosenGraph, most_vertices: int = MOST_VERTICES) -> ChosenGraph:
    """Return the graph, or a sample of one that is too large, and say so."""
    graph = chosen.graph
    if is_within_limit(graph, most_vertices):
        return chosen
    size = graph.n_vertices + graph.n_edges / 10
    quick, slow = (rate * size for rate in _SECONDS_PER_VERTEX.values())
    st.warning(
        f"This graph has {graph.n_vertices:,} vertices and {graph.n_edges:,} edges. The page takes "
        f"at most {most_vertices:,} and {MOST_EDGES:,}: every move of a slider would take roughly "
        f"{quick:,.0f} s with R and {slow:,.0f} s with A. Below is **a sample of it**: the "
        "neighbourhood of a vertex drawn at random, so results differ from those of the whole."
    )
    sizes = [size for size in _SAMPLE_SIZES if size <= most_vertices]
    with st.container(horizontal=True, vertical_alignment="bottom"):
        n = one_of(
            st.segmented_control,
            "Vertices in the sample",
            sizes,
            sizes[1],
            key="sample-size",
            format_func=lambda n: f"{n:,}",
            help="Taken in the order of their distance from the vertex that was drawn.",
        )
        seed = st.number_input(
            "Seed of the sample",
            0,
            9999,
            0,
            key="sample-seed",
            bind="query-params",
            width=160,
            help="Another seed, another part of the graph.",
        )
    with st.expander("The whole graph, in Python"):
        st.code(_CALL, language="python")
    return sample_of(chosen, n, int(seed))


_SOURCES = {"build": "Build", "sample": "Sample", "file": "Upload", "loaded": "Loaded"}


def graph_source() -> ChosenGraph | None:
    """Let the user choose a graph; None while there is none, and then the page says why."""
    loaded = loaded_data(GivenGraph)
    with st.sidebar:
        st.subheader("Graph")
        choices = [key for key in _SOURCES if key != "loaded" or loaded is not None]
        source = one_of(
            st.segmented_control,
            "Source of the graph",
            choices,
            "build",
            format_func=_SOURCES.__getitem__,
            key="source",
            width="stretch",
            label_visibility="collapsed",
            help="Build a graph from a few numbers, take a sample file, or upload your own.",
        )
        if source == "build":
            return _preset()
        if source == "loaded" and loaded is not None:
            return _of_session(*loaded)
        given = _sample() if source == "sample" else upload_box("upload")
    read = usable(given, "Upload a graph in the sidebar.")
    if read is None:
        return None
    roles = column_roles(read)
    with st.sidebar:
        number = number_of_graph(read)
    return _of_file(read, roles, number)


def kind_of_source() -> str:
    """Return where the graph of the page comes from: "build", "sample", "file" or "loaded"."""
    kind: str = st.session_state["source"]
    return kind


def _of_file(read: ReadFile, roles: dict[str, Role], number: int) -> ChosenGraph | None:
    try:
        chosen = graph_of_file(read, tuple(roles.items()), number)
    except MPGKError as problem:
        show_problem(str(problem), title=NOT_USABLE)
        return None
    if chosen.graph.n_vertices == 0:
        show_problem("This graph has no vertices. Choose another one.", title=NOT_USABLE)
        return None
    return chosen


def _of_session(key: str, given: GivenGraph) -> ChosenGraph:
    ask_for(key, given)
    st.text(shortened(given.title))
    st.caption("The graph of the session file that was loaded.")
    return ChosenGraph(given.title, given.graph)


def _preset() -> ChosenGraph:
    presets = list(PRESETS)
    preset = one_of(
        st.selectbox,
        "Graph",
        presets,
        presets[0],
        key="graph",
        label_visibility="collapsed",
        format_func=lambda key: PRESETS[key].title,
        help="Graphs that show something about structural equivalence.",
    )
    st.caption(PRESETS[preset].explanation)
    values = {p.key: _parameter(preset, p) for p in PRESETS[preset].parameters}
    return preset_graph(preset, values)


def _parameter(preset: str, parameter: Parameter) -> float:
    value: float = st.slider(
        parameter.label,
        parameter.minimum,
        parameter.maximum,
        parameter.default,
        parameter.step,
        key=f"{preset}-{parameter.key}",
        help=parameter.help,
        bind="query-params",
    )
    return value


def _sample() -> ReadFile:
    by_name = {sample.path.name: sample for sample in samples()}
    names = list(by_name)
    name = one_of(
        st.selectbox,
        "Sample",
        names,
        names[0],
        key="sample",
        label_visibility="collapsed",
        format_func=lambda name: by_name[name].title,
        help="Small files in many formats, each of which teaches something.",
    )
    sample = by_name[name]
    st.caption(f"{sample.teaches} *{sample.path.name}*")
    return sample_file(sample)


def number_of_graph(read: ReadFile) -> int:
    """Let the user choose one of the graphs of a file; counted from 0."""
    assert read.tables is not None
    n = len(read.tables)
    if n == 1:
        return 0
    number = st.number_input(
        f"Graph, of {n:,}",
        1,
        n,
        int(np.argmax(np.diff(read.tables.offsets) > 0)) + 1,
        key=f"number-{read.digest[:8]}",
        bind="query-params",
        help="The file holds several graphs; this one is shown.",
    )
    names = read.tables.graph_names
    if names is not None:
        st.text(str(names[int(number) - 1])[:60])
    return int(number) - 1


@cached(spinner="Building the graph …")
def preset_graph(preset: str, parameters: dict[str, float]) -> ChosenGraph:
    """Build the graph of a preset."""
    recipe = PresetGraph(preset, parameters)
    return ChosenGraph(recipe.title, recipe.build(), recipe)


@cached(spinner="Building the graph …")
def graph_of_file(read: ReadFile, roles: tuple[tuple[str, Role], ...], number: int) -> ChosenGraph:
    """Take one graph of a file, its columns in these roles."""
    assert read.tables is not None
    is_one = len(read.tables) == 1
    graph = read.tables.graph_set(dict(roles)) if is_one else _all_of_file(read, roles)[number]
    return ChosenGraph(read.title, graph)


@cached()
def _all_of_file(read: ReadFile, roles: tuple[tuple[str, Role], ...]) -> GraphSet:
    assert read.tables is not None
    return read.tables.graph_set(dict(roles))


@cached(spinner="Taking a sample …")
def sample_of(choice: ChosenGraph, n_vertices: int, seed: int) -> ChosenGraph:
    """Take a part of the chosen graph."""
    part = neighbourhood_sample(choice.graph, n_vertices, seed)
    title = f"{choice.title}, {part.n_vertices} of {choice.graph.n_vertices} vertices"
    return ChosenGraph(title, part)
