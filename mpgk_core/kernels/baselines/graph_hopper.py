"""The GraphHopper kernel: vertices that have the same places on shortest paths."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from mpgk_core._compiled import compiled
from mpgk_core.arrays import FloatArray, Int32Array, IntArray
from mpgk_core.checks import check_choice, check_non_negative
from mpgk_core.graphs import GraphSet
from mpgk_core.graphs.feature_names import FeatureSpec
from mpgk_core.grouping import Rows
from mpgk_core.kernels.baselines.attributed_vertices import VertexEncoder, attributed_features
from mpgk_core.kernels.baselines.pairwise import Compared, PairwiseKernel, distinct_graphs

ATTRIBUTE_KERNELS = ("linear", "gaussian")


class _Places(NamedTuple):
    """What is compared of distinct graphs."""

    offsets: IntArray
    labels: Int32Array
    rows: FloatArray
    counts: FloatArray
    """The matrices of :func:`places_on_paths`, one behind the other"""
    starts: IntArray
    """Where each of them begins"""


@dataclass(eq=False, repr=False)
class GraphHopperKernel(PairwiseKernel):
    """The GraphHopper kernel (Feragen et al. 2013).

        k(G, G') = Σ_(π, π') Σ_i κ(π(i), π'(i))

    over all pairs of shortest paths with equally many vertices, one path of G and one of G', each
    read in both directions; a single vertex is a path. The sum is computed as

        k(G, G') = Σ_(v, v') ⟨M(v), M(v')⟩ κ(v, v'),

    where M(v)_(i, j) is how often v is vertex i of a shortest path with j vertices. Vertices are
    compared by

        κ(v, v') = δ(label, label') · ⟨x, x'⟩  or  δ(label, label') · exp(-γ ‖x - x'‖²).

    Parameters
    ----------
    attribute_kernel : {"gaussian", "linear"}
        How attributes are compared. Without attributes only labels are.
    gamma : float
        The number γ of the Gaussian kernel.
    features : str or callable
        ``"auto"``: labels and standardised attributes, else the degree as a label.
    normalize : bool
        Divide by the lengths.

    Examples
    --------
    A path of 3 vertices has 3 paths of one vertex, 4 of two and 2 of three; a triangle 3 and 6.

    >>> import networkx as nx
    >>> kernel = GraphHopperKernel("linear", features="constant", normalize=False)
    >>> kernel.fit_transform([nx.path_graph(3), nx.cycle_graph(3)])
    array([[53., 57.],
           [57., 81.]])
    """

    attribute_kernel: str = "gaussian"
    gamma: float = 1.0
    features: FeatureSpec = "auto"
    normalize: bool = True

    def _check_parameters(self) -> None:
        owner = type(self).__name__
        check_choice(self.attribute_kernel, ATTRIBUTE_KERNELS, "attribute_kernel", owner)
        check_non_negative(self.gamma, "gamma", owner)

    def _learn(self, graphs: GraphSet) -> None:
        self.features_ = attributed_features(self.features, graphs)
        self._encoder = VertexEncoder(self.features_)
        self._encoder.fit(graphs)

    def _prepared(self, graphs: GraphSet) -> Compared:
        labels, _, rows = self._encoder.transform(graphs)
        indptr, bounds = graphs.adjacency.indptr.astype(np.int64), graphs.offsets
        places = [
            places_on_paths(indptr, graphs.adjacency.indices, first, stop)
            for first, stop in pairwise(bounds.tolist())
        ]
        found = distinct_graphs(_content(labels, rows, places, bounds), bounds)
        ordered = [
            places[g][:, found.vertices[first:stop] - bounds[g]].ravel()
            for g, first, stop in zip(
                found.representatives.tolist(), found.offsets[:-1], found.offsets[1:], strict=True
            )
        ]
        starts = np.cumsum([0, *(len(one) for one in ordered)])
        chosen = labels[found.vertices], rows[found.vertices]
        data = _Places(found.offsets, *chosen, np.concatenate([np.zeros(0), *ordered]), starts)
        return Compared(found.of_graph, found.n_distinct, data)

    def _compare(self, left: _Places, g: int, right: _Places, first: int, stop: int) -> FloatArray:
        gamma = self._fitted.gamma if self._fitted.attribute_kernel == "gaussian" else -1.0
        return _sums_over_vertex_pairs(left, g, right, first, stop, gamma)


@compiled
def places_on_paths(indptr: IntArray, indices: Int32Array, first: int, stop: int) -> FloatArray:
    """Count how often every vertex is vertex i of a shortest path with j vertices, in one graph.

    From every source, the vertices at distance i are reached by a number of shortest paths, and
    left by a number of shortest paths of every length; both are summed up along the breadth-first
    order.

    Parameters
    ----------
    indptr, indices : ndarray
        Of the adjacency matrix of all graphs.
    first, stop : int
        The graph has the vertices first..stop - 1.

    Returns
    -------
    ndarray of shape (δ (δ + 1) / 2, n)
        δ vertices are on the longest shortest path. Row j (j + 1) / 2 + i counts places i of paths
        with j + 1 vertices, both from 0.
    """
    n = stop - first
    counts = np.zeros((0, n))
    longest = 0
    distance, queue = np.empty(n, dtype=np.int64), np.empty(n, dtype=np.int64)
    for source in range(n):
        distance[:] = -1
        distance[source] = 0
        queue[0] = source
        arriving = np.zeros(n)
        arriving[source] = 1.0
        head, tail = 0, 1
        while head < tail:
            v = queue[head]
            head += 1
            for e in range(indptr[first + v], indptr[first + v + 1]):
                u = indices[e] - first
                if distance[u] < 0:
                    distance[u] = distance[v] + 1
                    queue[tail] = u
                    tail += 1
                if distance[u] == distance[v] + 1:
                    arriving[u] += arriving[v]
        depth = distance[queue[tail - 1]] + 1
        if depth > longest:
            longest = depth
            wider = np.zeros((longest * (longest + 1) // 2, n))
            wider[: len(counts)] = counts
            counts = wider
        leaving = np.zeros((n, depth))
        for q in range(tail - 1, -1, -1):
            v = queue[q]
            leaving[v, 0] = 1.0
            for e in range(indptr[first + v], indptr[first + v + 1]):
                u = indices[e] - first
                if distance[u] == distance[v] + 1:
                    for step in range(depth - 1 - distance[v]):
                        leaving[v, step + 1] += leaving[u, step]
            i = distance[v]
            for step in range(depth - i):
                j = i + step
                counts[j * (j + 1) // 2 + i, v] += arriving[v] * leaving[v, step]
    return counts


def _content(
    labels: Int32Array, rows: FloatArray, places: list[FloatArray], bounds: IntArray
) -> Rows:
    """Return all that the kernel sees of every vertex: its label, its numbers, and its places."""
    widths = np.array([rows.shape[1] + len(one) for one in places])
    indptr = np.concatenate([[0], np.cumsum(np.repeat(widths, np.diff(bounds)))])
    values = [
        np.hstack([rows[first:stop], one.T]).ravel()
        for one, (first, stop) in zip(places, pairwise(bounds.tolist()), strict=True)
    ]
    return Rows(labels, indptr, np.concatenate(values).view(np.int64))


@compiled
def _sums_over_vertex_pairs(
    left: _Places, g: int, right: _Places, first: int, stop: int, gamma: float
) -> FloatArray:
    """Return Σ ⟨M(v), M(v')⟩ κ(v, v') between one graph and several; linear if gamma < 0.

    The counts are whole numbers, so their products may be formed in any order.
    """
    result = np.zeros(stop - first)
    n = left.offsets[g + 1] - left.offsets[g]
    if n == 0:
        return result
    own = left.counts[left.starts[g] : left.starts[g + 1]]
    own_width = len(own) // n
    for h in range(first, stop):
        m = right.offsets[h + 1] - right.offsets[h]
        if m == 0:
            continue
        start = right.starts[h]
        width = min(own_width, (right.starts[h + 1] - start) // m)
        other = right.counts[start : start + width * m].reshape(width, m)
        weights = np.dot(own[: width * n].reshape(width, n).T, other)
        for v in range(n):
            a = left.offsets[g] + v
            for u in range(m):
                b = right.offsets[h] + u
                if left.labels[a] == right.labels[b]:
                    similarity = vertex_similarity(left.rows[a], right.rows[b], gamma)
                    result[h - first] += weights[v, u] * similarity
    return result


@compiled
def vertex_similarity(x: FloatArray, y: FloatArray, gamma: float) -> float:
    """Return exp(-γ ‖x - y‖²), or ⟨x, y⟩ for γ < 0; 1 where there are no numbers.

    Parameters
    ----------
    x, y : ndarray of shape (d,)
    gamma : float

    Returns
    -------
    float
    """
    if len(x) == 0:
        return 1.0
    total = 0.0
    for d in range(len(x)):
        total += x[d] * y[d] if gamma < 0 else (x[d] - y[d]) ** 2
    return total if gamma < 0 else np.exp(-gamma * total)
