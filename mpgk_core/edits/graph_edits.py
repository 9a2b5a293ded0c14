"""Add and remove edges and vertices of one graph; vertices are given by their names."""

from __future__ import annotations

import math
from collections.abc import Collection, Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse import coo_array

from mpgk_core.arrays import IntArray
from mpgk_core.edits.names import check_one_graph, fresh_name, is_gap, shown, vertex_numbers
from mpgk_core.errors import InvalidGraphError
from mpgk_core.formats.columns import undirected_edges
from mpgk_core.graphs import GraphSet
from mpgk_core.graphs.graph_set import induced_subgraph
from mpgk_core.text import cell_text

MAX_VERTICES = 6_000
"""How many vertices a graph can be edited up to."""

UNLABELLED = "-"
"""The label of all other vertices, as soon as one of a graph without labels gets one."""

_MAX_NUMBERS_SHOWN = 4


def with_edge(graph: GraphSet, one: Hashable, other: Hashable) -> GraphSet:
    """Add an edge.

    Parameters
    ----------
    graph : GraphSet
        With one graph; it is not changed.
    one, other : hashable
        Names of two vertices that are not joined yet.

    Returns
    -------
    GraphSet

    Raises
    ------
    InvalidGraphError
        If a vertex is unknown, both are the same, or the edge is there already.

    Examples
    --------
    >>> import networkx as nx
    >>> with_edge(GraphSet.from_networkx(nx.path_graph(4)), 0, 3)
    GraphSet(1 graph, 4 vertices, 4 edges)
    """
    if graph.adjacency[_ends(graph, one, other)]:
        raise InvalidGraphError(
            f"Vertices {shown(one)!r} and {shown(other)!r} are joined already. "
            "Choose two that are not."
        )
    return toggled_edge(graph, one, other)


def without_edge(graph: GraphSet, one: Hashable, other: Hashable) -> GraphSet:
    """Remove an edge.

    Parameters
    ----------
    graph : GraphSet
        With one graph; it is not changed.
    one, other : hashable
        Names of two vertices that are joined.

    Returns
    -------
    GraphSet

    Raises
    ------
    InvalidGraphError
        If a vertex is unknown, both are the same, or there is no such edge.

    Examples
    --------
    >>> import networkx as nx
    >>> without_edge(GraphSet.from_networkx(nx.path_graph(4)), 2, 1)
    GraphSet(1 graph, 4 vertices, 2 edges)
    """
    if not graph.adjacency[_ends(graph, one, other)]:
        raise InvalidGraphError(
            f"There is no edge between {shown(one)!r} and {shown(other)!r}. "
            "Choose two vertices that are joined."
        )
    return toggled_edge(graph, one, other)


def toggled_edge(graph: GraphSet, one: Hashable, other: Hashable) -> GraphSet:
    """Remove the edge between two vertices, or add it where there is none.

    Parameters
    ----------
    graph : GraphSet
        With one graph; it is not changed.
    one, other : hashable
        Names of two vertices.

    Returns
    -------
    GraphSet

    Examples
    --------
    >>> import networkx as nx
    >>> ring = GraphSet.from_networkx(nx.cycle_graph(5))
    >>> toggled_edge(ring, 0, 1).n_edges, toggled_edge(ring, 0, 2).n_edges
    (4, 6)
    """
    pair = sorted(_ends(graph, one, other))
    edges = undirected_edges(graph)
    is_other = (edges != pair).any(axis=1)
    return with_edges(graph, np.vstack([edges, [pair]]) if is_other.all() else edges[is_other])


@dataclass(frozen=True)
class TypicalValues:
    """The label and the attributes that a new vertex gets by default.

    Attributes
    ----------
    label : hashable or None
        The most common label; the first in canonical order, where several are. None where
        vertices have no labels.
    attributes : tuple of float or None
        The mean. None where vertices have no attributes.
    """

    label: Hashable | None
    attributes: tuple[float, ...] | None

    @property
    def words(self) -> str:
        """The values, and how they are chosen.

        Examples
        --------
        >>> TypicalValues("C", (0.5, 1.25)).words
        "label 'C', the most common; attributes 0.5, 1.25, the mean"
        """
        parts = []
        if self.label is not None:
            parts.append(f"label {shown(self.label)!r}, the most common")
        if self.attributes is not None:
            numbers = [f"{value:.4g}" for value in self.attributes[:_MAX_NUMBERS_SHOWN]]
            more = ["…"] if len(self.attributes) > _MAX_NUMBERS_SHOWN else []
            parts.append(f"attributes {', '.join(numbers + more)}, the mean")
        return "; ".join(parts) or "neither label nor attributes"


