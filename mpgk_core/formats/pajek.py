"""Read Pajek networks (.net) and projects (.paj), and write networks with names of vertices."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mpgk_core.errors import InvalidGraphError, shortened
from mpgk_core.formats.columns import each_graph, texts_of_names
from mpgk_core.formats.format import Format, GraphTables, Writer
from mpgk_core.formats.graph_collector import GraphCollector
from mpgk_core.formats.safe_xml import with_characters
from mpgk_core.formats.source import Source
from mpgk_core.graphs import GraphSet

_TITLE = "Pajek"
_LINE = re.compile(r".+\n?|\n")
_HEADING = re.compile(r"\*\s*([A-Za-z]+)\s*(?::\s*[0-9]+)?\s*(.*)")
_VERTEX = re.compile(
    r'([0-9]{1,18})(?:\s+(?:"([^"\\]*(?:\\.[^"\\]*){0,10000})"|([^"\s]\S*))(?=\s|\Z)|\Z)'
)
_SIZE = re.compile(r"([0-9]+)(?:\s+([0-9]+))?")
_ESCAPED = re.compile(r'\\(["\\])')
_NO_WEIGHT = ("1", "1.0", "l", "c", "p", "w", "s")
_SPECIAL = re.compile(r'[\x00-\x1f"&\\]')
_GROUPS, _NUMBERS, _NETWORK, _IGNORED = "group", "vector", "network", ""


def read(source: Source) -> GraphTables:
    """Read a Pajek file with one network or more.

    The labels are the names of the vertices if they differ; a vertex without label has its number.
    Positions and shapes are left out. In a project, partitions are columns "group" and vectors
    columns "vector" of the network before them, if it has as many vertices.

    Parameters
    ----------
    source : Source

    Returns
    -------
    GraphTables

    Examples
    --------
    >>> tables = read(Source("a.net", b'''*Vertices 3
    ... 1 "Ann"
    ... 2 "Bob"
    ... *Edges
    ... 1 2
    ... 2 3'''))
    >>> tables.names, tables.edges.tolist()
    (['Ann', 'Bob', '3'], [[0, 1], [1, 2]])
    """
    return _Parser(source).run().tables(shown_column="label")


class _Parser:
    """Goes through the lines; ``first`` is the first vertex of the network, ``n`` its size."""

    def __init__(self, source: Source) -> None:
        self.source, self.line = source, 0
        self.graphs = GraphCollector(source, _TITLE, place=lambda: self.line)
        self.error = self.graphs.error
        self.kind, self.name = _NETWORK, ""
        self.first = self.n = self.n_first_mode = 0
        self.has_vertices = False
        self.column, self.row, self.n_rows, self.is_directed = "", 0, 0, False
        self.labels: dict[int, str] = {}
        self.firsts: list[int] = []
        self.seconds: list[int] = []
        self.take = self._take_nothing

    def run(self) -> GraphCollector:
        for number, line in enumerate(_LINE.finditer(self.source.text), start=1):
            self.line, content = number, line[0].strip()
            if content.startswith("*"):
                self._open(content)
            elif content and not content.startswith(("%", "/*")):
                self.take(content)
        self._close()
        if self.labels:
            for vertex, name in enumerate(self.graphs.ids):
                self.graphs.shown_name(vertex, self.labels.get(vertex, name))
        return self.graphs

    def _open(self, heading: str) -> None:
        self._close()
        match = _HEADING.match(heading)
        if match is None:
            raise self.error(
                f"{shortened(heading)!r} is not a heading.", "Write *Edges, for example."
            )
        word, rest = match[1].lower(), match[2].strip()
        if word == "vertices":
            self._open_vertices(rest)
        elif word in ("network", "partition", "vector"):
            self.kind = {"partition": _GROUPS, "vector": _NUMBERS}.get(word, _NETWORK)
            self.name = rest.strip('"')
            self.take = self._take_nothing
        elif word in ("permutation", "cluster", "hierarchy"):
            self.kind, self.take = _IGNORED, self._take_ignored
        elif word in ("arcs", "edges", "arcslist", "edgeslist", "matrix"):
            self._open_edges(word)
        else:
            self.graphs.note(f"What stands below *{shortened(match[1])} is ignored.")
            self.take = self._take_ignored

    def _open_vertices(self, rest: str) -> None:
        size = _SIZE.match(rest)
        if size is None:
            raise self.error("The number of vertices is missing.", "Write *Vertices 5.")
        n = int(size[1][:18])
        if self.kind == _NETWORK:
            self.source.check("vertices", self.first + self.n + n, self.line)
            self.first, self.n, self.has_vertices = self.first + self.n, n, True
            self.n_first_mode = min(int(size[2][:18]), n) if size[2] else 0
            self.graphs.start_graph(self.name)
            self.name = ""
            for number in range(1, n + 1):
                self.graphs.vertex(str(number))
            self.take = self._take_vertex
        elif self.kind == _IGNORED or n != self.n:
            self.graphs.note("Data that do not belong to a network are ignored.")
            self.take = self._take_ignored
        else:
            self.column, self.row = f"{self.kind} {self.name}".strip(), 0
            self.take = self._take_value

    def _open_edges(self, word: str) -> None:
        if not self.has_vertices:
            raise self.error("There are edges before the vertices.", "Begin with *Vertices.")
        self.take = {
            "matrix": self._take_row,
            "arcslist": self._take_list,
            "edgeslist": self._take_list,
        }.get(word, self._take_edge)
        self.is_directed = word in ("arcs", "arcslist") or (
            word == "matrix" and not self.n_first_mode
        )
        self.row = 0
        self.n_rows = self.n_first_mode or self.n

    def _close(self) -> None:
        if self.firsts:
            self.graphs.directed |= self.is_directed
            self.graphs.numbered_edges(self.firsts, self.seconds)
            self.firsts, self.seconds = [], []
        if self.take == self._take_row and self.row != self.n_rows:
            raise self.error(
                f"The matrix has {self.row:,} of {self.n_rows:,} rows.", "Give all rows."
            )

    def _take_nothing(self, line: str) -> None:
        raise self.error(
            f"{shortened(line)!r} stands below no heading.", "Begin with *Vertices 5, for example."
        )

    def _take_ignored(self, line: str) -> None:
        return

    def _take_vertex(self, line: str) -> None:
        match = _VERTEX.match(line)
        if match is None:
            raise self.error(
                f"{shortened(line)!r} is no vertex.", 'Write a number and a label: 1 "Ann".'
            )
        vertex = self._vertex(match[1])
        label = match[3] if match[2] is None else _ESCAPED.sub(r"\1", match[2])
        if label:
            self.labels[vertex] = with_characters(label)

    def _take_value(self, line: str) -> None:
        if self.row >= self.n:
            raise self.error(f"There are more than {self.n:,} values.", "Give one per vertex.")
        try:
            value = int(line) if self.kind == _GROUPS and len(line) < 19 else float(line)
        except ValueError:
            raise self.error(f"{shortened(line)!r} is not a number.", "Correct it.") from None
        self.graphs.value(self.first + self.row, self.column, value)
        self.row += 1

    def _take_edge(self, line: str) -> None:
        tokens = line.split(None, 3)
        if len(tokens) < 2:
            raise self.error(f"{shortened(line)!r} is no edge.", "Name two vertices.")
        self.firsts.append(self._vertex(tokens[0]))
        self.seconds.append(self._vertex(tokens[1]))
        if len(tokens) > 2 and tokens[2] not in _NO_WEIGHT:
            self.graphs.weighted = True

    def _take_list(self, line: str) -> None:
        first, *seconds = map(self._vertex, line.split())
        self.firsts += [first] * len(seconds)
        self.seconds += seconds

    def _take_row(self, line: str) -> None:
        try:
            row = np.array(line.split(), dtype=np.float64)
        except ValueError:
            raise self.error("A cell of the matrix is not a number.", "Correct it.") from None
        width = self.n - self.n_first_mode
        if len(row) != width or self.row >= self.n_rows:
            raise self.error(
                f"The matrix should have {self.n_rows:,} rows of {width:,} numbers, and row "
                f"{self.row + 1:,} has {len(row):,}.",
                "Give every row equally many.",
            )
        if not np.isfinite(row).all():
            raise self.error("A cell of the matrix is not a finite number.", "Correct it.")
        columns = np.flatnonzero(row)
        self.graphs.weighted |= bool((row[columns] != 1).any())
        seconds = (columns + self.first + self.n_first_mode).tolist()
        self.graphs.numbered_edges([self.first + self.row] * len(seconds), seconds)
        self.graphs.directed |= self.is_directed and bool(seconds)
        self.row += 1

    def _vertex(self, token: str) -> int:
        number = int(token) if token.isascii() and token.isdigit() and len(token) < 19 else 0
        if not 0 < number <= self.n:
            raise self.error(
                f"{shortened(token)!r} is no vertex: these have the numbers 1 to {self.n:,}.",
                "Correct it, or the number of vertices.",
            )
        return self.first + number - 1


def write(graphs: GraphSet, _: NDArray[Any] | None) -> Iterator[str]:
    """Yield a Pajek file, piece by piece."""
    names = texts_of_names(graphs)
    for g, (start, stop, edges) in enumerate(each_graph(graphs)):
        if len(graphs) > 1:
            yield f"*Network {g}\n"
        yield f"*Vertices {stop - start}\n"
        yield from (f"{v - start + 1} {_quoted(names[v])}\n" for v in range(start, stop))
        yield "*Edges\n"
        yield from (f"{a - start + 1} {b - start + 1}\n" for a, b in edges)


def _quoted(name: str) -> str:
    """Return a name in quotation marks, with special characters as Pajek writes them."""
    if not name:
        raise InvalidGraphError(
            "A vertex has an empty name, which Pajek cannot hold. Rename it, or choose another "
            "format."
        )
    return '"' + _SPECIAL.sub(lambda match: f"&#{ord(match[0])};", name) + '"'


def _recognises(source: Source) -> bool:
    pattern = rb"(?:%[^\n]*\n\s*)*\*\s*(?:vertices|network)\b"
    return re.match(pattern, source.head, re.IGNORECASE) is not None


FORMAT = Format(_TITLE, (".net", ".paj", ".pajek"), _recognises, read)
WRITER = Writer(_TITLE, ".net", write, keeps_attributes=False, many_graphs=True)
