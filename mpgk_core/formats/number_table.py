"""Tables of plain numbers, read from bytes nearly as fast as these come from memory.

A row is a line. Blank lines, and lines that start with ``#`` or ``%``, are left out. Cells are
separated by commas if the first row has a comma, and else by spaces and tabs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from mpgk_core.errors import UnreadableFileError, shortened
from mpgk_core.formats.number_scanning import (
    EMPTY_CELL,
    FINE,
    MISSING,
    NAMES,
    NOT_A_NUMBER,
    RAGGED_ROW,
    REAL,
    TOO_LARGE,
    WHOLE,
    scan_numbers,
)
from mpgk_core.formats.source import Source

__all__ = [
    "FIRST_ROW",
    "MISSING",
    "line_of",
    "most_rows",
    "real_numbers",
    "whole_number_pairs",
    "whole_numbers",
]

#: The first line that is neither blank nor a comment.
FIRST_ROW = re.compile(rb"(?<![^\r\n])[ \t]*[^#%\s][^\r\n]*")
_TOKEN, _CELL = re.compile(rb"[^\s]*"), re.compile(rb"[^,\r\n]*")
_BLANKS = -1
_PART = 100_000


def whole_numbers(
    source: Source, content: bytes, n_columns: int | None = None, first_line: int = 1
) -> NDArray[np.int64]:
    r"""Read a table of whole numbers.

    Parameters
    ----------
    source : Source
        The file, for messages.
    content : bytes
        The text of the table.
    n_columns : int, optional
        How many cells each row must have. Default: as many as the first row has.
    first_line : int
        The number of the content's first line in the file, for messages.

    Returns
    -------
    ndarray of shape (rows, columns)

    Examples
    --------
    >>> text = b"1, 2\n3, -4\n"
    >>> whole_numbers(Source("a.txt", text), text).tolist()
    [[1, 2], [3, -4]]
    """
    cells = np.empty(_most_cells(content, n_columns), dtype=np.int64)
    width = -1 if n_columns is None else n_columns
    rows, columns, status, position, _ = scan_numbers(
        _as_array(content), WHOLE, _separator(content), width, cells
    )
    if status != FINE:
        raise _error(source, content, first_line, "a whole number", columns, status, position)
    return cells[: rows * columns].reshape(rows, columns)


def real_numbers(
    source: Source, content: bytes, n_columns: int | None = None, first_line: int = 1
) -> NDArray[np.float64]:
    r"""Read a table of real numbers; each is exactly what Python's ``float`` says.

    Parameters
    ----------
    source : Source
        The file, for messages.
    content : bytes
        The text of the table; ``nan`` and ``inf`` count as numbers.
    n_columns : int, optional
        How many cells each row must have. Default: as many as the first row has.
    first_line : int
        The number of the content's first line in the file, for messages.

    Returns
    -------
    ndarray of shape (rows, columns)

    Examples
    --------
    >>> text = b"0.1 2\n3e-5 inf\n"
    >>> real_numbers(Source("a.txt", text), text).tolist()
    [[0.1, 2.0], [3e-05, inf]]
    """
    bits = np.empty(_most_cells(content, n_columns), dtype=np.int64)
    width = -1 if n_columns is None else n_columns
    rows, columns, status, position, left = scan_numbers(
        _as_array(content), REAL, _separator(content), width, bits
    )
    if status != FINE:
        raise _error(source, content, first_line, "a number", columns, status, position)
    cells = bits.view(np.float64)
    for cell, start, stop in _in_parts(left):
        try:
            cells[cell] = float(content[start:stop].replace(b"_", b"?"))
        except ValueError:
            raise _error(
                source, content, first_line, "a number", columns, NOT_A_NUMBER, start
            ) from None
    return cells[: rows * columns].reshape(rows, columns)


def whole_number_pairs(
    content: bytes, separator: str, most_columns: int = 1000
) -> NDArray[np.int64] | None:
    r"""Read the first two cells of each row, if all of them are canonical whole numbers.

    Parameters
    ----------
    content : bytes
        The text of the table. Rows have equally many cells, or one.
    separator : {",", ";", " "}
        What stands between cells; " " means spaces and tabs.
    most_columns : int
        More are unusual.

    Returns
    -------
    ndarray of shape (rows, 2) or None
        The second cell is ``MISSING`` where a row has only one. None if anything is unusual:
        the content has to be read in another way.

    Examples
    --------
    >>> whole_number_pairs(b"1 2 0.5\n2 3 0.7\n", " ").tolist()
    [[1, 2], [2, 3]]
    >>> whole_number_pairs(b"1 2\n2 007\n", " ") is None
    True
    """
    cells = np.empty(2 * most_rows(content), dtype=np.int64)
    byte = _BLANKS if separator == " " else ord(separator)
    rows, columns, status, *_ = scan_numbers(_as_array(content), NAMES, byte, -1, cells)
    is_usual = status == FINE and columns <= most_columns
    return cells[: 2 * rows].reshape(rows, 2) if is_usual else None


def _in_parts(table: NDArray[np.int64]) -> Iterator[list[int]]:
    """Yield the rows as Python's numbers, of which only some exist at a time."""
    for start in range(0, len(table), _PART):
        yield from table[start : start + _PART].tolist()


def _as_array(content: bytes) -> NDArray[np.uint8]:
    return np.frombuffer(content, dtype=np.uint8)


def most_rows(content: bytes) -> int:
    """Return how many rows there are at most."""
    return content.count(b"\n") + content.count(b"\r") + 1


def _most_cells(content: bytes, n_columns: int | None) -> int:
    """Return a bound that no declared size can inflate: a cell takes two bytes at least."""
    by_bytes = len(content) // 2 + 1
    return by_bytes if n_columns is None else min(by_bytes, most_rows(content) * n_columns)


def _separator(content: bytes) -> int:
    row = FIRST_ROW.search(content)
    return ord(",") if row is not None and b"," in row.group() else _BLANKS


def line_of(content: bytes, position: int) -> int:
    """Return the number of the line in which a byte stands, counted from 1."""
    return content.count(b"\n" if b"\n" in content else b"\r", 0, position) + 1


def _error(
    source: Source,
    content: bytes,
    first_line: int,
    expected: str,
    n_columns: int,
    status: int,
    position: int,
) -> UnreadableFileError:
    line = line_of(content, position) + first_line - 1
    pattern = _TOKEN if _separator(content) == _BLANKS else _CELL
    token = pattern.findall(content, position, position + 400)[0].decode("utf-8", "replace")
    problem, remedy = {
        RAGGED_ROW: (
            f"This row does not have {n_columns:,} cell{'' if n_columns == 1 else 's'}.",
            "Give every row equally many.",
        ),
        EMPTY_CELL: ("A cell is empty.", f"Put {expected} there."),
        TOO_LARGE: (f"{shortened(token)} is too large.", "Use numbers of at most 18 digits."),
        NOT_A_NUMBER: (f"{shortened(token)!r} is not {expected}.", "Correct it."),
    }[status]
    return source.error(problem, remedy, line)
