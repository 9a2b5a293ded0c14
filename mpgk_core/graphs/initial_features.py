"""Initial features by name: labels, attributes, and numbers that describe the local structure."""

from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType
from typing import Any, TypeAlias

import numpy as np
from scipy.sparse import csr_array

from mpgk_core._compiled import compiled
from mpgk_core.arrays import BoolArray, FloatArray, Int32Array, IntArray
from mpgk_core.errors import InvalidParameterError
from mpgk_core.graphs.graph_set import GraphSet

FeatureSpec: TypeAlias = str | Callable[[GraphSet], Any]

_ROUNDING = 4 * np.finfo(np.float64).eps
"""A column whose entries differ by less, relative to the largest, is constant."""


def degree(adjacency: csr_array) -> FloatArray:
    """Count the neighbours of every vertex; a kept self-loop makes it its own neighbour."""
    return np.asarray(np.diff(adjacency.indptr), dtype=np.float64)


def log_degree(adjacency: csr_array) -> FloatArray:
    """Return log(1 + degree), which keeps hubs within sight of the rest."""
    return np.log1p(degree(adjacency))


def triangles(adjacency: csr_array) -> FloatArray:
    """Count the triangles that every vertex lies on.

    Examples
    --------
    >>> import networkx as nx
    >>> triangles(nx.to_scipy_sparse_array(nx.house_graph())).tolist()
    [0.0, 0.0, 1.0, 1.0, 1.0]
    """
    return _triangles(adjacency.indptr, adjacency.indices)


def core_number(adjacency: csr_array) -> FloatArray:
    """Return the largest k such that the vertex survives in the k-core (Batagelj & Zaversnik).

    Examples
    --------
    >>> import networkx as nx
    >>> core_number(nx.to_scipy_sparse_array(nx.lollipop_graph(4, 2))).tolist()
    [3.0, 3.0, 3.0, 3.0, 1.0, 1.0]
    """
    remaining = (np.diff(adjacency.indptr) - adjacency.diagonal()).astype(np.int64)
    order = np.argsort(remaining, kind="stable")
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    degrees = np.arange(remaining.max(initial=0) + 2)
    bucket = np.searchsorted(remaining[order], degrees)
    return _peeled(adjacency.indptr, adjacency.indices, remaining, order, place, bucket)


def clustering(adjacency: csr_array) -> FloatArray:
    """Return the share of pairs of neighbours that are themselves joined; 0 below two neighbours.

    Examples
    --------
    >>> import networkx as nx
    >>> clustering(nx.to_scipy_sparse_array(nx.complete_graph(4))).tolist()
    [1.0, 1.0, 1.0, 1.0]
    """
    others: FloatArray = degree(adjacency) - adjacency.diagonal()
    pairs = others * (others - 1) / 2
    return np.divide(triangles(adjacency), pairs, out=np.zeros(len(pairs)), where=pairs > 0)


def constant(adjacency: csr_array) -> FloatArray:
    """Return 1 for every vertex: all that is known of it is that it exists."""
    return np.ones(adjacency.shape[0])


LOCAL_FEATURES = MappingProxyType(
    {
        "degree": degree,
        "degree-label": degree,
        "log-degree": log_degree,
        "triangles": triangles,
        "core-number": core_number,
        "clustering": clustering,
        "constant": constant,
    }
)
"""The local features by name; ``"degree-label"`` is compared as a label, see ``FeatureEncoder``."""


@compiled
def _triangles(indptr: Int32Array, indices: Int32Array) -> FloatArray:
    """Visit every triangle once, from its vertex of lowest degree upwards."""
    n = len(indptr) - 1
    counts = np.zeros(n, dtype=np.float64)
    marked = np.full(n, -1, dtype=np.int64)
    for u in range(n):
        for e in range(indptr[u], indptr[u + 1]):
            if _is_above(indptr, indices[e], u):
                marked[indices[e]] = u
        for e in range(indptr[u], indptr[u + 1]):
            v = indices[e]
            if not _is_above(indptr, v, u):
                continue
            for f in range(indptr[v], indptr[v + 1]):
                w = indices[f]
                if marked[w] == u and _is_above(indptr, w, v):
                    counts[u] += 1.0
                    counts[v] += 1.0
                    counts[w] += 1.0
    return counts


@compiled
def _is_above(indptr: Int32Array, v: int, u: int) -> bool:
    degree_v = indptr[v + 1] - indptr[v]
    degree_u = indptr[u + 1] - indptr[u]
    return degree_v > degree_u or (degree_v == degree_u and v > u)


