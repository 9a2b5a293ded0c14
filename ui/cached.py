"""The engine's calls, cached: each does one thing and knows nothing of the page."""

from __future__ import annotations

from dataclasses import asdict

import numpy as np
from numpy.typing import NDArray

from mpgk_core import GraphSet, MessagePassingNodeKernel, Orbits, orbits
from mpgk_core.embedding.trajectory import Trajectory, trajectory
from mpgk_core.export import PresetGraph
from mpgk_core.formats import Role
from mpgk_core.graphs.sampling import neighbourhood_sample
from mpgk_core.plotting import graph_layout
from mpgk_core.plotting.change_figure import carried_layout
from mpgk_core.recovery.verdict import Verdict, verdict
from ui.cache import cached
from ui.choices import ChosenGraph, KernelChoice
from ui.files import ReadFile


@cached(spinner="Building the graph …")
def preset_graph(preset: str, parameters: dict[str, float]) -> ChosenGraph:
    """Build the graph of a preset."""
    recipe = PresetGraph(preset, parameters)
    return ChosenGraph(recipe.title, recipe.build(), recipe)


@cached(spinner="Building the graph …")
def graph_of_file(read: ReadFile, roles: tuple[tuple[str, Role], ...], number: int) -> ChosenGraph:
    """Take one graph of a file, its columns in these roles."""
    assert read.tables is not None
    is_one = len(read.tables) == 1
    graph = read.tables.graph_set(dict(roles)) if is_one else _all_of_file(read, roles)[number]
    return ChosenGraph(read.title, graph)


@cached()
def _all_of_file(read: ReadFile, roles: tuple[tuple[str, Role], ...]) -> GraphSet:
    assert read.tables is not None
    return read.tables.graph_set(dict(roles))


@cached(spinner="Taking a sample …")
def sample_of(choice: ChosenGraph, n_vertices: int, seed: int) -> ChosenGraph:
    """Take a part of the chosen graph."""
    part = neighbourhood_sample(choice.graph, n_vertices, seed)
    title = f"{choice.title}, {part.n_vertices} of {choice.graph.n_vertices} vertices"
    return ChosenGraph(title, part)


@cached(spinner="Arranging the vertices …")
def layout_of(choice: ChosenGraph, layout: str) -> NDArray[np.float64]:
    """Arrange the vertices of the chosen graph; after edits they stay where they were."""
    if choice.origin is not None:
        return carried_layout(choice.origin.graph, layout_of(choice.origin, layout), choice.graph)
    return graph_layout(choice.graph, layout)


@cached(spinner="Finding the orbits …")
def orbits_of(choice: ChosenGraph) -> Orbits:
    """Find the orbits of the chosen graph."""
    return orbits(choice.graph)


@cached(spinner="Passing messages …")
def kernel_of(graph: ChosenGraph, kernel: KernelChoice) -> MessagePassingNodeKernel:
    """Fit the chosen kernel to the chosen graph."""
    return MessagePassingNodeKernel(**asdict(kernel)).fit(graph.graph)


@cached(spinner="Embedding …")
def way_of(graph: ChosenGraph, kernel: KernelChoice, n_axes: int) -> Trajectory:
    """Embed the vertices in every round."""
    return trajectory(graph.graph, kernel_of(graph, kernel), n_axes)


@cached()
def verdict_of(graph: ChosenGraph, kernel: KernelChoice) -> Verdict:
    """Compare the kernel's points with the orbits."""
    return verdict(graph.graph, kernel_of(graph, kernel), orbits=orbits_of(graph))
