"""The inner loops of :mod:`~mpgk_core.formats.number_table`: from bytes to numbers, in one pass."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mpgk_core._compiled import compiled
from mpgk_core.formats.decimal_rounding import nearest_float_bits

__all__ = [
    "EMPTY_CELL",
    "FINE",
    "MISSING",
    "NAMES",
    "NOT_A_NUMBER",
    "RAGGED_ROW",
    "REAL",
    "TOO_LARGE",
    "WHOLE",
    "is_line_end",
    "row_start",
    "scan_numbers",
]

WHOLE, NAMES, REAL = 0, 1, 2
FINE, RAGGED_ROW, NOT_A_NUMBER, TOO_LARGE, EMPTY_CELL, _HARD = range(6)

#: Stands for the second cell of a row that has one cell only; no number that is read equals it.
MISSING = int(np.iinfo(np.int64).min)
_MOST = int(np.iinfo(np.int64).max)

_TAB, _NEWLINE, _RETURN, _SPACE = 9, 10, 13, 32
_QUOTE, _HASH, _PERCENT, _PLUS, _MINUS, _POINT, _ZERO, _NINE = 34, 35, 37, 43, 45, 46, 48, 57
_LARGE_E, _SMALL_E = 69, 101
_SAFE_DIGITS, _MOST_EXPONENT = 18, 1_000_000
_ONE, _TEN, _SIGN = np.uint64(1), np.uint64(10), np.uint64(2**63)


@compiled
def scan_numbers(
    content: NDArray[np.uint8], kind: int, separator: int, n_columns: int, cells: NDArray[np.int64]
) -> tuple[int, int, int, int, NDArray[np.int64]]:
    """Fill a flat table, row by row.

    Parameters
    ----------
    content : ndarray of bytes
    kind : {WHOLE, NAMES, REAL}
        ``NAMES`` takes the first two cells of each row, which must be canonical ("7", not "07"
        or "+7") and have 18 digits at most; rows may have one cell, and then the other is
        ``MISSING``.
    separator : int
        A byte, or -1 for spaces and tabs.
    n_columns : int
        Cells of a row; -1 means as many as the first row has.
    cells : ndarray
        Where the numbers go, real ones as their bits.

    Returns
    -------
    n_rows, n_columns : int
    status : int
        ``FINE``, or what is wrong.
    position : int
        Where it is wrong.
    left : ndarray of shape (k, 3)
        Cell, start and stop of numbers that these loops cannot round correctly.
    """
    left, n_left = np.empty((16, 3), dtype=np.int64), 0
    n_rows, filled = 0, 0
    position = row_start(content, 0)
    while position < len(content):
        row, found, more = position, 0, True
        while more:
            cell, status = position, FINE
            stop = _cell_end(content, cell, separator)
            if stop == cell:
                return n_rows, n_columns, EMPTY_CELL, cell, left
            if kind != NAMES or found < 2:
                if filled == len(cells):
                    return n_rows, n_columns, RAGGED_ROW, row, left
                if kind == REAL:
                    cells[filled], status = _real_number(content, cell, stop)
                else:
                    cells[filled], status = _whole_number(content, cell, stop, kind == NAMES)
                if status == _HARD:
                    if n_left == len(left):
                        left = np.concatenate((left, np.empty_like(left)))
                    left[n_left] = filled, cell, stop
                    n_left, status = n_left + 1, FINE
                filled += 1
            elif content[cell] in (_QUOTE, _HASH):
                status = NOT_A_NUMBER
            if status != FINE:
                return n_rows, n_columns, status, cell, left
            found += 1
            position = _after_blanks(content, stop)
            more = not is_line_end(content, position)
            if more and separator >= 0:
                if content[position] != separator:
                    return n_rows, n_columns, NOT_A_NUMBER, cell, left
                position = _after_blanks(content, position + 1)
        if kind == NAMES and found == 1:
            cells[filled] = MISSING
            filled += 1
        elif n_columns < 0:
            n_columns = found
        elif found != n_columns:
            return n_rows, n_columns, RAGGED_ROW, row, left
        n_rows += 1
        position = row_start(content, position)
    return n_rows, max(n_columns, 0), FINE, position, left[:n_left]


@compiled
def row_start(content: NDArray[np.uint8], position: int) -> int:
    """Return where the next row starts, after blank lines and comments."""
    while position < len(content):
        byte = content[position]
        if byte in (_HASH, _PERCENT):
            while not is_line_end(content, position):
                position += 1
        elif byte in (_SPACE, _TAB, _NEWLINE, _RETURN):
            position += 1
        else:
            break
    return position


@compiled
def is_line_end(content: NDArray[np.uint8], position: int) -> bool:
    """Return whether a line ends here."""
    return position >= len(content) or content[position] == _NEWLINE or content[position] == _RETURN


@compiled
def _after_blanks(content: NDArray[np.uint8], position: int) -> int:
    while position < len(content) and (content[position] == _SPACE or content[position] == _TAB):
        position += 1
    return position


@compiled
def _cell_end(content: NDArray[np.uint8], position: int, separator: int) -> int:
    while position < len(content):
        byte = content[position]
        if byte == separator or byte in (_SPACE, _TAB, _NEWLINE, _RETURN):
            break
        position += 1
    return position


@compiled
def _whole_number(
    content: NDArray[np.uint8], start: int, stop: int, is_name: bool
) -> tuple[np.int64 | int, int]:
    """Return the number and a status."""
    negative = content[start] == _MINUS
    first = start + 1 if negative or (content[start] == _PLUS and not is_name) else start
    if first == stop or (is_name and content[first] == _ZERO and stop - start > 1):
        return 0, NOT_A_NUMBER
    number, is_long = np.int64(0), stop - first > _SAFE_DIGITS
    if is_name and is_long:
        return 0, TOO_LARGE
    for i in range(first, stop):
        byte = content[i]
        if byte < _ZERO or byte > _NINE:
            return 0, NOT_A_NUMBER
        digit = np.int64(byte) - _ZERO
        if is_long and number > (_MOST - digit) // 10:
            return 0, TOO_LARGE
        number = number * 10 + digit
    return (-number if negative else number), FINE


@compiled
def _real_number(content: NDArray[np.uint8], start: int, stop: int) -> tuple[np.int64 | int, int]:
    """Return the bits of the number and ``FINE``, or ``_HARD`` where it is not decided here.

    Digits beyond the 19th are cut off; if the next larger number has the same nearest float, they
    do not matter.
    """
    negative = content[start] == _MINUS
    i = start + 1 if negative or content[start] == _PLUS else start
    digits, n_digits, power, seen_point, is_empty = np.uint64(0), 0, np.int64(0), False, True
    while i < stop and content[i] != _SMALL_E and content[i] != _LARGE_E:
        byte = content[i]
        i += 1
        if byte == _POINT and not seen_point:
            seen_point = True
            continue
        if byte < _ZERO or byte > _NINE:
            return 0, _HARD
        is_empty = False
        if n_digits > _SAFE_DIGITS:
            n_digits += 1
            power += not seen_point
            continue
        digits = digits * _TEN + np.uint64(byte - _ZERO)
        n_digits += digits != 0
        power -= seen_point
    if is_empty or i == stop - 1:
        return 0, _HARD
    if i < stop:
        exponent, status = _whole_number(content, i + 1, stop, False)
        if status != FINE or not -_MOST_EXPONENT <= exponent <= _MOST_EXPONENT:
            return 0, _HARD
        power += exponent
    bits, is_decided = nearest_float_bits(digits, power)
    if is_decided and n_digits > _SAFE_DIGITS + 1:
        above, is_decided = nearest_float_bits(digits + _ONE, power)
        is_decided &= above == bits
    if not is_decided:
        return 0, _HARD
    return np.int64(bits | _SIGN if negative else bits), FINE
