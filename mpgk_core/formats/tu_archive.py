"""Read a data set as the TU collection packs it: an archive of plain tables, one line per thing."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mpgk_core.errors import shortened
from mpgk_core.formats.archives import SafeZip, is_zip
from mpgk_core.formats.format import Format
from mpgk_core.formats.graph_tables import GraphTables
from mpgk_core.formats.source import Source
from mpgk_core.formats.tu_tables import (
    attribute_columns,
    class_column,
    edge_pairs,
    graph_ids,
    graph_sizes,
    label_columns,
)

_TITLE = "TU data set"
_EDGES = "_A.txt"
_IGNORED = {
    "edge_labels": "Edge labels are ignored.",
    "edge_attributes": "Edge attributes are ignored.",
    "graph_attributes": "Attributes of whole graphs are ignored.",
}


class _Archive:
    """The tables of a data set ``DS``: ``DS_A.txt``, ``DS_graph_indicator.txt`` and others."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._zip = SafeZip(source)
        found = [name for name in self._zip.names if name.endswith(_EDGES)]
        if len(found) != 1:
            shown = " and ".join(shortened(name) for name in found[:2]) or "none"
            raise source.error(
                f"A TU data set has one file of edges, called DS_A.txt, but here is {shown}.",
                "Pack the files of one data set.",
            )
        self._stem = found[0].removesuffix(_EDGES)

    def __contains__(self, part: str) -> bool:
        return f"{self._stem}_{part}.txt" in self._zip.names

    def table(self, part: str) -> Source:
        """Return one table, named for messages after itself and the archive."""
        path = f"{self._stem}_{part}.txt"
        file = PurePosixPath(path).name
        if part not in self:
            raise self._source.error(f"{shortened(file)} is missing.", "Pack it beside the edges.")
        return Source(f"{file} in {self._source.name}", self._zip.read(path))


def _read(source: Source) -> GraphTables:
    archive = _Archive(source)
    indicator = archive.table("graph_indicator")
    graph = graph_ids(indicator)
    classes = class_column(archive.table("graph_labels")) if "graph_labels" in archive else None
    sizes = graph_sizes(indicator, graph, None if classes is None else len(classes))
    edges, notes = edge_pairs(archive.table("A"), graph)
    columns: dict[str, NDArray[Any]] = {}
    for part, read in (("node_labels", label_columns), ("node_attributes", attribute_columns)):
        if part in archive:
            columns |= read(archive.table(part), len(graph))
    if np.any(np.diff(graph) < 0):
        notes = (*notes, "The vertices of every graph were put next to each other.")
        order = np.argsort(graph, kind="stable")
        columns = {key: column[order] for key, column in columns.items()}
        edges = np.argsort(order)[edges]
    return GraphTables(
        source.name,
        _TITLE,
        np.concatenate([[0], np.cumsum(sizes)]),
        edges,
        columns=columns,
        classes=classes,
        notes=(*notes, *(note for part, note in _IGNORED.items() if part in archive)),
    )


def _recognises(source: Source) -> bool:
    return is_zip(source) and _EDGES.encode() in source.content


FORMAT = Format(_TITLE, (".zip",), _recognises, _read)
