"""Edge arrays: two rows of vertex numbers, as ``edge_index`` of PyTorch Geometric; and .npy files.

A .npy file holds such an array, its transpose (one edge per row), or an adjacency matrix; its shape
says which, and where two of them fit, its numbers.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mpgk_core.errors import UnreadableFileError
from mpgk_core.formats.format import Format
from mpgk_core.formats.graph_tables import GraphTables, check_square, graph_of_entries
from mpgk_core.formats.named_edges import graph_of_numbered_edges
from mpgk_core.formats.npy_header import array_of, is_npy
from mpgk_core.formats.number_table import FIRST_ROW, real_numbers
from mpgk_core.formats.source import Source
from mpgk_core.formats.text_rows import is_plain_text

_TITLE, _NPY = "Edge array", "NumPy array"
_NUMBERS = re.compile(rb"[0-9eE.+,; \t]+\Z")
_HEAD = 4096
#: So many columns may be an edge and what is said of it; more are surely an array.
_FEW = 4
_LARGEST = 2.0**53


def read(source: Source) -> GraphTables:
    r"""Read an edge array.

    Parameters
    ----------
    source : Source
        Two rows of m whole numbers, separated by blanks, tabs, commas or semicolons: column j
        joins the vertices in row 1 and row 2. Above them the columns may be numbered, and before
        them the rows, as pandas does.

    Returns
    -------
    GraphTables
        The vertices are the numbers that appear, in rising order.

    Examples
    --------
    >>> tables = read(Source("edge_index.csv", b"0,1,1,2\n1,0,2,1\n"))
    >>> tables.n_vertices, tables.edges.tolist()
    (3, [[0, 1], [1, 2]])
    """
    rows = _rows(source)
    if len(rows) != 2:
        raise source.error(
            "An edge array has two rows of vertex numbers.",
            "Give two rows of equal length, or one edge per line.",
        )
    first, second = (_whole(source, row) for row in rows)
    if len(first) != len(second):
        raise source.error(
            f"The two rows have {len(first):,} and {len(second):,} numbers.",
            "Give rows of equal length: column j joins its two vertices.",
        )
    return _graph(source, _TITLE, first, second)


def _graph(
    source: Source, title: str, first: NDArray[np.int64], second: NDArray[np.int64]
) -> GraphTables:
    """Return the graph; an edge that is listed in both directions is one edge and no repeat."""
    source.bounds.check_edges(source.name, len(first))
    pairs = np.column_stack([first, second])
    if _is_symmetric(pairs):
        pairs = pairs[first <= second]
    return graph_of_numbered_edges(source, title, pairs)


def _is_symmetric(pairs: NDArray[np.int64]) -> bool:
    """Return whether every edge is listed in both directions, equally often."""
    if not len(pairs):
        return False
    forth, back = (np.lexsort(way.T) for way in (pairs, pairs[:, ::-1]))
    return np.array_equal(pairs[forth], pairs[:, ::-1][back])


def _rows(source: Source) -> list[bytes]:
    """Return the rows of numbers, without those that count rows and columns; three at most."""
    found = islice(FIRST_ROW.finditer(source.plain), 4)
    rows = [row.group().strip().replace(b";", b",") for row in found]
    if len(rows) != 3:
        return rows[:3]
    header, *rest = (row.split(b",") if b"," in row else row.split() for row in rows)
    has_corner = header[0].strip(b'" ') == b""
    numbers = header[1:] if has_corner else header
    if [cell.strip(b'" ') for cell in numbers] != [b"%d" % j for j in range(len(numbers))]:
        return rows
    if not has_corner:
        return rows[1:]
    starts = [row[0].strip() for row in rest]
    return [b",".join(row[1:]) for row in rest] if starts == [b"0", b"1"] else rows


def _whole(source: Source, row: bytes) -> NDArray[np.int64]:
    return _whole_numbers(source, real_numbers(source, row).ravel())


def _whole_numbers(source: Source, values: NDArray[Any]) -> NDArray[np.int64]:
    if values.dtype.kind == "f":
        wrong = ~(np.abs(values) < _LARGEST) | (values != np.floor(values))
        if wrong.any():
            raise source.error(
                f"{values[wrong][0]} is no vertex number.", "Give whole numbers, from 0 on."
            )
    numbers = values.astype(np.int64)
    if len(numbers) and numbers.min() < 0:
        raise source.error(f"{numbers.min()} is no vertex number.", "Give whole numbers from 0 on.")
    return numbers


def _is_possible(source: Source) -> bool:
    if not is_plain_text(source):
        return False
    rows = _rows(source)
    if len(rows) != 2 or not all(_NUMBERS.match(row[:_HEAD]) for row in rows):
        return False
    widths = {row.count(b",") + 1 if b"," in row else len(row.split()) for row in rows}
    return len(widths) == 1 and min(widths) > 1


def _recognises(source: Source) -> bool:
    """Two rows of few numbers are an array only if every edge stands in both directions."""
    if not _is_possible(source):
        return False
    try:
        first, second = (_whole(source, row) for row in _rows(source))
    except UnreadableFileError:
        return False
    if len(first) > _FEW:
        return True
    return 2 < len(first) == len(second) and _is_symmetric(np.column_stack([first, second]))


FORMAT = Format(
    _TITLE,
    (".csv", ".tsv", ".txt", ".dat"),
    _recognises,
    read,
    reading="edge-array",
    is_possible=_is_possible,
)


def _read_array(source: Source) -> GraphTables:
    array = _table(source)
    if array.shape[0] != 2:
        raise source.error(
            f"An edge array has two rows, and there are {array.shape[0]:,}.", "Transpose it."
        )
    return _graph(source, _NPY, _whole_numbers(source, array[0]), _whole_numbers(source, array[1]))


def _read_rows(source: Source) -> GraphTables:
    array = _table(source)
    if array.shape[1] != 2:
        raise source.error(
            f"The array has {array.shape[0]:,} rows and {array.shape[1]:,} columns.",
            "Give one edge per row (two columns), two rows of vertex numbers, or a square "
            "adjacency matrix.",
        )
    return _graph(
        source, _NPY, _whole_numbers(source, array[:, 0]), _whole_numbers(source, array[:, 1])
    )


def _read_matrix(source: Source) -> GraphTables:
    array = _table(source)
    n = check_square(source, *array.shape)
    rows, columns = np.nonzero(array)
    source.bounds.check_edges(source.name, len(rows))
    values = array[rows, columns].astype(np.float64)
    return graph_of_entries(source, _NPY, n, rows, columns, values)


def _table(source: Source) -> NDArray[Any]:
    array = array_of(source)
    if array.ndim != 2 or array.dtype.kind not in "biuf":
        shape = " × ".join(map(str, array.shape)) or "no"
        raise source.error(
            f"The array is of shape {shape} and type {array.dtype}.",
            "Give a table of numbers: 2 × m or m × 2 vertex numbers, or an n × n matrix.",
        )
    return array


def _npy_readings(source: Source) -> list[str]:
    """Return how an array could be understood, the likeliest first."""
    if not is_npy(source):
        return []
    try:
        array = _table(source)
    except UnreadableFileError:
        return ["edge-list"]  # whose error says what is wrong
    n_rows, n_columns = array.shape
    fitting = {
        "adjacency-matrix": n_rows == n_columns,
        "edge-array": n_rows == 2,
        "edge-list": n_columns == 2,
    }
    found = [reading for reading, fits in fitting.items() if fits]
    if array.shape == (2, 2) and (array.diagonal().any() or array[0, 1] != array[1, 0]):
        found = found[1:] + found[:1]
    return found or ["edge-list"]


def _npy(reading: str, read_it: Any) -> Format:
    return Format(
        _NPY,
        (".npy",),
        lambda source: _npy_readings(source)[:1] == [reading],
        read_it,
        reading=reading,
        is_possible=lambda source: reading in _npy_readings(source),
    )


NPY_MATRIX = _npy("adjacency-matrix", _read_matrix)
NPY_EDGE_ARRAY = _npy("edge-array", _read_array)
NPY_EDGES = _npy("edge-list", _read_rows)
