"""Read the graphs in DOT, the language of Graphviz."""

from __future__ import annotations

import re
from typing import NamedTuple

from mpgk_core.errors import UnreadableFileError, shortened
from mpgk_core.formats.columns import column_of_cells
from mpgk_core.formats.format import Format, GraphTables
from mpgk_core.formats.graph_collector import GraphCollector
from mpgk_core.formats.source import Source

_TITLE = "DOT"
_START = re.compile(r"(?:strict\s+)?(?:di)?graph\b[^\[\n{]*(?:\n\s*)?\{", re.IGNORECASE)

# No possessive quantifier is used: around a subpattern they match wrongly before Python 3.11.5
# (CPython gh-106052). What may follow a repetition cannot begin another round of it, so that every
# pattern takes linear time, and repetitions of subpatterns are bounded, and so is their memory.
_BLANK = re.compile(r"\s+|//[^\n]*|/\*.*?\*/|(?<![^\n])\#[^\n]*", re.DOTALL)
_TOKEN = re.compile(
    r"""(?:(--|->|[][{};,=:+])
    |"([^"\\]*(?:\\.[^"\\]*){0,100000})"
    |([^\W\d]\w*|-?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)))\s*""",
    re.VERBOSE | re.DOTALL,
)
_ESCAPE = re.compile(r'(\\\\)|\\(?:\n|("))')
_BRACKET = re.compile("[<>]")
_PLAIN_WORD = r"([0-9]+(?![\w.])|(?!(?:strict|(?:di|sub)?graph|node|edge)\b)[^\W\d]\w*(?!\w))\s*"
_PLAIN_EDGE = re.compile(
    rf"""{_PLAIN_WORD}(--|->)\s*{_PLAIN_WORD}
    (\[[^][{{}}"</]*(?:"[^"\\]*"[^][{{}}"</]*){{0,100}}\]\s*)?  # attributes
    (?:;\s*|(?=[\w"}}]))  # the end, or what can only begin another statement
    """,
    re.VERBOSE | re.IGNORECASE,
)
_SIGN, _QUOTED, _WORD = 1, 2, 3  # groups of _TOKEN
_KEYWORDS = ("node", "edge", "graph")
_IS_DRAWING = re.compile(
    r"pos|width|height|x?lp|rects|vertices|margin|font(?:name|size|color)|_l?draw_"
).fullmatch
_IS_EDGE_DRAWING = re.compile(
    r"arrow(?:head|tail|size)|constraint|decorate|dir|min_?len|penwidth|label(?:angle|distance|float"
    r"|font\w+)|(?:head|tail)(?:_lp|clip|port|label|href|url|target|tooltip)|same(?:head|tail)"
).fullmatch
#: Deeper braces would exceed the stack of Python, whatever the settings allow.
_MAX_DEPTH = 150


def read(source: Source) -> GraphTables:
    """Read a DOT file with one graph or more.

    Subgraphs are flattened: their vertices belong to the graph, and an edge to a subgraph goes
    to each of its vertices. Ports and attributes of the drawing are left out. Ids are names,
    unless they are 0, 1, 2, ... and the attribute "name" identifies the vertices, as in the files
    of igraph.

    Parameters
    ----------
    source : Source

    Returns
    -------
    GraphTables

    Examples
    --------
    >>> tables = read(Source("a.dot", b"graph { a -- {b c}; a [colour=red]; b [colour=blue] }"))
    >>> tables.names, tables.edges.tolist(), tables.columns["colour"].tolist()
    (['a', 'b', 'c'], [[0, 1], [0, 2]], ['red', 'blue', None])
    """
    graphs = _Parser(source).run()
    ids_only_count = graphs.ids == [str(i) for i in range(len(graphs.ids))]
    return graphs.tables(shown_column="name", prefers_ids=not ids_only_count)


class _Token(NamedTuple):
    text: str
    kind: int

    @property
    def is_sign(self) -> bool:
        return self.kind == _SIGN

    @property
    def keyword(self) -> str:
        """The word in small letters; empty for signs and texts in quotation marks."""
        return self.text.lower() if self.kind == _WORD else ""


