"""Read XML as a stream of tags, without entities and references, within bounds; and its graphs."""

from __future__ import annotations

import re
from dataclasses import dataclass
from html.entities import html5
from typing import Any
from xml.parsers import expat

from mpgk_core.errors import InvalidGraphError, UnreadableFileError, shortened
from mpgk_core.formats.graph_collector import GraphCollector
from mpgk_core.formats.source import Source

_CHUNK = 1 << 16
_BYTES_PER_CHARACTER = 4
_KNOWN_ENCODINGS = re.compile(
    r"utf-?8|utf-?16(?:le|be)?|(?:us-)?ascii|iso-8859-(?:[1-9]|1[03-6])|windows-125[0-8]", re.I
)
_WHOLE = {"int", "integer", "long", "short", "byte", "biginteger"}
_REAL = {"float", "double", "bigdecimal"}
_TRUTH = {"true": True, "1": True, "false": False, "0": False}
_MAX_DIGITS = 4_000


class XmlReader:
    """Goes through an XML file and calls a method for every tag that has one.

    A method ``start_x`` of a subclass is called at ``<x>`` with the attributes, and returns True
    if the text up to ``</x>`` is wanted; a method ``end_x`` is called at ``</x>`` with that text,
    which is empty if it was not wanted. An underscore in the name of a method stands for the colon
    of a tag. If the outermost tag has a prefix, then the tags of the methods have it too.

    Any document type with entities or references is refused, and depth, tags and texts are
    bounded.

    Parameters
    ----------
    source : Source
        The file.

    Attributes
    ----------
    depth : int
        How many tags are open, counting the one that is being handled.

    Examples
    --------
    >>> class Reader(XmlReader):
    ...     def start_b(self, attributes):
    ...         return True
    ...     def end_b(self, text):
    ...         print(text)
    >>> Reader(Source("a.xml", b"<a>Hello <b>world</b></a>")).run()
    world
    """

    def __init__(self, source: Source) -> None:
        self.source, self.depth = source, 0
        has_mark = source.plain is not source.content
        self._parser = expat.ParserCreate("utf-8" if has_mark else None)
        self._parser.buffer_text = True
        self._parser.XmlDeclHandler = self._check_encoding
        self._parser.StartDoctypeDeclHandler = self._check_document_type
        self._parser.EntityDeclHandler = self._refuse_entity
        self._parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)

    @property
    def line(self) -> int:
        """The line of the tag that is being handled."""
        return self._parser.CurrentLineNumber

    def error(self, problem: str, remedy: str) -> UnreadableFileError:
        """Return an error that names the file and the current line."""
        return self.source.error(problem, remedy, self.line)

    def run(self) -> None:
        """Go through the file."""
        self._connect()
        content = memoryview(self.source.plain)
        longest = max(_CHUNK, _BYTES_PER_CHARACTER * self.source.bounds.text_length)
        try:
            for start in range(0, len(content), _CHUNK):
                chunk = content[start : start + _CHUNK]
                self._parser.Parse(chunk, False)
                if start + len(chunk) - self._parser.CurrentByteIndex > longest:
                    raise self.error(
                        f"A tag or a comment is longer than {longest:,} bytes.",
                        "Shorten it, or set MPGK_MAX_TEXT_LENGTH to more.",
                    )
            self._parser.Parse(b"", True)
        except expat.ExpatError as error:
            raise self.source.error(
                f"This is not complete, well-formed XML ({expat.ErrorString(error.code)}).",
                "Write the file again with the program it comes from.",
                error.lineno,
            ) from None

    def _connect(self) -> None:
        parser, bounds = self._parser, self.source.bounds
        max_depth, max_length = bounds.depth, bounds.text_length
        starts: dict[str, Any] = {}
        ends: dict[str, Any] = {}
        depth = wanted_depth = length = 0
        pieces: list[str] = []

        def start(tag: str, attributes: dict[str, str]) -> None:
            nonlocal depth, wanted_depth, length
            depth += 1
            if depth > max_depth:
                self.source.check("depth", depth, self.line)
            if tag in starts:
                self.depth = depth
                if starts[tag](attributes) and not wanted_depth:
                    wanted_depth, length = depth, 0
                    parser.CharacterDataHandler = text

        def end(tag: str) -> None:
            nonlocal depth, wanted_depth
            if tag in ends:
                ends[tag]("".join(pieces))
            if depth == wanted_depth:
                wanted_depth = 0
                parser.CharacterDataHandler = None
                pieces.clear()
            depth -= 1

        def text(piece: str) -> None:
            nonlocal length
            length += len(piece)
            if length > max_length:
                self.source.check("text_length", length, self.line)
            pieces.append(piece)

        def first_start(tag: str, attributes: dict[str, str]) -> None:
            prefix = tag[: tag.find(":") + 1]
            for name in dir(type(self)):  # dir(self) would slow down its attributes
                kind, _, rest = name.partition("_")
                if rest and kind in ("start", "end"):
                    actions = starts if kind == "start" else ends
                    actions[prefix + rest.replace("_", ":")] = getattr(self, name)
            parser.StartElementHandler = start
            start(tag, attributes)

        parser.StartElementHandler, parser.EndElementHandler = first_start, end

    def _check_encoding(self, version: str, encoding: str | None, standalone: int) -> None:
        if encoding is not None and not _KNOWN_ENCODINGS.fullmatch(encoding):
            raise self.error(
                f"The encoding {shortened(encoding)!r} is not known.", "Save the file as UTF-8."
            )

    def _check_document_type(
        self, name: str, system_id: str | None, public_id: str | None, has_subset: bool
    ) -> None:
        if system_id is not None or public_id is not None or has_subset:
            raise self.error(
                "The document type (<!DOCTYPE ...>) has definitions or points to another file.",
                "Remove it: it is not needed, and it could be harmful.",
            )

    def _refuse_entity(self, *declaration: Any) -> None:
        raise self.error("There is an entity (<!ENTITY ...>).", "Remove it: it could be harmful.")


