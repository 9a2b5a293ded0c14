"""The engine's results for a chosen graph and kernel, cached."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from mpgk_core import MessagePassingNodeKernel, Orbits, orbits
from mpgk_core.embedding.methods import method_separation, method_trajectory
from mpgk_core.embedding.trajectory import Trajectory, trajectory_of_points
from mpgk_core.kernels.update import KernelParameters
from mpgk_core.plotting import graph_layout
from mpgk_core.plotting.change_figure import carried_layout
from mpgk_core.recovery.points import KernelPoints, points_of_rounds
from mpgk_core.recovery.verdict import Recovery, Verdict, verdict, verdicts
from ui.state.cache import cached
from ui.state.choices import ChosenGraph

threadpool_limits(1)  # users share the cores; threads inside their small matrices would compete


@cached(spinner="Arranging the vertices …")
def layout_of(choice: ChosenGraph, layout: str) -> NDArray[np.float64]:
    """Arrange the vertices of the chosen graph; after edits they stay where they were."""
    if choice.origin is not None:
        return carried_layout(choice.origin.graph, layout_of(choice.origin, layout), choice.graph)
    if layout == "natural" and choice.recipe is not None:
        layout = choice.recipe.layout
    return graph_layout(choice.graph, layout)


@cached(spinner="Finding the orbits …")
def orbits_of(choice: ChosenGraph, edges: str) -> Orbits:
    """Find the orbits of the chosen graph, by what the kernel uses of its edges."""
    return orbits(choice.graph, edges=edges)


@cached(spinner="Passing messages …")
def kernel_of(graph: ChosenGraph, kernel: KernelParameters) -> MessagePassingNodeKernel:
    """Fit the chosen kernel to the chosen graph."""
    return MessagePassingNodeKernel(**kernel.settings()).fit(graph.graph)


@cached(spinner="Embedding …")
def points_of(graph: ChosenGraph, kernel: KernelParameters) -> tuple[KernelPoints, ...]:
    """Find the points of the vertices in every round."""
    return points_of_rounds(graph.graph, kernel_of(graph, kernel))


@cached(spinner="Embedding …")
def way_of(graph: ChosenGraph, kernel: KernelParameters, n_axes: int) -> Trajectory:
    """Embed the vertices in every round."""
    return trajectory_of_points(points_of(graph, kernel), n_axes)


@cached(spinner="Embedding by another method …")
def method_way(graph: ChosenGraph, method: str, n_rounds: int, n_axes: int) -> Trajectory:
    """Embed the vertices by a method that is not a message passing kernel."""
    return method_trajectory(method, graph.graph, n_rounds, n_axes)


@cached(spinner="Embedding by another method …")
def separation_of(graph: ChosenGraph, method: str, t: int, edges: str) -> Recovery:
    """Compare distances inside and between orbits in the vectors of a method."""
    return method_separation(method, graph.graph, t, orbits_of(graph, edges).of_vertex)


@cached()
def recoveries_of(graph: ChosenGraph, kernel: KernelParameters) -> tuple[Recovery, ...]:
    """Compare the kernel's points with the orbits in every round."""
    known, points = orbits_of(graph, kernel.edges), points_of(graph, kernel)
    return verdicts(graph.graph, kernel_of(graph, kernel), known, points)


@cached()
def verdict_of(graph: ChosenGraph, kernel: KernelParameters) -> Verdict:
    """Compare the kernel's points with the orbits."""
    known, points = orbits_of(graph, kernel.edges), points_of(graph, kernel)
    return verdict(graph.graph, kernel_of(graph, kernel), orbits=known, points=points)
