"""Read GEXF 1.1 to 1.3, as Gephi and networkx write it, and write GEXF 1.3."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from numpy.typing import NDArray

from mpgk_core.formats.columns import (
    Column,
    each_graph,
    texts_of_names,
    vertex_columns,
    written_edges,
)
from mpgk_core.formats.format import EVERYTHING, Format, GraphTables, Writer
from mpgk_core.formats.safe_xml import Declared, XmlGraphReader, xml_text
from mpgk_core.formats.source import Source
from mpgk_core.graphs import GraphSet

_TITLE = "GEXF"
_WEIGHT = Declared("weight", "double")


def read(source: Source) -> GraphTables:
    """Read a GEXF file.

    The labels are the names of the vertices if all vertices have one and they differ; the ids are
    then a column "id", unless they are only numbers in order. Otherwise the ids are the names, and
    the labels are a column "label". Vertices within vertices are flattened. Colours, positions,
    sizes and everything that changes in time are left out.

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
    return _Reader(source).collected().tables(shown_column="label")


class _Reader(XmlGraphReader):
    """``declared`` is the column of the open ``<attribute>``, ``owners`` are the open vertices.

    ``columns`` are those of vertices and of edges, and ``kind`` is which of them are declared now.
    """

    def __init__(self, source: Source) -> None:
        super().__init__(source, _TITLE, "type", ("undirected", "mutual"))
        self.columns: dict[str, dict[str, Declared]] = {"node": {}, "edge": {}}
        self.declared: Declared | None = None
        self.kind = ""
        self.owners: list[int] = []
        self.in_edge = False

    def start_graph(self, attributes: dict[str, str]) -> None:
        self.graphs.start_graph(attributes.get("name", ""))
        self.columns, self.in_graph = {"node": {}, "edge": {}}, True
        self.is_directed = attributes.get("defaultedgetype") == "directed"

    def start_attributes(self, attributes: dict[str, str]) -> None:
        self.kind = attributes.get("class", "node")
        if attributes.get("mode") == "dynamic":
            self.graphs.note("Values that change in time are ignored.")
            self.kind = ""

    def start_attribute(self, attributes: dict[str, str]) -> None:
        columns = self.columns.get(self.kind)
        if columns is not None:
            name = attributes.get("id", "")
            self.declared = columns[name] = Declared(
                attributes.get("title") or name, attributes.get("type", "string")
            )
            self.graphs.check("columns", len(columns))

    def end_attribute(self, text: str) -> None:
        self.declared = None

    def start_default(self, attributes: dict[str, str]) -> bool:
        return self.declared is not None

    def end_default(self, text: str) -> None:
        if self.declared is not None:
            value = self.value(self.declared, text)
            self.graphs.default(self.declared.column, value, of_edges=self.kind == "edge")

    def start_node(self, attributes: dict[str, str]) -> None:
        vertex = self.add_vertex(attributes)
        if self.owners:
            self.graphs.note("Vertices within vertices are flattened.")
        self.owners.append(vertex)
        if "label" in attributes:
            self.graphs.shown_name(vertex, attributes["label"])

    def end_node(self, text: str) -> None:
        self.owners.pop()

    def start_edge(self, attributes: dict[str, str]) -> None:
        self.in_edge = True
        super().start_edge(attributes)
        if "weight" in attributes:
            self.graphs.default("weight", 1.0, of_edges=True)  # as the format defines
            weight = self.value(_WEIGHT, attributes["weight"])
            self.graphs.edge_value(self.edge, "weight", weight)
        if "label" in attributes:
            self.graphs.edge_value(self.edge, "label", attributes["label"])

    def end_edge(self, text: str) -> None:
        self.in_edge = False

    def start_attvalue(self, attributes: dict[str, str]) -> None:
        columns = self.columns["edge" if self.in_edge else "node"]
        declared = columns.get(attributes.get("for") or attributes.get("id") or "")
        if declared is None:
            return
        value = self.value(declared, attributes.get("value", ""))
        if self.in_edge:
            self.graphs.edge_value(self.edge, declared.column, value)
        elif self.owners:
            self.graphs.value(self.owners[-1], declared.column, value)


def write(graphs: GraphSet, _: NDArray[Any] | None) -> Iterator[str]:
    """Yield a GEXF file, piece by piece."""
    names = [xml_text(name) for name in texts_of_names(graphs)]
    columns = vertex_columns(graphs)
    all_edges, about_edges = written_edges(graphs)
    direction = "undirected" if graphs.edges is None or not graphs.edges.is_directed else "directed"
    labels = [column for column in about_edges if column.name == "label"]
    weights = [column.values for column in about_edges if column.name == "weight"]
    yield '<?xml version="1.0" encoding="UTF-8"?>\n'
    yield '<gexf xmlns="http://gexf.net/1.3" version="1.3">\n'
    yield f'<graph mode="static" defaultedgetype="{direction}">\n'
    yield from _declarations("node", columns)
    if labels:
        yield from _declarations("edge", labels)
    for start, stop, edges in each_graph(graphs, all_edges):
        yield "<nodes>\n"
        for v in range(start, stop):
            values = _values(columns, v)
            yield f'  <node id="{names[v]}" label="{names[v]}">{values}</node>\n'
        yield "</nodes>\n<edges>\n"
        for number, (edge, a, b) in enumerate(edges):
            weight = "".join(f' weight="{of_edge[edge]}"' for of_edge in weights)
            ends = f'  <edge id="{number}" source="{names[a]}" target="{names[b]}"{weight}'
            values = _values(labels, edge)
            yield f"{ends}>{values}</edge>\n" if values else f"{ends}/>\n"
        yield "</edges>\n"
    yield "</graph>\n</gexf>\n"


def _declarations(owner: str, columns: Sequence[Column]) -> Iterator[str]:
    yield f'<attributes class="{owner}" mode="static">\n'
    for number, column in enumerate(columns):
        yield f'  <attribute id="{number}" title="{column.name}" type="{column.kind}"/>\n'
    yield "</attributes>\n"


def _values(columns: Sequence[Column], row: int) -> str:
    values = "".join(
        f'<attvalue for="{number}" value="{xml_text(str(column.values[row]))}"/>'
        for number, column in enumerate(columns)
        if column.values[row] is not None
    )
    return f"<attvalues>{values}</attvalues>" if values else ""


def _recognises(source: Source) -> bool:
    return b"<gexf" in source.head or b":gexf" in source.head


FORMAT = Format(_TITLE, (".gexf",), _recognises, read)
WRITER = Writer(_TITLE, ".gexf", write, keeps_attributes=True, keeps_edges=EVERYTHING)
