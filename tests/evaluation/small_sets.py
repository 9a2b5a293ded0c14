"""Small labelled sets for the tests: quick to classify, with a known answer."""

import networkx as nx
import numpy as np

from mpgk_core.evaluation.protocol import Protocol
from mpgk_core.graphs import GraphSet

QUICK = Protocol(n_folds=3, n_repeats=2, C=(0.1, 1.0, 10.0), iterations=(1, 2), inner_folds=2)


def noisy_set(n_per_class=12, seed=0):
    """Return attributed random graphs of two densities: neither easy nor hopeless."""
    rng = np.random.default_rng(seed)
    members = []
    for c in (0, 1):
        for _ in range(n_per_class):
            graph = nx.gnp_random_graph(
                int(rng.integers(6, 12)), 0.3 + 0.15 * c, seed=int(rng.integers(10**6))
            )
            for v in graph:
                graph.nodes[v]["label"] = int(rng.random() < 0.4 + 0.2 * c)
                graph.nodes[v]["attributes"] = (float(rng.normal(c)), float(rng.normal()))
            members.append(graph)
    return GraphSet.from_networkx(members), np.repeat([0, 1], n_per_class)
