"""Read the graphs in DOT, the language of Graphviz."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from mpgk_core.formats.columns import column_of_cells
from mpgk_core.formats.dot_tokens import Kind, PlainEdge, Token, Tokens, end_of_blank
from mpgk_core.formats.format import Format
from mpgk_core.formats.graph_collector import GraphCollector
from mpgk_core.formats.graph_tables import GraphTables
from mpgk_core.formats.source import Source

_TITLE = "DOT"
_START = re.compile(r"(?:strict\s+)?(?:di)?graph\b[^\[\n{]*(?:\n\s*)?\{", re.IGNORECASE)
_KINDS = ("node", "edge", "graph")
_DRAWING = (
    "pos",
    "width",
    "height",
    "lp",
    "xlp",
    "rects",
    "vertices",
    "margin",
    "fontname",
    "fontsize",
    "fontcolor",
    "_draw_",
    "_ldraw_",
)


def read(source: Source) -> GraphTables:
    """Read a DOT file with one graph or more.

    Subgraphs are flattened: their vertices belong to the graph, and an edge to a subgraph goes
    to each of its vertices. Ports are left out, and so is what only says where to draw. Ids are
    names, unless they merely count from 0 and the attribute "name" tells the vertices apart, as
    in the files of igraph.

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
    graphs = _Parser(Tokens(source)).run()
    ids_only_count = graphs.ids == [str(i) for i in range(len(graphs.ids))]
    return graphs.tables(shown_column="name", prefers_ids=not ids_only_count)


@dataclass
class _Block:
    """What stands between two braces, and how far its current statement has come.

    ``target`` is what attributes would belong to: a "vertex", some "edges", a "group" of
    vertices, or the defaults of every later "node", "edge" or "graph".
    """

    members: dict[int, None] = field(default_factory=dict)
    defaults: dict[str, str] = field(default_factory=dict)
    last: list[int] = field(default_factory=list)
    is_joining: bool = False
    target: str = ""


