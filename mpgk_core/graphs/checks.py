"""Checks of what a set of graphs is made of, each saying what is wrong and where."""

from __future__ import annotations

from collections.abc import Hashable
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import csr_array

from mpgk_core.errors import InvalidGraphError


def check_blocks(adjacency: csr_array, offsets: NDArray[np.int64]) -> None:
    """Raise unless the offsets rise to the number of vertices and no edge joins two graphs."""
    n = adjacency.shape[0]
    if offsets.ndim != 1 or len(offsets) < 2:
        raise InvalidGraphError("There are no graphs. Give at least one.")
    if offsets[0] != 0 or offsets[-1] != n or np.any(np.diff(offsets) < 0):
        raise InvalidGraphError(f"offsets must rise from 0 to the number of vertices, {n}.")
    graph = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
    source = np.repeat(graph, np.diff(adjacency.indptr))
    crossing = np.flatnonzero(source != graph[adjacency.indices])
    if len(crossing):
        raise InvalidGraphError(
            f"An edge joins graph {source[crossing[0]]} and graph "
            f"{graph[adjacency.indices[crossing[0]]]}. Edges must stay within one graph."
        )


def checked_length(values: list[Hashable], n: int, what: str) -> list[Hashable]:
    """Return the values, one for each of n vertices, or raise."""
    if len(values) != n:
        raise InvalidGraphError(f"There are {len(values)} {what} for {n} vertices. Give one each.")
    return values


def checked_names(names: list[Hashable], offsets: NDArray[np.int64]) -> list[Hashable]:
    """Return the names, unique within every graph, or raise."""
    checked_length(names, int(offsets[-1]), "names")
    for g, (start, stop) in enumerate(pairwise(offsets.tolist())):
        if len(set(names[start:stop])) < stop - start:
            raise InvalidGraphError(
                f"Graph {g}: two vertices have the same name. Give every vertex of a graph its own."
            )
    return names


def checked_attributes(attributes: ArrayLike, n: int) -> NDArray[np.float64]:
    """Return the attributes as a table of finite numbers, one row per vertex, or raise."""
    try:
        given = np.asarray(attributes)
        if np.iscomplexobj(given):
            raise TypeError("complex numbers are not supported")
        matrix = np.array(given, dtype=np.float64, ndmin=1)
    except (TypeError, ValueError, OverflowError) as error:
        raise InvalidGraphError(
            f"The attributes are not a table of numbers ({error}). "
            "Give every vertex equally many numbers."
        ) from error
    if matrix.ndim == 1:
        matrix = matrix.reshape(n, matrix.size // max(n, 1)) if len(matrix) == n else matrix
    if matrix.ndim != 2 or matrix.shape[0] != n:
        raise InvalidGraphError(
            f"The attributes have shape {matrix.shape} for {n} vertices. Give one row each."
        )
    bad = np.argwhere(~np.isfinite(matrix))
    if len(bad):
        vertex, column = bad[0]
        raise InvalidGraphError(
            f"Vertex {vertex}: attribute {column} is {matrix[vertex, column]}. "
            "Replace or remove values that are not finite numbers."
        )
    return matrix + 0.0  # turns -0.0 into 0.0, which is the same number with other bits
