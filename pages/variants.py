"""Kernel variants: the four kernels of the same graphs, and exact kernels against landmarks."""

import streamlit as st

from mpgk_core import MPGKError
from mpgk_core.evaluation.tables import LOCAL_FEATURES
from ui.frame import through_app
from ui.sessions import page_sessions
from ui.shared.controls import passing_controls
from ui.shared.messages import NOT_DONE, show_problem, show_summary
from ui.sources.sets import data_set_source
from ui.state.address import among, fitting, one_of, remember_page
from ui.variants.views import nystroem_box, pair_view, set_view, within_set_limit

VIEWS = {"pair": "Two graphs", "set": "The whole set", "nystroem": "Exact against Nyström"}

through_app()
remember_page("variants")
st.markdown(
    "**R or A, for neighbourhoods and for graphs?** The first letter says how neighbourhoods are "
    "compared, the second how graphs are: by all pairs (R), or by the best matching (A)."
)
counts = st.container()
data = data_set_source()
page_sessions("variants", data and data.data)
if data is None:
    st.stop()
with counts:
    show_summary(data)
chosen = within_set_limit(data)
graphs = chosen.graphs
with st.sidebar:
    st.subheader("Kernel")
    is_bare = graphs.label_codes is None and graphs.attributes is None
    start = (
        tuple(LOCAL_FEATURES.split("+"))
        if is_bare
        else (
            *(("labels",) if graphs.label_codes is not None else ()),
            *(("attributes-standardised",) if graphs.attributes is not None else ()),
        )
    )
    rounds, alpha, beta, features = passing_controls(graphs, "four-", rounds=3, start=start)
parameters = (("n_iterations", rounds), ("alpha", alpha), ("beta", beta), ("features", features))
view = one_of(
    st.segmented_control,
    "View",
    list(VIEWS),
    "pair",
    key="four-view",
    format_func=VIEWS.__getitem__,
    label_visibility="collapsed",
    help="Two graphs in detail, all graphs as points, or the paper's approximation.",
)
try:
    if view == "pair":
        last = len(graphs) - 1
        with st.container(horizontal=True):
            left, right = (
                st.number_input(
                    title,
                    0,
                    last,
                    fitting(key, default, among(range(last + 1))),
                    key=key,
                    bind="query-params",
                    help="Its number in the set, from 0.",
                )
                for title, key, default in (
                    ("First graph", "four-left", 0),
                    ("Second graph", "four-right", last),
                )
            )
        st.text(
            f"Classes: {str(chosen.classes[int(left)])[:40]} and "
            f"{str(chosen.classes[int(right)])[:40]}."
        )
        pair_view(chosen, int(left), int(right), parameters)
    elif view == "set":
        set_view(chosen, parameters)
    else:
        nystroem_box(chosen, parameters)
except MPGKError as problem:
    show_problem(str(problem), title=NOT_DONE)
