"""What a format offers: a reader, which returns tables, and a writer."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array

from mpgk_core.errors import InvalidGraphError, shortened
from mpgk_core.formats.columns import Role, guess_roles
from mpgk_core.formats.source import Source
from mpgk_core.graphs import GraphSet
from mpgk_core.text import counted, encoded

_MAX_NAMED = 10

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
    if column.dtype == object:
        return np.array([value is None or value != value for value in column], dtype=np.bool_)
    gaps: NDArray[np.bool_] = np.isnan(column)
    return gaps


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
    notes += repeat_notes(repeated)
    if weighted:
        notes.append("Edge weights are ignored.")
    return tuple(notes)


def repeat_notes(n: int) -> tuple[str, ...]:
    """Return a short sentence on edges that repeat others, if there are any."""
    return (f"{counted(n, 'repeated edge')} {'counts' if n == 1 else 'count'} once.",) if n else ()


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
