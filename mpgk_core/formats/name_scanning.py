"""The inner loops of edge lists: give every distinct name a number, straight from the bytes."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mpgk_core._compiled import compiled
from mpgk_core.formats.number_scanning import EMPTY_CELL, FINE, RAGGED_ROW, is_line_end, row_start

__all__ = ["BAD_QUOTE", "TOO_MANY", "scan_names"]

BAD_QUOTE, TOO_MANY = 6, 7

_TAB, _SPACE, _QUOTE, _HASH, _BRACE = 9, 32, 34, 35, 123
_FNV_PRIME = np.uint64(0x100000001B3)
_MIX = np.uint64(0x9E3779B97F4A7C15)
_SHIFT = np.uint64(29)


@compiled
def scan_names(
    content: NDArray[np.uint8],
    separator: int,
    first: int,
    second: int,
    seed: np.uint64,
    most_names: int,
    ends: NDArray[np.int32],
) -> tuple[int, int, int, int, NDArray[np.int64]]:
    """Give the names in two columns their numbers, in the order in which they appear.

    Parameters
    ----------
    content : ndarray of bytes
    separator : int
        A byte, or -1 for spaces and tabs.
    first, second : int
        The columns.
    seed : uint64
        Of the hash table; nothing that is returned depends on it.
    most_names : int
        Where to stop.
    ends : ndarray
        Where the numbers go, two for each row; long enough for all rows.

    Returns
    -------
    status : int
        ``FINE``, or what is wrong.
    position : int
        Where it is wrong.
    n_columns, n_edges : int
        Cells of a row, and rows that have so many.
    spans : ndarray of shape (n_names, 2)
        Where each name starts and stops; quotation marks belong to it if there are more inside.
    """
    spans, hashes = np.empty((1024, 2), dtype=np.int64), np.empty(1024, dtype=np.uint64)
    table = np.full(4096, -1, dtype=np.int32)
    row_spans = np.empty((2, 2), dtype=np.int64)
    n_names, n_edges, n_columns = 0, 0, -1
    position = row_start(content, 0)
    while position < len(content):
        row, found, is_blank, more = position, 0, True, True
        while more:
            cell = position
            start, stop, position = _cell(content, cell, separator)
            if position < 0:
                return BAD_QUOTE, cell, n_columns, n_edges, spans
            if found == first:
                row_spans[0] = start, stop
            elif found == second:
                row_spans[1] = start, stop
            is_blank &= start == stop
            found += 1
            more = not is_line_end(content, position)
            if more and separator >= 0:
                position += 1
            elif more:
                begins = content[position]
                if begins == _HASH or (begins == _BRACE and found > 1):
                    found += begins == _BRACE
                    more = False
                    while not is_line_end(content, position):
                        position += 1
        position = row_start(content, position)
        if is_blank:
            continue
        is_lone = found == 1 and first == 0
        if not is_lone:
            if n_columns < 0:
                n_columns = found
            if found != n_columns or found <= max(first, second):
                return RAGGED_ROW, row, n_columns, n_edges, spans
        for k in range(1 if is_lone else 2):
            start, stop = row_spans[k]
            if start == stop:
                return EMPTY_CELL, row, n_columns, n_edges, spans
            code = _hash(content, start, stop, seed)
            slot = _slot(content, start, stop, code, table, hashes, spans)
            number = table[slot]
            if number < 0:
                if n_names == most_names:
                    return TOO_MANY, row, n_columns, n_edges, spans
                if n_names == len(spans):
                    spans = np.concatenate((spans, np.empty_like(spans)))
                    hashes = np.concatenate((hashes, np.empty_like(hashes)))
                number = n_names
                table[slot], hashes[number] = number, code
                spans[number] = start, stop
                n_names += 1
                if 2 * n_names > len(table):
                    table = _larger(table, hashes[:n_names])
            if not is_lone:
                ends[2 * n_edges + k] = number
        n_edges += not is_lone
    return FINE, position, n_columns, n_edges, spans[:n_names].copy()


@compiled
def _cell(content: NDArray[np.uint8], position: int, separator: int) -> tuple[int, int, int]:
    """Return where the cell starts and stops and what follows it; -1 if its quotes are wrong."""
    position = _after_blanks(content, position, separator)
    if position < len(content) and content[position] == _QUOTE:
        start, stop, is_doubled = position + 1, position + 1, False
        while stop < len(content):
            if content[stop] == _QUOTE:
                if stop + 1 == len(content) or content[stop + 1] != _QUOTE:
                    break
                is_doubled = True
                stop += 1
            stop += 1
        position = _after_blanks(content, stop + 1, separator)
        closed = stop < len(content) and (
            is_line_end(content, position)
            or (content[position] == separator if separator >= 0 else position > stop + 1)
        )
        return start - is_doubled, stop + is_doubled, position if closed else -1
    start = position
    while not is_line_end(content, position):
        byte = content[position]
        if byte == separator or (separator < 0 and byte in (_SPACE, _TAB)):
            break
        position += 1
    stop = position
    while stop > start and (content[stop - 1] == _SPACE or content[stop - 1] == _TAB):
        stop -= 1
    return start, stop, _after_blanks(content, position, separator)


@compiled
def _after_blanks(content: NDArray[np.uint8], position: int, separator: int) -> int:
    while position < len(content) and (
        content[position] == _SPACE or (content[position] == _TAB and separator != _TAB)
    ):
        position += 1
    return position


@compiled
def _hash(content: NDArray[np.uint8], start: int, stop: int, seed: np.uint64) -> np.uint64:
    code = seed
    for i in range(start, stop):
        code = (code ^ np.uint64(content[i])) * _FNV_PRIME
    code = (code ^ (code >> _SHIFT)) * _MIX
    return code ^ (code >> _SHIFT)


@compiled
def _slot(
    content: NDArray[np.uint8],
    start: int,
    stop: int,
    code: np.uint64,
    table: NDArray[np.int32],
    hashes: NDArray[np.uint64],
    spans: NDArray[np.int64],
) -> int:
    """Return the place in the table where the name stands, or where it may be put."""
    slot = np.int64(code & np.uint64(len(table) - 1))
    while table[slot] >= 0:
        number = table[slot]
        if hashes[number] == code and spans[number, 1] - spans[number, 0] == stop - start:
            other, same = spans[number, 0], True
            for i in range(stop - start):
                if content[start + i] != content[other + i]:
                    same = False
                    break
            if same:
                break
        slot = (slot + 1) & (len(table) - 1)
    return int(slot)


@compiled
def _larger(table: NDArray[np.int32], hashes: NDArray[np.uint64]) -> NDArray[np.int32]:
    larger = np.full(4 * len(table), -1, dtype=np.int32)
    for number in range(len(hashes)):
        slot = np.int64(hashes[number] & np.uint64(len(larger) - 1))
        while larger[slot] >= 0:
            slot = (slot + 1) & (len(larger) - 1)
        larger[slot] = number
    return larger
