"""Results of a sweep: a map to click, the selected cell and the best one, and embeddings."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import streamlit as st

from mpgk_core.evaluation.protocol import Protocol
from mpgk_core.evaluation.results import majority_accuracy
from mpgk_core.graphs.feature_names import FeatureSpec
from mpgk_core.plotting import colour_by_class, safe_names
from mpgk_core.plotting import sweep_figures as figures
from mpgk_core.plotting.embedding_figure import Panel, embedding_words, panels_figure
from mpgk_core.tuning import SCORES, Cell, Grid, SetSweepTask, Sweep, SweepTask, VertexSweepTask
from mpgk_core.tuning.scores import checked_labels
from ui.shared.charts import chart
from ui.shared.computed import orbits_of, way_of
from ui.shared.widgets import NEIGHBOURHOODS, button, help_of, one_of, slider
from ui.state.address import exact_link, tuned_link
from ui.state.choices import ChosenGraph

_KEPT = "kept cells"
_MOST_KEPT = 6
_MAX_GRAPHS = 12
_CORNERS = {
    (0, 0): "Small α, small β",
    (0, -1): "Small α, large β",
    (-1, 0): "Large α, small β",
    (-1, -1): "Large α, large β",
}
"""Places in the map, and their titles."""


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

    A map that can be clicked is built anew whenever it changes, so it waits until the sweep is
    finished or stopped, and so do the boxes: they would keep the best cell of a moment as if it had
    been chosen.

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
        words = figures.heat_map_words(sweep, score, cell)
        st.text(words)
        chart(
            figures.clickable_map(sweep, score, cell),
            f"{name}-map",
            words,
            ("sweep", score, cell.variant, f"T{cell.T}"),
            is_small=True,
            height=440,
            on_select="ignore" if is_running else lambda: _keep_click(name),
            selection_mode="points",
        )
        st.caption(
            "The star marks the best cell of this map, the frame the selected one. When the sweep "
            "is finished or stopped, click a cell to select it, or choose its α and β. Orange is "
            "better; all T share one colour scale."
        )
        if not is_running:
            _place_boxes(sweep, cell, name)
    with right:
        rounds, words = figures.rounds_figure, figures.rounds_words(sweep, score, cell)
        chart(
            rounds(sweep, score, cell),
            f"{name}-rounds",
            words,
            ("sweep", score, "over-T"),
            is_small=True,
            height=300,
        )
        rows = [
            {
                "score": title,
                "selected cell": sweep.score(key, cell),
                "best cell": sweep.score(key, best),
                "majority class": majority if key == "accuracy" else None,
            }
            for key, title in sweep.titles.items()
        ]
        columns = [name for name in rows[0] if name != "majority class" or majority is not None]
        st.dataframe(rows, hide_index=True, column_order=columns)
    return SweepView(score, cell, best)


def best_words(sweep: Sweep, view: SweepView, name: str) -> None:
    """Show which cell is best, and let the user select it."""
    so_far = "" if sweep.is_complete else " so far"
    st.text(
        f"Best{so_far} by {sweep.titles[view.score].lower()}, with "
        f"{sweep.score(view.score, view.best):.4g}: {view.best.title}, initial features "
        f"{view.best.features}."
    )

    def go() -> None:
        keep_place(name, view.best.alpha, view.best.beta)
        st.session_state[f"{name}-variant"] = view.best.variant
        st.session_state[f"{name}-start"] = view.best.features
        st.session_state[f"{name}-T-{sweep.grid.iterations[-1]}"] = view.best.T

    is_there = view.cell == view.best
    button(f"{name}-go", "Select the best cell", on_click=go, disabled=is_there)


def _selectors(sweep: Sweep, name: str) -> tuple[str, Cell]:
    """Let the user choose a score and a map; α and β of the cell do not count."""
    grid, scores = sweep.grid, list(sweep.titles)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        score = one_of(
            f"{name}-score",
            "Score",
            sweep.titles,
            "gap" if "gap" in scores else None,
            draw=st.selectbox,
            width=220,
            help=" ".join(SCORES[key].explanation for key in scores),
        )
        variant, features = grid.variants[0], grid.features[0]
        if len(grid.variants) > 1:
            titles = {key: NEIGHBOURHOODS.get(key, key) for key in grid.variants}
            variant = one_of(f"{name}-variant", "Kernel", titles, "A" if "A" in titles else None)
        if len(grid.features) > 1:
            key = f"{name}-start"
            features = one_of(key, "Initial features", grid.features, draw=st.selectbox, width=220)
        last = grid.iterations[-1]
        T = slider(f"{name}-T-{last}", "Rounds T of the map", 1, last, min(5, last), width=220)
    return score, Cell(variant, features, grid.alphas[0], grid.betas[0], T)


def _selected(sweep: Sweep, score: str, shown: Cell, place: tuple[float, float] | None) -> Cell:
    """Return the cell that was clicked, or the best one of the map."""
    alpha, beta = place or (None, None)
    if alpha in sweep.grid.alphas and beta in sweep.grid.betas:
        return shown._replace(alpha=alpha, beta=beta)
    return sweep.best_of_map(score, shown) or shown


def _place_boxes(sweep: Sweep, cell: Cell, name: str) -> None:
    """Let the user choose a cell of the map without a mouse."""
    keys = f"{name}-cell-alpha", f"{name}-cell-beta"

    def keep() -> None:
        keep_place(name, *(st.session_state[key] for key in keys))

    choices = (("α of the cell", sweep.grid.alphas), ("β of the cell", sweep.grid.betas))
    with st.container(horizontal=True):
        for key, (label, values), value in zip(keys, choices, (cell.alpha, cell.beta), strict=True):
            st.session_state[key] = value
            st.selectbox(
                label,
                values,
                key=key,
                format_func="{:g}".format,
                width=160,
                on_change=keep,
                help=help_of(key),
            )


def _keep_click(name: str) -> None:
    """Remember a click; the map forgets it as soon as it is drawn anew."""
    points = st.session_state[f"{name}-map"].selection.points
    if points:
        keep_place(name, *points[0]["customdata"])


def place_of(name: str, is_running: bool) -> tuple[float, float] | None:
    """Return the α and β that the user has selected, and write them into the address.

    While a sweep runs, the address that the browser sends may be older than the last click. So it
    is read only where the session holds no place, and written only when the sweep is at rest.

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
    place: tuple[float, float] | None = st.session_state.get(f"{name} place") or _read(address)
    if place is not None:
        keep_place(name, *place)
        words = f"{place[0]:g},{place[1]:g}"
        if words != address and not is_running:
            st.query_params[key] = words
    return place


