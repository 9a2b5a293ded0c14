"""The parts of a set of graphs: labels as numbers, and checks of all parts."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import csr_array

from mpgk_core.arrays import FloatArray, Int32Array, IntArray
from mpgk_core.errors import InvalidGraphError


@dataclass(frozen=True)
class LabelNames:
    """What labels stand for, where they are numbers: for people, never for kernels.

    Attributes
    ----------
    vertices, edges : mapping of label to str
        Labels that are not in it stand for themselves.

    Examples
    --------
    >>> LabelNames({0: "C"}).of_vertices((0, 1))
    ('C', 1)
    """

    vertices: Mapping[Hashable, str] = field(default_factory=dict)
    edges: Mapping[Hashable, str] = field(default_factory=dict)

    def of_vertices(self, labels: Iterable[Hashable]) -> tuple[Hashable, ...]:
        """Return labels of vertices as they are shown."""
        return tuple(self.vertices.get(label, label) for label in labels)

    def of_edges(self, labels: Iterable[Hashable]) -> tuple[Hashable, ...]:
        """Return labels of edges as they are shown."""
        return tuple(self.edges.get(label, label) for label in labels)


def label_sort_key(label: Hashable) -> tuple[Any, ...]:
    """Return a key that puts numbers before text before tuples, each in its own order.

    Parameters
    ----------
    label : number, str, bytes, None or tuple of these
        A discrete label.

    Returns
    -------
    tuple
        A key comparable with the key of any other label.

    Examples
    --------
    >>> sorted(["C", 10, (1, "x"), 9], key=label_sort_key)
    [9, 10, 'C', (1, 'x')]
    """
    if label is None:
        return (0,)
    if isinstance(label, (bool, int, float, np.bool_, np.integer, np.floating)):
        if isinstance(label, (float, np.floating)) and np.isnan(label):
            raise InvalidGraphError("A label is NaN. Give every vertex a real label, or none.")
        return (1, label)
    if isinstance(label, str):
        return (2, label)
    if isinstance(label, bytes):
        return (3, label)
    if isinstance(label, tuple):
        return (4, len(label), *(label_sort_key(part) for part in label))
    raise InvalidGraphError(
        f"The label {label!r} is of type {type(label).__name__}. "
        "Use numbers, text, or tuples of them as labels."
    )


def encode_labels(
    labels: Sequence[Hashable], known: Iterable[Hashable] = ()
) -> tuple[Int32Array, tuple[Hashable, ...]]:
    """Replace labels by numbers: known labels keep their place, new ones follow in canonical order.

    Parameters
    ----------
    labels : sequence of hashable
        One label per vertex.
    known : iterable of hashable
        Labels that already have the numbers 0, 1, 2, ...

    Returns
    -------
    codes : ndarray of shape (n,)
        The number of every label.
    values : tuple
        ``values[code]`` is the label.

    Examples
    --------
    >>> encode_labels(["O", "C", "C"])
    (array([1, 0, 0], dtype=int32), ('C', 'O'))
    """
    for label in labels:
        if not isinstance(label, Hashable):
            raise InvalidGraphError(
                f"The label {label!r} is of type {type(label).__name__}. "
                "Use numbers, text, or tuples of them as labels."
            )
    number = {label: code for code, label in enumerate(known)}
    values = (*number, *sorted(set(labels) - number.keys(), key=label_sort_key))
    number = {label: code for code, label in enumerate(values)}
    codes = np.fromiter((number[label] for label in labels), dtype=np.int32, count=len(labels))
    return codes, values


def check_blocks(adjacency: csr_array, offsets: IntArray) -> None:
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


def checked_names(names: list[Hashable], offsets: IntArray) -> list[Hashable]:
    """Return the names, unique within every graph, or raise."""
    checked_length(names, int(offsets[-1]), "names")
    for g, (start, stop) in enumerate(pairwise(offsets.tolist())):
        if len(set(names[start:stop])) < stop - start:
            raise InvalidGraphError(
                f"Graph {g}: two vertices have the same name. Give every vertex of a graph its own."
            )
    return names


def checked_attributes(attributes: ArrayLike, n: int) -> FloatArray:
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
