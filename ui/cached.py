"""The engine's calls, cached: each does one thing and knows nothing of the page."""

from __future__ import annotations

from dataclasses import asdict

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from mpgk_core import GraphSet, MessagePassingNodeKernel, Orbits, orbits
from mpgk_core.embedding.trajectory import Trajectory, trajectory
from mpgk_core.equivalence.verdict import Verdict, verdict
from mpgk_core.graphs import as_graph_set
from mpgk_core.graphs.generators import build_graph
from mpgk_core.plotting import graph_layout
from ui.choices import GraphChoice, KernelChoice

__all__ = ["graph_of", "kernel_of", "layout_of", "orbits_of", "verdict_of", "way_of"]


@st.cache_resource(max_entries=64, show_spinner=False)
def graph_of(choice: GraphChoice) -> GraphSet:
    """Build the chosen graph."""
    return as_graph_set(build_graph(choice.preset, **dict(choice.parameters)))


@st.cache_resource(max_entries=64, show_spinner="Arranging the vertices …")
def layout_of(choice: GraphChoice, layout: str) -> NDArray[np.float64]:
    """Arrange the vertices of the chosen graph."""
    return graph_layout(graph_of(choice), layout)


@st.cache_resource(max_entries=64, show_spinner="Finding the orbits …")
def orbits_of(choice: GraphChoice) -> Orbits:
    """Find the orbits of the chosen graph."""
    return orbits(graph_of(choice))


@st.cache_resource(max_entries=32, show_spinner="Passing messages …")
def kernel_of(graph: GraphChoice, kernel: KernelChoice) -> MessagePassingNodeKernel:
    """Fit the chosen kernel to the chosen graph."""
    return MessagePassingNodeKernel(**asdict(kernel)).fit(graph_of(graph))


@st.cache_resource(max_entries=32, show_spinner="Embedding …")
def way_of(graph: GraphChoice, kernel: KernelChoice, n_axes: int) -> Trajectory:
    """Embed the vertices in every round."""
    return trajectory(graph_of(graph), kernel_of(graph, kernel), n_axes)


@st.cache_resource(max_entries=64, show_spinner=False)
def verdict_of(graph: GraphChoice, kernel: KernelChoice) -> Verdict:
    """Compare the kernel's points with the orbits."""
    return verdict(graph_of(graph), kernel_of(graph, kernel), orbits=orbits_of(graph))
