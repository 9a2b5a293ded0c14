"""Why a kernel has the value it has: parts that sum up to the whole.

Examples
--------
>>> import networkx as nx
>>> from mpgk_core import MessagePassingNodeKernel
>>> from mpgk_core.explain import explain_vertices
>>> graph = nx.star_graph(4)
>>> kernel = MessagePassingNodeKernel("A", n_iterations=1).fit(graph)
>>> pair = explain_vertices(kernel, graph, 1, 2)
>>> round(pair.own_part, 6), round(pair.neighbour_part, 6), round(pair.value, 6)
(0.8, 1.256429, 2.056429)
"""

from mpgk_core.explain.graph_pairs import (
    GraphPair,
    colour_hierarchy,
    explain_four_variants,
    explain_graphs,
    explain_neighbourhoods,
)
from mpgk_core.explain.hierarchies import HierarchyTable, Matching, match_along
from mpgk_core.explain.vertex_pairs import (
    Contributions,
    History,
    VertexPair,
    explain_vertices,
    instructive_pair,
    pair_history,
)
from mpgk_core.explain.words import comparison_words, difference_words, dominant_words, formula

__all__ = [
    "Contributions",
    "GraphPair",
    "HierarchyTable",
    "History",
    "Matching",
    "VertexPair",
    "colour_hierarchy",
    "comparison_words",
    "difference_words",
    "dominant_words",
    "explain_four_variants",
    "explain_graphs",
    "explain_neighbourhoods",
    "explain_vertices",
    "formula",
    "instructive_pair",
    "match_along",
    "pair_history",
]
