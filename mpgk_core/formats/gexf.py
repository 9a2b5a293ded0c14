"""Read GEXF 1.1 to 1.3, as Gephi and networkx write it."""

from __future__ import annotations

from mpgk_core.formats.format import Format
from mpgk_core.formats.graph_tables import GraphTables
from mpgk_core.formats.source import Source
from mpgk_core.formats.xml_graphs import Declared, XmlGraphReader

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
    return _Reader(source).run().tables(shown_column="label")


class _Reader(XmlGraphReader):
    """``declared`` is the column of the open ``<attribute>``, ``owners`` are the open vertices."""

    direction, undirected = "type", ("undirected", "mutual")

    def __init__(self, source: Source) -> None:
        super().__init__(source, _TITLE)
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
            self.graphs.check_columns(self.columns)

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


def _recognises(source: Source) -> bool:
    return b"<gexf" in source.head or b":gexf" in source.head


FORMAT = Format(_TITLE, (".gexf",), _recognises, read)
