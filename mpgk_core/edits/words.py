"""What was done to a graph, in words."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mpgk_core.edits.lookup import Edge, matched_vertices, named_edges, shown
from mpgk_core.graphs import GraphSet

_MOST_SAID = 3


def words_of_change(before: GraphSet, after: GraphSet) -> str:
    """Say what tells two versions of a graph apart; vertices are known by their names.

    Parameters
    ----------
    before, after : GraphSet
        With one graph each.

    Returns
    -------
    str
        Plain text, of bounded length.

    Examples
    --------
    >>> import networkx as nx
    >>> ring, path = map(GraphSet.from_networkx, (nx.cycle_graph(4), nx.path_graph(4)))
    >>> words_of_change(ring, path), words_of_change(path, ring)
    ('removed edge 0 – 3', 'added edge 0 – 3')
    """
    in_before, in_after = matched_vertices(before, after)
    gone, new = _others(before, in_before), _others(after, in_after)
    old_edges, new_edges = named_edges(before), named_edges(after)
    gone_names, new_names = set(gone), set(new)
    lost = [
        edge
        for key, edge in old_edges.items()
        if key not in new_edges and gone_names.isdisjoint(edge)
    ]
    won = [
        edge
        for key, edge in new_edges.items()
        if key not in old_edges and new_names.isdisjoint(edge)
    ]
    old_names = before.names
    names = [old_names[v] for v in in_before.tolist()]
    relabelled = _differ(_labels(before, in_before), _labels(after, in_after), names)
    moved = _differ(_rows(before, in_before), _rows(after, in_after), names)

    def joined(name: Hashable) -> str:
        ends = [edge[edge[0] == name] for edge in new_edges.values() if name in edge]
        return (
            f"{shown(name)} joined to {_said('{}', '{}', '{} vertices', ends, shown)}"
            if ends
            else shown(name)
        )

    parts = [
        _said("removed vertex {}", "removed vertices {}", "removed {} vertices", gone, shown),
        _said("added vertex {}", "added vertices {}", "added {} vertices", new, joined),
        _said("removed edge {}", "removed edges {}", "removed {} edges", lost, _edge_text),
        _said("added edge {}", "added edges {}", "added {} edges", won, _edge_text),
        _said(
            "changed the label of {}",
            "changed the labels of {}",
            "changed the labels of {} vertices",
            relabelled,
            shown,
        ),
        _said(
            "changed the attributes of {}",
            "changed the attributes of {}",
            "changed the attributes of {} vertices",
            moved,
            shown,
        ),
    ]
    return "; ".join(part for part in parts if part) or "changed nothing"


def _said(one: str, few: str, many: str, things: Sequence[Any], text: Callable[[Any], str]) -> str:
    if not things:
        return ""
    if len(things) > _MOST_SAID:
        return many.format(f"{len(things):,}")
    return (one if len(things) == 1 else few).format(", ".join(map(text, things)))


def _others(graph: GraphSet, vertices: NDArray[np.int64]) -> list[Hashable]:
    """Return the names of all vertices but these."""
    names = graph.names
    return [names[v] for v in np.setdiff1d(np.arange(graph.n_vertices), vertices).tolist()]


def _edge_text(edge: Edge) -> str:
    return " – ".join(map(shown, edge))


def _labels(graph: GraphSet, vertices: NDArray[np.int64]) -> list[Any]:
    labels = graph.labels
    return [None if labels is None else (labels[v],) for v in vertices.tolist()]


def _rows(graph: GraphSet, vertices: NDArray[np.int64]) -> list[Any]:
    table = graph.attributes
    return [None] * len(vertices) if table is None else table[vertices].tolist()


def _differ(before: list[Any], after: list[Any], names: list[Hashable]) -> list[Hashable]:
    return [name for name, old, new in zip(names, before, after, strict=True) if old != new]
