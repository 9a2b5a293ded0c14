"""Cells as kernels: opened in the playground, or their embeddings side by side."""

from __future__ import annotations

import numpy as np
import streamlit as st

from mpgk_core.plotting import colour_by_class, safe_names
from mpgk_core.plotting.embedding_figure import embedding_words
from mpgk_core.plotting.sweep_figures import multiples_figure
from mpgk_core.tuning import Cell, Grid
from ui.cached import orbits_of, way_of
from ui.charts import chart
from ui.choices import ChosenGraph, KernelChoice
from ui.exact_link import exact_link
from ui.tuning_views import SweepView

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
    return KernelChoice(
        neighbourhood=cell.variant,
        alpha=cell.alpha,
        beta=cell.beta,
        n_iterations=cell.T,
        features=cell.features,
        normalize=grid.normalize,
        random_state=grid.random_state,
        branching=grid.branching,
        depth=grid.depth,
    )


def _link(grid: Grid, cell: Cell) -> dict[str, str | list[str]]:
    """Return the address of a cell in the playground: its kernel, and the graph of this page."""
    graph: dict[str, str | list[str]] = {
        key: value for key, value in st.query_params.items() if not key.startswith("tune-")
    }
    return graph | exact_link(_kernel(grid, cell))
