"""What a file says: edges and columns, before anyone has decided what the columns mean."""

from __future__ import annotations

from array import array
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array

from mpgk_core.errors import InvalidGraphError, shortened
from mpgk_core.formats.columns import Role, guess_roles, whole_numbers_or_text
from mpgk_core.formats.source import Source
from mpgk_core.graphs import GraphSet

_MAX_NAMED = 10
#: Numbers that lie this close are renumbered through a table, others by sorting.
_SPREAD = 4


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

    @property
    def n_vertices(self) -> int:
        """Number of vertices of all graphs together."""
        return int(self.offsets[-1])

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def losses(
        self, self_loops: str = "drop", roles: Mapping[str, Role] | None = None
    ) -> tuple[str, ...]:
        """Return what is dropped, merged or left out, one sentence each.

        Parameters
        ----------
        self_loops : {"drop", "keep"}
            What becomes of an edge from a vertex to itself.
        roles : mapping of column name to {"label", "attribute", "ignore"}, optional
            What the columns are used as; those left out are named.

        Returns
        -------
        tuple of str
        """
        loops = loop_notes(self.edges, self_loops)
        unused = [shortened(key, 30) for key, role in (roles or {}).items() if role == "ignore"]
        if not unused:
            return (*self.notes, *loops)
        more = len(unused) - _MAX_NAMED
        listed = ", ".join(unused[:_MAX_NAMED]) + (f" and {more:,} more" if more > 0 else "")
        return (*self.notes, *loops, f"Column{'s'[: len(unused) - 1]} not used: {listed}.")

    def graph_set(
        self, roles: Mapping[str, Role] | None = None, self_loops: str = "drop"
    ) -> GraphSet:
        """Return the graphs, with labels and attributes from the columns that have these roles.

        Parameters
        ----------
        roles : mapping of column name to {"label", "attribute", "ignore"}, optional
            Default: what :func:`~mpgk_core.formats.columns.guess_roles` thinks. Several label
            columns together make one label, a tuple.
        self_loops : {"drop", "keep"}
            What to do with an edge from a vertex to itself.

        Returns
        -------
        GraphSet
        """
        roles = guess_roles(self.columns) if roles is None else roles
        labels = [self._complete(key) for key, role in roles.items() if role == "label"]
        attributes = [self._numbers(key) for key, role in roles.items() if role == "attribute"]
        n = self.n_vertices
        ends = (self.edges[:, 0], self.edges[:, 1])
        return GraphSet(
            coo_array((np.ones(len(self.edges), dtype=np.bool_), ends), shape=(n, n)),
            self.offsets,
            names=self.names,
            labels=_joined(labels) if labels else None,
            attributes=np.column_stack(attributes) if attributes else None,
            self_loops=self_loops,
        )

    def _complete(self, key: str) -> NDArray[Any]:
        column = self.columns[key]
        missing = _missing(column)
        if missing.any():
            raise InvalidGraphError(
                f"{self._place(key)} is empty for {int(missing.sum()):,} of "
                f"{len(column):,} vertices, first for {self._name(int(missing.argmax()))}. "
                "Fill it in, or ignore that column."
            )
        return column

    def _numbers(self, key: str) -> NDArray[np.float64]:
        column = self._complete(key)
        try:
            numbers = column.astype(np.float64)
        except (ValueError, TypeError, OverflowError):
            raise InvalidGraphError(
                f"{self._place(key)} holds text, and an attribute must be a number. "
                "Use it as a label, or ignore it."
            ) from None
        infinite = ~np.isfinite(numbers)
        if infinite.any():
            raise InvalidGraphError(
                f"{self._place(key)} is not a finite number for "
                f"{self._name(int(infinite.argmax()))}. Correct it, or ignore that column."
            )
        return numbers

    def _place(self, key: str) -> str:
        """Return the words for a column that an error begins with."""
        return f"{shortened(self.source)}: Column {shortened(key)!r}"

    def _name(self, vertex: int) -> str:
        graph = int(np.searchsorted(self.offsets, vertex, side="right")) - 1
        name = vertex - int(self.offsets[graph]) if self.names is None else self.names[vertex]
        where = f" of graph {graph}" if len(self) > 1 else ""
        return f"vertex {shortened(str(name))!r}{where}"


def _missing(column: NDArray[Any]) -> NDArray[np.bool_]:
    if column.dtype.kind == "f":
        gaps: NDArray[np.bool_] = np.isnan(column)
        return gaps
    if column.dtype == object:
        return np.array([value is None or value != value for value in column], dtype=np.bool_)
    return np.zeros(len(column), dtype=np.bool_)


def _joined(labels: list[NDArray[Any]]) -> list[Hashable]:
    if len(labels) == 1:
        single: list[Hashable] = labels[0].tolist()
        return single
    return list(zip(*(column.tolist() for column in labels), strict=True))


