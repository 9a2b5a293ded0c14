"""Where the graphs of a lesson come from: a preset, own edges, a data set, or several at once."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from string import ascii_uppercase
from typing import Any

import networkx as nx

from mpgk_core.datasets import load, version_of
from mpgk_core.errors import InvalidParameterError
from mpgk_core.evaluation import RECIPES, LabelledSet, generate
from mpgk_core.graphs import GraphSet, as_graph_set
from mpgk_core.graphs.generators import build_graph

_PER_CLASS = 20


class GraphSource(ABC):
    """Something that gives graphs: always the same ones."""

    @abstractmethod
    def graphs(self) -> GraphSet:
        """Return the graphs; all sources but a data set give one."""

    @abstractmethod
    def words(self) -> str:
        """Return what it is, in a few words that also tell sources apart."""


@dataclass(frozen=True)
class PresetGraph(GraphSource):
    """A graph that the playground offers."""

    preset: str
    parameters: tuple[tuple[str, float], ...] = ()

    def graphs(self) -> GraphSet:
        """Build it."""
        return as_graph_set(build_graph(self.preset, **dict(self.parameters)))

    def words(self) -> str:
        """Return preset and parameters."""
        return " ".join([self.preset, *(f"{key}={value}" for key, value in self.parameters)])


@dataclass(frozen=True)
class OwnEdges(GraphSource):
    """A small graph that the file spells out, edge by edge.

    Examples
    --------
    >>> OwnEdges((("a", "b"), ("b", "c"))).graphs().names
    ['a', 'b', 'c']
    """

    edges: tuple[tuple[str, str], ...]

    def graphs(self) -> GraphSet:
        """Build it; vertices are in the order of their names."""
        graph = nx.Graph()
        graph.add_nodes_from(sorted({name for edge in self.edges for name in edge}))
        graph.add_edges_from(self.edges)
        return as_graph_set(graph)

    def words(self) -> str:
        """Return all edges."""
        return ", ".join(" ".join(edge) for edge in self.edges)


@dataclass(frozen=True)
class Together(GraphSource):
    """Several graphs side by side as one graph; their vertices are A0, A1, ..., B0, B1, ...

    Examples
    --------
    >>> both = Together((PresetGraph("cycle", (("n", 3),)), PresetGraph("cycle", (("n", 4),))))
    >>> both.graphs().names
    ['A0', 'A1', 'A2', 'B0', 'B1', 'B2', 'B3']
    """

    parts: tuple[GraphSource, ...]

    def graphs(self) -> GraphSet:
        """Join them."""
        named = [
            nx.relabel_nodes(part.graphs().to_networkx()[0], lambda v, x=letter: f"{x}{v}")
            for part, letter in zip(self.parts, ascii_uppercase, strict=False)
        ]
        return as_graph_set(nx.union_all(named))

    def words(self) -> str:
        """Return all parts."""
        return " and ".join(part.words() for part in self.parts)


@dataclass(frozen=True)
class DataSource(GraphSource):
    """A data set at hand, or one made by a recipe of ``mpgk_core.evaluation``."""

    name: str

    def graphs(self) -> GraphSet:
        """Return all its graphs."""
        return self.labelled().graphs

    def labelled(self) -> LabelledSet:
        """Return all its graphs with their classes."""
        return _labelled(*self.content())

    def content(self) -> tuple[Any, ...]:
        """Return its name, and what is another thing as soon as its file changes."""
        return self.name, _version(self.name)

    def words(self) -> str:
        """Return the name."""
        return f"data {self.name}"


@dataclass(frozen=True)
class DataGraph(GraphSource):
    """One graph of a data set, counted from 0."""

    name: str
    number: int

    def graphs(self) -> GraphSet:
        """Return this graph."""
        every = DataSource(self.name).graphs()
        if self.number >= len(every):
            raise InvalidParameterError(
                f"The data set {self.name!r} has {len(every)} graphs, so their numbers are 0 to "
                f"{len(every) - 1}. Got {self.number} instead."
            )
        return every[self.number]

    def content(self) -> tuple[Any, ...]:
        """Return name and number, and what is another thing as soon as the file changes."""
        return self.name, self.number, _version(self.name)

    def words(self) -> str:
        """Return name and number."""
        return f"data {self.name} {self.number}"


def _version(name: str) -> tuple[Any, ...]:
    return () if name in RECIPES else version_of(name)


@lru_cache(maxsize=4)
def _labelled(name: str, version: tuple[Any, ...]) -> LabelledSet:
    if name in RECIPES:
        return generate(name, _PER_CLASS)
    data = load(name)
    return LabelledSet(data.graphs, _as_words(data.classes.tolist()))


def _as_words(classes: Sequence[object]) -> tuple[str, ...]:
    return tuple(str(c) for c in classes)
