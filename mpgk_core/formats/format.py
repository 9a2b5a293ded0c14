"""What a format offers: a reader, which returns tables, and a writer."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array

from mpgk_core.errors import InvalidGraphError, shortened
from mpgk_core.formats.columns import (
    EdgeGuess,
    EdgeRole,
    Role,
    guess_edge_roles,
    guess_roles,
    missing,
)
from mpgk_core.formats.source import Source
from mpgk_core.graphs import GraphSet
from mpgk_core.graphs.edges import Edges
from mpgk_core.graphs.graph_parts import LabelNames
from mpgk_core.text import counted, encoded, listed

_MAX_NAMED = 10
#: All that can be known of edges.
EVERYTHING = ("labels", "weights", "directions")

#: How rows of cells can be understood, by the key that asks for it.
READINGS: dict[str, str] = {
    "edge-list": "an edge list: one edge per line",
    "edge-array": "an edge array: two rows of vertex numbers",
    "adjacency-matrix": "an adjacency matrix: one row and one column per vertex",
    "adjacency-list": "an adjacency list: a vertex and its neighbours per line",
    "multiline-adjacency-list": "a multiline adjacency list: a vertex and its degree, then one "
    "line per neighbour",
}


@dataclass(frozen=True)
class GraphTables:
    """One or many graphs as tables.

    Attributes
    ----------
    source : str
        Name of the file.
    format : str
        Name of the format, for people: "GraphML".
    offsets : ndarray of shape (N + 1,)
        Graph g owns the vertices ``offsets[g]`` up to, not including, ``offsets[g + 1]``.
    edges : ndarray of shape (m, 2)
        Pairs of vertices, counted over all graphs from 0; repeats, both directions and
        self-loops are fine.
    edge_columns : mapping of str to ndarray of shape (m,)
        What else is known of the edges, like ``columns``.
    is_directed : bool or None
        Whether an edge goes from its first vertex to its second one; None if the file does not
        say, so that edges are undirected unless the user knows better.
    edge_lines : tuple of pairs of str and ndarray
        Where the edges stand: files, and the line of each of their edges, counted from 1; 0 where
        it is not known. Empty if nothing is known.
    names : sequence of hashable or None
        One name per vertex, unique within its graph; None means 0, 1, 2, ... in every graph.
    columns : mapping of str to ndarray of shape (n,)
        What else is known of the vertices: float64, int64, or object holding text. A missing
        value is NaN among floats and None among objects.
    classes : ndarray of shape (N,) or None
        The class of each graph.
    graph_names : sequence of str or None
        One name per graph.
    notes : tuple of str
        What the reader did that the user should know ("3 repeated edges count once.").
    targets : mapping of str to ndarray of shape (N,)
        Numbers that are known of the graphs; NaN where one is missing.
    left_out : tuple of (int, str)
        The line of every graph that could not be read, and the reason.
    label_names : LabelNames or None
        What the numbers of the columns "label" stand for.
    reading : str
        How rows of cells were understood: a key of :data:`~mpgk_core.formats.READINGS`. Empty
        where the file itself says what it is.
    other_readings : tuple of str
        Keys of other ways in which the same file could be understood.
    """

    source: str
    format: str
    offsets: NDArray[np.int64]
    edges: NDArray[np.int64]
    names: Sequence[Hashable] | None = None
    columns: Mapping[str, NDArray[Any]] = field(default_factory=dict)
    classes: NDArray[Any] | None = None
    graph_names: Sequence[str] | None = None
    notes: tuple[str, ...] = ()
    reading: str = ""
    other_readings: tuple[str, ...] = ()
    edge_columns: Mapping[str, NDArray[Any]] = field(default_factory=dict)
    is_directed: bool | None = False
    edge_lines: tuple[tuple[str, NDArray[np.int32]], ...] = ()
    targets: Mapping[str, NDArray[np.float64]] = field(default_factory=dict)
    left_out: tuple[tuple[int, str], ...] = ()
    label_names: LabelNames | None = None

    @property
    def n_vertices(self) -> int:
        """Number of vertices of all graphs together."""
        return int(self.offsets[-1])

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @cached_property
    def edge_guesses(self) -> dict[str, EdgeGuess]:
        """What the columns of edges are probably for."""
        return guess_edge_roles(self.edge_columns)

    def losses(
        self,
        self_loops: str = "drop",
        roles: Mapping[str, Role] | None = None,
        edge_roles: Mapping[str, EdgeRole] | None = None,
        is_directed: bool | None = None,
    ) -> tuple[str, ...]:
        """Return what is dropped, merged or left out, one sentence each.

        Parameters
        ----------
        self_loops : {"drop", "keep"}
            What becomes of an edge from a vertex to itself.
        roles : mapping of column name to {"label", "attribute", "ignore"}, optional
            What the columns of vertices are used as; those left out are named.
        edge_roles, is_directed
            As in :meth:`graph_set`.

        Returns
        -------
        tuple of str
        """
        uses = self._edge_uses(edge_roles)
        has_label, has_weight = ("label" in uses.values(), "weight" in uses.values())
        directed = self.is_directed if is_directed is None else is_directed
        notes = [*self.notes, *self._repeat_notes(bool(directed), has_label, has_weight)]
        notes += loop_notes(self.edges, self_loops)
        left = [shortened(key, 30) for key, role in (roles or {}).items() if role == "ignore"]
        notes += unused("Column", left)
        ignored = [key for key, role in uses.items() if role == "ignore"]
        return (*notes, *unused("Edge column", [self._with_reason(key) for key in ignored]))

    def _edge_uses(self, roles: Mapping[str, EdgeRole] | None) -> Mapping[str, EdgeRole]:
        if roles is not None:
            return roles
        return {key: guess.role for key, guess in self.edge_guesses.items()}

    def _with_reason(self, key: str) -> str:
        guess = self.edge_guesses.get(key)
        known = guess is not None and guess.role == "ignore"
        return shortened(key, 30) + (f" ({guess.reason})" if guess is not None and known else "")

    def _repeat_notes(self, directed: bool, has_label: bool, has_weight: bool) -> tuple[str, ...]:
        """Return a sentence on edges between the same vertices, if there are any."""
        if directed not in self._n_repeated:
            self._n_repeated[directed] = n_repeated(self.edges, self.n_vertices, directed)
        n = self._n_repeated[directed]
        if has_weight and n:
            where = " if their labels are equal" if has_label else ""
            return (f"The weights of {counted(n, 'repeated edge')} are added{where}.",)
        return repeat_notes(n, " per label" if has_label else "")

    @cached_property
    def _n_repeated(self) -> dict[bool, int]:
        """How many edges repeat others, by whether they are directed, as soon as it is known."""
        return {}

    def graph_set(
        self,
        roles: Mapping[str, Role] | None = None,
        self_loops: str = "drop",
        *,
        edge_roles: Mapping[str, EdgeRole] | None = None,
        is_directed: bool | None = None,
    ) -> GraphSet:
        """Return the graphs, with labels, attributes and weights from columns with these roles.

        Parameters
        ----------
        roles : mapping of column name to {"label", "attribute", "ignore"}, optional
            Default: what :func:`~mpgk_core.formats.columns.guess_roles` thinks. Several label
            columns together make one label, a tuple.
        self_loops : {"drop", "keep"}
            What to do with an edge from a vertex to itself.
        edge_roles : mapping of column name to {"label", "weight", "ignore"}, optional
            Likewise, for the columns of edges; default: ``edge_guesses``. There is one weight at
            most.
        is_directed : bool, optional
            Whether edges have a direction. Default: what the file says. Where the file says that
            they have none, a directed edge goes in both directions.

        Returns
        -------
        GraphSet
        """
        roles = guess_roles(self.columns) if roles is None else roles
        labels = [self._complete(key) for key, role in roles.items() if role == "label"]
        attributes = [self._numbers(key) for key, role in roles.items() if role == "attribute"]
        edges = self._edges(self._edge_uses(edge_roles), is_directed)
        adjacency, n = None, self.n_vertices
        if edges is None:
            ends = (self.edges[:, 0], self.edges[:, 1])
            ones = np.ones(len(self.edges), dtype=np.bool_)
            adjacency = coo_array((ones, ends), shape=(n, n))
        return GraphSet(
            adjacency,
            self.offsets,
            names=self.names,
            labels=_joined(labels) if labels else None,
            attributes=np.column_stack(attributes) if attributes else None,
            self_loops=self_loops,
            edges=edges,
            label_names=self._label_names(roles, self._edge_uses(edge_roles)),
        )

    def _label_names(
        self, roles: Mapping[str, Role], edge_roles: Mapping[str, EdgeRole]
    ) -> LabelNames | None:
        """Return what labels stand for, as far as they are the column that the names are for."""
        used = [
            {key for key, role in mapping.items() if role == "label"} == {"label"}
            for mapping in (roles, edge_roles)
        ]
        known = self.label_names or LabelNames()
        names = LabelNames(known.vertices if used[0] else {}, known.edges if used[1] else {})
        return names if names != LabelNames() else None

    def _edges(self, roles: Mapping[str, EdgeRole], is_directed: bool | None) -> Edges | None:
        """Return the edges with all that is used of them; None if that is nothing."""
        labels = [self._edge_labels(key) for key, role in roles.items() if role == "label"]
        weights = [key for key, role in roles.items() if role == "weight"]
        if len(weights) > 1:
            named = listed([repr(shortened(key)) for key in weights])
            raise InvalidGraphError(
                f"{shortened(self.source)}: Columns {named} of the edges are to be the weight. "
                "Choose one of them."
            )
        directed = self.is_directed if is_directed is None else is_directed
        if not (labels or weights or directed):
            return None
        has_order = directed and self.is_directed is not False
        edges = Edges.of(
            self.edges[:, 0],
            self.edges[:, 1],
            labels=_joined(labels) if labels else None,
            weights=self._weights(weights[0]) if weights else None,
            is_directed=bool(has_order),
        )
        return edges.directed() if directed else edges

    def _edge_labels(self, key: str) -> NDArray[Any]:
        """Return the labels of edges; None where one has none."""
        column = self.edge_columns[key]
        gaps = missing(column)
        if column.dtype != object and gaps.any():
            numbers = [int(value) if value % 1 == 0 else value for value in column.tolist()]
            column = np.array(numbers, dtype=object)
            column[gaps] = None
        return column

    def _weights(self, key: str) -> NDArray[np.float64]:
        column = self.edge_columns[key]
        gaps = missing(column)
        if gaps.any():
            first = int(gaps.argmax())
            raise InvalidGraphError(
                f"{self._edge_place(key, first)}is empty or NaN for {int(gaps.sum()):,} of "
                f"{len(column):,} edges, first for {self._edge_name(first)}. "
                "Fill it in, or ignore that column."
            )
        try:
            numbers = column.astype(np.float64)
        except (ValueError, TypeError, OverflowError):
            first = next(i for i, value in enumerate(column.tolist()) if not _is_number(value))
            raise InvalidGraphError(
                f"{self._edge_place(key, first)}holds text, and a weight must be a number. "
                "Use it as a label, or ignore it."
            ) from None
        wrong = ~(np.isfinite(numbers) & (numbers >= 0))
        if wrong.any():
            first = int(wrong.argmax())
            raise InvalidGraphError(
                f"{self._edge_place(key, first)}is {column[first]} for "
                f"{self._edge_name(first)}, and a weight must be 0 or more and finite. Correct it, "
                "use the column as a label, or ignore it."
            )
        return numbers

    def _edge_name(self, edge: int) -> str:
        first, second = self.edges[edge].tolist()
        return f"the edge from {self._name(first, '')} to {self._name(second)}"

    def _edge_place(self, key: str, edge: int) -> str:
        """Return the words for a column and the line of an edge that an error begins with."""
        where, row = shortened(self.source), edge
        if sum(len(lines) for _, lines in self.edge_lines) == len(self.edges):
            for file, lines in self.edge_lines:
                if row < len(lines):
                    where = shortened(file) + (f", line {lines[row]}" if lines[row] else "")
                    break
                row -= len(lines)
        return f"{where}: Column {shortened(key)!r} of the edges "

    def _complete(self, key: str) -> NDArray[Any]:
        column = self.columns[key]
        gaps = missing(column)
        if gaps.any():
            raise InvalidGraphError(
                f"{self._place(key)}is empty for {int(gaps.sum()):,} of "
                f"{len(column):,} vertices, first for {self._name(int(gaps.argmax()))}. "
                "Fill it in, or ignore that column."
            )
        return column

    def _numbers(self, key: str) -> NDArray[np.float64]:
        column = self._complete(key)
        try:
            numbers = column.astype(np.float64)
        except (ValueError, TypeError, OverflowError):
            raise InvalidGraphError(
                f"{self._place(key)}holds text, and an attribute must be a number. "
                "Use it as a label, or ignore it."
            ) from None
        infinite = ~np.isfinite(numbers)
        if infinite.any():
            raise InvalidGraphError(
                f"{self._place(key)}is not a finite number for "
                f"{self._name(int(infinite.argmax()))}. Correct it, or ignore that column."
            )
        return numbers

    def _place(self, key: str) -> str:
        """Return the words for a column that an error begins with."""
        return f"{shortened(self.source)}: Column {shortened(key)!r} "

    def _name(self, vertex: int, of: str = " of graph {}") -> str:
        graph = int(np.searchsorted(self.offsets, vertex, side="right")) - 1
        name = vertex - int(self.offsets[graph]) if self.names is None else self.names[vertex]
        where = of.format(graph) if len(self) > 1 else ""
        return f"vertex {shortened(str(name))!r}{where}"


def _is_number(value: Any) -> bool:
    try:
        float(value)
    except (ValueError, TypeError, OverflowError):
        return False
    return True


def unused(what: str, columns: Sequence[str]) -> tuple[str, ...]:
    """Return a sentence that names columns that are not used, if there are any.

    Examples
    --------
    >>> unused("Column", ["a", "b"])
    ('Columns not used: a, b.',)
    """
    if not columns:
        return ()
    more = len(columns) - _MAX_NAMED
    named = ", ".join(columns[:_MAX_NAMED]) + (f" and {more:,} more" if more > 0 else "")
    return (f"{what}{'s'[: len(columns) - 1]} not used: {named}.",)


def _joined(labels: list[NDArray[Any]]) -> list[Hashable]:
    if len(labels) == 1:
        single: list[Hashable] = labels[0].tolist()
        return single
    return list(zip(*(column.tolist() for column in labels), strict=True))


def n_repeated(edges: NDArray[np.int64], n: int, directed: bool) -> int:
    """Return how many edges between n vertices repeat others.

    Examples
    --------
    >>> pairs = np.array([[0, 1], [1, 0], [1, 1]])
    >>> n_repeated(pairs, 2, directed=False), n_repeated(pairs, 2, directed=True)
    (1, 0)
    """
    low, high = edges[:, 0], edges[:, 1]
    if not directed:
        low, high = np.minimum(low, high), np.maximum(low, high)
    matrix = coo_array((np.ones(len(edges), dtype=np.bool_), (low, high)), shape=(n, n))
    return len(edges) - int(matrix.tocsr().nnz)


def repeat_notes(n: int, how: str = "") -> tuple[str, ...]:
    """Return a short sentence on edges that repeat others, if there are any."""
    verb = "counts" if n == 1 else "count"
    return (f"{counted(n, 'repeated edge')} {verb} once{how}.",) if n else ()


def loop_notes(edges: NDArray[np.int64], self_loops: str = "drop") -> tuple[str, ...]:
    """Return a short sentence on edges from a vertex to itself, if there are any.

    Examples
    --------
    >>> loop_notes(np.array([[0, 1], [1, 1]])), loop_notes(np.array([[1, 1]]), "keep")
    (('1 self-loop is dropped.',), ('1 self-loop is kept.',))
    """
    n = int(np.count_nonzero(edges[:, 0] == edges[:, 1]))
    fate = "kept" if self_loops == "keep" else "dropped"
    return (f"{counted(n, 'self-loop')} {'is' if n == 1 else 'are'} {fate}.",) if n else ()


@dataclass(frozen=True)
class Format:
    """A file format that can be read.

    Attributes
    ----------
    title : str
        Name for people.
    extensions : tuple of str
        Usual ends of file names, small letters, with the point.
    recognises : callable
        Whether the content looks like this format, from its first bytes; never raises.
    read : callable
        Returns the tables or raises ``UnreadableFileError`` or ``InvalidGraphError``, nothing else.
    reading : str
        For formats whose files could be taken for others: a key of ``READINGS``.
    is_possible : callable
        Whether the content could be meant in this way, though another way may be likelier.
    doubt : callable
        Why a file is hardly meant in this way, though it could be read so, and what to do: two
        sentences, or None. Not asked where the user has asked for this reading.
    """

    title: str
    extensions: tuple[str, ...]
    recognises: Callable[[Source], bool]
    read: Callable[[Source], GraphTables]
    reading: str = ""
    is_possible: Callable[[Source], bool] = lambda _: False
    doubt: Callable[[Source], tuple[str, str] | None] = lambda _: None


@dataclass(frozen=True)
class Writer:
    """A file format that can be written.

    Attributes
    ----------
    title : str
        Name for people.
    extension : str
        Usual end of the file name, with the point.
    function : callable
        From graphs, and the class of each or None, to bytes or to pieces of text.
    keeps_attributes : bool
        Whether labels and attributes of the vertices are in the file.
    many_graphs : bool
        Whether one file holds many graphs.
    keeps_names : bool
        Whether the names of the vertices are in the file.
    keeps_classes : bool
        Whether the classes of the graphs are in the file.
    numbers_labels : bool
        Whether labels and classes that are no whole numbers are numbered.
    label_column : str
        What the column of labels is called in the file.
    keeps_edges : tuple of {"labels", "weights", "directions"}
        What is known of edges, and is in the file.
    has_columns : bool
        Whether columns have names in the file.
    has_types : bool
        Whether the text "1" and the number 1 differ in the file.
    """

    title: str
    extension: str
    function: Callable[[GraphSet, NDArray[Any] | None], bytes | Iterable[str]]
    keeps_attributes: bool = False
    many_graphs: bool = False
    keeps_names: bool = True
    keeps_classes: bool = False
    numbers_labels: bool = False
    label_column: str = "label"
    keeps_edges: tuple[str, ...] = ()
    has_columns: bool = True
    has_types: bool = True

    def write(self, graphs: GraphSet, classes: NDArray[Any] | None = None) -> bytes:
        """Return the content of a file with these graphs.

        Parameters
        ----------
        graphs : GraphSet
            One graph, or many if the format holds many.
        classes : ndarray of shape (N,), optional
            The class of each graph; left out by formats that have no place for it.

        Returns
        -------
        bytes
        """
        if not self.many_graphs and len(graphs) != 1:
            raise InvalidGraphError(
                f"{self.title} holds one graph, and there are {len(graphs):,}. "
                "Write them one by one, or choose another format."
            )
        if classes is not None and len(classes) != len(graphs):
            raise InvalidGraphError(
                f"There are {len(classes):,} classes for {len(graphs):,} graphs. Give one each."
            )
        content = self.function(graphs, classes)
        return content if isinstance(content, bytes) else encoded("".join(content))
