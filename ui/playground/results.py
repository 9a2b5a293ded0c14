"""Controls of the kernel, and its results: formula, verdict and linked pictures."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from mpgk_core import GraphSet, Verdict
from mpgk_core.graphs.neighbourhoods import EdgeUse
from mpgk_core.kernels.update import KernelParameters
from mpgk_core.recovery import Confusion
from ui.playground.edits import (
    MAX_DRAWN,
    apply_drawn,
    choose_edge,
    chosen_edge,
    drawing_of,
    history_of,
)
from ui.playground.study import study_of
from ui.shared.charts import DRAWING_LIBRARY, library_for, script
from ui.shared.computed import verdict_of
from ui.shared.widgets import kernel_controls
from ui.state.address import remember_settings
from ui.state.choices import ChosenGraph, PictureChoice, current_selection, keep_selection

_BESIDE, _IS_WHOLE, _NOW = "page beside results", "whole page", "kernel now"


@dataclass(frozen=True)
class Shown:
    """What the linked pictures show and allow.

    Attributes
    ----------
    view : {"planes", "matrix", "both", "graph"}
        What is shown below the graph.
    source : ChosenGraph or None
        The graph as it came; without it, the graph cannot be edited in its picture.
    """

    view: str = "planes"
    source: ChosenGraph | None = None

    @cached_property
    def drawing(self) -> str | None:
        """What the browser needs to let the user draw, as JSON; None for a still picture."""
        if self.source is None or history_of(self.source).graph.n_vertices > MAX_DRAWN:
            return None
        return json.dumps(drawing_of(self.source))


STILL = Shown()


def controls_and_results(
    graph: ChosenGraph, picture: PictureChoice, place: DeltaGenerator, shown: Shown
) -> KernelParameters:
    """Let the user choose a kernel, here, and show what follows in its place.

    Parameters
    ----------
    graph : ChosenGraph
    picture : PictureChoice
    place : DeltaGenerator
        A container of the page. All results share it: every place of its own costs a message.
    shown : Shown

    Returns
    -------
    KernelParameters
    """
    st.session_state[_IS_WHOLE] = True
    kernel_controls(
        graph.graph,
        lambda kernel: _results(graph, kernel, picture, place, shown),
        graph.usual_edges,
    )
    return kernel_now()


def kernel_now() -> KernelParameters:
    """Return the kernel that is shown, also after a move of its controls."""
    now: KernelParameters = st.session_state[_NOW]
    return now


def update_formula(kernel: KernelParameters) -> str:
    """Return the update rule in LaTeX, with the current numbers in it."""
    use = EdgeUse.of(kernel.edges)
    channels, own = (r"\sum_{b} ", "N_b") if use.has_channels else ("", "N")
    weights = r"w_{vv'}\, w_{uu'}\, " if use.multiplies else ""
    compared = {
        "R": rf"\sum_{{v' \in {own}(v)}} \sum_{{u' \in {own}(u)}} {weights}k^{{t}}(v', u')",
        "A": rf"\max_{{B \in \mathfrak{{B}}({own}(v), {own}(u))}} "
        r"\sum_{(v', u') \in B} k_s^{t}(v', u')",
    }[kernel.neighbourhood]
    neighbourhoods = channels + compared
    return (
        rf"k^{{t+1}}(v, u) = {kernel.alpha:g}\; k^{{t}}(v, u) + {kernel.beta:g}\, "
        rf"{neighbourhoods}, \quad t < {kernel.n_iterations}"
    )


def redraw_all_beside(is_needed: bool) -> None:
    """Set whether anything else on the page depends on the controls, and must be drawn again."""
    st.session_state[_BESIDE] = is_needed


def _results(
    graph: ChosenGraph,
    kernel: KernelParameters,
    picture: PictureChoice,
    place: DeltaGenerator,
    shown: Shown,
) -> None:
    is_whole = st.session_state.pop(_IS_WHOLE, False)
    if not is_whole and st.session_state.get(_BESIDE):
        st.rerun()
    st.session_state[_NOW] = kernel
    study = study_of(graph, kernel, picture, shown.view == "matrix")
    verdict = verdict_of(graph, kernel)
    with place:
        linked_pictures(
            study,
            current_selection(graph),
            key="pictures",
            on_select=lambda vertices: keep_selection(graph, vertices),
            is_linked=True,
            shown=shown,
        )
        with st.container():  # one place, for however many sentences
            if shown.view != "graph":  # otherwise an analysis follows the graph at once
                verdict_reasons(verdict, graph.graph, kernel.n_iterations)
                st.latex(update_formula(kernel))
    if not is_whole:
        remember_settings()


_MOST_CONFUSIONS = 5
_MOST_NAMES = 6


def verdict_reasons(found: Verdict, graph: GraphSet, last: int) -> None:
    """Show which vertices are confused after the last round, and why.

    The pictures may show an earlier round meanwhile, so that the round is named.
    """
    if not found.orbits_proven:
        st.warning(
            "The orbit search reached its limit. The classes shown are those of colour refinement; "
            "some may hold several orbits."
        )
    if found.is_complete and found.orbits_proven:
        st.success(f"All orbits are separated at t = {last}.")
    if found.confusions:
        with st.expander("Which vertices are confused, and why", expanded=True):
            for confusion in found.confusions[:_MOST_CONFUSIONS]:
                _show_confusion(confusion, graph)
            more = len(found.confusions) - _MOST_CONFUSIONS
            if more > 0:
                st.text(f"… and {more} more points that hold several orbits.")
    if found.split_orbits:
        st.info(found.split_orbits[0].explanation)


def _show_confusion(confusion: Confusion, graph: GraphSet) -> None:
    orbits = [
        f"orbit {orbit + 1}: {_listed(vertices.tolist(), graph)}"
        for orbit, vertices in list(confusion.vertices_by_orbit.items())[:_MOST_NAMES]
    ]
    st.text("One point for " + "; ".join(orbits))
    st.caption(" ".join(filter(None, [confusion.explanation, confusion.suggestion])))


def _listed(vertices: list[int], graph: GraphSet) -> str:
    names = [str(graph.names[v])[:40] for v in vertices[:_MOST_NAMES]]
    return ", ".join(names) + (", …" if len(vertices) > len(names) else "")


_PICTURES = st.components.v2.component(
    "linked_pictures",
    html=(Path(__file__).parents[1] / "assets" / "pictures.html").read_text(encoding="utf-8"),
    js=script("pictures.js"),
    isolate_styles=False,
)


def linked_pictures(
    study: str,
    selection: list[int],
    key: str,
    on_select: Callable[[list[int]], None],
    *,
    is_linked: bool = False,
    shown: Shown = STILL,
) -> None:
    """Show linked pictures.

    Parameters
    ----------
    study : str
        Figures and links as JSON, see ``ui.playground.study``.
    selection : list of int
        The vertices to mark now.
    key : str
        Key of the widget.
    on_select : callable
        Called with the selected vertices whenever the user has selected some, or none.
    is_linked : bool
        Whether the address of the page holds the round that is shown.
    shown : Shown
    """

    def selected() -> None:
        vertices, edge = _reported(key)
        if shown.source is not None:
            choose_edge(shown.source, edge)
        on_select(vertices)

    def edited() -> None:
        assert shown.source is not None
        apply_drawn(shown.source, st.session_state[key].edit)
        redraw_all_beside(True)

    _PICTURES(
        data={
            "library": library_for(study),
            "drawingLibrary": DRAWING_LIBRARY,
            "drawing": shown.drawing,
            "study": study,
            "selection": tuple(selection),  # a list might be a table, so pandas would be imported
            "edge": None if shown.source is None else chosen_edge(shown.source),
            "isLinked": is_linked,
            "view": shown.view,
            "stamp": hashlib.sha256(f"{shown.view} {study}".encode()).hexdigest()[:12],
        },
        key=key,
        on_selection_change=selected,
        on_edit_change=edited,
        default={"selection": None},
    )


def _reported(key: str) -> tuple[list[int], list[int] | None]:
    """Return the vertices and the edge that are selected."""
    reported = st.session_state[key].selection
    return ([], None) if reported is None else (list(reported["vertices"]), reported["edge"])
