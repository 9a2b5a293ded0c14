"""Columns of numbers and of names from text: pyarrow reads regular tables, Python all others.

A row is a line. Blank lines, and lines that start with ``#`` or ``%``, are left out. pyarrow reads
tables whose rows are all alike; whatever it refuses is read again, cell by cell, which finds the
line of an error. Both read the same values: real numbers are rounded exactly.
"""

from __future__ import annotations

import io
import re
from array import array
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from mpgk_core.errors import shortened
from mpgk_core.formats.columns import column_of_cells
from mpgk_core.formats.source import Source
from mpgk_core.formats.text_rows import BLANKS, FIRST_ROW

if TYPE_CHECKING:
    import pyarrow as pa

_WHOLE_NUMBER = re.compile(r"([+-]?)(?=[0-9])0*([0-9]*)\Z")
#: Below this size Python has finished before pyarrow is imported.
SMALL = 50_000
#: Where these are, a cell need not be a name as it stands.
_SPECIAL = (b'"', b"'", b"#", b"%", b"{")
_PIECE = 1 << 24
#: So many bytes, and what is computed from them, stay in the processor's cache.
_BLOCK = 1 << 17
_BLANKS_AT_ENDS, _BLANKS_BETWEEN = re.compile(rb"[ \t]*[\r\n]\s*"), re.compile(rb"[ \t]+")


_TOO_LONG = 2.0**63
"""Whole numbers from here on need more than 64 bits."""


def whole_numbers(
    source: Source, content: bytes, n_columns: int, first_line: int = 1, dtype: type = np.int64
) -> NDArray[Any]:
    r"""Read a table of whole numbers.

    Parameters
    ----------
    source : Source
        The file, for messages.
    content : bytes
        The text of the table. Cells are separated by commas if the first row has a comma, and
        else by spaces and tabs.
    n_columns : int
        How many cells each row must have.
    first_line : int
        The number of the content's first line in the file, for messages.
    dtype : {int64, int32}
        A narrow type saves memory; it is widened where numbers are large or rows unusual.

    Returns
    -------
    ndarray of shape (rows, columns)

    Examples
    --------
    >>> text = b"1, 2\n3, -4\n"
    >>> whole_numbers(Source("a.txt", text), text, 2).tolist()
    [[1, 2], [3, -4]]
    """
    return _table(source, content, n_columns, first_line, np.dtype(dtype))


def real_numbers(
    source: Source, content: bytes, n_columns: int, first_line: int = 1
) -> NDArray[np.float64]:
    r"""Read a table of real numbers; each is exactly what Python's ``float`` says.

    Parameters
    ----------
    source, content, n_columns, first_line
        As in :func:`whole_numbers`; ``nan`` and ``inf`` count as numbers.

    Returns
    -------
    ndarray of shape (rows, columns)

    Examples
    --------
    >>> text = b"0.1 2\n3e-5 inf\n"
    >>> real_numbers(Source("a.txt", text), text, 2).tolist()
    [[0.1, 2.0], [3e-05, inf]]
    """
    return _table(source, content, n_columns, first_line, np.dtype(np.float64))


def _table(
    source: Source, content: bytes, n_columns: int, first_line: int, dtype: np.dtype[Any]
) -> NDArray[Any]:
    first = FIRST_ROW.search(content)
    separator = "," if first is not None and b"," in first.group() else BLANKS
    if len(content) > SMALL and n_columns <= source.bounds.columns:
        numbers = regular_numbers(content, separator, n_columns, range(n_columns), dtype)
        if numbers is not None:
            return numbers
    return _read_by_cells(source, content, separator, n_columns, first_line, dtype)


