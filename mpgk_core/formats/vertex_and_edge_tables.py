"""A graph as two tables: one of vertices with all that is known of them, and one of edges."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Literal

import numpy as np

from mpgk_core.csv_cells import unescaped
from mpgk_core.errors import shortened
from mpgk_core.formats.columns import whole_numbers_or_text
from mpgk_core.formats.format import Format
from mpgk_core.formats.graph_tables import GraphTables, edge_notes
from mpgk_core.formats.header_words import edge_columns, is_edge_header, vertex_column
from mpgk_core.formats.named_edges import named_edges
from mpgk_core.formats.source import Source
from mpgk_core.formats.table_columns import table_columns
from mpgk_core.formats.text_rows import first_rows, is_plain_text, separator_of, text_rows

_TITLE = "Vertex and edge tables"


def kind_of_table(source: Source) -> Literal["vertices", "edges"] | None:
    r"""Return what a table lists, as its header says.

    Parameters
    ----------
    source : Source
        Any file.

    Returns
    -------
    {"vertices", "edges"} or None

    Examples
    --------
    >>> kind_of_table(Source("a.csv", b"id,label\n1,C\n"))
    'vertices'
    >>> kind_of_table(Source("b.csv", b"source,target\n1,2\n"))
    'edges'
    """
    if not is_plain_text(source):
        return None
    rows = first_rows(source, separator_of(source))
    if not rows:
        return None
    if edge_columns(rows[0]) is not None:
        return "edges" if is_edge_header(rows) else None
    is_table = all(len(row) == len(rows[0]) for row in rows)
    return "vertices" if is_table and vertex_column(rows[0]) is not None else None


def read_pair(vertices: Source, edges: Source, name: str | None = None) -> GraphTables:
    r"""Read a graph from its two tables.

    Parameters
    ----------
    vertices : Source
        A table with a header; a column called "id", "name" or the like names the vertices.
    edges : Source
        A table or a list of edges. If it has a header, its columns are called "source" and
        "target", "from" and "to", or the like; otherwise the first two columns name the ends.
    name : str, optional
        What both together are called. Default: their names.

    Returns
    -------
    GraphTables

    Examples
    --------
    >>> people = Source("people.csv", b"name,age\nAnn,33\nBob,44\nCy,55\n")
    >>> friends = Source("friends.csv", b"from,to\nAnn,Cy\n")
    >>> tables = read_pair(people, friends)
    >>> tables.names, tables.edges.tolist(), tables.columns
    (['Ann', 'Bob', 'Cy'], [[0, 2]], {'age': array([33, 44, 55])})
    """
    _, header = next(text_rows(vertices, separator_of(vertices)), (0, []))
    place = vertex_column(header)
    if place is None:
        raise vertices.error("No column names the vertices.", 'Call one of them "id".')
    columns = table_columns(vertices, place)
    ids = columns.pop(list(columns)[place]).tolist()
    if not columns:
        ids = [unescaped(vertex) for vertex in ids]
    number = {vertex: i for i, vertex in enumerate(ids)}
    if None in number:
        raise vertices.error(f"Row {number[None] + 1} has no id.", "Give every vertex its own.")
    if len(number) < len(ids):
        twice = next(vertex for i, vertex in enumerate(ids) if number[vertex] != i)
        raise vertices.error(
            f"There are two vertices {shortened(twice)!r}.", "Give each its own id."
        )
    rows = first_rows(edges, separator_of(edges))
    has_header = is_edge_header(rows)
    places = (edge_columns(rows[0]) if has_header else None) or (0, 1)
    ends, pairs = named_edges(edges, separator_of(edges), has_header, places)
    for end in ends:
        if end not in number:
            raise edges.error(
                f"An edge ends at {shortened(end)!r}, which is no vertex in "
                f"{shortened(vertices.name)}.",
                "Add that vertex, or remove the edge.",
            )
    codes = np.array([number[end] for end in ends], dtype=np.int64)
    joined = codes[pairs]
    names: list[Hashable] = whole_numbers_or_text(ids)
    n = len(names)
    return GraphTables(
        name or f"{vertices.name}, {edges.name}",
        _TITLE,
        np.array([0, n], dtype=np.int64),
        joined,
        names=None if names == list(range(n)) else names,
        columns=columns,
        notes=edge_notes(joined, n, weighted=any(len(row) > 2 for row in rows)),
    )


def _is_table_of_vertices(source: Source) -> bool:
    return kind_of_table(source) == "vertices"


def _read_without_edges(source: Source) -> GraphTables:
    raise source.error(
        "This table lists vertices, and no edges.",
        "Give the table of edges as well: both files at once, or both in a zip archive.",
    )


#: Recognises a table of vertices that came alone, and says what is missing.
FORMAT = Format(
    _TITLE, (".csv", ".tsv", ".tab", ".txt"), _is_table_of_vertices, _read_without_edges
)
