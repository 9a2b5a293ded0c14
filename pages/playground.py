"""The playground: a graph, its kernel and its embedding, side by side."""

import streamlit as st

from ui.frame import through_app
from ui.playground.change import change_panel, perturbation_panel
from ui.playground.edits import edit_panel, edited, follow_edits, words_on_link
from ui.playground.explain import explain_panel, hierarchy_panel
from ui.playground.export import export_box, link_notice
from ui.playground.results import controls_and_results, redraw_all_beside
from ui.playground.snapshots import snapshots
from ui.playground.study import picture_controls
from ui.sessions import session_loader
from ui.shared.messages import show_counts
from ui.shared.widgets import one_of
from ui.sources.graphs import graph_source, kind_of_source, within_limit
from ui.state.address import follow_exact_link, remember_page
from ui.state.choices import current_selection

PANELS = {
    "explain": "Explain",
    "tree": "Hierarchy",
    "edit": "Edit",
    "change": "Before and after",
    "perturb": "Robustness",
}

through_app()
remember_page("playground")
follow_exact_link()
st.markdown(
    "**Which vertices play the same role?** Similarities are passed along the edges, round by "
    "round; vertices that stay indistinguishable share one point."
)
counts = st.container()
chosen = graph_source()
if chosen is None:
    with st.sidebar:
        session_loader()
    st.stop()
source = within_limit(chosen)
follow_edits(source, kind_of_source())
graph = edited(source)
with counts:
    show_counts(graph.title, graph.graph)

results = st.container(key="results")
with st.sidebar:
    kernel_place = st.container()
    picture = picture_controls(graph.graph)
    session_loader()
with kernel_place:
    kernel = controls_and_results(graph, picture, results)
notice = words_on_link(source, kind_of_source())
link_notice(notice, graph, kernel, picture)

panel = one_of("panel", "More analysis", PANELS, "")
if panel == "explain":
    explain_panel(graph, kernel, current_selection(graph))
elif panel == "tree":
    hierarchy_panel(graph, kernel)
elif panel == "edit":
    edit_panel(source, graph)
elif panel == "change":
    change_panel(source, graph, kernel)
elif panel == "perturb":
    perturbation_panel(graph, kernel)
has_kept = snapshots(graph, kernel, picture)
is_open = export_box(graph, kernel, picture)
redraw_all_beside(bool(notice or panel) or has_kept or is_open)
