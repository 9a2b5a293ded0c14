"""Random graphs for property tests: labelled, attributed, unequal, disconnected, empty."""

from __future__ import annotations

import networkx as nx
import numpy as np
from hypothesis import strategies as st

ATTRIBUTES = [0.0, 0.1, -1.3, 2.7, 1 / 3]


@st.composite
def graphs(draw, max_vertices=6, min_vertices=0, attribute_width=2):
    n = draw(st.integers(min_vertices, max_vertices))
    pairs = [(i, j) for i in range(n) for j in range(i + 1, n)]
    chosen = draw(st.lists(st.booleans(), min_size=len(pairs), max_size=len(pairs)))
    graph = nx.Graph()
    for v in range(n):
        label = draw(st.sampled_from("CNO"))
        row = draw(st.tuples(*[st.sampled_from(ATTRIBUTES)] * attribute_width))
        graph.add_node(v, label=label, attributes=row)
    graph.add_edges_from(pair for pair, there in zip(pairs, chosen, strict=True) if there)
    return graph


def graph_lists(max_graphs=4, min_graphs=1, **options):
    """Lists in which at least one graph has a vertex, so that labels exist."""
    lists = st.lists(graphs(**options), min_size=min_graphs, max_size=max_graphs)
    return lists.filter(lambda members: any(len(member) for member in members))


FEATURES = st.sampled_from(
    [
        "labels",
        "attributes",
        "labels+attributes",
        "degree",
        "labels+attributes-standardised",
        "labels+degree-label+attributes",
    ]
)


def shuffled(graph: nx.Graph, seed: int) -> tuple[nx.Graph, list[int]]:
    """Return the same graph with its vertices in another order, and that order."""
    order = np.random.default_rng(seed).permutation(len(graph)).tolist()
    names = list(graph)
    other = nx.Graph()
    other.add_nodes_from((names[i], graph.nodes[names[i]]) for i in order)
    edges = list(graph.edges())
    np.random.default_rng(seed + 1).shuffle(edges)
    other.add_edges_from((b, a) for a, b in edges)
    return other, order
