"""Rows of cells from text, whatever separates the cells, and the words above the columns."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import islice
from typing import Any

from numpy.typing import NDArray

from mpgk_core.formats.columns import column_of_cells
from mpgk_core.formats.source import Source
from mpgk_core.text import unescaped

#: The separator of cells between which there are spaces and tabs, however many.
BLANKS = " "

#: What is wrong with quotation marks, and what to do about it.
WRONG_QUOTES = (
    "A quotation mark is not closed, or not followed by a separator.",
    "Put the whole cell in quotation marks, and double those inside.",
)

#: The first line that is neither blank nor a comment.
FIRST_ROW = re.compile(rb"(?<![^\r\n])[ \t]*[^#%\s][^\r\n]*")

_FIRST_ENDS = re.compile(
    "source|src|from|start|tail|nodea?|vertex|(?:end|node|vertex|id|person|name)1"
    "|(?:source|from|start)(?:id|node)|(?:source|from)vertex|fromnodeid"
)
_SECOND_ENDS = re.compile(
    "target|tgt|dst|dest|destination|to|end|head|neighbou?r|nodeb"
    "|(?:end|node|vertex|id|person|name)2|(?:target|to|end)(?:id|node)|(?:target|to)vertex|tonodeid"
)
_VERTICES = ("id", "nodeid", "vertexid", "node", "vertex", "name", "nodename", "vertexname", "key")

_COMMENTS = ("#", "%")
_CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1f\x7f]")
_QUOTED = re.compile(r'"[^"]*"')
_CELL = re.compile(r'"((?:[^"]|"")*)(?:(")(?=[ \t\r\n]|\Z)|\Z)|([^ \t\r\n]+)')
_IS_SPECIAL = re.compile(r'["#{]').search
_DICTIONARY = re.compile(r"\s\{")
_TEXT = r"""(?:'([^'\\]*)'|"([^"\\]*)")"""
_ITEM = re.compile(rf"\s*{_TEXT}\s*:\s*(?:{_TEXT}|([^\s,'\"(){{}}\[\]]+))\s*(?:,|\Z)")
_HEAD = 4096
_FARTHEST = 1_000_000
_SAMPLE = 50
#: A name may go on over lines; a quotation mark that is never closed must not take all of them.
_MAX_LINES_OF_A_ROW = 100


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


def first_rows(source: Source, separator: str | None = None) -> list[list[str]]:
    """Return the first rows of plain text, some dozens at most, up to where quotes are wrong."""
    rows: list[list[str]] = []
    if not is_plain_text(source):
        return rows
    lines = _without_comments(io.StringIO(_head(source), newline=""), True)
    with suppress(csv.Error):  # the head may end between quotation marks
        for _, cells in _split(lines, separator or separator_of(source), source.plain):
            if any(cells):
                rows.append(cells)
            if len(rows) == _SAMPLE:
                break
    return rows


def text_rows(
    source: Source,
    separator: str | None = None,
    comments_anywhere: bool = True,
    empty_rows: bool = False,
) -> Iterator[tuple[int, list[str]]]:
    """Yield the cells of every row that is neither blank nor a comment, and where it stands.

    Parameters
    ----------
    source : Source
        The file.
    separator : str, optional
        Default: from :func:`separator_of`.
    comments_anywhere : bool
        Whether lines that start with ``#`` or ``%`` are comments after the first row, too.
    empty_rows : bool
        Whether rows of several empty cells are rows.

    Yields
    ------
    line : int
        Counted from 1.
    cells : list of str
        Without quotation marks; those of tables also without the apostrophe that keeps a
        spreadsheet from running them.
    """
    separator = separator or separator_of(source)
    line, content = 0, source.plain
    if b"\0" in content:
        source.text  # noqa: B018  its error says where
    stream = io.TextIOWrapper(
        io.BytesIO(content), encoding="utf-8", newline="" if b'"' in content else None
    )
    try:
        for line, cells in _split(_without_comments(stream, comments_anywhere), separator, content):
            if any(cells) or (empty_rows and len(cells) > 1):
                source.check("text_length", max(map(len, cells)), line)
                yield line, cells
    except UnicodeDecodeError:
        source.text  # noqa: B018  its error says where
        raise
    except csv.Error as error:
        if "field larger" in str(error):
            problem = f"A text has more than {csv.field_size_limit():,} characters."
            raise source.error(problem, "Shorten it.", line + 1) from None
        raise source.error(*WRONG_QUOTES, line + 1) from None


def count_rows(source: Source) -> int:
    """Return how many rows a table has."""
    if b'"' in source.plain:
        return sum(1 for _ in text_rows(source, empty_rows=True))
    return sum(1 for _ in FIRST_ROW.finditer(source.plain))


def line_of(content: bytes, position: int) -> int:
    """Return the number of the line in which a byte stands, counted from 1."""
    return content.count(b"\n" if b"\n" in content else b"\r", 0, position) + 1


def line_of_row(content: bytes, row: int) -> int:
    r"""Return the line of a row, counted from 1; rows count from 0.

    Examples
    --------
    >>> line_of_row(b"# vertices\n\n7\n8\n", 1)
    4
    """
    found = next(islice(FIRST_ROW.finditer(content), row, None))
    return line_of(content, found.end())


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
    """Yield every row, with the number of its last line; blank ones have no or empty cells only."""
    if separator == BLANKS:
        yield from _split_at_blanks(lines)
        return
    if b'"' in content:
        reader = csv.reader(lines, delimiter=separator, skipinitialspace=True, strict=True)
        rows = ((reader.line_num, cells) for cells in reader)
    else:
        rows = (
            (number, [cell.strip() for cell in line.split(separator)])
            for number, line in enumerate(lines, start=1)
        )
    has_apostrophes = b"'" in content
    for number, cells in rows:
        yield number, [unescaped(cell) for cell in cells] if has_apostrophes else cells