class _Tokens:
    """The words and signs of a file, one at a time; ``position`` is the start of the next one."""

    def __init__(self, source: Source) -> None:
        self.source, self.text = source, source.text
        self.position = _end_of_blank(self.text, 0)
        self.graphs = GraphCollector(
            source, _TITLE, lambda: self.position, place_is_line=False, column_of=column_of_cells
        )
        self.error = self.graphs.error

    def starts_with(self, *signs: str) -> bool:
        return self.text.startswith(signs, self.position)

    def takes(self, *signs: str) -> bool:
        """Return whether the next token is one of these signs, and move behind it if so."""
        found = self.starts_with(*signs)
        if found:
            self.next()
        return found

    def move_to(self, position: int) -> None:
        """Move behind a token and the spaces after it, and behind comments if there are any."""
        self.position = position
        if self.text.startswith(("/", "#"), position):
            self.position = _end_of_blank(self.text, position)

    def next(self) -> _Token:
        match = _TOKEN.match(self.text, self.position)
        if match is None:
            return _Token(self._markup(), _QUOTED)
        self.move_to(match.end())
        kind = match.lastindex or 0
        return _Token(_ESCAPE.sub(r"\1\2", match[kind]) if kind == _QUOTED else match[kind], kind)

    def next_text(self) -> str:
        """Take a name or a value."""
        return self.whole_text(self.next())

    def whole_text(self, token: _Token) -> str:
        """Return the text of a token, with all that plus signs join to it."""
        pieces: list[str] = []
        while True:
            if token.is_sign:
                raise self.error(
                    f"There is a {token.text!r} where a name or a value should be.", "Correct it."
                )
            pieces.append(token.text)
            if len(pieces) > self.source.bounds.columns:
                raise self.error("A text is joined from thousands of pieces.", "Write it as one.")
            if not self.takes("+"):
                return "".join(pieces)
            token = self.next()

    def _markup(self) -> str:
        """Take a text between < and >, which may hold others; raise if there is none."""
        depth, start = 0, self.position
        if start >= len(self.text):
            raise self.error("The file ends early.", "Give the whole file: every { needs its }.")
        if self.starts_with('"'):
            raise self.error("A quotation mark is never closed, or far away.", "Close it.")
        if not self.starts_with("<"):
            rest = self.text[start : start + 20].split("\n")[0]
            raise self.error(
                f"{shortened(rest)!r} is not understood.",
                "Put names with signs or spaces in quotation marks.",
            )
        for bracket in _BRACKET.finditer(self.text, start):
            depth += 1 if bracket[0] == "<" else -1
            if depth == 0:
                self.position = _end_of_blank(self.text, bracket.end())
                return self.text[start : bracket.end()]
        raise self.error("A < is never closed.", "Give the whole file, and every < its >.")


