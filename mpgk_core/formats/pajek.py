"""Read Pajek networks (.net) and projects (.paj), and write networks with names of vertices."""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mpgk_core.errors import shortened
from mpgk_core.formats.columns import (
    column_of_cells,
    column_of_values,
    each_graph,
    name_texts,
    written_edges,
)
from mpgk_core.formats.format import EVERYTHING, Format, GraphTables, Writer
from mpgk_core.formats.graph_collector import GraphCollector
from mpgk_core.formats.safe_xml import with_characters
from mpgk_core.formats.source import Source
from mpgk_core.formats.text_rows import is_number
from mpgk_core.graphs import GraphSet

_TITLE = "Pajek"
_LINE = re.compile(r".+\n?|\n")
_HEADING = re.compile(r"\*\s*([A-Za-z]+)\s*(?::\s*([0-9]+))?\s*(.*)")
_VERTEX = re.compile(
    r'([0-9]{1,18})(?:\s+(?:"([^"\\]*(?:\\.[^"\\]*){0,10000})"|([^"\s]\S*))(?=\s|\Z)|\Z)'
)
_SIZE = re.compile(r"([0-9]+)(?:\s+([0-9]+))?")
_ESCAPED = re.compile(r'\\(["\\])')
_LABEL = re.compile(r'(?:\A|\s)l\s+(?:"([^"]*)"|(\S+))')
_SPECIAL = re.compile(r'[\x00-\x1f"&\\]')
_GROUPS, _NUMBERS, _NETWORK, _IGNORED = "group", "vector", "network", ""


