"""Edge lists: one edge per line, named by its two ends; a line with one name is a lone vertex."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import replace
from itertools import count, repeat
from math import isfinite
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mpgk_core.errors import InvalidGraphError
from mpgk_core.formats.columns import (
    Column,
    column_of_cells,
    missing,
    name_texts,
    undirected_edges,
    whole_numbers_or_text,
    written_edges,
)
from mpgk_core.formats.format import EVERYTHING, Format, GraphTables, Writer
from mpgk_core.formats.graph_collector import (
    LINE,
    NamedEdges,
    graph_of_edges,
    in_order,
    in_rising_order,
    with_both_directions,
)
from mpgk_core.formats.number_table import SMALL, regular_column, regular_names, regular_numbers
from mpgk_core.formats.source import Source
from mpgk_core.formats.text_rows import (
    BLANKS,
    FIRST_ROW,
    columns_in_dictionaries,
    count_rows,
    edge_columns,
    first_rows,
    is_edge_header,
    is_number,
    line_of,
    separator_of,
    text_rows,
)
from mpgk_core.graphs import GraphSet
from mpgk_core.text import cell_text, quoted

_TITLE = "Edge list"
#: Whoever calls a file so says that its lines are edges and vertices.
_OWN_EXTENSIONS = (".edgelist", ".edges", ".edge", ".ncol", ".el")
_FEW_LINES, _MANY_COMMENTS, _MAX_CELLS = 8, 20, 8
_HEADERS = (("source", "target"), ("from", "to"), ("node1", "node2"), ("vertex1", "vertex2"))
_ZERO_OR_ONE = ("0", "1", "0.0", "1.0", "")
_FIRST_LONG_NUMBER = 10**18
#: Names, edges, their lines if there are other columns, and these.
_Found = tuple[list[Hashable], NDArray[np.int64], NDArray[np.int32] | None, list[NDArray[Any]]]


def read(source: Source) -> GraphTables:
    r"""Read an edge list.

    Parameters
    ----------
    source : Source
        Lines of two or more cells: the names of both ends, and what else is known of the edge.
        Cells are separated by blanks, tabs, commas or semicolons. Lines that start with ``#``
        or ``%`` are comments. There may be a header.

    Returns
    -------
    GraphTables
        Vertices in rising order if all names are whole numbers, and else as they first appear.
        Without a header, a third column alone is called "weight" if it holds numbers and "label"
        if not; of several, each is called after its place. Cells that are dictionaries, as
        networkx writes them, are columns by their keys. A column "type" that says "directed" or
        "undirected", as Gephi writes it, gives directions.

    Examples
    --------
    >>> tables = read(Source("a.txt", b"# my friends\nAnn Bob\nBob Cy\nDee\n"))
    >>> tables.names, tables.edges.tolist()
    (['Ann', 'Bob', 'Cy', 'Dee'], [[0, 1], [1, 2]])
    """
    names, edges, columns = read_edges(source)
    if not names:
        raise source.error("There is no edge in it.", "Write one edge per line: two names.")
    return directed_graph(source, _TITLE, names, edges, columns)


def read_edges(source: Source) -> tuple[list[Hashable], NDArray[np.int64], dict[str, NDArray[Any]]]:
    r"""Return the names of an edge list, the edges between them, and what else rows say.

    Parameters
    ----------
    source : Source
        As for :func:`read`.

    Returns
    -------
    names : list of int or list of str
        Distinct: numbers in rising order if all are canonical whole numbers, or text.
    edges : ndarray of shape (m, 2)
        Positions in ``names``.
    columns : dict of str to ndarray of shape (m,)
        Among them the line of every edge, by ``LINE``, if there is any other.

    Examples
    --------
    >>> names, edges, columns = read_edges(Source("a.csv", b"to,from,km\nb,a,3\nc,a,7\n"))
    >>> names, edges.tolist(), columns["km"], columns[LINE]
    (['a', 'b', 'c'], [[0, 1], [0, 2]], array([3, 7]), array([2, 3], dtype=int32))
    """
    separator = separator_of(source)
    rows = first_rows(source, separator)
    has_header = is_edge_header(rows)
    places = (edge_columns(rows[0]) if has_header else None) or (0, 1)
    width = next((len(cells) for cells in rows[has_header:] if len(cells) > 1), 0)
    others = [place for place in range(width) if place not in places]
    found = None
    if len(source.plain) > SMALL and max(places) < width <= source.bounds.columns:
        found = _regular_edges(source, separator, has_header, places, others, width)
    if found is None:
        found = _edges_row_by_row(source, separator, has_header, places)
    names, edges, lines, columns = found
    header = [cell.strip() for cell in rows[0]] if has_header else []
    where = {} if lines is None else {LINE: lines}
    return names, edges, _named_columns(source, header, places, columns) | where


def _named_columns(
    source: Source, header: list[str], places: tuple[int, int], columns: list[NDArray[Any]]
) -> dict[str, NDArray[Any]]:
    """Return the columns by what they are called; empty ones are left out."""
    if not header and len(columns) == 1:
        header = ["", "", "label" if columns[0].dtype == object else "weight"]
    others = (place for place in count() if place not in places)
    named: dict[str, NDArray[Any]] = {}
    for place, column in zip(others, columns, strict=False):
        key = header[place] if place < len(header) else ""
        is_text = column.dtype == object
        dictionaries = columns_in_dictionaries(source, column.tolist()) if is_text else None
        if dictionaries is not None:
            named |= dictionaries
        elif not missing(column).all():
            name = key or f"column_{place + 1}"
            named[name if name not in named else f"{name}_{place + 1}"] = column
    return named


def directed_graph(
    source: Source,
    title: str,
    names: Sequence[Hashable],
    edges: NDArray[np.int64],
    columns: dict[str, NDArray[Any]],
) -> GraphTables:
    """Return the graph; a column "type" of the words "directed" and "undirected" is no column."""
    key = next((key for key in columns if key.lower() == "type"), None)
    words = [str(word).lower() for word in columns[key].tolist()] if key is not None else []
    if key is None or not set(words) <= {"directed", "undirected"}:
        tables = graph_of_edges(source, title, names, edges, columns)
        is_shorter = len(tables.edges) < len(edges)
        notes = ("Every edge is listed in both directions, and counts once.",) if is_shorter else ()
        return replace(tables, notes=notes)
    del columns[key]
    is_directed = np.array(words) == "directed"
    if not is_directed.any():
        return graph_of_edges(source, title, names, edges, columns, is_directed=False)
    edges, columns = with_both_directions(source, edges, columns, ~is_directed)
    return graph_of_edges(source, title, names, edges, columns, is_directed=True)


def _regular_edges(
    source: Source,
    separator: str,
    has_header: bool,
    places: tuple[int, int],
    others: list[int],
    width: int,
) -> _Found | None:
    """Return names, edges and other columns as pyarrow reads them; None if rows are not alike."""
    content = source.plain
    first = FIRST_ROW.search(content)
    if first is None or b"\0" in content:
        return None
    begin = first.end() if has_header else first.start()
    n_before, content = line_of(content, begin) - 1, content[begin:]
    named = _regular_names(source, content, separator, width, places)
    if named is None:
        return None
    columns: list[NDArray[Any]] = []
    for place in others:
        column = regular_column(content, separator, width, place, source.bounds.text_length)
        if column is None or len(column) != len(named[1]):
            return None
        columns.append(column)
    n_edges = len(named[1])
    lines = _lines_of_rows(content, separator, n_before, n_edges) if columns else None
    return *named, lines, columns


def _lines_of_rows(
    content: bytes, separator: str, n_before: int, n_edges: int
) -> NDArray[np.int32]:
    """Return the line of every edge of a regular table; 0 for each where that is not clear."""
    if content.count(b"\n") + (not content.endswith(b"\n")) == n_edges:
        return np.arange(n_before + 1, n_before + 1 + n_edges, dtype=np.int32)
    rows = content.splitlines()
    mark = None if separator == BLANKS else separator.encode()
    found = [i for i, row in enumerate(rows, start=n_before + 1) if len(row.split(mark, 1)) > 1]
    return np.array(found if len(found) == n_edges else [0] * n_edges, dtype=np.int32)


def _regular_names(
    source: Source, content: bytes, separator: str, width: int, places: tuple[int, int]
) -> tuple[list[Hashable], NDArray[np.int64]] | None:
    lone: list[str] = []
    pairs = regular_numbers(content, separator, width, places, np.dtype(np.int64), lone)
    if pairs is not None and len(pairs):
        names = whole_numbers_or_text([name.strip(" \t") for name in lone])
        are_numbers = all(isinstance(name, int) for name in names)
        if are_numbers and -_FIRST_LONG_NUMBER < pairs.min() <= pairs.max() < _FIRST_LONG_NUMBER:
            return in_rising_order(pairs, np.array(names, dtype=np.int64) if names else None)
    named = regular_names(content, separator, width, places, source.bounds.text_length)
    return None if named is None else in_order(*named)


def _edges_row_by_row(
    source: Source, separator: str, has_header: bool, places: tuple[int, int]
) -> _Found:
    found = NamedEdges(source)
    width = 0
    rows = text_rows(source, separator)
    if has_header:
        next(rows)
    for line, cells in rows:
        is_lone = len(cells) == 1 and places[0] == 0
        names = cells if is_lone else [cells[place] for place in places if place < len(cells)]
        if not is_lone:
            width = width or len(cells)
            if len(cells) != width or len(names) < 2:
                raise source.error(
                    f"This line does not have {width:,} cells as earlier ones have.",
                    "Give every edge equally many; a name with blanks needs quotation marks.",
                    line,
                )
        if "" in names:
            raise source.error("A name is missing.", "Name both ends of every edge.", line)
        source.check("columns", width, line)
        others = [cell for place, cell in enumerate(cells) if place not in places]
        found.add(line, *names, cells=others)
    columns = [column_of_cells(cells) for cells in found.cells]
    return *in_order(*found.tables()), found.lines, columns


def write(graphs: GraphSet, _: NDArray[Any] | None) -> Iterator[str]:
    """Yield the names of both ends of every edge on a line, and lone vertices after them."""
    if not graphs.n_vertices:
        raise InvalidGraphError(
            "An edge list cannot hold a graph without vertices. Choose another format."
        )
    texts = name_texts(graphs)
    names = [quoted(name) for name in texts]
    if graphs.edges is not None and graphs.edges.n_edges:
        for row in edge_table(graphs, texts):
            yield " ".join(quoted(cell_text(cell)) or '""' for cell in row) + "\n"
    else:
        if not all(isinstance(name, int) for name in graphs.names):
            yield f"{names[0]}\n"  # a row of one name is never taken for a header
        yield from (f"{names[a]} {names[b]}\n" for a, b in undirected_edges(graphs).tolist())
    lone = np.flatnonzero(np.diff(graphs.adjacency.indptr) == 0).tolist()
    yield from (f"{names[vertex]}\n" for vertex in lone)


def edge_table(graphs: GraphSet, names: Sequence[str]) -> Iterator[tuple[Hashable, ...]]:
    """Yield a header, and one row for every edge: both ends, and all that is known of it."""
    edges, columns = written_edges(graphs)
    if graphs.edges is not None and graphs.edges.is_directed:
        columns.append(Column("type", "string", ["directed"] * len(edges)))
    yield (*_header(set(names)), *(column.name for column in columns))
    values = zip(*(column.values for column in columns), strict=True) if columns else repeat(())
    for (a, b), others in zip(edges.tolist(), values, strict=False):
        yield names[a], names[b], *others


def _header(names: set[str]) -> tuple[str, str]:
    """Return words that are no names: a header that repeats would be taken for an edge."""
    for words in _HEADERS:
        if names.isdisjoint(words):
            return words
    raise InvalidGraphError(
        "Vertices are called source, from, node1 and vertex1, so that nothing is left to put "
        "above the columns. Give them other names."
    )


def _recognises(source: Source) -> bool:
    rows = first_rows(source)
    widths = {len(cells) for cells in rows}
    if widths == {1}:
        return all(cell.isdecimal() for cells in rows for cell in cells)
    return len(widths - {1}) == 1


def _doubt(source: Source) -> tuple[str, str] | None:
    """Say why lines are hardly edges: too few cells, too many, or numbers that name nothing."""
    rows = first_rows(source)
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
        plain = source.plain
        n_comments = sum(plain.count(b"\n" + mark) for mark in (b"#", b"%") if mark in plain)
        n_comments += plain.startswith((b"#", b"%"))
        if n_comments >= _MANY_COMMENTS and n_comments > count_rows(source):
            return (
                f"{n_comments:,} lines are comments, which are skipped, and fewer are edges.",
                "Remove the # or % before lines that matter, or remove the comments.",
            )
    return _doubt_about_numbers(source, rows)


def _doubt_about_numbers(source: Source, rows: list[list[str]]) -> tuple[str, str] | None:
    width = max(map(len, rows))
    pairs = [cells for cells in rows if len(cells) > 1]
    if width > _MAX_CELLS:
        return (
            f"Every line has {width:,} cells, and an edge has two ends and perhaps a weight.",
            "Write one edge per line, two rows of vertex numbers, or a square adjacency matrix. "
            "If these are edges with attributes, put a header above them: source, target, ...",
        )
    if width > 2 < len(rows) and all(cell in _ZERO_OR_ONE for cells in pairs for cell in cells):
        n_rows = count_rows(source)
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
WRITER = Writer(_TITLE, ".edgelist", write, keeps_edges=EVERYTHING, has_types=False)
