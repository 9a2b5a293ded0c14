"""Graph and similarities before and after edits, and robustness to removed edges."""

from __future__ import annotations

from math import inf

import streamlit as st

from mpgk_core import MessagePassingNodeKernel
from mpgk_core.edits import Comparison, PerturbationTask, compare, perturbation_steps
from mpgk_core.kernels.update import KernelParameters
from mpgk_core.plotting import Colouring, Drawing, safe_names
from mpgk_core.plotting import change_figure as changes
from mpgk_core.plotting.colouring import colour_words
from mpgk_core.plotting.graph_figure import graph_words
from mpgk_core.plotting.perturbation_figure import perturbation_figure, perturbation_words
from mpgk_core.plotting.vertex_names import MAX_NAMED, name_vertices
from ui.shared.charts import chart
from ui.shared.computed import layout_of, orbits_of
from ui.shared.jobs import Results, job_box
from ui.shared.widgets import NOT_DONE, ProblemsShown, help_of, local_choice
from ui.state.cache import cached
from ui.state.choices import ChosenGraph

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
_SIZE = (330.0, 320.0)


def change_panel(
    source: ChosenGraph, graph: ChosenGraph, kernel: KernelParameters, hidden: str = ""
) -> None:
    """Show how the edits changed orbits, colours and similarities.

    A lesson may hide one of the numbers, that is all whose title begins so, and what is said of it.
    """
    if graph is source:
        st.info("The graph has not been edited yet. Edit it to compare it before and after.")
        return
    with ProblemsShown(NOT_DONE, "change-problem"):
        _show(source, graph, _compared(source, graph, kernel), kernel.edges, hidden)


def _show(
    source: ChosenGraph, graph: ChosenGraph, found: Comparison, edge_use: str, hidden: str
) -> None:
    colour = local_choice("change-colour", "Colour both by", _COLOURINGS)
    words = "" if hidden else changes.comparison_words(found)
    drawings = _drawings(source, graph, found, colour, edge_use)
    for (title, drawing), shown, column in zip(
        drawings.items(), (source, graph), st.columns(2), strict=True
    ):
        with column:
            st.caption(f"{title}. {_MEANINGS[colour]} Red edges are in this version only.")
            alt = f"{title}: {graph_words(shown.graph)} {words}"
            if shown.graph.n_vertices <= MAX_NAMED:
                colours = drawing.data[1]["marker"]["color"]
                alt += f" {colour_words(colours, safe_names(shown.graph.names))}"
            saved_as = (graph.title, title)
            chart(drawing.figure(), f"change-{title}", alt, saved_as, height=340)
    _numbers(found, hidden)
    if hidden:
        return
    st.caption(words)
    with st.expander("How far each vertex moved"):
        moved, alt = changes.movement_figure(found), changes.movement_words(found)
        chart(moved, "movement", alt, (graph.title, "movement"))


def drawn_change(
    source: ChosenGraph, graph: ChosenGraph, kernel: KernelParameters
) -> dict[str, Drawing]:
    """Draw a graph before and after its edits, coloured by what WL keeps."""
    return _drawings(source, graph, _compared(source, graph, kernel), "kept", kernel.edges)


def _drawings(
    source: ChosenGraph, graph: ChosenGraph, found: Comparison, colour: str, edge_use: str
) -> dict[str, Drawing]:
    places = layout_of(source, "natural")
    drawings = changes.draw_change(found, places, _colourings(found, colour), edge_use)
    for shown, drawing in zip((source, graph), drawings, strict=True):
        adjacency, layout = shown.graph.adjacency, drawing.layout
        name_vertices(drawing.data[1], layout, adjacency, shown.graph.names, size=_SIZE)
        for axis in ("xaxis", "yaxis"):  # else a place that changes its size leaves a small drawing
            layout[axis]["constrain"] = "domain"
    return dict(zip(("Before", "After"), drawings, strict=True))


def _colourings(found: Comparison, colour: str) -> tuple[Colouring, Colouring]:
    if colour == "kept":
        return changes.colour_by_recolouring(found)
    if colour == "colour":
        return changes.colour_by_joint_refinement(found)
    return changes.colour_by_movement(found, colour)


def _numbers(found: Comparison, hidden: str) -> None:
    T = found.n_rounds
    before, after = found.orbits_before.n_orbits, found.orbits_after.n_orbits
    share = f"{100 * found.share_recoloured[T]:.0f} %"
    shown = {
        "Orbits": (f"{before} → {after}", "orbits"),
        "WL colour changed": (share, "recoloured"),
    }
    for kind in ("R", "A"):
        mean = f"{found.similarity(kind)[T].mean():.3f}"
        shown[f"Similarity to before, {kind}"] = mean, "similarity"
    with st.container(horizontal=True):
        for title, (value, text) in shown.items():
            is_hidden = bool(hidden) and title.startswith(hidden)
            st.metric(title, "?" if is_hidden else value, help=help_of(text))


@cached(spinner="Comparing …")
def _compared(source: ChosenGraph, graph: ChosenGraph, kernel: KernelParameters) -> Comparison:
    return compare(
        source.graph,
        graph.graph,
        MessagePassingNodeKernel(**kernel.settings()),
        orbits_before=orbits_of(source, kernel.edges),
        orbits_after=orbits_of(graph, kernel.edges),
    )


def perturbation_panel(graph: ChosenGraph, kernel: KernelParameters) -> None:
    """Remove more and more random edges, and show how WL and the kernels change."""
    st.markdown(
        "Edges are removed at random, one after the other. **WL is brittle**: a vertex keeps its "
        "colour or loses it. **The kernels are graded**: the similarity of a vertex to its former "
        "self decreases by degrees."
    )
    if graph.graph.n_edges == 0:
        st.info("This graph has no edges to remove.")
        return
    task = _perturbation_task(graph, kernel)

    def show(results: Results, _is_running: bool) -> None:
        curve = task.curve(results)
        words, saved_as = perturbation_words(curve), (graph.title, "removed-edges")
        chart(perturbation_figure(curve), "perturbation", words, saved_as, height=380)
        st.caption(words)

    job_box(task, "perturb", f"Edges removed from {graph.title}", show, most_at_once=inf)


@cached()
def _perturbation_task(graph: ChosenGraph, kernel: KernelParameters) -> PerturbationTask:
    steps = perturbation_steps(graph.graph.n_edges)
    fresh = MessagePassingNodeKernel(**kernel.settings())
    return PerturbationTask(graph.graph, fresh, tuple(steps), tuple(range(_SEEDS)))
