"""Read XML as a stream of tags, without entities and references, and within bounds."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any
from xml.parsers import expat

from mpgk_core.errors import UnreadableFileError, shortened
from mpgk_core.formats.source import Source

Starts = Mapping[str, Callable[[dict[str, str]], bool | None]]
Ends = Mapping[str, Callable[[str], None]]

_CHUNK = 1 << 16
_BYTES_PER_CHARACTER = 4
_KNOWN_ENCODINGS = re.compile(
    r"utf-?8|utf-?16(?:le|be)?|(?:us-)?ascii|iso-8859-(?:[1-9]|1[03-6])|windows-125[0-8]", re.I
)


class XmlStream:
    """An XML file that calls an action for every tag that has one.

    Any document type with entities or references is refused, and depth, tags and texts are
    bounded. If the outermost tag has a prefix, then the tags of the actions have it too.

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
    >>> stream = XmlStream(Source("a.xml", b"<a>Hello <b>world</b></a>"))
    >>> stream.run({"b": lambda attributes: True}, {"b": print})
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

    def run(self, starts: Starts, ends: Ends) -> None:
        """Go through the file.

        Parameters
        ----------
        starts : mapping of str to callable
            Called at an opening tag with its attributes; returns True if the text up to the
            closing tag is wanted.
        ends : mapping of str to callable
            Called at a closing tag with the wanted text, which is empty if it was not wanted.
        """
        self._connect(starts, ends)
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

    def _connect(self, starts: Starts, ends: Ends) -> None:
        parser, bounds = self._parser, self.source.bounds
        max_depth = bounds.depth
        wanted_depth = length = 0
        pieces: list[str] = []

        def start(tag: str, attributes: dict[str, str]) -> None:
            nonlocal wanted_depth, length
            self.depth += 1
            if self.depth > max_depth:
                raise self.error(
                    f"Tags are nested more than {max_depth} deep.",
                    "Give a flatter file, or set MPGK_MAX_DEPTH to more.",
                )
            action = starts.get(tag)
            if action is not None and action(attributes) and not wanted_depth:
                wanted_depth, length = self.depth, 0
                parser.CharacterDataHandler = text

        def end(tag: str) -> None:
            nonlocal wanted_depth
            action = ends.get(tag)
            if action is not None:
                action("".join(pieces))
            if self.depth == wanted_depth:
                wanted_depth = 0
                parser.CharacterDataHandler = None
                pieces.clear()
            self.depth -= 1

        def text(piece: str) -> None:
            nonlocal length
            length += len(piece)
            if length > bounds.text_length:
                raise self.error(
                    f"A text is longer than {bounds.text_length:,} characters.",
                    "Shorten it, or set MPGK_MAX_TEXT_LENGTH to more.",
                )
            pieces.append(piece)

        def first_start(tag: str, attributes: dict[str, str]) -> None:
            nonlocal starts, ends
            prefix = tag[: tag.find(":") + 1]
            starts = {prefix + name: action for name, action in starts.items()}
            ends = {prefix + name: action for name, action in ends.items()}
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
