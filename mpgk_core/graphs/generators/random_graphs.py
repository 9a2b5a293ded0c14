"""Graphs drawn by chance, where networkx's own function does not fit as it is."""

from __future__ import annotations

from itertools import combinations
from random import Random

import networkx as nx

__all__ = ["erdos_renyi", "random_regular", "stochastic_blocks"]


def erdos_renyi(n: int, mean_degree: float, seed: int) -> nx.Graph:
    """Return G(n, p) with p = mean_degree / (n - 1), and at most 1.

    A mean degree, unlike p, keeps its meaning when n changes.

    Examples
    --------
    >>> round(2 * erdos_renyi(5000, 4.0, seed=0).size() / 5000, 1)
    4.0
    """
    return nx.fast_gnp_random_graph(n, min(1.0, mean_degree / (n - 1)), seed=seed)


def random_regular(n: int, d: int, seed: int) -> nx.Graph:
    """Return a random graph in which all vertices have d neighbours.

    Edges have two ends, so n · d must be even: if both are odd, n is raised by one.

    Examples
    --------
    >>> graph = random_regular(n=13, d=3, seed=0)
    >>> len(graph), {degree for _, degree in graph.degree}
    (14, {3})
    """
    return nx.random_regular_graph(d, n + n * d % 2, seed=seed)


def stochastic_blocks(blocks: int, size: int, p_in: float, p_out: float, seed: int) -> nx.Graph:
    """Return blocks of equal size, with edges more likely inside than between them, or less.

    The node attribute ``block`` holds the number of the block. networkx's model divides by
    log(1 - p), which fails for a tiny p; here every p from 0 to 1 is fine.

    Examples
    --------
    >>> graph = stochastic_blocks(blocks=2, size=3, p_in=1.0, p_out=0.0, seed=0)
    >>> list(nx.connected_components(graph)), graph.nodes[5]["block"]
    ([{0, 1, 2}, {3, 4, 5}], 1)
    """
    chance = Random(seed)
    graph = nx.Graph()
    graph.add_nodes_from((v, {"block": v // size}) for v in range(blocks * size))
    for v, u in combinations(graph, 2):
        if chance.random() < (p_in if v // size == u // size else p_out):
            graph.add_edge(v, u)
    return graph
