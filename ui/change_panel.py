"""Before and after an edit, and what is left of a graph edge by edge: WL against the kernels."""

from __future__ import annotations

from dataclasses import asdict

import streamlit as st

from mpgk_core import MessagePassingNodeKernel, MPGKError
from mpgk_core.edits import (
    Comparison,
    PerturbationCurve,
    PerturbationTask,
    compare,
    perturbation_steps,
)
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
from ui.cache import cached
from ui.cached import layout_of, orbits_of
from ui.charts import chart
from ui.choices import ChosenGraph, KernelChoice
from ui.jobs import Results, job_box
from ui.named_vertices import fit_height, name_vertices
from ui.problem_box import NOT_DONE, show_problem

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
