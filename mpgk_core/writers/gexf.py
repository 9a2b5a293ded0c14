"""Write a graph as GEXF 1.3, for Gephi."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from numpy.typing import NDArray

from mpgk_core.formats.columns import each_graph, texts_of_names, vertex_columns
from mpgk_core.formats.format import Writer
from mpgk_core.formats.xml_graphs import xml_text
from mpgk_core.graphs import GraphSet


def _write(graphs: GraphSet, classes: NDArray[Any] | None) -> bytes:
    return "".join(_parts(graphs)).encode()


def _parts(graphs: GraphSet) -> Iterator[str]:
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


WRITER = Writer("GEXF", ".gexf", _write, keeps_attributes=True, many_graphs=False)
