"""Controls of a kernel. Each stands in the address, has help, and cannot be set wrong."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from mpgk_core import GraphSet
from mpgk_core.graphs.features import LOCAL_FEATURES
from mpgk_core.kernels.update import KernelParameters
from ui.shared.widgets import number, one_of, slider, some_of, switch

ALPHA, BETA = "α: weight of the previous similarity", "β: weight of the neighbourhoods"
"""The names of the weights."""

NEIGHBOURHOODS = {"R": "R: all pairs", "A": "A: best matching"}
"""How neighbourhoods are compared, in words."""

RANGES: dict[str, tuple[Any, Any]] = {
    "T": (0, 12),
    "alpha": (0.0, 1.0),
    "beta": (0.0, 1.0),
    "branching": (2, 8),
    "depth": (1, 12),
    "seed": (0, 9999),
    "clusters": (2, 12),
}
"""The ranges of the controls, by their keys."""


def kernel_controls(graph: GraphSet, show: Callable[[KernelParameters], None]) -> None:
    """Let the user choose a kernel for a graph, and show its results.

    A move of T, α or β redraws only these sliders and the results; any other choice redraws the
    whole page.

    Parameters
    ----------
    graph : GraphSet
    show : callable
        Shows the results of a kernel.
    """
    st.subheader("Kernel")
    neighbourhood = one_of("kernel", "Neighbourhoods are compared by", NEIGHBOURHOODS)
    sliders = st.container()
    more: dict[str, Any] = {"features": _features_control(graph)}
    more["normalize"] = switch("cosine", "Normalise the kernel", value=True)
    if neighbourhood == "A":
        more["branching"] = slider("branching", "Branching", *RANGES["branching"], 4)
        more["depth"] = slider("depth", "Depth", *RANGES["depth"], 8)
        more["random_state"] = number("seed", "Seed", *RANGES["seed"])

    @st.fragment
    def sliders_and_results() -> None:
        rounds, alpha, beta = _sliders()
        show(KernelParameters(neighbourhood, alpha, beta, rounds, **more))

    with sliders:
        sliders_and_results()


def passing_controls(
    graph: GraphSet, prefix: str, rounds: int, start: tuple[str, ...]
) -> KernelParameters:
    """Let the user choose T, α, β and the initial features; ``prefix`` begins the keys."""
    T, alpha, beta = _sliders(prefix, rounds)
    features = _features_control(graph, prefix, start)
    return KernelParameters(alpha=alpha, beta=beta, n_iterations=T, features=features)


def _sliders(prefix: str = "", rounds: int = 5) -> tuple[int, float, float]:
    T = slider(f"{prefix}T", "Rounds T", *RANGES["T"], rounds)
    alpha = slider(f"{prefix}alpha", ALPHA, *RANGES["alpha"], 0.8, 0.05)
    return T, alpha, slider(f"{prefix}beta", BETA, *RANGES["beta"], 0.2, 0.05)


def _features_control(
    graph: GraphSet, prefix: str = "", start: tuple[str, ...] = ("degree-label",)
) -> str:
    features = some_of(f"{prefix}features", "Initial features", features_of(graph), start)
    return "+".join(features) or "constant"


def features_of(graph: GraphSet) -> list[str]:
    """Return the possible initial features of a graph."""
    choices = list(LOCAL_FEATURES)
    if graph.label_codes is not None:
        choices.append("labels")
    if graph.attributes is not None:
        choices.append("attributes-standardised")
    return choices
