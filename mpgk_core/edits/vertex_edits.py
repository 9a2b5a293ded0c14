"""One vertex more, or some less."""

from __future__ import annotations

import math
from collections.abc import Collection, Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array

from mpgk_core.edits.lookup import check_one_graph, shown, vertex_numbers
from mpgk_core.edits.naming import check_new_name, fresh_name
from mpgk_core.errors import InvalidGraphError
from mpgk_core.formats.columns import undirected_edges
from mpgk_core.graphs import GraphSet
from mpgk_core.graphs.sampling import induced_subgraph

MOST_VERTICES = 6_000
"""How many vertices a graph can be edited up to."""

_MOST_NUMBERS_SAID = 4


@dataclass(frozen=True)
class TypicalValues:
    """What a new vertex gets where nothing else is said.

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
        """The values, and where they come from.

        Examples
        --------
        >>> TypicalValues("C", (0.5, 1.25)).words
        "label 'C', the most common; attributes 0.5, 1.25, the mean"
        """
        parts = []
        if self.label is not None:
            parts.append(f"label {shown(self.label)!r}, the most common")
        if self.attributes is not None:
            numbers = [f"{value:.4g}" for value in self.attributes[:_MOST_NUMBERS_SAID]]
            more = ["…"] if len(self.attributes) > _MOST_NUMBERS_SAID else []
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
    if graph.n_vertices == 0:
        return TypicalValues(None, None)
    label, means = None, None
    if graph.label_codes is not None:
        label = graph.label_values[int(np.bincount(graph.label_codes).argmax())]
    if graph.attributes is not None:
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
        With one graph; it stays as it is.
    name : hashable, optional
        By default a fresh one, see :func:`~mpgk_core.edits.naming.fresh_name`.
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
        or attributes or other numbers of them, or there are ``MOST_VERTICES`` already.

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
    if name is None:
        name = fresh_name([graph])
    check_new_name(graph, name)
    neighbours = vertex_numbers(graph, joined_to)
    typical = typical_values(graph)
    if n and label is not None and graph.label_codes is None:
        raise InvalidGraphError(
            f"The new vertex has the label {shown(label)!r}, but the others have none. "
            "Leave it out."
        )
    label = typical.label if label is None else label
    row = typical.attributes if attributes is None else attributes
    labels, rows = graph.labels or [], _attribute_rows(graph, row)
    new_edges = np.column_stack([neighbours, np.full(len(neighbours), n, dtype=np.int64)])
    edges = np.vstack([undirected_edges(graph), new_edges])
    return GraphSet(
        coo_array((np.ones(len(edges)), (edges[:, 0], edges[:, 1])), shape=(n + 1, n + 1)),
        [0, n + 1],
        names=[*graph.names, name],
        labels=None if label is None else [*labels, label],
        attributes=rows,
        self_loops="keep",
    )


def without_vertices(graph: GraphSet, names: Collection[Hashable]) -> GraphSet:
    """Remove vertices, and with them their edges.

    Parameters
    ----------
    graph : GraphSet
        With one graph; it stays as it is.
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


def check_size(n_vertices: int) -> None:
    """Raise unless an edited graph can have so many vertices."""
    if n_vertices == 0:
        raise InvalidGraphError("No vertex would be left. Keep at least one.")
    if n_vertices > MOST_VERTICES:
        raise InvalidGraphError(
            f"The graph would have {n_vertices:,} vertices, and it can be edited up to "
            f"{MOST_VERTICES:,}. Remove some first."
        )


def _attribute_rows(
    graph: GraphSet, row: Sequence[float] | None
) -> NDArray[np.float64] | list[Sequence[float]] | None:
    if row is None or graph.n_vertices == 0:
        return None if row is None else [row]
    if graph.attributes is None:
        raise InvalidGraphError(
            "The new vertex has attributes, but the others have none. Leave them out."
        )
    width = graph.attributes.shape[1]
    if len(row) != width:
        raise InvalidGraphError(
            f"The new vertex has {len(row)} attributes, but the others have {width}. "
            f"Give it {width} numbers."
        )
    return [*graph.attributes, row]
