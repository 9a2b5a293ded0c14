"""Read and write GraphML: any number of graphs, with the data of their vertices and edges."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from numpy.typing import NDArray

from mpgk_core.formats.columns import (
    Column,
    column_of,
    each_graph,
    texts_of_names,
    vertex_columns,
    written_edges,
)
from mpgk_core.formats.format import EVERYTHING, Format, GraphTables, Writer
from mpgk_core.formats.safe_xml import Declared, XmlGraphReader, xml_text
from mpgk_core.formats.source import Source
from mpgk_core.graphs import GraphSet

_TITLE = "GraphML"
#: Begins the ids of columns of edges, which may be called like those of vertices.
_EDGE = "edge_"


def read(source: Source) -> GraphTables:
    """Read a GraphML file.

    Every ``<graph>`` is a graph. A graph within a vertex is flattened: its vertices and edges
    belong to the outer graph. Ports are left out, and a ``<hyperedge>`` is an error. Ids are
    names, unless they are n0, n1, ... and a column "name" identifies the vertices, as in the
    files of igraph. The labels of yEd's drawings are columns "label".

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
    graphs = _Reader(source).collected()
    ids_only_count = graphs.ids == [f"n{i}" for i in range(len(graphs.ids))]
    return graphs.tables(shown_column="name", prefers_ids=not ids_only_count)


@dataclass(frozen=True)
class _Key(Declared):
    owner: str = "all"
    is_drawing: bool = False

    @property
    def has_default(self) -> bool:
        return self.owner in ("node", "edge", "all") and not self.is_drawing


class _Owner(NamedTuple):
    """An open vertex, or a graph, which has no number; the data of ports are deeper."""

    vertex: int | None
    data_depth: int
    was_directed: bool


class _Reader(XmlGraphReader):
    """``key`` is that of the open ``<key>`` or ``<data>``, which may be ``of_edge``."""

    def __init__(self, source: Source) -> None:
        super().__init__(source, _TITLE, "directed", ("false",))
        self.keys: dict[str, _Key] = {}
        self.key: _Key | None = None
        self.owners: list[_Owner] = []
        self.of_edge = False

    def start_graph(self, attributes: dict[str, str]) -> None:
        if self.owners:
            self.graphs.note("Graphs within vertices are flattened.")
        else:
            self.graphs.start_graph(attributes.get("id", ""))
        self.owners.append(_Owner(None, self.depth + 1, self.is_directed))
        self.in_graph, self.is_directed = True, attributes.get("edgedefault") == "directed"

    def end_graph(self, text: str) -> None:
        self.is_directed = self.owners.pop().was_directed
        self.in_graph = bool(self.owners)

    def start_node(self, attributes: dict[str, str]) -> None:
        vertex = self.add_vertex(attributes)
        self.edge_depth = 0
        self.owners.append(_Owner(vertex, self.depth + 1, self.is_directed))

    def end_node(self, text: str) -> None:
        self.owners.pop()

    def start_hyperedge(self, attributes: dict[str, str]) -> None:
        raise self.error(
            "There is a <hyperedge>, which joins more than two vertices.", "Replace it by edges."
        )

    def start_key(self, attributes: dict[str, str]) -> None:
        name = attributes.get("id", "")
        self.key = self.keys[name] = _Key(
            column=attributes.get("attr.name") or name,
            kind=attributes.get("attr.type", "string"),
            owner=attributes.get("for", "all"),
            is_drawing="yfiles.type" in attributes,
        )
        self.graphs.check("columns", len(self.keys))

    def end_key(self, text: str) -> None:
        self.key = None

    def start_default(self, attributes: dict[str, str]) -> bool:
        return self.key is not None and self.key.has_default

    def end_default(self, text: str) -> None:
        key = self.key
        if key is not None and key.has_default:
            value = self.value(key, text)
            if key.owner != "edge":
                self.graphs.default(key.column, value)
            if key.owner != "node":
                self.graphs.default(key.column, value, of_edges=True)

    def start_data(self, attributes: dict[str, str]) -> bool:
        self.of_edge = self.edge_depth > 0 and self.depth == self.edge_depth + 1
        is_of_owner = bool(self.owners) and self.depth == self.owners[-1].data_depth
        if not (self.of_edge or is_of_owner):
            return False
        name = attributes.get("key", "")
        self.key = self.keys.get(name) or _Key(name, "string")
        return not self.key.is_drawing

    def end_data(self, text: str) -> None:
        key, self.key = self.key, None
        if key is None or key.is_drawing or not self.owners:
            return
        vertex = self.owners[-1].vertex
        if self.of_edge:
            self.graphs.edge_value(self.edge, key.column, self.value(key, text))
        elif vertex is None:
            if len(self.owners) == 1 and key.column == "class":
                self.graphs.class_of_graph(self.value(key, text))
        elif key.column == "name":
            self.graphs.shown_name(vertex, self.value(key, text))
        else:
            self.graphs.value(vertex, key.column, self.value(key, text))

    def start_y_NodeLabel(self, attributes: dict[str, str]) -> bool:  # noqa: N802
        return self.key is not None

    def end_y_NodeLabel(self, text: str) -> None:  # noqa: N802
        vertex = self.owners[-1].vertex if self.key is not None and self.owners else None
        if vertex is not None and not self.of_edge:
            self.graphs.value(vertex, "label", text.strip())

    def start_y_EdgeLabel(self, attributes: dict[str, str]) -> bool:  # noqa: N802
        return self.key is not None

    def end_y_EdgeLabel(self, text: str) -> None:  # noqa: N802
        if self.key is not None and self.of_edge:
            self.graphs.edge_value(self.edge, "label", text.strip())


