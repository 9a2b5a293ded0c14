"""Tuning: which parameters suit a graph, or a set of graphs."""

import streamlit as st

from mpgk_core.tuning import Sweep
from ui.data_set_source import data_set_source
from ui.graph_source import graph_source
from ui.one_app import through_app
from ui.page_memory import remember_page
from ui.page_sessions import page_sessions, remember_settings
from ui.size_limit import is_within_limit, within_limit
from ui.tuning_cells import embeddings, open_buttons
from ui.tuning_controls import set_task, vertex_task
from ui.tuning_downloads import set_sweep_downloads, vertex_sweep_downloads
from ui.tuning_run import sweep_box
from ui.tuning_views import best_words, map_view

MOST_VERTICES = 1_000

through_app()
remember_page("tuning")
st.markdown(
    "**Which α, β and T are good ones?** A sweep tries them all and gives every kernel a score. "
    "Where the map is flat the choice does not matter; where it is steep, look twice."
)
subject = st.segmented_control(
    "What is compared", ["vertices", "graphs"], default="vertices", required=True,
    key="tune-subject", bind="query-params", label_visibility="collapsed",
    format_func={"vertices": "Vertices of one graph", "graphs": "Graphs of a set"}.__getitem__,
    help="Scores of the embedding of one graph, or how well classes of graphs are predicted.",
)  # fmt: skip

if subject == "graphs":
    data = data_set_source()
    page_sessions("tuning", data and data.data)
    task = set_task(data) if data is not None else None
    if data is None or task is None:
        st.stop()
    st.text(f"{data.name}: {len(data.graphs):,} graphs, {len(set(data.classes))} classes. "
            "A score is the accuracy of a support vector machine in a nested cross-validation; "
            "the best of many is flattered by luck.")  # fmt: skip

    def show_set(sweep: Sweep, is_running: bool) -> None:
        """Draw a sweep over graphs."""
        view = map_view(sweep, "tune-set", is_running)
        remember_settings()
        with st.container(horizontal=True, vertical_alignment="center"):
            best_words(sweep, view, "tune-set")
        set_sweep_downloads(data.data, task, sweep, view)

    sweep_box(data.key, task, show_set)
else:
    source = graph_source()
    page_sessions("tuning", source.source)
    chosen = within_limit(source, MOST_VERTICES)
    task = vertex_task(chosen)
    if task is None:
        st.stop()
    st.text(f"{chosen.title}: {chosen.graph.n_vertices:,} vertices, "
            f"{chosen.graph.n_edges:,} edges.")  # fmt: skip

    def show_vertices(sweep: Sweep, is_running: bool) -> None:
        """Draw a sweep over vertices; embeddings wait until it rests."""
        view = map_view(sweep, "tune", is_running)
        remember_settings()
        best_words(sweep, view, "tune")
        is_less = chosen is not source and is_within_limit(source.graph)
        with st.container(horizontal=True, vertical_alignment="center"):
            open_buttons(chosen, sweep.grid, view, is_less)
        if not is_running:
            embeddings(chosen, sweep.grid, view)
        vertex_sweep_downloads(chosen, task, sweep, view)

    sweep_box(chosen.key, task, show_vertices)
