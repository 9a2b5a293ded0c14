"""Controls of a kernel. Each stands in the address, has help, and cannot be set wrong."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from mpgk_core import GraphSet
from mpgk_core.graphs.initial_features import LOCAL_FEATURES
from ui.state.address import one_of, some_of
from ui.state.choices import KernelChoice

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
"""From where to where the controls go, by their keys."""


def kernel_controls(graph: GraphSet, show: Callable[[KernelChoice], None]) -> None:
    """Let the user choose a kernel for a graph, and show what follows from it.

    A move of T, α or β redraws only these sliders and what follows; any other choice redraws the
    whole page.

    Parameters
    ----------
    graph : GraphSet
    show : callable
        Shows what follows from a kernel.
    """
    st.subheader("Kernel")
    neighbourhood = one_of(
        st.segmented_control,
        "Neighbourhoods are compared by",
        list(NEIGHBOURHOODS),
        "R",
        format_func=NEIGHBOURHOODS.__getitem__,
        key="kernel",
        help="R adds up the similarities of all pairs of neighbours. A matches the neighbours one "
        "to one, as well as possible, along a hierarchy of clusters. " + in_glossary("kernel-a"),
    )
    sliders = st.container()
    features = _features_control(graph)
    normalize = st.toggle(
        "Normalise the kernel",
        key="cosine",
        bind="query-params",
        help="Divide by the lengths, so that every vertex has similarity 1 with itself. Shows "
        "directions instead of sizes.",
    )
    seed, branching, depth = 0, 4, 8
    if neighbourhood == "A":
        branching = st.slider(
            "Branching",
            *RANGES["branching"],
            4,
            key="branching",
            bind="query-params",
            help="Clusters per split of the hierarchy.",
        )
        depth = st.slider(
            "Depth",
            *RANGES["depth"],
            8,
            key="depth",
            bind="query-params",
            help="Depth of the hierarchy: how finely vertices can be told apart.",
        )
        seed = st.number_input(
            "Seed",
            *RANGES["seed"],
            0,
            key="seed",
            bind="query-params",
            help="Of the k-means clustering. Same seed, same picture.",
        )

    @st.fragment
    def sliders_and_results() -> None:
        rounds, alpha, beta = _sliders()
        show(
            KernelChoice(
                neighbourhood=neighbourhood,
                alpha=alpha,
                beta=beta,
                n_iterations=rounds,
                features=features,
                normalize=normalize,
                random_state=seed,
                branching=branching,
                depth=depth,
            )
        )

    with sliders:
        sliders_and_results()


def passing_controls(
    graph: GraphSet, prefix: str = "", rounds: int = 5, start: tuple[str, ...] = ("degree",)
) -> tuple[int, float, float, str]:
    """Let the user choose T, α, β and what vertices start from; ``prefix`` begins the keys."""
    T, alpha, beta = _sliders(prefix, rounds)
    return T, alpha, beta, _features_control(graph, prefix, start)


def _sliders(prefix: str = "", rounds: int = 5) -> tuple[int, float, float]:
    T = st.slider(
        "Rounds T",
        *RANGES["T"],
        rounds,
        key=f"{prefix}T",
        bind="query-params",
        help="Number of message passing rounds. After t rounds a similarity depends on all "
        "vertices up to t steps away. " + in_glossary("rounds"),
    )
    alpha = st.slider(
        ALPHA,
        *RANGES["alpha"],
        0.8,
        0.05,
        key=f"{prefix}alpha",
        bind="query-params",
        help="How much of the similarity so far is kept in each round. " + in_glossary("alpha"),
    )
    beta = st.slider(
        BETA,
        *RANGES["beta"],
        0.2,
        0.05,
        key=f"{prefix}beta",
        bind="query-params",
        help="How much the similarity of the neighbourhoods adds in each round. "
        + in_glossary("beta"),
    )
    return T, alpha, beta


def _features_control(
    graph: GraphSet, prefix: str = "", start: tuple[str, ...] = ("degree",)
) -> str:
    features = some_of(
        st.multiselect,
        "Initial features",
        features_of(graph),
        start,
        key=f"{prefix}features",
        help="What is known of a vertex before the first message. Several are added up; none "
        "means that all vertices start alike. " + in_glossary("features"),
    )
    return "+".join(features) or "constant"


def features_of(graph: GraphSet) -> list[str]:
    """Return what the vertices of a graph can start from."""
    choices = list(LOCAL_FEATURES)
    if graph.label_codes is not None:
        choices.append("labels")
    if graph.attributes is not None:
        choices.append("attributes-standardised")
    return choices


def update_formula(kernel: KernelChoice) -> str:
    """Return the update rule in LaTeX, with the current numbers in it."""
    neighbourhoods = {
        "R": r"\sum_{v' \in N(v)} \sum_{u' \in N(u)} k^{t}(v', u')",
        "A": r"\max_{B \in \mathfrak{B}(N(v), N(u))} \sum_{(v', u') \in B} k_s^{t}(v', u')",
    }[kernel.neighbourhood]
    return (
        rf"k^{{t+1}}(v, u) = {kernel.alpha:g}\; k^{{t}}(v, u) + {kernel.beta:g}\, "
        rf"{neighbourhoods}, \quad t < {kernel.n_iterations}"
    )


def in_glossary(term: str) -> str:
    """Return a link to a term of the glossary, for a help text."""
    return f"[More in the glossary](lessons?glossary={term})"
