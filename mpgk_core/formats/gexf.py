"""Read GEXF 1.1 to 1.3, as Gephi and networkx write it, and write GEXF 1.3."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from numpy.typing import NDArray

from mpgk_core.formats.columns import each_graph, texts_of_names, vertex_columns
from mpgk_core.formats.format import Format, GraphTables, Writer
from mpgk_core.formats.safe_xml import Declared, XmlGraphReader, xml_text
from mpgk_core.formats.source import Source
from mpgk_core.graphs import GraphSet

_TITLE = "GEXF"


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
    """``declared`` is the column of the open ``<attribute>``, ``owners`` are the open vertices."""

    def __init__(self, source: Source) -> None:
        super().__init__(source, _TITLE, "type", ("undirected", "mutual"))
        self.columns: dict[str, Declared] = {}
        self.declared: Declared | None = None
        self.declares_columns = False
        self.owners: list[int] = []
        self.in_edge = False

    def start_graph(self, attributes: dict[str, str]) -> None:
        self.graphs.start_graph(attributes.get("name", ""))
        self.columns, self.in_graph = {}, True
        self.is_directed = attributes.get("defaultedgetype") == "directed"

    def start_attributes(self, attributes: dict[str, str]) -> None:
        is_dynamic = attributes.get("mode") == "dynamic"
        of_vertices = attributes.get("class", "node") == "node"
        if is_dynamic and of_vertices:
            self.graphs.note("Values that change in time are ignored.")
        self.declares_columns = of_vertices and not is_dynamic

    def start_attribute(self, attributes: dict[str, str]) -> None:
        if self.declares_columns:
            name = attributes.get("id", "")
            self.declared = self.columns[name] = Declared(
                attributes.get("title") or name, attributes.get("type", "string")
            )
            self.graphs.check("columns", len(self.columns))

    def end_attribute(self, text: str) -> None:
        self.declared = None

    def start_default(self, attributes: dict[str, str]) -> bool:
        return self.declared is not None

    def end_default(self, text: str) -> None:
        if self.declared is not None:
            self.graphs.default(self.declared.column, self.value(self.declared, text))

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
            self.graphs.weighted = True

    def end_edge(self, text: str) -> None:
        self.in_edge = False

    def start_attvalue(self, attributes: dict[str, str]) -> None:
        declared = self.columns.get(attributes.get("for") or attributes.get("id") or "")
        if declared is not None and self.owners and not self.in_edge:
            value = self.value(declared, attributes.get("value", ""))
            self.graphs.value(self.owners[-1], declared.column, value)


def write(graphs: GraphSet, _: NDArray[Any] | None) -> Iterator[str]:
    """Yield a GEXF file, piece by piece."""
    names = [xml_text(name) for name in texts_of_names(graphs)]
    columns = vertex_columns(graphs)
    yield '<?xml version="1.0" encoding="UTF-8"?>\n'
    yield '<gexf xmlns="http://gexf.net/1.3" version="1.3">\n'
    yield '<graph mode="static" defaultedgetype="undirected">\n'
    yield '<attributes class="node" mode="static">\n'
    for number, column in enumerate(columns):
        yield f'  <attribute id="{number}" title="{column.name}" type="{column.kind}"/>\n'
    yield "</attributes>\n"
    for start, stop, edges in each_graph(graphs):
        yield "<nodes>\n"
        for v in range(start, stop):
            values = "".join(
                f'<attvalue for="{number}" value="{xml_text(str(column.values[v]))}"/>'
                for number, column in enumerate(columns)
            )
            yield f'  <node id="{names[v]}" label="{names[v]}">'
            yield f"<attvalues>{values}</attvalues></node>\n" if values else "</node>\n"
        yield "</nodes>\n<edges>\n"
        for number, (a, b) in enumerate(edges):
            yield f'  <edge id="{number}" source="{names[a]}" target="{names[b]}"/>\n'
        yield "</edges>\n"
    yield "</graph>\n</gexf>\n"


def _recognises(source: Source) -> bool:
    return b"<gexf" in source.head or b":gexf" in source.head


FORMAT = Format(_TITLE, (".gexf",), _recognises, read)
WRITER = Writer(_TITLE, ".gexf", write, keeps_attributes=True)
