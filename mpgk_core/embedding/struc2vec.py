"""struc2vec: vertices with similar surroundings get similar vectors, wherever they are.

Ribeiro, Saverese & Figueiredo (KDD 2017). The degrees of the vertices at distance k from u, sorted,
are the k-th ring of u. Rings are compared by dynamic time warping; vertices are joined in layers
k = 0, 1, ... by weights that fall with the difference of all rings up to k; and a random walk on
these layers, not on the graph, says which vertices belong together. The walk is not sampled here:
:mod:`mpgk_core.embedding.factorisation` takes the expected counts of its pairs.
"""

from __future__ import annotations

import numpy as np
from scipy.sparse.csgraph import shortest_path

from mpgk_core._compiled import compiled
from mpgk_core.arrays import FloatArray, IntArray
from mpgk_core.checks import check_memory
from mpgk_core.embedding.factorisation import skip_gram_vectors
from mpgk_core.errors import KernelTooLargeError
from mpgk_core.graphs import GraphSet

_MAX_CELLS = 20_000_000_000
_DEGREE_OF_ISOLATED = 0.5


def struc2vec(
    graph: GraphSet,
    dimension: int = 16,
    n_layers: int = 10,
    stay: float = 0.3,
    window: int = 10,
    length: int = 80,
) -> FloatArray:
    """Return the vectors of struc2vec, with expected counts in place of sampled walks.

    Parameters
    ----------
    graph : GraphSet
        With one graph.
    dimension : int
    n_layers : int
        The most layers that are used (the authors' third speed-up); a layer k exists where some
        two vertices have others at distance k.
    stay : float
        Probability of a step within a layer; otherwise the walk changes its layer.
    window, length : int
        Largest number of steps between two vertices of a pair, and steps of a walk.

    Returns
    -------
    ndarray of shape (n, dimension or more)

    Raises
    ------
    KernelTooLargeError
        If comparing all rings, or the layers, would take too long or too much memory.

    Examples
    --------
    >>> import networkx as nx
    >>> points = struc2vec(GraphSet.from_networkx(nx.path_graph(5)))
    >>> bool(np.linalg.norm(points[0] - points[4]) < np.linalg.norm(points[0] - points[1]))
    True
    """
    n = graph.n_vertices
    check_memory(8 * 4 * n_layers * n**2, f"struc2vec of {n:,} vertices", "Use a smaller graph.")
    weights = np.exp(-layer_distances(graph, n_layers))
    return skip_gram_vectors(_expected_pairs(weights, stay, window, length), dimension)


def layer_distances(graph: GraphSet, n_layers: int) -> FloatArray:
    """Return f_k(u,v) = f_{k-1}(u,v) + DTW(ring k of u, ring k of v) for all layers k.

    Parameters
    ----------
    graph : GraphSet
    n_layers : int

    Returns
    -------
    ndarray of shape (number of layers, n, n)
        Infinite on the diagonal, and where one of the two rings is empty.
    """
    n = graph.n_vertices
    degrees = np.maximum(np.diff(graph.adjacency.indptr), _DEGREE_OF_ISOLATED)
    steps = shortest_path(graph.adjacency, unweighted=True)
    layers: list[FloatArray] = []
    total = np.where(np.eye(n, dtype=bool), np.inf, 0.0)
    for k in range(n_layers):
        rings = [tuple(np.sort(degrees[row == k]).tolist()) for row in steps]
        distinct = sorted(set(rings) - {()})
        number = {ring: i for i, ring in enumerate(distinct)}
        which = np.array([number.get(ring, -1) for ring in rings], dtype=np.int64)
        is_there = which >= 0
        if np.count_nonzero(is_there) < 2:
            break
        between = _ring_distances(distinct)[np.ix_(which, which)]
        total = np.where(np.outer(is_there, is_there), total + between, np.inf)
        layers.append(total)
    return np.array(layers).reshape(len(layers), n, n)