def keep_place(name: str, alpha: float, beta: float) -> None:
    """Remember what the user has selected in a map."""
    st.session_state[f"{name} place"] = alpha, beta


def _read(words: str) -> tuple[float, float] | None:
    try:
        alpha, beta = map(float, words.split(","))
    except ValueError:
        return None
    return alpha, beta


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
    for cell, label, words in (
        (view.cell, "Open in the playground", "The selected cell"),
        (view.best, "Open the best cell there", "The best cell of the whole sweep"),
    ):
        own = {key: text for key, text in st.query_params.items() if not key.startswith("tune-")}
        st.page_link(
            "pages/playground.py",
            label=label,
            query_params={**own, **exact_link(grid.parameters(cell))},
            help=f"{words}, with {graph} and exactly these parameters.",
        )
    if is_less:
        st.caption("The playground shows the whole graph; this sweep is of the sample.")
    kept = _kept(chosen)
    button(
        "tune-keep",
        "Keep for comparison",
        on_click=lambda: _keep(chosen, [*kept, view.cell][-_MOST_KEPT:]),
        disabled=view.cell in kept,
    )
    forget = "Remove the kept cells"
    button("tune-forget", forget, on_click=lambda: _keep(chosen, []), disabled=not kept)


def classify_link(grid: Grid, view: SweepView, resolved: FeatureSpec) -> None:
    """Offer the selected cell to Graph classification, on the same set.

    Parameters
    ----------
    grid : Grid
    view : SweepView
    resolved : str or callable
        The features that ``"auto"`` stands for in this set.
    """
    cell = view.cell
    own = {key: text for key, text in st.query_params.items() if not key.startswith("tune-")}
    features = str(resolved) if cell.features == "auto" else cell.features
    tuned = tuned_link(cell.variant, features, cell.alpha, cell.beta, cell.T, grid.edges)
    st.page_link(
        "pages/graph_classification.py",
        label="Evaluate in Graph classification",
        query_params={**own, **tuned},
        help="The selected cell, on the same set and with exactly these parameters, under the "
        "protocol of that page.",
    )


def embeddings(chosen: ChosenGraph, grid: Grid, view: SweepView) -> None:
    """Draw the embeddings of the selected cell, the best one, and some to compare with."""
    st.markdown("#### Embeddings")
    st.caption(
        "Vertices that the kernel does not distinguish share one point, in the colour of their "
        "orbit. The same vertex has the same colour everywhere."
    )
    orbit = orbits_of(chosen, grid.edges).of_vertex
    colouring = colour_by_class("Orbit", orbit[np.newaxis], "orbit")
    names = safe_names(chosen.graph.names)
    cells = _compared(grid, view, _kept(chosen))
    columns = [column for _ in range(0, len(cells), 3) for column in st.columns(3)]
    for place, (cell, title) in enumerate(cells.items()):
        with columns[place]:
            st.markdown(f"**{title}**")
            way = way_of(chosen, grid.parameters(cell), 2)
            weights = (f"alpha{cell.alpha:g}", f"beta{cell.beta:g}", f"T{cell.T}")
            chart(
                panels_figure([Panel(cell.title, way, colouring, names)]),
                f"tune-embedding-{place}",
                f"{cell.title}: {embedding_words(way)}",
                (chosen.title, cell.variant, *weights, "embedding"),
                is_small=True,
                height=280,
            )


def _compared(grid: Grid, view: SweepView, kept: list[Cell]) -> dict[Cell, str]:
    """Return the cells to draw, with titles; each once."""
    cells = {view.cell: "Selected"}
    cells[view.best] = "Selected, and the best" if view.best == view.cell else "Best of all"
    others = dict.fromkeys(kept, "Kept") or {
        view.cell._replace(alpha=grid.alphas[a], beta=grid.betas[b]): title
        for (a, b), title in _CORNERS.items()
    }
    return {**cells, **others, **cells}


def _kept(chosen: ChosenGraph) -> list[Cell]:
    """Return the cells that were kept for a graph; another one may lack their features."""
    kept: dict[str, list[Cell]] = st.session_state.get(_KEPT, {})
    return kept.get(chosen.key, [])


def _keep(chosen: ChosenGraph, cells: list[Cell]) -> None:
    kept: dict[str, list[Cell]] = st.session_state.setdefault(_KEPT, {})
    kept.pop(chosen.key, None)
    kept[chosen.key] = cells
    for old in list(kept)[:-_MAX_GRAPHS]:
        del kept[old]
