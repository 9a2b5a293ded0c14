"""What the page draws at most, what more would cost, and what to do instead."""

from __future__ import annotations

import streamlit as st

from mpgk_core import GraphSet
from ui.address import one_of
from ui.cached import sample_of
from ui.choices import ChosenGraph

__all__ = ["MOST_EDGES", "MOST_VERTICES", "is_within_limit", "within_limit"]

MOST_VERTICES = 6_000
MOST_EDGES = 60_000
_SAMPLE_SIZES = (500, 1_000, 2_000)
_SECONDS_PER_VERTEX = {"R": 2e-4, "A": 1.5e-3}

_CALL = """\
from mpgk_core import MessagePassingNodeKernel
from mpgk_core.readers import read_graphs

graph = read_graphs("your_file", open("your_file", "rb").read())
kernel = MessagePassingNodeKernel("R", alpha=0.8, beta=0.2, n_iterations=5).fit(graph)
features = kernel.feature_map()  # sparse: one row per vertex, never n x n"""


def is_within_limit(graph: GraphSet, most_vertices: int = MOST_VERTICES) -> bool:
    """Return whether a page takes the whole graph."""
    return graph.n_vertices <= most_vertices and graph.n_edges <= MOST_EDGES


def within_limit(chosen: ChosenGraph, most_vertices: int = MOST_VERTICES) -> ChosenGraph:
    """Return the graph, or a sample of one that is too large, and say so."""
    graph = chosen.graph
    if is_within_limit(graph, most_vertices):
        return chosen
    size = graph.n_vertices + graph.n_edges / 10
    quick, slow = (rate * size for rate in _SECONDS_PER_VERTEX.values())
    st.warning(
        f"This graph has {graph.n_vertices:,} vertices and {graph.n_edges:,} edges. The page takes "
        f"at most {most_vertices:,} and {MOST_EDGES:,}: every move of a slider would take roughly "
        f"{quick:,.0f} s with R and {slow:,.0f} s with A. Below is **a sample of it**: the "
        "neighbourhood of a vertex drawn at random, so results differ from those of the whole."
    )
    sizes = [size for size in _SAMPLE_SIZES if size <= most_vertices]
    with st.container(horizontal=True, vertical_alignment="bottom"):
        n = one_of(
            st.segmented_control,
            "Vertices in the sample",
            sizes,
            sizes[1],
            key="sample-size",
            format_func=lambda n: f"{n:,}",
            help="Taken in the order of their distance from the vertex that was drawn.",
        )
        seed = st.number_input(
            "Seed of the sample",
            0,
            9999,
            0,
            key="sample-seed",
            bind="query-params",
            width=160,
            help="Another seed, another part of the graph.",
        )
    with st.expander("The whole graph, in Python"):
        st.code(_CALL, language="python")
    return sample_of(chosen, n, int(seed))
