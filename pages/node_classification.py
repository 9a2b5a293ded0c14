"""Node classification: the roles of vertices, learnt from a few of them."""

import streamlit as st

from mpgk_core import MPGKError
from mpgk_core.evaluation import CLASSIFIERS, NODE_METHODS, NodeProtocol
from mpgk_core.evaluation.tables import LOCAL_FEATURES
from mpgk_core.formats import counted
from ui.classification.nodes import curve_box, role_map
from ui.frame import through_app
from ui.sessions import page_sessions
from ui.shared.controls import passing_controls
from ui.shared.messages import NOT_DONE, show_counts, show_problem
from ui.sources.roles import role_source
from ui.state.address import one_of, remember_page, some_of

through_app()
remember_page("node_classification")
st.markdown(
    "**Which role does a vertex play?** A few vertices are labelled with their role, and a "
    "classifier predicts the others from the kernel. The kernel sees the structure alone; the "
    "roles are hidden from it."
)
counts = st.container()
chosen = role_source()
page_sessions("node_classification", chosen and chosen.source)
if chosen is None:
    st.stop()

with st.sidebar:
    st.subheader("Kernel")
    rounds, alpha, beta, features = passing_controls(
        chosen.graph.graph, "node-", rounds=2, start=tuple(LOCAL_FEATURES.split("+"))
    )
    st.subheader("Trials")
    methods = some_of(
        st.multiselect,
        "Kernels",
        list(NODE_METHODS),
        list(NODE_METHODS),
        key="node-methods",
        format_func=NODE_METHODS.__getitem__,
        help="Message passing and two baselines: Weisfeiler-Lehman colours, which are equal or "
        "not, and degrees alone.",
    )
    neighbours = st.slider(
        "Nearest neighbours",
        1,
        9,
        1,
        2,
        key="neighbours",
        bind="query-params",
        help="How many labelled vertices vote. Those at equal distance vote together.",
    )
    repeats = st.slider(
        "Trials per share",
        1,
        30,
        10,
        key="repeats",
        bind="query-params",
        help="Each with other labelled vertices.",
    )
    seed = st.number_input(
        "Seed of the trials",
        0,
        9999,
        0,
        key="node-seed",
        bind="query-params",
        help="Which vertices are labelled. Same seed, same draw.",
    )

parameters = {"n_iterations": rounds, "alpha": alpha, "beta": beta, "features": features}
with counts:
    show_counts(
        chosen.graph.title,
        chosen.graph.graph,
        counted(len(chosen.roles.names), "role"),
        more="Always saying the most frequent role is right for "
        f"{100 * chosen.roles.chance:.0f} %.",
    )
left, right = st.columns(2, gap="large")
with left:
    st.markdown("#### Right and wrong")
    with st.container(horizontal=True):
        method = one_of(
            st.segmented_control,
            "Kernel",
            list(NODE_METHODS),
            "R",
            key="node-method",
            help="The kernel whose predictions are drawn.",
        )
        classifier = one_of(
            st.segmented_control,
            "Classifier",
            list(CLASSIFIERS),
            "svm",
            key="classifier",
            format_func=CLASSIFIERS.__getitem__,
            help="A support vector machine, or the nearest labelled vertices.",
        )
    share = st.slider(
        "Labelled vertices (%)",
        5,
        95,
        20,
        5,
        key="share",
        bind="query-params",
        help="Their share in this picture. Every role has at least one.",
    )
    try:
        one = NodeProtocol((share / 100,), 1, neighbours, random_state=int(seed))
        role_map(chosen, method, classifier, one, parameters)
    except MPGKError as problem:
        show_problem(str(problem), "map-problem", NOT_DONE)
with right:
    st.markdown("#### Learning curve")
    st.caption("How accuracy grows with the share of labelled vertices.")
    every = NodeProtocol(n_repeats=repeats, n_neighbours=neighbours, random_state=int(seed))
    curve_box(chosen, methods, every, parameters)
