"""Walks over several kinds of edges: the feature map of RR where neighbourhoods have channels.

Σ_{v in g} (A_b1 ⋯ A_bj X)_v = Σ_u w(u) x_u, where w(u) is the number of walks that start anywhere
in the graph, take their steps over the channels b1, ..., bj, and end in u. So a graph needs a
vector w for every sequence of channels, but no vertex needs features of its own. Walks grow by one
step at a time, put together by graph, sequence and end; a sequence that no walk takes is never
written down, and the last step leads to types of vertices, of which there are fewer.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array

from mpgk_core._compiled import compiled
from mpgk_core.arrays import (
    EXACT_IN_FLOAT64,
    FloatArray,
    Int32Array,
    IntArray,
    as_csr,
    membership_matrix,
)
from mpgk_core.checks import check_memory
from mpgk_core.graphs.features import InitialFeatures
from mpgk_core.graphs.graph_set import GraphSet
from mpgk_core.graphs.neighbourhoods import Neighbourhoods
from mpgk_core.grouping import SparseRows
from mpgk_core.kernels.blocks import Block, CountBlock, FeatureBlock
from mpgk_core.kernels.message_passing import MessagePassing
from mpgk_core.refinement.colour_refinement import refine

_BYTES_PER_STEP = 64
"""Of walks as long as that, and of the columns that are made of them."""
_SMALL_TABLE = 1 << 16


class Walks(NamedTuple):
    """Walks of one length, in runs: those of one graph over one sequence of channels.

    The runs of graph g are ``of_graph[g]`` to ``of_graph[g + 1]``, and ``sequences`` has the number
    of the sequence of every run. Of run r, ``counts[e]`` walks end in ``ends[e]``, for e from
    ``of_run[r]`` to ``of_run[r + 1]``.
    """

    of_graph: IntArray
    sequences: IntArray
    of_run: IntArray
    ends: Int32Array
    counts: FloatArray

    def in_order(self, rank: IntArray) -> Walks:
        """Return the same walks, in every run in the order of the ranks of their ends."""
        runs = np.repeat(np.arange(len(self.sequences)), np.diff(self.of_run))
        order = np.lexsort([rank[self.ends], runs])
        return self._replace(ends=self.ends[order], counts=self.counts[order])


def channel_walk_blocks(
    graphs: GraphSet, features: InitialFeatures, passing: MessagePassing
) -> list[Block]:
    """Return the blocks Σ_v (A_b1 ⋯ A_bj X)_v for j = 0..T, a row for every graph.

    The columns of block j are pairs of a sequence of channels and a column of X, in lexicographic
    order, as far as they occurred in training.

    Parameters
    ----------
    graphs : GraphSet
    features : InitialFeatures
    passing : MessagePassing
        Holds the sequences and columns as learnt; what is missing is added.

    Returns
    -------
    list of Block
    """
    m = features.rows.shape[0]
    membership = membership_matrix(features.of_vertex, m, graphs.offsets)
    blocks: list[Block] = [FeatureBlock.of_samples(membership @ features.rows, features.n_known)]
    around = passing.neighbourhoods(graphs)
    found = _walks_to_types(graphs, features, around, passing)
    if any(walks.counts.max(initial=0.0) > EXACT_IN_FLOAT64 for walks in found):
        rank = _rank_of_vertices(around, features, len(found))
        found = _walks_to_types(graphs, features, around, passing, rank)
    rows = as_csr(features.rows)
    for j, walks in enumerate(found, start=1):
        blocks.append(_summed(walks, rows, features.n_known, passing, j))
    return blocks


def _walks_to_types(
    graphs: GraphSet,
    features: InitialFeatures,
    around: Neighbourhoods,
    passing: MessagePassing,
    rank: IntArray | None = None,
) -> list[Walks]:
    """Return the walks of length 1..T; they end in types of vertices.

    Sums of whole numbers up to 2**53 are the same in any order; if they grow beyond, vertices need
    a rank.
    """
    assert around.kinds is not None
    channels = around.channel_of_kind[around.kinds]
    n_known_channels = len(passing.edge_encoder.channel_names)
    steps = (around.indptr, channels, around.n_channels, n_known_channels)
    to_types = features.of_vertex[around.indices]
    n, n_known = graphs.n_vertices, 1
    walks = Walks(
        np.arange(len(graphs) + 1),
        np.zeros(len(graphs), dtype=np.int64),
        graphs.offsets,
        np.arange(n, dtype=np.int32),
        np.ones(n),
    )
    found: list[Walks] = []
    T, known = passing.parameters.n_iterations, passing.sequences
    for j in range(1, T + 1):
        check_memory(
            _BYTES_PER_STEP * int(np.diff(around.indptr)[walks.ends].sum()),
            f"The walks of length {j} over {around.n_channels} kinds of edges",
            "Choose fewer rounds, or fewer kinds of edges, or neighbourhood A.",
        )
        if rank is not None:
            walks = walks.in_order(rank)
        longer = Walks(*_one_step(walks, *steps, n_known, to_types, features.rows.shape[0]))
        if j not in known:
            known[j] = _distinct(longer.sequences)
        numbers = _numbers(longer.sequences, known[j])
        found.append(longer._replace(sequences=numbers))
        if j < T:
            walks = Walks(*_one_step(walks, *steps, n_known, around.indices, n))
            walks = walks._replace(sequences=numbers)
        n_known = len(known[j])
    return found


@compiled
def _one_step(
    walks: Walks,
    indptr: IntArray,
    channels: Int32Array,
    n_channels: int,
    n_known_channels: int,
    n_known: int,
    targets: Int32Array,
    n_targets: int,
) -> tuple[IntArray, IntArray, IntArray, Int32Array, FloatArray]:
    """Let walks take all steps, and put those together that now end in one target.

    The new sequence is sequence × channels + channel, where both are known from training, and a
    number below 0 elsewhere.
    """
    n_steps, most = 0, 0
    for r in range(len(walks.sequences)):
        own = 0
        for e in range(walks.of_run[r], walks.of_run[r + 1]):
            own += indptr[walks.ends[e] + 1] - indptr[walks.ends[e]]
        n_steps += own
        most = max(most, own)
    of_graph = np.zeros(len(walks.of_graph), dtype=np.int64)
    sequences = np.empty(n_steps, dtype=np.int64)
    of_run = np.zeros(n_steps + 1, dtype=np.int64)
    ends = np.empty(n_steps, dtype=np.int32)
    counts = np.empty(n_steps)
    total = np.zeros(n_targets)
    n_over = np.zeros(n_channels + 1, dtype=np.int64)
    taken = np.empty(n_channels, dtype=np.int64)
    step_ends = np.empty(most, dtype=np.int32)
    step_counts = np.empty(most)
    n_runs, position = 0, 0
    for g in range(len(walks.of_graph) - 1):
        for r in range(walks.of_graph[g], walks.of_graph[g + 1]):
            n_taken = 0
            for e in range(walks.of_run[r], walks.of_run[r + 1]):
                for a in range(indptr[walks.ends[e]], indptr[walks.ends[e] + 1]):
                    if n_over[channels[a]] == 0:
                        i = n_taken
                        while i > 0 and taken[i - 1] > channels[a]:
                            taken[i] = taken[i - 1]
                            i -= 1
                        taken[i] = channels[a]
                        n_taken += 1
                    n_over[channels[a]] += 1
            start = 0
            for i in range(n_taken):
                start += n_over[taken[i]]
                n_over[taken[i]] = start - n_over[taken[i]]
            for e in range(walks.of_run[r], walks.of_run[r + 1]):
                for a in range(indptr[walks.ends[e]], indptr[walks.ends[e] + 1]):
                    place = n_over[channels[a]]
                    step_ends[place] = targets[a]
                    step_counts[place] = walks.counts[e]
                    n_over[channels[a]] += 1
            start = 0
            for i in range(n_taken):
                channel, stop, first = taken[i], n_over[taken[i]], position
                n_over[channel] = 0
                for k in range(start, stop):
                    if total[step_ends[k]] == 0.0:
                        ends[position] = step_ends[k]
                        position += 1
                    total[step_ends[k]] += step_counts[k]
                for e in range(first, position):
                    counts[e] = total[ends[e]]
                    total[ends[e]] = 0.0
                before = walks.sequences[r]
                if before < n_known and channel < n_known_channels:
                    sequences[n_runs] = before * n_known_channels + channel
                else:
                    sequences[n_runs] = -1 - (before * n_channels + channel)
                n_runs += 1
                of_run[n_runs] = position
                start = stop
        of_graph[g + 1] = n_runs
    found = sequences[:n_runs].copy(), of_run[: n_runs + 1].copy()
    return of_graph, found[0], found[1], ends[:position], counts[:position]


def _rank_of_vertices(around: Neighbourhoods, features: InitialFeatures, T: int) -> IntArray:
    """Return numbers for vertices that no renumbering changes, equal only if equal walks end there.

    They are types, refined by the vertices whose neighbours they are.
    """
    assert around.kinds is not None
    n = len(around.indptr) - 1
    order = np.argsort(around.indices, kind="stable")
    counts = np.bincount(around.indices, minlength=n)
    turned = Neighbourhoods(
        np.concatenate([[0], np.cumsum(counts)]),
        np.repeat(np.arange(n, dtype=np.int32), np.diff(around.indptr))[order],
        around.kinds[order],
        around.channel_of_kind,
        None,
        around.n_channels,
    )
    types, n_types = features.of_vertex, features.rows.shape[0]
    for _ in range(T):
        refined = refine(turned, types, types, n_types)
        types, n_types = refined.of_vertex, refined.n_types
    return types.astype(np.int64)


def _summed(
    walks: Walks, rows: csr_array, n_known: int, passing: MessagePassing, j: int
) -> FeatureBlock:
    """Return Σ w x over the ends of the walks of every graph and sequence."""
    is_whole = bool(np.all((rows.data >= 0.0) & (rows.data == np.rint(rows.data))))
    n_sequences = len(passing.sequences[j])
    if not is_whole:
        walks = walks.in_order(np.arange(rows.shape[0]))
    starts, codes, sums = _sums_of_features(
        walks, SparseRows.of(rows), rows.shape[1], n_known, n_sequences
    )
    if j not in passing.walks:
        passing.walks[j] = _distinct(codes)
    columns = _numbers(codes, passing.walks[j])
    shape = (len(starts) - 1, max(len(passing.walks[j]), int(columns.max(initial=-1)) + 1))
    found = csr_array((sums, columns, starts), shape=shape)
    if is_whole and sums.max(initial=0.0) <= EXACT_IN_FLOAT64:
        return CountBlock.of_samples(found, len(passing.walks[j]))
    return FeatureBlock.of_samples(found, len(passing.walks[j]))


@compiled
def _sums_of_features(
    walks: Walks, rows: SparseRows, width: int, n_known: int, n_sequences: int
) -> tuple[IntArray, IntArray, FloatArray]:
    """Return, for every graph, Σ w x over the ends of each sequence of channels.

    The column of feature d after a sequence is sequence × features + d, where both are known from
    training, and a number below 0 elsewhere.
    """
    n_terms = 0
    for e in range(len(walks.ends)):
        n_terms += rows.indptr[walks.ends[e] + 1] - rows.indptr[walks.ends[e]]
    starts = np.zeros(len(walks.of_graph), dtype=np.int64)
    codes = np.empty(n_terms, dtype=np.int64)
    sums = np.empty(n_terms)
    total = np.zeros(width)
    is_met = np.zeros(width, dtype=np.bool_)
    met = np.empty(width, dtype=np.int64)
    position = 0
    for g in range(len(walks.of_graph) - 1):
        for r in range(walks.of_graph[g], walks.of_graph[g + 1]):
            n_met = 0
            for e in range(walks.of_run[r], walks.of_run[r + 1]):
                for x in range(rows.indptr[walks.ends[e]], rows.indptr[walks.ends[e] + 1]):
                    d = rows.indices[x]
                    if not is_met[d]:
                        is_met[d] = True
                        i = n_met
                        while i > 0 and met[i - 1] > d:
                            met[i] = met[i - 1]
                            i -= 1
                        met[i] = d
                        n_met += 1
                    total[d] += walks.counts[e] * rows.data[x]
            sequence = walks.sequences[r]
            for i in range(n_met):
                d = met[i]
                if sequence < n_sequences and d < n_known:
                    codes[position] = sequence * n_known + d
                else:
                    codes[position] = -1 - (sequence * width + d)
                sums[position] = total[d]
                total[d], is_met[d] = 0.0, False
                position += 1
        starts[g + 1] = position
    return starts, codes[:position], sums[:position]


def _distinct(codes: IntArray) -> IntArray:
    """Return every number that occurs, in ascending order; none is below 0."""
    n_codes = int(codes.max(initial=-1)) + 1
    if n_codes > len(codes) + _SMALL_TABLE:
        return np.unique(codes)
    occurs = np.zeros(n_codes, dtype=np.bool_)
    occurs[codes] = True
    return np.flatnonzero(occurs)


def _numbers(codes: IntArray, known: IntArray) -> IntArray:
    """Return the place of every code among the known ones; unknown codes follow after all."""
    n_codes = max(int(codes.max(initial=-1)), int(known.max(initial=-1))) + 1
    if n_codes > len(codes) + _SMALL_TABLE:
        places = np.searchsorted(known, codes)
        places[places == len(known)] = 0
        is_known = known[places] == codes if len(known) else np.zeros(len(codes), dtype=np.bool_)
    else:
        place_of_code = np.full(n_codes + 1, -1)
        place_of_code[known] = np.arange(len(known))
        places = place_of_code[np.maximum(codes, -1)]
        is_known = places >= 0
    if not is_known.all():
        places[~is_known] = len(known) + np.unique(codes[~is_known], return_inverse=True)[1]
    return places
