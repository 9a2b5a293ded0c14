"""Names for new vertices: never empty, never one that looks like another."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from itertools import count

from mpgk_core.csv_cells import cell_text
from mpgk_core.edits.cells import is_gap, is_whole_number, known_names
from mpgk_core.edits.lookup import shown
from mpgk_core.errors import InvalidGraphError
from mpgk_core.graphs import GraphSet


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


def typed_name(graph: GraphSet, text: str) -> Hashable:
    """Return the name that a user means: an existing one, or a new one in the style of the others.

    Parameters
    ----------
    graph : GraphSet
        With one graph.
    text : str
        As typed; blanks around it do not count.

    Returns
    -------
    hashable

    Examples
    --------
    >>> import networkx as nx
    >>> numbers, letters = nx.path_graph(4), nx.Graph([("a", "b")])
    >>> [typed_name(GraphSet.from_networkx(graph), " 7 ") for graph in (numbers, letters)]
    [7, '7']
    """
    return known_names(graph).meant(text)


def check_new_name(graph: GraphSet, name: Hashable) -> None:
    """Raise unless a new vertex can have this name: not empty, and unlike all others.

    Parameters
    ----------
    graph : GraphSet
        With one graph.
    name : hashable
    """
    text = cell_text(name)
    if is_gap(name):
        raise InvalidGraphError("The new vertex has no name. Give it one.")
    if text in {cell_text(other) for other in graph.names}:
        raise InvalidGraphError(
            f"There is a vertex {shown(name)!r} already. Give the new vertex another name."
        )
