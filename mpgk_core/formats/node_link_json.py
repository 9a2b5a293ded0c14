"""Read and write node-link JSON, as networkx and d3 do: a list of vertices and one of links."""

from __future__ import annotations

import re
from typing import Any

from mpgk_core.errors import UnreadableFileError
from mpgk_core.formats import json_graphs as shared
from mpgk_core.formats.format import Format, GraphTables
from mpgk_core.formats.graph_collector import GraphCollector
from mpgk_core.formats.safe_json import load_json, looks_like_json
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
    content = load_json(source, _link_without_id)
    graphs = GraphCollector(source, _TITLE)
    for number, graph in enumerate(content if isinstance(content, list) else [content]):
        _Graph(graphs, number, graph).take()
    return graphs.tables()


class _Graph:
    """One graph of the file, to be put into the collector."""

    def __init__(self, graphs: GraphCollector, number: int, content: Any) -> None:
        self.graphs, self.number, self.content = graphs, number, content
        if not isinstance(content, dict):
            raise self.error("it is not an object.", _SHAPE)

    def error(self, problem: str, remedy: str) -> UnreadableFileError:
        return self.graphs.error(f"Graph {self.number}: {problem}", remedy)

    def take(self) -> None:
        nodes = self._list("nodes")
        links = self._list("links" if "links" in self.content else "edges")
        about = self.content.get("graph")
        about = {**about, **self.content} if isinstance(about, dict) else self.content
        self.graphs.start_graph(shared.json_text(about.get("name") or ""))
        if about.get("class") is not None:
            self.graphs.class_of_graph(about["class"])
        if self.content.get("directed") is True and links:
            self.graphs.directed = True
        vertices = self._take_vertices(nodes)
        self._take_links(links, vertices)

    def _list(self, key: str) -> list[Any]:
        value = self.content.get(key)
        if not isinstance(value, list):
            raise self.error(f"it has no list {key!r}.", _SHAPE)
        return value

    def _take_vertices(self, nodes: list[Any]) -> dict[Any, int]:
        """Add the vertices, and return their numbers by the ids as they were loaded."""
        id_key = _id_key(nodes)
        vertices: dict[Any, int] = {}
        for position, node in enumerate(nodes):
            record = node if isinstance(node, dict) else {"id": node}
            name = position if id_key is None else record.get(id_key)
            if name is None:
                raise self.error(f"vertex {position} has no id.", "Give all vertices ids, or none.")
            vertex = self.graphs.vertex(shared.json_text(name))
            if type(name) is str or (type(name) is int and abs(name) < _SAFE_KEYS):
                vertices[name] = vertex
            if isinstance(node, dict):
                shared.take_record(
                    self.graphs, vertex, record, left_out=(id_key,) if id_key else ()
                )
        return vertices

    def _take_links(self, links: list[Any], vertices: dict[Any, int]) -> None:
        firsts, seconds = self._ends(links)
        try:
            found = [vertices[end] for end in firsts], [vertices[end] for end in seconds]
        except (KeyError, TypeError):  # TypeError: the end is a list
            found = None
        if found is not None:
            self.graphs.numbered_edges(*found)
        elif self._count_vertices(firsts + seconds):
            self.graphs.note("Links count the vertices from 0.")
            self.graphs.numbered_edges(firsts, seconds)
        else:
            for first, second in zip(firsts, seconds, strict=True):
                self.graphs.edge(shared.json_text(first), shared.json_text(second))

    def _count_vertices(self, ends: list[Any]) -> bool:
        number = self.graphs.number
        return all(type(end) is int and 0 <= end < len(number) for end in ends) and not any(
            shared.json_text(end) in number for end in ends
        )

    def _ends(self, links: list[Any]) -> tuple[list[Any], list[Any]]:
        firsts, seconds = [], []
        for position, link in enumerate(links):
            first, second, has_weight = link if type(link) is tuple else self._link(position, link)
            if has_weight:
                self.graphs.weighted = True
            firsts.append(first.get("id") if isinstance(first, dict) else first)
            seconds.append(second.get("id") if isinstance(second, dict) else second)
        return firsts, seconds

    def _link(self, position: int, link: Any) -> shared.Link:
        if isinstance(link, list) and len(link) >= 2:
            return link[0], link[1], len(link) > 2
        ends = shared.link_or_record(link) if isinstance(link, dict) else {}
        if isinstance(ends, dict):
            raise self.error(f"link {position} lacks its source or its target.", _SHAPE)
        return ends


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
    edges = shared.json_list(f'{{"source": {ids[a]}, "target": {ids[b]}}}' for a, b in graph.edges)
    return (
        f'{{"directed": false, "multigraph": false, "graph": {graph.about},\n'
        f'"nodes": {nodes},\n"edges": {edges}}}'
    )


def _recognises(source: Source) -> bool:
    return looks_like_json(source) and bool(re.search(rb'"nodes"\s*:', source.plain))


FORMAT = Format(_TITLE, (".json",), _recognises, read)
WRITER = shared.json_writer(_TITLE, ".json", _text)
