"""The shortest-path kernel: pairs of vertices, counted by their labels and their distance."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array

from mpgk_core._compiled import compiled
from mpgk_core.arrays import FloatArray, Int32Array, IntArray
from mpgk_core.errors import InvalidGraphError
from mpgk_core.graphs import GraphSet
from mpgk_core.graphs.feature_names import FeatureSpec
from mpgk_core.graphs.features import FeatureEncoder, discrete_features
from mpgk_core.grouping import recognise_rows
from mpgk_core.kernels.blocks import Block, FeatureBlock
from mpgk_core.kernels.estimator import BlockKernel

_BITS = 21
"""A pair is one number of 63 bits: the colours of both ends and their distance."""


class ShortestPathKernel(BlockKernel):
    """The shortest-path kernel (Borgwardt & Kriegel 2005), with delta kernels.

        k(G, G') = Σ_(a, b, d) #(pairs (v, u) of G with labels a, b at distance d) · #(in G')

    over ordered pairs of different vertices that some path joins. Breadth-first search from
    every vertex takes O(n · m) in each graph.

    Parameters
    ----------
    features : str or callable
        What labels vertices. ``"auto"``: labels where there are any, else the degree.
    normalize : bool
        Divide by the lengths.

    Examples
    --------
    >>> import networkx as nx
    >>> kernel = ShortestPathKernel(features="constant", normalize=False)
    >>> kernel.fit_transform([nx.path_graph(3), nx.cycle_graph(3)])
    array([[20., 24.],
           [24., 36.]])
    """

    def __init__(self, features: FeatureSpec = "auto", normalize: bool = True) -> None:
        self.features = features
        self.normalize = normalize

    def _check_parameters(self) -> None:
        """Accept everything: the encoder of features checks them."""

    def _fit_blocks(self, graphs: GraphSet, every_t: bool) -> None:
        self.features_ = discrete_features(self.features, graphs)
        self._encoder = FeatureEncoder(self.features_)
        self._start = self._encoder.fit(graphs)
        self._known: IntArray | None = None
        self._blocks = self._blocks_of(graphs)
        self._table = np.ones((1, 1))

    def _blocks_of(self, graphs: GraphSet) -> list[Block]:
        features = self._encoder.transform(graphs)
        colours = recognise_rows(self._start.content, features.content)[features.of_vertex]
        if max(graphs.sizes.max(initial=0), colours.max(initial=0) + 1) >= 1 << _BITS:
            raise InvalidGraphError(
                f"The shortest-path kernel takes graphs of fewer than {1 << _BITS:,} vertices with "
                "fewer different labels. Use smaller graphs or another kernel."
            )
        adjacency = graphs.adjacency
        owners, kinds, counts = _count_paths(
            adjacency.indptr, adjacency.indices, graphs.offsets, colours.astype(np.int64)
        )
        if self._known is None:
            self._known = np.unique(kinds)
        unseen = np.setdiff1d(kinds, self._known)
        n_known, n_columns = len(self._known), len(self._known) + len(unseen)
        columns = np.searchsorted(self._known, kinds)
        is_new = ~np.isin(kinds, self._known)
        columns[is_new] = n_known + np.searchsorted(unseen, kinds[is_new])
        shape = (len(graphs), n_columns)
        return [FeatureBlock.of_samples(csr_array((counts, (owners, columns)), shape), n_known)]


@compiled
def _count_paths(
    indptr: Int32Array, indices: Int32Array, offsets: IntArray, colours: IntArray
) -> tuple[IntArray, IntArray, FloatArray]:
    """Return how often each kind of pair (colour, colour, distance) occurs in each graph."""
    owners, kinds, counts = [np.int64(0)], [np.int64(0)], [0.0]
    distance = np.full(len(colours), -1, dtype=np.int64)
    for g in range(len(offsets) - 1):
        first, last = offsets[g], offsets[g + 1]
        queue = np.empty(last - first, dtype=np.int64)
        found = np.empty((last - first) * max(last - first - 1, 0), dtype=np.int64)
        n_found = 0
        for source in range(first, last):
            distance[first:last] = -1
            distance[source] = 0
            queue[0] = source
            head, tail = 0, 1
            while head < tail:
                v = queue[head]
                head += 1
                for e in range(indptr[v], indptr[v + 1]):
                    u = indices[e]
                    if distance[u] < 0:
                        distance[u] = distance[v] + 1
                        queue[tail] = u
                        tail += 1
                        ends = (colours[source] << (2 * _BITS)) | (colours[u] << _BITS)
                        found[n_found] = ends | distance[u]
                        n_found += 1
        ordered = np.sort(found[:n_found])
        for p in range(n_found):
            if p == 0 or ordered[p] != ordered[p - 1]:
                owners.append(np.int64(g))
                kinds.append(ordered[p])
                counts.append(0.0)
            counts[-1] += 1.0
    return np.array(owners)[1:], np.array(kinds)[1:], np.array(counts)[1:]
