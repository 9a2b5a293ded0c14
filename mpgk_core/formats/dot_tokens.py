"""Cut the text of a DOT file into its words and signs."""

from __future__ import annotations

import re
from enum import Enum
from typing import NamedTuple

from mpgk_core.errors import UnreadableFileError, shortened
from mpgk_core.formats.source import Source

_COMMENTS = ("/", "#")

# No possessive quantifier is used: around a subpattern they match wrongly before Python 3.11.5
# (CPython gh-106052). What may follow a repetition cannot begin another round of it, so that every
# pattern takes linear time, and repetitions of subpatterns are bounded, and so is their memory.
_BLANK = re.compile(r"\s+|//[^\n]*|/\*.*?\*/|(?<![^\n])\#[^\n]*", re.DOTALL)
_TOKEN = re.compile(
    r"""(?:(--|->|[][{};,=:+])
    |"([^"\\]*)"
    |([^\W\d]\w*|-?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)))\s*""",
    re.VERBOSE,
)
_QUOTED_PIECE = re.compile(r'[^"\\]*(?:\\.[^"\\]*){0,1000}', re.DOTALL)
_BRACKET = re.compile("[<>]")
_CONTINUED_OR_QUOTE = re.compile(r'\\(?:\n|(")|(\\))')
_PLAIN_WORD = r"([0-9]+(?![\w.])|(?!(?:strict|(?:di|sub)?graph|node|edge)\b)[^\W\d]\w*(?!\w))\s*"
_PLAIN_EDGE = re.compile(
    rf"""{_PLAIN_WORD}(--|->)\s*{_PLAIN_WORD}
    (\[[^][{{}}"</]*(?:"[^"\\]*"[^][{{}}"</]*){{0,100}}\]\s*)?  # attributes
    (?:;\s*|(?=[\w"}}]))  # the end, or what can only begin another statement
    """,
    re.VERBOSE | re.IGNORECASE,
)


class Kind(Enum):
    """What a token is: a sign, a plain word, or a text in quotation marks or brackets."""

    SIGN = 1
    QUOTED = 2
    WORD = 3


_KINDS = (Kind.SIGN, Kind.SIGN, Kind.QUOTED, Kind.WORD)


class Token(NamedTuple):
    """A piece of a DOT file."""

    text: str
    kind: Kind


class PlainEdge(NamedTuple):
    """An edge between two plain words, and whether it has a weight."""

    first: str
    sign: str
    second: str
    has_weight: bool


class Tokens:
    """The tokens of a file, one at a time.

    Parameters
    ----------
    source : Source
        The file.

    Examples
    --------
    >>> tokens = Tokens(Source("a.dot", b'graph { a -- "b" }'))
    >>> [tokens.next().text for _ in range(6)]
    ['graph', '{', 'a', '--', 'b', '}']
    """

    def __init__(self, source: Source) -> None:
        self.source, self.text, self.position = source, source.text, 0
        self._skip_blank()

    def line_at(self, position: int) -> int:
        """Return the line of a position in the text."""
        return self.text.count("\n", 0, position) + 1

    def error(self, problem: str, remedy: str) -> UnreadableFileError:
        """Return an error that names the file and the current line."""
        return self.source.error(problem, remedy, self.line_at(self.position))

    def at_end(self) -> bool:
        """Return whether there are no more tokens."""
        return self.position >= len(self.text)

    def starts_with(self, sign: str) -> bool:
        """Return whether the next token is this sign."""
        return self.text.startswith(sign, self.position)

    def plain_edge(self) -> PlainEdge | None:
        """Take ``a -- b;`` at once, if that is what comes."""
        match = _PLAIN_EDGE.match(self.text, self.position)
        if match is None:
            return None
        self._go_on(match.end())
        first, sign, second, attributes = match.groups()
        return PlainEdge(first, sign, second, attributes is not None and "weight" in attributes)

    def next(self) -> Token:
        """Take the next token."""
        match = _TOKEN.match(self.text, self.position)
        if match is None:
            if self.starts_with("<"):
                return Token(self._markup(), Kind.QUOTED)
            if self.starts_with('"'):
                return Token(self._text_with_escapes(), Kind.QUOTED)
            raise self._no_token()
        place = match.lastindex or 0
        self._go_on(match.end())
        return Token(match[place], _KINDS[place])

    def next_text(self) -> str:
        """Take a name or a value."""
        return self.whole_text(self.next())

    def whole_text(self, token: Token) -> str:
        """Return the text of a token, with all that plus signs join to it."""
        pieces = [self._text_of(token)]
        while self.starts_with("+"):
            self.next()
            pieces.append(self._text_of(self.next()))
            if len(pieces) > self.source.bounds.columns:
                raise self.error("A text is joined from thousands of pieces.", "Write it as one.")
        return "".join(pieces)

    def _text_of(self, token: Token) -> str:
        if token.kind is Kind.SIGN:
            raise self.error(
                f"There is a {token.text!r} where a name or a value should be.", "Correct it."
            )
        return token.text

    def _go_on(self, position: int) -> None:
        """Move behind a token and the spaces after it, and behind comments if there are any."""
        self.position = position
        if self.text.startswith(_COMMENTS, position):
            self._skip_blank()

    def _skip_blank(self) -> None:
        self.position = end_of_blank(self.text, self.position)

    def _text_with_escapes(self) -> str:
        start = end = self.position + 1
        while (further := _end(_QUOTED_PIECE, self.text, end)) > end:
            end = further
        if not self.text.startswith('"', end):
            raise self.error("A quotation mark is never closed.", "Close it.")
        self.position = end + 1
        self._skip_blank()
        return _CONTINUED_OR_QUOTE.sub(_plain, self.text[start:end])

    def _markup(self) -> str:
        depth, start = 0, self.position
        for bracket in _BRACKET.finditer(self.text, start):
            depth += 1 if bracket[0] == "<" else -1
            if depth == 0:
                text = self.text[start : bracket.end()]
                self.position = bracket.end()
                self._skip_blank()
                return text
        raise self.error("A < is never closed.", "Give the whole file, and every < its >.")

    def _no_token(self) -> UnreadableFileError:
        if self.at_end():
            return self.error("The file ends early.", "Give the whole file: every { needs its }.")
        rest = self.text[self.position : self.position + 20].split("\n")[0]
        return self.error(
            f"{shortened(rest)!r} is not understood.",
            "Put names with signs or spaces in quotation marks.",
        )


def end_of_blank(text: str, position: int) -> int:
    """Return the end of the spaces and comments that begin at a position.

    Examples
    --------
    >>> end_of_blank("/* one */ // two", 0)
    16
    """
    while (end := _end(_BLANK, text, position)) > position:
        position = end
    return position


def _end(pattern: re.Pattern[str], text: str, position: int) -> int:
    match = pattern.match(text, position)
    return position if match is None else match.end()


def _plain(escape: re.Match[str]) -> str:
    return (escape[1] or "") if escape[2] is None else escape[0]
