"""Write a graph as two tables in an archive: vertices with all that is known of them, and edges."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from mpgk_core.csv_cells import csv_table
from mpgk_core.errors import InvalidGraphError
from mpgk_core.formats.archives import packed
from mpgk_core.formats.columns import name_texts, undirected_edges
from mpgk_core.formats.format import Writer
from mpgk_core.graphs import GraphSet

_HEADERS = (("source", "target"), ("from", "to"), ("node1", "node2"), ("vertex1", "vertex2"))


def _write(graphs: GraphSet, _: NDArray[Any] | None) -> bytes:
    names = name_texts(graphs)
    columns: dict[str, Any] = {"id": names}
    if graphs.labels is not None:
        columns["label"] = graphs.labels
    if graphs.attributes is not None:
        for place, attribute in enumerate(graphs.attributes.T.tolist(), start=1):
            columns[f"attribute_{place}"] = attribute
    vertices = csv_table([tuple(columns), *zip(*columns.values(), strict=True)])
    pairs = ((names[a], names[b]) for a, b in undirected_edges(graphs).tolist())
    edges = csv_table([_header(set(names)), *pairs])
    return packed({"vertices.csv": vertices, "edges.csv": edges})


def _header(names: set[str]) -> tuple[str, str]:
    """Return words that are no names: a header that repeats would be taken for an edge."""
    for words in _HEADERS:
        if names.isdisjoint(words):
            return words
    raise InvalidGraphError(
        "Vertices are called source, from, node1 and vertex1, so that nothing is left to put "
        "above the columns. Give them other names."
    )


WRITER = Writer("Vertex and edge tables", ".zip", _write, keeps_attributes=True, many_graphs=False)
