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


@st.composite
def edge_graphs(draw, max_vertices=5, min_vertices=0, directed=None, keys=None):
    """Graphs whose edges have labels, weights, both or neither, and perhaps directions."""
    is_directed = draw(st.booleans()) if directed is None else directed
    n = draw(st.integers(min_vertices, max_vertices))
    graph = nx.MultiDiGraph() if is_directed else nx.MultiGraph()
    for v in range(n):
        graph.add_node(v, label=draw(st.sampled_from("CN")), attributes=(float(v % 2),))
    if keys is None:
        keys = draw(st.sampled_from([(), ("label",), ("weight",), ("label", "weight")]))
    pairs = [(i, j) for i in range(n) for j in range(n) if i < j or (is_directed and i != j)]
    for pair in draw(st.lists(st.sampled_from(pairs), max_size=10)) if pairs else ():
        values = {
            "label": draw(st.sampled_from(["-", "=", 3])),
            "weight": draw(st.sampled_from([0.0, 0.5, 1.0, 1 / 3, 7.0])),
        }
        graph.add_edge(*pair, **{key: values[key] for key in keys})
    return graph
