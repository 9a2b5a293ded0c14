"""Vertices by their names, which stay the same while their numbers shift."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from itertools import count
from typing import Any, TypeAlias

import numpy as np

from mpgk_core.arrays import IntArray
from mpgk_core.edits.ties import Tie, ties_of
from mpgk_core.errors import InvalidGraphError, shortened
from mpgk_core.formats.columns import undirected_edges
from mpgk_core.graphs import GraphSet
from mpgk_core.text import cell_text

Edge: TypeAlias = tuple[Hashable, Hashable]
"""Names of two vertices, in the order of the graph."""

_MAX_LISTED = 3


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


def vertex_numbers(graph: GraphSet, names: Iterable[Hashable]) -> tuple[int, ...]:
    """Return the numbers of the vertices with these names, or raise.

    Parameters
    ----------
    graph : GraphSet
        With one graph.
    names : iterable of hashable

    Returns
    -------
    tuple of int

    Examples
    --------
    >>> import networkx as nx
    >>> vertex_numbers(GraphSet.from_networkx(nx.Graph([("a", "b"), ("b", "c")])), ["c", "a"])
    (2, 0)
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
    return tuple(number[name] for name in wanted)


def matched_vertices(before: GraphSet, after: GraphSet) -> tuple[IntArray, IntArray]:
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


def fresh_name(graphs: Iterable[GraphSet]) -> Hashable:
    """Return a name that no vertex of these graphs has, in the style of the names they have.

    With all versions of a graph given, a new vertex is never taken for one that was removed.

    Parameters
    ----------
    graphs : iterable of GraphSet
        With one graph each.

    Returns
    -------
    hashable
        The next number where all names are whole numbers (or texts of them), else "v1", "v2", ...

    Examples
    --------
    >>> import networkx as nx
    >>> fresh_name([GraphSet.from_networkx(nx.path_graph(4))])
    4
    >>> fresh_name([GraphSet.from_networkx(nx.Graph([("a", "v1")]))])
    'v2'
    """
    names = [name for graph in graphs for name in graph.names]
    texts = {cell_text(name) for name in names}
    if all(is_whole_number(text) for text in texts):
        following = 1 + max(map(int, texts), default=-1)
        return str(following) if any(isinstance(name, str) for name in names) else following
    return next(name for name in (f"v{i}" for i in count(1)) if name not in texts)


def is_gap(cell: Any) -> bool:
    """Return whether a cell is empty: None, NaN and the like, or nothing but blanks."""
    value = cell.item() if isinstance(cell, np.generic) else cell
    if value is None or isinstance(value, str):
        return not (value or "").strip()
    return (value != value) is not False  # NaN differs from itself; pandas.NA gives no answer


def is_whole_number(text: str) -> bool:
    """Return whether a text is how a whole number of at least 0 is written."""
    return text.isascii() and text.isdigit() and len(text) <= 18 and str(int(text)) == text


def words_of_change(before: GraphSet, after: GraphSet) -> str:
    """Describe how two versions of a graph differ; equal names are the same vertex.

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
    old, new = _values_by_name(before), _values_by_name(after)
    old_edges, new_edges = named_edges(before), named_edges(after)
    gone, added = ([v for v in one if v not in other] for one, other in ((old, new), (new, old)))
    lost = [e for ends, e in old_edges.items() if ends not in new_edges and ends <= new.keys()]
    won = [e for ends, e in new_edges.items() if ends not in old_edges and ends <= old.keys()]
    relabelled, moved = ([v for v in old if v in new and old[v][i] != new[v][i]] for i in (0, 1))

    def joined(name: Hashable) -> str:
        ends = [edge[edge[0] == name] for edge in new_edges.values() if name in edge]
        return f"{shown(name)} {_phrase('joined to', 'joined to', 'joined to {} vertices', ends)}"

    old_ties, new_ties = (_ties_by_name(graph) for graph in (before, after))
    changed = [
        edge
        for ends, edge in new_edges.items()
        if old_ties.get(ends, new_ties[ends]) != new_ties[ends]
    ]
    of_labels, of_attributes = "changed the labels of", "changed the attributes of"
    parts = (
        _phrase("removed vertex", "removed vertices", "removed {} vertices", gone),
        _phrase("added vertex", "added vertices", "added {} vertices", added, joined),
        _phrase("removed edge", "removed edges", "removed {} edges", lost, _edge_text),
        _phrase("added edge", "added edges", "added {} edges", won, _edge_text),
        _phrase("changed edge", "changed edges", "changed {} edges", changed, _edge_text),
        _phrase("changed the label of", of_labels, of_labels + " {} vertices", relabelled),
        _phrase(of_attributes, of_attributes, of_attributes + " {} vertices", moved),
    )
    return "; ".join(part for part in parts if part) or "changed nothing"


def _phrase(
    one: str, few: str, many: str, things: Sequence[Any], text: Callable[[Any], str] = shown
) -> str:
    if len(things) > _MAX_LISTED:
        return many.format(f"{len(things):,}")
    listed = ", ".join(text(thing).strip() for thing in things)
    return f"{one if len(things) == 1 else few} {listed}" if things else ""


def _edge_text(edge: Edge) -> str:
    return " – ".join(map(shown, edge))


def _ties_by_name(graph: GraphSet) -> dict[frozenset[Hashable], Any]:
    """Return what joins two vertices, by the set of their names."""
    names, ties = graph.names, ties_of(graph)

    def named(pair: tuple[int, int], tie: Tie) -> tuple[Any, ...]:
        start = None if tie.direction == "-" else names[pair[tie.direction == "<"]]
        return start, tie.label, tie.weight

    return {
        frozenset((names[v], names[u])): frozenset(named((v, u), tie) for tie in own)
        for (v, u), own in ties.items()
    }


def _values_by_name(graph: GraphSet) -> dict[Hashable, tuple[Any, Any]]:
    """Return the label, in a tuple, and the attributes of every vertex, or None without them."""
    check_one_graph(graph)
    nothing = [None] * graph.n_vertices
    labels = nothing if graph.labels is None else [(label,) for label in graph.labels]
    rows = nothing if graph.attributes is None else graph.attributes.tolist()
    return dict(zip(graph.names, zip(labels, rows, strict=True), strict=True))
