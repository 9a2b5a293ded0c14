"""Graph classification: kernels against each other under the paper's protocol."""

import streamlit as st

from mpgk_core.evaluation import METHODS
from mpgk_core.formats import counted
from ui.classification.graphs import (
    details,
    evaluation_run,
    feature_box,
    graph_map,
    protocol_controls,
)
from ui.classification_export import classification_downloads
from ui.frame import through_app
from ui.sessions import page_sessions
from ui.shared.messages import show_summary
from ui.sources.sets import data_set_source
from ui.state.address import remember_page, some_of

MANY_COPIES = 0.1

through_app()
remember_page("graph_classification")
st.markdown(
    "**How well do kernels tell classes of graphs apart?** A support vector machine learns from "
    "nine tenths of the graphs and is tested on the last tenth; C, T and the weight of the "
    "neighbourhood are chosen on the training part alone."
)
counts = st.container()
chosen = data_set_source()
page_sessions("graph_classification", chosen and chosen.data)
with st.sidebar:
    st.subheader("Kernels")
    methods = some_of(
        st.multiselect,
        "Kernels",
        list(METHODS),
        ["AA", "RA", "WL", "size"],
        key="methods",
        format_func=METHODS.__getitem__,
        label_visibility="collapsed",
        help="The four message passing kernels, and baselines under the same protocol.",
    )
    protocol = protocol_controls()
if chosen is None or not methods:
    st.stop()

with counts:
    summary = show_summary(chosen)
    st.text(chosen.about)
if summary.n_copies:
    say = st.warning if summary.n_copies > MANY_COPIES * len(chosen.graphs) else st.caption
    say(
        f"{counted(summary.n_copies, 'copy', 'copies')} of other graphs in this set. Copies can "
        "lie in training and in test, so accuracies are optimistically biased. A copy has the "
        "same vertices in the same order, with the same neighbours, labels and attributes."
    )
feature_box(chosen, protocol.random_state)
found = evaluation_run(chosen, methods, protocol)
if found:
    classification_downloads(chosen, found)
    method = st.segmented_control(
        "Look closer at",
        [e.spec.method for e in found],
        default=found[0].spec.method,
        required=True,
        key="closer",
        help="The kernel whose errors are shown below.",
    )
    evaluation = next((e for e in found if e.spec.method == method), found[0])
    details(evaluation)
    graph_map(chosen, evaluation)
