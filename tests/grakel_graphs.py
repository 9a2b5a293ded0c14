"""Random labelled graphs, for us and for GraKeL."""

import networkx as nx
import numpy as np


def labelled_graphs(n_graphs, sizes, share):
    """Return seeded random graphs without isolated vertices, with three labels."""
    rng = np.random.default_rng(0)
    members = []
    for seed in range(n_graphs):
        graph = nx.gnp_random_graph(int(rng.integers(*sizes)), share, seed=seed)
        graph.remove_nodes_from(list(nx.isolates(graph)))
        if graph.number_of_edges():
            nx.set_node_attributes(graph, {v: int(rng.integers(3)) for v in graph}, "label")
            members.append(graph)
    return members


def for_grakel(grakel, members):
    """Return the same graphs as GraKeL's."""
    return [
        grakel.Graph(
            {v: dict.fromkeys(graph[v], 1.0) for v in graph},
            node_labels=nx.get_node_attributes(graph, "label"),
        )
        for graph in members
    ]


def attributed_for_grakel(grakel, members):
    """Return the same graphs as GraKeL's, with attributes in the place of labels."""
    return [
        grakel.Graph(
            {v: dict.fromkeys(graph[v], 1.0) for v in graph},
            node_labels={v: np.array(graph.nodes[v]["attributes"]) for v in graph},
        )
        for graph in members
    ]
