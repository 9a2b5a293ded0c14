"""Read and write the JSON of Cytoscape and Cytoscape.js: elements with their data in an object."""

from __future__ import annotations

import re
from functools import partial
from typing import Any

from mpgk_core.formats import safe_json as shared
from mpgk_core.formats.format import Format, GraphTables
from mpgk_core.formats.graph_collector import GraphCollector
from mpgk_core.formats.source import Source

_TITLE = "Cytoscape JSON"
_SHAPE = 'Give {"elements": {"nodes": [{"data": {"id": "a"}}, ...], "edges": [...]}}.'
_BOOKKEEPING = ("id", "name", "shared_name", "shared_interaction", "SUID", "selected")


def read(source: Source) -> GraphTables:
    """Read Cytoscape JSON: elements in two lists or in one; a list of graphs is fine too.

    The names of the vertices are their "name" if all vertices have one and they differ, otherwise
    their id. Positions, styles, internal numbers of Cytoscape and a "value" that repeats the id are
    left out.

    Parameters
    ----------
    source : Source

    Returns
    -------
    GraphTables

    Examples
    --------
    >>> tables = read(Source("a.cyjs", b'''{"elements": [{"data": {"id": "a"}},
    ...     {"data": {"id": "b"}}, {"data": {"source": "a", "target": "b"}}]}'''))
    >>> tables.names, tables.edges.tolist()
    (['a', 'b'], [[0, 1]])
    """
    content = shared.load_json(source, _data_of_element)
    is_many = isinstance(content, list) and any("elements" in _object(item) for item in content)
    graphs = GraphCollector(source, _TITLE)
    for graph in content if is_many else [content]:
        nodes, links = _elements(source, graph)
        is_directed = _object(graph).get("directed") is True
        shared.open_graph(graphs, _object(_object(graph).get("data")), is_directed)
        for data in nodes:
            _take_vertex(graphs, data)
        for link in links:
            edge = graphs.edge(shared.json_text(link[0]), shared.json_text(link[1]))
            shared.take_link(graphs, edge, link, _BOOKKEEPING)
    return graphs.tables(shown_column="name")


def _data_of_element(record: dict[str, Any]) -> shared.Link | dict[str, Any]:
    """Return the data of a vertex as it is, of an edge as a tuple, and everything else."""
    is_element = "data" in record and "elements" not in record and "id" not in record
    data = record["data"] if is_element else record
    return shared.link_or_record(data) if isinstance(data, dict) else data


def _object(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _elements(source: Source, graph: Any) -> tuple[list[Any], list[shared.Link]]:
    """Return the vertices and the edges."""
    elements = graph["elements"] if "elements" in _object(graph) else graph
    lists = [elements]
    if isinstance(elements, dict):
        lists = [elements.get("nodes"), elements.get("edges", [])]
    if not all(isinstance(some, list) for some in lists):
        raise source.error("There are no lists of nodes and edges.", _SHAPE)
    every = [element for some in lists for element in some]
    return (
        [element for element in every if not isinstance(element, tuple)],
        [element for element in every if isinstance(element, tuple)],
    )


def _take_vertex(graphs: GraphCollector, data: Any) -> None:
    if _object(data).get("id") is None:
        raise graphs.error("A vertex has no id, or an edge lacks its source or target.", _SHAPE)
    name = shared.json_text(data["id"])
    vertex = graphs.vertex(name)
    if data.get("name") is not None:
        graphs.shown_name(vertex, shared.json_text(data["name"]))
    repeats_id = "value" in data and shared.json_text(data["value"]) == name
    left_out = (*_BOOKKEEPING, "value") if repeats_id else _BOOKKEEPING
    shared.take_record(graphs, partial(graphs.value, vertex), data, left_out)


def _text(graph: shared.JsonGraph) -> str:
    names = graph.names
    nodes = shared.json_list(
        f'{{"data": {{"id": {name}, "value": {value}, "name": {name}{fields}}}}}'
        for name, value, fields in zip(names, graph.ids, graph.fields, strict=True)
    )
    edges = shared.json_list(
        f'{{"data": {{"source": {names[a]}, "target": {names[b]}{fields}}}}}'
        for a, b, fields in graph.edges
    )
    return (
        f'{{"data": {graph.about}, {graph.kind},\n'
        f'"elements": {{"nodes": {nodes},\n"edges": {edges}}}}}'
    )


def _recognises(source: Source) -> bool:
    if not shared.looks_like_json(source):
        return False
    is_list_of_elements = re.match(rb'\[\s*\{\s*"(?:data|group)"\s*:', source.head)
    return bool(is_list_of_elements or re.search(rb'"elements"\s*:\s*[\[{]', source.plain))


FORMAT = Format(_TITLE, (".cyjs", ".json"), _recognises, read)
WRITER = shared.json_writer(_TITLE, ".cyjs", _text)
