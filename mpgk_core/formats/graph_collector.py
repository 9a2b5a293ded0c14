"""Collect graphs whose edges name their ends, or number them, and turn them into tables."""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mpgk_core.errors import UnreadableFileError, shortened
from mpgk_core.formats.columns import (
    EXACT_IN_FLOATS,
    all_differ,
    column_of_values,
    merely_count,
    names_or_none,
    whole_numbers_or_text,
)
from mpgk_core.formats.format import GraphTables
from mpgk_core.formats.source import Source

_BYTES_PER_CELL = 20
_MAX_NOTES = 20
#: Numbers that lie this close are renumbered through a table, others by sorting.
_SPREAD = 4
#: The key under which the lines of edges travel beside their columns until they are tables.
LINE = "\0line"


class _Cells:
    """Values of vertices or edges: the rows and values of every column, and its default."""

    def __init__(self) -> None:
        self.values: dict[str, tuple[Any, Any]] = {}
        self.defaults: dict[str, Any] = {}


class GraphCollector:
    """Collects vertices, edges and values one by one, in any order within a graph.

    Parameters
    ----------
    source : Source
        The file.
    title : str
        Name of its format.
    place : callable, optional
        Returns the current line, or the current position in the text of the file.
    place_is_line : bool
        Whether it is a line. The line of a position is computed only for an error.
    column_of : callable
        Makes a column from the values of all vertices, None where one has no value.

    Attributes
    ----------
    directed : bool
        Whether edges have a direction from here on; :meth:`direct` sets it.
    ids : list of str
        The ids of the vertices of all graphs.
    number : dict of str to int
        The number of every vertex of the current graph.
    max_cells : int
        How many values all columns may hold together.

    Examples
    --------
    >>> graphs = GraphCollector(Source("a.txt", b""), "Example")
    >>> graphs.start_graph()
    >>> for name in ("a", "b"):
    ...     graphs.value(graphs.vertex(name), "colour", "red")
    >>> graphs.edge_value(graphs.edge("a", "b"), "weight", 2)
    >>> tables = graphs.tables()
    >>> tables.names, tables.edges.tolist(), tables.columns, tables.edge_columns
    (['a', 'b'], [[0, 1]], {'colour': array(['red', 'red'], dtype=object)},
     {'weight': array([2])})
    """

    def __init__(
        self,
        source: Source,
        title: str,
        place: Callable[[], int] | None = None,
        place_is_line: bool = True,
        column_of: Callable[[Sequence[Any]], NDArray[Any]] = column_of_values,
    ) -> None:
        self.source, self.title = source, title
        self._column_of = column_of
        self._place, self._place_is_line = place, place_is_line
        self.directed = False
        self._turns: list[int] = []
        self._notes: dict[str, None] = {}
        self.number: dict[str, int] = {}
        self.ids: list[str] = []
        self._starts: list[int] = []
        self._ends = array("q")
        self._places = array("q")  # one per edge, or none at all
        self._waiting: list[tuple[int, str, str, int | None]] = []
        self._shown: dict[int, Any] = {}
        self._vertex_cells, self._edge_cells = _Cells(), _Cells()
        self._graph_names: list[str] = []
        self._classes: dict[int, Any] = {}
        self.max_cells = source.bounds.unpacked_bytes // _BYTES_PER_CELL
        self._max_vertices, self._max_ends = source.bounds.vertices, 2 * source.bounds.edges

    def start_graph(self, name: str = "") -> None:
        """Begin a graph; what follows belongs to it."""
        self.check("graphs", len(self._starts) + 1)
        self._find_ends()
        self.number = {}
        self._starts.append(len(self.ids))
        self._graph_names.append(name)

    def note(self, sentence: str) -> None:
        """Add a note for the user, once; their number is bounded."""
        if len(self._notes) < _MAX_NOTES:
            self._notes[sentence] = None

    def name_graph(self, name: str) -> None:
        """Give the current graph a name."""
        self._graph_names[-1] = name

    def class_of_graph(self, value: Any) -> None:
        """Give the current graph a class."""
        self._classes[len(self._starts) - 1] = value

    def vertex(self, name: str) -> int:
        """Add a vertex and return its number; its name must be new in this graph."""
        vertex = len(self.ids)
        if self.number.setdefault(name, vertex) != vertex:
            raise self.error(
                f"There are two vertices {shortened(name)!r}.", "Give each its own id."
            )
        if vertex >= self._max_vertices:
            self.check("vertices", vertex + 1)
        self.ids.append(name)
        return vertex

    @property
    def n_edges(self) -> int:
        """Number of edges so far."""
        return len(self._ends) // 2

    def direct(self, directed: bool, first_edge: int | None = None) -> None:
        """Say whether edges have a direction, from the next one on or from an earlier one on."""
        if directed != self.directed:
            self.directed = directed
            self._turns.append(self.n_edges if first_edge is None else first_edge)

    def edge(self, first: str, second: str) -> int:
        """Add an edge by the names of its ends, which may come later, and return its number."""
        number, ends = self.number, self._ends
        one, other = number.get(first), number.get(second)
        place = None if self._place is None else self._place()
        if place is not None:
            self._places.append(place)
        if one is None or other is None:
            self._waiting.append((len(ends), first, second, place))
            one = other = -1
        n = len(ends)
        if n >= self._max_ends:
            self.check("edges", n // 2 + 1)
        ends.append(one)
        ends.append(other)
        return n // 2

    def numbered_edges(
        self, firsts: Sequence[int], seconds: Sequence[int], lines: Sequence[int] | None = None
    ) -> None:
        """Add edges between vertices by the numbers that :meth:`vertex` gave them.

        They stand where we are, unless their lines are given.
        """
        self.check("edges", self.n_edges + len(firsts))
        if self._place is not None:
            self._places.extend([self._place()] * len(firsts) if lines is None else lines)
        self._ends.extend(chain.from_iterable(zip(firsts, seconds, strict=True)))

    def value(self, vertex: int, column: str, value: Any) -> None:
        """Set a value of a vertex; the last one counts."""
        self._put(self._vertex_cells, vertex, column, value)

    def edge_value(self, edge: int, column: str, value: Any) -> None:
        """Set a value of an edge; the last one counts."""
        self._put(self._edge_cells, edge, column, value)

    def edge_values(self, column: str, values: Sequence[Any]) -> None:
        """Set the values of all edges so far."""
        self._edge_cells.values[column] = (range(len(values)), values)

    def _put(self, cells: _Cells, row: int, column: str, value: Any) -> None:
        found = cells.values.get(column)
        if found is None:
            self.check("text_length", len(column))
            found = cells.values[column] = (array("q"), [])
            self.check("columns", len(cells.values))
        rows, values = found
        rows.append(row)
        values.append(value)

    def default(self, column: str, value: Any, of_edges: bool = False) -> None:
        """Set what a column holds for vertices, or edges, without a value."""
        defaults = (self._edge_cells if of_edges else self._vertex_cells).defaults
        defaults[column] = value
        self.check("columns", len(defaults))

    @property
    def line(self) -> int | None:
        """The line where we are, if that is known."""
        return None if self._place is None else self._line_of(self._place())

    def shown_name(self, vertex: int, name: Any) -> None:
        """Set the name that is shown for a vertex, besides its id."""
        self._shown[vertex] = name

    def check(self, key: str, n: int) -> None:
        """Raise if there is more of something than a bound allows, and name the line."""
        if n > getattr(self.source.bounds, key):
            self.source.check(key, n, self.line)

    def error(self, problem: str, remedy: str) -> UnreadableFileError:
        """Return an error that names the file and the line where we are."""
        return self.source.error(problem, remedy, self.line)

    def tables(self, shown_column: str = "label", prefers_ids: bool = False) -> GraphTables:
        """Return everything collected.

        If all vertices have shown names, and these differ within every graph, they are the names,
        and the ids of the file become a column "id", unless they are only numbers in order.

        Parameters
        ----------
        shown_column : str
            Otherwise the shown names are a column of this name.
        prefers_ids : bool
            Whether the ids are the names in any case.

        Returns
        -------
        GraphTables
        """
        if not self._starts:
            raise self.source.error(
                "There is no graph in it.", "Give a file that holds at least one."
            )
        self._find_ends()
        columns = self._columns(self._vertex_cells, len(self.ids), "vertices")
        edges, edge_columns, is_directed = self._edges()
        lines = edge_columns.pop(LINE, None)
        names, offsets = self.ids, [*self._starts, len(self.ids)]
        if self._shown:
            shown = column_of_values([self._shown.get(v) for v in range(len(names))])
            if not prefers_ids and all_differ(shown.tolist(), offsets):
                names = [str(name) for name in shown.tolist()]
                if names != self.ids and not merely_count(self.ids, offsets):
                    columns.setdefault("id", column_of_values(whole_numbers_or_text(self.ids)))
            else:
                key = shown_column if shown_column not in columns else f"{shown_column} shown"
                columns = {key: shown, **columns}
        texts: list[Iterable[str | None]] = [names, self.ids, list(columns), self._graph_names]
        known = [*columns.values(), *edge_columns.values()]
        texts += [set(column.tolist()) for column in known if column.dtype == object]
        self.source.check("text_length", max(len(text or "") for some in texts for text in some))
        classes = [self._classes[g] for g in range(len(self._starts)) if g in self._classes]
        return GraphTables(
            self.source.name,
            self.title,
            np.array(offsets, dtype=np.int64),
            edges,
            names=names_or_none(names, offsets),
            columns=columns,
            classes=column_of_values(classes) if len(classes) == len(self._starts) else None,
            graph_names=self._graph_names if any(self._graph_names) else None,
            notes=tuple(self._notes),
            edge_columns=edge_columns,
            is_directed=is_directed,
            edge_lines=() if lines is None else ((self.source.name, lines),),
        )

    def _edges(self) -> tuple[NDArray[np.int64], dict[str, NDArray[Any]], bool]:
        """Return the edges, their columns, and whether they are directed.

        If only some are, then each of the others is two edges, one in each direction.
        """
        n = self.n_edges
        edges = np.frombuffer(self._ends, dtype=np.int64).reshape(-1, 2)
        columns = self._columns(self._edge_cells, n, "edges")
        if n and len(self._places) == n:
            columns[LINE] = self._lines_of_edges()
        turns = np.bincount(np.array(self._turns, dtype=np.int64), minlength=n + 1)
        is_directed = np.cumsum(turns)[:n] % 2 == 1
        if is_directed.all() or not is_directed.any():
            return edges, columns, bool(is_directed.any() if n else self._turns)
        self._notes["Undirected edges among directed ones count in both directions."] = None
        return *with_both_directions(self.source, edges, columns, ~is_directed), True

    def _lines_of_edges(self) -> NDArray[np.int32]:
        places = np.array(self._places, dtype=np.int64)
        if self._place_is_line:
            return places.astype(np.int32)
        ends = [found.start() for found in re.finditer("\n", self.source.text)]
        return (np.searchsorted(ends, places) + 1).astype(np.int32)

    def _find_ends(self) -> None:
        for position, first, second, place in self._waiting:
            for shift, name in enumerate((first, second)):
                vertex = self.number.get(name)
                if vertex is None:
                    raise self.source.error(
                        f"The edge from {shortened(first)!r} to {shortened(second)!r} ends at "
                        f"{shortened(name)!r}, which is no vertex of the graph.",
                        "Add that vertex, or remove the edge.",
                        None if place is None else self._line_of(place),
                    )
                self._ends[position + shift] = vertex
        self._waiting.clear()

    def _line_of(self, place: int) -> int:
        return place if self._place_is_line else self.source.text.count("\n", 0, place) + 1

    def _columns(self, cells: _Cells, n: int, what: str) -> dict[str, NDArray[Any]]:
        keys = list(dict.fromkeys((*cells.values, *cells.defaults))) if n else []
        if n * len(keys) > self.max_cells:
            raise self.source.error(
                f"{n:,} {what} with {len(keys):,} columns are more than {self.max_cells:,} cells.",
                "Leave out columns, or set MPGK_MAX_UNPACKED_BYTES to more.",
            )
        columns = {}
        for key in keys:
            values = [cells.defaults.get(key)] * n
            for row, value in zip(*cells.values.get(key, ((), ())), strict=True):
                values[row] = value
            column = self._column_of(values)
            if any(value is not None and value == value for value in column.tolist()):
                columns[key] = column
        return columns


def with_both_directions(
    source: Source,
    edges: NDArray[np.int64],
    columns: Mapping[str, NDArray[Any]],
    is_undirected: NDArray[np.bool_],
) -> tuple[NDArray[np.int64], dict[str, NDArray[Any]]]:
    """Return edges and their columns with some edges once more, in the other direction."""
    back = np.flatnonzero(is_undirected & (edges[:, 0] != edges[:, 1]))
    source.check("edges", len(edges) + len(back))
    rows = np.concatenate([np.arange(len(edges)), back])
    both = np.concatenate([edges, edges[back, ::-1]])
    return both, {key: column[rows] for key, column in columns.items()}


class NamedEdges:
    """Edges of one graph; vertices are numbered as their names first appear.

    ``cells`` holds what else a row says of its edge, column by column.
    """

    def __init__(self, source: Source) -> None:
        self._source = source
        self._number: dict[str, int] = {}
        self._ends = array("q")
        self._lines = array("i")
        self._texts: dict[str, str] = {}  # equal cells are one object
        self.cells: list[list[str]] = []

    def add(self, line: int, *names: str, cells: Sequence[str] = ()) -> None:
        """Add a vertex, or an edge between two, from a line of the file."""
        places = [self._number.setdefault(name, len(self._number)) for name in names]
        if len(places) > 1:
            self._ends.extend(places)
            self._lines.append(line)
            self.cells = self.cells or [[] for _ in cells]
            for column, cell in zip(self.cells, cells, strict=True):
                column.append(self._texts.setdefault(cell, cell))
        self._source.check("vertices", len(self._number), line)
        self._source.check("edges", len(self._ends) // 2, line)

    def tables(self) -> tuple[list[str], NDArray[np.int64]]:
        """Return the names, and the edges between their places."""
        return list(self._number), np.asarray(self._ends, dtype=np.int64).reshape(-1, 2)

    @property
    def lines(self) -> NDArray[np.int32]:
        """The line of every edge."""
        return np.array(self._lines, dtype=np.int32)


def in_order(
    texts: list[str], edges: NDArray[np.int64]
) -> tuple[list[Hashable], NDArray[np.int64]]:
    """Return names and edges: in rising order if all are whole numbers, and else as they are."""
    names = whole_numbers_or_text(texts)
    if names and isinstance(names[0], int):
        numbers = np.array(names, dtype=np.int64)
        return in_rising_order(numbers[edges], numbers)
    return names, edges


def in_rising_order(
    pairs: NDArray[np.int64], lone: NDArray[np.int64] | None = None
) -> tuple[list[Hashable], NDArray[np.int64]]:
    """Return the distinct numbers as names, and the edges between their places."""
    flat = pairs.T.ravel()
    numbers = flat if lone is None else np.concatenate([flat, lone])
    low, high = int(numbers.min()), int(numbers.max())
    if high - low > _SPREAD * len(numbers):
        distinct, places = np.unique(numbers, return_inverse=True)
    else:
        numbers = numbers - low if low else numbers
        seen = np.zeros(high - low + 1, dtype=np.bool_)
        seen[numbers] = True
        distinct = np.flatnonzero(seen) + low
        places = (np.cumsum(seen) - 1)[numbers]
    return distinct.tolist(), places[: pairs.size].reshape(2, -1).T


def graph_of_edges(
    source: Source,
    title: str,
    names: Sequence[Hashable],
    edges: NDArray[np.int64],
    columns: Mapping[str, NDArray[Any]] | None = None,
    is_directed: bool | None = None,
) -> GraphTables:
    """Return the graph of names and of edges between their places, within the bounds.

    Unless a file says that edges are directed, every edge may be listed in both directions; it is
    undirected then, and counts once. Among the columns may be :data:`LINE`.
    """
    n, columns = len(names), dict(columns or {})
    lines = columns.pop(LINE, None)
    source.check("vertices", n)
    source.check("edges", len(edges))
    merely_counted = n == 0 or (names[-1] == n - 1 and list(names) == list(range(n)))
    if is_directed is None and is_symmetric(edges, n, *columns.values()):
        is_directed, half = False, edges[:, 0] <= edges[:, 1]
        edges, columns = edges[half], {key: column[half] for key, column in columns.items()}
        lines = None if lines is None else lines[half]
    return GraphTables(
        source.name,
        title,
        np.array([0, n], dtype=np.int64),
        edges,
        names=None if merely_counted else names,
        edge_columns=columns,
        is_directed=is_directed,
        edge_lines=() if lines is None else ((source.name, lines),),
    )


def check_square(source: Source, n_rows: int, n_columns: int, line: int | None = None) -> int:
    """Return the number of vertices, or raise unless a matrix is square and not too large."""
    if n_rows != n_columns:
        raise source.error(
            f"The matrix has {n_rows:,} rows and {n_columns:,} columns.",
            "An adjacency matrix has one row and one column for each vertex.",
            line,
        )
    source.check("vertices", n_rows, line)
    return n_rows


def graph_of_entries(
    source: Source,
    title: str,
    names: Sequence[Hashable],
    rows: NDArray[np.int64],
    columns: NDArray[np.int64],
    values: NDArray[np.float64] | None = None,
    is_half: bool = False,
    lines: NDArray[np.int32] | None = None,
) -> GraphTables:
    """Return the graph with one edge for every entry that is not zero.

    Parameters
    ----------
    source : Source
        The file.
    title : str
        Name of its format.
    names : sequence of hashable
        Of the n vertices.
    rows, columns : ndarray of shape (k,)
        Where the entries stand, from 0 to n - 1.
    values : ndarray of shape (k,), optional
        The entries; default: all are 1.
    is_half : bool
        Whether the other half is left out because the matrix is symmetric.
    lines : ndarray of shape (k,), optional
        The lines of the entries.

    Returns
    -------
    GraphTables
        Of a symmetric matrix, one half makes the edges.

    Examples
    --------
    >>> ends = np.array([0, 1]), np.array([1, 0])
    >>> graph_of_entries(Source("a.mtx", b""), "Matrix Market", range(2), *ends).edges.tolist()
    [[0, 1]]
    """
    weights: dict[str, NDArray[Any]] = {}
    if values is not None:
        if np.isnan(values).any():
            raise source.error("An entry of the matrix is NaN.", "Write 0 where there is no edge.")
        there = values != 0
        rows, columns, values = rows[there], columns[there], values[there]
        lines = None if lines is None else lines[there]
        if (values != 1).any():
            weights = {"weight": _narrowed(values)}
    weights |= {} if lines is None else {LINE: lines}
    edges = np.column_stack([rows, columns]).astype(np.int64, copy=False)
    tables = graph_of_edges(source, title, names, edges, weights, False if is_half else None)
    return tables if tables.is_directed is False else replace(tables, is_directed=True)


def _narrowed(values: NDArray[np.float64]) -> NDArray[Any]:
    """Return numbers as whole numbers if all of them are."""
    is_whole = (np.abs(values) <= EXACT_IN_FLOATS) & (values == np.floor(values))
    return values.astype(np.int64) if is_whole.all() else values


def is_symmetric(edges: NDArray[np.int64], n: int, *columns: NDArray[Any]) -> bool:
    """Return whether every edge is listed in both directions, equally often, with equal values.

    Parameters
    ----------
    edges : ndarray of shape (m, 2)
    n : int
        Number of vertices.
    *columns : ndarray of shape (m,)
        What is known of the edges.

    Returns
    -------
    bool
        True if there are only self-loops, or no edges.

    Examples
    --------
    >>> pairs = np.array([[0, 1], [1, 0]])
    >>> is_symmetric(pairs, 2), is_symmetric(pairs, 2, np.array([2.5, 3]))
    (True, False)
    """
    firsts, seconds = edges[:, 0], edges[:, 1]
    if not np.array_equal(np.bincount(firsts, minlength=n), np.bincount(seconds, minlength=n)):
        return False
    plain = [column.astype(str) if column.dtype == object else column for column in columns]
    codes = [np.unique(column, return_inverse=True)[1] for column in plain]
    there, back = ((ends @ [n, 1]) for ends in (edges, edges[:, ::-1]))
    orders = [np.lexsort([*codes, key]) for key in (there, back)]
    return all(
        np.array_equal(one[orders[0]], other[orders[1]])
        for one, other in [(there, back), *zip(codes, codes, strict=True)]
    )