def read(source: Source) -> GraphTables:
    """Read a Pajek file with one network or more.

    The labels are the names of the vertices if they differ; a vertex without label has its number.
    Positions and shapes are left out. Edges have weights, 1 where none is given, and labels;
    where there are several relations, edges have a column "relation". In a project, partitions
    are columns "group" and vectors columns "vector" of the network before them, if it has as many
    vertices.

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


def _column_without_types(values: Sequence[Any]) -> NDArray[Any]:
    """Return a column; texts that all look like numbers are numbers, as in tables."""
    are_texts = all(isinstance(value, str | None) for value in values)
    return column_of_cells(values) if are_texts else column_of_values(values)


class _Parser:
    """Goes through the sections; ``first`` is the first vertex of the network, ``n`` its size."""

    def __init__(self, source: Source) -> None:
        self.source, self.line = source, 0
        self.lines = enumerate(_LINE.finditer(source.text), start=1)
        self.graphs = GraphCollector(
            source, _TITLE, place=lambda: self.line, column_of=_column_without_types
        )
        self.error = self.graphs.error
        self.heading, self.kind, self.name = "", _NETWORK, ""
        self.first, self.n, self.n_first_mode = 0, -1, 0
        self.labels: dict[int, str] = {}
        self.relation: str | None = None
        self.weights = array("d")

    def run(self) -> GraphCollector:
        self._refuse_rows()
        while self.heading:
            heading = _HEADING.match(self.heading)
            if heading is None:
                raise self.error(
                    f"{shortened(self.heading)!r} is not a heading.", "Write *Edges, for example."
                )
            self.heading = ""
            self.relation = heading[3].strip(' "') or heading[2] if heading[2] else None
            self._section(heading[1], heading[3].strip())
        if self.labels:
            for vertex, name in enumerate(self.graphs.ids):
                self.graphs.shown_name(vertex, self.labels.get(vertex, name))
        if any(weight != 1 for weight in self.weights):
            self.graphs.edge_values("weight", self.weights)
        return self.graphs

    def _rows(self) -> Iterator[str]:
        """Yield the rows up to the next heading, and keep that."""
        for number, line in self.lines:
            self.line, row = number, line[0].strip()
            if row.startswith("*"):
                self.heading = row
                return
            if row and not row.startswith(("%", "/*")):
                yield row

    def _refuse_rows(self) -> None:
        for row in self._rows():
            raise self.error(
                f"{shortened(row)!r} stands below no heading.",
                "Begin with *Vertices 5, for example.",
            )

    def _ignore_rows(self, note: str = "") -> None:
        if note:
            self.graphs.note(note)
        for _ in self._rows():
            continue

    def _section(self, heading: str, rest: str) -> None:
        word = heading.lower()
        if word == "vertices":
            self._take_vertices(rest)
        elif word in ("network", "partition", "vector"):
            self.kind = {"partition": _GROUPS, "vector": _NUMBERS}.get(word, _NETWORK)
            self.name = rest.strip('"')
            self._refuse_rows()
        elif word in ("permutation", "cluster", "hierarchy"):
            self.kind = _IGNORED
            self._ignore_rows()
        elif word not in ("arcs", "edges", "arcslist", "edgeslist", "matrix"):
            self._ignore_rows(f"What stands below *{shortened(heading)} is ignored.")
        elif self.n < 0:
            raise self.error("There are edges before the vertices.", "Begin with *Vertices.")
        elif word == "matrix":
            self._take_matrix()
        else:
            self._take_edges(word.endswith("list"), word.startswith("arcs"))

    def _take_vertices(self, rest: str) -> None:
        size = _SIZE.match(rest)
        if size is None:
            raise self.error("The number of vertices is missing.", "Write *Vertices 5.")
        n = int(size[1][:18])
        if self.kind == _NETWORK:
            self.source.check("vertices", len(self.graphs.ids) + n, self.line)
            self.first, self.n = len(self.graphs.ids), n
            self.n_first_mode = min(int(size[2][:18]), n) if size[2] else 0
            self.graphs.start_graph(self.name)
            self.name = ""
            for number in range(1, n + 1):
                self.graphs.vertex(str(number))
            self._take_labels()
        elif self.kind == _IGNORED or n != self.n:
            self._ignore_rows("Data that do not belong to a network are ignored.")
        else:
            self._take_values()

    def _take_labels(self) -> None:
        for row in self._rows():
            match = _VERTEX.match(row)
            if match is None:
                raise self.error(
                    f"{shortened(row)!r} is no vertex.", 'Write a number and a label: 1 "Ann".'
                )
            vertex = self._vertex(match[1])
            label = match[3] if match[2] is None else _ESCAPED.sub(r"\1", match[2])
            if label:
                self.labels[vertex] = with_characters(label)

    def _take_values(self) -> None:
        column = f"{self.kind} {self.name}".strip()
        for place, row in enumerate(self._rows()):
            if place >= self.n:
                raise self.error(f"There are more than {self.n:,} values.", "Give one per vertex.")
            try:
                value = int(row) if self.kind == _GROUPS and len(row) < 19 else float(row)
            except ValueError:
                raise self.error(f"{shortened(row)!r} is not a number.", "Correct it.") from None
            self.graphs.value(self.first + place, column, value)

    def _take_edges(self, are_lists: bool, are_directed: bool) -> None:
        self.graphs.direct(are_directed)
        firsts: list[int] = []
        seconds: list[int] = []
        lines: list[int] = []
        n_before = self.graphs.n_edges
        for row in self._rows():
            if are_lists:
                first, *others = map(self._vertex, row.split())
                firsts += [first] * len(others)
                seconds += others
                lines += [self.line] * len(others)
                continue
            tokens = row.split(None, 2)
            if len(tokens) < 2:
                raise self.error(f"{shortened(row)!r} is no edge.", "Name two vertices.")
            firsts.append(self._vertex(tokens[0]))
            seconds.append(self._vertex(tokens[1]))
            lines.append(self.line)
            if len(tokens) > 2:
                self._take_edge_values(n_before + len(firsts) - 1, tokens[2])
        self.graphs.numbered_edges(firsts, seconds, lines)
        self._fill_weights()
        if self.relation is not None:
            for edge in range(n_before, self.graphs.n_edges):
                self.graphs.edge_value(edge, "relation", self.relation)

    def _take_edge_values(self, edge: int, text: str) -> None:
        """Take what stands behind the two ends: a weight, and then parameters of the drawing."""
        if text != "1":
            first = text.split(None, 1)[0]
            if is_number(first):
                self.weights.extend(1.0 for _ in range(len(self.weights), edge))
                self.weights.append(float(first))
            label = _LABEL.search(text)
            if label is not None:
                written = label[1] if label[2] is None else label[2]
                self.graphs.edge_value(edge, "label", with_characters(written))

    def _fill_weights(self) -> None:
        """Give the weight 1 to all edges that were added without one."""
        self.weights.extend(1.0 for _ in range(len(self.weights), self.graphs.n_edges))

    def _take_matrix(self) -> None:
        n_rows, width, n_found = self.n_first_mode or self.n, self.n - self.n_first_mode, 0
        self.graphs.direct(not self.n_first_mode)
        for text in self._rows():
            try:
                row = np.array(text.split(), dtype=np.float64)
            except ValueError:
                raise self.error("A cell of the matrix is not a number.", "Correct it.") from None
            if len(row) != width or n_found >= n_rows:
                raise self.error(
                    f"The matrix should have {n_rows:,} rows of {width:,} numbers, and row "
                    f"{n_found + 1:,} has {len(row):,}.",
                    "Give every row equally many.",
                )
            if not np.isfinite(row).all():
                raise self.error("A cell of the matrix is not a finite number.", "Correct it.")
            columns = np.flatnonzero(row)
            seconds = (columns + self.first + self.n_first_mode).tolist()
            self.graphs.numbered_edges([self.first + n_found] * len(seconds), seconds)
            self.weights.extend(row[columns].tolist())
            n_found += 1
        if n_found != n_rows:
            raise self.error(f"The matrix has {n_found:,} of {n_rows:,} rows.", "Give all rows.")

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
    names = name_texts(graphs)
    all_edges, columns = written_edges(graphs)
    known = {column.name: column.values for column in columns}
    labels, weights = known.get("label"), known.get("weight")
    heading = "*Edges\n" if graphs.edges is None or not graphs.edges.is_directed else "*Arcs\n"
    for g, (start, stop, edges) in enumerate(each_graph(graphs, all_edges)):
        if len(graphs) > 1:
            yield f"*Network {g}\n"
        yield f"*Vertices {stop - start}\n"
        yield from (f"{v - start + 1} {_quoted(names[v])}\n" for v in range(start, stop))
        yield heading
        for edge, a, b in edges:
            ends, label = f"{a - start + 1} {b - start + 1}", labels and labels[edge]
            weight = f" {weights[edge]}" if weights else " 1" if labels else ""
            yield ends + weight + ("\n" if label is None else f" l {_quoted(str(label))}\n")


def _quoted(name: str) -> str:
    """Return a name in quotation marks, with special characters as Pajek writes them."""
    return '"' + _SPECIAL.sub(lambda match: f"&#{ord(match[0])};", name) + '"'


def _recognises(source: Source) -> bool:
    pattern = rb"(?:%[^\n]*\n\s*)*\*\s*(?:vertices|network)\b"
    return re.match(pattern, source.head, re.IGNORECASE) is not None


FORMAT = Format(_TITLE, (".net", ".paj", ".pajek"), _recognises, read)
WRITER = Writer(
    _TITLE,
    ".net",
    write,
    many_graphs=True,
    keeps_edges=EVERYTHING,
    has_columns=False,
    has_types=False,
)
