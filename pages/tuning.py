"""Tuning: which parameters suit a graph, or a set of graphs."""

import streamlit as st

from mpgk_core.graphs.features import resolved_features
from ui.frame import through_app
from ui.sessions import page_sessions
from ui.shared.jobs import Results, job_box
from ui.shared.widgets import one_of, show_counts
from ui.sources.graphs import graph_source, is_within_limit, within_limit
from ui.sources.sets import data_set_source, set_summary
from ui.state.address import remember_page, remember_settings
from ui.tuning.controls import set_task, vertex_task
from ui.tuning.export import set_sweep_downloads, vertex_sweep_downloads
from ui.tuning.views import (
    best_words,
    classify_link,
    embeddings,
    majority_of,
    map_view,
    open_buttons,
)

MOST_VERTICES = 1_000
MOST_PARTS_AT_ONCE = 12
SUBJECTS = {"vertices": "Vertices of one graph", "graphs": "Graphs of a set"}

through_app()
remember_page("tuning")
st.markdown(
    "**Which α, β and T suit the data?** A sweep tries all combinations and computes scores of "
    "each. Where the map is flat the choice does not matter; where it is steep, it does."
)
subject = one_of("tune-subject", "What is compared", SUBJECTS, label_visibility="collapsed")
counts = st.container()

if subject == "graphs":
    data = data_set_source()
    page_sessions("tuning", data and data.data)
    task = set_task(data) if data is not None else None
    if data is None or task is None:
        st.stop()
    counts.text(set_summary(data).text)
    st.text(
        "A score is the accuracy of a support vector machine in a nested cross-validation; "
        "the best of many is optimistically biased."
    )

    def show_set(results: Results, is_running: bool) -> None:
        """Draw a sweep over graphs."""
        sweep = task.sweep(results)
        if not sweep.n_done:
            return
        view = map_view(sweep, "tune-set", is_running, majority_of(task))
        remember_settings()
        with st.container(horizontal=True, vertical_alignment="center"):
            best_words(sweep, view, "tune-set")
            classify_link(sweep.grid, view, resolved_features("auto", data.graphs))
        set_sweep_downloads(data.data, task, sweep, view)

    job_box(task, "tune", f"Sweep over {data.name}", show_set)
else:
    source = graph_source(st.sidebar)
    page_sessions("tuning", source and source.source)
    if source is None:
        st.stop()
    chosen = within_limit(source, MOST_VERTICES)
    task = vertex_task(chosen)
    if task is None:
        st.stop()
    with counts:
        show_counts(chosen.title, chosen.graph)

    def show_vertices(results: Results, is_running: bool) -> None:
        """Draw a sweep over vertices; embeddings wait until it is at rest."""
        sweep = task.sweep(results)
        view = map_view(sweep, "tune", is_running, majority_of(task))
        remember_settings()
        best_words(sweep, view, "tune")
        is_less = chosen is not source and is_within_limit(source.graph)
        with st.container(horizontal=True, vertical_alignment="center"):
            open_buttons(chosen, sweep.grid, view, is_less)
        if not is_running:
            embeddings(chosen, sweep.grid, view)
        vertex_sweep_downloads(chosen, task, sweep, view)

    title = f"Sweep over {chosen.title}"
    job_box(task, "tune", title, show_vertices, most_at_once=MOST_PARTS_AT_ONCE)
