"""Embeddings by proximity: vertices that are close in the graph get similar vectors.

DeepWalk (Perozzi, Al-Rfou & Skiena 2014) and LINE (Tang et al. 2015) train skip-gram on pairs of
vertices that occur together in random walks. With b negative samples and enough dimensions this
factorises the matrix log(#(u,v) |D| / (b #(u) #(v))), where #(u,v) counts the pairs of vertices
within a window of a walk, and |D| all pairs (Levy & Goldberg 2014). Here the counts are their
expected values, and the factorisation is a truncated eigendecomposition of the matrix with its
negative entries set to zero (Qiu et al., WSDM 2018). So nothing is sampled and nothing is trained.
"""

from __future__ import annotations

import numpy as np

from mpgk_core.arrays import FloatArray
from mpgk_core.graphs import GraphSet

_EQUAL = 1e-9


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


def skip_gram_vectors(pairs: FloatArray, dimension: int, negatives: int = 1) -> FloatArray:
    """Return X = U √|Λ| of the leading eigenvectors of M = log max(1, #(u,v) |D| / (b #(u) #(v))).

    Parameters
    ----------
    pairs : ndarray of shape (n, n)
        Expected counts #(u,v), symmetric, in any unit. A vertex without pairs gets zeros.
    dimension : int
        Number of columns; see :func:`leading_vectors`.
    negatives : int
        Number b of negative samples.

    Returns
    -------
    ndarray of shape (n, dimension or more)

    Examples
    --------
    >>> together = np.array([[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 0.0]])
    >>> np.linalg.norm(skip_gram_vectors(together, 2), axis=1).round(3).tolist()
    [0.833, 0.833, 0.0]
    """
    totals = pairs.sum(axis=0)
    expected = negatives * np.outer(totals, totals)
    ratio = np.divide(pairs * totals.sum(), expected, out=np.ones_like(pairs), where=expected > 0)
    values, vectors = leading_vectors(np.log(np.maximum(ratio, 1.0)), dimension)
    return vectors * np.sqrt(np.abs(values))


def leading_vectors(matrix: FloatArray, dimension: int) -> tuple[FloatArray, FloatArray]:
    """Return the eigenvalues of largest magnitude, and their eigenvectors.

    Eigenspaces are kept whole: where the cut would fall between equal eigenvalues, all of them are
    taken. Distances between rows then do not depend on the order of the vertices.

    Parameters
    ----------
    matrix : ndarray of shape (n, n)
        Symmetric.
    dimension : int

    Returns
    -------
    values : ndarray of shape (k,)
    vectors : ndarray of shape (n, k)
        k is ``dimension``, fewer where there are fewer non-zero eigenvalues, or more where
        eigenvalues are equal.
    """
    values, vectors = np.linalg.eigh(matrix)
    sizes = np.abs(values)
    order = np.argsort(-sizes, kind="stable")
    nothing = _EQUAL * sizes.max(initial=0.0)
    limit = sizes[order[dimension - 1]] - nothing if dimension < len(order) else 0.0
    kept = order[sizes[order] >= max(limit, nothing)] if nothing > 0 else order[:0]
    return values[kept], vectors[:, kept]
