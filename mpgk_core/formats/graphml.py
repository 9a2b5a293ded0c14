"""Read GraphML: any number of graphs, with everything that is said of their vertices."""

from __future__ import annotations

from dataclasses import dataclass

from mpgk_core.formats.format import Format
from mpgk_core.formats.graph_collector import GraphCollector
from mpgk_core.formats.graph_tables import GraphTables
from mpgk_core.formats.safe_xml import XmlStream
from mpgk_core.formats.source import Source
from mpgk_core.formats.xml_values import xml_value

_TITLE = "GraphML"
_GRAPH, _NOWHERE = -1, -1


def read(source: Source) -> GraphTables:
    """Read a GraphML file.

    Every ``<graph>`` is a graph. A graph within a vertex is flattened: its vertices and edges
    belong to the outer graph. Ports are left out, and a ``<hyperedge>`` is an error. Ids are
    names, unless they are n0, n1, ... and a column "name" tells the vertices apart, as in the
    files of igraph. The labels of yEd's drawings are a column "label".

    Parameters
    ----------
    source : Source

    Returns
    -------
    GraphTables

    Examples
    --------
    >>> tables = read(Source("a.graphml", b'''<graphml><graph edgedefault="undirected">
    ...     <node id="a"/><node id="b"/><edge source="a" target="b"/></graph></graphml>'''))
    >>> tables.names, tables.edges.tolist()
    (['a', 'b'], [[0, 1]])
    """
    graphs = _Handler(XmlStream(source)).run()
    ids_only_count = graphs.ids == [f"n{i}" for i in range(len(graphs.ids))]
    return graphs.tables(shown_column="name", prefers_ids=not ids_only_count)


@dataclass(frozen=True)
class _Key:
    column: str
    kind: str
    owner: str
    is_drawing: bool


class _Handler:
    """Puts what the tags say into a collector.

    ``owners`` are the open vertices and graphs; their data are at ``data_depth``, while those of
    edges and ports are deeper.
    """

    def __init__(self, stream: XmlStream) -> None:
        self.stream = stream
        self.graphs = GraphCollector(stream.source, _TITLE, place=lambda: stream.line)
        self.keys: dict[str, _Key] = {}
        self.key: _Key | None = None
        self.owners: list[tuple[int, int, bool]] = []
        self.data_depth = _NOWHERE
        self.is_directed = False

    def run(self) -> GraphCollector:
        starts = {
            "key": self._start_key,
            "default": self._start_default,
            "graph": self._start_graph,
            "node": self._start_node,
            "edge": self._start_edge,
            "hyperedge": self._start_hyperedge,
            "data": self._start_data,
            "y:NodeLabel": self._start_label,
        }
        ends = {
            "key": self._end_key,
            "default": self._end_default,
            "graph": self._end_owner,
            "node": self._end_owner,
            "data": self._end_data,
            "y:NodeLabel": self._end_label,
        }
        self.stream.run(starts, ends)
        return self.graphs

    def _start_edge(self, attributes: dict[str, str]) -> bool:
        if not self.owners:
            raise self.stream.error("There is an edge outside a graph.", "Put it into a <graph>.")
        try:
            self.graphs.edge(attributes["source"], attributes["target"])
        except KeyError:
            raise self.stream.error(
                "An edge lacks its source or its target.", "Name both vertices."
            ) from None
        if self.is_directed or "directed" in attributes:
            self.graphs.directed |= attributes.get("directed") != "false"
        return False

    def _start_node(self, attributes: dict[str, str]) -> bool:
        if not self.owners:
            raise self.stream.error("There is a vertex outside a graph.", "Put it into a <graph>.")
        if "id" not in attributes:
            raise self.stream.error("A vertex has no id.", "Give it one.")
        self._open(self.graphs.vertex(attributes["id"]))
        return False

    def _start_graph(self, attributes: dict[str, str]) -> bool:
        if self.owners:
            self.graphs.note("Graphs within vertices are flattened.")
        else:
            self.graphs.start_graph(attributes.get("id", ""))
        self._open(_GRAPH)
        self.is_directed = attributes.get("edgedefault") == "directed"
        return False

    def _start_hyperedge(self, attributes: dict[str, str]) -> bool:
        raise self.stream.error(
            "There is a <hyperedge>, which joins more than two vertices.", "Replace it by edges."
        )

    def _open(self, owner: int) -> None:
        self.owners.append((self.data_depth, owner, self.is_directed))
        self.data_depth = self.stream.depth + 1

    def _end_owner(self, text: str) -> None:
        self.data_depth, _, self.is_directed = self.owners.pop()

    def _start_key(self, attributes: dict[str, str]) -> bool:
        name = attributes.get("id", "")
        self.key = self.keys[name] = _Key(
            column=attributes.get("attr.name") or name,
            kind=attributes.get("attr.type", "string"),
            owner=attributes.get("for", "all"),
            is_drawing="yfiles.type" in attributes,
        )
        self.graphs.check_columns(self.keys)
        if self.key.owner == "edge" and self.key.column.lower() == "weight":
            self.graphs.weighted = True
        return False

    def _start_default(self, attributes: dict[str, str]) -> bool:
        return self.key is not None and self.key.owner in ("node", "all")

    def _end_default(self, text: str) -> None:
        key = self.key
        if key is not None and key.owner in ("node", "all") and not key.is_drawing:
            self.graphs.default(key.column, self._value(key, text))

    def _end_key(self, text: str) -> None:
        self.key = None

    def _start_data(self, attributes: dict[str, str]) -> bool:
        if self.stream.depth != self.data_depth:
            return False
        name = attributes.get("key", "")
        self.key = self.keys.get(name) or _Key(name, "string", "all", is_drawing=False)
        return not self.key.is_drawing

    def _end_data(self, text: str) -> None:
        key, self.key = self.key, None
        if key is None or key.is_drawing or not self.owners:
            return
        owner = self.owners[-1][1]
        if owner != _GRAPH and key.column == "name":
            self.graphs.shown_name(owner, self._value(key, text))
        elif owner != _GRAPH:
            self.graphs.value(owner, key.column, self._value(key, text))
        elif len(self.owners) == 1 and key.column == "class":
            self.graphs.class_of_graph(self._value(key, text))

    def _start_label(self, attributes: dict[str, str]) -> bool:
        return self.key is not None

    def _end_label(self, text: str) -> None:
        if self.key is not None and self.owners and self.owners[-1][1] != _GRAPH:
            self.graphs.value(self.owners[-1][1], "label", text.strip())

    def _value(self, key: _Key, text: str) -> bool | int | float | str | None:
        value: bool | int | float | str | None = xml_value(self.stream, key.kind, text, key.column)
        return value


def _recognises(source: Source) -> bool:
    return b"<graphml" in source.head or b":graphml" in source.head


FORMAT = Format(_TITLE, (".graphml", ".xml"), _recognises, read)
