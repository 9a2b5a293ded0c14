"""The playground: a graph, its kernel and its embedding, side by side."""

import streamlit as st

from ui.cached import verdict_of
from ui.controls import kernel_controls, picture_controls
from ui.graph_source import graph_source
from ui.one_app import through_app
from ui.pictures import linked_pictures
from ui.selection import current_selection, keep_selection
from ui.size_limit import within_limit
from ui.study import study_of
from ui.verdict_box import verdict_numbers, verdict_reasons
from ui.words import update_formula

through_app()
graph = within_limit(graph_source())

with st.sidebar:
    kernel = kernel_controls(graph.graph)
    picture = picture_controls(graph.graph)

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
    on_select=lambda: keep_selection(graph, st.session_state.pictures.selection or []),
)
verdict = verdict_of(graph, kernel)
with numbers:
    verdict_numbers(verdict)
verdict_reasons(verdict, graph.graph)
