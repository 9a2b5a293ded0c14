"""A graph as two tables that can be edited, and back: its vertices and its edges."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array

from mpgk_core.csv_cells import cell_text
from mpgk_core.edits.cells import KnownValues, is_gap, known_labels, known_names
from mpgk_core.edits.lookup import check_one_graph, shown
from mpgk_core.edits.vertex_edits import check_size
from mpgk_core.errors import InvalidGraphError
from mpgk_core.formats.columns import texts_of_names, undirected_edges, vertex_columns
from mpgk_core.graphs import GraphSet
from mpgk_core.parameters import check_choice

Table: TypeAlias = Mapping[str, Sequence[Any]]
"""Columns of equal length by their names."""


def tables_of(graph: GraphSet) -> tuple[dict[str, list[Any]], dict[str, list[Any]]]:
    """Return the vertices and the edges of a graph as tables.

    Parameters
    ----------
    graph : GraphSet
        With one graph.

    Returns
    -------
    vertices : dict of str to list
        Columns "name" (text), and where there are any, "label" and "attribute_1", ...
    edges : dict of str to list
        Columns "from" and "to": names of vertices, each edge once.

    Raises
    ------
    InvalidGraphError
        If two names or two labels would look the same, as 1 and "1".

    Examples
    --------
    >>> vertices, edges = tables_of(GraphSet([[0, 1], [1, 0]], [0, 2], labels="CO"))
    >>> vertices, edges
    ({'name': ['0', '1'], 'label': ['C', 'O']}, {'from': ['0'], 'to': ['1']})
    """
    check_one_graph(graph)
    known_labels(graph)
    names = texts_of_names(graph)
    columns = {column.name: list(column.values) for column in vertex_columns(graph)}
    ends = undirected_edges(graph).T.tolist()
    sources, targets = ([names[v] for v in end] for end in ends)
    return {"name": names, **columns}, {"from": sources, "to": targets}


def graph_from_tables(
    vertices: Table, edges: Table, base: GraphSet | None = None, *, dangling_edges: str = "refuse"
) -> GraphSet:
    """Build a graph from a table of vertices and a table of edges.

    Parameters
    ----------
    vertices : mapping of str to sequence
        Column "name"; column "label", if vertices have labels; all other columns are attributes,
        in their order.
    edges : mapping of str to sequence
        Columns "from" and "to". Other columns do not count; an edge given twice counts once.
    base : GraphSet, optional
        The graph that :func:`tables_of` showed: what a cell showed of it stands for the same
        name or label as before, and new names follow its style. If the tables have as many
        vertices, an edge follows a vertex whose name was changed in its row.
    dangling_edges : {"refuse", "drop"}
        What to do with an edge whose end is not among the vertices.

    Returns
    -------
    GraphSet

    Raises
    ------
    InvalidGraphError
        If a name is empty or repeated, a cell is empty, an attribute is not a finite number, an
        edge has an unknown end or two equal ends, or there are no or too many vertices.

    Examples
    --------
    >>> vertices, edges = {"name": ["a", "b", "c"]}, {"from": ["a", "b"], "to": ["b", "c"]}
    >>> graph_from_tables(vertices, edges)
    GraphSet(1 graph, 3 vertices, 2 edges)
    """
    check_choice(dangling_edges, ("refuse", "drop"), "dangling_edges", "graph_from_tables")
    n = _n_rows(vertices, ("name",), "vertices")
    check_size(n)
    in_use = known_names(base)
    names = _names(vertices["name"], in_use)
    number = {cell_text(name): v for v, name in enumerate(names)}
    renamed = _renamed(base, list(number))
    ends = _ends(edges, in_use, number, renamed, dangling_edges == "drop")
    return GraphSet(
        coo_array((np.ones(len(ends)), (ends[:, 0], ends[:, 1])), shape=(n, n)),
        [0, n],
        names=names,
        labels=_labels(vertices["label"], base, names) if "label" in vertices else None,
        attributes=_attributes(vertices, names),
    )


def _n_rows(table: Table, needed: tuple[str, ...], what: str) -> int:
    for key in needed:
        if key not in table:
            raise InvalidGraphError(f"The table of {what} has no column {key!r}. Add it.")
    lengths = {key: len(column) for key, column in table.items()}
    if len(set(lengths.values())) > 1:
        raise InvalidGraphError(
            f"The columns of the table of {what} have different lengths: {lengths}. "
            "Give every row a cell in every column."
        )
    return lengths[needed[0]]


def _names(cells: Sequence[Any], in_use: KnownValues) -> list[Hashable]:
    names: list[Hashable] = []
    row_of_text: dict[str, int] = {}
    for row, cell in enumerate(cells, start=1):
        if is_gap(cell):
            raise InvalidGraphError(
                f"Row {row} of the vertices has no name. Name it, or remove the row."
            )
        names.append(in_use.meant(cell))
        text = cell_text(names[-1])
        if text in row_of_text:
            raise InvalidGraphError(
                f"Rows {row_of_text[text]} and {row} of the vertices are both called "
                f"{shown(text)!r}. Rename one."
            )
        row_of_text[text] = row
    return names


def _renamed(base: GraphSet | None, names: list[str]) -> dict[str, str]:
    """Return the new name of every vertex whose old one has gone and whose row has a new one."""
    before = [] if base is None else [cell_text(name) for name in base.names]
    if len(before) != len(names):
        return {}
    old, new = set(before), set(names)
    return {
        one: other
        for one, other in zip(before, names, strict=True)
        if one not in new and other not in old
    }


def _ends(
    edges: Table,
    in_use: KnownValues,
    number: Mapping[str, int],
    renamed: Mapping[str, str],
    drop: bool,
) -> NDArray[np.int64]:
    _n_rows(edges, ("from", "to"), "edges")
    pairs = []
    for row, cells in enumerate(zip(edges["from"], edges["to"], strict=True), start=1):
        if any(is_gap(cell) for cell in cells):
            raise InvalidGraphError(
                f"Row {row} of the edges lacks an end. Name two vertices, or remove the row."
            )
        meant = [cell_text(in_use.meant(cell)) for cell in cells]
        texts = [renamed.get(text, text) for text in meant]
        unknown = [text for text in texts if text not in number]
        if unknown and drop:
            continue
        if unknown:
            raise InvalidGraphError(
                f"Row {row} of the edges names {shown(unknown[0])!r}, and no vertex is called "
                "so. Add it to the vertices, or remove the edge."
            )
        if texts[0] == texts[1]:
            raise InvalidGraphError(
                f"Row {row} of the edges joins {shown(texts[0])!r} to itself. "
                "Name two different vertices, or remove the row."
            )
        pairs.append([number[text] for text in texts])
    return np.array(pairs, dtype=np.int64).reshape(-1, 2)


def _labels(
    cells: Sequence[Any], base: GraphSet | None, names: Sequence[Hashable]
) -> list[Hashable]:
    in_use = known_labels(base)
    for cell, name in zip(cells, names, strict=True):
        if is_gap(cell):
            raise InvalidGraphError(
                f"Vertex {shown(name)!r} has no label. Fill it in, or remove the vertex."
            )
    return [in_use.meant(cell) for cell in cells]


def _attributes(vertices: Table, names: Sequence[Hashable]) -> NDArray[np.float64] | None:
    keys = [key for key in vertices if key not in ("name", "label")]
    if not keys:
        return None
    table = np.empty((len(names), len(keys)))
    for column, key in enumerate(keys):
        for row, (cell, name) in enumerate(zip(vertices[key], names, strict=True)):
            table[row, column] = _number(cell, key, name)
    return table


def _number(cell: Any, key: str, name: Hashable) -> float:
    where = f"Vertex {shown(name)!r}: {shown(key)!r}"
    if is_gap(cell):
        raise InvalidGraphError(f"{where} is empty. Fill in a number, or remove the vertex.")
    try:
        number = float(cell)
    except (TypeError, ValueError, OverflowError):
        raise InvalidGraphError(f"{where} is {shown(cell)!r}. Give a number instead.") from None
    if not np.isfinite(number):
        raise InvalidGraphError(f"{where} is {number}. Give a finite number instead.")
    return number
