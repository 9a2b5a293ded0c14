"""Write graphs as node-link JSON, which networkx and d3 read; several graphs are a list."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from mpgk_core.formats.format import Writer
from mpgk_core.graphs import GraphSet
from mpgk_core.writers.json_parts import JsonGraph, file_of_graphs, json_graphs, json_list


def _write(graphs: GraphSet, classes: NDArray[Any] | None) -> bytes:
    return file_of_graphs([_text(graph) for graph in json_graphs(graphs, classes)])


def _text(graph: JsonGraph) -> str:
    ids = graph.ids
    nodes = json_list(
        f'{{"id": {name}{fields}}}' for name, fields in zip(ids, graph.fields, strict=True)
    )
    edges = json_list(f'{{"source": {ids[a]}, "target": {ids[b]}}}' for a, b in graph.edges)
    return (
        f'{{"directed": false, "multigraph": false, "graph": {graph.about},\n'
        f'"nodes": {nodes},\n"edges": {edges}}}'
    )


WRITER = Writer(
    "Node-link JSON", ".json", _write, keeps_attributes=True, many_graphs=True, keeps_classes=True
)
