"""What a sweep has found, on screen: a map to click, the chosen cell, and the best one."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from mpgk_core.evaluation.protocol import Protocol
from mpgk_core.evaluation.results import majority_accuracy
from mpgk_core.plotting.sweep_figures import (
    clickable_map,
    heat_map_words,
    rounds_figure,
    rounds_words,
)
from mpgk_core.tuning import SCORES, Cell, SetSweepTask, Sweep, VertexSweepTask
from mpgk_core.tuning.task import SweepTask
from mpgk_core.tuning.vertex_facts import checked_labels
from ui.address import one_of
from ui.cell_place import keep_place, place_of
from ui.charts import chart
from ui.controls import NEIGHBOURHOODS


@dataclass(frozen=True)
class SweepView:
    """What the user looks at.

    Attributes
    ----------
    score : str
        Its name.
    cell : Cell
        The one that is selected.
    best : Cell
        The best one of the sweep.
    """

    score: str
    cell: Cell
    best: Cell


def majority_of(task: SweepTask) -> float | None:
    """Return the accuracy of the most frequent class in the folds of a sweep, if it has one."""
    if isinstance(task, SetSweepTask):
        return majority_accuracy(task.classes, task.protocol)
    if not isinstance(task, VertexSweepTask) or "accuracy" not in task.scores:
        return None
    rules = Protocol(n_folds=task.n_folds, n_repeats=1, random_state=task.random_state)
    return majority_accuracy(checked_labels(task.graphs, task.labels, task.n_folds), rules)


def map_view(sweep: Sweep, name: str, is_running: bool, majority: float | None = None) -> SweepView:
    """Draw the map and the rounds, and return what is selected.

    A map that can be clicked is built anew whenever it changes, so it waits until the sweep rests,
    and so do the boxes: they would keep the best cell of a moment as if it had been chosen.

    Parameters
    ----------
    sweep : Sweep
        With at least one cell.
    name : str
        Begins the keys of all controls.
    is_running : bool
        Whether more cells are about to come.
    majority : float, optional
        The accuracy of the majority class, where the score is an accuracy.

    Returns
    -------
    SweepView
    """
    score, shown = _selectors(sweep, name)
    best = sweep.best(score)
    assert best is not None
    cell = _selected(sweep, score, shown, place_of(name, is_running))
    left, right = st.columns([3, 2], gap="large")
    with left:
        words = heat_map_words(sweep, score, cell)
        st.text(words)
        chart(
            clickable_map(sweep, score, cell),
            f"{name}-map",
            words,
            ("sweep", score, cell.variant, f"T{cell.T}"),
            is_small=True,
            height=440,
            on_select="ignore" if is_running else lambda: _keep(name),
            selection_mode="points",
        )
        st.caption(
            "The star is the best cell of this map, and the selected cell has a frame. "
            "Once the sweep rests, click a cell to select it, or choose its α and β. "
            "Orange is better; all T share the colours."
        )
        if not is_running:
            _place(sweep, cell, name)
    with right:
        chart(
            rounds_figure(sweep, score, cell),
            f"{name}-rounds",
            rounds_words(sweep, score, cell),
            ("sweep", score, "over-T"),
            is_small=True,
            height=300,
        )
        st.dataframe(
            [
                {
                    "score": title,
                    "selected cell": sweep.score(key, cell),
                    "best cell": sweep.score(key, best),
                }
                | (
                    {"majority class": majority if key == "accuracy" else None}
                    if majority is not None
                    else {}
                )
                for key, title in sweep.titles.items()
            ],
            hide_index=True,
        )
    return SweepView(score, cell, best)


def best_words(sweep: Sweep, view: SweepView, name: str) -> None:
    """Say which cell is best, and let the map go there."""
    so_far = "" if sweep.is_complete else " so far"
    st.text(
        f"Best{so_far} by {sweep.titles[view.score].lower()}, with "
        f"{sweep.score(view.score, view.best):.4g}: {view.best.title}, vertices start from "
        f"{view.best.features}."
    )
    st.button(
        "Select the best cell",
        key=f"{name}-go",
        on_click=_go,
        args=(name, view.best, sweep),
        disabled=view.cell == view.best,
        help="Moves the map to it.",
    )


def _selectors(sweep: Sweep, name: str) -> tuple[str, Cell]:
    """Let the user choose a score and a map; α and β of the cell do not count."""
    grid = sweep.grid
    scores = list(sweep.titles)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        usual = "gap" if "gap" in scores else scores[0]
        score = one_of(
            st.selectbox,
            "Score",
            scores,
            usual,
            key=f"{name}-score",
            format_func=sweep.titles.__getitem__,
            width=220,
            help=" ".join(SCORES[key].explanation for key in scores),
        )
        variant, features = grid.variants[0], grid.features[0]
        if len(grid.variants) > 1:
            variant = one_of(
                st.segmented_control,
                "Kernel",
                grid.variants,
                variant,
                key=f"{name}-variant",
                format_func=lambda key: NEIGHBOURHOODS.get(key, key),
                help="The one that the map shows.",
            )
        if len(grid.features) > 1:
            features = one_of(
                st.selectbox,
                "Start",
                grid.features,
                features,
                key=f"{name}-start",
                width=220,
                help="What vertices start from in this map.",
            )
        last = grid.iterations[-1]
        T = st.slider(
            "Rounds T of the map",
            1,
            last,
            min(5, last),
            key=f"{name}-T-{last}",
            bind="query-params",
            width=220,
            help="One map for each number of rounds.",
        )
    return score, Cell(variant, features, grid.alphas[0], grid.betas[0], T)


def _selected(sweep: Sweep, score: str, shown: Cell, place: tuple[float, float] | None) -> Cell:
    """Return the cell that was clicked, or the best one of the map."""
    alpha, beta = place or (None, None)
    if alpha in sweep.grid.alphas and beta in sweep.grid.betas:
        return shown._replace(alpha=alpha, beta=beta)
    return sweep.best_of_map(score, shown) or shown


def _place(sweep: Sweep, cell: Cell, name: str) -> None:
    """Let the user choose a cell of the map without a mouse."""
    keys = f"{name}-cell-alpha", f"{name}-cell-beta"
    with st.container(horizontal=True):
        for key, label, choices, value in (
            (keys[0], "α of the cell", sweep.grid.alphas, cell.alpha),
            (keys[1], "β of the cell", sweep.grid.betas, cell.beta),
        ):
            st.session_state[key] = value
            st.selectbox(
                label,
                choices,
                key=key,
                format_func=lambda number: f"{number:g}",
                width=160,
                on_change=_keep_place,
                args=(name, *keys),
                help="Selects a cell of the map.",
            )


def _keep_place(name: str, alpha: str, beta: str) -> None:
    keep_place(name, st.session_state[alpha], st.session_state[beta])


def _keep(name: str) -> None:
    """Remember a click; the map forgets it as soon as it is drawn anew."""
    points = st.session_state[f"{name}-map"].selection.points
    if points:
        keep_place(name, *points[0]["customdata"])


def _go(name: str, cell: Cell, sweep: Sweep) -> None:
    keep_place(name, cell.alpha, cell.beta)
    st.session_state[f"{name}-variant"] = cell.variant
    st.session_state[f"{name}-start"] = cell.features
    st.session_state[f"{name}-T-{sweep.grid.iterations[-1]}"] = cell.T
