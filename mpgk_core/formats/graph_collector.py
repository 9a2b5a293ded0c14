"""Collect graphs whose edges name their ends, and turn them into tables."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Collection, Sequence
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mpgk_core.errors import UnreadableFileError, shortened
from mpgk_core.formats.columns import (
    all_differ,
    column_of_values,
    merely_count,
    names_or_none,
    whole_numbers_or_text,
)
from mpgk_core.formats.graph_tables import GraphTables, edge_notes
from mpgk_core.formats.source import Source

_BYTES_PER_CELL = 20
_MAX_NOTES = 20


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
    directed, weighted : bool
        Set these where the file gives any edge a direction or a weight.
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
    >>> graphs.edge("a", "b")
    >>> tables = graphs.tables()
    >>> tables.names, tables.edges.tolist(), tables.columns
    (['a', 'b'], [[0, 1]], {'colour': array(['red', 'red'], dtype=object)})
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
        self.directed = self.weighted = False
        self._notes: dict[str, None] = {}
        self._defaults: dict[str, Any] = {}
        self.number: dict[str, int] = {}
        self.ids: list[str] = []
        self._starts: list[int] = []
        self._ends = array("q")
        self._waiting: list[tuple[int, str, str, int | None]] = []
        self._shown: dict[int, Any] = {}
        self._cells: dict[str, tuple[list[int], list[Any]]] = {}
        self._graph_names: list[str] = []
        self._classes: dict[int, Any] = {}
        self.max_cells = source.bounds.unpacked_bytes // _BYTES_PER_CELL
        self._max_graphs = source.bounds.graphs
        self._max_vertices = source.bounds.vertices
        self._max_ends = 2 * source.bounds.edges

    def start_graph(self, name: str = "") -> None:
        """Begin a graph; what follows belongs to it."""
        if len(self._starts) >= self._max_graphs:
            self.source.bounds.check_graphs(self.source.name, len(self._starts) + 1, self.line)
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
            self.source.bounds.check_vertices(self.source.name, vertex + 1, self.line)
        self.ids.append(name)
        return vertex

    def edge(self, first: str, second: str) -> None:
        """Add an edge by the names of its ends, which may come later than the edge."""
        one, other = self.number.get(first), self.number.get(second)
        ends = self._ends
        if one is None or other is None:
            place = None if self._place is None else self._place()
            self._waiting.append((len(ends), first, second, place))
            one = other = -1
        if len(ends) >= self._max_ends:
            self.source.bounds.check_edges(self.source.name, len(ends) // 2 + 1, self.line)
        ends.append(one)
        ends.append(other)

    def numbered_edges(self, firsts: Sequence[int], seconds: Sequence[int]) -> None:
        """Add edges between vertices by the numbers that :meth:`vertex` gave them."""
        n_edges = len(self._ends) // 2 + len(firsts)
        if 2 * n_edges > self._max_ends:
            self.source.bounds.check_edges(self.source.name, n_edges, self.line)
        self._ends.extend(chain.from_iterable(zip(firsts, seconds, strict=True)))

    def value(self, vertex: int, column: str, value: Any) -> None:
        """Set a value of a vertex; the last one counts."""
        cells = self._cells.get(column)
        if cells is None:
            self.check_length(column)
            cells = self._cells[column] = ([], [])
            self.check_columns(self._cells)
        cells[0].append(vertex)
        cells[1].append(value)

    def default(self, column: str, value: Any) -> None:
        """Set what a column holds for vertices without a value."""
        self._defaults[column] = value
        self.check_columns(self._defaults)

    @property
    def line(self) -> int | None:
        """The line where we are, if that is known."""
        return None if self._place is None else self._line_of(self._place())

    def shown_name(self, vertex: int, name: Any) -> None:
        """Set the name that is shown for a vertex, besides its id."""
        self._shown[vertex] = name

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
        columns = self._columns()
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
        self._check_lengths(names, columns)
        edges = np.frombuffer(self._ends, dtype=np.int64).reshape(-1, 2)
        notes = edge_notes(edges, len(names), directed=self.directed, weighted=self.weighted)
        return GraphTables(
            self.source.name,
            self.title,
            np.array(offsets, dtype=np.int64),
            edges,
            names=names_or_none(names, offsets),
            columns=columns,
            classes=self._class_column(),
            graph_names=self._graph_names if any(self._graph_names) else None,
            notes=(*notes, *self._notes),
        )

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

    def _columns(self) -> dict[str, NDArray[Any]]:
        n = len(self.ids)
        keys = list(dict.fromkeys((*self._cells, *self._defaults))) if n else []
        if n * len(keys) > self.max_cells:
            raise self.source.error(
                f"{n:,} vertices with {len(keys):,} columns are more than {self.max_cells:,} "
                "cells.",
                "Leave out columns, or set MPGK_MAX_UNPACKED_BYTES to more.",
            )
        columns = {}
        for key in keys:
            values = [self._defaults.get(key)] * n
            for vertex, value in zip(*self._cells.get(key, ((), ())), strict=True):
                values[vertex] = value
            column = self._column_of(values)
            if any(value is not None and value == value for value in column.tolist()):
                columns[key] = column
        return columns

    def check_columns(self, columns: Collection[str]) -> None:
        """Raise if there are too many columns, or things that each may make one."""
        if len(columns) > self.source.bounds.columns:
            raise self.error(
                f"There are more than {self.source.bounds.columns:,} columns.",
                "Leave some out, or set MPGK_MAX_COLUMNS to more.",
            )

    def check_length(self, text: str) -> None:
        """Raise if a text is too long."""
        if len(text) > self.source.bounds.text_length:
            raise self._too_long(len(text), self.line)

    def _check_lengths(self, names: list[str], columns: dict[str, NDArray[Any]]) -> None:
        texts: list[Sequence[str | None]] = [names, self.ids, list(columns), self._graph_names]
        texts += [column.tolist() for column in columns.values() if column.dtype == object]
        longest = max((len(text) for some in texts for text in some if text), default=0)
        if longest > self.source.bounds.text_length:
            raise self._too_long(longest)

    def _too_long(self, length: int, line: int | None = None) -> UnreadableFileError:
        return self.source.error(
            f"There is a text of {length:,} characters.",
            "Shorten it, or set MPGK_MAX_TEXT_LENGTH to more.",
            line,
        )

    def _class_column(self) -> NDArray[Any] | None:
        if len(self._classes) < len(self._starts):
            return None
        return column_of_values([self._classes[g] for g in range(len(self._starts))])
