"""Graph classification: kernels against each other under the paper's protocol."""

import streamlit as st

from mpgk_core.evaluation import METHODS
from ui.classification_downloads import classification_downloads
from ui.data_set_source import data_set_source
from ui.evaluation_run import evaluation_run, protocol_controls
from ui.evaluation_views import details, graph_map
from ui.one_app import through_app
from ui.page_memory import remember_page
from ui.page_sessions import page_sessions

through_app()
remember_page("graph_classification")
st.markdown(
    "**How well do kernels tell classes of graphs apart?** A support vector machine learns from "
    "nine tenths of the graphs and is tested on the last tenth; C, T and the weight of the "
    "neighbourhood are chosen on the training part alone."
)
chosen = data_set_source()
page_sessions("graph_classification", chosen and chosen.data)
with st.sidebar:
    st.subheader("Kernels")
    methods = st.multiselect(
        "Kernels", list(METHODS), default=["AA", "RA", "WL", "size"], key="methods",
        format_func=METHODS.__getitem__, bind="query-params", label_visibility="collapsed",
        help="The four message passing kernels, and rivals under the same protocol.",
    )  # fmt: skip
    protocol = protocol_controls()
if chosen is None or not methods:
    st.stop()

st.text(f"{chosen.name}: {len(chosen.graphs):,} graphs, {chosen.graphs.n_vertices:,} vertices, "
        f"{len(set(chosen.classes))} classes. {chosen.about}")  # fmt: skip
found = evaluation_run(chosen, methods, protocol)
if found:
    classification_downloads(chosen, found)
    method = st.segmented_control(
        "Look closer at", [e.spec.method for e in found], default=found[0].spec.method,
        required=True, key="closer", help="The kernel whose errors are shown below.",
    )  # fmt: skip
    evaluation = next((e for e in found if e.spec.method == method), found[0])
    details(evaluation)
    graph_map(chosen, evaluation)
