"""Files out: one writer per format, whose files the readers take back."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from mpgk_core.errors import InvalidParameterError
from mpgk_core.formats import cytoscape_json, gexf, gml, graphml, node_link_json, pajek
from mpgk_core.formats.format import Writer
from mpgk_core.graphs import GraphSet
from mpgk_core.writers import (
    adjacency_matrix,
    edge_list,
    graph6,
    matrix_market,
    sparse_npz,
    tu_archive,
    vertex_and_edge_tables,
)
from mpgk_core.writers.losses import losses_of_writing

__all__ = ["WRITERS", "Writer", "losses_of_writing", "write_graphs"]

#: All formats that can be written.
WRITERS: dict[str, Writer] = {
    "edgelist": edge_list.WRITER,
    "csv": adjacency_matrix.WRITER,
    "tables": vertex_and_edge_tables.WRITER,
    "graphml": graphml.WRITER,
    "gexf": gexf.WRITER,
    "gml": gml.WRITER,
    "net": pajek.WRITER,
    "json": node_link_json.WRITER,
    "cyjs": cytoscape_json.WRITER,
    "g6": graph6.WRITER,
    "s6": graph6.SPARSE6,
    "mtx": matrix_market.WRITER,
    "npz": sparse_npz.WRITER,
    "tu": tu_archive.WRITER,
}


def write_graphs(
    graphs: GraphSet,
    format: str,  # noqa: A002
    classes: NDArray[Any] | None = None,
) -> bytes:
    """Return the content of a file.

    Parameters
    ----------
    graphs : GraphSet
        One graph, or many if the format holds many.
    format : str
        A key of ``WRITERS``.
    classes : ndarray of shape (N,), optional
        The class of each graph.

    Returns
    -------
    bytes
    """
    if format not in WRITERS:
        raise InvalidParameterError(
            f"format must be one of {', '.join(map(repr, WRITERS))}. Got {format!r} instead."
        )
    return WRITERS[format].write(graphs, classes)
