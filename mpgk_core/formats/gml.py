"""Read GML, the Graph Modelling Language: nested lists of keys and values in brackets."""

from __future__ import annotations

import re
from typing import Any

from mpgk_core.errors import shortened
from mpgk_core.formats.entities import with_characters
from mpgk_core.formats.format import Format
from mpgk_core.formats.graph_collector import GraphCollector
from mpgk_core.formats.graph_tables import GraphTables
from mpgk_core.formats.source import Source

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
_OPENS, _IS_TEXT, _IS_BARE, _CLOSES = 5, 6, 7, 8
_NUMBER = re.compile(r"[+-]?(?:[0-9]{1,400}|(?:[0-9.]+(?:e[+-]?[0-9]+)?|inf|nan))\Z", re.I).match
_LIST_START = "_networkx_list_start"


def read(source: Source) -> GraphTables:
    """Read a GML file.

    Vertices are called by their labels where all these are there and differ, and else by their
    ids. Lists within a vertex are flattened: ``graphics [ x 1 ]`` is a column "graphics.x", and
    a key that is repeated makes several columns.

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
        self.source, self.text, self.position = source, source.text, 0
        self.graphs = GraphCollector(source, _TITLE, lambda: self.position, self._line_at)
        self.open_lists: list[str] = []
        self.record: dict[str, Any] = {}

    def _line_at(self, position: int) -> int:
        return self.text.count("\n", 0, position) + 1

    def run(self) -> GraphCollector:
        open_lists, add_edge = self.open_lists, self.graphs.edge
        in_graph = ["graph"]
        match, text, end = _PART.match, self.text, 0
        while part := match(text, end):
            kind, end = part.lastindex, part.end()
            if kind is not None and kind <= 3:
                self.position = end
                if open_lists == in_graph:
                    add_edge(part[1], part[2])
                    if part[3] and ("weight" in part[3] or "value" in part[3]):
                        self.graphs.weighted = True
            elif kind == _IS_BARE:
                self._take(part[4], _value(part[7]))
            elif kind == _IS_TEXT:
                self._take(part[4], with_characters(part[6]))
            elif kind == _OPENS:
                self.position = end
                self._open(part[4])
            elif kind == _CLOSES:
                self.position = end
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

    def _open(self, key: str) -> None:
        self.open_lists.append(key)
        if len(self.open_lists) > self.source.bounds.depth:
            raise self.graphs.error(
                f"Lists are nested more than {self.source.bounds.depth} deep.",
                "Give a flatter file, or set MPGK_MAX_DEPTH to more.",
            )
        if self.open_lists == ["graph"]:
            self.graphs.start_graph()
        elif self.open_lists in (["graph", "node"], ["graph", "edge"]):
            self.record = {}

    def _take(self, key: str, value: Any) -> None:
        depth = len(self.open_lists)
        if depth == 1:
            self._describe_graph(key, value)
        elif depth > 1:
            if depth > 2:
                key = ".".join([*self.open_lists[2:], key])
                self.graphs.check_length(key)
            if key in self.record:
                earlier = self.record[key]
                if isinstance(earlier, list):
                    earlier.append(value)
                else:
                    self.record[key] = [earlier, value]
            else:
                self.record[key] = value
                self.graphs.check_columns(self.record)

    def _describe_graph(self, key: str, value: Any) -> None:
        if self.open_lists != ["graph"]:
            return
        if key == "directed" and value == 1:
            self.graphs.directed = True
        elif key in ("name", "label"):
            self.graphs.name_graph(str(value))
        elif key == "class":
            self.graphs.class_of_graph(value)

    def _close(self) -> None:
        if not self.open_lists:
            raise self.graphs.error("There is a ] without its [.", "Remove it.")
        if self.open_lists == ["graph", "node"]:
            self._take_vertex()
        elif self.open_lists == ["graph", "edge"]:
            self._take_edge()
        self.open_lists.pop()

    def _take_vertex(self) -> None:
        vertex = self.graphs.vertex(self._required("id", "A vertex"))
        for key, value in self.record.items():
            if key == "label" and not isinstance(value, list):
                self.graphs.shown_name(vertex, value)
            elif isinstance(value, list):
                items = [item for item in value if item != _LIST_START]
                for number, item in enumerate(items, start=1):
                    self.graphs.value(vertex, f"{key}_{number}", item)
            else:
                self.graphs.value(vertex, key, value)

    def _take_edge(self) -> None:
        first = self._required("source", "An edge")
        self.graphs.edge(first, self._required("target", "An edge"))
        if "weight" in self.record or "value" in self.record:
            self.graphs.weighted = True

    def _required(self, key: str, what: str) -> str:
        value = self.record.pop(key, None)
        if value is None or isinstance(value, list):
            raise self.graphs.error(f"{what} must have one {key!r}.", "Give it exactly one.")
        return str(value)


def _value(token: str) -> int | float | str:
    if not _NUMBER(token):
        return token
    try:
        return int(token)
    except ValueError:
        pass
    try:
        return float(token)
    except ValueError:
        return token


def _recognises(source: Source) -> bool:
    start = re.search(rb"(?:\A|\s)graph\s*\[", source.head)
    return start is not None and b"{" not in source.head[: start.start()]


FORMAT = Format(_TITLE, (".gml",), _recognises, read)
