"""Write graphs as the JSON of Cytoscape and Cytoscape.js; several graphs are a list."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from mpgk_core.formats.format import Writer
from mpgk_core.graphs import GraphSet
from mpgk_core.writers.json_parts import JsonGraph, file_of_graphs, json_graphs, json_list


def _write(graphs: GraphSet, classes: NDArray[Any] | None) -> bytes:
    return file_of_graphs([_text(graph) for graph in json_graphs(graphs, classes)])


def _text(graph: JsonGraph) -> str:
    names = graph.names
    nodes = json_list(
        f'{{"data": {{"id": {name}, "value": {value}, "name": {name}{fields}}}}}'
        for name, value, fields in zip(names, graph.ids, graph.fields, strict=True)
    )
    edges = json_list(
        f'{{"data": {{"source": {names[a]}, "target": {names[b]}}}}}' for a, b in graph.edges
    )
    return (
        f'{{"data": {graph.about}, "directed": false, "multigraph": false,\n'
        f'"elements": {{"nodes": {nodes},\n"edges": {edges}}}}}'
    )


WRITER = Writer(
    "Cytoscape JSON", ".cyjs", _write, keeps_attributes=True, many_graphs=True, keeps_classes=True
)
