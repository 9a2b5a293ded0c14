"""A graph as two tables: one of vertices with all that is known of them, and one of edges."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from mpgk_core.errors import shortened
from mpgk_core.formats.archives import packed
from mpgk_core.formats.columns import (
    Column,
    column_of_cells,
    column_of_values,
    name_texts,
    vertex_columns,
    whole_numbers_or_text,
)
from mpgk_core.formats.edge_list import directed_graph, edge_table, read_edges
from mpgk_core.formats.format import EVERYTHING, Format, GraphTables, Writer
from mpgk_core.formats.source import Source
from mpgk_core.formats.text_rows import (
    edge_columns,
    first_rows,
    is_edge_header,
    text_rows,
    vertex_column,
)
from mpgk_core.graphs import GraphSet
from mpgk_core.text import csv_table, unescaped

_TITLE = "Vertex and edge tables"
_ROWS_AT_ONCE = 20_000


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
    rows = first_rows(source)
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
    _, header = next(text_rows(vertices), (0, []))
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
    ends, pairs, edge_values = read_edges(edges)
    for end in map(str, ends):
        if end not in number:
            raise edges.error(
                f"An edge ends at {shortened(end)!r}, which is no vertex in "
                f"{shortened(vertices.name)}.",
                "Add that vertex, or remove the edge.",
            )
    codes = np.array([number[str(end)] for end in ends], dtype=np.int64)
    names = whole_numbers_or_text(ids)
    tables = directed_graph(edges, _TITLE, names, codes[pairs], edge_values)
    return replace(tables, source=name or f"{vertices.name}, {edges.name}", columns=columns)


def table_columns(source: Source, kept_as_text: int) -> dict[str, NDArray[Any]]:
    r"""Read all columns.

    Parameters
    ----------
    source : Source
        A table whose first row is the header.
    kept_as_text : int
        The column that names the rows: its cells stay text, whatever they look like.

    Returns
    -------
    dict of str to ndarray
        Columns of int64, float64 or text, by the words above them, in their order.

    Examples
    --------
    >>> table_columns(Source("a.csv", b"id,label,size\n1,C,2\n2,O,2.5\n"), kept_as_text=0)
    {'id': array(['1', '2'], dtype=object), 'label': array(['C', 'O'], dtype=object),
     'size': array([2. , 2.5])}
    """
    rows = text_rows(source, comments_anywhere=False)
    _, header = next(rows)
    keys = _keys(source, header)
    parts: list[list[str]] = [[] for _ in keys]
    n_rows = 0
    while some := list(islice(_checked(source, rows, len(keys)), _ROWS_AT_ONCE)):
        n_rows += len(some)
        source.check("vertices", n_rows)
        for part, cells in zip(parts, zip(*some, strict=True), strict=True):
            part.append("\0".join(cells))  # one text takes less memory than many
    columns: dict[str, NDArray[Any]] = {}
    for place, key in enumerate(keys):
        values = [cell for part in parts[place] for cell in part.split("\0")]
        is_text = place == kept_as_text
        columns[key] = column_of_values(values) if is_text else column_of_cells(values)
    return columns


def _keys(source: Source, header: Sequence[str]) -> list[str]:
    source.check("columns", len(header), 1)
    keys = [key.strip() or f"column_{place}" for place, key in enumerate(header, start=1)]
    for place, key in enumerate(keys):
        if key in keys[:place]:
            raise source.error(
                f"Two columns are called {shortened(key)!r}.", "Give each its own name."
            )
    return keys


def _checked(
    source: Source, rows: Iterator[tuple[int, list[str]]], width: int
) -> Iterator[list[str]]:
    for line, cells in rows:
        if len(cells) != width:
            raise source.error(
                f"This row has {len(cells):,} cells, and the header has {width:,}.",
                "Give every row as many cells as the header has.",
                line,
            )
        yield cells


def _is_table_of_vertices(source: Source) -> bool:
    return kind_of_table(source) == "vertices"


def _read_without_edges(source: Source) -> GraphTables:
    raise source.error(
        "This table lists vertices, and no edges.",
        "Give the table of edges as well: both files at once, or both in a zip archive.",
    )


def write(graphs: GraphSet, _: NDArray[Any] | None) -> bytes:
    """Return two tables in an archive: vertices with all that is known of them, and edges."""
    names = name_texts(graphs)
    columns = [Column("id", "string", names), *vertex_columns(graphs)]
    rows = zip(*(column.values for column in columns), strict=True)
    vertices = csv_table([[column.name for column in columns], *rows])
    edges = csv_table(edge_table(graphs, names))
    return packed({"vertices.csv": vertices, "edges.csv": edges})


#: Recognises a table of vertices that came alone, and says what is missing.
FORMAT = Format(
    _TITLE, (".csv", ".tsv", ".tab", ".txt"), _is_table_of_vertices, _read_without_edges
)
WRITER = Writer(
    _TITLE, ".zip", write, keeps_attributes=True, keeps_edges=EVERYTHING, has_types=False
)