class _Parser:
    """Puts statement after statement into a collector; ``blocks`` are the open ones."""

    def __init__(self, tokens: Tokens) -> None:
        self.tokens = tokens
        self.graphs = GraphCollector(
            tokens.source, _TITLE, lambda: tokens.position, tokens.line_at, column_of_cells
        )
        self.blocks: list[_Block] = []
        self.default_cells_left = self.graphs.most_cells // 10
        self.pairs_left = tokens.source.bounds.edges // 30

    def run(self) -> GraphCollector:
        while not self.tokens.at_end():
            self._start_graph()
            while self.blocks:
                plain = self.tokens.plain_edge()
                if plain is None:
                    self._step()
                else:
                    self._take_plain_edge(plain)
        return self.graphs

    def _start_graph(self) -> None:
        token = self.tokens.next()
        if token.text.lower() == "strict":
            token = self.tokens.next()
        if token.kind is not Kind.WORD or token.text.lower() not in ("graph", "digraph"):
            raise self.tokens.error(
                "A graph must begin with 'graph' or 'digraph'.", "Write, say, graph { a -- b }."
            )
        name = "" if self.tokens.starts_with("{") else self.tokens.next_text()
        if self.tokens.next().text != "{":
            raise self.tokens.error("A graph needs a {.", "Write, say, graph { a -- b }.")
        self.graphs.start_graph(name)
        self.blocks.append(_Block())

    def _step(self) -> None:
        block, token = self.blocks[-1], self.tokens.next()
        if token.kind is not Kind.SIGN:
            self._take_text(block, token)
        elif token.text == "{":
            self._open()
        elif token.text == "}":
            self._close(block)
        elif token.text in (";", ","):
            self._finish(block)
        elif token.text in ("--", "->"):
            self._take_sign(block, token.text)
        elif token.text == "[":
            self._take_attributes(block)
        else:
            raise self.tokens.error(f"There is a {token.text!r} out of place.", "Correct it.")

    def _take_plain_edge(self, edge: PlainEdge) -> None:
        block = self.blocks[-1]
        if block.is_joining or len(self.blocks) > 1:
            self._take_text(block, Token(edge.first, Kind.WORD))
            self._take_sign(block, edge.sign)
            self._take_text(block, Token(edge.second, Kind.WORD))
        else:
            self._vertex(edge.first)
            self._vertex(edge.second)
            self.graphs.edge(edge.first, edge.second)
            self.graphs.directed |= edge.sign == "->"
        self.graphs.weighted |= edge.has_weight
        self._finish(block)

    def _take_text(self, block: _Block, token: Token) -> None:
        word = token.text.lower() if token.kind is Kind.WORD else ""
        if word in _KINDS:
            self._finish(block)
            block.target = word
        elif word == "subgraph":
            self._start_subgraph()
        else:
            text = self.tokens.whole_text(token)
            if self.tokens.starts_with("="):
                self.tokens.next()
                self.tokens.next_text()
                self._finish(block)
                return
            while self.tokens.starts_with(":"):
                self.tokens.next()
                self.tokens.next_text()
            self._take_group(block, [self._vertex(text)], "vertex")

    def _start_subgraph(self) -> None:
        if not self.tokens.starts_with("{"):
            self.tokens.next_text()
        if not self.tokens.starts_with("{"):
            raise self.tokens.error("A subgraph needs a {.", "Write, say, subgraph { a b }.")

    def _vertex(self, name: str) -> int:
        vertex = self.graphs.number.get(name)
        if vertex is None:
            vertex = self.graphs.vertex(name)
            for block in self.blocks:
                if block.defaults:
                    self._describe_by_default(vertex, block.defaults)
        return vertex

    def _describe_by_default(self, vertex: int, attributes: dict[str, str]) -> None:
        self.default_cells_left -= len(attributes)
        if self.default_cells_left < 0:
            raise self.tokens.error(
                "There are too many vertices with too many default attributes.",
                "Leave out attributes, or set MPGK_MAX_UNPACKED_BYTES to more.",
            )
        self._describe(vertex, attributes)

    def _describe(self, vertex: int, attributes: dict[str, str]) -> None:
        for key, value in attributes.items():
            if key == "name":
                self.graphs.shown_name(vertex, value)
            elif key not in _DRAWING and (key, value) != ("label", r"\N"):
                self.graphs.value(vertex, key, value)

    def _take_group(self, block: _Block, group: list[int], target: str) -> None:
        if block.is_joining:
            self._check_product(len(block.last), len(group))
            for first in block.last:
                self.graphs.numbered_edges([first] * len(group), group)
            target = "edges"
        block.last, block.target, block.is_joining = group, target, False
        if len(self.blocks) > 1:
            block.members.update(dict.fromkeys(group))

    def _check_product(self, n_firsts: int, n_seconds: int) -> None:
        """Bound the edges that are not written one by one, but as all pairs of two groups."""
        if min(n_firsts, n_seconds) > 1:
            self.pairs_left -= n_firsts * n_seconds
        if self.pairs_left < 0:
            raise self.tokens.error(
                "Groups of vertices are joined by too many edges.",
                "Join smaller groups, or set MPGK_MAX_EDGES to more.",
            )

    def _take_sign(self, block: _Block, sign: str) -> None:
        if block.is_joining or block.target not in ("vertex", "edges", "group"):
            raise self.tokens.error(f"There is nothing before {sign!r} to join.", "Name a vertex.")
        block.is_joining = True
        if sign == "->":
            self.graphs.directed = True

    def _take_attributes(self, block: _Block) -> None:
        attributes: dict[str, str] = {}
        n_attributes = 0
        while not self.tokens.starts_with("]"):
            key, value = self.tokens.next_text(), "true"
            if self.tokens.starts_with("="):
                self.tokens.next()
                value = self.tokens.next_text()
            attributes[key] = value
            n_attributes += 1
            self._check_count(n_attributes)
            if self.tokens.starts_with(",") or self.tokens.starts_with(";"):
                self.tokens.next()
        self.tokens.next()
        if block.is_joining or block.target in ("", "group"):
            raise self.tokens.error("There is a [ out of place.", "Put it behind a vertex or edge.")
        if block.target == "vertex":
            self._describe(block.last[0], attributes)
        elif block.target == "node":
            block.defaults.update(attributes)
        elif block.target == "edges" and "weight" in attributes:
            self.graphs.weighted = True

    def _check_count(self, n_attributes: int) -> None:
        if n_attributes > self.tokens.source.bounds.columns:
            raise self.tokens.error(
                f"There are more than {self.tokens.source.bounds.columns:,} attributes in a list.",
                "Leave some out, or set MPGK_MAX_COLUMNS to more.",
            )

    def _finish(self, block: _Block) -> None:
        if block.is_joining:
            raise self.tokens.error("An edge lacks its second end.", "Name a vertex.")
        block.last, block.target = [], ""

    def _open(self) -> None:
        self.blocks.append(_Block())
        if len(self.blocks) > self.tokens.source.bounds.depth:
            raise self.tokens.error(
                f"Braces are nested more than {self.tokens.source.bounds.depth} deep.",
                "Give a flatter file, or set MPGK_MAX_DEPTH to more.",
            )

    def _close(self, block: _Block) -> None:
        self._finish(block)
        self.blocks.pop()
        if self.blocks:
            self._take_group(self.blocks[-1], list(block.members), "group")


def _recognises(source: Source) -> bool:
    head = source.head.decode("utf-8", "replace")
    return _START.match(head, end_of_blank(head, 0)) is not None


FORMAT = Format(_TITLE, (".dot", ".gv"), _recognises, read)
