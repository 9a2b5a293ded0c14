"""Change one graph: by operations on numbered vertices, and by functions that take names."""

from __future__ import annotations

import math
from collections.abc import Collection, Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from mpgk_core.arrays import IntArray
from mpgk_core.checks import check_whole
from mpgk_core.edits.names import check_one_graph, fresh_name, is_gap, shown, vertex_numbers
from mpgk_core.edits.ties import Tie, Ties, checked_ties, edges_of, ties_of, typical_tie
from mpgk_core.errors import InvalidGraphError, shortened
from mpgk_core.formats.columns import undirected_edges
from mpgk_core.graphs import GraphSet
from mpgk_core.graphs.edges import Edges
from mpgk_core.text import cell_text

MAX_VERTICES = 6_000
"""How many vertices a graph can be edited up to."""

UNLABELLED = "-"
"""The label of all other vertices, as soon as one of a graph without labels gets one."""

_MAX_NUMBERS_SHOWN = 4


class Operation(NamedTuple):
    """One change of a graph.

    Attributes
    ----------
    kind : str
        "remove-edge", "add-edge", "remove-vertices", "add-vertex", "remove-random-edges",
        "rename", "set-label", "label-all" (of a graph without labels), "set-attributes" or
        "set-edge".
    numbers : tuple of int
        The vertices it concerns; the neighbours of a new vertex; number of edges and seed of a
        random removal.
    value : hashable
        A name, a label, a tuple of attributes, or the :class:`~mpgk_core.edits.ties.Tie` s between
        two vertices; None for other kinds.
    """

    kind: str
    numbers: tuple[int, ...] = ()
    value: Hashable = None


class Draft:
    """A graph in the middle of its changes.

    A vertex is a list of its name, its label and its attributes; what the graph lacks is None.
    """

    def __init__(self, graph: GraphSet) -> None:
        check_one_graph(graph)
        self._graph = graph
        self.has_labels = graph.labels is not None
        self.width = None if graph.attributes is None else graph.attributes.shape[1]
        nothing = [None] * graph.n_vertices
        labels = nothing if graph.labels is None else graph.labels
        rows = nothing if graph.attributes is None else map(tuple, graph.attributes.tolist())
        self.vertices = [list(values) for values in zip(graph.names, labels, rows, strict=True)]

    @cached_property
    def edges(self) -> Ties:
        """What joins the vertices that are joined."""
        return ties_of(self._graph)

    @property
    def is_directed(self) -> bool:
        """Whether the graph has directions, also where no edge is left."""
        return self._graph.all_edges().is_directed

    def apply(self, operation: Operation) -> None:
        """Make one change, or raise."""
        is_count = operation.kind == "remove-random-edges"
        if not is_count and any(not 0 <= v < len(self.vertices) for v in operation.numbers):
            raise InvalidGraphError(
                f"A vertex is not a number from 0 to {len(self.vertices) - 1:,}: the edits belong "
                "to another graph."
            )
        match operation:
            case "add-edge", (v, u), _:
                self._toggle_edge(v, u, is_new=True)
            case "remove-edge", (v, u), _:
                self._toggle_edge(v, u, is_new=False)
            case "remove-random-edges", (n_edges, seed), _:
                self.edges = Draft(without_random_edges(self.graph(), n_edges, seed)).edges
            case "add-vertex", neighbours, name:
                self._add_vertex(neighbours, name)
            case "remove-vertices", gone, _:
                self._remove_vertices(gone)
            case "rename", (v,), name:
                self.vertices[v][0] = name
            case "label-all", (), label:
                self._label_all(label)
            case "set-label", (v,), label:
                if not self.has_labels:
                    raise InvalidGraphError("The edits set labels, and the graph lacks labels.")
                self.vertices[v][1] = label
            case "set-attributes", (v,), tuple(row):
                if self.width is None or len(row) != self.width:
                    raise InvalidGraphError(
                        f"The edits set {len(row)} attributes, and the vertices have "
                        f"{self.width or 'none'}."
                    )
                self.vertices[v][2] = row
            case "set-edge", (v, u), ties:
                edge = (min(v, u), max(v, u))
                if edge not in self.edges:
                    raise InvalidGraphError("The edits change an edge that does not exist.")
                self.edges[edge] = checked_ties(ties)
            case _:
                raise InvalidGraphError(
                    f"{shortened(operation.kind)!r} is no operation on a graph."
                )

    def graph(self) -> GraphSet:
        """Return the graph as it is now."""
        check_size(len(self.vertices))
        names, labels, rows = zip(*self.vertices, strict=True)
        graph = graph_of_edges(
            edges_of(self.edges, self.is_directed),
            names,
            labels if self.has_labels else None,
            None if self.width is None else np.array(rows, dtype=np.float64),
        )
        graph.label_names = self._graph.label_names
        return graph

    def _toggle_edge(self, v: int, u: int, is_new: bool) -> None:
        one, other = (shown(self.vertices[end][0]) for end in (v, u))
        edge = (min(v, u), max(v, u))
        if v == u and edge not in self.edges:
            raise InvalidGraphError(
                f"An edge needs two different vertices. Both ends are {one!r}: choose another."
            )
        if is_new and edge in self.edges:
            raise InvalidGraphError(
                f"Vertices {one!r} and {other!r} are joined already. Choose two that are not."
            )
        if not is_new and edge not in self.edges:
            raise InvalidGraphError(
                f"There is no edge between {one!r} and {other!r}. Choose two vertices that are "
                "joined."
            )
        if is_new:
            self._join(v, u)
        else:
            del self.edges[edge]

    def _join(self, v: int, u: int) -> None:
        """Add an edge with the usual label and weight, from v to u in a directed graph."""
        usual = typical_tie(self._graph)
        is_back = usual.direction == ">" and v > u
        self.edges[min(v, u), max(v, u)] = (usual._replace(direction="<") if is_back else usual,)

    def _add_vertex(self, neighbours: tuple[int, ...], name: Hashable) -> None:
        new = len(self.vertices)
        check_size(new + 1)
        label = self.vertices[0][1] if self.vertices else None
        self.vertices.append([name, label, None if self.width is None else (0.0,) * self.width])
        for v in neighbours:
            self._join(new, v)

    def _remove_vertices(self, gone: tuple[int, ...]) -> None:
        kept = sorted(set(range(len(self.vertices))).difference(gone))
        number = {v: i for i, v in enumerate(kept)}
        self.vertices = [self.vertices[v] for v in kept]
        self.edges = {
            (number[v], number[u]): ties
            for (v, u), ties in self.edges.items()
            if v in number and u in number
        }

    def _label_all(self, label: Hashable) -> None:
        if self.has_labels:
            raise InvalidGraphError("The edits label all vertices, and they have labels already.")
        self.has_labels = True
        for vertex in self.vertices:
            vertex[1] = label


