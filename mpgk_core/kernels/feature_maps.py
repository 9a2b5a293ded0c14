"""The explicit feature maps of the message passing kernels, block by block.

- vertices, R: A^j X, one row for every type of vertex after j rounds;
- vertices, A: the unary codes of the neighbours in the tree nodes of every round;
- RR: sums of A^j X over the vertices of a graph. Walks give them with less work, unless edges have
  both channels and weights: see :mod:`mpgk_core.kernels.walks` and
  :mod:`mpgk_core.kernels.channel_walks`;
- AR: the sums of the codes of all vertices; RA, AA: the codes of the vertices of a graph;
- Nyström: the sums of the landmark coordinates of all vertices.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import pairwise

import numpy as np
from scipy.sparse import csr_array, issparse

from mpgk_core.activity import steps
from mpgk_core.arrays import EXACT_IN_FLOAT64, IntArray, as_csr, membership_matrix
from mpgk_core.checks import check_memory
from mpgk_core.graphs.features import InitialFeatures
from mpgk_core.graphs.graph_set import GraphSet
from mpgk_core.graphs.neighbourhoods import EdgeUse
from mpgk_core.kernels.assignment import (
    UnaryColumns,
    node_histograms,
    received_histograms,
    sum_of_codes,
    weights_of_nodes,
)
from mpgk_core.kernels.blocks import Block, CodeBlock, FeatureBlock
from mpgk_core.kernels.hierarchy import Hierarchy
from mpgk_core.kernels.message_passing import MessagePassing
from mpgk_core.kernels.vertex_vectors import Round
from mpgk_core.refinement.colour_refinement import VertexTypes

PORTION = 4096
"""Graphs that are worked on at a time, where that saves memory."""

_FEW_COLUMNS = 8
_DENSE_SHARE = 0.1
"""Of entries that are not zero, from which a matrix is multiplied more quickly as a dense one."""


def vertex_blocks(
    features: InitialFeatures, rounds: list[Round], passing: MessagePassing
) -> list[Block]:
    """Return the blocks of the kernels between vertices (Equations 6 and 7).

    Parameters
    ----------
    features : InitialFeatures
        What the vertices start with.
    rounds : list of Round
    passing : MessagePassing
        Holds the columns as learnt; what is missing is added.

    Returns
    -------
    list of Block
        R: (A^j X)(A^j X)ᵀ for j = 0..T. A: k^0, then the neighbourhood kernel of every round.
    """
    if passing.parameters.neighbourhood == "R":
        return list(convolution_blocks(features, rounds, passing))
    blocks: list[Block] = [FeatureBlock(features.of_vertex, features.rows, features.n_known)]
    for s, (hierarchy, types, histograms) in enumerate(_received(rounds)):
        room = passing.columns.setdefault(s, UnaryColumns.fitting(histograms))
        blocks.append(CodeBlock.of_histograms(histograms, room, hierarchy, types.of_vertex))
    return blocks


def convolution_blocks(
    features: InitialFeatures, rounds: list[Round], passing: MessagePassing
) -> Iterator[FeatureBlock]:
    """Yield the blocks A^j X for j = 0..T, one row for every type of vertex after j rounds.

    Where edges have channels b, one round maps K to αK + β Σ_b A_b K A_bᵀ. The two parts commute,
    as without channels, and with K^0 = X Xᵀ the j-th power of the second is

        Σ (A_b1 ⋯ A_bj X)(A_b1 ⋯ A_bj X)ᵀ,   over all sequences b1, ..., bj of channels.

    So block j has the columns of X once for every sequence that occurs on a walk. They are
    numbered as training met them; new ones follow after all.
    """
    power, n_known = features.rows, features.n_known
    has_channels = passing.edge_encoder.use.has_channels
    yield FeatureBlock(features.of_vertex, power, n_known)
    for j, types in enumerate((now.types for now in rounds[1:]), start=1):
        if not has_channels:
            power = types.messages @ power
        else:
            power, n_known = _along_channels(types, as_csr(power), n_known, passing.walks, j)
        yield FeatureBlock(types.of_vertex, power, n_known)


def exact_powers(
    graphs: GraphSet, features: InitialFeatures, passing: MessagePassing
) -> list[FeatureBlock] | None:
    """Return the blocks A^j X with a row for every vertex; None where they may be inexact.

    A sum of whole numbers from 0 to 2**53 is the same in any order, so the adjacency matrix is
    multiplied as it is; in all other cases equal vertices are put together first.
    """
    p, rows = passing.parameters, features.rows
    if p.neighbourhood != "R" or EdgeUse.of(p.edges) != EdgeUse() or issparse(rows):
        return None
    if rows.shape[1] > _FEW_COLUMNS or rows.min(initial=0.0) < 0 or np.any(rows != np.rint(rows)):
        return None
    powers = [rows[features.of_vertex]]
    for _ in steps(range(p.n_iterations), "passing messages"):
        powers.append(graphs.adjacency @ powers[-1])
    if max(power.max(initial=0.0) for power in powers) > EXACT_IN_FLOAT64:
        return None
    return [FeatureBlock.of_samples(power, features.n_known) for power in powers]


def _along_channels(
    types: VertexTypes, power: csr_array, n_known: int, walks: dict[int, IntArray], j: int
) -> tuple[csr_array, int]:
    """Return A_b times the columns of ``power`` for every channel b, and how many are known."""
    width = power.shape[1]
    n_entries = np.diff(power.indptr)[types.messages.indices % max(power.shape[0], 1)].sum()
    check_memory(
        3 * 16 * int(n_entries),
        f"The walks of length {j} over {types.n_channels} kinds of edges",
        "Choose fewer rounds, or fewer kinds of edges, or neighbourhood A.",
    )
    wide = types.over_each_channel(lambda received: received @ power)
    if j not in walks:
        walks[j] = np.unique(wide.indices)
        n_known = width
    channel, column = np.divmod(wide.indices.astype(np.int64), max(width, 1))
    code = np.where(column < n_known, channel * n_known + column, -1)
    position = np.searchsorted(walks[j], code)
    position[position == len(walks[j])] = 0
    is_known = walks[j][position] == code if len(walks[j]) else np.zeros(len(code), dtype=bool)
    new, rank = np.unique(wide.indices[~is_known], return_inverse=True)
    position[~is_known] = len(walks[j]) + rank
    shape = (types.n_types, len(walks[j]) + len(new))
    numbered = csr_array((wide.data, position, wide.indptr), shape=shape)
    numbered.sort_indices()
    return numbered, len(walks[j])


def assignment_blocks(
    graphs: GraphSet, rounds: list[Round], chosen: frozenset[int], columns: dict[int, UnaryColumns]
) -> list[Block]:
    """Compare graphs by optimal assignment (RA, AA; Equation 9): one block for each chosen round.

    The block of H_t is Σ_c ω(c) min(number of vertices of G in c, number of vertices of G' in c).
    """
    blocks: list[Block] = []
    for t in sorted(chosen):
        tree = rounds[t].hierarchy
        leaves = membership_matrix(rounds[t].leaf_of_vertex, tree.n_leaves + 1, graphs.offsets)
        histograms = node_histograms(leaves, tree)
        room = columns.setdefault(t, UnaryColumns.fitting(histograms))
        blocks.append(CodeBlock.of_histograms(histograms, room, tree))
    return blocks


def neighbourhood_blocks(
    graphs: GraphSet,
    features: InitialFeatures,
    rounds: list[Round],
    columns: dict[int, UnaryColumns],
) -> list[Block]:
    """Compare graphs by convolution after rounds of assignment (AR; Equation 8).

    Block 0 sums k⁰ over all pairs of vertices, block s + 1 the neighbourhood kernel of round s.
    """
    membership = membership_matrix(features.of_vertex, features.rows.shape[0], graphs.offsets)
    blocks: list[Block] = [FeatureBlock.of_samples(membership @ features.rows, features.n_known)]
    for s, (hierarchy, types, histograms) in enumerate(_received(rounds)):
        membership = membership_matrix(types.of_vertex, types.n_types, graphs.offsets)
        own_columns = UnaryColumns.fitting(histograms)
        codes = sum_of_codes(membership, histograms, own_columns)
        numerators = weights_of_nodes(hierarchy, own_columns.n_nodes)
        norms = codes.power(2) @ own_columns.spread(numerators).astype(np.float64)
        room = columns.setdefault(s, own_columns)
        if room is not own_columns:
            codes = room.move(codes, own_columns)
        blocks.append(CodeBlock.with_hierarchy(codes, room, hierarchy, norms))
    return blocks


def learn_columns(
    graphs: GraphSet, features: InitialFeatures, passing: MessagePassing, chosen: frozenset[int]
) -> None:
    """Learn trees and columns as the blocks of all graphs would, a portion of them at a time.

    Parameters
    ----------
    graphs : GraphSet
    features : InitialFeatures
    passing : MessagePassing
        Is taught.
    chosen : frozenset of int
        The rounds whose hierarchies compare graphs (RA, AA); none for AR, whose columns are those
        of the neighbourhood kernels.
    """
    before: Round | None = None
    for t, now in enumerate(passing.rounds(graphs, features)):
        if t in chosen:
            parts = _histograms_of_portions(graphs.offsets, now)
            passing.columns[t] = UnaryColumns.fitting_all(parts)
        if not chosen and before is not None:
            tree = before.hierarchy
            received = (received_histograms(own, tree) for _, own in now.types.portions())
            passing.columns[t - 1] = UnaryColumns.fitting_all(received)
        before = now


def _histograms_of_portions(offsets: IntArray, now: Round) -> Iterator[csr_array]:
    """Count the vertices of graphs in every tree node of a round, some graphs at a time."""
    tree, leaves = now.hierarchy, now.leaf_of_vertex
    for start in range(0, len(offsets) - 1, PORTION):
        own = offsets[start : start + PORTION + 1]
        members = membership_matrix(leaves[own[0] : own[-1]], tree.n_leaves + 1, own - own[0])
        yield node_histograms(members, tree)


def summed_blocks(
    graphs: GraphSet, features: InitialFeatures, rounds: list[Round], passing: MessagePassing
) -> list[Block]:
    """Sum A^j X over the vertices of every graph (RR where the edges are not plain)."""
    blocks: list[Block] = []
    for block in convolution_blocks(features, rounds, passing):
        membership = membership_matrix(block.index, block.rows.shape[0], graphs.offsets)
        sums = membership @ block.rows
        if issparse(sums) and sums.nnz > _DENSE_SHARE * math.prod(sums.shape):
            sums = sums.toarray()
        blocks.append(FeatureBlock.of_samples(sums, block.n_known))
    return blocks


def vector_blocks(graphs: GraphSet, rounds: list[Round]) -> list[Block]:
    """Sum the vectors of all vertices of a graph (Nyström, RR and AR): one block for every t."""
    return [
        FeatureBlock.of_samples(
            membership_matrix(now.types.of_vertex, now.types.n_types, graphs.offsets) @ now.vectors,
            now.vectors.shape[1],
        )
        for now in rounds
    ]


def _received(rounds: list[Round]) -> Iterator[tuple[Hierarchy, VertexTypes, csr_array]]:
    """Yield, for every round of assignment, the tree, the types after it and what they received."""
    for before, after in pairwise(rounds):
        histograms = received_histograms(after.types, before.hierarchy)
        yield before.hierarchy, after.types, histograms