def typical_values(graph: GraphSet) -> TypicalValues:
    """Return the most common label and the mean attributes of a graph.

    Parameters
    ----------
    graph : GraphSet
        With one graph.

    Returns
    -------
    TypicalValues

    Examples
    --------
    >>> ring = GraphSet(np.zeros((3, 3)), [0, 3], labels="COC", attributes=[[1], [2], [6]])
    >>> typical_values(ring)
    TypicalValues(label='C', attributes=(3.0,))
    """
    check_one_graph(graph)
    label, means = None, None
    if graph.n_vertices and graph.label_codes is not None:
        label = graph.label_values[int(np.bincount(graph.label_codes).argmax())]
    if graph.n_vertices and graph.attributes is not None:
        columns = (graph.attributes / graph.n_vertices).T.tolist()
        means = tuple(math.fsum(column) for column in columns)
    return TypicalValues(label, means)


def with_vertex(
    graph: GraphSet,
    name: Hashable | None = None,
    *,
    label: Hashable | None = None,
    attributes: Sequence[float] | None = None,
    joined_to: Collection[Hashable] = (),
) -> GraphSet:
    """Add a vertex behind all others.

    Parameters
    ----------
    graph : GraphSet
        With one graph; it is not changed.
    name : hashable, optional
        By default a new one, see :func:`fresh_name`.
    label, attributes : optional
        By default, where vertices have any, the :func:`typical_values`.
    joined_to : collection of hashable
        Names of the new vertex's neighbours.

    Returns
    -------
    GraphSet

    Raises
    ------
    InvalidGraphError
        If the name is empty or taken, a neighbour is unknown, the other vertices have no labels
        or attributes or other numbers of them, or there are ``MAX_VERTICES`` already.

    Examples
    --------
    >>> import networkx as nx
    >>> larger = with_vertex(GraphSet.from_networkx(nx.path_graph(3)), joined_to=[0, 2])
    >>> larger, larger.names
    (GraphSet(1 graph, 4 vertices, 4 edges), [0, 1, 2, 3])
    """
    check_one_graph(graph)
    n = graph.n_vertices
    check_size(n + 1)
    name = fresh_name([graph]) if name is None else name
    _check_new_name(graph, name)
    if n and label is not None and graph.label_codes is None:
        raise InvalidGraphError(
            f"The new vertex has the label {shown(label)!r}, but the others have none. "
            "Leave it out."
        )
    if n and attributes is not None:
        _check_width(graph, len(attributes))
    typical = typical_values(graph)
    label = typical.label if label is None else label
    row = typical.attributes if attributes is None else attributes
    neighbours = vertex_numbers(graph, joined_to)
    new_edges = np.column_stack([neighbours, np.full(len(neighbours), n, dtype=np.int64)])
    return graph_of_edges(
        np.vstack([undirected_edges(graph), new_edges]),
        [*graph.names, name],
        None if label is None else [*(graph.labels or []), label],
        None if row is None else [*(() if graph.attributes is None else graph.attributes), row],
    )


def without_vertices(graph: GraphSet, names: Collection[Hashable]) -> GraphSet:
    """Remove vertices and their edges.

    Parameters
    ----------
    graph : GraphSet
        With one graph; it is not changed.
    names : collection of hashable
        Names of the vertices to remove.

    Returns
    -------
    GraphSet

    Raises
    ------
    InvalidGraphError
        If no vertex is named, one is unknown, or none would be left.

    Examples
    --------
    >>> import networkx as nx
    >>> without_vertices(GraphSet.from_networkx(nx.star_graph(4)), [0]).names
    [1, 2, 3, 4]
    """
    gone = vertex_numbers(graph, names)
    if not len(gone):
        raise InvalidGraphError("No vertex is named. Choose at least one to remove.")
    kept = np.setdiff1d(np.arange(graph.n_vertices), gone)
    check_size(len(kept))
    return induced_subgraph(graph, kept)


