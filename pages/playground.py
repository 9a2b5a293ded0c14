"""The playground: a graph, its kernel and its embedding, beside another method."""

import streamlit as st

from ui.frame import through_app
from ui.playground.change import change_panel, perturbation_panel
from ui.playground.compare import methods_panel, snapshots
from ui.playground.edits import edit_panel, edited, follow_edits, words_on_link
from ui.playground.explain import explain_panel, hierarchy_panel
from ui.playground.export import export_box, link_notice
from ui.playground.results import Shown, controls_and_results, redraw_all_beside
from ui.playground.study import picture_controls
from ui.sessions import session_loader
from ui.shared.widgets import one_of, show_counts
from ui.sources.graphs import graph_source, kind_of_source, within_limit
from ui.state.address import (
    KERNEL_KEYS,
    broken_notice,
    follow_exact_link,
    remember_page,
    reset_button,
)
from ui.state.choices import current_selection

PANELS = {
    "": "Planes",
    "matrix": "Matrix",
    "methods": "All methods",
    "explain": "Explain",
    "tree": "Hierarchy",
    "edit": "Edit",
    "change": "Before and after",
    "perturb": "Robustness",
}
PAPER = "https://arxiv.org/abs/1808.02510"

through_app()
remember_page("playground")
follow_exact_link(*KERNEL_KEYS)

with st.container(key="front"):
    with st.container(horizontal=True, vertical_alignment="center"):
        st.title("Which vertices play the same role?", anchor=False, width="content")
        st.page_link(
            "pages/lessons.py", label="Start lesson 1", query_params={"lesson": "what-is-similar"}
        )
    st.markdown(
        "Vertices of one orbit play the same role. Each round, a message passing graph kernel "
        "looks one step further; vertices it cannot tell apart share one point. "
        f"[The paper]({PAPER})"
    )

notices = st.container(key="page-notices")
pictures, controls = st.columns([3.3, 1], gap="medium")
with controls:
    chosen = graph_source(controls)
    if chosen is None:
        session_loader()
if chosen is None:
    st.stop()
with notices:
    source = within_limit(chosen)
    follow_edits(source, kind_of_source())
graph = edited(source)
with controls:
    show_counts(graph.title, graph.graph)
    kernel_place = st.container()
    picture = picture_controls(graph.graph)
    reset_button()
    session_loader()
with pictures:
    panel = one_of("panel", "Below the graph", PANELS, label_visibility="collapsed")
    results = st.container(key="results")
with kernel_place:
    view = {"": "planes", "matrix": "matrix"}.get(panel, "graph")
    kernel = controls_and_results(graph, picture, results, Shown(view, source))
notice = words_on_link(source, kind_of_source())
with pictures:
    link_notice(notice, graph, kernel, picture)
    if panel == "explain":
        explain_panel(graph, kernel, current_selection(graph))
    elif panel == "tree":
        hierarchy_panel(graph, kernel)
    elif panel == "methods":
        methods_panel(graph, kernel, picture)
    elif panel == "edit":
        edit_panel(source, graph)
    elif panel == "change":
        change_panel(source, graph, kernel)
    elif panel == "perturb":
        perturbation_panel(graph, kernel)
    has_kept = snapshots(graph, kernel, picture)
    is_open = export_box(graph, kernel, picture)
with notices:
    is_broken = broken_notice()
redraw_all_beside(bool(notice) or is_broken or view == "graph" or has_kept or is_open)
