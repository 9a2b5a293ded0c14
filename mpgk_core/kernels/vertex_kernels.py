"""What the rounds of message passing tell about vertices: blocks, and the kernels made of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from mpgk_core.graphs.initial_features import InitialFeatures
from mpgk_core.kernels.assignment import UnaryColumns, node_histograms
from mpgk_core.kernels.blocks import (
    Block,
    CodeBlock,
    FeatureBlock,
    combine,
    combined_features,
    combined_norms,
)
from mpgk_core.kernels.matrices import as_csr, as_dense
from mpgk_core.kernels.normalisation import cosine_normalised
from mpgk_core.kernels.propagation import Round
from mpgk_core.limits import check_memory

_SMALL_TABLE = 200_000
"""Entries, up to which the features of all types are kept as a dense table."""


@dataclass(frozen=True, eq=False)
class VertexKernels:
    """The kernels between vertices in all rounds, k^t = Σ_j c_tj B_j.

    Attributes
    ----------
    table : ndarray of shape (T + 1, number of blocks)
        The coefficients c.
    blocks : list of Block
        What is added up in every round; see :func:`vertex_blocks`.
    is_normalised : bool
        Whether values are divided by the lengths.
    norms : ndarray of shape (T + 1, n)
        The similarity of every vertex with itself in every round, before normalisation.
    """

    table: NDArray[np.float64]
    blocks: list[Block]
    is_normalised: bool
    norms: NDArray[np.float64] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "norms", combined_norms(self.table, self.blocks))

    def at(self, t: int) -> NDArray[np.float64]:
        """Return the kernel between all pairs of vertices after t rounds."""
        n = self.norms.shape[1]
        check_memory(
            3 * 8 * n**2,
            f"A kernel matrix of {n} vertices",
            "Use a smaller graph, or feature_map, which stays sparse.",
        )
        return self._normalised(combine(self.table[t : t + 1], self.blocks)[0])

    def at_all_t(self, chosen: NDArray[np.int64]) -> list[NDArray[np.float64]]:
        """Return the kernels between some vertices after 0..T rounds."""
        check_memory(
            (len(self.table) + 2) * 8 * len(chosen) ** 2,
            f"{len(self.table)} kernel matrices of {len(chosen)} vertices",
            "Choose fewer vertices, or use feature_map, which stays sparse.",
        )
        return [self._normalised(k) for k in combine(self.table, self._restricted(chosen))]

    def between(
        self, rows: NDArray[np.int64], columns: NDArray[np.int64], t: int
    ) -> NDArray[np.float64]:
        """Return the kernel between some vertices and some others before normalisation."""
        check_memory(
            3 * 8 * len(rows) * len(columns),
            f"A kernel between {len(rows)} and {len(columns)} vertices",
            "Choose fewer vertices.",
        )
        left, right = self._restricted(rows), self._restricted(columns)
        return combine(self.table[t : t + 1], left, right)[0]

    def with_others(self, others: list[Block]) -> NDArray[np.float64]:
        """Return the kernel after T rounds between other vertices and these."""
        last = self.table[-1:]
        kernel = combine(last, others, self.blocks)[0]
        if self.is_normalised:
            kernel = cosine_normalised(kernel, combined_norms(last, others)[0], self.norms[-1])
        return kernel

    def features(self, t: int, chosen: NDArray[np.int64] | None) -> csr_array:
        """Return sparse rows whose dot products are the kernel before normalisation."""
        if self._joined is not None:
            rows, of_vertex = self._joined
            index = of_vertex if chosen is None else of_vertex[chosen]
            roots = np.sqrt(self.table[t])
            return as_csr(rows[index] * np.repeat(roots, [b.n_columns for b in self.blocks]))
        blocks = self.blocks if chosen is None else self._restricted(chosen)
        return combined_features(self.table[t], blocks)

    @cached_property
    def _joined(self) -> tuple[NDArray[np.float64], NDArray[np.int64]] | None:
        """The features of all blocks, a row for every type, and the type of every vertex.

        Every round weighs the same columns, so small tables are joined once for all of them.
        Types only split from round to round: those of the last block are the finest.
        """
        _, first, of_vertex = np.unique(
            self.blocks[-1].index, return_index=True, return_inverse=True
        )
        if len(first) * sum(block.n_columns for block in self.blocks) > _SMALL_TABLE:
            return None
        parts = [as_dense(block.features()) for block in self._restricted(first)]
        return np.hstack(parts), of_vertex

    def _restricted(self, chosen: NDArray[np.int64]) -> list[Block]:
        return [block.restricted(chosen) for block in self.blocks]

    def _normalised(self, kernel: NDArray[np.float64]) -> NDArray[np.float64]:
        if not self.is_normalised:
            return kernel
        return cosine_normalised(kernel, kernel.diagonal(), kernel.diagonal())


def vertex_blocks(
    features: InitialFeatures, rounds: list[Round], columns: dict[int, UnaryColumns] | None
) -> list[Block]:
    """Return what the kernels of all rounds are made of.

    Parameters
    ----------
    features : InitialFeatures
        What the vertices start with.
    rounds : list of Round
    columns : dict or None
        Room for the counts of every round, as learnt (A; what is not there yet is added); None
        for R.

    Returns
    -------
    list of Block
    """
    if columns is None:
        return _convolution_blocks(features, rounds)
    return _assignment_blocks(features, rounds, columns)


def _convolution_blocks(features: InitialFeatures, rounds: list[Round]) -> list[Block]:
    """Return the blocks (A^j X)(A^j X)ᵀ, one row of A^j X for every type of round j."""
    power = features.rows
    blocks: list[Block] = [FeatureBlock(power, features.n_known, features.of_vertex)]
    for now in rounds[1:]:
        power = now.types.messages @ power
        blocks.append(FeatureBlock(power, features.n_known, now.types.of_vertex))
    return blocks


def _assignment_blocks(
    features: InitialFeatures, rounds: list[Round], columns: dict[int, UnaryColumns]
) -> list[Block]:
    """Return the block of k^0, then for every round that of the neighbourhood kernel."""
    blocks: list[Block] = [FeatureBlock(features.rows, features.n_known, features.of_vertex)]
    for s, (before, after) in enumerate(pairwise(rounds)):
        assert before.tree is not None
        hierarchy = before.tree.hierarchy
        histograms = node_histograms(after.types.messages, hierarchy)
        room = columns.setdefault(s, UnaryColumns.fitting(histograms))
        index = after.types.of_vertex
        blocks.append(CodeBlock.of_histograms(histograms, room, hierarchy, index))
    return blocks
