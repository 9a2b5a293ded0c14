"""The parts of a set of graphs: read from networkx, labels as numbers, and checks of all."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

import networkx as nx
import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import coo_array, csr_array, triu

from mpgk_core.arrays import FloatArray, Int32Array, IntArray
from mpgk_core.errors import InvalidGraphError

_MISSING = object()


def parts_from_networkx(
    graphs: nx.Graph | Sequence[nx.Graph],
    node_label: str | None,
    node_attributes: str | Sequence[str] | None,
) -> dict[str, Any]:
    """Return the arguments of GraphSet; :meth:`GraphSet.from_networkx` describes the parameters."""
    members = [graphs] if isinstance(graphs, nx.Graph) else list(graphs)
    if not members:
        raise InvalidGraphError("There are no graphs. Give at least one.")
    for g, member in enumerate(members):
        if not isinstance(member, nx.Graph):
            raise InvalidGraphError(
                f"Graph {g} is of type {type(member).__name__}. Give networkx graphs or GraphSets."
            )
    offsets = np.cumsum([0, *(len(member) for member in members)])
    keys = [node_attributes] if isinstance(node_attributes, str) else list(node_attributes or [])
    columns = [_node_values(members, key, optional=key == "attributes") for key in keys]
    has_rows = any(columns) and offsets[-1] > 0
    labels = None
    if node_label is not None:
        labels = _node_values(members, node_label, optional=node_label == "label")
    return {
        "adjacency": _stacked_edges(members, offsets),
        "offsets": offsets,
        "names": [name for member in members for name in member],
        "labels": labels,
        "attributes": _joined_rows(members, columns) if has_rows else None,
    }


def networkx_from_parts(
    blocks: Sequence[csr_array], names: Sequence[Hashable], values: Mapping[str, list[Any] | None]
) -> list[nx.Graph]:
    """Return one networkx graph for each adjacency matrix, with values on the nodes."""
    graphs, start = [], 0
    for block in blocks:
        stop = start + block.shape[0]
        own = names[start:stop]
        graph = nx.Graph()
        graph.add_nodes_from(own)
        ends = zip(*(end.tolist() for end in triu(block).nonzero()), strict=True)
        graph.add_edges_from((own[row], own[column]) for row, column in ends)
        for key, column in values.items():
            if column is not None:
                pairs = zip(own, column[start:stop], strict=True)
                nx.set_node_attributes(graph, dict(pairs), key)
        graphs.append(graph)
        start = stop
    return graphs


def _stacked_edges(members: Sequence[nx.Graph], offsets: np.ndarray) -> coo_array:
    sources: list[int] = []
    targets: list[int] = []
    for member, start in zip(members, offsets.tolist(), strict=False):
        number = {name: start + i for i, name in enumerate(member)}
        for source, target in member.edges():
            sources.append(number[source])
            targets.append(number[target])
    n = int(offsets[-1])
    return coo_array((np.ones(len(sources)), (sources, targets)), shape=(n, n))


def _node_values(members: Sequence[nx.Graph], key: str, optional: bool) -> list[Any] | None:
    """Read one node attribute from every vertex; None if no vertex has it and that is allowed."""
    values: list[Any] = []
    without: tuple[int, Hashable] | None = None
    for g, member in enumerate(members):
        for name, data in member.nodes(data=True):
            value = data.get(key, _MISSING)
            if value is _MISSING and without is None:
                without = (g, name)
            values.append(value)
    if without is None:
        return values if values or not optional else None
    if optional and all(value is _MISSING for value in values):
        return None
    raise InvalidGraphError(
        f"Graph {without[0]}: node {without[1]!r} has no {key!r}. "
        f"Give every node of every graph a value for {key!r}, or none."
    )


def _joined_rows(members: Sequence[nx.Graph], columns: list[list[Any] | None]) -> np.ndarray:
    """Turn the values of several node attributes into one row of numbers per vertex."""
    where = [(g, name) for g, member in enumerate(members) for name in member]
    rows: list[list[float]] = []
    present = [column for column in columns if column is not None]
    for (g, name), *values in zip(where, *present, strict=True):
        try:
            row = [float(x) for value in values for x in np.ravel(value)]
        except (TypeError, ValueError, OverflowError) as error:
            raise InvalidGraphError(
                f"Graph {g}: node {name!r} has an attribute that is not a number ({error}). "
                "Use numbers or vectors of numbers, or read it as the label."
            ) from error
        if rows and len(row) != len(rows[0]):
            raise InvalidGraphError(
                f"Graph {g}: node {name!r} has {len(row)} attributes, but earlier nodes have "
                f"{len(rows[0])}. Give every node {len(rows[0])} numbers."
            )
        if not np.all(np.isfinite(row)):
            raise InvalidGraphError(
                f"Graph {g}: node {name!r} has an attribute that is NaN or infinite. "
                "Replace or remove it."
            )
        rows.append(row)
    return np.array(rows, dtype=np.float64).reshape(len(rows), -1)


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
