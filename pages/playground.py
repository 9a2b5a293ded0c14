"""The playground: a graph, its kernel and its embedding, side by side."""

import streamlit as st

from ui.cached import verdict_of
from ui.change_panel import change_panel, perturbation_panel
from ui.controls import kernel_controls, picture_controls
from ui.edit_history import edited
from ui.edit_panel import edit_panel
from ui.exact_link import follow_exact_link
from ui.explain_panel import explain_panel
from ui.graph_source import graph_source
from ui.hierarchy_panel import hierarchy_panel
from ui.one_app import through_app
from ui.page_memory import remember_page
from ui.pictures import linked_pictures
from ui.selection import current_selection, keep_selection
from ui.session_loader import session_loader
from ui.size_limit import within_limit
from ui.snapshots import snapshots
from ui.study import study_of
from ui.takeaway_box import takeaway_box
from ui.verdict_box import verdict_numbers, verdict_reasons
from ui.words import update_formula

PANELS = {
    "explain": "Explain",
    "tree": "Hierarchy",
    "edit": "Edit",
    "change": "Before and after",
    "perturb": "Brittle or graded?",
}

through_app()
remember_page("playground")
follow_exact_link()
source = within_limit(graph_source())
graph = edited(source)

with st.sidebar:
    kernel = kernel_controls(graph.graph)
    picture = picture_controls(graph.graph)
    session_loader()

st.markdown(
    "**Which vertices play the same role?** Similarity travels along the edges, round by round; "
    "vertices that no round can tell apart end on one point."
)
with st.container(key="formula"):
    st.latex(update_formula(kernel))
numbers = st.container()

linked_pictures(
    study_of(graph, kernel, picture),
    current_selection(graph),
    key="pictures",
    on_select=lambda vertices: keep_selection(graph, vertices),
)
verdict = verdict_of(graph, kernel)
with numbers:
    verdict_numbers(verdict)
verdict_reasons(verdict, graph.graph)

panel = st.segmented_control(
    "Go further", list(PANELS), key="panel", format_func=PANELS.__getitem__, bind="query-params",
    help="See why two vertices are similar, look at the tree behind A, edit the graph, see what an "
    "edit does, or watch a graph fall apart edge by edge.",
)  # fmt: skip
if panel == "explain":
    explain_panel(graph, kernel, current_selection(graph))
elif panel == "tree":
    hierarchy_panel(graph, kernel)
elif panel == "edit":
    edit_panel(source, graph, current_selection(graph))
elif panel == "change":
    change_panel(source, graph, kernel)
elif panel == "perturb":
    perturbation_panel(graph, kernel)
snapshots(graph, kernel, picture)
takeaway_box(graph, kernel, picture, current_selection(graph))
