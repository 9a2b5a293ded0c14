"""Graph classification: protocol, score, fixed parameters, use of edges, and initial features."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import streamlit as st

from mpgk_core import evaluation as engine
from mpgk_core.evaluation import Protocol, table_spec
from mpgk_core.evaluation.choices import (
    CHOSEN,
    LOCAL_FEATURES,
    edge_choices,
    feature_choices,
    in_words,
)
from mpgk_core.evaluation.feature_comparison import ADVICE, needs_comparison
from mpgk_core.evaluation.methods import WITH_EDGES
from mpgk_core.graphs.features import resolved_features
from mpgk_core.kernels.graph_kernel import VARIANTS
from ui.classification.own_files import with_own_splits
from ui.shared.widgets import (
    ALPHA,
    BETA,
    NOT_DONE,
    RANGES,
    ProblemsShown,
    button,
    edges_control,
    features_of,
    number,
    one_of,
    slider,
    switch,
)
from ui.sources.sets import ChosenSet
from ui.state.cache import cached

_SCOPES = {"quick": "Quick: 1 × 10 folds", "full": "Full: 10 × 10", "own": "Fixed splits"}
_EDGES_BY = {"folds": "Chosen by the training folds", "own": "Chosen here"}


def protocol_controls(chosen: ChosenSet | None, fixed: Mapping[str, Any]) -> Protocol | None:
    """Let the user choose how accuracy is measured; fixed parameters leave less to the folds.

    Returns
    -------
    Protocol or None
        None as long as there are no splits though the user wants fixed ones.
    """
    scope = one_of("scope", "Protocol", _SCOPES)
    below = st.container()
    is_inductive = switch("inductive", "Learn trees from training graphs only")
    is_linear = switch("linear", "Linear SVM on explicit features")
    rules = Protocol(
        random_state=number("cv-seed", "Seed"),
        n_repeats=10 if scope == "full" else 1,
        inductive=is_inductive,
        solver="linear" if is_linear else "kernel",
    )
    if fixed:
        rules = replace(rules, iterations=(fixed["n_iterations"],), levels=("last",))
    if scope != "own":
        return rules
    with below:
        return None if chosen is None else with_own_splits(chosen, rules)


def score_control() -> str:
    """Let the user choose what is shown beside the accuracy."""
    return one_of("score", "Score", engine.SCORES, draw=st.selectbox)


def fixed_parameters(chosen: ChosenSet, methods: Sequence[str]) -> dict[str, Any]:
    """Let the user fix the parameters of the four kernels; empty if the training folds choose.

    Returns
    -------
    dict
        Parameters of the kernel, with ``n_iterations``.
    """
    if not set(methods) & set(VARIANTS) or not switch("fixed", "Fixed parameters"):
        return {}
    usual = str(resolved_features("auto", chosen.graphs))
    own = [name for name in features_of(chosen.graphs) if name != "constant"]
    names = dict.fromkeys([usual, *own, LOCAL_FEATURES, *feature_choices(chosen.graphs)])
    features = one_of("fixed-features", "Initial features", list(names), draw=st.selectbox)
    return {
        "features": features,
        "n_iterations": slider("fixed-T", "Rounds T", 1, RANGES["T"][1], 4),
        "alpha": slider("fixed-alpha", ALPHA, *RANGES["alpha"], 0.8, 0.05),
        "beta": slider("fixed-beta", BETA, *RANGES["beta"], 0.2, 0.05),
        "normalize": True,
        "gaussian": None,
    }


def edge_use(chosen: ChosenSet, methods: Sequence[str], is_fixed: bool) -> str:
    """Let the user choose what the kernels use of edges."""
    using = [method for method in methods if method in WITH_EDGES]
    if not using:
        return "ignore"
    is_chosen = not is_fixed and len(edge_choices(chosen.graphs)) > 1
    if is_chosen:
        key, asked = "edges-by", st.query_params
        if asked.get("set-edges") and key not in asked and key not in st.session_state:
            asked[key] = "own"  # a link from elsewhere
        if one_of(key, "Edges", _EDGES_BY, draw=st.selectbox) == "folds":
            return CHOSEN
    can_multiply = all(method in ("RR", "RA") for method in using)
    use = edges_control(chosen.graphs, "set-", can_multiply=can_multiply)
    return use if is_chosen or is_fixed or use != "ignore" else CHOSEN


def feature_box(chosen: ChosenSet, seed: int, fixed: Mapping[str, Any]) -> None:
    """Show the initial features and, where they are a choice, compare the single ones."""
    if fixed:
        st.caption(
            f"Message passing kernels: {fixed['features'].replace(',', ', ')}; "
            f"α = {fixed['alpha']:g}, β = {fixed['beta']:g}, T = {fixed['n_iterations']}, last "
            "round. The training folds choose C alone. Other kernels with rounds use the same T. "
            "Parameters that were tuned on this set make the accuracy optimistically biased."
        )
        return
    st.caption(f"Message passing kernels. {in_words(table_spec('AA', chosen.graphs))}")
    if not needs_comparison(chosen.graphs):
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        is_asked = button("compare-features", "Compare initial features")
        st.caption(ADVICE)
    if not is_asked:
        return
    with ProblemsShown(NOT_DONE, "features-problem"):
        found = _comparison(chosen, seed)
        rows = [
            {"features": one["features"], "accuracy (%)": one["accuracy"]} for one in found.rows()
        ]
        st.dataframe(rows, hide_index=True)
        st.caption(found.about)


@cached(spinner="Comparing features …")
def _comparison(chosen: ChosenSet, seed: int) -> engine.FeatureComparison:
    return engine.compare_features(chosen.graphs, chosen.classes, random_state=seed)
