"""The two adjacency lists of NetworkX: neighbours behind a vertex, or one below another."""

from __future__ import annotations

from collections.abc import Iterator

from mpgk_core.errors import UnreadableFileError
from mpgk_core.formats.format import Format, GraphTables
from mpgk_core.formats.graph_collector import LINE, NamedEdges, graph_of_edges, in_order
from mpgk_core.formats.source import Source
from mpgk_core.formats.text_rows import (
    BLANKS,
    columns_in_dictionaries,
    first_rows,
    is_number,
    text_rows,
)

_TITLE, _MULTILINE_TITLE = "Adjacency list", "Multiline adjacency list"
_OWN_EXTENSION = ".adjlist"
#: Of larger files with equally long lines, nobody waits for an adjacency list to be ruled out.
_LARGE = 2_000_000


def read(source: Source) -> GraphTables:
    r"""Read an adjacency list, as ``networkx.write_adjlist`` writes it.

    Parameters
    ----------
    source : Source
        One line per vertex: its name, and the names of its neighbours. An edge may stand on the
        line of one of its ends or of both; neighbours without a line of their own are vertices
        too. Lines that start with ``#`` or ``%`` are comments.

    Returns
    -------
    GraphTables

    Examples
    --------
    >>> tables = read(Source("a.adjlist", b"# GMT\n0 1 2\n1 2\n2\n3\n"))
    >>> tables.n_vertices, tables.edges.tolist()
    (4, [[0, 1], [0, 2], [1, 2]])
    """
    found = NamedEdges(source)
    for line, cells in text_rows(source):
        vertex, *neighbours = _without_empty_end(cells)
        found.add(line, vertex)
        for name in neighbours:
            found.add(line, vertex, name)
    return _graph(source, _TITLE, found)


def read_multiline(source: Source) -> GraphTables:
    r"""Read a multiline adjacency list, as ``networkx.write_multiline_adjlist`` writes it.

    Parameters
    ----------
    source : Source
        For every vertex a line with its name and a number, and then as many lines, each with
        the name of a neighbour and perhaps a dictionary with values of the edge.

    Returns
    -------
    GraphTables

    Examples
    --------
    >>> tables = read_multiline(Source("a.adjlist", b"# GMT\n0 2\n1 {}\n2 {}\n1 0\n2 0\n"))
    >>> tables.n_vertices, tables.edges.tolist()
    (3, [[0, 1], [0, 2]])
    """
    found = NamedEdges(source)
    for line, vertex, neighbour, data in _entries(source):
        found.add(line, vertex, *neighbour, cells=[data])
    return _graph(source, _MULTILINE_TITLE, found)


def _entries(source: Source) -> Iterator[tuple[int, str, list[str], str]]:
    """Yield each vertex alone, and then with every neighbour and what is said of the edge."""
    vertex, left, line = "", 0, None
    for line, cells in text_rows(source, BLANKS):
        if left:
            if len(cells) > 1 and not cells[1].startswith("{"):
                raise source.error(
                    f"{left:,} more neighbours should be listed before another vertex comes.",
                    "Give one line for each: its name, and perhaps a dictionary.",
                    line,
                )
            left -= 1
            yield line, vertex, cells[:1], " ".join(cells[1:])
        else:
            if len(cells) != 2 or not (cells[1].isascii() and cells[1].isdigit()):
                raise source.error(
                    "A vertex and the number of its neighbours should stand here.",
                    "Write both, and nothing else.",
                    line,
                )
            vertex, left = cells[0], int(cells[1][:18])
            yield line, vertex, [], ""
    if left:
        raise source.error(f"{left:,} neighbours are missing.", "Give the whole file.", line)


def _graph(source: Source, title: str, found: NamedEdges) -> GraphTables:
    names, edges = found.tables()
    if not names:
        raise source.error("There is no vertex in it.", "Give at least one line.")
    columns = columns_in_dictionaries(source, found.cells[0]) if found.cells else None
    columns = (columns or {}) | {LINE: found.lines}
    return graph_of_edges(source, title, *in_order(names, edges), columns)


def _without_empty_end(cells: list[str]) -> list[str]:
    """Return the cells without the empty ones by which spreadsheets make rows equally long."""
    while len(cells) > 1 and not cells[-1]:
        cells = cells[:-1]
    return cells


def _lines(source: Source) -> dict[str, list[str]] | None:
    """Return the neighbours of every vertex, if each has one line and all are known by one."""
    sample = [_without_empty_end(cells) for cells in first_rows(source)]
    firsts = [cells[0] for cells in sample]
    is_weighted = any(_is_fraction(cell) for cells in sample for cell in cells[2:])
    if not firsts or len(set(firsts)) < len(firsts) or is_weighted:
        return None
    widths = set(map(len, sample))
    is_table = max(widths) < 3 or (len(widths) == 1 and len(source.plain) > _LARGE)
    if is_table and source.extension != _OWN_EXTENSION:
        return None
    lines: dict[str, list[str]] = {}
    try:
        for _, cells in text_rows(source):
            first, *others = _without_empty_end(cells)
            if first in lines or "" in others or len(lines) > source.bounds.vertices:
                return None
            lines[first] = others
    except UnreadableFileError:
        return None
    return lines if all(name in lines for names in lines.values() for name in names) else None


def _is_fraction(cell: str) -> bool:
    return cell.startswith("{") or (is_number(cell) and not cell.lstrip("+-").isdigit())


def _is_possible(source: Source) -> bool:
    """Where no line has more than two names, an edge list says the same."""
    lines = _lines(source)
    return lines is not None and len(lines) > 1 and max(map(len, lines.values())) > 1


def _recognises(source: Source) -> bool:
    """Return whether lines differ in length, or every edge stands on the lines of both its ends.

    Else, equally long lines are rather edges with weights, or a matrix.
    """
    lines = _lines(source)
    if lines is None:
        return False
    if source.extension == _OWN_EXTENSION:
        return True
    widths = set(map(len, lines.values()))
    if len(lines) < 2 or max(widths) < 2:
        return False
    if len(widths) > 1:
        return True
    known = {first: set(names) for first, names in lines.items()}
    are_sets = all(len(known[first]) == len(names) for first, names in lines.items())
    return are_sets and all(
        first in known[name] and first != name for first, names in lines.items() for name in names
    )


def _recognises_multiline(source: Source) -> bool:
    rows = first_rows(source, BLANKS)
    if not rows or any(len(cells) > 2 and not cells[1].startswith("{") for cells in rows):
        return False
    if all(cells[1:] == ["0"] for cells in rows):
        return False
    try:
        return sum(len(neighbour) for _, _, neighbour, _ in _entries(source)) > 0
    except UnreadableFileError:
        return False


FORMAT = Format(
    _TITLE,
    (_OWN_EXTENSION, ".txt", ".csv", ".tsv", ".dat"),
    _recognises,
    read,
    reading="adjacency-list",
    is_possible=_is_possible,
)
MULTILINE = Format(
    _MULTILINE_TITLE,
    (_OWN_EXTENSION, ".txt", ".dat"),
    _recognises_multiline,
    read_multiline,
    reading="multiline-adjacency-list",
    is_possible=_recognises_multiline,
)