def renamed(graph: GraphSet, name: Hashable, new: Hashable) -> GraphSet:
    """Give a vertex another name.

    Parameters
    ----------
    graph : GraphSet
        With one graph; it is not changed.
    name : hashable
        Of a vertex.
    new : hashable
        A name that no vertex has.

    Returns
    -------
    GraphSet

    Raises
    ------
    InvalidGraphError
        If the vertex is unknown, or the new name is empty or taken.

    Examples
    --------
    >>> import networkx as nx
    >>> renamed(GraphSet.from_networkx(nx.path_graph(3)), 1, "middle").names
    [0, 'middle', 2]
    """
    (v,) = vertex_numbers(graph, [name]).tolist()
    _check_new_name(graph, new)
    names = [*graph.names[:v], new, *graph.names[v + 1 :]]
    return graph_of_edges(undirected_edges(graph), names, graph.labels, graph.attributes)


def with_label(graph: GraphSet, name: Hashable, label: Hashable) -> GraphSet:
    """Give a vertex another label.

    Parameters
    ----------
    graph : GraphSet
        With one graph; it is not changed.
    name : hashable
        Of a vertex.
    label : hashable
        Where no vertex has a label yet, all others get the label ``UNLABELLED``.

    Returns
    -------
    GraphSet

    Raises
    ------
    InvalidGraphError
        If the vertex is unknown, or the label is empty.

    Examples
    --------
    >>> import networkx as nx
    >>> with_label(GraphSet.from_networkx(nx.path_graph(3)), 1, "C").labels
    ['-', 'C', '-']
    """
    (v,) = vertex_numbers(graph, [name]).tolist()
    if is_gap(label):
        raise InvalidGraphError(f"The label of vertex {shown(name)!r} is empty. Give it one.")
    labels = list(graph.labels or [UNLABELLED] * graph.n_vertices)
    labels[v] = label
    return graph_of_edges(undirected_edges(graph), graph.names, labels, graph.attributes)


def graph_of_edges(
    edges: IntArray, names: Sequence[Hashable], labels: Sequence[Hashable] | None, attributes: Any
) -> GraphSet:
    """Return one graph with these edges, given as pairs of vertex numbers."""
    n = len(names)
    ends = (edges[:, 0], edges[:, 1])
    return GraphSet(
        coo_array((np.ones(len(edges)), ends), shape=(n, n)),
        [0, n],
        names=names,
        labels=labels,
        attributes=attributes,
        self_loops="keep",
    )


def with_edges(graph: GraphSet, edges: IntArray) -> GraphSet:
    """Return the vertices of one graph with other edges, given as pairs of vertex numbers."""
    return graph_of_edges(edges, graph.names, graph.labels, graph.attributes)


def check_size(n_vertices: int) -> None:
    """Raise unless an edited graph can have this number of vertices."""
    if n_vertices == 0:
        raise InvalidGraphError("No vertex would be left. Keep at least one.")
    if n_vertices > MAX_VERTICES:
        raise InvalidGraphError(
            f"The graph would have {n_vertices:,} vertices, and it can be edited up to "
            f"{MAX_VERTICES:,}. Remove some first."
        )


def _check_new_name(graph: GraphSet, name: Hashable) -> None:
    if is_gap(name):
        raise InvalidGraphError("The new vertex has no name. Give it one.")
    if cell_text(name) in map(cell_text, graph.names):
        raise InvalidGraphError(
            f"There is a vertex {shown(name)!r} already. Give the new vertex another name."
        )


def _check_width(graph: GraphSet, n_attributes: int) -> None:
    if graph.attributes is None:
        raise InvalidGraphError(
            "The new vertex has attributes, but the others have none. Leave them out."
        )
    width = graph.attributes.shape[1]
    if n_attributes != width:
        raise InvalidGraphError(
            f"The new vertex has {n_attributes} attributes, but the others have {width}. "
            f"Give it {width} numbers."
        )


def _ends(graph: GraphSet, one: Hashable, other: Hashable) -> tuple[int, int]:
    v, u = vertex_numbers(graph, [one, other]).tolist()
    if v == u:
        raise InvalidGraphError(
            f"An edge needs two different vertices. Both ends are {shown(one)!r}: choose another."
        )
    return v, u
