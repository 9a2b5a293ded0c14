"""From networkx graphs to a :class:`GraphSet` and back."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

import networkx as nx
import numpy as np
from scipy.sparse import coo_array

from mpgk_core.errors import InvalidGraphError
from mpgk_core.graphs.graph_set import GraphSet

_MISSING = object()


def as_graph_set(graphs: Any) -> GraphSet:
    """Accept what users have at hand: a GraphSet, a networkx graph, or a list of either.

    Parameters
    ----------
    graphs : GraphSet, networkx graph, or sequence of these
        At least one graph.

    Returns
    -------
    GraphSet
    """
    if isinstance(graphs, GraphSet):
        if len(graphs) == 0:
            raise InvalidGraphError("There are no graphs. Give at least one.")
        return graphs
    if isinstance(graphs, nx.Graph):
        return graph_set_from_networkx(graphs)
    try:
        members = list(graphs)
    except TypeError:
        members = [graphs]
    if not any(isinstance(member, GraphSet) for member in members):
        return graph_set_from_networkx(members)
    return GraphSet.concatenate([as_graph_set(member) for member in members])


def graph_set_from_networkx(
    graphs: nx.Graph | Sequence[nx.Graph],
    node_label: str | None = "label",
    node_attributes: str | Sequence[str] | None = "attributes",
    self_loops: str = "drop",
) -> GraphSet:
    """Do the work of :meth:`GraphSet.from_networkx`, where the parameters are described."""
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
    is_there = any(columns) and offsets[-1] > 0
    rows = _joined_rows(members, columns) if is_there else None
    labels = (
        None if node_label is None else _node_values(members, node_label, node_label == "label")
    )
    return GraphSet(
        _stacked_edges(members, offsets),
        offsets,
        names=[name for member in members for name in member],
        labels=labels,
        attributes=rows,
        self_loops=self_loops,
    )


def graph_set_to_networkx(graphs: GraphSet) -> list[nx.Graph]:
    """Do the work of :meth:`GraphSet.to_networkx`."""
    names, labels = graphs.names, graphs.labels
    result = []
    for start, stop in zip(graphs.offsets[:-1], graphs.offsets[1:], strict=True):
        graph = nx.Graph()
        graph.add_nodes_from(names[start:stop])
        block = graphs.adjacency[start:stop, start:stop].tocoo()
        graph.add_edges_from(
            (names[start + row], names[start + col])
            for row, col in zip(block.row.tolist(), block.col.tolist(), strict=True)
            if row <= col
        )
        for v in range(start, stop):
            if labels is not None:
                graph.nodes[names[v]]["label"] = labels[v]
            if graphs.attributes is not None:
                graph.nodes[names[v]]["attributes"] = tuple(graphs.attributes[v].tolist())
        result.append(graph)
    return result


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
    """Read one node attribute from every vertex; None if nobody has it and that is allowed."""
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
