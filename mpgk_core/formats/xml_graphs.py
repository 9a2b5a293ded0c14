"""What GraphML and GEXF share: tags of vertices and edges, declared columns, escaped text."""

from __future__ import annotations

from dataclasses import dataclass

from mpgk_core.errors import shortened
from mpgk_core.formats.graph_collector import GraphCollector
from mpgk_core.formats.safe_xml import XmlStream
from mpgk_core.formats.source import Source

_WHOLE = {"int", "integer", "long", "short", "byte", "biginteger"}
_REAL = {"float", "double", "bigdecimal"}
_TRUTH = {"true": True, "1": True, "false": False, "0": False}
_MAX_DIGITS = 4_000


@dataclass(frozen=True)
class Declared:
    """A column of vertices that a file declares, and the type of its values."""

    column: str
    kind: str


class XmlGraphReader:
    """Puts the tags of an XML file into a collector.

    A method ``start_x`` of a subclass is called at ``<x>`` with the attributes, and returns True
    if the text up to ``</x>`` is wanted; a method ``end_x`` is called at ``</x>`` with that text.
    An underscore in the name of a method stands for the colon of a tag.

    Parameters
    ----------
    source : Source
        The file.
    title : str
        Name of its format.

    Attributes
    ----------
    in_graph, is_directed : bool
        Whether a graph is open, and whether its edges are directed by default.
    direction : str
        Attribute of an edge that overrides the default.
    undirected : tuple of str
        Values of this attribute for edges without direction.
    """

    in_graph = is_directed = False
    direction: str
    undirected: tuple[str, ...]

    def __init__(self, source: Source, title: str) -> None:
        self.stream = XmlStream(source)
        self.graphs = GraphCollector(source, title, place=lambda: self.stream.line)

    def run(self) -> GraphCollector:
        """Go through the file, and return what was collected."""
        starts, ends = (
            {
                name.removeprefix(prefix).replace("_", ":"): getattr(self, name)
                for name in dir(self)
                if name.startswith(prefix)
            }
            for prefix in ("start_", "end_")
        )
        self.stream.run(starts, ends)
        return self.graphs

    def add_vertex(self, attributes: dict[str, str]) -> int:
        """Add the vertex of a tag ``<node id="a">`` and return its number."""
        if not self.in_graph:
            raise self.stream.error("There is a vertex outside a graph.", "Put it into a <graph>.")
        if "id" not in attributes:
            raise self.stream.error("A vertex has no id.", "Give it one.")
        return self.graphs.vertex(attributes["id"])

    def start_edge(self, attributes: dict[str, str]) -> None:
        """Add the edge of a tag ``<edge source="a" target="b">``."""
        if not self.in_graph:
            raise self.stream.error("There is an edge outside a graph.", "Put it into a <graph>.")
        try:
            self.graphs.edge(attributes["source"], attributes["target"])
        except KeyError:
            raise self.stream.error(
                "An edge lacks its source or its target.", "Name both vertices."
            ) from None
        if self.is_directed or self.direction in attributes:
            self.graphs.directed |= attributes.get(self.direction) not in self.undirected

    def value(self, declared: Declared, text: str) -> bool | int | float | str | None:
        """Return a value of the declared type, or raise an error that names the line.

        Types that are not known are text. Where a number or a truth value is declared, an empty
        text is a missing value.
        """
        kind = declared.kind.lower()
        if kind not in _WHOLE and kind not in _REAL and kind != "boolean":
            return text
        plain = text.strip()
        if not plain:
            return None
        try:
            if kind in _REAL:
                return float(plain)
            if kind in _WHOLE and len(plain) <= _MAX_DIGITS:
                return int(plain)
            return _TRUTH[plain.lower()]
        except (ValueError, KeyError):
            raise self.stream.error(
                f"{shortened(plain)!r} is not of the type {shortened(kind)!r} that is declared "
                f"for {shortened(declared.column)!r}.",
                "Correct it, or declare the type string.",
            ) from None
