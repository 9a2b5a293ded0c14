"""The controls of the kernel, and what follows from them: formula, pictures, verdict.

A move of these controls redraws only this part of the page. Graph, navigation, other controls and
all that is closed stay as they are.
"""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from mpgk_core.kernels.parameters import KernelParameters
from ui.playground.pictures import linked_pictures
from ui.playground.study import study_of
from ui.shared.computed import verdict_of
from ui.shared.controls import kernel_controls
from ui.state.address import remember_settings
from ui.state.choices import ChosenGraph, PictureChoice, current_selection, keep_selection
from ui.verdict_box import verdict_numbers, verdict_reasons

_BESIDE, _IS_WHOLE, _NOW = "page beside results", "whole page", "kernel now"


def controls_and_results(
    graph: ChosenGraph, picture: PictureChoice, place: DeltaGenerator
) -> KernelParameters:
    """Let the user choose a kernel, here, and show what follows in its place.

    Parameters
    ----------
    graph : ChosenGraph
    picture : PictureChoice
    place : DeltaGenerator
        A container of the page. All results share it: every place of its own costs a message.

    Returns
    -------
    KernelParameters
    """
    st.session_state[_IS_WHOLE] = True
    kernel_controls(graph.graph, lambda kernel: _results(graph, kernel, picture, place))
    return kernel_now()


def kernel_now() -> KernelParameters:
    """Return the kernel that is shown, also after a move of its controls."""
    now: KernelParameters = st.session_state[_NOW]
    return now


def update_formula(kernel: KernelParameters) -> str:
    """Return the update rule in LaTeX, with the current numbers in it."""
    neighbourhoods = {
        "R": r"\sum_{v' \in N(v)} \sum_{u' \in N(u)} k^{t}(v', u')",
        "A": r"\max_{B \in \mathfrak{B}(N(v), N(u))} \sum_{(v', u') \in B} k_s^{t}(v', u')",
    }[kernel.neighbourhood]
    return (
        rf"k^{{t+1}}(v, u) = {kernel.alpha:g}\; k^{{t}}(v, u) + {kernel.beta:g}\, "
        rf"{neighbourhoods}, \quad t < {kernel.n_iterations}"
    )


def redraw_all_beside(is_needed: bool) -> None:
    """Say whether anything else on the page depends on the controls, and must be drawn again."""
    st.session_state[_BESIDE] = is_needed


def _results(
    graph: ChosenGraph, kernel: KernelParameters, picture: PictureChoice, place: DeltaGenerator
) -> None:
    is_whole = st.session_state.pop(_IS_WHOLE, False)
    if not is_whole and st.session_state.get(_BESIDE):
        st.rerun()
    st.session_state[_NOW] = kernel
    study, verdict = study_of(graph, kernel, picture), verdict_of(graph, kernel)
    with place:
        st.latex(update_formula(kernel))
        verdict_numbers(verdict)
        linked_pictures(
            study,
            current_selection(graph),
            key="pictures",
            on_select=lambda vertices: keep_selection(graph, vertices),
            is_linked=True,
        )
        with st.container():  # one place, for however many sentences
            verdict_reasons(verdict, graph.graph)
    if not is_whole:
        remember_settings()
