"""LINE: vertices with common neighbours get similar vectors (Tang et al., WWW 2015)."""

from __future__ import annotations

from mpgk_core.arrays import FloatArray
from mpgk_core.embedding.deepwalk import deepwalk
from mpgk_core.graphs import GraphSet


def line(graph: GraphSet, dimension: int = 16) -> FloatArray:
    """Return the vectors of LINE (second-order proximity) in closed form: DeepWalk of window 1.

    Parameters
    ----------
    graph : GraphSet
        With one graph.
    dimension : int

    Returns
    -------
    ndarray of shape (n, dimension or more)
    """
    return deepwalk(graph, dimension, window=1)
