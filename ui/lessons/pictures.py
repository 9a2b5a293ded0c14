"""The live picture of a step, and its controls."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import plotly.graph_objects as go
import streamlit as st

from mpgk_core import kernel_pca
from mpgk_core.edits import without_edge
from mpgk_core.edits.names import named_edges
from mpgk_core.evaluation import Candidate, KernelSpec
from mpgk_core.evaluation.protocol import square_matrix
from mpgk_core.export import PresetGraph
from mpgk_core.graphs.features import LOCAL_FEATURES
from mpgk_core.kernels.update import KernelParameters
from mpgk_core.lessons import OneRound, Picture, Scene, one_round
from mpgk_core.lessons.lesson import MAX_ROUNDS
from mpgk_core.lessons.scene import MAP_KERNEL, DataSource, GraphSource, quick_evaluation
from mpgk_core.plotting.graph_figure import graph_words
from mpgk_core.plotting.set_maps_figure import graph_map_figure, graph_map_words
from ui.playground.change import change_panel, fit_height, name_vertices
from ui.playground.results import Shown, linked_pictures
from ui.playground.study import study_of
from ui.shared.charts import chart, type_size
from ui.shared.widgets import ALPHA, BETA, NEIGHBOURHOODS, help_of
from ui.state.cache import cached
from ui.state.choices import ChosenGraph, PictureChoice


def step_picture(
    picture: Picture, key: str, selection: list[int], on_select: Callable[[list[int]], None]
) -> None:
    """Show the picture of a step and the controls that belong to it.

    Parameters
    ----------
    picture : Picture
    key : str
        Begins the keys of all widgets.
    selection : list of int
        The vertices to mark.
    on_select : callable
        Called with the vertices that the reader selects.
    """
    if isinstance(picture.source, DataSource):
        kernel, _ = _controls(picture, None, key)
        _map(picture.source, kernel)
        return
    whole = _chosen(picture.source)
    kernel, removed = _controls(picture, whole, key)
    graph = whole if removed is None else _cut(whole, removed)
    if picture.view == "change":
        change_panel(whole, graph, kernel)
    elif picture.view == "messages":
        _by_hand(picture, kernel, key)
    else:
        look = PictureChoice(picture.layout, picture.colour)
        study = _study_with_names(graph, kernel, look, picture.has_matrix, type_size())
        shown = Shown("both" if picture.has_matrix else "planes")
        linked_pictures(study, selection, f"{key}-pictures", on_select, shown=shown)


@cached()
def _study_with_names(
    graph: ChosenGraph,
    kernel: KernelParameters,
    look: PictureChoice,
    has_matrix: bool,
    type_size: int,
) -> str:
    """Write the names of the vertices into the drawing of the graph, and use its whole width."""
    parts = json.loads(study_of(graph, kernel, look, has_matrix))
    drawn = parts["figures"]["graph"]
    name_vertices(drawn["data"][1], parts["links"]["names"])
    large = {"textfont": {"size": type_size}}
    drawn["data"][1].update(large)
    parts["figures"]["embedding"]["data"][0].update(large)
    for figure in parts["figures"].values():
        figure["layout"]["font"] = {"size": type_size}
    fit_height(drawn["layout"], drawn["data"][1])
    plane = parts["figures"]["embedding"]
    for layout in (plane["layout"], *(frame["layout"] for frame in plane["frames"])):
        for axis in ("xaxis", "yaxis"):
            title = layout[axis]["title"]
            title["font"] = {"size": type_size}
        title["text"] = title["text"].replace(": ", ":<br>")  # a lesson's plane is not high
    return json.dumps(parts)


@cached(spinner="Building the graph …")
def _chosen(source: GraphSource) -> ChosenGraph:
    recipe = source if isinstance(source, PresetGraph) else None
    return ChosenGraph(source.title, source.build(), recipe)


@cached()
def _cut(whole: ChosenGraph, removed: tuple[str, str]) -> ChosenGraph:
    by_word = {str(name): name for name in whole.graph.names}
    graph = without_edge(whole.graph, *(by_word[end] for end in removed))
    return ChosenGraph(whole.title, graph, origin=whole)


def _by_hand(picture: Picture, kernel: KernelParameters, key: str) -> None:
    """Show every number of one round, and write out the terms of one pair."""
    found = one_round(Scene(picture.source, kernel))
    look = PictureChoice(picture.layout, picture.colour)
    drawn = json.loads(study_of(_chosen(picture.source), kernel, look))["figures"]["graph"]
    name_vertices(drawn["data"][1], found.names)
    fit_height(drawn["layout"], drawn["data"][1])
    figure = go.Figure(drawn["data"], drawn["layout"])
    figure.update_layout(margin={"l": 10, "r": 10, "t": 20, "b": 10})
    figure.update_traces(marker_size=18, selector={"mode": "markers+text"})
    chart(figure, f"{key}-drawn", _edges_in_words(picture.source), (key, "graph"), height=220)
    with st.container(horizontal=True):
        numbers = range(len(found.names))
        v, u = (
            st.segmented_control(
                label,
                list(numbers),
                default=start,
                required=True,
                key=f"{key}-{label}",
                format_func=found.names.__getitem__,
                help=help_of("lesson-vertex"),
                persist_state="session",
            )
            for label, start in (("First vertex", 0), ("Second vertex", 1))
        )
    v, u = int(v or 0), int(u or 0)
    with st.container(horizontal=True, key="by-hand"):
        for title, table in (
            ("$k^{0}(v, u)$", found.start),
            (r"$\sum \sum k^{0}(v', u')$", found.sums),
            ("$k^{1}(v, u)$", found.end),
        ):
            with st.container(width="content"):
                st.markdown(f"{title}\n\n{_table(found, table, v, u)}")
    with st.container(key="formula"):
        for line in found.written_out(v, u, kernel.alpha, kernel.beta):
            st.latex(line)


def _edges_in_words(source: GraphSource) -> str:
    """Return a description of a small graph with all its edges."""
    graph = source.build()
    edges = ", ".join(f"{v}–{u}" for v, u in named_edges(graph).values())
    return f"{graph_words(graph)} Edges: {edges}."


def _table(found: OneRound, values: np.ndarray[Any, Any], v: int, u: int) -> str:
    """Return a table in Markdown, the chosen pair in bold."""
    names = found.names
    lines = ["| | " + " | ".join(names) + " |", "|---" * (len(names) + 1) + "|"]
    for i, name in enumerate(names):
        cells = [f"**{x:g}**" if (i, j) == (v, u) else f"{x:g}" for j, x in enumerate(values[i])]
        lines.append(f"| **{name}** | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def _map(source: DataSource, kernel: KernelParameters) -> None:
    figure, words = _map_figure(source, kernel.n_iterations)
    chart(figure, "lesson-map", words, (source.name, "map"), height=480)
    st.caption(
        "Every graph is a point of the kernel-PCA plane of AA. A cross marks a graph whose "
        "class the classifier gets wrong."
    )


@cached(spinner="Comparing the graphs …")
def _map_figure(source: DataSource, T: int) -> tuple[go.Figure, str]:
    gram = square_matrix(KernelSpec.of(MAP_KERNEL), Candidate(T, "last"), source.build())
    evaluation = quick_evaluation(source, MAP_KERNEL, T)
    plane = kernel_pca(gram, n_components=2)
    return graph_map_figure(plane, evaluation), graph_map_words(plane, evaluation)


_MOST_MAP_ROUNDS = 4


def _controls(
    picture: Picture, graph: ChosenGraph | None, key: str
) -> tuple[KernelParameters, tuple[str, str] | None]:
    """Show the controls that a step names; return the kernel and the edge to remove.

    The graph is None for a map of a data set. ``key`` begins the keys of the widgets.
    """
    kernel, removed = picture.kernel, picture.removed
    if not picture.controls:
        return kernel, removed
    keep: dict[str, Any] = {"persist_state": "session"}
    with st.container(horizontal=True, key="lesson-controls"):
        if "kernel" in picture.controls:
            kind = st.segmented_control(
                "Neighbourhoods",
                list(NEIGHBOURHOODS),
                default=kernel.neighbourhood,
                required=True,
                format_func=NEIGHBOURHOODS.__getitem__,
                key=f"{key}-kernel",
                help=help_of("lesson-kernel"),
                **keep,
            )
            kernel = replace(kernel, neighbourhood=kind or kernel.neighbourhood)
        rounds = (0, MAX_ROUNDS) if graph is not None else (1, _MOST_MAP_ROUNDS)
        sliders: tuple[tuple[str, str, str, Any, Any, Any], ...] = (
            ("T", "n_iterations", "Rounds T", *rounds, 1),
            ("alpha", "alpha", ALPHA, 0.0, 1.0, 0.05),
            ("beta", "beta", BETA, 0.0, 1.0, 0.05),
        )
        for name, field, label, low, high, step in sliders:
            if name in picture.controls:
                start, text = min(max(getattr(kernel, field), low), high), help_of(f"lesson-{name}")
                look = keep | {"key": f"{key}-{name}", "width": 240, "help": text}
                value = st.slider(label, low, high, start, step, **look)
                kernel = replace(kernel, **{field: value})
        if "features" in picture.controls:
            own = [part for part in kernel.features.split("+") if part in LOCAL_FEATURES]
            look = keep | {
                "key": f"{key}-features",
                "width": 320,
                "help": help_of("lesson-features"),
            }
            chosen = st.multiselect("Initial features", list(LOCAL_FEATURES), own, **look)
            kernel = replace(kernel, features="+".join(chosen) or "constant")
        if "remove" in picture.controls and graph is not None:
            removed = _removed(graph, removed, key)
    return kernel, removed


def _removed(
    graph: ChosenGraph, removed: tuple[str, str] | None, key: str
) -> tuple[str, str] | None:
    edges = [(str(v), str(u)) for v, u in named_edges(graph.graph).values()]
    options = [*edges] if removed is not None else [None, *edges]
    start = next((i for i, edge in enumerate(options) if edge and {*edge} == {*(removed or ())}), 0)
    chosen: tuple[str, str] | None = st.selectbox(
        "Edge to remove",
        options,
        index=start,
        key=f"{key}-remove",
        width=160,
        persist_state="session",
        format_func=lambda edge: "none" if edge is None else f"{edge[0]} – {edge[1]}",
        help=help_of("lesson-remove"),
    )
    return chosen
