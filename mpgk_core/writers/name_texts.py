"""Names of vertices as text that still tells them apart."""

from __future__ import annotations

from mpgk_core.errors import InvalidGraphError
from mpgk_core.graphs import GraphSet
from mpgk_core.writers.vertex_columns import texts_of_names


def name_texts(graph: GraphSet) -> list[str]:
    """Return one text per vertex of one graph.

    Parameters
    ----------
    graph : GraphSet
        One graph.

    Returns
    -------
    list of str
        All different, none empty; otherwise this raises.

    Examples
    --------
    >>> import networkx as nx
    >>> name_texts(GraphSet.from_networkx(nx.Graph([("a", 1)])))
    ['a', '1']
    """
    texts = texts_of_names(graph)
    if "" in texts:
        raise InvalidGraphError("A vertex has no name. Give every vertex one.")
    return texts
