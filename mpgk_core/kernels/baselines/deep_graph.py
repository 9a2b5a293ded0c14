"""The deep graph kernel: substructures are compared by what they occur together with."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from scipy.sparse import block_diag, csr_array, hstack
from scipy.sparse.linalg import eigsh

from mpgk_core.arrays import FloatArray, as_dense
from mpgk_core.checks import check_choice, check_iterations, check_memory, check_whole
from mpgk_core.graphs import GraphSet
from mpgk_core.graphs.feature_names import FeatureSpec
from mpgk_core.grouping import Rows, group_rows
from mpgk_core.kernels.baselines.graphlet import GRAPHLETS, GraphletKernel
from mpgk_core.kernels.baselines.shortest_path import ShortestPathKernel
from mpgk_core.kernels.blocks import Block, FeatureBlock
from mpgk_core.kernels.estimator import BlockKernel
from mpgk_core.kernels.weisfeiler_lehman import WeisfeilerLehmanSubtree

SUBSTRUCTURES = ("subtrees", "paths", "graphlets")
_DENSE = 200
"""Vocabularies up to this size are decomposed as dense matrices."""


@dataclass(eq=False, repr=False)
class DeepGraphKernel(BlockKernel):
    """The deep graph kernel, DGK (Yanardag & Vishwanathan 2015).

        k(G, G') = f(G)ᵀ M f(G')

    where f counts substructures and M holds their similarities ⟨e_a, e_b⟩. Two substructures are
    similar if they occur together with the same others. The paper learns the vectors e as word
    vectors, by stochastic gradient descent on pairs (a, b) that occur in the same graph. Such
    training factorises the matrix of pointwise mutual information (Levy & Goldberg 2014), so here
    its positive part is factorised directly, which needs no seed:

        M = U |Λ| Uᵀ,   U Λ Uᵀ ≈ max(0, log(#(a, b) · #pairs / (#a · #b)))

    with the ``dimension`` eigenvalues of largest size.

    Parameters
    ----------
    substructures : {"subtrees", "paths", "graphlets"}
        What is counted: colours of every round of colour refinement, of which those of the same
        round occur together; labels and distances of pairs of vertices; or induced subgraphs
        with 3 and 4 vertices.
    n_iterations : int
        Number of rounds, for subtrees.
    dimension : int
        Length of the vectors e.
    features : str or callable
        What labels vertices. ``"auto"``: labels where there are any, else the degree. Graphlets
        have no labels.
    normalize : bool
        Divide by the lengths.

    Examples
    --------
    >>> import networkx as nx
    >>> graphs = [nx.path_graph(4), nx.path_graph(5), nx.cycle_graph(5)]
    >>> kernel = DeepGraphKernel("paths", features="constant").fit_transform(graphs)
    >>> bool(kernel[0, 1] > kernel[0, 2])
    True
    """

    substructures: str = "subtrees"
    n_iterations: int = 4
    dimension: int = 400
    features: FeatureSpec = "auto"
    normalize: bool = True

    def _check_parameters(self) -> None:
        owner = type(self).__name__
        check_choice(self.substructures, SUBSTRUCTURES, "substructures", owner)
        check_iterations(self.n_iterations, owner)
        check_whole(self.dimension, 1, "dimension", owner)

    def _fit_blocks(self, graphs: GraphSet, every_t: bool) -> None:
        self._counting = self._counters()
        counts = [one.fit(graphs).fitted_features() for one in self._counting]
        self.features_ = self._counting[0].features_
        together = block_diag([_mutual_information(part) for part in self._sentences(counts)])
        self._vectors = _factor(csr_array(together), self.dimension)
        self._blocks = self._blocks_of(graphs)
        self._table = np.ones((1, 1))

    def _blocks_of(self, graphs: GraphSet) -> list[Block]:
        counts = hstack([one.feature_map(graphs) for one in self._counting], format="csr")
        rows = as_dense(counts @ self._vectors)
        return [FeatureBlock.of_samples(rows, rows.shape[1])]

    def _counters(self) -> list[Any]:
        """Return kernels whose features count the substructures."""
        if self.substructures == "subtrees":
            return [WeisfeilerLehmanSubtree(self.n_iterations, self.features, normalize=False)]
        if self.substructures == "paths":
            return [ShortestPathKernel(self.features, normalize=False)]
        return [GraphletKernel(size, normalize=False) for size in GRAPHLETS]

    def _sentences(self, counts: list[csr_array]) -> list[csr_array]:
        """Return the counts of what can occur together."""
        if self.substructures != "subtrees":
            return counts
        (subtrees,) = self._counting
        depths = subtrees.hierarchy_.depths
        starts = np.searchsorted(depths, np.arange(int(depths[-1]) + 2))
        return [counts[0][:, first:stop] for first, stop in pairwise(starts.tolist())]


def _mutual_information(counts: csr_array) -> csr_array:
    """Return the positive part of the pointwise mutual information of all pairs of columns.

    The graphs are added up in an order of their own.
    """
    pairs = np.column_stack([counts.indices, counts.data.view(np.int64)])
    heads = np.zeros(counts.shape[0], dtype=np.int32)
    kinds = group_rows(Rows(heads, 2 * counts.indptr.astype(np.int64), pairs.ravel())).of_row
    ordered = counts[np.argsort(kinds, kind="stable")]
    n_pairs = int((np.diff(counts.indptr).astype(np.int64) ** 2).sum())
    check_memory(
        3 * 16 * n_pairs,
        "A table of substructures that occur together",
        "Use fewer graphs or iterations, or another kernel.",
    )
    together = csr_array(ordered.T @ ordered)
    of_one = np.asarray(together.sum(axis=1)).ravel()
    first = np.repeat(np.arange(together.shape[0]), np.diff(together.indptr))
    shares = together.data / of_one[first] / of_one[together.indices] * of_one.sum()
    information = np.maximum(np.log(shares), 0.0)
    return csr_array((information, together.indices, together.indptr), shape=together.shape)


def _factor(matrix: csr_array, dimension: int) -> FloatArray:
    """Return rows whose products approximate a symmetric matrix, negative parts turned round."""
    n = matrix.shape[0]
    if n <= max(_DENSE, dimension + 1):
        values, vectors = np.linalg.eigh(matrix.toarray())
        chosen = np.argsort(-np.abs(values), kind="stable")[:dimension]
        values, vectors = values[chosen], vectors[:, chosen]
    else:
        values, vectors = eigsh(matrix, dimension, v0=np.ones(n))
    factor: FloatArray = vectors * np.sqrt(np.abs(values))
    return factor
