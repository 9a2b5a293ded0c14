"""The inner loops of :mod:`~mpgk_core.formats.graph6`."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mpgk_core._compiled import compiled
from mpgk_core.formats.number_scanning import is_line_end

__all__ = [
    "FINE",
    "FOREIGN",
    "OTHER_FORMAT",
    "TOO_MANY_GRAPHS",
    "TOO_MANY_VERTICES",
    "WRONG_LENGTH",
    "decode",
    "measure",
]

FINE, FOREIGN, OTHER_FORMAT, WRONG_LENGTH, TOO_MANY_VERTICES, TOO_MANY_GRAPHS = range(6)

_LOWEST, _HIGHEST = 63, 126
_COLON, _SEMICOLON, _AMPERSAND = 58, 59, 38
_SPACE = 32


@compiled
def measure(
    content: NDArray[np.uint8], most: int
) -> tuple[int, int, NDArray[np.int64], NDArray[np.int64]]:
    """Find the graphs, and check that each is as long as it must be.

    Parameters
    ----------
    content : ndarray of bytes
        One graph per line.
    most : int
        How many vertices a graph may have, and how many graphs there may be.

    Returns
    -------
    status, position : int
        What is wrong, and where.
    graphs : ndarray of shape (N, 4)
        Start and stop of the edges' characters, number of vertices, and bits of a vertex in
        sparse6 or -1 in graph6.
    most_edges : ndarray of shape (N,)
        How many edges each graph has at most.
    """
    graphs, edges = np.empty((64, 4), dtype=np.int64), np.empty(64, dtype=np.int64)
    found, position = 0, 0
    while position < len(content):
        if content[position] <= _SPACE:
            position += 1
            continue
        line, stop = position, position
        while not is_line_end(content, stop):
            stop += 1
        position = stop
        while content[stop - 1] <= _SPACE:
            stop -= 1
        if content[line] == _SEMICOLON or content[line] == _AMPERSAND:
            return OTHER_FORMAT, line, graphs, edges
        is_sparse = content[line] == _COLON
        start = line + is_sparse
        for i in range(start, stop):
            if content[i] < _LOWEST or content[i] > _HIGHEST:
                return FOREIGN, line, graphs, edges
        first, start = _size_place(content, start, stop)
        if start > stop:
            return WRONG_LENGTH, line, graphs, edges
        n: np.int64 | int = 0
        for i in range(first, start):
            n = n << 6 | (np.int64(content[i]) - _LOWEST)
        if n > most:
            return TOO_MANY_VERTICES, line, graphs, edges
        if found == most:
            return TOO_MANY_GRAPHS, line, graphs, edges
        if found == len(edges):
            graphs = np.concatenate((graphs, np.empty_like(graphs)))
            edges = np.concatenate((edges, np.empty_like(edges)))
        width = -1
        if is_sparse:
            width = 0
            while n - 1 >> width > 0:
                width += 1
            edges[found] = 6 * (stop - start) // (width + 1)
        else:
            n_bits = n * (n - 1) // 2
            if stop - start != (n_bits + 5) // 6:
                return WRONG_LENGTH, line, graphs, edges
            edges[found] = 0
            for i in range(start, stop):
                six = content[i] - _LOWEST
                while six:
                    six &= six - 1
                    edges[found] += 1
        graphs[found, 0], graphs[found, 1], graphs[found, 2], graphs[found, 3] = (
            start,
            stop,
            n,
            width,
        )
        found += 1
    return FINE, position, graphs[:found], edges[:found]


@compiled
def _size_place(content: NDArray[np.uint8], start: int, stop: int) -> tuple[int, int]:
    """Return where the number of vertices begins and ends; it has 1, 3 or 6 characters."""
    if start >= stop or content[start] != _HIGHEST:
        return start, start + 1
    if start + 1 >= stop or content[start + 1] != _HIGHEST:
        return start + 1, start + 4
    return start + 2, start + 8


@compiled
def decode(
    content: NDArray[np.uint8],
    graphs: NDArray[np.int64],
    offsets: NDArray[np.int64],
    edges: NDArray[np.int64],
) -> int:
    """Fill ``edges``, and return how many there are.

    Parameters
    ----------
    content : ndarray of bytes
    graphs : ndarray of shape (N, 4)
        From :func:`measure`.
    offsets : ndarray of shape (N + 1,)
        First vertex of each graph.
    edges : ndarray of shape (m, 2)
        With room for all.
    """
    n_edges = 0
    for g in range(len(graphs)):
        start, stop, n, width = graphs[g]
        if width < 0:
            n_edges = _decode_graph6(content[start:stop], n, offsets[g], edges, n_edges)
        else:
            n_edges = _decode_sparse6(content[start:stop], n, width, offsets[g], edges, n_edges)
    return n_edges


@compiled
def _decode_graph6(
    text: NDArray[np.uint8], n: int, base: int, edges: NDArray[np.int64], n_edges: int
) -> int:
    """Read the upper triangle, which goes down the columns."""
    row, column = 0, 1
    for character in text:
        for shift in range(5, -1, -1):
            if column >= n:
                return n_edges
            if (character - _LOWEST) >> shift & 1:
                edges[n_edges, 0], edges[n_edges, 1] = base + row, base + column
                n_edges += 1
            row += 1
            if row == column:
                row, column = 0, column + 1
    return n_edges


@compiled
def _decode_sparse6(
    text: NDArray[np.uint8], n: int, width: int, base: int, edges: NDArray[np.int64], n_edges: int
) -> int:
    """Read pairs of one bit, which moves on to the next vertex, and of one vertex."""
    vertex, position = np.int64(0), 0
    while position + 1 + width <= 6 * len(text):
        vertex += _bit(text, position)
        other = np.int64(0)
        for i in range(position + 1, position + 1 + width):
            other = other << 1 | _bit(text, i)
        position += 1 + width
        if other >= n or vertex >= n:
            break
        if other > vertex:
            vertex = other
        else:
            edges[n_edges, 0], edges[n_edges, 1] = base + other, base + vertex
            n_edges += 1
    return n_edges


@compiled
def _bit(text: NDArray[np.uint8], position: int) -> np.int64:
    return (np.int64(text[position // 6]) - _LOWEST) >> (5 - position % 6) & 1