class _Parser(_Tokens):
    """Puts statement after statement into a collector.

    ``defaults`` holds the attributes that new vertices get, for each open brace, and
    ``edge_defaults`` those of new edges.
    """

    def __init__(self, source: Source) -> None:
        super().__init__(source)
        self.defaults: list[dict[str, str]] = []
        self.edge_defaults: list[dict[str, str]] = []
        self.default_cells_left = self.graphs.max_cells // 10
        self.pairs_left = source.bounds.edges // 30

    def run(self) -> GraphCollector:
        while self.position < len(self.text):
            token = self.next()
            if token.keyword == "strict":
                token = self.next()
            if token.keyword not in ("graph", "digraph"):
                raise self.error(
                    "A graph must begin with 'graph' or 'digraph'.", "Write graph { a -- b }."
                )
            name = "" if self.starts_with("{") else self.next_text()
            if not self.takes("{"):
                raise self.error("A graph needs a {.", "Write graph { a -- b }.")
            self.graphs.start_graph(name)
            self._block()
        return self.graphs

    def _block(self) -> list[int]:
        """Take everything up to the closing brace; return the vertices if this is a subgraph."""
        max_depth = min(self.source.bounds.depth, _MAX_DEPTH)
        if len(self.defaults) >= max_depth:
            raise self.error(
                f"Braces are nested more than {max_depth} deep.",
                "Give a flatter file, or set MPGK_MAX_DEPTH to more.",
            )
        self.defaults.append({})
        self.edge_defaults.append({})
        members: dict[int, None] = {}
        while not self.takes("}"):
            edge = _PLAIN_EDGE.match(self.text, self.position)
            if edge is not None:
                groups = [[self._vertex(edge[1])], [self._vertex(edge[3])]]
                if (edge[2] == "->") != self.graphs.directed:
                    self.graphs.direct(edge[2] == "->")
                number = self.graphs.edge(edge[1], edge[3])
                if edge[4] is not None:
                    self.move_to(edge.start(4))
                    self._describe_edges(number, self._attributes())
                else:
                    self.move_to(edge.end())
                    if any(self.edge_defaults):
                        self._describe_edges(number, {})
            else:
                groups = self._statement()
            if len(self.defaults) > 1:
                members.update((vertex, None) for group in groups for vertex in group)
        self.defaults.pop()
        self.edge_defaults.pop()
        return list(members)

    def _statement(self) -> list[list[int]]:
        """Take a statement, and return the groups of vertices that it names."""
        if self.takes(";", ","):
            return []
        token = self.next()
        if token.keyword in _KEYWORDS:
            while self.starts_with("["):
                attributes = self._attributes()
                if token.keyword == "node":
                    self.defaults[-1].update(attributes)
                elif token.keyword == "edge":
                    self.edge_defaults[-1].update(attributes)
            return []
        if token.is_sign and token.text != "{":
            raise self._misplaced(token.text)
        group = self._operand(token)
        if group is None:
            return []
        groups, first_edge = [group], self.graphs.n_edges
        while self.starts_with("--", "->"):
            self.graphs.direct(self.next().text == "->")
            groups.append(self._second_end())
            self._join(*groups[-2:])
        described: dict[str, str] = {}
        is_group = token.keyword == "subgraph" or token.is_sign
        while self.starts_with("["):
            if is_group and len(groups) == 1:
                raise self._misplaced("[")
            attributes = self._attributes()
            if len(groups) == 1:
                self._describe(group[0], attributes)
            described |= attributes
        self._describe_edges(first_edge, described)
        return groups

    def _misplaced(self, sign: str) -> UnreadableFileError:
        if sign in ("--", "->"):
            return self.error(f"There is nothing before {sign!r} to join.", "Name a vertex.")
        remedy = "Put it behind a vertex or an edge." if sign == "[" else "Correct it."
        return self.error(f"There is a {sign!r} out of place.", remedy)

    def _operand(self, token: _Token) -> list[int] | None:
        """Take a vertex or a subgraph; None if it was the assignment ``key = value``."""
        if token.keyword == "subgraph":
            if not self.starts_with("{"):
                self.next_text()
            if not self.takes("{"):
                raise self.error("A subgraph needs a {.", "Write subgraph { a b }.")
            return self._block()
        if token.is_sign and token.text == "{":
            return self._block()
        name = self.whole_text(token)
        if self.takes("="):
            self.next_text()
            return None
        while self.takes(":"):
            self.next_text()
        return [self._vertex(name)]

    def _second_end(self) -> list[int]:
        token = self.next()
        if token.is_sign and token.text in ("--", "->"):
            raise self._misplaced(token.text)
        is_end = not token.is_sign or token.text == "{"
        group = self._operand(token) if is_end and token.keyword not in _KEYWORDS else None
        if group is None:
            raise self.error("An edge lacks its second end.", "Name a vertex.")
        return group

    def _join(self, firsts: list[int], seconds: list[int]) -> None:
        """Add all pairs of two groups, and bound the edges that are not written one by one."""
        if min(len(firsts), len(seconds)) > 1:
            self.pairs_left -= len(firsts) * len(seconds)
        if self.pairs_left < 0:
            raise self.error(
                "Groups of vertices are joined by too many edges.",
                "Join smaller groups, or set MPGK_MAX_EDGES to more.",
            )
        for first in firsts:
            self.graphs.numbered_edges([first] * len(seconds), seconds)

    def _attributes(self) -> dict[str, str]:
        attributes: dict[str, str] = {}
        n_attributes, max_attributes = 0, self.source.bounds.columns
        self.next()
        while not self.takes("]"):
            key = self.next_text()
            attributes[key] = self.next_text() if self.takes("=") else "true"
            n_attributes += 1
            if n_attributes > max_attributes:
                raise self.error(
                    f"There are more than {max_attributes:,} attributes in a list.",
                    "Leave some out, or set MPGK_MAX_COLUMNS to more.",
                )
            self.takes(",", ";")
        return attributes

    def _vertex(self, name: str) -> int:
        vertex = self.graphs.number.get(name)
        if vertex is not None:
            return vertex
        vertex = self.graphs.vertex(name)
        for attributes in self.defaults:
            self._take_default_cells(len(attributes))
            self._describe(vertex, attributes)
        return vertex

    def _take_default_cells(self, n_cells: int) -> None:
        """Count values that are not written one by one, and refuse too many."""
        self.default_cells_left -= n_cells
        if self.default_cells_left < 0:
            raise self.error(
                "There are too many vertices or edges with too many common attributes.",
                "Leave out attributes, or set MPGK_MAX_UNPACKED_BYTES to more.",
            )

    def _describe(self, vertex: int, attributes: dict[str, str]) -> None:
        for key, value in attributes.items():
            if key == "name":
                self.graphs.shown_name(vertex, value)
            elif not _IS_DRAWING(key) and (key, value) != ("label", r"\N"):
                self.graphs.value(vertex, key, value)

    def _describe_edges(self, first_edge: int, attributes: dict[str, str]) -> None:
        """Give all edges from a number on their attributes, and the defaults of others."""
        if not attributes and not any(self.edge_defaults):
            return
        edges = range(first_edge, self.graphs.n_edges)
        known: dict[str, str] = {}
        for some in (*self.edge_defaults, attributes):
            known |= some
        self._take_default_cells(len(edges) * len(known) - len(attributes))
        for key, value in known.items():
            if not _IS_DRAWING(key) and not _IS_EDGE_DRAWING(key):
                for edge in edges:
                    self.graphs.edge_value(edge, key, value)


def _end_of_blank(text: str, position: int) -> int:
    """Return the end of the spaces and comments that begin at a position."""
    while (blank := _BLANK.match(text, position)) is not None:
        position = blank.end()
    return position


def _recognises(source: Source) -> bool:
    head = source.head.decode("utf-8", "replace")
    return _START.match(head, _end_of_blank(head, 0)) is not None


FORMAT = Format(_TITLE, (".dot", ".gv"), _recognises, read)
