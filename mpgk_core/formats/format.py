"""What a reader of one format offers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from mpgk_core.errors import InvalidGraphError
from mpgk_core.formats.graph_tables import GraphTables
from mpgk_core.formats.source import Source
from mpgk_core.graphs import GraphSet

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
        From graphs, and the class of each or None, to bytes.
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
    function: Callable[[GraphSet, NDArray[Any] | None], bytes]
    keeps_attributes: bool
    many_graphs: bool
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
        return self.function(graphs, classes)
