"""Graph classification: kernels against each other under the paper's protocol."""

import streamlit as st

from mpgk_core import MPGKError
from mpgk_core.evaluation import METHODS, Protocol, fold_rows
from mpgk_core.evaluation.data_checks import checked_classes
from mpgk_core.evaluation.tables import as_csv
from ui.data_set_source import data_set_source
from ui.evaluation_views import accuracies, details, errors_drawn, graph_map
from ui.one_app import through_app
from ui.runs import found_so_far, is_running, progress_of, start, stop
from ui.upload_box import show_problem

through_app()
st.markdown(
    "**How well do kernels tell classes of graphs apart?** A support vector machine learns from "
    "nine tenths of the graphs and is tested on the last tenth; C, T and the weight of the "
    "neighbourhood are chosen on the training part alone."
)
chosen = data_set_source()
with st.sidebar:
    st.subheader("Kernels")
    methods = st.multiselect(
        "Kernels", list(METHODS), default=["AA", "RA", "WL", "size"], key="methods",
        format_func=METHODS.get, bind="query-params", label_visibility="collapsed",
        help="The four message passing kernels, and rivals under the same protocol.",
    )  # fmt: skip
    scope = st.segmented_control(
        "Protocol", ["quick", "full"], default="quick", required=True, key="scope",
        format_func={"quick": "Quick: 1 × 10 folds", "full": "Full: 10 × 10"}.get,
        bind="query-params",
        help="The paper repeats ten times with different shuffles. Quick is the first of them.",
    )  # fmt: skip
    seed = st.number_input("Seed", 0, 9999, 0, key="cv-seed", bind="query-params",
                           help="Of all shuffles. Same seed, same numbers.")  # fmt: skip
if chosen is None or not methods:
    st.stop()

protocol = Protocol(random_state=int(seed), n_repeats=10 if scope == "full" else 1)
st.text(f"{chosen.name}: {len(chosen.graphs):,} graphs, {chosen.graphs.n_vertices:,} vertices, "
        f"{len(set(chosen.classes))} classes. {chosen.about}")  # fmt: skip
try:
    checked_classes(chosen.classes, len(chosen.graphs), protocol)
except MPGKError as problem:
    show_problem(str(problem))
    st.stop()

with st.container(horizontal=True):
    if st.button("Run", type="primary", key="run", disabled=is_running(chosen),
                 help="Goes on where the last run was stopped."):  # fmt: skip
        start(chosen, methods, protocol)
        st.rerun()
    if st.button("Stop", key="stop", disabled=not is_running(chosen),
                 help="Ends the run at once. What is done stays."):  # fmt: skip
        stop(chosen)
        st.rerun()


@st.fragment(run_every=1.0 if is_running(chosen) else None)
def table() -> None:
    """Show progress and what is known so far."""
    if is_running(chosen):
        now = progress_of(chosen)
        left = f", about {now.seconds_left:,.0f} s left" if now.seconds_left < 1e6 else ""
        st.progress(
            now.done / max(now.total, 1), f"{now.method}: {now.done} of {now.total} folds{left}"
        )
    elif st.session_state.get("was running"):
        st.session_state["was running"] = False
        st.rerun()
    st.session_state["was running"] = is_running(chosen)
    problem = progress_of(chosen).problem
    if problem:
        show_problem(problem)
    found = found_so_far(chosen, methods, protocol)
    if any(evaluation.records for evaluation in found):
        accuracies(chosen, found)
    elif not is_running(chosen):
        st.info("Press Run. The first row comes within seconds.")


table()
found = [e for e in found_so_far(chosen, methods, protocol) if e.records]
if found and not is_running(chosen):
    st.download_button(
        "Folds as CSV", as_csv([row for e in found for row in fold_rows(chosen.name, e)]),
        f"{chosen.name}-folds.csv", "text/csv", key="csv",
        help="Every fold with the chosen C and T, its accuracy and its predictions.",
    )  # fmt: skip
    method = st.segmented_control(
        "Look closer at", [e.spec.method for e in found], default=found[0].spec.method,
        required=True, key="closer", help="The kernel whose errors are shown below.",
    )  # fmt: skip
    evaluation = next((e for e in found if e.spec.method == method), found[0])
    details(evaluation)
    clicked = graph_map(chosen, evaluation)
    errors_drawn(chosen, evaluation, clicked)
