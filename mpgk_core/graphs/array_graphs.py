"""Sets of graphs from arrays: adjacency matrices, edge arrays, and tuples of edges and labels.

Nothing is imported for it: what has an ``edge_index`` is an edge array, whatever made it.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from numbers import Real
from typing import Any

import numpy as np
from scipy.sparse import coo_array, issparse

from mpgk_core.arrays import FloatArray, IntArray
from mpgk_core.errors import InvalidGraphError, shortened
from mpgk_core.graphs.edges import Edges
from mpgk_core.graphs.graph_parts import label_sort_key

KINDS = (
    "networkx graphs, GraphSets, square adjacency matrices of NumPy or SciPy, objects with an "
    "edge_index, or tuples (edges, vertex labels, edge labels)"
)
"""What can stand for a graph, in words."""

_VERTEX_FIELDS = ("x", "node_feat")
_EDGE_FIELDS = ("edge_attr", "edge_feat")
_MOST_IN_TUPLE = 3


@dataclass(frozen=True)
class _Parts:
    """One graph; each list is None where nothing is known."""

    names: Sequence[Hashable]
    sources: IntArray
    targets: IntArray
    labels: list[Any] | None = None
    attributes: FloatArray | None = None
    edge_labels: list[Any] | None = None
    weights: FloatArray | None = None


def is_matrix(graph: Any) -> bool:
    """Return whether an object is a matrix: of SciPy, or of NumPy with two axes."""
    return bool(issparse(graph)) or (isinstance(graph, np.ndarray) and graph.ndim == 2)


def has_edge_index(graph: Any) -> bool:
    """Return whether an object is one graph with an edge array, and not a collection of them."""
    if isinstance(graph, Mapping):
        return "edge_index" in graph
    if getattr(graph, "edge_index", None) is None:
        return False
    first = next(iter(graph), None) if isinstance(graph, Iterable) else None
    return getattr(first, "edge_index", None) is None


def is_array_graph(graph: Any) -> bool:
    """Return whether an object within a collection is a graph that this module reads.

    Examples
    --------
    >>> is_array_graph(({(0, 1), (1, 0)}, {0: "C", 1: "O"})), is_array_graph("C-O")
    (True, False)
    """
    if is_matrix(graph) or has_edge_index(graph):
        return True
    if not isinstance(graph, (tuple, list)) or not 1 <= len(graph) <= _MOST_IN_TUPLE:
        return False
    return is_matrix(graph[0]) or isinstance(graph[0], (Mapping, set, frozenset, list, tuple))


def parts_from_arrays(graphs: Iterable[Any]) -> dict[str, Any]:
    """Return the arguments of GraphSet; :meth:`GraphSet.from_arrays` describes the parameter."""
    members: list[_Parts] = []
    for g, graph in enumerate(graphs):
        if is_matrix(graph):
            members.append(_of_matrix(graph, g))
        elif has_edge_index(graph):
            members.extend(_of_edge_index(graph, g))
        elif is_array_graph(graph):
            members.append(_of_tuple(graph, g))
        else:
            raise InvalidGraphError(f"Graph {g} is of type {type(graph).__name__}. Give {KINDS}.")
    if not members:
        raise InvalidGraphError("There are no graphs. Give at least one.")
    offsets = np.cumsum([0, *(len(member.names) for member in members)])
    is_named = any(not isinstance(member.names, range) for member in members)
    filled = [member for member in members if len(member.names)]
    labels = _all_or_none([member.labels for member in filled], "labels")
    attributes = _all_or_none([member.attributes for member in filled], "attributes")
    widths = {rows.shape[1] for rows in attributes or []}
    if len(widths) > 1:
        raise InvalidGraphError(
            f"The graphs have attributes of different lengths: {sorted(widths)}. Give every vertex "
            "of every graph equally many."
        )
    return {
        "adjacency": None,
        "edges": _stacked(members, offsets),
        "offsets": offsets,
        "names": [name for member in members for name in member.names] if is_named else None,
        "labels": [label for own in labels for label in own] if labels else None,
        "attributes": np.concatenate(attributes) if attributes else None,
    }


def _all_or_none(values: list[Any], what: str) -> list[Any] | None:
    given = [value for value in values if value is not None]
    if given and len(given) < len(values):
        raise InvalidGraphError(
            f"Some graphs have {what} and others have none. Give {what} to all graphs, or to none."
        )
    return given or None


def _stacked(members: Sequence[_Parts], offsets: IntArray) -> Edges:
    """Put all edges behind one another; where each has its opposite, they are undirected."""
    shifted = list(zip(members, offsets.tolist(), strict=False))
    labels = weights = None
    if any(member.edge_labels is not None for member in members):
        labels = [
            label
            for member in members
            for label in member.edge_labels or [None] * len(member.sources)
        ]
    if any(member.weights is not None for member in members):
        known = [(m.weights, np.ones(len(m.sources))) for m in members]
        weights = np.concatenate([ones if own is None else own for own, ones in known])
        weights = None if np.all(weights == 1) else weights
    arcs = Edges.of(
        np.concatenate([member.sources + start for member, start in shifted]),
        np.concatenate([member.targets + start for member, start in shifted]),
        labels=labels,
        weights=weights,
        is_directed=True,
    )
    keys: list[Any] = [arcs.sources, arcs.targets]
    if arcs.label_codes is not None:
        keys.insert(0, arcs.label_codes)
    opposite = replace(arcs, sources=arcs.targets, targets=arcs.sources)
    back = opposite.chosen(np.lexsort(keys))
    for name in ("sources", "targets", "label_codes", "weights"):
        if not np.array_equal(getattr(arcs, name), getattr(back, name)):
            return arcs
    return replace(arcs.chosen(arcs.sources <= arcs.targets), is_directed=False)


def _of_matrix(matrix: Any, g: int) -> _Parts:
    if matrix.shape[0] != matrix.shape[1]:
        raise InvalidGraphError(
            f"Graph {g}: the adjacency matrix has shape {tuple(matrix.shape)}. Give as many rows "
            "as columns."
        )
    try:
        if np.iscomplexobj(matrix):
            raise TypeError("complex numbers are not supported")
        entries = coo_array(matrix, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InvalidGraphError(
            f"Graph {g}: the adjacency matrix does not hold numbers ({error}). Give 1 for every "
            "edge, or its weight."
        ) from error
    entries.sum_duplicates()
    there = entries.data != 0
    sources, targets = (np.asarray(ends)[there].astype(np.int64) for ends in entries.coords)
    weights = _checked_weights(entries.data[there], g)
    return _Parts(range(matrix.shape[0]), sources, targets, weights=weights)


def _of_edge_index(graph: Any, g: int) -> list[_Parts]:
    """Read an edge array with what belongs to it; a batch of graphs is taken apart."""
    if callable(getattr(graph, "to_data_list", None)):
        return [part for own in graph.to_data_list() for part in _of_edge_index(own, g)]
    ends = np.asarray(_array(graph, "edge_index"))
    if ends.size == 0:
        ends = np.zeros((2, 0), dtype=np.int64)
    if ends.ndim != 2 or len(ends) != 2 or ends.dtype.kind not in "iu":
        raise InvalidGraphError(
            f"Graph {g}: edge_index has shape {ends.shape} and type {ends.dtype}. Give two rows of "
            "whole numbers: where edges begin, and where they end."
        )
    rows = _table(graph, _VERTEX_FIELDS, g)
    given = _field(graph, "num_nodes")
    n = int(ends.max(initial=-1)) + 1 if rows is None else len(rows)
    if given is not None:
        n = int(given)
    if rows is not None and len(rows) != n:
        raise InvalidGraphError(
            f"Graph {g}: x has {len(rows)} rows for {n} vertices. Give one each."
        )
    _check_ends(ends, n, g)
    values = _table(graph, _EDGE_FIELDS, g)
    weights = _array(graph, "edge_weight")
    labels = None
    if values is not None:
        if len(values) != ends.shape[1]:
            raise InvalidGraphError(
                f"Graph {g}: edge_attr has {len(values)} rows for {ends.shape[1]} edges. Give one "
                "each."
            )
        if weights is None and values.dtype.kind == "f" and values.shape[1] == 1:
            weights = values
        else:
            labels = _rows_as_labels(values)
    if weights is not None:
        weights = _checked_weights(np.ravel(weights).astype(np.float64), g)
    sources, targets = ends.astype(np.int64)
    parts = _Parts(range(n), sources, targets, edge_labels=labels, weights=weights)
    if rows is None or not n:
        return [parts]
    if rows.dtype.kind == "f":
        return [replace(parts, attributes=rows.astype(np.float64))]
    return [replace(parts, labels=_rows_as_labels(rows))]


def _of_tuple(graph: Sequence[Any], g: int) -> _Parts:
    edges, labels, edge_labels = [*graph, None, None][:_MOST_IN_TUPLE]
    if is_matrix(edges) or _is_rows(edges):
        parts = _of_matrix(edges if is_matrix(edges) else _square(edges, g), g)
        pairs = list(zip(parts.sources.tolist(), parts.targets.tolist(), strict=True))
    else:
        weighted = _listed_edges(edges, g)
        pairs = [(a, b) for a, b, _ in weighted]
        keys = list(labels) if isinstance(labels, Mapping) else []
        if isinstance(edges, Mapping) and not any(isinstance(v, Real) for v in edges.values()):
            keys += list(edges)
        known = dict.fromkeys(keys)
        others = {end for pair in pairs for end in pair if end not in known}
        names = [*known, *sorted(others, key=label_sort_key)]
        number = {name: i for i, name in enumerate(names)}
        parts = _Parts(
            range(len(names)) if names == list(range(len(names))) else names,
            np.array([number[a] for a, _ in pairs], dtype=np.int64),
            np.array([number[b] for _, b in pairs], dtype=np.int64),
            weights=_checked_weights(np.array([w for _, _, w in weighted], dtype=np.float64), g),
        )
    if isinstance(edge_labels, Mapping) and edge_labels:
        own = [edge_labels.get((a, b), edge_labels.get((b, a))) for a, b in pairs]
        parts = replace(parts, edge_labels=own)
    return _with_values(parts, labels, g)


def _with_values(parts: _Parts, values: Any, g: int) -> _Parts:
    """Add the labels of vertices; lists and arrays of numbers are attributes."""
    if values is None or (not len(values) and len(parts.names)):
        return parts
    if isinstance(values, Mapping):
        missing = [name for name in parts.names if name not in values]
        if missing:
            raise InvalidGraphError(
                f"Graph {g}: vertex {shortened(repr(missing[0]))} has no label. Give every vertex "
                "of every graph one, or none."
            )
        column = [values[name] for name in parts.names]
    else:
        column = list(values)
        if len(column) != len(parts.names):
            raise InvalidGraphError(
                f"Graph {g}: there are {len(column)} labels for {len(parts.names)} vertices. Give "
                "one each."
            )
    if not any(isinstance(value, (list, np.ndarray)) for value in column):
        return replace(parts, labels=column)
    try:
        rows = np.array([np.ravel(value) for value in column], dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InvalidGraphError(
            f"Graph {g}: the attributes of its vertices are not rows of equally many numbers "
            f"({error}). Give every vertex equally many."
        ) from error
    return replace(parts, attributes=rows)


def _listed_edges(edges: Any, g: int) -> list[tuple[Hashable, Hashable, float]]:
    """Return the edges of a dictionary or a collection of pairs, with their weights."""
    found: list[Any] = []
    if not isinstance(edges, Mapping):
        found = [tuple(edge) if isinstance(edge, (tuple, list)) else (edge,) for edge in edges]
    elif all(isinstance(value, Real) for value in edges.values()):
        found = [(*pair, w) if isinstance(pair, tuple) else (pair,) for pair, w in edges.items()]
    else:
        for end, others in edges.items():
            weights = others if isinstance(others, Mapping) else dict.fromkeys(others, 1.0)
            found += [(end, other, weight) for other, weight in weights.items()]
    for edge in found:
        if len(edge) not in (2, 3) or (len(edge) == 3 and not isinstance(edge[2], Real)):
            raise InvalidGraphError(
                f"Graph {g}: {shortened(repr(edge))} is not an edge. Give two vertices, and a "
                "number where edges have weights."
            )
    return [(edge[0], edge[1], float([*edge, 1.0][2])) for edge in found]


def _is_rows(edges: Any) -> bool:
    """Return whether a list holds lists, as rows of a matrix are, and not tuples, as edges are."""
    return isinstance(edges, list) and bool(edges) and isinstance(edges[0], list)


def _square(rows: Sequence[Any], g: int) -> FloatArray:
    try:
        matrix = np.array(rows, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InvalidGraphError(
            f"Graph {g}: its list of lists is not an adjacency matrix ({error}). Give edges as "
            "tuples, or as many rows as columns of numbers."
        ) from error
    return matrix.reshape(len(rows), -1)


def _field(graph: Any, name: str) -> Any:
    return graph.get(name) if isinstance(graph, Mapping) else getattr(graph, name, None)


def _array(graph: Any, name: str) -> Any:
    """Return a field as an array, also one on a graphics card or with a gradient."""
    value = _field(graph, name)
    if callable(getattr(value, "detach", None)):
        value = value.detach().cpu()
    return None if value is None else np.asarray(value)


def _table(graph: Any, names: Sequence[str], g: int) -> Any:
    """Return the first of some fields that is there, a row for every vertex or edge."""
    for name in names:
        rows = _array(graph, name)
        if rows is not None:
            if rows.ndim not in (1, 2) or rows.dtype.kind not in "biuf":
                raise InvalidGraphError(
                    f"Graph {g}: {name} has shape {rows.shape} and type {rows.dtype}. Give one row "
                    "of numbers each."
                )
            return rows if rows.ndim > 1 else rows[:, np.newaxis]
    return None


def _rows_as_labels(rows: Any) -> list[Any]:
    """Return one label for every row: its number, or a tuple of several."""
    values = rows.tolist()
    return [row[0] for row in values] if rows.shape[1] == 1 else [tuple(row) for row in values]


def _check_ends(ends: Any, n: int, g: int) -> None:
    outside = ends[(ends < 0) | (ends >= n)]
    if outside.size:
        raise InvalidGraphError(
            f"Graph {g}: an edge ends at vertex {outside[0]}, but there are {n} vertices, numbered "
            "from 0."
        )


def _checked_weights(weights: FloatArray, g: int) -> FloatArray:
    bad = weights[~np.isfinite(weights)]
    if bad.size:
        raise InvalidGraphError(
            f"Graph {g}: an edge has the weight {bad[0]}. Replace it, or leave the edge out."
        )
    return weights