@compiled
def _peeled(
    indptr: Int32Array,
    indices: Int32Array,
    remaining: IntArray,
    order: IntArray,
    place: IntArray,
    bucket: IntArray,
) -> FloatArray:
    """Remove vertices in the order of their remaining degree, kept sorted in buckets."""
    for i in range(len(order)):
        v = order[i]
        for e in range(indptr[v], indptr[v + 1]):
            u = indices[e]
            if remaining[u] > remaining[v]:
                first = order[bucket[remaining[u]]]
                order[place[u]], place[first] = first, place[u]
                place[u] = bucket[remaining[u]]
                order[place[u]] = u
                bucket[remaining[u]] += 1
                remaining[u] -= 1
    return remaining.astype(np.float64)


FEATURE_NAMES = ("labels", "attributes", "attributes-standardised", *LOCAL_FEATURES)
"""What the parts of a features text can be, besides "auto"."""


def resolved_features(features: FeatureSpec, graphs: GraphSet) -> FeatureSpec:
    """Return what "auto" stands for with these graphs; everything else as it is.

    Parameters
    ----------
    features : str or callable
    graphs : GraphSet

    Returns
    -------
    str or callable
        Gives the same numbers as ``features`` with these graphs.

    Examples
    --------
    >>> import networkx as nx
    >>> graph = nx.path_graph(3)
    >>> resolved_features("auto", GraphSet.from_networkx(graph))
    'degree'
    >>> nx.set_node_attributes(graph, dict(enumerate("CCO")), "label")
    >>> resolved_features("auto", GraphSet.from_networkx(graph))
    'labels,degree'
    """
    if features != "auto":
        return features
    found = ["labels"] if graphs.label_codes is not None else []
    if graphs.attributes is not None and not np.all(is_constant(graphs.attributes)):
        found.append("attributes-standardised")
    return ",".join([*found, "degree"])


def discrete_features(features: FeatureSpec, graphs: GraphSet) -> FeatureSpec:
    """Return what "auto" stands for with kernels that only ask whether vertices are alike.

    Parameters
    ----------
    features : str or callable
    graphs : GraphSet

    Returns
    -------
    str or callable
        Labels where there are any, else the degree: attributes hardly ever repeat.
    """
    if features != "auto":
        return features
    return "degree" if graphs.label_codes is None else "labels"


def summands_of(features: FeatureSpec) -> list[FeatureSpec]:
    """Return the features whose kernels are balanced and averaged.

    Examples
    --------
    >>> summands_of("labels,degree+triangles")
    ['labels', 'degree+triangles']
    """
    if callable(features):
        return [features]
    if not isinstance(features, str):
        raise InvalidParameterError(
            f"The 'features' parameter must be a text or a callable. Got {features!r} instead."
        )
    return [summand.strip() for summand in features.split(",")]


def check_features(features: FeatureSpec) -> None:
    """Raise unless ``features`` is "auto", a callable, or names of features."""
    for summand in summands_of(features) if features != "auto" else ():
        parts_of(summand)


def parts_of(features: FeatureSpec) -> list[tuple[FeatureSpec, ...]]:
    """Return the parts of every summand, or raise if one is unknown or occurs twice.

    Examples
    --------
    >>> parts_of("labels,degree+triangles")
    [('labels',), ('degree', 'triangles')]
    """
    summands: list[tuple[FeatureSpec, ...]] = []
    for summand in summands_of(features):
        parts = (summand,) if callable(summand) else tuple(map(str.strip, summand.split("+")))
        for part in parts:
            if not callable(part) and part not in FEATURE_NAMES:
                raise InvalidParameterError(
                    "The 'features' parameter must be 'auto', a callable, or one or more of "
                    f"{', '.join(FEATURE_NAMES)}, joined by '+' or ','. Got {part!r} in "
                    f"{summand!r}."
                )
        summands.append(parts)
    both = {"attributes", "attributes-standardised"}
    if any(len(set(s)) < len(s) for s in summands) or both <= {p for s in summands for p in s}:
        raise InvalidParameterError(f"A part of features={features!r} occurs twice. Name it once.")
    return summands


def is_constant(table: FloatArray) -> BoolArray:
    """Return which columns are constant up to rounding."""
    if not len(table):
        return np.ones(table.shape[1], dtype=bool)
    low, high = table.min(axis=0), table.max(axis=0)
    same: BoolArray = high / 2 - low / 2 <= _ROUNDING * np.maximum(high, -low) / 2
    return same