def apply_operations(graph: GraphSet, operations: Iterable[Operation]) -> GraphSet:
    """Return the graph that results from operations, made one after the other.

    Parameters
    ----------
    graph : GraphSet
        With one graph; it is not changed.
    operations : iterable of Operation

    Returns
    -------
    GraphSet

    Raises
    ------
    InvalidGraphError, InvalidParameterError
        If an operation cannot be made.

    Examples
    --------
    >>> import networkx as nx
    >>> ring = GraphSet.from_networkx(nx.cycle_graph(5))
    >>> apply_operations(ring, [Operation("remove-edge", (0, 1)), Operation("add-vertex", (2,), 5)])
    GraphSet(1 graph, 6 vertices, 5 edges)
    """
    draft = Draft(graph)
    for operation in operations:
        draft.apply(operation)
    return draft.graph()


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
    ends = vertex_numbers(graph, [one, other])
    return apply_operations(graph, [Operation("add-edge", ends)])


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
    ends = vertex_numbers(graph, [one, other])
    return apply_operations(graph, [Operation("remove-edge", ends)])


def without_random_edges(graph: GraphSet, n_edges: int, seed: int = 0) -> GraphSet:
    """Remove some edges at random.

    The same seed removes the same edges, whatever the order of the vertices; one more edge is
    removed in addition to those before it.

    Parameters
    ----------
    graph : GraphSet
        With one graph; it is not changed.
    n_edges : int
        How many edges to remove, at most all.
    seed : int

    Returns
    -------
    GraphSet

    Raises
    ------
    InvalidParameterError
        If there are fewer edges.

    Examples
    --------
    >>> import networkx as nx
    >>> without_random_edges(GraphSet.from_networkx(nx.cycle_graph(9)), 2, seed=1)
    GraphSet(1 graph, 9 vertices, 7 edges)
    """
    order = random_edge_order(graph, seed)
    check_whole(n_edges, 0, "n_edges", "without_random_edges", maximum=len(order))
    return with_edges(graph, order[n_edges:])


