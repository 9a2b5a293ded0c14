"""Read and write GML, the Graph Modelling Language: nested lists of keys and values in brackets.

The key "label" of GML is the name of a vertex; its label is written as "vertex_label".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import Any

from numpy.typing import NDArray

from mpgk_core.errors import shortened
from mpgk_core.formats.columns import (
    Column,
    Value,
    column_of,
    each_graph,
    texts_of_names,
    vertex_columns,
    written_edges,
)
from mpgk_core.formats.format import EVERYTHING, Format, GraphTables, Writer
from mpgk_core.formats.graph_collector import GraphCollector
from mpgk_core.formats.safe_xml import with_characters
from mpgk_core.formats.source import Source
from mpgk_core.graphs import GraphSet

_TITLE = "GML"
_PART = re.compile(
    r"""\s*(?:
    edge\s*\[\s*source\s+(-?[1-9][0-9]*|0)\s+target\s+(-?[1-9][0-9]*|0)(\s[^"\[\]#]*)?\]  # 1 to 3
    |([A-Za-z_][\w.-]*)(?![\w.-])\s*(?:(\[)|"([^"]*)"|([^\s"\[\]]+))  # 4: key; 5, 6, 7: value
    |(\])  # 8
    |(\#[^\n]*)  # 9
    )""",
    re.VERBOSE | re.ASCII,
)
_EDGE_GROUPS, _OPENS, _IS_TEXT, _IS_BARE, _CLOSES = (2, 3), 5, 6, 7, 8
_NUMBER = re.compile(r"[+-]?(?:[0-9]{1,400}|(?:[0-9.]+(?:e[+-]?[0-9]+)?|inf|nan))\Z", re.I).match
_LIST_START = "_networkx_list_start"
_NOT_PLAIN = re.compile("[^ !#-%'-~]|\"|&")


def read(source: Source) -> GraphTables:
    """Read a GML file.

    The labels are the names of the vertices if all vertices have one and they differ; otherwise
    the ids are. Lists within a vertex are flattened: ``graphics [ x 1 ]`` is a column "graphics.x",
    and a repeated key makes several columns.

    Parameters
    ----------
    source : Source

    Returns
    -------
    GraphTables

    Examples
    --------
    >>> tables = read(Source("a.gml", b'''graph [ node [ id 1 label "a" ] node [ id 2 label "b" ]
    ...     edge [ source 1 target 2 ] ]'''))
    >>> tables.names, tables.edges.tolist()
    (['a', 'b'], [[0, 1]])
    """
    return _Parser(source).run().tables(shown_column="label")


class _Parser:
    """Goes through the parts of a file; ``open_lists`` are the keys of the lists around it."""

    def __init__(self, source: Source) -> None:
        self.text, self.position = source.text, 0
        self.graphs = GraphCollector(source, _TITLE, lambda: self.position, place_is_line=False)
        self.open_lists: list[str] = []
        self.record: dict[str, list[Any]] = {}
        self.record_at = self.first_edge = 0

    def run(self) -> GraphCollector:
        open_lists, add_edge, text, end = self.open_lists, self.graphs.edge, self.text, 0
        in_graph = ["graph"]
        while part := _PART.match(text, end):
            kind, self.position = part.lastindex, (end := part.end())
            if kind in _EDGE_GROUPS:
                if open_lists == in_graph:
                    self.position = part.start(1)
                    edge = add_edge(part[1], part[2])
                    self.position = end
                    if part[3] and not part[3].isspace():
                        self._take_plain_values(edge, part[3].split())
            elif kind == _IS_BARE:
                self._take(part[4], _number_or_text(part[7]))
            elif kind == _IS_TEXT:
                self._take(part[4], with_characters(part[6]))
            elif kind == _OPENS:
                self._open(part[4])
            elif kind == _CLOSES:
                self._close()
        rest = text[end:].lstrip()
        self.position = len(text) - len(rest)
        if rest:
            raise self.graphs.error(
                f"{shortened(rest, 20)!r} is not a key with a value.", "Correct it there."
            )
        if open_lists:
            raise self.graphs.error(
                f"The file ends within {shortened(open_lists[-1])!r}.",
                "Give the whole file: every [ needs its ].",
            )
        return self.graphs

    def _take_plain_values(self, edge: int, words: list[str]) -> None:
        """Take the keys and values of an edge that holds neither texts nor lists."""
        if len(words) % 2:
            raise self.graphs.error(
                f"{shortened(words[-1])!r} is not a key with a value.", "Correct it there."
            )
        self.record = {}
        for key, value in zip(words[::2], words[1::2], strict=True):
            self.record.setdefault(key, []).append(_number_or_text(value))
        self.graphs.check("columns", len(self.record))
        self._put_record(self.graphs.edge_value, edge)

    def _open(self, key: str) -> None:
        self.open_lists.append(key)
        self.graphs.check("depth", len(self.open_lists))
        if self.open_lists == ["graph"]:
            self.graphs.start_graph()
            self.graphs.direct(False)
            self.first_edge = self.graphs.n_edges
        elif self.open_lists in (["graph", "node"], ["graph", "edge"]):
            self.record, self.record_at = {}, self.position

    def _take(self, key: str, value: Any) -> None:
        depth = len(self.open_lists)
        if depth > 2:
            key = ".".join([*self.open_lists[2:], key])
            self.graphs.check("text_length", len(key))
        if depth > 1:
            values = self.record.setdefault(key, [])
            if not values:
                self.graphs.check("columns", len(self.record))
            values.append(value)
        elif self.open_lists == ["graph"]:
            if key == "directed":
                self.graphs.direct(value == 1, self.first_edge)
            elif key in ("name", "label"):
                self.graphs.name_graph(str(value))
            elif key == "class":
                self.graphs.class_of_graph(value)

    def _close(self) -> None:
        if not self.open_lists:
            raise self.graphs.error("There is a ] without its [.", "Remove it.")
        if self.open_lists == ["graph", "node"]:
            self._add_vertex()
        elif self.open_lists == ["graph", "edge"]:
            ends = self._one("source", "An edge"), self._one("target", "An edge")
            end, self.position = self.position, self.record_at
            edge = self.graphs.edge(*ends)
            self.position = end
            self._put_record(self.graphs.edge_value, edge)
        self.open_lists.pop()

    def _add_vertex(self) -> None:
        vertex = self.graphs.vertex(self._one("id", "A vertex"))
        if len(self.record.get("label", ())) == 1:
            self.graphs.shown_name(vertex, self.record.pop("label")[0])
        self._put_record(self.graphs.value, vertex)

    def _put_record(self, put: Callable[[int, str, Any], None], row: int) -> None:
        """Put all values of a vertex or an edge into their columns."""
        for key, values in self.record.items():
            if len(values) == 1:
                put(row, key, values[0])
                continue
            items = [value for value in values if value != _LIST_START]
            for number, item in enumerate(items, start=1):
                put(row, f"{key}_{number}", item)

    def _one(self, key: str, what: str) -> str:
        values = self.record.pop(key, [])
        if len(values) != 1:
            raise self.graphs.error(f"{what} must have one {key!r}.", "Give it exactly one.")
        return str(values[0])


def _number_or_text(token: str) -> int | float | str:
    if _NUMBER(token):
        for kind in (int, float):
            with suppress(ValueError):
                return kind(token)
    return token


def write(graphs: GraphSet, classes: NDArray[Any] | None) -> Iterator[str]:
    """Yield a GML file with the class of each graph, piece by piece."""
    names = texts_of_names(graphs)
    columns = vertex_columns(graphs, label="vertex_label")
    classes_of_graphs = None if classes is None else column_of("class", classes.tolist()).values
    all_edges, about_edges = written_edges(graphs)
    is_directed = graphs.edges is not None and graphs.edges.is_directed
    for g, (start, stop, edges) in enumerate(each_graph(graphs, all_edges)):
        yield f"graph [\n  directed {int(is_directed)}\n"
        if classes_of_graphs is not None:
            yield f"  class {_written(classes_of_graphs[g])}\n"
        for v in range(start, stop):
            yield f"  node [\n    id {v - start}\n    label {_written(names[v])}\n"
            yield from _lines(columns, v)
            yield "  ]\n"
        for edge, a, b in edges:
            yield f"  edge [\n    source {a - start}\n    target {b - start}\n"
            yield from _lines(about_edges, edge)
            yield "  ]\n"
        yield "]\n"


def _lines(columns: Sequence[Column], row: int) -> Iterator[str]:
    for column in columns:
        value = column.values[row]
        if value is not None:
            yield f"    {column.name} {_written(value)}\n"


def _written(value: Value | None) -> str:
    """Return a value as GML writes it: a real number has a point, and text is plain ASCII."""
    if isinstance(value, str):
        return '"' + _NOT_PLAIN.sub(lambda match: f"&#{ord(match[0])};", value) + '"'
    if isinstance(value, int):
        return str(value)
    mantissa, exponent, power = repr(value).upper().partition("E")
    return mantissa + ("" if "." in mantissa or not exponent else ".0") + exponent + power


def _recognises(source: Source) -> bool:
    start = re.search(rb"(?:\A|\s)graph\s*\[", source.head)
    return start is not None and b"{" not in source.head[: start.start()]


FORMAT = Format(_TITLE, (".gml",), _recognises, read)
WRITER = Writer(
    _TITLE,
    ".gml",
    write,
    keeps_attributes=True,
    many_graphs=True,
    keeps_classes=True,
    label_column="vertex_label",
    keeps_edges=EVERYTHING,
)