def edge_notes(
    edges: NDArray[np.int64], n: int, *, directed: bool = False, weighted: bool = False
) -> tuple[str, ...]:
    """Return one short sentence for everything about the edges that a kernel will not see.

    Parameters
    ----------
    edges : ndarray of shape (m, 2)
        Pairs of vertices.
    n : int
        Number of vertices.
    directed : bool
        Whether the file gives edges a direction.
    weighted : bool
        Whether the file gives edges a weight.

    Returns
    -------
    tuple of str

    Examples
    --------
    >>> edge_notes(np.array([[0, 1], [1, 0], [1, 1]]), n=2, weighted=True)
    ('1 repeated edge counts once.', 'Edge weights are ignored.')
    """
    notes = []
    low, high = edges[:, 0], edges[:, 1]
    if directed:
        notes.append("Directed edges join their two ends.")
    else:
        low, high = np.minimum(low, high), np.maximum(low, high)
    matrix = coo_array((np.ones(len(edges), dtype=np.bool_), (low, high)), shape=(n, n))
    repeated = len(edges) - matrix.tocsr().nnz
    if repeated:
        notes.append(f"{repeated:,} repeated edge{' counts' if repeated == 1 else 's count'} once.")
    if weighted:
        notes.append("Edge weights are ignored.")
    return tuple(notes)


def loop_notes(edges: NDArray[np.int64], self_loops: str = "drop") -> tuple[str, ...]:
    """Return a short sentence on edges from a vertex to itself, if there are any.

    Examples
    --------
    >>> loop_notes(np.array([[0, 1], [1, 1]])), loop_notes(np.array([[1, 1]]), "keep")
    (('1 self-loop is dropped.',), ('1 self-loop is kept.',))
    """
    n = int(np.count_nonzero(edges[:, 0] == edges[:, 1]))
    if n == 0:
        return ()
    fate = "kept" if self_loops == "keep" else "dropped"
    return (f"1 self-loop is {fate}." if n == 1 else f"{n:,} self-loops are {fate}.",)


def check_square(source: Source, n_rows: int, n_columns: int, line: int | None = None) -> int:
    """Return the number of vertices, or raise unless a matrix is square and not too large."""
    if n_rows != n_columns:
        raise source.error(
            f"The matrix has {n_rows:,} rows and {n_columns:,} columns.",
            "An adjacency matrix has one row and one column for each vertex.",
            line,
        )
    source.bounds.check_vertices(source.name, n_rows, line)
    return n_rows


def graph_of_entries(
    source: Source,
    title: str,
    n: int,
    rows: NDArray[np.int64],
    columns: NDArray[np.int64],
    values: NDArray[np.float64] | None = None,
    names: Sequence[Hashable] | None = None,
    is_half: bool = False,
) -> GraphTables:
    """Return the graph with one edge for every entry that is not zero.

    Parameters
    ----------
    source : Source
        The file.
    title : str
        Name of its format.
    n : int
        Number of vertices.
    rows, columns : ndarray of shape (k,)
        Where the entries stand, from 0 to n - 1.
    values : ndarray of shape (k,), optional
        The entries; default: all are 1.
    names : sequence of hashable, optional
        Of the vertices.
    is_half : bool
        Whether the other half is left out because the matrix is symmetric.

    Returns
    -------
    GraphTables
        Of a symmetric matrix, one half makes the edges.

    Examples
    --------
    >>> ends = np.array([0, 1]), np.array([1, 0])
    >>> graph_of_entries(Source("a.mtx", b""), "Matrix Market", 2, *ends).edges.tolist()
    [[0, 1]]
    """
    weighted = False
    if values is not None:
        if np.isnan(values).any():
            raise source.error("An entry of the matrix is NaN.", "Write 0 where there is no edge.")
        there = values != 0
        rows, columns, weighted = rows[there], columns[there], bool((values[there] != 1).any())
    symmetric = is_half or np.array_equal(np.sort(rows * n + columns), np.sort(columns * n + rows))
    if symmetric and not is_half:
        half = rows <= columns
        rows, columns = rows[half], columns[half]
    edges = np.column_stack([rows, columns]).astype(np.int64, copy=False)
    source.bounds.check_edges(source.name, len(edges))
    return GraphTables(
        source.name,
        title,
        np.array([0, n], dtype=np.int64),
        edges,
        names=names,
        notes=edge_notes(edges, n, directed=not symmetric, weighted=weighted),
    )


def graph_of_edges(
    source: Source,
    title: str,
    names: list[Hashable],
    edges: NDArray[np.int64],
    *,
    weighted: bool = False,
) -> GraphTables:
    """Return the graph of names and of edges between their places, within the bounds."""
    n = len(names)
    source.bounds.check_vertices(source.name, n)
    source.bounds.check_edges(source.name, len(edges))
    merely_count = n > 0 and names[0] == 0 and names[-1] == n - 1
    return GraphTables(
        source.name,
        title,
        np.array([0, n], dtype=np.int64),
        edges,
        names=None if merely_count else names,
        notes=edge_notes(edges, n, weighted=weighted),
    )


class NamedEdges:
    """Edges that are added one by one; vertices are numbered as their names first appear."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._number: dict[str, int] = {}
        self._ends = array("q")

    def add(self, line: int, *names: str) -> None:
        """Add a vertex, or an edge between two, from a line of the file."""
        places = [self._number.setdefault(name, len(self._number)) for name in names]
        if len(places) > 1:
            self._ends.extend(places)
        bounds, file = self._source.bounds, self._source.name
        bounds.check_vertices(file, len(self._number), line)
        bounds.check_edges(file, len(self._ends) // 2, line)

    def tables(self) -> tuple[list[str], NDArray[np.int64]]:
        """Return the names, and the edges between their places."""
        return list(self._number), np.asarray(self._ends, dtype=np.int64).reshape(-1, 2)


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
