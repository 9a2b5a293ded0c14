"""Where one graph comes from: a preset that anybody can build, or the graph itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from mpgk_core.errors import InvalidGraphError, shortened
from mpgk_core.graphs import GraphSet, as_graph_set
from mpgk_core.graphs.generators import PRESETS, build_graph
from mpgk_core.parameters import check_choice


@dataclass(frozen=True)
class PresetGraph:
    """A graph by the name of its preset.

    Parameters
    ----------
    preset : str
        A key of :data:`~mpgk_core.graphs.generators.PRESETS`.
    values : mapping of str to number
        Its parameters; those left out take their defaults.

    Examples
    --------
    >>> PresetGraph("barbell", {"h": 5}).build()
    GraphSet(1 graph, 20 vertices, 31 edges)
    """

    preset: str
    values: Mapping[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        check_choice(self.preset, list(PRESETS), "preset", "PresetGraph")
        complete = PRESETS[self.preset].complete(self.values)
        object.__setattr__(self, "values", MappingProxyType(complete))

    @property
    def title(self) -> str:
        """Name for people."""
        return PRESETS[self.preset].title

    @property
    def name(self) -> str:
        """The title."""
        return self.title

    @property
    def layout(self) -> str:
        """The layout in which it is usually drawn."""
        return PRESETS[self.preset].layout

    @property
    def file_part(self) -> str:
        """The part of a file name that stands for it."""
        return "-".join([self.preset, *(f"{value:g}" for value in self.values.values())])

    def build(self) -> GraphSet:
        """Return the graph."""
        return as_graph_set(build_graph(self.preset, **self.values))


class Given:
    """Data themselves, with a title that may be any text."""

    title: str

    @property
    def name(self) -> str:
        """The title, fit for a line of text."""
        return shortened(self.title)

    @property
    def file_part(self) -> str:
        """The part of a file name that stands for it."""
        return self.name


@dataclass(frozen=True, eq=False)
class GivenGraph(Given):
    """The graph itself.

    Parameters
    ----------
    title : str
        Name for people.
    graph : GraphSet
        With one graph.
    """

    title: str
    graph: GraphSet

    def __post_init__(self) -> None:
        check_one_graph(self.graph, "GivenGraph")

    def build(self) -> GraphSet:
        """Return the graph."""
        return self.graph


def check_one_graph(graphs: GraphSet, owner: str) -> None:
    """Raise unless there is exactly one graph."""
    if len(graphs) != 1:
        raise InvalidGraphError(
            f"A {owner} is about one graph, and there are {len(graphs):,}. Choose one."
        )
