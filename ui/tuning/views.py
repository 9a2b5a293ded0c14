"""Results of a sweep: a map to click, the selected cell and the best one, and embeddings."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import streamlit as st

from mpgk_core.evaluation.protocol import Protocol
from mpgk_core.evaluation.results import majority_accuracy
from mpgk_core.plotting import colour_by_class, safe_names
from mpgk_core.plotting.embedding_figure import embedding_words
from mpgk_core.plotting.sweep_figures import (
    clickable_map,
    heat_map_words,
    multiples_figure,
    rounds_figure,
    rounds_words,
)
from mpgk_core.tuning import SCORES, Cell, Grid, SetSweepTask, Sweep, VertexSweepTask
from mpgk_core.tuning.vertex_facts import checked_labels
from mpgk_core.tuning.vertex_sweep import SweepTask
from ui.shared.charts import chart
from ui.shared.computed import orbits_of, way_of
from ui.shared.controls import NEIGHBOURHOODS
from ui.state.address import exact_link, one_of
from ui.state.choices import ChosenGraph, KernelChoice


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
            on_select="ignore" if is_running else lambda: _keep_click(name),
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


def _keep_click(name: str) -> None:
    """Remember a click; the map forgets it as soon as it is drawn anew."""
    points = st.session_state[f"{name}-map"].selection.points
    if points:
        keep_place(name, *points[0]["customdata"])


def _go(name: str, cell: Cell, sweep: Sweep) -> None:
    keep_place(name, cell.alpha, cell.beta)
    st.session_state[f"{name}-variant"] = cell.variant
    st.session_state[f"{name}-start"] = cell.features
    st.session_state[f"{name}-T-{sweep.grid.iterations[-1]}"] = cell.T


def place_of(name: str, is_running: bool) -> tuple[float, float] | None:
    """Return the α and β that the user has selected, and see to it that the address has them.

    While a sweep runs, the address that the browser sends may be older than the last click. So it
    is asked only where the session knows of no place, and written only when the sweep rests.

    Parameters
    ----------
    name : str
        Of the map.
    is_running : bool
        Whether the sweep runs.

    Returns
    -------
    tuple of float or None
        Not necessarily in the map. None if the user has selected nothing.
    """
    key = f"{name}-cell"
    address = st.query_params.get(key, "")
    place: tuple[float, float] | None = st.session_state.get(_entry(name)) or _read(address)
    if place is not None:
        keep_place(name, *place)
        words = f"{place[0]:g},{place[1]:g}"
        if words != address and not is_running:
            st.query_params[key] = words
    return place


def keep_place(name: str, alpha: float, beta: float) -> None:
    """Remember what the user has selected in a map."""
    st.session_state[_entry(name)] = alpha, beta


def _entry(name: str) -> str:
    return f"{name} place"


def _read(words: str) -> tuple[float, float] | None:
    try:
        alpha, beta = map(float, words.split(","))
    except ValueError:
        return None
    return alpha, beta


_KEPT = "kept cells"
_MOST_KEPT = 6
_MAX_GRAPHS = 12


def open_buttons(chosen: ChosenGraph, grid: Grid, view: SweepView, is_less: bool) -> None:
    """Offer the selected and the best cell to the playground, and to the comparison below.

    Parameters
    ----------
    chosen : ChosenGraph
        What was swept.
    grid : Grid
    view : SweepView
    is_less : bool
        Whether that is a sample of a graph that the playground shows whole.
    """
    graph = "the whole graph" if is_less else "the same graph"
    st.page_link(
        "pages/playground.py",
        label="Open in the playground",
        query_params=_link(grid, view.cell),
        help=f"The selected cell, with {graph} and exactly these parameters.",
    )
    st.page_link(
        "pages/playground.py",
        label="Open the best cell there",
        query_params=_link(grid, view.best),
        help="The best cell of the whole sweep.",
    )
    if is_less:
        st.caption("The playground shows the whole graph, and this is a sweep of the sample.")
    kept = _kept(chosen)
    st.button(
        "Keep for comparison",
        key="tune-keep",
        disabled=view.cell in kept,
        on_click=_keep,
        args=(chosen, [*kept, view.cell][-_MOST_KEPT:]),
        help="Its embedding stays below while you look at other cells.",
    )
    st.button(
        "Forget the kept cells",
        key="tune-forget",
        disabled=not kept,
        on_click=_keep,
        args=(chosen, []),
        help="Shows the corners of the map instead.",
    )


def embeddings(chosen: ChosenGraph, grid: Grid, view: SweepView) -> None:
    """Draw the embeddings of the selected cell, the best one, and some to compare with."""
    st.markdown("#### Embeddings")
    st.caption(
        "One point for all vertices that the kernel cannot tell apart, in the colour of "
        "their orbit. The same vertex has the same colour everywhere."
    )
    orbit = orbits_of(chosen).of_vertex
    colouring = colour_by_class("Orbit", orbit[np.newaxis], "orbit")
    names = safe_names(chosen.graph.names)
    cells = _compared(grid, view, _kept(chosen))
    columns = [column for _ in range(0, len(cells), 3) for column in st.columns(3)]
    for place, (cell, words) in enumerate(cells.items()):
        with columns[place]:
            st.markdown(f"**{words}**")
            way = way_of(chosen, _kernel(grid, cell), 2)
            chart(
                multiples_figure([(cell, way)], colouring, names),
                f"tune-embedding-{place}",
                f"{cell.title}: {embedding_words(way)}",
                (
                    chosen.title,
                    cell.variant,
                    f"alpha{cell.alpha:g}",
                    f"beta{cell.beta:g}",
                    f"T{cell.T}",
                    "embedding",
                ),
                is_small=True,
                height=280,
            )


def _compared(grid: Grid, view: SweepView, kept: list[Cell]) -> dict[Cell, str]:
    """Return the cells to draw, with words; each once."""
    cells = {view.cell: "Selected"}
    cells[view.best] = "Selected, and the best" if view.best == view.cell else "Best of all"
    if kept:
        others = dict.fromkeys(kept, "Kept")
    else:
        others = {
            view.cell._replace(alpha=grid.alphas[a], beta=grid.betas[b]): words
            for a, b, words in (
                (0, 0, "Both small"),
                (0, -1, "Neighbourhood above all"),
                (-1, 0, "Past above all"),
                (-1, -1, "Both large"),
            )
        }
    return {**cells, **others, **cells}


def _kept(chosen: ChosenGraph) -> list[Cell]:
    """Return the cells that were kept for a graph; another one may lack what they start from."""
    kept: dict[str, list[Cell]] = st.session_state.get(_KEPT, {})
    return kept.get(chosen.key, [])


def _keep(chosen: ChosenGraph, cells: list[Cell]) -> None:
    kept: dict[str, list[Cell]] = st.session_state.setdefault(_KEPT, {})
    kept.pop(chosen.key, None)
    kept[chosen.key] = cells
    for old in list(kept)[:-_MAX_GRAPHS]:
        del kept[old]


def _kernel(grid: Grid, cell: Cell) -> KernelChoice:
    return KernelChoice(**grid.parameters(cell).settings())


def _link(grid: Grid, cell: Cell) -> dict[str, str | list[str]]:
    """Return the address of a cell in the playground: its kernel, and the graph of this page."""
    graph: dict[str, str | list[str]] = {
        key: value for key, value in st.query_params.items() if not key.startswith("tune-")
    }
    return graph | exact_link(_kernel(grid, cell))
