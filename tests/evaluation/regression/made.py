"""Small labelled graphs with targets, for the tests of regression."""

import networkx as nx
import numpy as np

from mpgk_core.evaluation.regression import TargetColumn
from mpgk_core.evaluation.regression.rows import ScaledRows
from mpgk_core.graphs import GraphSet


def labelled_graphs(n=40, seed=0):
    """Random trees and unicyclic graphs with three labels, pairwise different in practice."""
    rng = np.random.default_rng(seed)
    graphs = []
    for i in range(n):
        size = int(rng.integers(8, 14))
        graph = nx.random_labeled_tree(size, seed=int(rng.integers(1 << 30)))
        if i % 2:
            graph.add_edge(0, size - 1)
        for v in graph:
            graph.nodes[v]["label"] = "CNO"[int(rng.integers(3))]
        for edge in graph.edges:
            graph.edges[edge]["label"] = int(rng.integers(1, 3))
        graphs.append(graph)
    return GraphSet.from_networkx(graphs)


def targets_of(graphs, seed=1):
    """Two targets: one nearly a function of counts, one that depends on the structure."""
    rng = np.random.default_rng(seed)
    counts = np.array([graph.labels.count("C") for graph in graphs], dtype=float)
    ring = np.array([graph.n_edges - graph.n_vertices for graph in graphs], dtype=float)
    return (
        TargetColumn("carbons", 2.0 * counts + 0.01 * rng.standard_normal(len(graphs)), "eV"),
        TargetColumn("rings", ring + 0.1 * counts + 0.05 * rng.standard_normal(len(graphs))),
    )


def random_rows(n, d, seed):
    """Sparse rows of counts and small numbers."""
    rng = np.random.default_rng(seed)
    return ScaledRows.of_training(rng.poisson(0.7, (n, d)) + rng.random((n, d)) * 0.1)
