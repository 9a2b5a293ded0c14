"""What a writer of one format offers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from mpgk_core.errors import InvalidGraphError
from mpgk_core.graphs import GraphSet


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
