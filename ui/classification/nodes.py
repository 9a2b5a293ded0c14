"""Node classification: learning curves, and a map of right and wrong predictions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from mpgk_core.evaluation import (
    CLASSIFIERS,
    CurveTask,
    LearningCurve,
    NodeProtocol,
    NodeTrial,
    kind_title,
    learning_curve,
)
from mpgk_core.plotting.node_figures import (
    learning_curve_figure,
    learning_curve_words,
    role_map_figure,
    role_map_words,
)
from ui.role_export import role_downloads
from ui.shared.charts import chart
from ui.shared.computed import layout_of
from ui.shared.jobs import Results, is_running, job_box
from ui.sources.roles import ChosenRoles
from ui.state.cache import cached

_LISTED_SHARES = (0.1, 0.5, 0.9)
_LONGEST = 40


def curve_box(
    chosen: ChosenRoles, methods: Sequence[str], protocol: NodeProtocol, parameters: dict[str, Any]
) -> None:
    """Run the trials of the learning curve and show what is known of it."""
    if not methods:
        st.info("Choose at least one kernel.")
        return
    task = _curve_task(chosen, tuple(methods), protocol, parameters)

    def show(results: Results, _is_running: bool) -> None:
        _curve(chosen, task.curve(results))

    known = job_box(task, "curve", f"Learning curve of {chosen.graph.title}", show)
    if known and not is_running(task):
        role_downloads(chosen, task.curve(known), methods, protocol, parameters)


@cached()
def _curve_task(
    chosen: ChosenRoles,
    methods: tuple[str, ...],
    protocol: NodeProtocol,
    parameters: dict[str, Any],
) -> CurveTask:
    graph, roles = chosen.graph.graph, chosen.roles
    return CurveTask(graph, roles, methods, tuple(CLASSIFIERS), protocol, parameters)


def _curve(chosen: ChosenRoles, curve: LearningCurve) -> None:
    chart(
        learning_curve_figure(curve),
        "curve",
        learning_curve_words(curve),
        (chosen.graph.title, "learning-curve"),
        height=420,
    )
    st.dataframe(
        [
            {"kernel": kind_title(method, classifier)}
            | {
                f"{100 * p.share:.0f} %": round(100 * p.mean, 1)
                for p in curve.points(method, classifier)
                if p.share in _LISTED_SHARES
            }
            for method, classifier in curve.kinds
        ],
        hide_index=True,
    )
    st.caption(
        "Accuracy in per cent on the vertices that are not labelled, by the share of "
        "labelled ones; bars are the standard deviation over the trials. All shares are in "
        "the download."
    )


def role_map(
    chosen: ChosenRoles,
    method: str,
    classifier: str,
    protocol: NodeProtocol,
    parameters: dict[str, Any],
) -> None:
    """Draw which vertices were labelled, found and missed in one trial."""
    trial = _trial(chosen, method, classifier, protocol, parameters)
    graph = chosen.graph.graph
    n_others = graph.n_vertices - len(trial.labelled)
    n_right = round(trial.accuracy * n_others)
    chart(
        role_map_figure(graph, layout_of(chosen.graph, "spring"), chosen.roles, trial),
        "role-map",
        role_map_words(chosen.roles, trial),
        (chosen.graph.title, method, classifier, "right-and-wrong"),
        height=460,
    )
    st.caption(
        f"{kind_title(method, classifier)}: {n_right} of {n_others} "
        f"vertices found ({100 * trial.accuracy:.1f} %). Colours are the true roles. Squares were "
        "labelled, circles were found, red-rimmed crosses were missed."
    )
    wrong = trial.missed(chosen.roles)
    if len(wrong):
        with st.expander(f"What the {len(wrong)} missed were taken for"):
            st.dataframe(_missed(chosen, trial, wrong), hide_index=True)


def _missed(
    chosen: ChosenRoles, trial: NodeTrial, wrong: NDArray[np.int64]
) -> list[dict[str, str]]:
    name_of = chosen.roles.names
    return [
        {
            "vertex": str(chosen.graph.graph.names[v])[:_LONGEST],
            "role": name_of[true][:_LONGEST],
            "taken for": name_of[said][:_LONGEST],
        }
        for v, true, said in zip(
            wrong.tolist(), chosen.roles.of_vertex[wrong], trial.predicted[wrong], strict=True
        )
    ]


@cached(spinner="Learning …")
def _trial(
    chosen: ChosenRoles,
    method: str,
    classifier: str,
    protocol: NodeProtocol,
    parameters: dict[str, Any],
) -> NodeTrial:
    graph, roles = chosen.graph.graph, chosen.roles
    return next(learning_curve(graph, roles, [method], [classifier], protocol, **parameters))
