"""Write graphs as GraphML."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from numpy.typing import NDArray

from mpgk_core.formats.columns import Column, column_of, each_graph, texts_of_names, vertex_columns
from mpgk_core.formats.format import Writer
from mpgk_core.formats.xml_graphs import xml_text
from mpgk_core.graphs import GraphSet


def _write(graphs: GraphSet, classes: NDArray[Any] | None) -> bytes:
    return "".join(_parts(graphs, classes)).encode()


def _parts(graphs: GraphSet, classes: NDArray[Any] | None) -> Iterator[str]:
    names = [xml_text(name) for name in texts_of_names(graphs)]
    columns = vertex_columns(graphs)
    about_graphs = [] if classes is None else [column_of("class", classes.tolist())]
    yield '<?xml version="1.0" encoding="UTF-8"?>\n'
    yield '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n'
    yield from (_key(column, "node") for column in columns)
    yield from (_key(column, "graph") for column in about_graphs)
    for g, (start, stop, edges) in enumerate(each_graph(graphs)):
        yield '<graph edgedefault="undirected">\n'
        yield from (f"  {line}\n" for line in _data(about_graphs, g))
        for v in range(start, stop):
            data = "".join(_data(columns, v))
            yield f'  <node id="{names[v]}">{data}</node>\n'
        yield from (f'  <edge source="{names[a]}" target="{names[b]}"/>\n' for a, b in edges)
        yield "</graph>\n"
    yield "</graphml>\n"


def _key(column: Column, owner: str) -> str:
    return (
        f'<key id="{column.name}" for="{owner}" attr.name="{column.name}" '
        f'attr.type="{column.kind}"/>\n'
    )


def _data(columns: Sequence[Column], row: int) -> Iterator[str]:
    for column in columns:
        yield f'<data key="{column.name}">{xml_text(str(column.values[row]))}</data>'


WRITER = Writer(
    "GraphML", ".graphml", _write, keeps_attributes=True, many_graphs=True, keeps_classes=True
)
