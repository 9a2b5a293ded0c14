"""Run, stop, progress, and the table that grows meanwhile."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from mpgk_core import MPGKError
from mpgk_core.evaluation import Evaluation, Protocol, table_spec
from mpgk_core.evaluation.data_checks import check_kernel, checked_classes
from ui.data_set_source import ChosenSet
from ui.evaluation_views import accuracies
from ui.problem_box import NOT_DONE, show_problem
from ui.run_buttons import run_buttons, time_left
from ui.runs import Run, found_so_far, progress_of, run_of, run_under_way, start, stop

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
        show_problem(str(problem), "run-problem", NOT_DONE)
        return []
    here = run_of(chosen, methods, protocol)
    under_way = run_under_way()
    run_buttons(
        "", under_way is not None, False, lambda: start(chosen, methods, protocol), stop
    )  # fmt: skip

    @st.fragment(run_every=None if under_way is None else 1.0)
    def going() -> None:
        _progress(here)
        found = found_so_far(chosen, methods, protocol)
        if any(evaluation.records for evaluation in found):
            accuracies(chosen, found)
        elif run_under_way() is None:
            st.info("Press Run. The first row comes within seconds.")

    going()
    if under_way == here:
        return []
    return [e for e in found_so_far(chosen, methods, protocol) if e.records]


def _progress(here: Run) -> None:
    run = run_under_way()
    if run is None and st.session_state.get("was running"):
        st.session_state["was running"] = False
        st.rerun()
    st.session_state["was running"] = run is not None
    if run is not None and run != here:
        st.info("A run with other settings is still going on. Stop ends it; what is done stays.")
        st.text(_words(run))
    now = progress_of(run or here)
    if run is not None:
        words = f"{now.method}: {now.done} of {now.total} folds{time_left(now.seconds_left)}"
        st.progress(now.done / max(now.total, 1), words)
    if now.problem:
        show_problem(now.problem, "progress-problem", NOT_DONE)


def _words(run: Run) -> str:
    """Return what tells a run from others."""
    rules = run.protocol
    return (
        f"{run.name}: {', '.join(run.methods)}; {rules.n_repeats} × {rules.n_folds} folds, "
        f"seed {rules.random_state}"
        + (", trees from training graphs only" if rules.inductive else "")
        + (", linear SVM" if rules.solver == "linear" else "")
    )