def write(graphs: GraphSet, classes: NDArray[Any] | None) -> Iterator[str]:
    """Yield a GraphML file with the class of each graph, piece by piece."""
    names = [xml_text(name) for name in texts_of_names(graphs)]
    columns = vertex_columns(graphs)
    all_edges, about_edges = written_edges(graphs)
    direction = "undirected" if graphs.edges is None or not graphs.edges.is_directed else "directed"
    about_graphs = [] if classes is None else [column_of("class", classes.tolist())]
    yield '<?xml version="1.0" encoding="UTF-8"?>\n'
    yield '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n'
    yield from (_key(column, "node") for column in columns)
    yield from (_key(column, "edge", _EDGE) for column in about_edges)
    yield from (_key(column, "graph") for column in about_graphs)
    for g, (start, stop, edges) in enumerate(each_graph(graphs, all_edges)):
        yield f'<graph edgedefault="{direction}">\n'
        yield from (f"  {line}\n" for line in _data(about_graphs, g))
        for v in range(start, stop):
            data = "".join(_data(columns, v))
            yield f'  <node id="{names[v]}">{data}</node>\n'
        for edge, a, b in edges:
            data = "".join(_data(about_edges, edge, _EDGE))
            ends = f'  <edge source="{names[a]}" target="{names[b]}"'
            yield f"{ends}>{data}</edge>\n" if data else f"{ends}/>\n"
        yield "</graph>\n"
    yield "</graphml>\n"


def _key(column: Column, owner: str, prefix: str = "") -> str:
    return (
        f'<key id="{prefix}{column.name}" for="{owner}" attr.name="{column.name}" '
        f'attr.type="{column.kind}"/>\n'
    )


def _data(columns: Sequence[Column], row: int, prefix: str = "") -> Iterator[str]:
    for column in columns:
        value = column.values[row]
        if value is not None:
            yield f'<data key="{prefix}{column.name}">{xml_text(str(value))}</data>'


def _recognises(source: Source) -> bool:
    return b"<graphml" in source.head or b":graphml" in source.head


FORMAT = Format(_TITLE, (".graphml", ".xml"), _recognises, read)
WRITER = Writer(
    _TITLE,
    ".graphml",
    write,
    keeps_attributes=True,
    many_graphs=True,
    keeps_classes=True,
    keeps_edges=EVERYTHING,
)
