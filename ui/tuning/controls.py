"""Controls of a sweep: the grid, the scores and the protocol."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from mpgk_core.evaluation.choices import LOCAL_FEATURES
from mpgk_core.evaluation.feature_comparison import ADVICE, needs_comparison
from mpgk_core.evaluation.protocol import Protocol
from mpgk_core.graphs.features import resolved_features
from mpgk_core.kernels.graph_kernel import VARIANTS
from mpgk_core.tuning import SCORES, Grid, SetSweepTask, VertexSweepTask, score_problems
from ui.shared.computed import orbits_of
from ui.shared.widgets import (
    NEIGHBOURHOODS,
    edges_control,
    features_of,
    number,
    one_of,
    slider,
    some_of,
)
from ui.sources.sets import ChosenSet
from ui.state.cache import cached
from ui.state.choices import ChosenGraph

_N_VALUES = (5, 10, 20)


def vertex_task(chosen: ChosenGraph) -> VertexSweepTask | None:
    """Let the user choose a sweep over the vertices of a graph; None until it makes sense."""
    has_labels, n_folds, seed = chosen.graph.label_codes is not None, 5, 0
    with st.sidebar:
        st.subheader("Grid")
        features = [*features_of(chosen.graph), LOCAL_FEATURES]
        kernels = list(NEIGHBOURHOODS)
        grid = _grid(chosen, "tune", NEIGHBOURHOODS, kernels, 10, 8, features, "degree")
        st.subheader("Scores")
        if has_labels:
            n_folds = slider("tune-folds", "Folds", 2, 10, 5)
        problems = _problems(chosen, n_folds, "ignore" if grid is None else grid.edges)
        possible = {name: score.title for name, score in SCORES.items() if not problems[name]}
        scores = some_of(
            f"tune-scores-{len(possible)}",
            "Scores",
            possible,
            list(possible),
            label_visibility="collapsed",
            help=" ".join(f"{score.title}: {score.explanation}" for score in SCORES.values()),
        )
        _show_problems(problems)
        if has_labels:
            seed = number("tune-seed", "Seed of the folds")
    if grid is None or not scores:
        st.info("Choose at least one kernel, one initial feature and one score.")
        return None
    return _vertex_task(chosen, grid, tuple(scores), n_folds, seed)


def set_task(chosen: ChosenSet) -> SetSweepTask | None:
    """Let the user choose a sweep over a set of graphs; None until it makes sense."""
    with st.sidebar:
        st.subheader("Grid")
        own = [name for name in features_of(chosen.graphs) if name != "constant"]
        features = ["auto", *own, LOCAL_FEATURES]
        variants = {name: name for name in VARIANTS}
        grid = _grid(chosen, "tune-set", variants, ["AA"], 5, 4, features, "auto")
        st.caption(f"auto: {resolved_features('auto', chosen.graphs)}")
        if needs_comparison(chosen.graphs):
            st.caption(ADVICE)
        st.subheader("Protocol")
        n_folds = slider("tune-set-folds", "Folds", 2, 10, 10)
        seed = number("tune-set-seed", "Seed of the folds")
    if grid is None:
        st.info("Choose at least one kernel and one initial feature.")
        return None
    return _set_task(chosen, grid, Protocol(n_folds=n_folds, n_repeats=1, random_state=seed))


@cached()
def _vertex_task(
    chosen: ChosenGraph, grid: Grid, scores: tuple[str, ...], n_folds: int, seed: int
) -> VertexSweepTask:
    return VertexSweepTask(chosen.graph, grid, scores, n_folds=n_folds, random_state=seed)


@cached()
def _set_task(chosen: ChosenSet, grid: Grid, protocol: Protocol) -> SetSweepTask:
    return SetSweepTask(chosen.graphs, tuple(chosen.classes), grid, protocol)


def _grid(
    chosen: ChosenGraph | ChosenSet,
    name: str,
    variants: Mapping[str, str],
    usual: Sequence[str],
    n_values: int,
    rounds: int,
    features: Sequence[str],
    start: str,
) -> Grid | None:
    n = one_of(f"{name}-values", "Values of α and of β", _N_VALUES, n_values)
    last = slider(f"{name}-last", "Largest T", 2, 12, rounds)
    kernels = some_of(f"{name}-variants", "Kernels", variants, usual, draw=st.pills)
    starts = some_of(f"{name}-features", "Initial features", features, [start])
    graphs, usual = (
        (chosen.graph, chosen.usual_edges)
        if isinstance(chosen, ChosenGraph)
        else (chosen.graphs, "ignore")
    )
    can_multiply = all(kernel.startswith("R") for kernel in kernels)
    edges = edges_control(graphs, f"{name}-", can_multiply=can_multiply, usual=usual)
    if not kernels or not starts:
        return None
    values, rounds_tried = tuple(round((i + 1) / n, 2) for i in range(n)), tuple(range(1, last + 1))
    return Grid(values, values, rounds_tried, tuple(kernels), tuple(starts), edges=edges)


@cached(spinner="Finding the orbits …")
def _problems(chosen: ChosenGraph, n_folds: int, edges: str) -> dict[str, str]:
    return score_problems(chosen.graph, orbits_of(chosen, edges), n_folds)


def _show_problems(problems: dict[str, str]) -> None:
    """Show which scores are not offered, and why; labels in the words are shown as they are."""
    missing: dict[str, list[str]] = {}
    for name, problem in problems.items():
        if problem:
            missing.setdefault(problem, []).append(SCORES[name].title)
    for problem, titles in missing.items():
        st.caption(f"Not offered: {', '.join(titles)}.")
        st.text(problem)
