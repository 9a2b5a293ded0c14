"""The tree of Weisfeiler-Lehman colours as a hierarchy like any other.

Matching two graphs along it gives the WL optimal assignment kernel; summing the strong kernel
over all pairs of vertices gives the WL subtree kernel.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mpgk_core.explain.contributions import all_pairs
from mpgk_core.explain.graph_pairs import GraphPair, chosen_pair, pair_along
from mpgk_core.graphs import as_graph_set
from mpgk_core.graphs.initial_features import FeatureSpec
from mpgk_core.kernels.hierarchy import Hierarchy
from mpgk_core.kernels.weisfeiler_lehman import WeisfeilerLehmanOptimalAssignment
from mpgk_core.limits import check_memory
from mpgk_core.parameters import check_choice


def colour_hierarchy(
    graphs: Any, n_iterations: int = 4, features: FeatureSpec = "auto"
) -> tuple[Hierarchy, NDArray[np.int32]]:
    """Grow the tree of colours: below a root of weight 0, one level for every round.

    Parameters
    ----------
    graphs : GraphSet, networkx graph, or list of these
    n_iterations : int
        Number of rounds; colours of rounds 0..h make up the tree.
    features : str or callable
        What vertices start with. ``"auto"``: labels where there are any, else the degree.

    Returns
    -------
    hierarchy : Hierarchy
    leaves : ndarray of shape (n,)
        The leaf of every vertex: its colour after the last round.

    Examples
    --------
    >>> import networkx as nx
    >>> hierarchy, leaves = colour_hierarchy(nx.path_graph(5), 1)
    >>> hierarchy.depths.tolist(), leaves.tolist()[0] == leaves.tolist()[4]
    ([0, 1, 1, 2, 2, 2], True)
    """
    kernel = WeisfeilerLehmanOptimalAssignment(n_iterations, features)
    kernel.fit(as_graph_set(graphs))
    return kernel.hierarchy_, kernel.leaves_


def explain_colours(
    graphs: Any,
    left: int,
    right: int,
    n_iterations: int = 4,
    features: FeatureSpec = "auto",
    way: str = "A",
    normalize: bool = False,
) -> GraphPair:
    """Take a Weisfeiler-Lehman kernel between two graphs apart.

    Parameters
    ----------
    graphs : GraphSet, or list of GraphSets or networkx graphs
    left, right : int
        Which two of them.
    n_iterations : int
    features : str or callable
    way : {"A", "R"}
        Optimal assignment, or the subtree kernel.
    normalize : bool
        Divide by the lengths.

    Returns
    -------
    GraphPair
        A pair of vertices adds the number of rounds in which both have the same colour.

    Examples
    --------
    >>> import networkx as nx
    >>> pair = explain_colours([nx.path_graph(3), nx.cycle_graph(3)], 0, 1, 1, "constant")
    >>> pair.value, pair.contributions.values.tolist()
    (4.0, [1.0, 2.0, 1.0])
    """
    check_choice(way, ("A", "R"), "way", "explain_colours")
    two = chosen_pair(graphs, left, right)
    hierarchy, leaves = colour_hierarchy(two, n_iterations, features)
    if way == "A":
        found, first, second = pair_along(hierarchy, leaves, two)
        return GraphPair(two, "WL-OA", {n_iterations: found}, (first, second), normalize)
    check_memory(
        4 * 8 * max(two.n_vertices, hierarchy.n_leaves) ** 2,
        f"The rounds that {two.n_vertices:,} vertices have in common",
        "Choose smaller graphs, or the optimal assignment.",
    )
    vertices = np.arange(two.n_vertices)
    is_left = vertices < two.offsets[1]
    strong = hierarchy.strong_kernel()[np.ix_(leaves, leaves)]
    own = [float(strong[np.ix_(side, side)].sum()) for side in (is_left, ~is_left)]
    found = all_pairs(vertices[is_left], vertices[~is_left], strong[np.ix_(is_left, ~is_left)])
    return GraphPair(two, "WL", {n_iterations: found}, (own[0], own[1]), normalize)
