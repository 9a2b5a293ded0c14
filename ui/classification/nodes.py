"""Node classification: learning curves, and a map of right and wrong predictions."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

import streamlit as st

from mpgk_core.evaluation import (
    CLASSIFIERS,
    QUICK_NODE_METHODS,
    CurveTask,
    LearningCurve,
    NodeProtocol,
    NodeTrial,
    kind_title,
    learning_curve,
)
from mpgk_core.formats import counted
from mpgk_core.kernels.update import KernelParameters
from mpgk_core.plotting.node_figures import role_map_figure, role_map_words
from ui.classification.export import curve_picture, role_downloads
from ui.shared.charts import chart
from ui.shared.computed import layout_of
from ui.shared.jobs import Results, is_running, job_box
from ui.shared.widgets import show_table
from ui.sources.roles import ChosenRoles
from ui.state.cache import cached

_LISTED_SHARES = (0.1, 0.5, 0.9)
_LONGEST = 40
_MOST_VERTICES_AT_ONCE = 100


def curve_box(
    chosen: ChosenRoles, methods: Sequence[str], protocol: NodeProtocol, kernel: KernelParameters
) -> None:
    """Run the trials of the learning curve and show what is known of it."""
    if not methods:
        st.info("Choose at least one kernel.")
        return
    task = _curve_task(chosen, tuple(methods), protocol, kernel)

    def show(results: Results, _is_running: bool) -> None:
        _curve(chosen, task.curve(results))

    is_small = chosen.graph.graph.n_vertices <= _MOST_VERTICES_AT_ONCE
    is_quick = is_small and set(methods) <= set(QUICK_NODE_METHODS)
    title = f"Learning curve of {chosen.graph.title}"
    known = job_box(task, "curve", title, show, most_at_once=inf if is_quick else 0)
    if known and not is_running(task):
        role_downloads(chosen, task.curve(known), methods, protocol, kernel)


@cached()
def _curve_task(
    chosen: ChosenRoles, methods: tuple[str, ...], protocol: NodeProtocol, kernel: KernelParameters
) -> CurveTask:
    graph, roles = chosen.graph.graph, chosen.roles
    return CurveTask(graph, roles, methods, tuple(CLASSIFIERS), protocol, kernel.passing())


def _curve(chosen: ChosenRoles, curve: LearningCurve) -> None:
    picture, saved_as = curve_picture(curve), (chosen.graph.title, "learning-curve")
    chart(picture.figure, "curve", picture.alternative, saved_as, height=420)
    rows = [
        {"kernel": kind_title(method, classifier)}
        | {
            f"{100 * point.share:.0f} %": round(100 * point.mean, 1)
            for point in curve.points(method, classifier)
            if point.share in _LISTED_SHARES
        }
        for method, classifier in curve.kinds
    ]
    show_table(rows, "curve-table")
    st.caption(f"{picture.caption} The download has all shares.")


def role_map(
    chosen: ChosenRoles,
    method: str,
    classifier: str,
    protocol: NodeProtocol,
    kernel: KernelParameters,
) -> None:
    """Draw which vertices were labelled, and which predictions are right and wrong, in a trial."""
    trial = _trial(chosen, method, classifier, protocol, kernel)
    graph, roles = chosen.graph.graph, chosen.roles
    n_others = graph.n_vertices - len(trial.labelled)
    places = layout_of(chosen.graph, "natural")
    figure = role_map_figure(graph, places, roles, trial, kernel.edges)
    saved_as = (chosen.graph.title, method, classifier, "right-and-wrong")
    chart(figure, "role-map", role_map_words(roles, trial), saved_as, height=460)
    st.caption(
        f"{kind_title(method, classifier)}: {round(trial.accuracy * n_others)} of {n_others} "
        f"predictions are right ({100 * trial.accuracy:.1f} %). Colours are the true roles. "
        "Squares: labelled; circles: right; crosses with a red rim: wrong."
    )
    wrong = trial.missed(roles)
    rows = [
        {
            "vertex": str(graph.names[v])[:_LONGEST],
            "role": roles.names[roles.of_vertex[v]][:_LONGEST],
            "predicted": roles.names[trial.predicted[v]][:_LONGEST],
        }
        for v in wrong.tolist()
    ]
    if rows:
        with st.expander(counted(len(rows), "wrong prediction")):
            st.dataframe(rows, hide_index=True)


@cached(spinner="Learning …")
def _trial(
    chosen: ChosenRoles,
    method: str,
    classifier: str,
    protocol: NodeProtocol,
    kernel: KernelParameters,
) -> NodeTrial:
    graph, roles = chosen.graph.graph, chosen.roles
    return next(learning_curve(graph, roles, [method], [classifier], protocol, **kernel.passing()))