def _ring_distances(rings: list[tuple[float, ...]]) -> FloatArray:
    """Compare all pairs of rings."""
    sizes = np.array([len(ring) for ring in rings], dtype=np.int64)
    if float(sizes.sum()) ** 2 > _MAX_CELLS:
        raise KernelTooLargeError(
            "struc2vec would compare too many degrees on this graph. Use a smaller graph, or "
            "another method."
        )
    return _warped(np.concatenate(rings), np.concatenate([[0], np.cumsum(sizes)]))


@compiled
def _warped(degrees: FloatArray, starts: IntArray) -> FloatArray:
    """Dynamic time warping with the cost max(a, b) / min(a, b) - 1, of all pairs of sequences."""
    m = len(starts) - 1
    result = np.zeros((m, m))
    for i in range(m):
        first = degrees[starts[i] : starts[i + 1]]
        for j in range(i):
            second = degrees[starts[j] : starts[j + 1]]
            row = np.full(len(second) + 1, np.inf)
            row[0] = 0.0
            for a in first:
                corner = row[0]
                row[0] = np.inf
                for c in range(len(second)):
                    b = second[c]
                    best = min(corner, row[c], row[c + 1])
                    corner = row[c + 1]
                    row[c + 1] = best + max(a, b) / min(a, b) - 1.0
            result[i, j] = result[j, i] = row[-1]
    return result


def _expected_pairs(weights: FloatArray, stay: float, window: int, length: int) -> FloatArray:
    """Return how often two vertices are expected within the window of a walk, up to a factor.

    A walk starts at every vertex in layer 0. B_r[k, u, v] is the probability to be at v after r
    steps within layers from u in layer k; changes of the layer in between are summed up in closed
    form, because they record no vertex.
    """
    n_layers, n = weights.shape[:2]
    pairs = np.zeros((n, n))
    if n_layers == 0:
        return pairs
    totals = weights.sum(axis=2)
    steps = weights / np.where(totals > 0, totals, 1.0)[:, :, np.newaxis]
    changes = _layer_changes(weights, stay)
    now = np.zeros((n_layers, n))
    now[0] = 1.0
    visits = np.zeros((length, n_layers, n))
    for i in range(length):
        visits[i] = now
        leaving = np.einsum("ku,ukl->lu", now, changes)
        now = (leaving[:, np.newaxis, :] @ steps)[:, 0, :]
    visits = visits.cumsum(axis=0)
    reached = np.broadcast_to(np.eye(n), (n_layers, n, n))
    for r in range(1, window + 1):
        reached = np.einsum("ukl,luv->kuv", changes, steps @ reached)
        pairs += np.einsum("ku,kuv->uv", visits[length - 1 - r], reached)
    return pairs + pairs.T


def _layer_changes(weights: FloatArray, stay: float) -> FloatArray:
    """Return, for every vertex, in which layer the next step is made: s (I - (1 - s) L)^-1.

    L moves up with weight log(e + number of edges above the layer's mean weight), down with
    weight 1. A vertex is in a layer if it has an edge there.
    """
    n_layers, n = weights.shape[:2]
    is_there = weights.sum(axis=2) > 0
    moves = np.zeros((n, n_layers, n_layers))
    for k in range(n_layers):
        present = weights[k][weights[k] > 0]
        above = np.count_nonzero(weights[k] > present.mean(), axis=1) if len(present) else 0
        can_rise = is_there[k + 1] if k + 1 < n_layers else np.zeros(n, dtype=bool)
        up = np.where(can_rise, np.log(np.e + above), 0.0)
        down = 1.0 if k > 0 else 0.0
        both = up + down
        if k + 1 < n_layers:
            moves[:, k, k + 1] = np.divide(up, both, out=np.zeros(n), where=both > 0)
        if k > 0:
            moves[:, k, k - 1] = down / both
        moves[:, k, k] = both == 0
    identity = np.eye(n_layers)
    return np.asarray(stay * np.linalg.inv(identity - (1 - stay) * moves), dtype=np.float64)
