"""What the user has chosen, as values that can key a cache."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from mpgk_core import GraphSet
from mpgk_core.takeaway import GivenGraph, PresetGraph
from ui.files import ReadFile

__all__ = ["CACHE_KEYS", "ChosenGraph", "KernelChoice", "PictureChoice"]


@dataclass(frozen=True, eq=False)
class ChosenGraph:
    """One graph, and a word that stands for all that is in it.

    Attributes
    ----------
    key : str
        Equal keys mean equal graphs.
    title : str
        Name for people.
    graph : GraphSet
        With one graph.
    recipe : PresetGraph or None
        How others can build the same graph; None where only the graph itself will do.
    origin : ChosenGraph or None
        The graph that this one was made of by edits.
    """

    key: str
    title: str
    graph: GraphSet
    recipe: PresetGraph | None = None
    origin: ChosenGraph | None = None

    @property
    def source(self) -> PresetGraph | GivenGraph:
        """How others can get at the same graph."""
        return self.recipe or GivenGraph(self.title, self.graph)


@dataclass(frozen=True)
class KernelChoice:
    """The parameters of a node kernel."""

    neighbourhood: str
    alpha: float
    beta: float
    n_iterations: int
    features: str
    normalize: bool
    random_state: int
    branching: int
    depth: int


@dataclass(frozen=True)
class PictureChoice:
    """How things are drawn."""

    layout: str
    colour: str
    n_axes: int
    is_ranked: bool
    n_clusters: int = 4
    attribute: int = 0


CACHE_KEYS: dict[str | type, Callable[[Any], str]] = {
    ChosenGraph: lambda choice: choice.key,
    KernelChoice: repr,
    PictureChoice: repr,
    ReadFile: lambda read: read.key,
}
"""How a cache tells choices apart."""
