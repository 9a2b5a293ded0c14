"""The hash graph kernel: attributes become labels by random hashing, many times."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np

from mpgk_core.arrays import FloatArray
from mpgk_core.checks import check_iterations, check_positive, check_whole
from mpgk_core.graphs import GraphSet
from mpgk_core.graphs.feature_names import FeatureSpec
from mpgk_core.kernels.baselines.attributed_vertices import VertexEncoder, attributed_features
from mpgk_core.kernels.blocks import Block
from mpgk_core.kernels.estimator import BlockKernel
from mpgk_core.kernels.update import derived_seed
from mpgk_core.kernels.weisfeiler_lehman import WeisfeilerLehmanSubtree


@dataclass(eq=False, repr=False)
class HashGraphKernel(BlockKernel):
    """The hash graph kernel with Weisfeiler-Lehman subtrees, HGK-WL (Morris et al. 2016).

        k(G, G') = 1/I Σ_(i ≤ I) k_WL(h_i(G), h_i(G'))

    The hash function h_i gives a vertex with the label l and the attributes x the new label
    (l, ⌊(⟨a_i, x⟩ + b_i) / w⌋), with a_i from the standard normal distribution and b_i uniform
    between 0 and w: near attributes have often the same label. The sum is an estimate, and more
    hash functions make it a better one. The definition does not divide by lengths.

    Parameters
    ----------
    n_iterations : int
        Number of rounds h of colour refinement.
    n_hashes : int
        The number I. Without attributes, all hash functions are alike and one is used.
    width : float
        The width w of the bins.
    features : str or callable
        ``"auto"``: labels and standardised attributes, else the degree as a label. Of d
        standardised attributes each has variance 1 / d here, and 1 in the paper, whose width is
        therefore √d times this one.
    random_state : int
        Seed of all a and b.
    normalize : bool
        Divide by the lengths.

    Examples
    --------
    Without attributes all hash functions are alike, and it is the subtree kernel:

    >>> import networkx as nx
    >>> kernel = HashGraphKernel(1, features="constant", normalize=False)
    >>> kernel.fit_transform([nx.path_graph(3), nx.cycle_graph(3)])
    array([[14., 12.],
           [12., 18.]])
    """

    n_iterations: int = 4
    n_hashes: int = 20
    width: float = 1.0
    features: FeatureSpec = "auto"
    random_state: int = 0
    normalize: bool = True

    def _check_parameters(self) -> None:
        owner = type(self).__name__
        check_iterations(self.n_iterations, owner)
        check_whole(self.n_hashes, 1, "n_hashes", owner)
        check_positive(self.width, "width", owner)
        check_whole(self.random_state, 0, "random_state", owner)

    def _fit_blocks(self, graphs: GraphSet, every_t: bool) -> None:
        self.features_ = attributed_features(self.features, graphs)
        self._encoder = VertexEncoder(self.features_)
        has_attributes = self._encoder.fit(graphs).rows.shape[1] > 0
        n_hashes = self.n_hashes if has_attributes else 1
        self._kernels = [
            WeisfeilerLehmanSubtree(
                self.n_iterations, features=partial(self._hashed, i), normalize=False
            ).fit(graphs)
            for i in range(n_hashes)
        ]
        self._blocks = [block for kernel in self._kernels for block in kernel._blocks]
        self._table = np.full((1, len(self._blocks)), 1.0 / n_hashes)

    def _blocks_of(self, graphs: GraphSet) -> list[Block]:
        return [block for kernel in self._kernels for block in kernel._blocks_of(graphs)]

    def _hashed(self, i: int, graphs: GraphSet) -> FloatArray:
        """Return the label and the bin of every vertex under the hash function h_i."""
        labels, _, rows = self._encoder.transform(graphs)
        direction, offset = self._draw(i, rows.shape[1])
        bins = np.floor(projected(rows, direction) / self._fitted.width + offset)
        return np.column_stack([labels, bins])

    def _draw(self, i: int, n_numbers: int) -> tuple[FloatArray, float]:
        """Return a and b / w of the hash function h_i."""
        seed = derived_seed(self._fitted.random_state, "hash graph kernel", i)
        generator = np.random.default_rng(seed)
        offset = generator.random()
        return generator.standard_normal(n_numbers), offset


def projected(rows: FloatArray, direction: FloatArray) -> FloatArray:
    """Return the products of rows with a vector, each summed up column by column.

    A matrix product may round differently in another place of the matrix, and a bin is another
    one beyond its border.

    Parameters
    ----------
    rows : ndarray of shape (n, d)
    direction : ndarray of shape (d,)

    Returns
    -------
    ndarray of shape (n,)
    """
    total = np.zeros(len(rows))
    for column, weight in zip(rows.T, direction.tolist(), strict=True):
        total += weight * column
    return total
