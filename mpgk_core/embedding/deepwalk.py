"""DeepWalk: vertices that random walks meet together get similar vectors.

Perozzi, Al-Rfou & Skiena (KDD 2014). The walks are not sampled: the expected counts of their pairs
are factorised, see :mod:`mpgk_core.embedding.factorisation`.
"""

from __future__ import annotations

import numpy as np

from mpgk_core.arrays import FloatArray
from mpgk_core.embedding.factorisation import skip_gram_vectors
from mpgk_core.graphs import GraphSet


def deepwalk(graph: GraphSet, dimension: int = 16, window: int = 10) -> FloatArray:
    """Return the vectors of DeepWalk in closed form.

    With P = D^-1 A, a long random walk visits u with probability d_u / vol, so the expected share
    of pairs within the window w is #(u,v)/|D| = d_u / (vol w) Σ_{r=1..w} (P^r)_uv.

    Parameters
    ----------
    graph : GraphSet
        With one graph.
    dimension : int
    window : int
        Largest number of steps between two vertices of a pair.

    Returns
    -------
    ndarray of shape (n, dimension or more)

    Examples
    --------
    >>> import networkx as nx
    >>> ends = deepwalk(GraphSet.from_networkx(nx.barbell_graph(3, 2)))[[0, 1, 6]]
    >>> np.linalg.norm(ends - ends[0], axis=1).round(2).tolist()
    [0.0, 0.55, 1.24]
    """
    adjacency = graph.adjacency.toarray()
    degrees = adjacency.sum(axis=1)
    steps = adjacency / np.maximum(degrees, 1.0)[:, np.newaxis]
    pairs = adjacency / window
    total = pairs.copy()
    for _ in range(window - 1):
        pairs = pairs @ steps
        total += pairs
    return skip_gram_vectors((total + total.T) / 2, dimension)
