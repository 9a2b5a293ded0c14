"""Read GEXF 1.1 to 1.3, as Gephi and networkx write it."""

from __future__ import annotations

from dataclasses import dataclass

from mpgk_core.formats.format import Format
from mpgk_core.formats.graph_collector import GraphCollector
from mpgk_core.formats.graph_tables import GraphTables
from mpgk_core.formats.safe_xml import XmlStream
from mpgk_core.formats.source import Source
from mpgk_core.formats.xml_values import xml_value

_TITLE = "GEXF"


def read(source: Source) -> GraphTables:
    """Read a GEXF file.

    Vertices are called by their labels where all these are there and differ; the ids are then a
    column "id", unless they merely count. Otherwise vertices are called by their ids, and the
    labels are a column "label". Vertices within vertices are flattened. Colours, positions and
    sizes are left out, and so is everything that changes in time.

    Parameters
    ----------
    source : Source

    Returns
    -------
    GraphTables

    Examples
    --------
    >>> tables = read(Source("a.gexf", b'''<gexf><graph><nodes><node id="7" label="Ann"/>
    ...     <node id="5" label="Bob"/></nodes><edges><edge source="5" target="7"/></edges>
    ...     </graph></gexf>'''))
    >>> tables.names, tables.edges.tolist(), tables.columns["id"].tolist()
    (['Ann', 'Bob'], [[1, 0]], [7, 5])
    """
    return _Handler(XmlStream(source)).run().tables(shown_column="label")


@dataclass(frozen=True)
class _Attribute:
    column: str
    kind: str


class _Handler:
    """Puts what the tags say into a collector; ``owners`` are the open vertices."""

    def __init__(self, stream: XmlStream) -> None:
        self.stream = stream
        self.graphs = GraphCollector(stream.source, _TITLE, place=lambda: stream.line)
        self.attributes: dict[str, _Attribute] = {}
        self.declared: _Attribute | None = None
        self.has_static_nodes = False
        self.owners: list[int] = []
        self.is_open = self.is_in_edge = False
        self.default_type = "undirected"

    def run(self) -> GraphCollector:
        starts = {
            "graph": self._start_graph,
            "attributes": self._start_attributes,
            "attribute": self._start_attribute,
            "default": self._start_default,
            "node": self._start_node,
            "edge": self._start_edge,
            "attvalue": self._start_value,
        }
        ends = {
            "attribute": self._end_attribute,
            "default": self._end_default,
            "node": self._end_node,
            "edge": self._end_edge,
        }
        self.stream.run(starts, ends)
        return self.graphs

    def _start_graph(self, attributes: dict[str, str]) -> bool:
        self.graphs.start_graph(attributes.get("name", ""))
        self.attributes, self.is_open = {}, True
        self.default_type = attributes.get("defaultedgetype", "undirected")
        return False

    def _start_attributes(self, attributes: dict[str, str]) -> bool:
        is_dynamic = attributes.get("mode") == "dynamic"
        of_nodes = attributes.get("class", "node") == "node"
        if is_dynamic and of_nodes:
            self.graphs.note("Values that change in time are ignored.")
        self.has_static_nodes = of_nodes and not is_dynamic
        return False

    def _start_attribute(self, attributes: dict[str, str]) -> bool:
        if self.has_static_nodes:
            name = attributes.get("id", "")
            self.declared = self.attributes[name] = _Attribute(
                attributes.get("title") or name, attributes.get("type", "string")
            )
            self.graphs.check_columns(self.attributes)
        return False

    def _start_default(self, attributes: dict[str, str]) -> bool:
        return self.declared is not None

    def _end_default(self, text: str) -> None:
        if self.declared is not None:
            self.graphs.default(self.declared.column, self._value(self.declared, text))

    def _end_attribute(self, text: str) -> None:
        self.declared = None

    def _start_node(self, attributes: dict[str, str]) -> bool:
        if not self.is_open:
            raise self.stream.error("There is a vertex outside a graph.", "Put it into a <graph>.")
        if "id" not in attributes:
            raise self.stream.error("A vertex has no id.", "Give it one.")
        if self.owners:
            self.graphs.note("Vertices within vertices are flattened.")
        vertex = self.graphs.vertex(attributes["id"])
        self.owners.append(vertex)
        label = attributes.get("label")
        if label is not None:
            self.graphs.shown_name(vertex, label)
        return False

    def _end_node(self, text: str) -> None:
        self.owners.pop()

    def _start_edge(self, attributes: dict[str, str]) -> bool:
        self.is_in_edge = True
        if not self.is_open:
            raise self.stream.error("There is an edge outside a graph.", "Put it into a <graph>.")
        try:
            self.graphs.edge(attributes["source"], attributes["target"])
        except KeyError:
            raise self.stream.error(
                "An edge lacks its source or its target.", "Name both vertices."
            ) from None
        if attributes.get("type", self.default_type) == "directed":
            self.graphs.directed = True
        if "weight" in attributes:
            self.graphs.weighted = True
        return False

    def _end_edge(self, text: str) -> None:
        self.is_in_edge = False

    def _start_value(self, attributes: dict[str, str]) -> bool:
        if self.is_in_edge or not self.owners:
            return False
        attribute = self.attributes.get(attributes.get("for") or attributes.get("id") or "")
        if attribute is not None:
            value = self._value(attribute, attributes.get("value", ""))
            self.graphs.value(self.owners[-1], attribute.column, value)
        return False

    def _value(self, attribute: _Attribute, text: str) -> bool | int | float | str | None:
        value: bool | int | float | str | None = xml_value(
            self.stream, attribute.kind, text, attribute.column
        )
        return value


def _recognises(source: Source) -> bool:
    return b"<gexf" in source.head or b":gexf" in source.head


FORMAT = Format(_TITLE, (".gexf",), _recognises, read)
