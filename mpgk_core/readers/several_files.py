"""Several files at once: two tables that make one graph, or graphs one behind another."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain, islice

from mpgk_core.errors import InvalidGraphError
from mpgk_core.readers import edge_list
from mpgk_core.readers.graph_tables import GraphTables
from mpgk_core.readers.joined_tables import joined_tables
from mpgk_core.readers.reading import read_tables
from mpgk_core.readers.source import Source
from mpgk_core.readers.vertex_and_edge_tables import kind_of_table, read_pair

__all__ = ["read_many"]


def read_many(files: Iterable[tuple[str, bytes]], name: str | None = None) -> GraphTables:
    r"""Read the graphs of several files.

    Parameters
    ----------
    files : iterable of pairs
        Name and content of each file.
    name : str, optional
        What all are called together. Default: their names.

    Returns
    -------
    GraphTables
        One graph if there are two files, a table of vertices and a table or list of edges.
        Otherwise the graphs of all files in their order, called like the files; columns of the
        same name are joined, and what a file does not say is missing.

    Examples
    --------
    >>> tables = read_many([("a.txt", b"1 2\n2 3\n"), ("b.txt", b"1 2\n")])
    >>> len(tables), tables.graph_names
    (2, ['a', 'b'])
    """
    waiting = (Source(file, content) for file, content in files)
    first = list(islice(waiting, 3))
    if not first:
        raise InvalidGraphError("There are no files. Give at least one.")
    pair = _pair(first)
    if pair is not None:
        return read_pair(*pair, name)
    tables: list[GraphTables] = []
    stems: list[str] = []
    n_vertices = n_edges = 0
    for source in chain(first, waiting):
        table = read_tables(source.name, source.content)
        n_vertices += table.n_vertices
        n_edges += len(table.edges)
        source.bounds.check_vertices(name or source.name, n_vertices)
        source.bounds.check_edges(name or source.name, n_edges)
        tables.append(table)
        stems.append(source.stem)
    together = name or ", ".join(table.source for table in tables)
    return joined_tables(tables, stems, together) if len(tables) > 1 else tables[0]


def _pair(sources: Sequence[Source]) -> tuple[Source, Source] | None:
    """Return the table of vertices and that of edges, if there is one of each and no more."""
    if len(sources) != 2:
        return None
    for vertices, edges in (sources, sources[::-1]):
        if kind_of_table(vertices) == "vertices" and edge_list.FORMAT.recognises(edges):
            return (vertices, edges) if kind_of_table(edges) != "vertices" else None
    return None
