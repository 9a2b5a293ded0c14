"""A graph as two tables that can be edited, and back: its vertices and its edges."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np

from mpgk_core.arrays import FloatArray
from mpgk_core.checks import check_choice
from mpgk_core.edits.graph_edits import check_size, graph_of_edges
from mpgk_core.edits.names import check_one_graph, is_gap, is_whole_number, shown
from mpgk_core.errors import InvalidGraphError
from mpgk_core.formats.columns import texts_of_names, vertex_columns
from mpgk_core.graphs import GraphSet
from mpgk_core.graphs.edges import Edges
from mpgk_core.text import cell_text

Table: TypeAlias = Mapping[str, Sequence[Any]]
"""Columns of equal length by their names."""

CellReader: TypeAlias = Callable[[Any], Hashable]
"""Gives the name or the label that a cell stands for."""


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
        Columns "from" and "to": names of vertices, each edge once; where there are any, "label"
        and "weight".

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
    _label_reader(graph)
    names = texts_of_names(graph)
    columns = {column.name: list(column.values) for column in vertex_columns(graph)}
    edges = graph.all_edges()
    table: dict[str, list[Any]] = {
        "from": [names[v] for v in edges.sources.tolist()],
        "to": [names[v] for v in edges.targets.tolist()],
    }
    if edges.labels is not None:
        table["label"] = ["" if label is None else cell_text(label) for label in edges.labels]
    if edges.weights is not None:
        table["weight"] = edges.weights.tolist()
    return {"name": names, **columns}, table


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
        Columns "from" and "to". An empty cell of a column "label" is the label None, one of a
        column "weight" is 1; other columns do not count. An edge given twice counts once, with
        the sum of its weights.
    base : GraphSet, optional
        The graph that :func:`tables_of` showed: what a cell showed of it stands for the same
        name or label as before, and new names follow its style. If the tables have as many
        vertices, an edge follows a vertex whose name was changed in its row. Edges are directed
        where those of the base are.
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
    check_size(_n_rows(vertices, ("name",), "vertices"))
    _n_rows(edges, ("from", "to"), "edges")
    read_name = _name_reader(base)
    names = _names(vertices["name"], read_name)
    texts = [cell_text(name) for name in names]
    renamed = _renamed([] if base is None else list(map(cell_text, base.names)), texts)

    def read_end(cell: Any) -> str:
        text = cell_text(read_name(cell))
        return renamed.get(text, text)

    return graph_of_edges(
        _edges(edges, read_end, texts, dangling_edges == "drop", base),
        names,
        _labels(vertices["label"], base, names) if "label" in vertices else None,
        _attributes(vertices, names),
    )


def typed_name(graph: GraphSet, text: str) -> Hashable:
    """Return the name that a user means: an existing one, or a new one in the style of the others.

    Parameters
    ----------
    graph : GraphSet
        With one graph.
    text : str
        As typed; blanks around it do not count.

    Returns
    -------
    hashable

    Examples
    --------
    >>> import networkx as nx
    >>> numbers, letters = nx.path_graph(4), nx.Graph([("a", "b")])
    >>> [typed_name(GraphSet.from_networkx(graph), " 7 ") for graph in (numbers, letters)]
    [7, '7']
    """
    return _name_reader(graph)(text)


def typed_label(graph: GraphSet, text: str) -> Hashable:
    """Return the label that a user means: a known one, or a new one in the style of the others.

    Parameters
    ----------
    graph : GraphSet
        With one graph.
    text : str
        As typed; blanks around it do not count.

    Returns
    -------
    hashable

    Examples
    --------
    >>> numbered = GraphSet([[0, 1], [1, 0]], [0, 2], labels=[6, 8])
    >>> typed_label(numbered, " 7 "), typed_label(numbered, "C")
    (7, 'C')
    """
    return _label_reader(graph)(text)


def cell_reader(texts: Iterable[str], values: Iterable[Hashable]) -> CellReader:
    """Return a function that gives the value a cell stands for: a known one, or a new one.

    Blanks around new text do not count. Where all known values are whole numbers, so are new
    ones that look like it: a table shows numbers as text, or as floats once a cell is empty.

    Parameters
    ----------
    texts : iterable of str
        How the known values are shown.
    values : iterable of hashable
        The known values.

    Returns
    -------
    callable

    Examples
    --------
    >>> read = cell_reader(["0", "1"], [0, 1])
    >>> read("1"), read(1.0), read(" 7 "), read("x")
    (1, 1, 7, 'x')
    """
    known = dict(zip(texts, values, strict=True))
    are_whole = bool(known) and all(isinstance(value, int) for value in known.values())

    def read(cell: Any) -> Hashable:
        value: Any = cell.item() if isinstance(cell, np.generic) else cell
        if cell_text(value) in known:
            return known[cell_text(value)]
        if isinstance(value, str):
            value = value.strip()
            is_whole = is_whole_number(value)
        else:
            is_whole = isinstance(value, float) and value.is_integer()
        value = int(value) if is_whole and are_whole else value
        found: Hashable = known.get(cell_text(value), value)
        return found

    return read


def _name_reader(graph: GraphSet | None) -> CellReader:
    """Return a reader of names, or raise if two names look the same."""
    return cell_reader([], []) if graph is None else cell_reader(texts_of_names(graph), graph.names)


def _label_reader(graph: GraphSet | None) -> CellReader:
    """Return a reader of labels, or raise if two labels look the same."""
    labels = () if graph is None else graph.label_values
    texts = [cell_text(label) for label in labels]
    if len(set(texts)) < len(labels):
        raise InvalidGraphError(
            "Two labels would look the same in a table, as 1 and '1' would. Rename one."
        )
    return cell_reader(texts, labels)


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


def _names(cells: Sequence[Any], read: CellReader) -> list[Hashable]:
    names: list[Hashable] = []
    row_of_text: dict[str, int] = {}
    for row, cell in enumerate(cells, start=1):
        _refuse_gap(cell, f"Row {row} of the vertices has no name. Name it, or remove the row.")
        names.append(read(cell))
        text = cell_text(names[-1])
        if text in row_of_text:
            raise InvalidGraphError(
                f"Rows {row_of_text[text]} and {row} of the vertices are both called "
                f"{shown(text)!r}. Rename one."
            )
        row_of_text[text] = row
    return names


def _refuse_gap(cell: Any, problem: str) -> None:
    if is_gap(cell):
        raise InvalidGraphError(problem)


def _renamed(before: list[str], names: list[str]) -> dict[str, str]:
    """Return the new name of every vertex whose old one has gone and whose row has a new one."""
    if len(before) != len(names):
        return {}
    old, new = set(before), set(names)
    pairs = zip(before, names, strict=True)
    return {one: other for one, other in pairs if one not in new and other not in old}


def _edges(
    table: Table, read: Callable[[Any], str], names: list[str], drop: bool, base: GraphSet | None
) -> Edges:
    """Return the edges of a table."""
    number = {name: v for v, name in enumerate(names)}
    known = Edges.of([], []) if base is None else base.all_edges()
    read_label = cell_reader(map(cell_text, known.label_values), known.label_values)
    pairs, rows = [], []
    for row, cells in enumerate(zip(table["from"], table["to"], strict=True), start=1):
        for cell in cells:
            _refuse_gap(
                cell, f"Row {row} of the edges lacks an end. Name two vertices, or remove the row."
            )
        texts = [read(cell) for cell in cells]
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
        rows.append(row - 1)
    labels = weights = None
    if "label" in table:
        given = [table["label"][row] for row in rows]
        labels = [None if is_gap(cell) else read_label(cell) for cell in given]
    if "weight" in table:
        weights = [_weight(table["weight"][row], row) for row in rows]
    ends = np.array(pairs, dtype=np.int64).reshape(-1, 2)
    return Edges.of(*ends.T, labels=labels, weights=weights, is_directed=known.is_directed)


def _weight(cell: Any, row: int) -> float:
    if is_gap(cell):
        return 1.0
    number = _number(cell, f"Row {row + 1} of the edges: the weight")
    if number < 0:
        raise InvalidGraphError(
            f"Row {row + 1} of the edges: the weight is {number:g}. Give a number of at least 0."
        )
    return number


def _labels(
    cells: Sequence[Any], base: GraphSet | None, names: Sequence[Hashable]
) -> list[Hashable]:
    for cell, name in zip(cells, names, strict=True):
        what = f"Vertex {shown(name)!r} has no label. Fill it in, or remove the vertex."
        _refuse_gap(cell, what)
    return list(map(_label_reader(base), cells))


def _attributes(vertices: Table, names: Sequence[Hashable]) -> FloatArray | None:
    keys = [key for key in vertices if key not in ("name", "label")]
    columns = [
        [
            _vertex_number(cell, f"Vertex {shown(name)!r}: {shown(key)!r}")
            for cell, name in zip(vertices[key], names, strict=True)
        ]
        for key in keys
    ]
    return np.array(columns).T if keys else None


def _vertex_number(cell: Any, where: str) -> float:
    _refuse_gap(cell, f"{where} is empty. Fill in a number, or remove the vertex.")
    return _number(cell, where)


def _number(cell: Any, where: str) -> float:
    try:
        number = float(cell)
    except (TypeError, ValueError, OverflowError):
        raise InvalidGraphError(f"{where} is {shown(cell)!r}. Give a number instead.") from None
    if not np.isfinite(number):
        raise InvalidGraphError(f"{where} is {number}. Give a finite number instead.")
    return number
