"""Several files at once: each a set of its own, or all of them one set where that is asked for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain, islice
from typing import Literal

from mpgk_core.errors import InvalidGraphError, InvalidParameterError
from mpgk_core.formats import edge_list
from mpgk_core.formats.graph_tables import GraphTables
from mpgk_core.formats.joined_tables import joined_tables
from mpgk_core.formats.reading import read_tables
from mpgk_core.formats.source import Source
from mpgk_core.formats.vertex_and_edge_tables import kind_of_table, read_pair


def read_many(
    files: Iterable[tuple[str, bytes]],
    name: str | None = None,
    *,
    join: Literal["each", "set"] = "each",
    reading: str | None = None,
) -> list[GraphTables]:
    r"""Read the graphs of several files.

    Two files of which one is a table of vertices and the other a table or list of edges make one
    graph, whatever ``join`` says.

    Parameters
    ----------
    files : iterable of pairs
        Name and content of each file.
    name : str, optional
        What all are called together. Default: their names.
    join : {"each", "set"}
        Whether each file is a set of its own, or all graphs are one set. In one set the graphs
        come in the order of the files and are called like them; columns of the same name are
        joined, and what a file does not say is missing.
    reading : str, optional
        How to understand rows of cells: a key of ``READINGS``. Default: the likeliest.

    Returns
    -------
    list of GraphTables
        One for each set.

    Examples
    --------
    >>> files = [("a.txt", b"1 2\n2 3\n"), ("b.txt", b"1 2\n")]
    >>> [tables.n_vertices for tables in read_many(files)]
    [3, 2]
    >>> [tables.graph_names for tables in read_many(files, join="set")]
    [['a', 'b']]
    """
    if join not in ("each", "set"):
        raise InvalidParameterError(f"join must be 'each' or 'set'. Got {join!r} instead.")
    waiting = (Source(file, content) for file, content in files)
    first = list(islice(waiting, 3))
    if not first:
        raise InvalidGraphError("There are no files. Give at least one.")
    pair = _pair(first)
    if pair is not None:
        return [read_pair(*pair, name)]
    tables: list[GraphTables] = []
    stems: list[str] = []
    n_vertices = n_edges = 0
    for source in chain(first, waiting):
        table = read_tables(source.name, source.content, reading)
        n_vertices += table.n_vertices
        n_edges += len(table.edges)
        source.bounds.check_vertices(name or source.name, n_vertices)
        source.bounds.check_edges(name or source.name, n_edges)
        tables.append(table)
        stems.append(source.stem)
    together = name or ", ".join(table.source for table in tables)
    if join == "each" or len(tables) == 1:
        return tables
    return [joined_tables(tables, stems, together)]


def are_one_graph(files: Sequence[tuple[str, bytes]]) -> bool:
    r"""Return whether files are a table of vertices and one of edges; their first bytes suffice.

    Examples
    --------
    >>> are_one_graph([("v.csv", b"id,label\n1,C\n"), ("e.csv", b"source,target\n1,1\n")])
    True
    """
    return _pair([Source(name, content) for name, content in files]) is not None


def _pair(sources: Sequence[Source]) -> tuple[Source, Source] | None:
    """Return the table of vertices and that of edges, if there is one of each and no more."""
    if len(sources) != 2:
        return None
    for vertices, edges in (sources, sources[::-1]):
        if kind_of_table(vertices) == "vertices" and edge_list.FORMAT.recognises(edges):
            return (vertices, edges) if kind_of_table(edges) != "vertices" else None
    return None