def _split_at_blanks(lines: Iterable[str]) -> Iterator[tuple[int, list[str]]]:
    row: list[str] = []
    for number, line in enumerate(lines, start=1):
        row.append(line)
        if len(row) > _MAX_LINES_OF_A_ROW:
            break
        cells = _tokens("".join(row))
        if cells is not None:
            row = []
            yield number, cells
    if row:
        raise csv.Error


def _tokens(row: str) -> list[str] | None:
    """Split a row; None if it ends within quotation marks.

    A comment behind the cells is left out, and a dictionary is one cell, up to the end of the row.
    """
    if row.isascii() and not _IS_SPECIAL(row):
        return row.split()
    cells: list[str] = []
    for cell in _CELL.finditer(row):
        inside, is_closed, plain = cell[1], cell[2], cell[3] or ""
        if plain.startswith("#"):
            break
        if plain.startswith('"'):
            raise csv.Error
        if not plain and not is_closed:
            return None
        if plain.startswith("{") and len(cells) > 1:
            return [*cells, row[cell.start() :].rstrip()]
        cells.append(plain or inside.replace('""', '"'))
    return cells


def dictionary_of(cell: str) -> dict[str, str] | None:
    """Return what a flat dictionary holds, as Python or JSON write it; None if it is no such one.

    Examples
    --------
    >>> dictionary_of("{'weight': 2.5, 'kind': 'road'}"), dictionary_of("{'a': [1]}")
    ({'weight': '2.5', 'kind': 'road'}, None)
    """
    if not (cell.startswith("{") and cell.endswith("}")):
        return None
    found: dict[str, str] = {}
    rest, end = cell[1:-1], 0
    while rest[end:].strip():
        item = _ITEM.match(rest, end)
        if item is None:
            return None
        key, bare = item[1] or item[2] or "", item[5]
        found[key] = (item[3] or item[4] or "") if bare is None else bare.replace("None", "")
        end = item.end()
    return found


def columns_in_dictionaries(
    source: Source, cells: Sequence[str | None]
) -> dict[str, NDArray[Any]] | None:
    """Return the columns that cells make which are dictionaries; None if one is something else.

    Examples
    --------
    >>> columns_in_dictionaries(Source("a.txt", b""), ["{'weight': 2}", "{}", None])
    {'weight': array([ 2., nan, nan])}
    """
    known = {cell: dictionary_of(cell or "{}") for cell in set(cells)}
    if None in known.values() or not any(cells):
        return None
    keys = sorted({key for record in known.values() for key in record or ()})
    source.check("columns", len(keys))
    source.check("text_length", max(map(len, keys), default=0))
    return {key: column_of_cells([(known[cell] or {}).get(key) for cell in cells]) for key in keys}


def edge_columns(header: Sequence[str]) -> tuple[int, int] | None:
    """Return which columns of a table of edges name the two ends; None if it is no such table.

    Parameters
    ----------
    header : sequence of str
        The words above the columns.

    Returns
    -------
    tuple of two int, or None

    Examples
    --------
    >>> edge_columns(["Source", "Target", "Weight"]), edge_columns(["id", "label"])
    ((0, 1), None)
    """
    words = [_word(cell) for cell in header]
    firsts = [place for place, word in enumerate(words) if _FIRST_ENDS.fullmatch(word)]
    seconds = [place for place, word in enumerate(words) if _SECOND_ENDS.fullmatch(word)]
    return (firsts[0], seconds[0]) if firsts and seconds else None


def vertex_column(header: Sequence[str]) -> int | None:
    """Return which column of a table of vertices names these; None if it is no such table.

    Parameters
    ----------
    header : sequence of str
        The words above the columns.

    Returns
    -------
    int or None

    Examples
    --------
    >>> vertex_column(["label", "id"]), vertex_column(["from", "to"])
    (1, None)
    """
    words = [_word(cell) for cell in header]
    if edge_columns(header) is not None:
        return None
    return next((words.index(word) for word in _VERTICES if word in words), None)


def is_edge_header(rows: Sequence[Sequence[str]]) -> bool:
    """Return whether the first row stands above edges instead of being one.

    Parameters
    ----------
    rows : sequence of sequences of str
        The first rows of the file.

    Returns
    -------
    bool
        True if it has the usual words, which are no names in later rows; or if none of its cells
        is a number but a column of later rows is all numbers.

    Examples
    --------
    >>> is_edge_header([["u", "v"], ["1", "2"]]), is_edge_header([["u", "v"], ["v", "w"]])
    (True, False)
    """
    if not rows or len(rows[0]) < 2:
        return False
    first, others = rows[0], [row for row in rows[1:] if len(row) == len(rows[0])]
    places = edge_columns(first)
    if places is not None:
        words = {first[place] for place in places}
        return not any(row[place] in words for row in others for place in places)
    numeric = (all(map(is_number, column)) for column in zip(*others, strict=True))
    return any(numeric) and not any(map(is_number, first))


def is_number(cell: str) -> bool:
    """Return whether a cell is a number."""
    try:
        float(cell)
    except ValueError:
        return False
    return True


def _word(cell: str) -> str:
    return "".join(character for character in cell.lower() if character.isalnum())
