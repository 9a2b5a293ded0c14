"""Adjacency matrices as text: a square table of numbers, with or without the vertices' names."""

from __future__ import annotations

from collections.abc import Hashable

import numpy as np

from mpgk_core.errors import UnreadableFileError, shortened
from mpgk_core.formats.columns import whole_numbers_or_text
from mpgk_core.formats.format import Format
from mpgk_core.formats.graph_tables import GraphTables, check_square, graph_of_entries
from mpgk_core.formats.header_words import edge_columns
from mpgk_core.formats.matrix_layout import Layout, count_rows, is_entry, layout_of, matrix_rows
from mpgk_core.formats.number_table import most_rows, real_numbers
from mpgk_core.formats.source import Source
from mpgk_core.formats.text_rows import first_rows, is_plain_text, separator_of

_TITLE = "Adjacency matrix"
#: Tables of so few columns may be edge lists; then the diagonal decides.
_FEW = 3
_COMMENT_LINES = 1000


def read(source: Source) -> GraphTables:
    r"""Read an adjacency matrix.

    Parameters
    ----------
    source : Source
        As many rows as columns, separated by blanks, tabs, commas or semicolons. The first row,
        the first column or both may hold the names of the vertices. An empty cell counts as 0.

    Returns
    -------
    GraphTables

    Examples
    --------
    >>> tables = read(Source("a.csv", b",Ann,Bob\nAnn,0,1\nBob,1,0\n"))
    >>> tables.names, tables.edges.tolist()
    (['Ann', 'Bob'], [[0, 1]])
    """
    separator = separator_of(source)
    rows = first_rows(source, separator)
    layout = layout_of(rows, count_rows(source, separator)) if rows else None
    if layout is None:
        raise source.error(
            "This is no square table.", "Give as many rows as columns, all of them equally long."
        )
    n = check_square(source, layout.n, layout.n)
    above: list[str] = []
    beside: list[str] = []
    ends, values = [np.empty((0, 2), dtype=np.int64)], [np.empty(0)]
    for row, (line, names, text) in enumerate(matrix_rows(source, separator, layout)):
        if row == 0 and layout.has_header:
            above = names[len(names) - n :]
            continue
        beside += names
        numbers = real_numbers(source, text, n, line).ravel()
        there = np.flatnonzero(numbers)
        ends.append(np.column_stack([np.full(len(there), row - layout.has_header), there]))
        values.append(numbers[there])
    entries = np.concatenate(ends)
    return graph_of_entries(
        source,
        _TITLE,
        n,
        entries[:, 0],
        entries[:, 1],
        np.concatenate(values),
        _names(source, above, beside),
    )


def _names(source: Source, above: list[str], beside: list[str]) -> list[Hashable] | None:
    if above and beside and above != beside:
        place = next(i for i, (a, b) in enumerate(zip(above, beside, strict=True)) if a != b)
        raise source.error(
            f"Row {place + 1} is called {shortened(beside[place])!r}, and its column "
            f"{shortened(above[place])!r}.",
            "Name the rows as the columns, in the same order.",
        )
    names = above or beside
    if len(set(names)) < len(names):
        raise source.error("Two vertices have the same name.", "Give each its own.")
    plain = whole_numbers_or_text(names)
    return None if plain == list(range(len(plain))) else plain


def _squared(source: Source) -> tuple[Layout, list[list[str]], list[list[str]]] | None:
    """Return layout, first rows and first rows of numbers, if this is a square table of them."""
    if not is_plain_text(source):
        return None
    separator = separator_of(source)
    rows = first_rows(source, separator)
    if not rows or most_rows(source.plain) > 10 * len(rows[0]) + _COMMENT_LINES:
        return None
    try:
        layout = layout_of(rows, count_rows(source, separator))
    except UnreadableFileError:
        return None
    if layout is None or len(rows) - layout.has_header > layout.n:
        return None
    body = [row[layout.has_names :] for row in rows[layout.has_header :]]
    is_numeric = all(cell == "" or is_entry(cell) for row in body for cell in row)
    return (layout, rows, body) if is_numeric else None


def _is_possible(source: Source) -> bool:
    squared = _squared(source)
    return squared is not None and squared[0].n > 1 and edge_columns(squared[1][0]) is None


def _recognises(source: Source) -> bool:
    squared = _squared(source)
    if squared is None:
        return False
    layout, rows, body = squared
    if layout.has_header and layout.has_names:
        above, beside = rows[0][len(rows[0]) - layout.n :], [row[0] for row in rows[1:]]
        has_corner = rows[0][0] == ""
        is_matrix = above[: len(beside)] == beside or (has_corner and edge_columns(above) is None)
        return is_matrix and (layout.n > 1 or has_corner)
    if layout.n > _FEW:
        return True
    has_loops = any(row[i].strip("0.,") for i, row in enumerate(body))
    return layout.n > 1 and not has_loops and edge_columns(rows[0]) is None


FORMAT = Format(
    _TITLE,
    (".adj", ".csv", ".tsv", ".txt", ".dat", ".mat"),
    _recognises,
    read,
    reading="adjacency-matrix",
    is_possible=_is_possible,
)
