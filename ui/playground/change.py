"""Graph and similarities before and after edits, and robustness to removed edges."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Hashable, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from mpgk_core import MessagePassingNodeKernel, MPGKError
from mpgk_core.edits import (
    Comparison,
    PerturbationCurve,
    PerturbationTask,
    compare,
    perturbation_steps,
)
from mpgk_core.plotting import safe_names
from mpgk_core.plotting.change_figure import (
    colour_by_joint_refinement,
    colour_by_movement,
    colour_by_recolouring,
    comparison_words,
    draw_change,
    movement_figure,
    movement_words,
)
from mpgk_core.plotting.graph_figure import graph_words
from mpgk_core.plotting.perturbation_figure import perturbation_figure, perturbation_words
from ui.shared.charts import chart
from ui.shared.computed import layout_of, orbits_of
from ui.shared.jobs import Results, job_box
from ui.shared.messages import NOT_DONE, show_problem
from ui.state.cache import cached
from ui.state.choices import ChosenGraph, KernelChoice

_COLOURINGS = {
    "kept": "WL colour kept or changed",
    "R": "Movement under R",
    "A": "Movement under A",
    "colour": "WL colours",
}
_MEANINGS = {
    "kept": "Blue: colour kept, orange: colour changed.",
    "R": "From blue (stays) to orange (moves farthest).",
    "A": "From blue (stays) to orange (moves farthest).",
    "colour": "Equal colours mean equal WL colours, in both pictures.",
}
_SEEDS = 5


def change_panel(source: ChosenGraph, graph: ChosenGraph, kernel: KernelChoice) -> None:
    """Show what the edits did to orbits, colours and similarities."""
    if graph is source:
        st.info(
            "Nothing is changed yet. Edit the graph, or remove a random edge, and see here "
            "what becomes of its vertices."
        )
        return
    try:
        found = _compared(source, graph, kernel)
    except MPGKError as problem:
        show_problem(str(problem), "change-problem", NOT_DONE)
        return
    colour = st.segmented_control(
        "Colour both by",
        list(_COLOURINGS),
        default="kept",
        required=True,
        key="change-colour",
        format_func=_COLOURINGS.__getitem__,
        help="WL says of a vertex that it is the same or not. A kernel says how far it moved.",
    )
    colourings = (
        colour_by_recolouring(found)
        if colour == "kept"
        else colour_by_joint_refinement(found)
        if colour == "colour"
        else colour_by_movement(found, colour or "R")
    )
    drawings = draw_change(found, layout_of(source, "spring"), colourings)
    said = comparison_words(found)
    for column, drawing, title, shown in zip(
        st.columns(2), drawings, ("Before", "After"), (source, graph), strict=True
    ):
        with column:
            st.caption(
                f"{title}. {_MEANINGS[colour or 'kept']} Red edges are in this version only."
            )
            name_vertices(drawing.data[1], shown.graph.names)
            fit_height(drawing.layout, drawing.data[1])
            words = f"{title}: {graph_words(shown.graph)} {said}"
            chart(drawing.figure(), f"change-{title}", words, (graph.title, title), height=340)
    _numbers(found)
    st.caption(said)
    with st.expander("How far each vertex moved"):
        chart(movement_figure(found), "movement", movement_words(found), (graph.title, "movement"))


def _numbers(found: Comparison) -> None:
    T = found.n_rounds
    with st.container(horizontal=True):
        st.metric(
            "Orbits",
            f"{found.orbits_before.n_orbits} → {found.orbits_after.n_orbits}",
            help="Classes of vertices that play exactly the same role.",
        )
        st.metric(
            "Other WL colour",
            f"{100 * found.share_recoloured[T]:.0f} %",
            help="Share of vertices whose colour after T rounds is another one: all or "
            "nothing for each vertex.",
        )
        for way in ("R", "A"):
            st.metric(
                f"Similar to before, {way}",
                f"{found.similarity(way)[T].mean():.3f}",
                help="Mean cosine between a vertex now and the same vertex before; 1 means "
                "unchanged.",
            )


@cached(spinner="Comparing …")
def _compared(source: ChosenGraph, graph: ChosenGraph, kernel: KernelChoice) -> Comparison:
    return compare(
        source.graph,
        graph.graph,
        MessagePassingNodeKernel(**asdict(kernel)),
        orbits_before=orbits_of(source),
        orbits_after=orbits_of(graph),
    )


def perturbation_panel(graph: ChosenGraph, kernel: KernelChoice) -> None:
    """Remove more and more random edges, and show what WL and the kernels make of it."""
    st.markdown(
        "Edges are removed at random, one after the other. **WL is brittle**: a vertex keeps its "
        "colour or loses it. **The kernels are graded**: a vertex stays more or less similar to "
        "what it was."
    )
    if graph.graph.n_edges == 0:
        st.info("This graph has no edges to remove.")
        return
    task = _perturbation_task(graph, kernel)

    def show(results: Results, _is_running: bool) -> None:
        _curve(graph.title, task.curve(results))

    job_box(task, "perturb", f"Edges removed from {graph.title}", show, begins_at_once=True)


@cached()
def _perturbation_task(graph: ChosenGraph, kernel: KernelChoice) -> PerturbationTask:
    steps = perturbation_steps(graph.graph.n_edges)
    fitted = MessagePassingNodeKernel(**asdict(kernel))
    return PerturbationTask(graph.graph, fitted, tuple(steps), tuple(range(_SEEDS)))


def _curve(title: str, curve: PerturbationCurve) -> None:
    words = perturbation_words(curve)
    chart(perturbation_figure(curve), "perturbation", words, (title, "removed-edges"), height=380)
    st.caption(words)


_MOST_NAMED = 40


def name_vertices(trace: dict[str, Any], names: Sequence[Hashable]) -> None:
    """Write the names of the vertices above them, unless they are too many.

    Parameters
    ----------
    trace : dict
        The vertices of a drawing.
    names : sequence of hashable
        Of all vertices, in the order of the drawing.
    """
    if len(names) > _MOST_NAMED:
        return
    trace.update(
        mode="markers+text",
        hovertext=trace["text"],
        hovertemplate="%{hovertext}<extra></extra>",
        text=safe_names(names),
        textposition="top center",
        cliponaxis=False,
    )


def fit_height(layout: dict[str, Any], trace: dict[str, Any]) -> None:
    """Let a drawing use all its height, with room for names."""
    heights = numbers_of_trace(trace["y"])
    layout["yaxis"]["range"] = [heights.min() - 0.12, heights.max() + 0.22]


def numbers_of_trace(values: Any) -> NDArray[np.float64]:
    """Return the numbers of a trace, which are a list or packed."""
    if isinstance(values, dict):
        return np.frombuffer(b64decode(values["bdata"]), dtype="<f4").astype(np.float64)
    return np.asarray(values, dtype=np.float64)