@dataclass(frozen=True)
class Declared:
    """A column that a file declares, and the type of its values."""

    column: str
    kind: str


class XmlGraphReader(XmlReader):
    """Puts the tags of an XML file into a collector.

    Parameters
    ----------
    source : Source
        The file.
    title : str
        Name of its format.
    direction : str
        Attribute of an edge that tells whether it is directed.
    undirected : tuple of str
        Values of this attribute for edges without direction.

    Attributes
    ----------
    in_graph, is_directed : bool
        Whether a graph is open, and whether its edges are directed by default.
    edge, edge_depth : int
        The number of the last edge, and how many tags are open within it.
    """

    def __init__(
        self, source: Source, title: str, direction: str, undirected: tuple[str, ...]
    ) -> None:
        super().__init__(source)
        self.in_graph = self.is_directed = False
        self.edge, self.edge_depth = -1, 0
        self.direction, self.undirected = direction, undirected
        self.graphs = GraphCollector(source, title, place=lambda: self.line)

    def collected(self) -> GraphCollector:
        """Go through the file, and return the graphs."""
        self.run()
        return self.graphs

    def add_vertex(self, attributes: dict[str, str]) -> int:
        """Add the vertex of a tag ``<node id="a">`` and return its number."""
        if not self.in_graph:
            raise self.error("There is a vertex outside a graph.", "Put it into a <graph>.")
        if "id" not in attributes:
            raise self.error("A vertex has no id.", "Give it one.")
        return self.graphs.vertex(attributes["id"])

    def start_edge(self, attributes: dict[str, str]) -> None:
        """Add the edge of a tag ``<edge source="a" target="b">``."""
        if not self.in_graph:
            raise self.error("There is an edge outside a graph.", "Put it into a <graph>.")
        direction = attributes.get(self.direction)
        directed = self.is_directed if direction is None else direction not in self.undirected
        if directed != self.graphs.directed:
            self.graphs.direct(directed)
        try:
            self.edge = self.graphs.edge(attributes["source"], attributes["target"])
            self.edge_depth = self.depth
        except KeyError:
            raise self.error(
                "An edge lacks its source or its target.", "Name both vertices."
            ) from None

    def value(self, declared: Declared, text: str) -> bool | int | float | str | None:
        """Return a value of the declared type, or raise an error that names the line.

        Types that are not known are text. Where a number or a truth value is declared, an empty
        text is a missing value.
        """
        kind = declared.kind.lower()
        if kind not in _WHOLE and kind not in _REAL and kind != "boolean":
            return text
        plain = text.strip()
        if not plain:
            return None
        try:
            if kind in _REAL:
                return float(plain)
            if kind in _WHOLE and len(plain) <= _MAX_DIGITS:
                return int(plain)
            return _TRUTH[plain.lower()]
        except (ValueError, KeyError):
            raise self.error(
                f"{shortened(plain)!r} is not of the type {shortened(kind)!r} that is declared "
                f"for {shortened(declared.column)!r}.",
                "Correct it, or declare the type string.",
            ) from None


_ENTITY = re.compile(r"&(?:#(?P<decimal>[0-9]{1,9})|#x(?P<hex>[0-9a-fA-F]{1,8})|\w{1,40});")
_SPECIAL = re.compile("[^ !#-%'-;=?-~\xa0-\ud7ff]")
_IMPOSSIBLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_ESCAPES = str.maketrans(
    {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"}
    | {sign: f"&#{ord(sign)};" for sign in "\t\n\r\x85\u2028"}
)


def with_characters(text: str) -> str:
    """Return the text with all entities replaced; what is no entity stays as it is.

    Parameters
    ----------
    text : str

    Returns
    -------
    str

    Examples
    --------
    >>> with_characters("caf&#233; &amp; AT&T")
    'café & AT&T'
    """
    return _ENTITY.sub(_character, text) if "&" in text else text


def _character(entity: re.Match[str]) -> str:
    if entity["decimal"] is None and entity["hex"] is None:
        return html5.get(entity[0][1:], entity[0])
    code = int(entity["decimal"]) if entity["decimal"] else int(entity["hex"], 16)
    is_character = code <= 0x10FFFF and not 0xD800 <= code <= 0xDFFF
    return chr(code) if is_character else "\N{REPLACEMENT CHARACTER}"


def xml_text(text: str) -> str:
    """Return the text escaped, fit for the content of a tag and for an attribute.

    Parameters
    ----------
    text : str
        Control characters, which XML cannot hold, are an error.

    Returns
    -------
    str

    Examples
    --------
    >>> xml_text('<b> & "c"')
    '&lt;b&gt; &amp; &quot;c&quot;'
    """
    if _SPECIAL.search(text) is None:
        return text
    impossible = _IMPOSSIBLE.search(text)
    if impossible is not None:
        raise InvalidGraphError(
            f"XML cannot hold the character U+{ord(impossible[0]):04X} in {shortened(text)!r}. "
            "Replace it, or choose another format."
        )
    return text.translate(_ESCAPES)
