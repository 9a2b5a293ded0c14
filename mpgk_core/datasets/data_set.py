"""A data set for graph classification: graphs, their classes, and whom to cite."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from mpgk_core.datasets.catalogue import citation_of
from mpgk_core.errors import UnreadableFileError
from mpgk_core.formats import bounds
from mpgk_core.formats.source import Source
from mpgk_core.formats.tu_archive import FORMAT
from mpgk_core.graphs import GraphSet


@dataclass(frozen=True)
class DataSet:
    """Graphs, each with a class.

    Attributes
    ----------
    name : str
        As in the collection that it comes from: "MUTAG".
    graphs : GraphSet
        With the labels and attributes that the data set has.
    classes : ndarray of shape (N,)
        The class of each graph.
    citation : str
        The publications to name when results are published.
    notes : tuple of str
        What reading it has shown that a user should know.
    """

    name: str
    graphs: GraphSet
    classes: NDArray[Any]
    citation: str
    notes: tuple[str, ...] = ()


def data_set_from_file(path: Path, self_loops: str = "drop") -> DataSet:
    """Read a TU archive from disk; the name of the file names the data set."""
    bounds().check_bytes(path.name, path.stat().st_size)
    return data_set_from_bytes(path.stem, path.read_bytes(), self_loops)


def data_set_from_bytes(name: str, content: bytes, self_loops: str = "drop") -> DataSet:
    """Read a TU archive.

    Parameters
    ----------
    name : str
        Name of the data set.
    content : bytes
        The archive.
    self_loops : {"drop", "keep"}
        What to do with an edge from a vertex to itself.

    Returns
    -------
    DataSet
    """
    source = Source(f"{name}.zip", content)
    source.bounds.check_bytes(source.name, len(content))
    tables = FORMAT.read(source)
    if tables.classes is None:
        raise UnreadableFileError(
            source.name,
            "The graphs have no classes: there is no graph_labels file.",
            "Add one, or open the file as graphs without classes.",
        )
    graphs = tables.graph_set(self_loops=self_loops)
    notes = tables.losses(self_loops)
    return DataSet(name, graphs, tables.classes, citation_of(name), notes)
