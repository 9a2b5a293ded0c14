"""Node classification: the roles of vertices, learnt from a few of them."""

import streamlit as st

from mpgk_core.embedding.methods import VERTEX_METHODS
from mpgk_core.evaluation import CLASSIFIERS, NODE_METHODS, QUICK_NODE_METHODS, NodeProtocol
from mpgk_core.evaluation.choices import LOCAL_FEATURES
from mpgk_core.formats import counted
from ui.classification.nodes import curve_box, role_map
from ui.frame import through_app
from ui.sessions import page_sessions
from ui.shared.widgets import (
    NOT_DONE,
    ProblemsShown,
    number,
    one_of,
    passing_controls,
    show_counts,
    slider,
    some_of,
)
from ui.sources.roles import role_source
from ui.state.address import remember_page

through_app()
remember_page("node_classification")
st.markdown(
    "**Which role does a vertex play?** A few vertices are labelled with their role, and a "
    "classifier predicts the others from the kernel. The kernel is computed from the structure "
    "alone, without the roles."
)
counts = st.container()
chosen = role_source()
page_sessions("node_classification", chosen and chosen.source)
if chosen is None:
    st.stop()

graph, roles = chosen.graph, chosen.roles
with st.sidebar:
    st.subheader("Kernel")
    start = tuple(LOCAL_FEATURES.split("+"))
    kernel = passing_controls(graph.graph, "node-", rounds=2, start=start)
    st.subheader("Trials")
    methods = some_of("node-methods", "Kernels", NODE_METHODS, QUICK_NODE_METHODS)
    neighbours = slider("neighbours", "Nearest neighbours", 1, 9, 1, 2)
    repeats = slider("repeats", "Trials per share", 1, 30, 10)
    seed = number("node-seed", "Seed of the trials")

with counts:
    chance = (
        f"Predicting the most frequent role everywhere is right for {100 * roles.chance:.0f} %."
    )
    show_counts(graph.title, graph.graph, counted(len(roles.names), "role"), more=chance)
left, right = st.columns(2, gap="large")
with left:
    st.markdown("#### Right and wrong predictions")
    with st.container(horizontal=True):
        method = one_of("node-method", "Kernel", NODE_METHODS, "R", draw=st.selectbox)
        classifier = one_of("classifier", "Classifier", CLASSIFIERS, "svm")
    share = slider("share", "Labelled vertices (%)", 5, 95, 20, 5)
    with ProblemsShown(NOT_DONE, "map-problem"):
        one = NodeProtocol((share / 100,), 1, neighbours, random_state=seed)
        role_map(chosen, method, classifier, one, kernel)
with right:
    st.markdown("#### Learning curve")
    st.caption("Accuracy by the share of labelled vertices.")
    for name in methods:
        if name in VERTEX_METHODS and name not in QUICK_NODE_METHODS:
            st.caption(f"{NODE_METHODS[name]}: {VERTEX_METHODS[name].note}")
    every = NodeProtocol(n_repeats=repeats, n_neighbours=neighbours, random_state=seed)
    curve_box(chosen, methods, every, kernel)
