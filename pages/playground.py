"""The playground: a graph, its kernel and its embedding, side by side."""

import streamlit as st

from ui.cached import graph_of
from ui.controls import graph_controls, kernel_controls, picture_controls
from ui.pictures import linked_pictures
from ui.selection import current_selection, keep_selection
from ui.study import colourings_of, study_of
from ui.verdict_box import verdict_numbers, verdict_reasons
from ui.words import update_formula

with st.sidebar:
    graph_choice = graph_controls()
    graph = graph_of(graph_choice)
    kernel_choice = kernel_controls(has_labels=graph.label_codes is not None)
    picture_choice = picture_controls(colourings_of(graph))

st.markdown(
    "**Which vertices play the same role?** Similarity travels along the edges, round by round; "
    "vertices that no round can tell apart end on one point."
)
st.latex(update_formula(kernel_choice))
verdict_numbers(graph_choice, kernel_choice)

linked_pictures(
    study_of(graph_choice, kernel_choice, picture_choice),
    current_selection(graph_choice, graph.n_vertices),
    key="pictures",
    on_select=lambda: keep_selection(graph_choice, st.session_state.pictures.selection or []),
)
verdict_reasons(graph_choice, kernel_choice)
