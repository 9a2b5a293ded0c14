"""The blocks of the four graph kernels."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from mpgk_core.graphs.graph_set import GraphSet
from mpgk_core.graphs.initial_features import InitialFeatures
from mpgk_core.kernels.assignment import UnaryColumns, node_histograms, sum_of_codes
from mpgk_core.kernels.blocks import Block, CodeBlock, FeatureBlock
from mpgk_core.kernels.matrices import membership_matrix
from mpgk_core.kernels.message_passing import MessagePassing
from mpgk_core.kernels.propagation import Round


def assignment_blocks(
    passing: MessagePassing, graphs: GraphSet, rounds: list[Round], chosen: frozenset[int]
) -> list[Block]:
    """Compare graphs by optimal assignment (RA, AA): one block for each chosen round t.

    The block of H_t is Σ_c ω(c) min(number of vertices of G in c, number of vertices of G' in c).
    """
    blocks: list[Block] = []
    for t, now in enumerate(rounds):
        if t in chosen:
            assert now.tree is not None
            hierarchy = now.tree.hierarchy
            leaves = membership_matrix(now.leaf_of_vertex, hierarchy.n_leaves + 1, graphs.offsets)
            histograms = node_histograms(leaves, hierarchy)
            columns = passing.columns.setdefault(t, UnaryColumns.fitting(histograms))
            index = np.arange(len(graphs), dtype=np.int32)
            blocks.append(CodeBlock.of_histograms(histograms, columns, hierarchy, index))
    return blocks


def neighbourhood_blocks(
    passing: MessagePassing, graphs: GraphSet, features: InitialFeatures, rounds: list[Round]
) -> list[Block]:
    """Compare graphs by convolution after rounds of assignment (AR).

    Block 0 sums k⁰ over all pairs of vertices, block s + 1 the neighbourhood kernel of round s.
    """
    blocks: list[Block] = [_feature_sums(graphs, features)]
    for s, (before, after) in enumerate(pairwise(rounds)):
        assert before.tree is not None
        hierarchy = before.tree.hierarchy
        histograms = node_histograms(after.types.messages, hierarchy)
        membership = membership_matrix(after.types.of_vertex, after.types.n_types, graphs.offsets)
        own_columns = UnaryColumns.fitting(histograms)
        all_codes = sum_of_codes(membership, histograms, own_columns)
        weights = own_columns.spread(hierarchy.node_weights).astype(np.float64)
        norms = all_codes.power(2) @ weights
        columns = passing.columns.setdefault(s, own_columns)
        codes = all_codes if columns is own_columns else columns.move(all_codes, own_columns)
        index = np.arange(len(graphs), dtype=np.int32)
        blocks.append(CodeBlock.with_hierarchy(codes, columns, hierarchy, norms, index))
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


def _feature_sums(graphs: GraphSet, features: InitialFeatures) -> FeatureBlock:
    membership = membership_matrix(features.of_vertex, features.rows.shape[0], graphs.offsets)
    return FeatureBlock.of_samples(membership @ features.rows, features.n_known)
