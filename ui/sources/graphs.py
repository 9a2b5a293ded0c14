"""Source of the graph of a page, and a sample of a graph that is too large."""

from __future__ import annotations

from typing import cast

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from mpgk_core import GraphSet, MPGKError
from mpgk_core.datasets import samples
from mpgk_core.errors import InvalidParameterError, shortened
from mpgk_core.export import GivenGraph, PresetGraph
from mpgk_core.graphs.generators import PRESETS, Parameter
from mpgk_core.graphs.graph_set import neighbourhood_sample
from ui.shared.widgets import NOT_USABLE, ProblemsShown, from_list, help_of, number, one_of, slider
from ui.sources.uploads import (
    ReadFile,
    Uses,
    column_uses,
    sample_file,
    source_choice,
    upload_box,
    usable,
)
from ui.state.address import is_asked
from ui.state.cache import cached
from ui.state.choices import ChosenGraph

MOST_VERTICES = 6_000
MOST_EDGES = 60_000
_SAMPLE_SIZES = (500, 1_000, 2_000)
_SECONDS_PER_VERTEX = {"R": 2e-4, "A": 1.5e-3}
_SOURCES = {"build": "Build", "sample": "Sample", "file": "Upload", "loaded": "Loaded"}
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
    """Return the graph, or a sample of one that is too large, with a warning."""
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
    sizes = {size: f"{size:,}" for size in _SAMPLE_SIZES if size <= most_vertices}
    with st.container(horizontal=True, vertical_alignment="bottom"):
        n = one_of("sample-size", "Vertices in the sample", sizes, _SAMPLE_SIZES[1])
        seed = number("sample-seed", "Seed of the sample", width=160)
    with st.expander("The whole graph, in Python"):
        st.code(_CALL, language="python")
    return _sample_of(chosen, n, seed)


@cached(spinner="Taking a sample …")
def _sample_of(choice: ChosenGraph, n_vertices: int, seed: int) -> ChosenGraph:
    part = neighbourhood_sample(choice.graph, n_vertices, seed)
    title = f"{choice.title}, {part.n_vertices} of {choice.graph.n_vertices} vertices"
    return ChosenGraph(title, part)


def graph_source(controls: DeltaGenerator) -> ChosenGraph | None:
    """Let the user choose a graph; None while there is none, and then the page shows why.

    Parameters
    ----------
    controls : DeltaGenerator
        The container of the controls; words on the file go to the page.
    """
    with controls:
        st.subheader("Graph")
        source, given = source_choice("source", "Source of the graph", _SOURCES, GivenGraph)
        if source == "build":
            return _preset()
        if given is not None:
            st.text(shortened(given.title))
            st.caption("The graph of the session file that was loaded.")
            return ChosenGraph(given.title, given.graph)
        read = _sample() if source == "sample" else upload_box("upload")
    read = usable(read, "Upload a graph.")
    if read is None:
        return None
    uses = column_uses(read)
    with controls:
        place = number_of_graph(read)
    with ProblemsShown(NOT_USABLE):
        chosen = graph_of_file(read, uses, place)
        if chosen.graph.n_vertices == 0:
            raise MPGKError("This graph has no vertices. Choose another one.")
        return chosen
    return None


def kind_of_source() -> str:
    """Return where the graph of the page comes from: "build", "sample", "file" or "loaded"."""
    kind: str = st.session_state["source"]
    return kind


def _preset() -> ChosenGraph:
    preset = from_list("graph", "Graph", {key: one.title for key, one in PRESETS.items()})
    st.caption(PRESETS[preset].explanation)
    parameters = {f"{preset}-{one.key}": one for one in PRESETS[preset].parameters}
    highest = _highest(parameters)
    values = {}
    for key, one in parameters.items():
        bounds = (one.minimum, highest[key], one.default, one.step)
        values[one.key] = slider(key, one.label, *bounds, help=one.help)
    return preset_graph(preset, values)


def _highest(parameters: dict[str, Parameter]) -> dict[str, float]:
    """Let the user choose whether sliders are fine or reach the largest graphs.

    A slider that a link, a session or a step back has set beyond its fine range has the whole one.
    """
    whole = {key: one.maximum for key, one in parameters.items()}
    fine = {key: one.slider_maximum or one.maximum for key, one in parameters.items()}
    if fine == whole:
        return whole
    if any(_current(key, one) > fine[key] for key, one in parameters.items()):
        st.session_state["large"] = True
    is_large = st.toggle(
        "Larger graphs",
        key="large",
        help=help_of("large"),
        on_change=_keep_values,
        args=(parameters, fine, whole),
    )
    return whole if is_large else fine


def _keep_values(
    parameters: dict[str, Parameter], fine: dict[str, float], whole: dict[str, float]
) -> None:
    """Keep what fits into the new ranges: a slider with another range would begin anew."""
    highest = whole if st.session_state["large"] else fine
    for key, one in parameters.items():
        st.session_state[key] = min(_current(key, one), highest[key])


def _current(key: str, parameter: Parameter) -> float:
    """Return the value of a slider before it is drawn."""
    if key in st.session_state and not is_asked(key):
        return cast(float, st.session_state[key])
    text = st.query_params.get(key, "")
    try:
        return parameter.check(type(parameter.default)(text), key)
    except (ValueError, InvalidParameterError):
        return parameter.default


@cached(spinner="Building the graph …")
def preset_graph(preset: str, parameters: dict[str, float]) -> ChosenGraph:
    """Build the graph of a preset."""
    recipe = PresetGraph(preset, parameters)
    return ChosenGraph(recipe.title, recipe.build(), recipe)


def _sample() -> ReadFile:
    by_name = {sample.path.name: sample for sample in samples()}
    titles = {name: sample.title for name, sample in by_name.items()}
    name = from_list("sample", "Sample", titles)
    st.caption(f"{by_name[name].teaches} *{name}*")
    return sample_file(by_name[name])


def number_of_graph(read: ReadFile) -> int:
    """Let the user choose one of the graphs of a file; counted from 0."""
    assert read.tables is not None
    n, names = len(read.tables), read.tables.graph_names
    if n == 1:
        return 0
    first = int(np.argmax(np.diff(read.tables.offsets) > 0)) + 1
    key = f"number-{read.digest[:8]}"
    place = number(key, f"Graph, of {n:,}", 1, n, first, help=help_of("number"))
    if names is not None:
        st.text(str(names[place - 1])[:60])
    return place - 1


@cached(spinner="Building the graph …")
def graph_of_file(read: ReadFile, uses: Uses, number: int) -> ChosenGraph:
    """Take one graph of a file, its columns in these roles."""
    assert read.tables is not None
    is_one = len(read.tables) == 1
    graph = uses.graphs(read) if is_one else _all_of_file(read, uses)[number]
    return ChosenGraph(read.title, graph)


@cached()
def _all_of_file(read: ReadFile, uses: Uses) -> GraphSet:
    return uses.graphs(read)
