"""Graph classification: kernels against each other under the paper's protocol."""

import streamlit as st

from mpgk_core.evaluation import METHODS
from mpgk_core.evaluation.methods import OWN
from mpgk_core.export import GeneratedSet
from ui.classification.comparison import comparison
from ui.classification.controls import (
    edge_use,
    feature_box,
    fixed_parameters,
    protocol_controls,
    score_control,
)
from ui.classification.export import classification_downloads
from ui.classification.graphs import details, evaluation_run, graph_map
from ui.classification.own_files import own_matrix
from ui.frame import through_app
from ui.sessions import page_sessions
from ui.shared.widgets import local_choice, some_of
from ui.sources.sets import data_set_source, set_summary
from ui.state.address import follow_exact_link, remember_page

MANY_COPIES = 0.1
USUAL = ["AA", "RA", "WL", "size"]

through_app()
remember_page("graph_classification")
follow_exact_link()
st.markdown(
    "**How well do kernels distinguish classes of graphs?** A support vector machine is trained on "
    "nine tenths of the graphs and tested on the last tenth; initial features, weights, rounds and "
    "C are chosen on the training part alone."
)
counts = st.container()
chosen = data_set_source()
page_sessions("graph_classification", chosen and chosen.data)
with st.sidebar:
    st.subheader("Kernels")
    methods = some_of("methods", "Kernels", METHODS, USUAL, label_visibility="collapsed")
    matrix = None if chosen is None else own_matrix(chosen)
    fixed = {} if chosen is None else fixed_parameters(chosen, methods)
    edges = "ignore" if chosen is None else edge_use(chosen, methods, bool(fixed))
    protocol = protocol_controls(chosen, fixed)
    score = score_control()
if chosen is None:
    st.stop()

summary = set_summary(chosen)
with counts:
    st.text(summary.text)
if summary.n_copies:
    show = st.warning if summary.n_copies > MANY_COPIES * len(chosen.graphs) else st.caption
    show(
        "Identical graphs can lie in the training and in the test part, so accuracies are "
        "optimistically biased."
    )
if protocol is None:
    st.info("Upload a table of splits in the sidebar, or choose another protocol.")
if protocol is None or not (methods or matrix):
    st.stop()
feature_box(chosen, protocol.random_state, fixed)
found = evaluation_run(chosen, methods, protocol, edges, score, fixed, matrix)
if found:
    classification_downloads(chosen, found, matrix)
    comparison(chosen, found, score, matrix)
    st.subheader("Errors", anchor=False)
    by_method = {evaluation.spec.method: evaluation for evaluation in found}
    words = {name: "own matrix" if name == OWN else name for name in by_method}
    method = local_choice("closer", "Details of", words)
    evaluation = by_method.get(method, found[0])
    details(evaluation)
    graph_map(chosen, evaluation, matrix)
if chosen.about and not isinstance(chosen.data, GeneratedSet):
    with st.expander("Source of the data"):
        st.text(chosen.about)
