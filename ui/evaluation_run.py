"""Run, stop, progress, and the table that grows meanwhile."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from mpgk_core import MPGKError
from mpgk_core.evaluation import Evaluation, Protocol, table_spec
from mpgk_core.evaluation.data_checks import check_kernel, checked_classes
from ui.data_set_source import ChosenSet
from ui.evaluation_views import accuracies
from ui.run_buttons import run_buttons, time_left
from ui.runs import found_so_far, is_running, progress_of, start, stop
from ui.upload_box import show_problem

__all__ = ["evaluation_run", "protocol_controls"]


def protocol_controls() -> Protocol:
    """Let the user choose how accuracy is measured."""
    scope = st.segmented_control(
        "Protocol", ["quick", "full"], default="quick", required=True, key="scope",
        format_func={"quick": "Quick: 1 × 10 folds", "full": "Full: 10 × 10"}.__getitem__,
        bind="query-params",
        help="The paper repeats ten times with different shuffles. Quick is the first of them.",
    )  # fmt: skip
    is_inductive = st.toggle(
        "Learn trees from training graphs only", key="inductive", bind="query-params",
        help="The paper computes the kernel over all graphs, without their classes: features and "
        "trees have seen the test graphs too. Switched on, they are learnt anew in every fold "
        "from the training graphs alone. Slower and stricter; compare the numbers.",
    )  # fmt: skip
    is_linear = st.toggle(
        "Linear SVM on explicit features", key="linear", bind="query-params",
        help="For large sets: no N × N matrix is formed. A different machine than the paper's "
        "(squared hinge loss), so numbers differ a little.",
    )  # fmt: skip
    seed = st.number_input("Seed", 0, 9999, 0, key="cv-seed", bind="query-params",
                           help="Of all shuffles. Same seed, same numbers.")  # fmt: skip
    return Protocol(
        random_state=int(seed),
        n_repeats=10 if scope == "full" else 1,
        inductive=is_inductive,
        solver="linear" if is_linear else "kernel",
    )


def evaluation_run(
    chosen: ChosenSet, methods: Sequence[str], protocol: Protocol
) -> list[Evaluation]:
    """Offer run and stop, show what is known so far, and return it once nothing runs."""
    try:
        checked_classes(chosen.classes, len(chosen.graphs), protocol)
        for method in methods:
            check_kernel(len(chosen.graphs), table_spec(method, chosen.graphs), protocol)
    except MPGKError as problem:
        show_problem(str(problem), "run-problem")
        return []
    run_buttons(
        "", is_running(chosen), False,
        lambda: start(chosen, methods, protocol), lambda: stop(chosen),
    )  # fmt: skip

    @st.fragment(run_every=1.0 if is_running(chosen) else None)
    def going() -> None:
        _progress(chosen)
        found = found_so_far(chosen, methods, protocol)
        if any(evaluation.records for evaluation in found):
            accuracies(chosen, found)
        elif not is_running(chosen):
            st.info("Press Run. The first row comes within seconds.")

    going()
    if is_running(chosen):
        return []
    return [e for e in found_so_far(chosen, methods, protocol) if e.records]


def _progress(chosen: ChosenSet) -> None:
    now = progress_of(chosen)
    if is_running(chosen):
        words = f"{now.method}: {now.done} of {now.total} folds{time_left(now.seconds_left)}"
        st.progress(now.done / max(now.total, 1), words)
    elif st.session_state.get("was running"):
        st.session_state["was running"] = False
        st.rerun()
    st.session_state["was running"] = is_running(chosen)
    if now.problem:
        show_problem(now.problem, "progress-problem")
