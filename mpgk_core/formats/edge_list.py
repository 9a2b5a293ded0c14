"""Edge lists: one edge per line, named by its two ends; a line with one name is a lone vertex."""

from __future__ import annotations

from collections.abc import Hashable
from math import isfinite

import numpy as np
from numpy.typing import NDArray

from mpgk_core.formats.format import Format
from mpgk_core.formats.graph_tables import GraphTables
from mpgk_core.formats.header_words import edge_columns, is_edge_header, is_number
from mpgk_core.formats.matrix_layout import count_rows
from mpgk_core.formats.named_edges import graph_of_edges, in_order, in_rising_order, named_edges
from mpgk_core.formats.number_table import FIRST_ROW, MISSING, whole_number_pairs
from mpgk_core.formats.source import Source
from mpgk_core.formats.text_rows import BLANKS, first_rows, is_plain_text, separator_of

_TITLE = "Edge list"
#: Whoever calls a file so says that its lines are edges and vertices.
_OWN_EXTENSIONS = (".edgelist", ".edges", ".edge", ".ncol", ".el")
_COMMENTS = (b"\n#", b"\n%")
_FEW_LINES, _MANY_COMMENTS, _MOST_CELLS = 8, 20, 8
_ZERO_OR_ONE = ("0", "1", "0.0", "1.0", "")


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
    weighted = any(len(cells) > 2 for cells in rows)
    return graph_of_edges(source, _TITLE, names, edges, weighted=weighted)


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
        return in_rising_order(pairs, pairs[:0, 0])
    return in_rising_order(pairs[~lone], pairs[lone, 0])


def _named(
    source: Source, separator: str, has_header: bool, places: tuple[int, int]
) -> tuple[list[Hashable], NDArray[np.int64]]:
    texts, edges = named_edges(source, separator, has_header, places)
    if not texts:
        raise source.error("There is no edge in it.", "Write one edge per line: two names.")
    return in_order(texts, edges)


def _recognises(source: Source) -> bool:
    if not is_plain_text(source):
        return False
    rows = first_rows(source, separator_of(source))
    widths = {len(cells) for cells in rows}
    if widths == {1}:
        return all(cell.isdecimal() for cells in rows for cell in cells)
    return len(widths - {1}) == 1


def _doubt(source: Source) -> tuple[str, str] | None:
    """Say why lines are hardly edges: too few cells, too many, or numbers that name nothing."""
    separator = separator_of(source)
    rows = first_rows(source, separator)
    if not rows or is_edge_header(rows):
        return None
    if source.extension not in _OWN_EXTENSIONS:
        lone = sum(len(cells) == 1 for cells in rows)
        if lone == len(rows):
            return (
                "Every line holds one cell, and an edge has two ends.",
                "Write one edge per line: two names. If these are vertices without edges, let "
                "the name of the file end in .edgelist.",
            )
        if lone >= _FEW_LINES and 2 * lone > len(rows):
            return (
                f"{lone} of the first {len(rows)} lines hold one name only.",
                "Write one edge per line: two names. If the others are vertices without edges, "
                "let the name of the file end in .edgelist.",
            )
        n_comments = sum((b"\n" + source.plain).count(mark) for mark in _COMMENTS)
        if n_comments >= _MANY_COMMENTS and n_comments > count_rows(source, separator):
            return (
                f"{n_comments:,} lines are comments, which are skipped, and fewer are edges.",
                "Remove the # or % before lines that matter, or remove the comments.",
            )
    return _doubt_about_numbers(source, separator, rows)


def _doubt_about_numbers(
    source: Source, separator: str, rows: list[list[str]]
) -> tuple[str, str] | None:
    width = max(map(len, rows))
    pairs = [cells for cells in rows if len(cells) > 1]
    if width > _MOST_CELLS:
        return (
            f"Every line has {width:,} cells, and an edge has two ends and perhaps a weight.",
            "Write one edge per line, two rows of vertex numbers, or a square adjacency matrix. "
            "If these are edges with attributes, put a header above them: source, target, ...",
        )
    if width > 2 < len(rows) and all(cell in _ZERO_OR_ONE for cells in pairs for cell in cells):
        n_rows = count_rows(source, separator)
        if n_rows != width:
            return (
                f"This table of 0 and 1 has {n_rows:,} rows and {width} columns.",
                "An adjacency matrix has one row and one column for each vertex.",
            )
    names = [cell for cells in pairs for cell in cells[:2]]
    if all(map(is_number, names)):
        parts = (name for name in names if isfinite(float(name)) and float(name) % 1)
        part = next(parts, None)
        if part is not None:
            return (
                f"{part} is no name of a vertex, but a number with a fraction.",
                "Write one edge per line: two names or whole numbers, and then what else is known.",
            )
    return None


def _is_possible(source: Source) -> bool:
    return _recognises(source) and _doubt(source) is None


FORMAT = Format(
    _TITLE,
    (*_OWN_EXTENSIONS, ".txt", ".csv", ".tsv", ".tab", ".dat"),
    _recognises,
    read,
    reading="edge-list",
    is_possible=_is_possible,
    doubt=_doubt,
)
