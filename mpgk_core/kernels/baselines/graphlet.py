"""The graphlet kernel: how often every small graph occurs as an induced subgraph."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mpgk_core._compiled import compiled
from mpgk_core.arrays import BoolArray, FloatArray, Int32Array, IntArray
from mpgk_core.checks import check_choice
from mpgk_core.graphs import GraphSet
from mpgk_core.kernels.blocks import Block, FeatureBlock
from mpgk_core.kernels.estimator import BlockKernel

GRAPHLETS = {
    3: ("3 vertices", "edge", "path", "triangle"),
    4: (
        "4 vertices",
        "edge",
        "two edges",
        "path of 3",
        "triangle",
        "path",
        "star",
        "cycle",
        "triangle with a tail",
        "diamond",
        "complete",
    ),
}
"""The graphs with 3 and with 4 vertices; vertices that are not named are isolated."""


@dataclass(eq=False, repr=False)
class GraphletKernel(BlockKernel):
    """The graphlet kernel with exact counts (Shervashidze et al. 2009).

        k(G, G') = ⟨f(G), f(G')⟩,   f(G)_i = #(induced subgraphs like graphlet i) / C(n, s)

    over the 4 graphs with s = 3 vertices, or the 11 with s = 4, connected or not. Nothing is
    sampled: triangles, cycles of length 4 and complete subgraphs are counted, everything else
    follows from them and from the degrees.

    Parameters
    ----------
    size : {3, 4}
        Number of vertices of the graphlets.
    normalize : bool
        Divide by the lengths.

    Examples
    --------
    Of the four triples of a path with 4 vertices, two are paths and two have one edge; all
    triples of a cycle are paths.

    >>> import networkx as nx
    >>> kernel = GraphletKernel(normalize=False)
    >>> kernel.fit_transform([nx.path_graph(4), nx.cycle_graph(4)])
    array([[0.5, 0.5],
           [0.5, 1. ]])
    """

    size: int = 3
    normalize: bool = True
    features = "constant"

    def _check_parameters(self) -> None:
        check_choice(self.size, tuple(GRAPHLETS), "size", type(self).__name__)

    def _fit_blocks(self, graphs: GraphSet, every_t: bool) -> None:
        self.features_ = "constant"
        self._blocks = self._blocks_of(graphs)
        self._table = np.ones((1, 1))

    def _blocks_of(self, graphs: GraphSet) -> list[Block]:
        counts = graphlet_counts(graphs, self._fitted.size)
        total = counts.sum(axis=1, keepdims=True)
        shares = np.divide(counts, total, out=np.zeros_like(counts), where=total > 0)
        return [FeatureBlock.of_samples(shares, counts.shape[1])]


def graphlet_counts(graphs: GraphSet, size: int) -> FloatArray:
    """Count the induced subgraphs with 3 or 4 vertices in every graph; self-loops do not count.

    Parameters
    ----------
    graphs : GraphSet
    size : {3, 4}

    Returns
    -------
    ndarray of shape (N, 4) or (N, 11)
        In the order of ``GRAPHLETS``.

    Examples
    --------
    >>> import networkx as nx
    >>> graphlet_counts(GraphSet.from_networkx(nx.house_graph()), 3).astype(int).tolist()
    [[0, 3, 6, 1]]
    """
    adjacency = graphs.adjacency
    counts = _subgraphs(adjacency.indptr.astype(np.int64), adjacency.indices, graphs.offsets)
    n, m, wedges, triangles, stars, paths, cycles, tails, diamonds, complete, matchings = counts.T
    if size == 3:
        path = wedges - 3 * triangles
        edge = m * (n - 2) - 2 * path - 3 * triangles
        none = n * (n - 1) * (n - 2) / 6 - edge - path - triangles
        return np.column_stack([none, edge, path, triangles])
    diamond = diamonds - 6 * complete
    cycle = cycles - diamond - 3 * complete
    tail = tails - 4 * diamond - 12 * complete
    star = stars - tail - 2 * diamond - 4 * complete
    path = paths - 4 * cycle - 2 * tail - 6 * diamond - 12 * complete
    triangle = triangles * (n - 3) - tail - 2 * diamond - 4 * complete
    path_of_3 = (
        wedges * (n - 3)
        - (2 * path + 3 * star + 4 * cycle + 5 * tail + 8 * diamond + 12 * complete)
        - 3 * triangle
    )
    two_edges = matchings - path - 2 * cycle - tail - 2 * diamond - 3 * complete
    edge = m * (n - 2) * (n - 3) / 2 - (
        2 * two_edges
        + 2 * path_of_3
        + 3 * (triangle + path + star)
        + 4 * (cycle + tail)
        + 5 * diamond
        + 6 * complete
    )
    found = [edge, two_edges, path_of_3, triangle, path, star, cycle, tail, diamond, complete]
    none = n * (n - 1) * (n - 2) * (n - 3) / 24 - np.sum(found, axis=0)
    return np.column_stack([none, *found])


@compiled
def _subgraphs(indptr: IntArray, indices: Int32Array, offsets: IntArray) -> FloatArray:
    """Count subgraphs of every graph, induced or not, in the order in which they are unpacked.

    The number of paths with three edges is Σ over edges of (d_u - 1)(d_v - 1) without triangles,
    of cycles of length 4 half of Σ over pairs of C(common neighbours, 2), of diamonds Σ over edges
    of C(triangles on the edge, 2).
    """
    n_graphs = len(offsets) - 1
    n_vertices = offsets[-1]
    result = np.zeros((n_graphs, 11))
    common = np.zeros(n_vertices, dtype=np.int64)
    is_near = np.zeros(n_vertices, dtype=np.bool_)
    degrees = np.zeros(n_vertices, dtype=np.int64)
    for v in range(n_vertices):
        for e in range(indptr[v], indptr[v + 1]):
            degrees[v] += indices[e] != v
    for g in range(n_graphs):
        for u in range(offsets[g], offsets[g + 1]):
            _count_around(u, indptr, indices, degrees, common, is_near, result[g])
        counts = result[g]
        n, m = offsets[g + 1] - offsets[g], counts[1] / 2
        counts[0], counts[1] = n, m
        counts[3] /= 6
        counts[5] = counts[5] / 2 - 3 * counts[3]
        counts[6] /= 4
        counts[8] /= 2
        counts[10] = m * (m - 1) / 2 - counts[2]
    return result


@compiled
def _count_around(
    u: int,
    indptr: IntArray,
    indices: Int32Array,
    degrees: IntArray,
    common: IntArray,
    is_near: BoolArray,
    counts: FloatArray,
) -> None:
    """Add what vertex u contributes; ``common`` and ``is_near`` are empty before and after."""
    d = float(degrees[u])
    counts[1] += d
    counts[2] += d * (d - 1) / 2
    counts[4] += d * (d - 1) * (d - 2) / 6
    for e in range(indptr[u], indptr[u + 1]):
        is_near[indices[e]] = indices[e] != u
    of_vertex = 0.0
    for e in range(indptr[u], indptr[u + 1]):
        v = indices[e]
        if v == u:
            continue
        counts[5] += (d - 1) * (degrees[v] - 1)
        on_edge = 0
        for f in range(indptr[v], indptr[v + 1]):
            w = indices[f]
            if u != w != v:
                on_edge += is_near[w]
                counts[6] += common[w]
                common[w] += 1
        of_vertex += on_edge
        counts[8] += on_edge * (on_edge - 1) / 2
    counts[3] += of_vertex
    counts[7] += of_vertex / 2 * (d - 2)
    counts[9] += _triangles_above(u, indptr, indices, degrees)
    for e in range(indptr[u], indptr[u + 1]):
        is_near[indices[e]] = False
        for f in range(indptr[indices[e]], indptr[indices[e] + 1]):
            common[indices[f]] = 0


@compiled
def _triangles_above(u: int, indptr: IntArray, indices: Int32Array, degrees: IntArray) -> int:
    """Count the triangles among the neighbours of u that are above u.

    Vertices are ordered by their degrees, so few are above. Every complete subgraph is counted
    once, at its lowest vertex. Sets of neighbours are rows of bits, 64 in a word.
    """
    above = np.empty(indptr[u + 1] - indptr[u], dtype=np.int64)
    n_above = 0
    for e in range(indptr[u], indptr[u + 1]):
        v = indices[e]
        if degrees[v] > degrees[u] or (degrees[v] == degrees[u] and v > u):
            above[n_above] = v
            n_above += 1
    bits = np.zeros((n_above, (n_above + 63) // 64), dtype=np.uint64)
    for i in range(n_above):
        e = indptr[above[i]]
        for j in range(i + 1, n_above):
            while e < indptr[above[i] + 1] and indices[e] < above[j]:
                e += 1
            if e < indptr[above[i] + 1] and indices[e] == above[j]:
                bits[i, j >> 6] |= np.uint64(1) << np.uint64(j & 63)
    total = 0
    for i in range(n_above):
        for j in range(i + 1, n_above):
            if (bits[i, j >> 6] >> np.uint64(j & 63)) & np.uint64(1):
                for word in range(bits.shape[1]):
                    total += _n_bits(bits[i, word] & bits[j, word])
    return total


@compiled
def _n_bits(word: np.uint64) -> int:
    """Count the bits of a word: in pairs, in fours, in bytes, and all bytes by a product."""
    word = word - ((word >> np.uint64(1)) & np.uint64(0x5555555555555555))
    fours = np.uint64(0x3333333333333333)
    word = (word & fours) + ((word >> np.uint64(2)) & fours)
    word = (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return int((word * np.uint64(0x0101010101010101)) >> np.uint64(56))