def regular_numbers(
    content: bytes,
    separator: str,
    width: int,
    places: Sequence[int],
    dtype: np.dtype[Any],
    lone: list[str] | None = None,
    is_canonical: bool = False,
) -> NDArray[Any] | None:
    r"""Return some columns of a table of numbers, if all rows are alike.

    Parameters
    ----------
    content : bytes
        The text of the table.
    separator : str
        Between cells, or ``BLANKS``.
    width : int
        How many cells each row has.
    places : sequence of int
        The columns that are read.
    dtype : {int64, float64}
        Whole numbers must be canonical: "7", but neither "+7" nor "07" nor "-0".
    lone : list, optional
        Takes rows of one cell, as text. Default: no row may have one cell only.
    is_canonical : bool
        Whether real numbers must not start like "07" or "-0", either.

    Returns
    -------
    ndarray of shape (rows, len(places)) or None
        None if anything is unusual.

    Examples
    --------
    >>> regular_numbers(b"1 2 0.5\n2 3 0.7\n", " ", 3, [0, 1], np.dtype(np.int64)).tolist()
    [[1, 2], [2, 3]]
    >>> regular_numbers(b"1 2\n2 007\n", " ", 2, [0, 1], np.dtype(np.int64)) is None
    True
    """
    is_whole = dtype.kind == "i"
    found = [[np.empty(0, dtype)] for _ in places]
    for piece, columns in _columns(content, separator, width, places, dtype.name, lone):
        if columns is None or ((is_whole or is_canonical) and _has_unusual_numbers(piece)):
            return None
        for parts, column in zip(found, columns, strict=True):
            parts += map(np.from_dlpack, column.chunks)
    numbers = np.empty((len(places), sum(map(len, found[0]))), dtype)
    for row, parts in zip(numbers, found, strict=True):
        np.concatenate(parts, out=row)
    return numbers.T if is_whole or np.isfinite(numbers).all() else None


def regular_names(
    content: bytes, separator: str, width: int, places: Sequence[int], max_length: int = 1000
) -> tuple[list[str], NDArray[np.int64]] | None:
    r"""Return the distinct names in some columns, and which of them stand in every row.

    Parameters
    ----------
    content, separator, width, places
        As in :func:`regular_numbers`.
    max_length : int
        How many characters a name may have.

    Returns
    -------
    names : list of str
        As they first appear.
    rows : ndarray of shape (rows, len(places))
        Positions in ``names``. Instead of both, None if anything is unusual.

    Examples
    --------
    >>> regular_names(b"b,a\nc,a\n", ",", 2, [1, 0])
    (['a', 'b', 'c'], array([[0, 1], [0, 2]]))
    """
    import pyarrow as pa

    if any(mark in content for mark in _SPECIAL):
        return None
    number: dict[str, int] = {}
    parts = [np.empty((0, len(places)), dtype=np.int64)]
    for _, columns in _columns(content, separator, width, places, "string"):
        if columns is None:
            return None
        cells = pa.concat_arrays([part for column in columns for part in column.chunks])
        encoded = cells.dictionary_encode()
        codes = np.from_dlpack(encoded.indices).reshape(len(places), -1).T
        names = [name.strip(" \t") for name in encoded.dictionary.to_pylist()]
        if any(not name or "\t" in name or len(name) > max_length for name in names):
            return None
        first = np.empty(len(names), dtype=np.int64)
        first[codes.ravel()[::-1]] = np.arange(codes.size)[::-1]  # the last assignment holds
        for code in np.argsort(first).tolist():
            number.setdefault(names[code], len(number))
        parts.append(np.array([number[name] for name in names], dtype=np.int64)[codes])
    return list(number), np.concatenate(parts)


def regular_column(
    content: bytes, separator: str, width: int, place: int, max_length: int = 1000
) -> NDArray[Any] | None:
    r"""Return one column as :func:`~mpgk_core.formats.columns.column_of_cells` makes it.

    Parameters
    ----------
    content, separator, width
        As in :func:`regular_numbers`.
    place : int
        The column that is read. Rows of one cell are left out.
    max_length : int
        How many characters a cell may have.

    Returns
    -------
    ndarray of shape (rows,) or None
        None if anything is unusual.

    Examples
    --------
    >>> regular_column(b"1 2 0.5\n2 3 0.7\n", " ", 3, 2)
    array([0.5, 0.7])
    """
    for dtype in (np.dtype(np.int64), np.dtype(np.float64)):
        numbers = regular_numbers(content, separator, width, [place], dtype, [], is_canonical=True)
        if numbers is not None:
            if np.abs(numbers, dtype=np.float64).max(initial=0) >= _TOO_LONG:
                return None  # cells that are all whole numbers stay text then
            return np.ascontiguousarray(numbers[:, 0])
    named = regular_names(content, separator, width, [place], max_length)
    return None if named is None else column_of_cells(named[0])[named[1][:, 0]]


def n_lines(content: bytes) -> int:
    """Return how many lines there are at most."""
    return max(content.count(b"\n"), content.count(b"\r")) + 1


