"""Edge arrays: two rows of vertex numbers, as ``edge_index`` of PyTorch Geometric."""

from __future__ import annotations

import re
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mpgk_core.errors import UnreadableFileError, shortened
from mpgk_core.formats.format import Format, GraphTables
from mpgk_core.formats.graph_collector import graph_of_edges, in_rising_order, is_symmetric
from mpgk_core.formats.number_table import real_numbers
from mpgk_core.formats.source import Source
from mpgk_core.formats.text_rows import FIRST_ROW, is_plain_text, line_of

_TITLE = "Edge array"
_FOREIGN = re.compile(rb"[^,\s]*[^0-9eE.+, \t][^,\s]*")
_COMMA, _BLANKS = re.compile(rb"[ \t]*,[ \t]*"), re.compile(rb"[ \t]+")
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
    first, second = (_numbers(source, *row) for row in rows)
    if len(first) != len(second):
        raise source.error(
            f"The two rows have {len(first):,} and {len(second):,} numbers.",
            "Give rows of equal length: column j joins its two vertices.",
        )
    return graph_of_columns(source, _TITLE, first, second)


def graph_of_columns(
    source: Source, title: str, first: NDArray[np.int64], second: NDArray[np.int64]
) -> GraphTables:
    """Return the graph whose edges join the numbers in two columns."""
    if not len(first):
        raise source.error("There is no edge in it.", "Give at least one.")
    return graph_of_edges(source, title, *in_rising_order(np.column_stack([first, second])))


def _rows(source: Source) -> list[tuple[bytes, int]]:
    """Return the rows of numbers and their lines, without what counts rows and columns."""
    found = list(islice(FIRST_ROW.finditer(source.plain), 4))
    lines = [line_of(source.plain, row.end()) for row in found]
    rows = [row.group().strip().replace(b";", b",") for row in found]
    if len(rows) == 3:
        header, *rest = (row.split(b",") if b"," in row else row.split() for row in rows)
        has_corner = header[0].strip(b'" ') == b""
        numbers = header[1:] if has_corner else header
        if [cell.strip(b'" ') for cell in numbers] == [b"%d" % j for j in range(len(numbers))]:
            if not has_corner:
                rows, lines = rows[1:], lines[1:]
            elif [row[0].strip() for row in rest] == [b"0", b"1"]:
                rows, lines = [b",".join(row[1:]) for row in rest], lines[1:]
    return list(zip(rows, lines, strict=True))[:3]


def _numbers(source: Source, row: bytes, line: int) -> NDArray[np.int64]:
    """Return the numbers of a row, which is read as a column: rows may have millions of cells."""
    wrong = _FOREIGN.search(row)
    if wrong is not None:
        cell = shortened(wrong.group().decode("utf-8", "replace"))
        raise source.error(f"{cell} is no vertex number.", "Give whole numbers from 0 on.", line)
    column = (_COMMA if b"," in row else _BLANKS).sub(b"\n", row)
    if b"\n\n" in b"\n%b\n" % column:
        raise source.error("A cell is empty.", "Put a number there.", line)
    try:
        return vertex_numbers(source, real_numbers(source, column, 1)[:, 0])
    except UnreadableFileError as error:
        raise source.error(error.problem, error.remedy, line) from None


def vertex_numbers(source: Source, values: NDArray[Any]) -> NDArray[np.int64]:
    """Return numbers as whole numbers from 0 on, or raise."""
    if values.dtype.kind == "f":
        wrong = ~(np.abs(values) < _LARGEST) | (values != np.floor(values))
        if wrong.any():
            raise source.error(
                f"{values[wrong][0]} is no vertex number.", "Give whole numbers from 0 on."
            )
    numbers = values.astype(np.int64)
    if len(numbers) and numbers.min() < 0:
        raise source.error(f"{numbers.min()} is no vertex number.", "Give whole numbers from 0 on.")
    return numbers


def _is_possible(source: Source) -> bool:
    if not is_plain_text(source):
        return False
    rows = [row for row, _ in _rows(source)]
    if len(rows) != 2 or any(_FOREIGN.search(row, 0, _HEAD) for row in rows):
        return False
    widths = {row.count(b",") + 1 if b"," in row else len(row.split()) for row in rows}
    return len(widths) == 1 and min(widths) > 1


def _recognises(source: Source) -> bool:
    """Two rows of few numbers are an array only if every edge stands in both directions."""
    if not _is_possible(source):
        return False
    try:
        first, second = (_numbers(source, *row) for row in _rows(source))
    except UnreadableFileError:
        return False
    if len(first) > _FEW:
        return True
    names, edges = in_rising_order(np.column_stack([first, second]))
    return len(first) > 2 and is_symmetric(edges, len(names))


FORMAT = Format(
    _TITLE, (".csv", ".tsv", ".txt", ".dat"), _recognises, read, "edge-array", _is_possible
)
