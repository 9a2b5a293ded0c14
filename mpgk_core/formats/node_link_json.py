"""Read and write node-link JSON, as networkx and d3 do: a list of vertices and one of links."""

from __future__ import annotations

import re
from functools import partial
from typing import Any

from mpgk_core.formats import safe_json as shared
from mpgk_core.formats.format import Format, GraphTables
from mpgk_core.formats.graph_collector import GraphCollector
from mpgk_core.formats.source import Source

_TITLE = "Node-link JSON"
#: Larger whole numbers can be chosen such that a dictionary finds all of them in one place.
_SAFE_KEYS = 2**61 - 1
_SHAPE = 'Give {"nodes": [{"id": 1}, ...], "links": [{"source": 1, "target": 2}, ...]}.'


def read(source: Source) -> GraphTables:
    """Read node-link JSON: an object with "nodes" and "links" or "edges", or a list of these.

    A vertex is an object with an "id" (or at least a "name"), or just an id. A link is an object
    with "source" and "target", or a list of two ends. Links name their ends by id; if none of
    these is an id, but all are whole numbers, they count the vertices from 0. Objects and
    lists of numbers within a vertex are flattened into columns.

    Parameters
    ----------
    source : Source

    Returns
    -------
    GraphTables

    Examples
    --------
    >>> tables = read(Source("a.json", b'''{"nodes": [{"id": "a"}, {"id": "b"}],
    ...     "links": [{"source": "a", "target": "b"}]}'''))
    >>> tables.names, tables.edges.tolist()
    (['a', 'b'], [[0, 1]])
    """
    content = shared.load_json(source, _link_without_id)
    graphs = GraphCollector(source, _TITLE)
    for number, graph in enumerate(content if isinstance(content, list) else [content]):
        _take_graph(graphs, graph, f"Graph {number}")
    return graphs.tables()


def _take_graph(graphs: GraphCollector, content: Any, called: str) -> None:
    if not isinstance(content, dict):
        raise graphs.error(f"{called}: it is not an object.", _SHAPE)
    key = "links" if "links" in content else "edges"
    nodes, links = content.get("nodes"), content.get(key)
    if not isinstance(nodes, list) or not isinstance(links, list):
        missing = key if isinstance(nodes, list) else "nodes"
        raise graphs.error(f"{called}: it has no list {missing!r}.", _SHAPE)
    about = content.get("graph")
    about = {**about, **content} if isinstance(about, dict) else content
    shared.open_graph(graphs, about, content.get("directed") is True)
    vertices = _take_vertices(graphs, nodes, called)
    firsts, seconds, known = _ends(graphs, links, called)
    first_edge = graphs.n_edges
    try:
        graphs.numbered_edges([vertices[end] for end in firsts], [vertices[end] for end in seconds])
    except (KeyError, TypeError):  # TypeError: the end is a list
        _take_other_ends(graphs, firsts, seconds)
    for position, link in known.items():
        shared.take_link(graphs, first_edge + position, link)


def _take_vertices(graphs: GraphCollector, nodes: list[Any], called: str) -> dict[Any, int]:
    """Add the vertices, and return their numbers by the ids as they were loaded."""
    id_key = _id_key(nodes)
    vertices: dict[Any, int] = {}
    for position, node in enumerate(nodes):
        record = node if isinstance(node, dict) else {"id": node}
        name = position if id_key is None else record.get(id_key)
        if name is None:
            raise graphs.error(
                f"{called}: vertex {position} has no id.", "Give all vertices ids, or none."
            )
        vertex = graphs.vertex(shared.json_text(name))
        if type(name) is str or (type(name) is int and abs(name) < _SAFE_KEYS):
            vertices[name] = vertex
        if isinstance(node, dict):
            put = partial(graphs.value, vertex)
            shared.take_record(graphs, put, record, left_out=(id_key,) if id_key else ())
    return vertices


def _take_other_ends(graphs: GraphCollector, firsts: list[Any], seconds: list[Any]) -> None:
    """Add edges whose ends are ids in another spelling, or count the vertices."""
    number = graphs.number
    if all(
        type(end) is int and 0 <= end < len(number) and shared.json_text(end) not in number
        for end in firsts + seconds
    ):
        graphs.note("Links count the vertices from 0.")
        graphs.numbered_edges(firsts, seconds)
    else:
        for first, second in zip(firsts, seconds, strict=True):
            graphs.edge(shared.json_text(first), shared.json_text(second))


def _ends(
    graphs: GraphCollector, links: list[Any], called: str
) -> tuple[list[Any], list[Any], dict[int, shared.Link]]:
    """Return the ends of all links, and those links of which more is known, by their position."""
    firsts, seconds, known = [], [], {}
    for position, link in enumerate(links):
        if type(link) is not tuple:
            if isinstance(link, list) and len(link) >= 2:
                link = (*link[:2], "weight", link[2]) if len(link) > 2 else tuple(link)
            elif isinstance(link, dict):
                link = shared.link_or_record(link)
            if type(link) is not tuple:
                raise graphs.error(
                    f"{called}: link {position} lacks its source or its target.", _SHAPE
                )
        first, second = link[0], link[1]
        firsts.append(first.get("id") if isinstance(first, dict) else first)
        seconds.append(second.get("id") if isinstance(second, dict) else second)
        if len(link) > 2:
            known[position] = link
    return firsts, seconds, known


def _link_without_id(record: dict[str, Any]) -> shared.Link | dict[str, Any]:
    return record if "id" in record else shared.link_or_record(record)


def _id_key(nodes: list[Any]) -> str | None:
    """Return the key of the ids of vertices, or None if only their position identifies them."""
    records = [node for node in nodes if isinstance(node, dict)]
    if len(records) < len(nodes) or any("id" in record for record in records):
        return "id"
    for key in ("name", "label"):
        names = {shared.json_text(record[key]) for record in records if record.get(key) is not None}
        if records and len(names) == len(records):
            return key
    return None


def _text(graph: shared.JsonGraph) -> str:
    ids = graph.ids
    nodes = shared.json_list(
        f'{{"id": {name}{fields}}}' for name, fields in zip(ids, graph.fields, strict=True)
    )
    edges = shared.json_list(
        f'{{"source": {ids[a]}, "target": {ids[b]}{fields}}}' for a, b, fields in graph.edges
    )
    return f'{{{graph.kind}, "graph": {graph.about},\n"nodes": {nodes},\n"edges": {edges}}}'


def _recognises(source: Source) -> bool:
    return shared.looks_like_json(source) and bool(re.search(rb'"nodes"\s*:', source.plain))


FORMAT = Format(_TITLE, (".json",), _recognises, read)
WRITER = shared.json_writer(_TITLE, ".json", _text)