def _columns(
    content: bytes,
    separator: str,
    width: int,
    places: Sequence[int],
    kind: str,
    lone: list[str] | None = None,
) -> Iterator[tuple[bytes, list[pa.ChunkedArray] | None]]:
    """Yield pieces of the text, and what pyarrow reads from each; None where a row is unusual."""
    import pyarrow as pa
    from pyarrow import csv

    first = FIRST_ROW.search(content)
    if first is None or width < 1:
        return
    are_blanks = separator == BLANKS
    if are_blanks:
        separator = "\t" if b"\t" in first.group() else " "

    def take_lone(row: csv.InvalidRow) -> str:
        if lone is None or row.actual_columns != 1:
            return "error"
        lone.append(row.text)
        return "skip"

    # pyarrow decodes a row before it calls, and prints an error where that fails.
    handler = take_lone if lone is not None and content.isascii() else None
    names = [str(place) for place in range(width)]
    chosen = [names[place] for place in places]
    reading = csv.ReadOptions(column_names=names)
    parsing = csv.ParseOptions(delimiter=separator, quote_char=False, invalid_row_handler=handler)
    types = dict.fromkeys(chosen, pa.type_for_alias(kind))
    converting = csv.ConvertOptions(column_types=types, include_columns=chosen, null_values=[])

    def parsed(piece: bytes) -> Any:
        n_lone = 0 if lone is None else len(lone)
        try:
            return csv.read_csv(pa.BufferReader(piece), reading, parsing, converting).columns
        except pa.ArrowInvalid:
            del (lone or [])[n_lone:]
            return None

    for start, stop in pairwise(_piece_ends(content, first.start())):
        piece = content[start:stop]
        columns = parsed(piece)
        if columns is None and are_blanks:
            piece = _BLANKS_AT_ENDS.sub(b"\n", piece.strip())
            columns = parsed(_BLANKS_BETWEEN.sub(separator.encode(), piece))
        yield piece, columns


def _piece_ends(content: bytes, end: int) -> Iterator[int]:
    """Yield where pieces end that hold whole lines."""
    yield end
    while end < len(content):
        end = content.find(b"\n", end + _PIECE) + 1 or len(content)
        yield end


def _has_unusual_numbers(piece: bytes) -> bool:
    """Return whether a cell starts with 0 but goes on, or with -0; a piece starts with a cell."""
    piece = piece.replace(b";", b",")
    if (b"-" in piece and b"-0" in piece) or (piece[:1] == b"0" and piece[1:2] > b"/"):
        return True
    text = np.frombuffer(piece, dtype=np.uint8)
    for start in range(0, len(piece), _BLOCK):
        block = text[start : start + _BLOCK + 2]
        starts_with_zero = (block[:-2] < ord(".")) & (block[1:-1] == ord("0"))
        if (starts_with_zero & (block[2:] > ord("/"))).any():
            return True
    return False


def _read_by_cells(
    source: Source,
    content: bytes,
    separator: str,
    n_columns: int,
    first_line: int,
    dtype: np.dtype[Any],
) -> NDArray[Any]:
    cells: array[Any] = array("q" if dtype.kind == "i" else "d")
    lines = io.TextIOWrapper(io.BytesIO(content), "utf-8", "replace", newline=None)
    for line, text in enumerate(lines, start=first_line):
        row = text.strip(" \t\n")
        if not row or row.startswith(("#", "%")):
            continue
        parts = row.split(None if separator == BLANKS else ",", min(n_columns, len(row)))
        cells.extend(number_of(source, part, dtype, line) for part in parts[:n_columns])
        if len(parts) != n_columns:
            raise source.error(
                f"This row does not have {n_columns:,} cell{'' if n_columns == 1 else 's'}.",
                "Give every row equally many.",
                line,
            )
    return np.asarray(cells).reshape(len(cells) // max(n_columns, 1), n_columns)


def number_of(source: Source, cell: str, dtype: np.dtype[Any], line: int) -> float:
    """Return the number in a cell, or raise an error that names the line."""
    cell = cell.strip(" \t")
    is_whole = dtype.kind == "i"
    expected = "a whole number" if is_whole else "a number"
    if not cell:
        raise source.error("A cell is empty.", f"Put {expected} there.", line)
    whole = _WHOLE_NUMBER.match(cell) if is_whole else None
    if whole is not None:
        number = int(whole[1] + (whole[2][:20] or "0"))
        if -(2**63) <= number < 2**63:
            return number
        raise source.error(
            f"{shortened(cell)} is too large.", "Use numbers of at most 18 digits.", line
        )
    if not is_whole and cell.isascii() and "_" not in cell:
        with suppress(ValueError):
            return float(cell)
    raise source.error(f"{shortened(cell)!r} is not {expected}.", "Correct it.", line)
