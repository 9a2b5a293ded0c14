"""What the figures of an explanation show, in sentences: for those who cannot see them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mpgk_core.explain.hierarchy_table import HierarchyTable
from mpgk_core.explain.history import History
from mpgk_core.explain.words import ExplainedPair, vertex_words

__all__ = ["hierarchy_words", "history_words", "matching_words"]

_MOST_SAID = 3


def matching_words(pair: ExplainedPair) -> str:
    """Say which pairs contribute most, and how many vertices have no partner.

    Parameters
    ----------
    pair : VertexPair or GraphPair

    Returns
    -------
    str
        Plain text: escape it before it becomes part of a page.

    Examples
    --------
    >>> import networkx as nx
    >>> from mpgk_core.explain import explain_neighbourhoods
    >>> matching_words(explain_neighbourhoods(nx.star_graph(4), 0, 1)["A"])
    '1 pair adds up to 1. The pair of vertex 1 and vertex 0 adds 1 (100 %). 3 vertices have no
    partner.'
    """
    found = pair.contributions
    if not len(found):
        return "No pair contributes."
    is_one = len(found) == 1
    parts = [f"{len(found):,} {'pair adds' if is_one else 'pairs add'} up to {found.total:.5g}."]
    sizes = float(np.abs(found.values).sum())
    for row in found.largest(_MOST_SAID).tolist():
        value = float(found.values[row])
        share = 100 * abs(value) / sizes if sizes > 0 else 0.0
        parts.append(
            f"The pair of {vertex_words(pair, int(found.left[row]))} and "
            f"{vertex_words(pair, int(found.right[row]))} adds {value:.5g} ({share:.0f} %)."
        )
    n_alone = sum(map(len, pair.unmatched))
    if n_alone:
        alone = "1 vertex has" if n_alone == 1 else f"{n_alone:,} vertices have"
        parts.append(f"{alone} no partner.")
    return " ".join(parts)


def history_words(history: History) -> str:
    """Say for every round how much came from the past and how much from neighbours.

    Parameters
    ----------
    history : History

    Returns
    -------
    str
    """
    parts = [f"At t = 0 the similarity is {history.own[0]:.5g}."]
    for t in range(1, len(history.own)):
        parts.append(
            f"At t = {t} it is {history.total[t]:.5g}: {history.own[t]:.5g} from the previous "
            f"similarity and {history.neighbours[t]:.5g} from the neighbours "
            f"({100 * history.neighbour_share[t]:.0f} %)."
        )
    return " ".join(parts)


def hierarchy_words(table: HierarchyTable, classes: NDArray[np.int64] | None = None) -> str:
    """Say how large the tree is and how well its leaves keep classes apart.

    Parameters
    ----------
    table : HierarchyTable
    classes : ndarray of shape (n,), optional
        A class of each vertex, from 0.

    Returns
    -------
    str

    Examples
    --------
    >>> import networkx as nx
    >>> from mpgk_core.explain import colour_hierarchy
    >>> table = HierarchyTable(*colour_hierarchy(nx.path_graph(5), 1))
    >>> hierarchy_words(table, np.array([0, 1, 2, 1, 0]))
    'The tree has 6 nodes, 3 of them leaves, and depth 2. Its 5 vertices lie in 3 leaves, at most 2
    in one. In 3 of these leaves all vertices are of one class.'
    """
    hierarchy = table.hierarchy
    sizes = table.n_vertices[hierarchy.leaf_nodes]
    held = hierarchy.leaf_nodes[sizes > 0]
    parts = [
        f"The tree has {hierarchy.n_nodes:,} nodes, {hierarchy.n_leaves:,} of them leaves, and "
        f"depth {int(hierarchy.depths.max())}.",
        f"Its {len(table.leaves):,} vertices lie in {len(held):,} leaves, at most "
        f"{int(sizes.max(initial=0)):,} in one.",
    ]
    if classes is not None:
        _, shares = table.majority(classes)
        n_pure = int((shares[held] == 1.0).sum())
        parts.append(f"In {n_pure:,} of these leaves all vertices are of one class.")
    return " ".join(parts)
