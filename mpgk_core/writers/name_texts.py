"""Names of vertices as text that still tells them apart."""

from __future__ import annotations

from collections import Counter

from mpgk_core.errors import InvalidGraphError, shortened
from mpgk_core.graphs import GraphSet
from mpgk_core.writers.csv_cells import cell_text

__all__ = ["name_texts"]


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
    texts = [cell_text(name) for name in graph.names]
    if "" in texts:
        raise InvalidGraphError("A vertex has no name. Give every vertex one.")
    if len(set(texts)) < len(texts):
        (twice, _), *_ = Counter(texts).most_common(1)
        raise InvalidGraphError(
            f"Two vertices are both written as {shortened(twice)!r}. Give them other names."
        )
    return texts
