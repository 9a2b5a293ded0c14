"""Write graphs as graph6 or sparse6: one per line, six bits in each character."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mpgk_core.errors import InvalidGraphError
from mpgk_core.formats.columns import undirected_edges
from mpgk_core.formats.format import Writer
from mpgk_core.graphs import GraphSet

_LOWEST = 63
_LARGEST_OF_ONE, _LARGEST_OF_THREE = 62, 258_047
_MOST_VERTICES = 20_000


def _write_graph6(graphs: GraphSet, _: NDArray[Any] | None) -> bytes:
    return b"".join(_graph6(graph, place) + b"\n" for place, graph in enumerate(graphs))


def _write_sparse6(graphs: GraphSet, _: NDArray[Any] | None) -> bytes:
    return b"".join(b":" + _sparse6(graph) + b"\n" for graph in graphs)


def _graph6(graph: GraphSet, place: int) -> bytes:
    """Return the upper triangle of the adjacency matrix, going down the columns."""
    n = graph.n_vertices
    row, column = undirected_edges(graph).T
    if n > _MOST_VERTICES or (row == column).any():
        raise InvalidGraphError(
            f"Graph {place} has self-loops or more than {_MOST_VERTICES:,} vertices, which graph6 "
            "has no place for. Choose sparse6."
        )
    bits = np.zeros(n * (n - 1) // 2, dtype=np.uint8)
    bits[column * (column - 1) // 2 + row] = 1
    return _size(n) + _characters(np.pad(bits, (0, -len(bits) % 6)))


def _sparse6(graph: GraphSet) -> bytes:
    """Return the edges in the order of their larger ends.

    A bit says whether to go on to the next vertex, and a number follows: if it is larger than
    the current vertex, go there, and otherwise there is an edge between both.
    """
    n = graph.n_vertices
    edges = undirected_edges(graph)
    small, large = edges[np.lexsort((edges[:, 0], edges[:, 1]))].T
    width = max(n - 1, 0).bit_length()
    step = np.diff(large, prepend=0)
    jumps = step > 1
    places = np.repeat(np.arange(len(large)), 1 + jumps)
    is_jump = np.concatenate([places[1:] == places[:-1], [False]])[: len(places)]
    moves = np.where(is_jump, True, step[places] == 1)
    numbers = np.where(is_jump, large[places], small[places]) | moves.astype(np.int64) << width
    bits = (numbers[:, None] >> np.arange(width, -1, -1) & 1).astype(np.uint8).ravel()
    padding = np.ones(-len(bits) % 6, dtype=np.uint8)
    last = large[-1] if len(large) else 0
    if n == 1 << width and len(padding) > width and last < n - 1:
        padding[0] = 0  # ones alone would be read as a self-loop of the last vertex
    return _size(n) + _characters(np.concatenate([bits, padding]))


def _size(n: int) -> bytes:
    if n <= _LARGEST_OF_ONE:
        return bytes([n + _LOWEST])
    marks, length = (b"~", 3) if n <= _LARGEST_OF_THREE else (b"~~", 6)
    return marks + bytes((n >> 6 * i & 63) + _LOWEST for i in reversed(range(length)))


def _characters(bits: NDArray[np.uint8]) -> bytes:
    weights = np.array([32, 16, 8, 4, 2, 1], dtype=np.uint8)
    return (bits.reshape(-1, 6) @ weights + np.uint8(_LOWEST)).astype(np.uint8).tobytes()


WRITER = Writer(
    "graph6", ".g6", _write_graph6, keeps_attributes=False, many_graphs=True, keeps_names=False
)
SPARSE6 = Writer(
    "sparse6", ".s6", _write_sparse6, keeps_attributes=False, many_graphs=True, keeps_names=False
)
