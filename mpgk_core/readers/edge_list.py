"""Edge lists: one edge per line, named by its two ends; a line with one name is a lone vertex."""

from __future__ import annotations

from collections.abc import Hashable

import numpy as np
from numpy.typing import NDArray

from mpgk_core.readers.edge_notes import edge_notes
from mpgk_core.readers.formats import Format
from mpgk_core.readers.graph_tables import GraphTables
from mpgk_core.readers.header_words import edge_columns, is_edge_header
from mpgk_core.readers.named_edges import named_edges
from mpgk_core.readers.number_table import FIRST_ROW, MISSING, whole_number_pairs
from mpgk_core.readers.source import Source
from mpgk_core.readers.text_rows import BLANKS, first_rows, is_plain_text, separator_of
from mpgk_core.readers.vertex_names import whole_numbers_or_text

__all__ = ["FORMAT", "read"]

_TITLE = "Edge list"
#: Numbers that lie this close are renumbered through a table, others by sorting.
_SPREAD = 4


def read(source: Source) -> GraphTables:
    r"""Read an edge list.

    Parameters
    ----------
    source : Source
        Lines of two or more cells: the names of both ends, and a weight or more, which is
        ignored. Cells are separated by blanks, tabs, commas or semicolons. Lines that start
        with ``#`` or ``%`` are comments. There may be a header.

    Returns
    -------
    GraphTables
        Vertices in rising order if all names are whole numbers, and else as they first appear.

    Examples
    --------
    >>> tables = read(Source("a.txt", b"# my friends\nAnn Bob\nBob Cy\nDee\n"))
    >>> tables.names, tables.edges.tolist()
    (['Ann', 'Bob', 'Cy', 'Dee'], [[0, 1], [1, 2]])
    """
    separator = separator_of(source)
    rows = first_rows(source, separator)
    has_header = is_edge_header(rows)
    places = (edge_columns(rows[0]) if has_header else None) or (0, 1)
    names, edges = _numbered(source, separator, has_header) if places == (0, 1) else ([], None)
    if edges is None:
        names, edges = _named(source, separator, has_header, places)
    n = len(names)
    source.bounds.check_vertices(source.name, n)
    source.bounds.check_edges(source.name, len(edges))
    merely_count = names[0] == 0 and names[-1] == n - 1
    return GraphTables(
        source.name,
        _TITLE,
        np.array([0, n], dtype=np.int64),
        edges,
        names=None if merely_count else names,
        notes=edge_notes(edges, n, weighted=any(len(cells) > 2 for cells in rows)),
    )


def _numbered(
    source: Source, separator: str, has_header: bool
) -> tuple[list[Hashable], NDArray[np.int64] | None]:
    """Return names and edges if all names are whole numbers, and else no edges."""
    content = source.plain
    header = FIRST_ROW.search(content) if has_header else None
    rest = content if header is None else content[header.end() :]
    mark = BLANKS if separator == "\t" else separator
    pairs = whole_number_pairs(rest, mark, source.bounds.columns)
    if pairs is None or not len(pairs):
        return [], None
    lone = pairs[:, 1] == MISSING
    if not lone.any():
        return _in_rising_order(pairs, pairs[:0, 0])
    return _in_rising_order(pairs[~lone], pairs[lone, 0])


def _named(
    source: Source, separator: str, has_header: bool, places: tuple[int, int]
) -> tuple[list[Hashable], NDArray[np.int64]]:
    texts, edges = named_edges(source, separator, has_header, places)
    if not texts:
        raise source.error("There is no edge in it.", "Write one edge per line: two names.")
    names = whole_numbers_or_text(texts)
    if isinstance(names[0], int):
        numbers = np.array(names, dtype=np.int64)
        return _in_rising_order(numbers[edges], numbers)
    return names, edges


def _in_rising_order(
    pairs: NDArray[np.int64], lone: NDArray[np.int64]
) -> tuple[list[Hashable], NDArray[np.int64]]:
    """Return the distinct numbers as names, and the edges between their places."""
    numbers = np.concatenate([pairs.ravel(), lone]) if len(lone) else pairs.ravel()
    low, high = int(numbers.min()), int(numbers.max())
    if high - low > _SPREAD * len(numbers):
        distinct, places = np.unique(numbers, return_inverse=True)
    else:
        seen = np.zeros(high - low + 1, dtype=np.bool_)
        seen[numbers - low] = True
        distinct = np.flatnonzero(seen) + low
        places = (np.cumsum(seen) - 1)[numbers - low]
    return distinct.tolist(), places[: pairs.size].reshape(-1, 2)


def _recognises(source: Source) -> bool:
    if not is_plain_text(source):
        return False
    rows = first_rows(source, separator_of(source))
    widths = {len(cells) for cells in rows}
    if widths == {1}:
        return all(cell.isdecimal() for cells in rows for cell in cells)
    return len(widths - {1}) == 1


FORMAT = Format(
    _TITLE,
    (".edgelist", ".edges", ".edge", ".txt", ".csv", ".tsv", ".tab", ".dat", ".ncol", ".el"),
    _recognises,
    read,
)
