"""The live picture of a step, and its controls.

Until the question of a step is answered, nothing on the screen states the answer: counts, captions,
legends and what the mouse shows are left out, and a table has a question mark in its place.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from mpgk_core.edits import without_edge
from mpgk_core.edits.names import named_edges
from mpgk_core.embedding.methods import VERTEX_METHODS
from mpgk_core.evaluation import METHODS
from mpgk_core.export import PresetGraph
from mpgk_core.graphs.local_features import LOCAL_FEATURES
from mpgk_core.kernels.update import KernelParameters
from mpgk_core.lessons import Picture, Question
from mpgk_core.lessons.lesson import MAX_ROUNDS
from mpgk_core.lessons.scene import DEFAULT_COST, DataSource, GraphSource, MeasuredSource
from ui.lessons.graph_pictures import linked_view, study_of_step
from ui.lessons.number_pictures import accuracy_view, by_hand_view, error_view, map_view
from ui.playground.change import change_panel
from ui.shared.charts import type_size
from ui.shared.widgets import ALPHA, BETA, NEIGHBOURHOODS, help_of
from ui.state.cache import cached
from ui.state.choices import ChosenGraph

_COSTS = (1e-3, 1e-2, 1e-1, 1.0, 10.0, 100.0, 1000.0)
_HIDDEN_NUMBERS = {
    "n_colours_changed": "WL",
    "colours_changed": "WL",
    "orbits_after": "Orbits",
    "similar_to_before": "Similarity",
}
_MOST_MAP_ROUNDS = 4


@dataclass(frozen=True)
class _Moved:
    """What the controls of a step are set to."""

    kernel: KernelParameters
    removed: tuple[str, str] | None
    embedding: str
    methods: tuple[str, ...]
    cost: float


def step_picture(
    picture: Picture,
    question: Question,
    is_done: bool,
    key: str,
    selection: list[int],
    on_select: Callable[[list[int]], None],
) -> None:
    """Show the picture of a step and the controls that belong to it.

    Parameters
    ----------
    picture : Picture
    question : Question
        As long as it is not answered, nothing states the answer.
    is_done : bool
        Whether it is answered.
    key : str
        Begins the keys of all widgets.
    selection : list of int
        The vertices to mark; of one round by hand, the two that are chosen at first.
    on_select : callable
        Called with the vertices that the reader selects.
    """
    asked = None if is_done else question
    if isinstance(picture.source, DataSource):
        moved = _controls(picture, None, key)
        if isinstance(picture.source, MeasuredSource):
            error_view(picture.source, picture.models, moved.kernel.n_iterations, asked)
        elif picture.view == "map":
            map_view(picture.source, moved.kernel.n_iterations)
        else:
            T = moved.kernel.n_iterations
            accuracy_view(picture.source, moved.methods, T, moved.cost, asked)
        return
    whole = chosen_graph(picture.source, picture.name)
    moved = _controls(picture, whole, key)
    graph = whole if moved.removed is None else cut_graph(whole, moved.removed)
    if picture.view == "change":
        hidden = _HIDDEN_NUMBERS.get(asked.quantity, "") if asked else ""
        change_panel(whole, graph, moved.kernel, hidden)
    elif picture.view == "messages":
        by_hand_view(picture, question, is_done, whole, moved.kernel, key, selection or [0, 1])
    else:
        study = study_of_step(picture, asked, graph, moved.kernel, moved.embedding, type_size())
        linked_view(picture, study, selection, key, on_select)


def _controls(picture: Picture, graph: ChosenGraph | None, key: str) -> _Moved:
    """Show the controls that a step names, and return what they are set to.

    The graph is None for a data set. ``key`` begins the keys of the widgets.
    """
    kernel, removed = picture.kernel, picture.removed
    embedding, methods = picture.beside or "", picture.methods
    cost = picture.cost or DEFAULT_COST
    if not picture.controls:
        return _Moved(kernel, removed, embedding, methods, cost)

    def look(name: str, width: int | str = 240) -> dict[str, Any]:
        asked = {"key": f"{key}-{name}", "help": help_of(f"lesson-{name}")}
        if isinstance(width, int):
            width = width * type_size() // 12  # pixels; labels are larger on a projector
        return {**asked, "width": width, "persist_state": "session"}

    with st.container(horizontal=True, key="lesson-controls"):
        if "kernel" in picture.controls:
            kind = st.segmented_control(
                "Neighbourhoods",
                list(NEIGHBOURHOODS),
                default=kernel.neighbourhood,
                required=True,
                format_func=NEIGHBOURHOODS.__getitem__,
                **look("kernel", "content"),
            )
            kernel = replace(kernel, neighbourhood=kind or kernel.neighbourhood)
        is_set, is_measured = graph is None, isinstance(picture.source, MeasuredSource)
        rounds = (int(is_set and not is_measured), _MOST_MAP_ROUNDS if is_set else MAX_ROUNDS)
        sliders: tuple[tuple[str, str, str, Any, Any, Any], ...] = (
            ("T", "n_iterations", "Rounds T", *rounds, 1),
            ("alpha", "alpha", ALPHA, 0.0, 1.0, 0.05),
            ("beta", "beta", BETA, 0.0, 1.0, 0.05),
        )
        for name, field, label, low, high, step in sliders:
            if name in picture.controls:
                start = min(max(getattr(kernel, field), low), high)
                value = st.slider(label, low, high, start, step, **look(name))
                kernel = replace(kernel, **{field: value})
        if "C" in picture.controls:
            start = min(_COSTS, key=lambda one: abs(one - cost))
            cost = st.select_slider("Cost C", _COSTS, start, "{:g}".format, **look("C"))
        if "methods" in picture.controls:
            options, start = list(METHODS), list(methods)
            methods = tuple(st.multiselect("Kernels", options, start, **look("methods", 420)))
        if "embedding" in picture.controls:
            titles = {name: one.title for name, one in VERTEX_METHODS.items()}
            start = list(titles).index(embedding)
            words = titles.__getitem__
            embedding = st.selectbox("Second plane", titles, start, words, **look("embedding"))
        if "features" in picture.controls:
            own = [part for part in kernel.features.split("+") if part in LOCAL_FEATURES]
            options = list(LOCAL_FEATURES)
            chosen = st.multiselect("Initial features", options, own, **look("features", 320))
            kernel = replace(kernel, features="+".join(chosen) or "constant")
        if "remove" in picture.controls and graph is not None:
            removed = _removed(graph, removed, look("remove", 160))
    return _Moved(kernel, removed, embedding, methods or picture.methods, cost)


def _removed(
    graph: ChosenGraph, removed: tuple[str, str] | None, look: dict[str, Any]
) -> tuple[str, str] | None:
    edges = [(str(v), str(u)) for v, u in named_edges(graph.graph).values()]
    options = [*edges] if removed is not None else [None, *edges]
    start = next((i for i, edge in enumerate(options) if edge and {*edge} == {*(removed or ())}), 0)
    chosen: tuple[str, str] | None = st.selectbox(
        "Edge to remove",
        options,
        index=start,
        format_func=lambda edge: "none" if edge is None else f"{edge[0]} – {edge[1]}",
        **look,
    )
    return chosen


@cached(spinner="Building the graph …")
def chosen_graph(source: GraphSource, name: str | None) -> ChosenGraph:
    """Return the graph of a picture."""
    recipe = source if isinstance(source, PresetGraph) else None
    return ChosenGraph(name or source.title, source.build(), recipe)


@cached()
def cut_graph(whole: ChosenGraph, removed: tuple[str, str]) -> ChosenGraph:
    """Return a graph without one of its edges."""
    by_word = {str(name): name for name in whole.graph.names}
    graph = without_edge(whole.graph, *(by_word[end] for end in removed))
    return ChosenGraph(whole.title, graph, origin=whole)
