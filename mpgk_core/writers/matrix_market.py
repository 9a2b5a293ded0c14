"""Write a graph as a symmetric sparse matrix in the Matrix Market format."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from mpgk_core.formats.columns import undirected_edges
from mpgk_core.formats.format import Writer
from mpgk_core.graphs import GraphSet

_BANNER = "%%MatrixMarket matrix coordinate pattern symmetric\n"


def _write(graphs: GraphSet, _: NDArray[Any] | None) -> bytes:
    edges = undirected_edges(graphs) + 1
    size = f"{graphs.n_vertices} {graphs.n_vertices} {len(edges)}\n"
    lower_half = "".join(f"{b} {a}\n" for a, b in edges.tolist())
    return (_BANNER + size + lower_half).encode()


WRITER = Writer(
    "Matrix Market", ".mtx", _write, keeps_attributes=False, many_graphs=False, keeps_names=False
)
