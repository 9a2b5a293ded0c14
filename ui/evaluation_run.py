"""Run, stop, progress, and the table that grows meanwhile."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from mpgk_core.evaluation import ClassificationTask, Evaluation, Protocol, table_spec
from ui.address import one_of
from ui.cache import cached
from ui.data_set_source import ChosenSet
from ui.evaluation_views import accuracies, class_sizes
from ui.jobs import Results, is_running, job_box


def protocol_controls() -> Protocol:
    """Let the user choose how accuracy is measured."""
    scope = one_of(
        st.segmented_control,
        "Protocol",
        ["quick", "full"],
        "quick",
        key="scope",
        format_func={"quick": "Quick: 1 × 10 folds", "full": "Full: 10 × 10"}.__getitem__,
        help="The paper repeats ten times with different shuffles. Quick is the first of them.",
    )
    is_inductive = st.toggle(
        "Learn trees from training graphs only",
        key="inductive",
        bind="query-params",
        help="The paper computes the kernel over all graphs, without their classes: features and "
        "trees have seen the test graphs too. Switched on, they are learnt anew in every fold "
        "from the training graphs alone. Slower and stricter; compare the numbers.",
    )
    is_linear = st.toggle(
        "Linear SVM on explicit features",
        key="linear",
        bind="query-params",
        help="For large sets: no N × N matrix is formed. A different classifier than the paper's "
        "(squared hinge loss), so numbers differ a little.",
    )
    seed = st.number_input(
        "Seed",
        0,
        9999,
        0,
        key="cv-seed",
        bind="query-params",
        help="Of all shuffles. Same seed, same numbers.",
    )
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
    task = _task(chosen, tuple(methods), protocol)

    def show(results: Results, _is_running: bool) -> None:
        accuracies(chosen, task.evaluations(results))

    title = _title(chosen.name, methods, protocol)
    known = job_box(task, "classify", title, show, show_before=lambda: class_sizes(chosen))
    if not known or is_running(task):
        return []
    return [evaluation for evaluation in task.evaluations(known) if evaluation.records]


@cached()
def _task(chosen: ChosenSet, methods: tuple[str, ...], protocol: Protocol) -> ClassificationTask:
    specs = tuple(table_spec(method, chosen.graphs) for method in methods)
    return ClassificationTask(chosen.graphs, tuple(chosen.classes), specs, protocol)


def _title(name: str, methods: Sequence[str], protocol: Protocol) -> str:
    """Return what tells a run from others."""
    return (
        f"{name}: {', '.join(methods)}; {protocol.n_repeats} × {protocol.n_folds} folds, "
        f"seed {protocol.random_state}"
        + (", trees from training graphs only" if protocol.inductive else "")
        + (", linear SVM" if protocol.solver == "linear" else "")
    )
