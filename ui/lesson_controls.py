"""What a step lets the reader change: a few controls, each only where the step names it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import streamlit as st

from mpgk_core.edits.lookup import named_edges
from mpgk_core.graphs.local_features import LOCAL_FEATURES
from mpgk_core.lessons import KernelSetting, Picture
from mpgk_core.lessons.setting import MOST_ROUNDS
from ui.choices import ChosenGraph
from ui.lesson_memory import as_left

__all__ = ["step_controls"]

_KINDS = {"R": "R: all pairs", "A": "A: best matching"}
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
            as_left(f"{key}-kernel", kernel.neighbourhood, picture)
            kind = st.segmented_control(
                "Neighbourhoods", list(_KINDS), required=True,
                format_func=_KINDS.__getitem__, key=f"{key}-kernel",
                help="R adds up all pairs of neighbours, A matches them one to one.",
            )  # fmt: skip
            kernel = replace(kernel, neighbourhood=kind or kernel.neighbourhood)
        if "T" in picture.controls:
            low, high = (0, MOST_ROUNDS) if graph is not None else (1, _MOST_MAP_ROUNDS)
            as_left(f"{key}-T", min(max(kernel.T, low), high), picture)
            T = st.slider("Rounds T", low, high, key=f"{key}-T", width=240,
                          help="How many times vertices listen to their neighbours.")  # fmt: skip
            kernel = replace(kernel, T=T)
        for name, label in (("alpha", "α: own past"), ("beta", "β: neighbourhood")):
            if name in picture.controls:
                as_left(f"{key}-{name}", getattr(kernel, name), picture)
                value: Any = st.slider(
                    label, 0.0, 1.0, step=0.05, key=f"{key}-{name}", width=240,
                    help="How much of the past is kept, and how much the neighbours add.",
                )  # fmt: skip
                kernel = replace(kernel, **{name: value})
        if "features" in picture.controls:
            kernel = replace(kernel, features=_features(picture, key))
        if "remove" in picture.controls and graph is not None:
            removed = _removed(graph, picture, key)
    return kernel, removed


def _features(picture: Picture, key: str) -> str:
    parts = picture.kernel.features.split("+")
    as_left(f"{key}-features", [part for part in parts if part in LOCAL_FEATURES], picture)
    chosen = st.multiselect(
        "Vertices start from", list(LOCAL_FEATURES), key=f"{key}-features", width=320,
        help="What is known of a vertex before the first message.",
    )  # fmt: skip
    return "+".join(chosen) or "constant"


def _removed(graph: ChosenGraph, picture: Picture, key: str) -> tuple[str, str] | None:
    removed = picture.removed or ()
    edges = [(str(v), str(u)) for v, u in named_edges(graph.graph).values()]
    options: list[tuple[str, str] | tuple[()]] = [*edges] if removed else [(), *edges]
    start = next((edge for edge in options if {*edge} == {*removed}), options[0])
    as_left(f"{key}-remove", start, picture)
    chosen = st.selectbox(
        "Edge to remove", options, key=f"{key}-remove", width=160,
        format_func=lambda edge: " – ".join(edge) or "none",
        help="The graph without this edge is shown.",
    )  # fmt: skip
    return chosen or None
