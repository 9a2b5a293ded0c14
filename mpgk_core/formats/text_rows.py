"""Rows of cells from text, whatever separates the cells."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import islice

from mpgk_core.csv_cells import unescaped
from mpgk_core.errors import UnreadableFileError
from mpgk_core.formats.number_table import FIRST_ROW
from mpgk_core.formats.source import Source

#: The separator of cells between which there are spaces and tabs, however many.
BLANKS = " "

#: What is wrong with quotation marks, and what to do about it.
WRONG_QUOTES = (
    "A quotation mark is not closed, or not followed by a separator.",
    "Put the whole cell in quotation marks, and double those inside.",
)

_COMMENTS = ("#", "%")
_CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1f\x7f]")
_QUOTED = re.compile(r'"[^"]*"')
_CELL = re.compile(r'"((?:[^"]|"")*)"(?=\s|$)|(\S+)')
_DICTIONARY = re.compile(r"\s\{")
_HEAD = 4096
_FARTHEST = 1_000_000
_SAMPLE = 50


def is_plain_text(source: Source) -> bool:
    """Return whether a file starts like text without markup."""
    head = source.head
    if not head or head.startswith((b"<", b"{", b"[")) or _CONTROL.search(head):
        return False
    try:
        head.decode("utf-8")
    except UnicodeDecodeError as error:
        return error.reason == "unexpected end of data"
    return True


def separator_of(source: Source) -> str:
    """Return what stands between the cells: a semicolon, a tab, a comma, or blanks."""
    head = _QUOTED.sub("_", _head(source))
    rows = _without_comments(io.StringIO(head, newline=None), True)
    lines = [_DICTIONARY.split(row.strip())[0] for row in rows if row.strip()][:_SAMPLE]
    for separator in (";", "\t", ","):
        others = [line for line in lines if separator not in line]
        are_lone = len(others) < len(lines) and all(len(line.split()) == 1 for line in others)
        most_have_it = 2 * len(others) < len(lines)
        if separator == "\t":
            most_have_it = False
            are_lone &= not any(",\t" in line for line in lines)
        if are_lone or most_have_it:
            return separator
    return BLANKS


def first_rows(source: Source, separator: str) -> list[list[str]]:
    """Return the first rows, some dozens at most, up to where quotation marks are wrong."""
    rows: list[list[str]] = []
    lines = _without_comments(io.StringIO(_head(source), newline=""), True)
    with suppress(csv.Error):  # the head may end between quotation marks
        for _, cells in islice(_split(lines, separator, source.plain), _SAMPLE):
            rows.append(cells)
    return rows


def text_rows(
    source: Source, separator: str, comments_anywhere: bool = True
) -> Iterator[tuple[int, list[str]]]:
    """Yield the cells of every row that is neither blank nor a comment, and where it stands.

    Parameters
    ----------
    source : Source
        The file.
    separator : str
        From :func:`separator_of`.
    comments_anywhere : bool
        Whether lines that start with ``#`` or ``%`` are comments after the first row, too.

    Yields
    ------
    line : int
        Counted from 1.
    cells : list of str
        Without quotation marks; those of tables also without the apostrophe that keeps a
        spreadsheet from running them.
    """
    line, content = 0, source.plain
    if b"\0" in content:
        source.text  # noqa: B018  its error says where
    stream = io.TextIOWrapper(
        io.BytesIO(content), encoding="utf-8", newline="" if b'"' in content else None
    )
    try:
        for line, cells in _split(_without_comments(stream, comments_anywhere), separator, content):
            check_lengths(source, cells, line)
            yield line, cells
    except UnicodeDecodeError:
        source.text  # noqa: B018  its error says where
        raise
    except csv.Error as error:
        if "field larger" in str(error):
            raise _too_long(source, csv.field_size_limit(), line + 1) from None
        raise source.error(*WRONG_QUOTES, line + 1) from None


def check_lengths(source: Source, texts: Sequence[str], line: int | None = None) -> None:
    """Raise if one of the texts is too long."""
    longest = max(map(len, texts), default=0)
    if longest > source.bounds.text_length:
        raise _too_long(source, longest, line)


def _head(source: Source) -> str:
    """Return the first lines that are whole, the first row among them."""
    content = source.plain
    row = FIRST_ROW.search(content, 0, _FARTHEST)
    size = max(_HEAD, row.end() + 1 if row is not None else 0)
    if size < len(content):
        size = max(content.rfind(b"\n", 0, size), content.rfind(b"\r", 0, size)) + 1
    return content[:size].decode("utf-8", "replace")


def _without_comments(lines: Iterable[str], anywhere: bool) -> Iterator[str]:
    """Yield all lines, comments as blank ones, so that the others keep their numbers."""
    inside_quotes, before_rows = False, True
    for line in lines:
        if (
            (anywhere or before_rows)
            and not inside_quotes
            and line.lstrip(" \t").startswith(_COMMENTS)
        ):
            yield "\n"
            continue
        if '"' in line:
            inside_quotes ^= line.count('"') % 2 == 1
        before_rows = before_rows and line.isspace()
        yield line


def _split(lines: Iterable[str], separator: str, content: bytes) -> Iterator[tuple[int, list[str]]]:
    has_quotes, has_apostrophes = b'"' in content, b"'" in content
    rows: Iterator[tuple[int, list[str]]]
    if separator == BLANKS:
        yield from _split_at_blanks(lines, has_quotes)
        return
    rows = _split_quoted(lines, separator) if has_quotes else _split_plain(lines, separator)
    for line, cells in rows:
        if any(cells):
            yield line, [unescaped(cell) for cell in cells] if has_apostrophes else cells


def _split_quoted(lines: Iterable[str], separator: str) -> Iterator[tuple[int, list[str]]]:
    reader = csv.reader(lines, delimiter=separator, skipinitialspace=True, strict=True)
    for cells in reader:
        yield reader.line_num, cells


def _split_plain(lines: Iterable[str], separator: str) -> Iterator[tuple[int, list[str]]]:
    for number, line in enumerate(lines, start=1):
        yield number, [cell.strip() for cell in line.split(separator)]


def _split_at_blanks(lines: Iterable[str], has_quotes: bool) -> Iterator[tuple[int, list[str]]]:
    """Split lines; a comment behind a row is left out, and a dictionary is one cell."""
    for number, line in enumerate(lines, start=1):
        cells = _tokens(line) if has_quotes or "#" in line or "{" in line else line.split()
        if cells:
            yield number, cells


def _tokens(line: str) -> list[str]:
    cells: list[str] = []
    for inside, plain in _CELL.findall(line):
        if plain.startswith("#"):
            break
        cells.append(inside.replace('""', '"') if inside else plain)
        if plain.startswith("{") and len(cells) > 2:
            break
    return cells


def _too_long(source: Source, length: int, line: int | None) -> UnreadableFileError:
    return source.error(
        f"There is a text of {length:,} characters or more.",
        "Shorten it, or set MPGK_MAX_TEXT_LENGTH to more.",
        line,
    )
