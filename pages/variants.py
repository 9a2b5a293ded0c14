"""Kernel variants: the four kernels of the same graphs, and exact kernels against landmarks."""

import streamlit as st

from mpgk_core.evaluation.choices import LOCAL_FEATURES
from ui.frame import through_app
from ui.sessions import page_sessions
from ui.shared.widgets import NOT_DONE, ProblemsShown, number, one_of, passing_controls
from ui.sources.sets import data_set_source, set_summary
from ui.state.address import remember_page
from ui.variants.views import nystroem_box, pair_view, set_view, within_set_limit

VIEWS = {"pair": "Two graphs", "set": "The whole set", "nystroem": "Exact against Nyström"}

through_app()
remember_page("variants")
st.markdown(
    "**R or A, for neighbourhoods and for graphs?** The first letter tells how neighbourhoods are "
    "compared, the second how graphs are: by all pairs (R), or by the best matching (A)."
)
counts = st.container()
data = data_set_source()
page_sessions("variants", data and data.data)
if data is None:
    st.stop()
counts.text(set_summary(data).text)
chosen = within_set_limit(data)
graphs = chosen.graphs
with st.sidebar:
    st.subheader("Kernel")
    has_own = {
        "labels": graphs.label_codes is not None,
        "attributes-standardised": graphs.attributes is not None,
    }
    own = tuple(name for name, is_there in has_own.items() if is_there)
    start = own or tuple(LOCAL_FEATURES.split("+"))
    kernel = passing_controls(graphs, "four-", rounds=3, start=start)
view = one_of("four-view", "View", VIEWS, label_visibility="collapsed")
with ProblemsShown(NOT_DONE):
    if view == "pair":
        last = len(graphs) - 1
        with st.container(horizontal=True):
            left = number("four-left", "First graph", 0, last, 0)
            right = number("four-right", "Second graph", 0, last, last)
        first, second = (str(chosen.classes[place])[:40] for place in (left, right))
        st.text(f"Classes: {first} and {second}.")
        pair_view(chosen, left, right, kernel)
    elif view == "set":
        set_view(chosen, kernel)
    else:
        nystroem_box(chosen, kernel)
