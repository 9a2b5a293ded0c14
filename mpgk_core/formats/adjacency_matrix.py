"""Adjacency matrices as text: a square table of numbers, with or without the vertices' names."""

from __future__ import annotations

from array import array
from collections.abc import Hashable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mpgk_core.errors import InvalidGraphError, UnreadableFileError, shortened
from mpgk_core.formats.columns import name_texts, whole_numbers_or_text, written_matrix
from mpgk_core.formats.format import Format, GraphTables, Writer
from mpgk_core.formats.graph_collector import check_square, graph_of_entries
from mpgk_core.formats.number_table import number_of
from mpgk_core.formats.source import Source
from mpgk_core.formats.text_rows import count_rows, edge_columns, first_rows, is_number, text_rows
from mpgk_core.graphs import GraphSet
from mpgk_core.text import quoted, safe_text

_TITLE = "Adjacency matrix"
#: Tables of so few columns may be edge lists; then the diagonal decides.
_FEW = 3
_COMMENT_LINES = 1000
_HEAD = 1 << 20
_MAX_VERTICES = 5_000
_ZEROS = frozenset(("", "0", "0.0"))


class Layout(NamedTuple):
    """The number of vertices, and whether names stand above and beside the numbers."""

    n: int
    has_header: bool
    has_names: bool


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
    source.text  # noqa: B018  raises unless all of it is text
    sample = first_rows(source)
    layout = layout_of(sample, count_rows(source)) if sample else None
    if layout is None:
        raise source.error(
            "This is no square table.", "Give as many rows as columns, all of them equally long."
        )
    n = check_square(source, layout.n, layout.n)
    above: list[str] = []
    beside: list[str] = []
    ends, values, lines = array("q"), array("d"), array("i")
    all_rows = text_rows(source, empty_rows=True)
    for row, (line, cells) in enumerate(all_rows, start=-layout.has_header):
        if row < 0:
            above = cells[len(cells) - n :]
            continue
        beside += cells[: layout.has_names]
        entries = cells[layout.has_names :]
        if len(entries) != n:
            raise source.error(
                f"This row does not have {n:,} cells.", "Give every row equally many.", line
            )
        for column, cell in enumerate(entries):
            if cell not in _ZEROS:
                ends.extend((row, column))
                lines.append(line)
                values.append(number_of(source, cell.replace(",", "."), np.dtype(np.float64), line))
        source.check("edges", len(values) // 2, line)
    rows, columns = np.asarray(ends).reshape(-1, 2).T
    names = _names(source, above, beside) or range(n)
    where = np.array(lines, dtype=np.int32)
    return graph_of_entries(source, _TITLE, names, rows, columns, np.asarray(values), lines=where)


def _names(source: Source, above: list[str], beside: list[str]) -> list[Hashable]:
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
    return whole_numbers_or_text(names)


def layout_of(rows: Sequence[Sequence[str]], n_rows: int) -> Layout | None:
    """Return the layout of a table; None if it is not square.

    Parameters
    ----------
    rows : sequence of sequences of str
        The first rows.
    n_rows : int
        How many there are.

    Returns
    -------
    Layout or None

    Examples
    --------
    >>> layout_of([["", "a", "b"], ["a", "0", "1"], ["b", "1", "0"]], n_rows=3)
    Layout(n=2, has_header=True, has_names=True)
    >>> layout_of([["a", "b"], ["0", "1"], ["1", "0"]], n_rows=3)
    Layout(n=2, has_header=True, has_names=False)
    """
    first, width = rows[0], len(rows[-1])
    if len(first) + 1 == width == n_rows:
        return Layout(len(first), True, True)
    if n_rows == 0 or any(len(row) != width for row in rows):
        return None
    if n_rows == width:
        is_named = _are_names(first) or (first[0] == "" and len(set(first)) == width)
        return (
            Layout(width - 1, True, True) if is_named and width > 1 else Layout(width, False, False)
        )
    if n_rows == width + 1 and _are_names(first):
        return Layout(width, True, False)
    if n_rows == width - 1 and _are_names([row[0] for row in rows]):
        return Layout(n_rows, False, True)
    return None


def _are_names(cells: Sequence[str]) -> bool:
    return not all(cell == "" or _is_entry(cell) for cell in cells)


def _is_entry(cell: str) -> bool:
    """Return whether a cell is a number, perhaps with a decimal comma."""
    return is_number(cell.replace(",", "."))


def _squared(source: Source) -> tuple[Layout, list[list[str]], list[list[str]]] | None:
    """Return layout, first rows and first rows of numbers, if this is a square table of them."""
    rows = first_rows(source)
    if not rows or source.plain.count(b"\n", 0, _HEAD) > 10 * len(rows[0]) + _COMMENT_LINES:
        return None
    try:
        layout = layout_of(rows, count_rows(source))
    except UnreadableFileError:
        return None
    if layout is None or len(rows) - layout.has_header > layout.n:
        return None
    body = [row[layout.has_names :] for row in rows[layout.has_header :]]
    is_numeric = all(cell == "" or _is_entry(cell) for row in body for cell in row)
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


def write(graphs: GraphSet, _: NDArray[Any] | None) -> Iterator[str]:
    """Yield a table of zeros and ones, or weights, with the names above and beside it."""
    n = graphs.n_vertices
    if not 0 < n <= _MAX_VERTICES:
        raise InvalidGraphError(
            f"An adjacency matrix is written for 1 to {_MAX_VERTICES:,} vertices, and there are "
            f"{n:,}. Choose another format."
        )
    names = [quoted(safe_text(name)) for name in name_texts(graphs)]
    matrix = written_matrix(graphs)
    if graphs.edges is None or graphs.edges.weights is None:
        matrix = matrix.astype(np.int8)
    yield ",".join(["", *names]) + "\n"
    for name, row in zip(names, matrix.toarray().tolist(), strict=True):
        yield ",".join([name, *map(str, row)]) + "\n"


FORMAT = Format(
    _TITLE,
    (".adj", ".csv", ".tsv", ".txt", ".dat", ".mat"),
    _recognises,
    read,
    reading="adjacency-matrix",
    is_possible=_is_possible,
)
WRITER = Writer(_TITLE, ".csv", write, keeps_edges=("weights", "directions"), has_columns=False)
