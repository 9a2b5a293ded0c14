"""Spectral embedding: slowly varying functions on the graph (Belkin & Niyogi 2003)."""

from __future__ import annotations

import numpy as np

from mpgk_core.arrays import FloatArray
from mpgk_core.embedding.factorisation import leading_vectors
from mpgk_core.graphs import GraphSet


def spectral_embedding(graph: GraphSet, dimension: int = 2) -> FloatArray:
    """Return the leading eigenvectors of the random walk P = D^-1 A, without the constant one.

    They are D^-1/2 times the eigenvectors of D^-1/2 A D^-1/2 (Laplacian eigenmaps, Belkin &
    Niyogi 2003), scaled to unit variance under the walk.

    Parameters
    ----------
    graph : GraphSet
        With one graph. Isolated vertices get zeros.
    dimension : int
        Equal eigenvalues are kept together.

    Returns
    -------
    ndarray of shape (n, dimension or more)

    Examples
    --------
    >>> import networkx as nx
    >>> points = spectral_embedding(GraphSet.from_networkx(nx.path_graph(3)), 1)
    >>> np.abs(points[:, 0]).round(3).tolist()
    [1.414, 0.0, 1.414]
    """
    adjacency = graph.adjacency.toarray()
    degrees = adjacency.sum(axis=1)
    roots = np.sqrt(degrees)
    inverse = np.divide(1.0, roots, out=np.zeros_like(roots), where=roots > 0)
    volume = max(float(degrees.sum()), 1.0)
    similarity = inverse[:, np.newaxis] * adjacency * inverse - np.outer(roots, roots) / volume
    is_isolated = degrees == 0
    shifted = similarity + np.diag(np.where(is_isolated, 0.0, 1.0))  # eigenvalues 0..2
    shifted -= np.outer(roots, roots) / volume  # the constant function goes to 0
    _, vectors = leading_vectors(shifted, dimension)
    points: FloatArray = np.sqrt(volume) * inverse[:, np.newaxis] * vectors
    return points