def random_edge_order(graph: GraphSet, seed: int = 0) -> IntArray:
    """Return all edges in a random order, which depends on the names and the seed alone.

    Parameters
    ----------
    graph : GraphSet
        With one graph.
    seed : int

    Returns
    -------
    ndarray of shape (m, 2)
        Pairs of vertex numbers.

    Examples
    --------
    >>> import networkx as nx
    >>> random_edge_order(GraphSet.from_networkx(nx.path_graph(4)), seed=2).tolist()
    [[2, 3], [0, 1], [1, 2]]
    """
    check_one_graph(graph)
    check_whole(seed, 0, "seed", "random_edge_order")
    names = [repr(name) for name in graph.names]
    rank = np.empty(len(names), dtype=np.int64)
    rank[sorted(range(len(names)), key=names.__getitem__)] = np.arange(len(names))
    edges = undirected_edges(graph)
    ends = np.sort(rank[edges], axis=1)
    by_name = edges[np.lexsort((ends[:, 1], ends[:, 0]))]
    return by_name[np.random.default_rng(seed).permutation(len(edges))]


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
    graph: GraphSet, name: Hashable | None = None, *, joined_to: Collection[Hashable] = ()
) -> GraphSet:
    """Add a vertex behind all others, with the :func:`typical_values` of the others.

    Parameters
    ----------
    graph : GraphSet
        With one graph; it is not changed.
    name : hashable, optional
        By default a new one, see :func:`fresh_name`.
    joined_to : collection of hashable
        Names of the new vertex's neighbours.

    Returns
    -------
    GraphSet

    Raises
    ------
    InvalidGraphError
        If the name is empty or taken, a neighbour is unknown, or there are ``MAX_VERTICES``
        already.

    Examples
    --------
    >>> import networkx as nx
    >>> larger = with_vertex(GraphSet.from_networkx(nx.path_graph(3)), joined_to=[0, 2])
    >>> larger, larger.names
    (GraphSet(1 graph, 4 vertices, 4 edges), [0, 1, 2, 3])
    """
    neighbours = vertex_numbers(graph, joined_to)
    name = fresh_name([graph]) if name is None else name
    _check_new_name(graph, name)
    typical, draft = typical_values(graph), Draft(graph)
    draft.apply(Operation("add-vertex", neighbours, name))
    draft.vertices[-1] = [name, typical.label, typical.attributes]
    return draft.graph()


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
    if not names:
        raise InvalidGraphError("No vertex is named. Choose at least one to remove.")
    gone = vertex_numbers(graph, names)
    return apply_operations(graph, [Operation("remove-vertices", gone)])


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
    vertex = vertex_numbers(graph, [name])
    _check_new_name(graph, new)
    return apply_operations(graph, [Operation("rename", vertex, new)])


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
    vertex = vertex_numbers(graph, [name])
    if is_gap(label):
        raise InvalidGraphError(f"The label of vertex {shown(name)!r} is empty. Give it one.")
    first = [Operation("label-all", (), UNLABELLED)] if graph.labels is None else []
    return apply_operations(graph, [*first, Operation("set-label", vertex, label)])


def with_edge_facts(
    graph: GraphSet,
    one: Hashable,
    other: Hashable,
    *,
    label: Hashable = None,
    weight: float | None = None,
    direction: str = "-",
) -> GraphSet:
    """Set the label, the weight and the direction of the edge between two vertices.

    Parameters
    ----------
    graph : GraphSet
        With one graph; it is not changed.
    one, other : hashable
        Names of two vertices that are joined; parallel edges become one.
    label : hashable, optional
        Where no edge has a label yet, the label of all others is None.
    weight : float, optional
        At least 0. Where no edge has a weight yet, all others weigh 1.
    direction : {"-", ">", "<"}
        In both directions, from the first to the second vertex, or back. Where no edge has a
        direction yet, all others go both ways.

    Returns
    -------
    GraphSet

    Raises
    ------
    InvalidGraphError
        If a vertex is unknown, they are not joined, or a value is not possible.

    Examples
    --------
    >>> import networkx as nx
    >>> path = GraphSet.from_networkx(nx.path_graph(3))
    >>> with_edge_facts(path, 1, 0, label="=").edges.labels
    ['=', None]
    """
    v, u = vertex_numbers(graph, [one, other])
    turned = {">": "<", "<": ">"}.get(direction, direction)
    ties = (Tie(direction if v <= u else turned, label, weight),)
    return apply_operations(graph, [Operation("set-edge", (v, u), ties)])


def graph_of_edges(
    edges: Edges, names: Sequence[Hashable], labels: Sequence[Hashable] | None, attributes: Any
) -> GraphSet:
    """Return one graph with these edges."""
    return GraphSet(
        None,
        [0, len(names)],
        names=names,
        labels=labels,
        attributes=attributes,
        self_loops="keep",
        edges=edges,
    )


def with_edges(graph: GraphSet, pairs: IntArray) -> GraphSet:
    """Return one graph with some of its edges: those between pairs of vertex numbers."""
    edges, n = graph.all_edges(), graph.n_vertices
    codes = np.minimum(edges.sources, edges.targets) * np.int64(n)
    codes += np.maximum(edges.sources, edges.targets)
    kept = np.isin(codes, pairs.min(axis=1, initial=n) * n + pairs.max(axis=1, initial=-1))
    part = graph_of_edges(edges.chosen(kept), graph.names, graph.labels, graph.attributes)
    part.label_names = graph.label_names
    return part


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
