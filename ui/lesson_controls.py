"""What a step lets the reader change: a few controls, each only where the step names it."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from mpgk_core.edits.lookup import named_edges
from mpgk_core.graphs.local_features import LOCAL_FEATURES
from mpgk_core.lessons import KernelSetting, Picture
from mpgk_core.lessons.setting import MOST_ROUNDS
from ui.choices import ChosenGraph
from ui.controls import ALPHA, BETA, NEIGHBOURHOODS

_MOST_MAP_ROUNDS = 4


def step_controls(
    picture: Picture, graph: ChosenGraph | None, key: str
) -> tuple[KernelSetting, tuple[str, str] | None]:
    """Show the controls of a step; return the kernel and the edge to remove.

    Parameters
    ----------
    picture : Picture
    graph : ChosenGraph or None
        None for a map of a data set.
    key : str
        Begins the keys of the widgets.

    Returns
    -------
    tuple of KernelSetting, and of two names or None
    """
    kernel, removed = picture.kernel, picture.removed
    if not picture.controls:
        return kernel, removed
    with st.container(horizontal=True, key="lesson-controls"):
        if "kernel" in picture.controls:
            kind = st.segmented_control(
                "Neighbourhoods",
                list(NEIGHBOURHOODS),
                default=kernel.neighbourhood,
                required=True,
                format_func=NEIGHBOURHOODS.__getitem__,
                key=f"{key}-kernel",
                persist_state="session",
                help="R adds up all pairs of neighbours, A matches them one to one.",
            )
            kernel = replace(kernel, neighbourhood=kind or kernel.neighbourhood)
        if "T" in picture.controls:
            low, high = (0, MOST_ROUNDS) if graph is not None else (1, _MOST_MAP_ROUNDS)
            start = min(max(kernel.T, low), high)
            T = st.slider(
                "Rounds T",
                low,
                high,
                start,
                key=f"{key}-T",
                width=240,
                persist_state="session",
                help="Number of message passing rounds.",
            )
            kernel = replace(kernel, T=T)
        for name, label in (("alpha", ALPHA), ("beta", BETA)):
            if name in picture.controls:
                value = st.slider(
                    label,
                    0.0,
                    1.0,
                    getattr(kernel, name),
                    0.05,
                    key=f"{key}-{name}",
                    width=240,
                    persist_state="session",
                    help="The weights of the previous similarity and of the neighbourhoods.",
                )
                kernel = replace(kernel, **{name: value})
        if "features" in picture.controls:
            kernel = replace(kernel, features=_features(kernel, key))
        if "remove" in picture.controls and graph is not None:
            removed = _removed(graph, removed, key)
    return kernel, removed


def _features(kernel: KernelSetting, key: str) -> str:
    chosen = st.multiselect(
        "Initial features",
        list(LOCAL_FEATURES),
        default=[part for part in kernel.features.split("+") if part in LOCAL_FEATURES],
        key=f"{key}-features",
        width=320,
        persist_state="session",
        help="What is known of a vertex before the first message.",
    )
    return "+".join(chosen) or "constant"


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
        help="The graph without this edge is shown.",
    )
    return chosen
