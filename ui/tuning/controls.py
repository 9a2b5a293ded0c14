"""Controls of a sweep: the grid, the scores and the protocol."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from mpgk_core.evaluation.feature_comparison import ADVICE, needs_comparison
from mpgk_core.evaluation.protocol import Protocol
from mpgk_core.evaluation.tables import LOCAL_FEATURES
from mpgk_core.graphs import GraphSet
from mpgk_core.graphs.initial_features import resolved_features
from mpgk_core.kernels.graph_kernel import VARIANTS
from mpgk_core.tuning import SCORES, Grid, SetSweepTask, VertexSweepTask, score_problems
from ui.shared.computed import orbits_of
from ui.shared.controls import NEIGHBOURHOODS, features_of
from ui.sources.sets import ChosenSet
from ui.state.address import one_of, some_of
from ui.state.cache import cached
from ui.state.choices import ChosenGraph

_N_VALUES = (5, 10, 20)


def vertex_task(chosen: ChosenGraph) -> VertexSweepTask | None:
    """Let the user choose a sweep over the vertices of a graph; None until it makes sense."""
    with st.sidebar:
        st.subheader("Grid")
        grid = _grid(
            "tune",
            list(NEIGHBOURHOODS),
            list(NEIGHBOURHOODS),
            10,
            8,
            [*features_of(chosen.graph), LOCAL_FEATURES],
            "degree",
        )
        st.subheader("Scores")
        n_folds = 5
        if chosen.graph.label_codes is not None:
            n_folds = _folds("tune", 5)
        problems = _problems(chosen, n_folds)
        possible = [name for name in SCORES if not problems[name]]
        scores = some_of(
            st.multiselect,
            "Scores",
            possible,
            possible,
            key=f"tune-scores-{len(possible)}",
            format_func=lambda name: SCORES[name].title,
            label_visibility="collapsed",
            help=" ".join(f"{score.title}: {score.explanation}" for score in SCORES.values()),
        )
        _say_why_not(problems)
        seed = _seed("tune") if chosen.graph.label_codes is not None else 0
    if grid is None or not scores:
        st.info("Choose at least one neighbourhood, one start and one score.")
        return None
    return _vertex_task(chosen, grid, tuple(scores), n_folds, seed)


def set_task(chosen: ChosenSet) -> SetSweepTask | None:
    """Let the user choose a sweep over a set of graphs; None until it makes sense."""
    with st.sidebar:
        st.subheader("Grid")
        grid = _grid(
            "tune-set",
            list(VARIANTS),
            ["AA"],
            5,
            4,
            ["auto", *_starts_of_all(chosen.graphs), LOCAL_FEATURES],
            "auto",
        )
        st.caption(f"auto: {resolved_features('auto', chosen.graphs)}")
        if needs_comparison(chosen.graphs):
            st.caption(ADVICE)
        st.subheader("Protocol")
        n_folds = _folds("tune-set", 10)
        seed = _seed("tune-set")
    if grid is None:
        st.info("Choose at least one kernel and one start.")
        return None
    protocol = Protocol(n_folds=n_folds, n_repeats=1, random_state=seed)
    return _set_task(chosen, grid, protocol)


@cached()
def _vertex_task(
    chosen: ChosenGraph, grid: Grid, scores: tuple[str, ...], n_folds: int, seed: int
) -> VertexSweepTask:
    return VertexSweepTask(chosen.graph, grid, scores, n_folds=n_folds, random_state=seed)


@cached()
def _set_task(chosen: ChosenSet, grid: Grid, protocol: Protocol) -> SetSweepTask:
    return SetSweepTask(chosen.graphs, tuple(chosen.classes), grid, protocol)


def _grid(
    name: str,
    variants: Sequence[str],
    usual: Sequence[str],
    n_values: int,
    rounds: int,
    starts: Sequence[str],
    start: str,
) -> Grid | None:
    n = one_of(
        st.segmented_control,
        "Values of α and of β",
        _N_VALUES,
        n_values,
        key=f"{name}-values",
        help="As many of each, evenly from above 0 to 1.",
    )
    last = st.slider(
        "Largest T",
        2,
        12,
        rounds,
        key=f"{name}-last",
        bind="query-params",
        help="All numbers of rounds from 1 to this one are tried.",
    )
    chosen = some_of(
        st.pills,
        "Kernels",
        variants,
        usual,
        key=f"{name}-variants",
        format_func=lambda key: NEIGHBOURHOODS.get(key, key),
        help="R adds up all pairs, A finds the best matching. Of two letters, the first is for "
        "neighbourhoods and the second for graphs.",
    )
    features = some_of(
        st.multiselect,
        "Initial features",
        starts,
        [start],
        key=f"{name}-features",
        help="Each is tried alone. Joined by +, several are added up as they are; auto balances "
        "labels, standardised attributes and degree, as far as the graphs have them.",
    )
    if not chosen or not features:
        return None
    values = tuple(round((i + 1) / n, 2) for i in range(n))
    return Grid(values, values, tuple(range(1, last + 1)), tuple(chosen), tuple(features))


def _folds(name: str, usual: int) -> int:
    return st.slider(
        "Folds",
        2,
        10,
        usual,
        key=f"{name}-folds",
        bind="query-params",
        help="Of the cross-validation. No class may be rarer than this.",
    )


def _seed(name: str) -> int:
    seed = st.number_input(
        "Seed of the folds",
        0,
        9999,
        0,
        key=f"{name}-seed",
        bind="query-params",
        help="Same seed, same folds.",
    )
    return int(seed)


def _starts_of_all(graphs: GraphSet) -> list[str]:
    return [start for start in features_of(graphs) if start != "constant"]


@cached(spinner="Finding the orbits …")
def _problems(chosen: ChosenGraph, n_folds: int) -> dict[str, str]:
    return score_problems(chosen.graph, orbits_of(chosen), n_folds)


def _say_why_not(problems: dict[str, str]) -> None:
    """Say which scores are not offered, and why; labels in the words are shown as they are."""
    missing: dict[str, list[str]] = {}
    for name, problem in problems.items():
        if problem:
            missing.setdefault(problem, []).append(SCORES[name].title)
    for problem, titles in missing.items():
        st.caption(f"Not offered: {', '.join(titles)}.")
        st.text(problem)
