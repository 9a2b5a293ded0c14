"""Sets of graphs from networkx graphs, and back."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from itertools import pairwise
from numbers import Real
from typing import Any

import networkx as nx
import numpy as np

from mpgk_core.arrays import IntArray
from mpgk_core.errors import InvalidGraphError
from mpgk_core.graphs.array_graphs import KINDS
from mpgk_core.graphs.edges import Edges

_MISSING = object()


def parts_from_networkx(
    graphs: nx.Graph | Sequence[nx.Graph],
    node_label: str | None,
    node_attributes: str | Sequence[str] | None,
    edge_label: str | None,
    edge_weight: str | None,
) -> dict[str, Any]:
    """Return the arguments of GraphSet; :meth:`GraphSet.from_networkx` describes the parameters."""
    members = [graphs] if isinstance(graphs, nx.Graph) else list(graphs)
    if not members:
        raise InvalidGraphError("There are no graphs. Give at least one.")
    for g, member in enumerate(members):
        if not isinstance(member, nx.Graph):
            raise InvalidGraphError(f"Graph {g} is of type {type(member).__name__}. Give {KINDS}.")
    offsets = np.cumsum([0, *(len(member) for member in members)])
    keys = [node_attributes] if isinstance(node_attributes, str) else list(node_attributes or [])
    columns = [_node_values(members, key, optional=key == "attributes") for key in keys]
    has_rows = any(columns) and offsets[-1] > 0
    labels = None
    if node_label is not None:
        labels = _node_values(members, node_label, optional=node_label == "label")
    return {
        "adjacency": None,
        "edges": _stacked_edges(members, offsets, edge_label, edge_weight),
        "offsets": offsets,
        "names": [name for member in members for name in member],
        "labels": labels,
        "attributes": _joined_rows(members, columns) if has_rows else None,
    }


def networkx_from_parts(
    offsets: IntArray,
    names: Sequence[Hashable],
    values: Mapping[str, list[Any] | None],
    edges: Edges,
) -> list[nx.Graph]:
    """Return one networkx graph for each graph, with values on the nodes and on the edges.

    Parallel edges make it a multigraph, directed edges a directed graph.
    """
    ends = np.column_stack([edges.sources, edges.targets])
    has_parallel = bool(np.any(np.all(ends[1:] == ends[:-1], axis=1)))
    kinds = {
        (False, False): nx.Graph,
        (True, False): nx.DiGraph,
        (False, True): nx.MultiGraph,
        (True, True): nx.MultiDiGraph,
    }
    weights = None if edges.weights is None else edges.weights.tolist()
    columns = {"label": edges.labels, "weight": weights}
    given = {key: column for key, column in columns.items() if column is not None}
    rows = [dict(zip(given, row, strict=True)) for row in zip(*given.values(), strict=True)]
    bounds = np.searchsorted(edges.sources, offsets).tolist()
    graphs = []
    for g, (start, stop) in enumerate(pairwise(offsets.tolist())):
        own = slice(start, stop)
        graph = kinds[edges.is_directed, has_parallel]()
        graph.add_nodes_from(names[own])
        for e in range(bounds[g], bounds[g + 1]):
            graph.add_edge(names[ends[e, 0]], names[ends[e, 1]], **(rows[e] if rows else {}))
        for key, column in values.items():
            if column is not None:
                pairs = zip(names[own], column[own], strict=True)
                nx.set_node_attributes(graph, dict(pairs), key)
        graphs.append(graph)
    return graphs


def _stacked_edges(
    members: Sequence[nx.Graph], offsets: IntArray, label: str | None, weight: str | None
) -> Edges:
    """Read all edges; those of undirected graphs among directed ones count both ways."""
    is_directed = any(member.is_directed() and member.size() for member in members)
    sources: list[int] = []
    targets: list[int] = []
    data: list[dict[str, Any]] = []
    for member, start in zip(members, offsets.tolist(), strict=False):
        number = {name: start + i for i, name in enumerate(member)}
        for source, target, values in member.edges(data=True):
            sources.append(number[source])
            targets.append(number[target])
            data.append(values)
            if is_directed and not member.is_directed() and source != target:
                sources.append(number[target])
                targets.append(number[source])
                data.append(values)
    labels = _edge_values(data, label, None, is_optional=label == "label")
    weights = _edge_values(data, weight, 1.0, is_optional=weight == "weight")
    return Edges.of(sources, targets, labels=labels, weights=weights, is_directed=is_directed)


def _edge_values(
    data: Sequence[dict[str, Any]], key: str | None, missing: Any, is_optional: bool
) -> list[Any] | None:
    """Read one edge attribute from every edge; None if no edge has it and that is allowed.

    What stands under an optional key, but is neither a label nor a weight, is not read.
    """
    if key is None or not any(key in values for values in data):
        if key is None or is_optional or not data:
            return None
        raise InvalidGraphError(f"No edge has a value for {key!r}. Name another one, or none.")
    column = [values.get(key, missing) for values in data]
    kinds = (str, bytes, Real, tuple, type(None)) if missing is None else (Real,)
    if is_optional and not all(isinstance(value, kinds) for value in column):
        return None
    return column


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
