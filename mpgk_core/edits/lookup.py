"""Vertices by their names, which stay what they are while numbers shift under edits."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from mpgk_core.csv_cells import cell_text
from mpgk_core.errors import InvalidGraphError, shortened
from mpgk_core.formats.columns import undirected_edges
from mpgk_core.graphs import GraphSet

Edge: TypeAlias = tuple[Hashable, Hashable]
"""Names of two vertices, in the order of the graph."""


def shown(name: Hashable) -> str:
    """Return a name or a label fit for a sentence: on one line, of bounded length.

    Examples
    --------
    >>> shown(3), shown(("C", 2))
    ('3', '["C", 2]')
    """
    return shortened(cell_text(name))


def check_one_graph(graph: GraphSet) -> None:
    """Raise unless there is exactly one graph."""
    if len(graph) != 1:
        raise InvalidGraphError(f"Edits belong to one graph. Got {len(graph)}: choose one of them.")


def vertex_numbers(graph: GraphSet, names: Iterable[Hashable]) -> NDArray[np.int64]:
    """Return the numbers of the vertices with these names, or raise.

    Parameters
    ----------
    graph : GraphSet
        With one graph.
    names : iterable of hashable

    Returns
    -------
    ndarray of int

    Examples
    --------
    >>> import networkx as nx
    >>> vertex_numbers(GraphSet.from_networkx(nx.Graph([("a", "b"), ("b", "c")])), ["c", "a"])
    array([2, 0])
    """
    check_one_graph(graph)
    number = {name: v for v, name in enumerate(graph.names)}
    wanted = list(names)
    for name in wanted:
        if name not in number:
            raise InvalidGraphError(
                f"There is no vertex {shown(name)!r} in this graph. Choose one of its "
                f"{graph.n_vertices:,} vertices."
            )
    return np.array([number[name] for name in wanted], dtype=np.int64)


def matched_vertices(
    before: GraphSet, after: GraphSet
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Pair the vertices that two versions of a graph have in common: those of equal names.

    Parameters
    ----------
    before, after : GraphSet
        With one graph each.

    Returns
    -------
    in_before, in_after : ndarray of shape (m,)
        Numbers of the common vertices, in the order of the version before.

    Examples
    --------
    >>> import networkx as nx
    >>> one, other = nx.path_graph(4), nx.Graph([(3, 1)])
    >>> [v.tolist() for v in matched_vertices(*map(GraphSet.from_networkx, (one, other)))]
    [[1, 3], [1, 0]]
    """
    check_one_graph(before)
    check_one_graph(after)
    number = {name: v for v, name in enumerate(after.names)}
    pairs = [(v, number[name]) for v, name in enumerate(before.names) if name in number]
    table = np.array(pairs, dtype=np.int64).reshape(-1, 2)
    return table[:, 0], table[:, 1]


def named_edges(graph: GraphSet) -> dict[frozenset[Hashable], Edge]:
    """Return all edges of one graph, by the sets of their ends.

    Parameters
    ----------
    graph : GraphSet
        With one graph.

    Returns
    -------
    dict of frozenset to tuple
        In the order of :func:`~mpgk_core.formats.columns.undirected_edges`.
    """
    names = graph.names
    pairs = ((names[v], names[u]) for v, u in undirected_edges(graph).tolist())
    return {frozenset(pair): pair for pair in pairs}
