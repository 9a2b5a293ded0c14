"""The explicit feature maps of all kernels, block by block.

Every kernel of this package is K_t = Σ_b C[t, b] · K_b for a few *blocks* b, whose kernels do
not depend on α, β and T. One run therefore serves every T, and α and β enter only through the
coefficients C (see :mod:`mpgk_core.kernels.update`). Every block has rows whose dot products are
its kernel; equal samples share a row.

- vertices, R: A^j X, one row for every type of vertex after j rounds;
- vertices, A: the unary codes of the neighbours in the tree nodes of every round;
- RR: Σ_{v in g} (A^j X)_v = Σ_v w_j(v) x_v with w_j = (Aᵀ)^j 1, the number of walks of length j
  that end in v: one sparse product with a *vector* per round, however many features there are.
  Only where neighbourhoods have channels or weights are the rows of vertices added up;
- AR: the sums of the codes of all vertices; RA, AA: the codes of the vertices of a graph;
- Nyström: the sums of the landmark coordinates of all vertices.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice, pairwise
from typing import Any

import numpy as np
from scipy.sparse import csr_array, hstack, issparse

from mpgk_core._compiled import compiled
from mpgk_core.activity import steps
from mpgk_core.arrays import (
    FloatArray,
    Int32Array,
    IntArray,
    Matrix,
    as_csr,
    as_dense,
    membership_matrix,
    refuse_overflow,
)
from mpgk_core.checks import check_memory
from mpgk_core.graphs.features import InitialFeatures, degree
from mpgk_core.graphs.graph_set import GraphSet
from mpgk_core.graphs.neighbourhoods import EdgeUse, checked_weights
from mpgk_core.grouping import Rows, group_rows
from mpgk_core.kernels.assignment import (
    UnaryColumns,
    code_product,
    dense_product,
    node_histograms,
    received_histograms,
    sum_of_codes,
    unary_codes,
    weights_of_nodes,
)
from mpgk_core.kernels.hierarchy import Hierarchy
from mpgk_core.kernels.message_passing import MessagePassing, Round
from mpgk_core.refinement.colour_refinement import VertexTypes, refinement_rounds


@dataclass(frozen=True, eq=False)
class Block(ABC):
    """A part of a kernel, for some samples (graphs or vertices).

    Attributes
    ----------
    index : ndarray of shape (N,)
        The row of every sample; equal samples share one.
    """

    index: Int32Array

    @property
    def n_samples(self) -> int:
        """Number of samples."""
        return len(self.index)

    @property
    @abstractmethod
    def n_columns(self) -> int:
        """Number of features."""

    @abstractmethod
    def restricted(self, samples: IntArray) -> Block:
        """Return the block of some of the samples."""

    @abstractmethod
    def cross(self, fitted: Any) -> FloatArray:
        """Return the kernel between these samples and the training samples."""

    @abstractmethod
    def squared_norms(self) -> FloatArray:
        """Return the kernel of every sample with itself."""

    @abstractmethod
    def features(self) -> Matrix:
        """Return rows whose dot products with training rows are the kernel."""


@dataclass(frozen=True, eq=False)
class FeatureBlock(Block):
    """The linear kernel of real feature rows.

    Attributes
    ----------
    rows : dense or sparse matrix of shape (m, d + e)
        The last e columns are zero for all training samples.
    n_known : int
        The number d.
    """

    rows: Matrix
    n_known: int

    @property
    def n_columns(self) -> int:
        """Number of features."""
        return self.n_known

    @classmethod
    def of_samples(cls, rows: Matrix, n_known: int) -> FeatureBlock:
        """Return the block in which every sample has a row of its own."""
        return cls(np.arange(rows.shape[0], dtype=np.int32), rows, n_known)

    def restricted(self, samples: IntArray) -> FeatureBlock:
        """Return the block of some of the samples."""
        used, index = np.unique(self.index[samples], return_inverse=True)
        return replace(self, rows=self.rows[used], index=index.astype(np.int32))

    def cross(self, fitted: Any) -> FloatArray:
        """Return the kernel between these samples and the training samples."""
        rows, index = self._distinct
        fitted_rows, fitted_index = fitted._distinct
        product = as_dense(rows[:, : self.n_known] @ fitted_rows.T)
        chosen: FloatArray = product[np.ix_(index, fitted_index)]
        return chosen

    @cached_property
    def _distinct(self) -> tuple[Matrix, Int32Array]:
        """Equal dense rows put together, in an order of their own, and the row of every sample.

        A dense product may round differently in different corners of a matrix; so it is formed
        of the same matrix whatever the order of the samples.
        """
        if issparse(self.rows):
            return self.rows, self.index
        rows = self.rows + 0.0
        groups = group_rows(Rows.of_floats(np.zeros(len(rows), dtype=np.int32), rows))
        return rows[groups.representatives], groups.of_row[self.index]

    def squared_norms(self) -> FloatArray:
        """Return the kernel of every sample with itself."""
        squares = self.rows.multiply(self.rows) if issparse(self.rows) else self.rows**2
        sums: FloatArray = np.asarray(squares.sum(axis=1)).ravel()
        return sums[self.index]

    def features(self) -> Matrix:
        """Return rows whose dot products with training rows are the kernel."""
        return self.rows[:, : self.n_known][self.index]


@dataclass(frozen=True, eq=False)
class CountBlock(FeatureBlock):
    """The linear kernel of sparse rows of whole numbers from 0 to 2**53: exact, in any order."""

    def cross(self, fitted: Any) -> FloatArray:
        """Return the kernel between these samples and the training samples."""
        if not isinstance(fitted, CountBlock):
            return super().cross(fitted)
        largest = max(self._squares.max(initial=0.0), fitted._squares.max(initial=0.0))
        if largest > _EXACT_IN_FLOAT64:
            return super().cross(fitted)
        own = self.rows if self.rows.shape[1] == self.n_known else self.rows[:, : self.n_known]
        weights = np.ones(self.n_known)
        if own.nnz > _SPARSE_SHARE * math.prod(own.shape):
            product = dense_product(own, fitted.rows, weights, np.arange(self.n_known), largest)
        else:
            product = code_product(own, fitted.rows, weights, largest)
        if _is_identity(self.index, len(product)) and _is_identity(fitted.index, product.shape[1]):
            return product
        chosen: FloatArray = product[np.ix_(self.index, fitted.index)]
        return chosen

    def squared_norms(self) -> FloatArray:
        """Return the kernel of every sample with itself."""
        return self._squares[self.index]

    @cached_property
    def _squares(self) -> FloatArray:
        owners = np.repeat(np.arange(self.rows.shape[0]), np.diff(self.rows.indptr))
        return np.bincount(owners, self.rows.data**2, self.rows.shape[0]).astype(np.float64)


@dataclass(frozen=True, eq=False)
class CodeBlock(Block):
    """An assignment kernel, or a sum of assignment kernels, as weighted unary codes.

    Attributes
    ----------
    codes : csr_array of shape (m, n_columns)
        Whole numbers.
    weights : ndarray of shape (n_columns,)
        Whole numbers: ω times its denominator.
    denominator : int
    norms : ndarray of shape (m,)
        The kernel of every row with itself, before division; includes counts that were cut.
    """

    codes: csr_array
    weights: FloatArray
    denominator: int
    norms: FloatArray

    @property
    def n_columns(self) -> int:
        """Number of features."""
        return int(self.codes.shape[1])

    @classmethod
    def with_hierarchy(
        cls,
        codes: csr_array,
        columns: UnaryColumns,
        hierarchy: Hierarchy,
        norms: FloatArray,
        index: Int32Array | None = None,
    ) -> CodeBlock:
        """Weigh the columns of the codes by the ω of their tree nodes; without an index, row i."""
        numerators = weights_of_nodes(hierarchy, columns.n_nodes)
        weights = columns.spread(numerators).astype(np.float64)
        own = np.arange(codes.shape[0], dtype=np.int32) if index is None else index
        return cls(own, codes, weights, hierarchy.denominator, norms)

    @classmethod
    def of_histograms(
        cls,
        histograms: csr_array,
        columns: UnaryColumns,
        hierarchy: Hierarchy,
        index: Int32Array | None = None,
    ) -> CodeBlock:
        """Return the histogram intersection kernel Σ_c ω(c) min(h_c, h'_c)."""
        codes = unary_codes(histograms, columns)
        norms = histograms @ weights_of_nodes(hierarchy, histograms.shape[1]).astype(np.float64)
        return cls.with_hierarchy(codes, columns, hierarchy, norms, index)

    def restricted(self, samples: IntArray) -> CodeBlock:
        """Return the block of some of the samples."""
        used, index = np.unique(self.index[samples], return_inverse=True)
        return replace(
            self, codes=self.codes[used], norms=self.norms[used], index=index.astype(np.int32)
        )

    def cross(self, fitted: Any) -> FloatArray:
        """Return the kernel between these samples and the training samples."""
        largest = float(max(self.norms.max(initial=0.0), fitted.norms.max(initial=0.0)))
        product = code_product(self.codes, fitted.codes, self.weights, largest)
        product /= self.denominator
        if _is_identity(self.index, len(product)) and _is_identity(fitted.index, product.shape[1]):
            return product
        chosen: FloatArray = product[np.ix_(self.index, fitted.index)]
        return chosen

    def squared_norms(self) -> FloatArray:
        """Return the kernel of every sample with itself."""
        return (self.norms / self.denominator)[self.index]

    def features(self) -> csr_array:
        """Return rows whose dot products with training rows are the kernel."""
        roots = np.sqrt(self.weights / self.denominator)
        rows = self.codes.copy()
        rows.data = rows.data * roots[rows.indices]
        return rows[self.index]


def combine(
    coefficients: FloatArray, blocks: Sequence[Block], fitted: Sequence[Block] | None = None
) -> list[FloatArray]:
    """Sum up block kernels, for several rows of coefficients at once.

    Parameters
    ----------
    coefficients : ndarray of shape (n_kernels, n_blocks)
        One row per kernel.
    blocks : sequence of Block
        Of the samples.
    fitted : sequence of Block, optional
        Of the training samples; without it, the samples are compared with each other.

    Returns
    -------
    list of ndarray
        One kernel matrix per row of coefficients.
    """
    fitted = blocks if fitted is None else fitted
    kernels: dict[int, FloatArray] = {}
    for b, block in steps(enumerate(blocks), "comparing all pairs"):
        users = np.flatnonzero(coefficients[:, b]).tolist()
        if not users:
            continue
        part = block.cross(fitted[b])
        for k in users:
            term = coefficients[k, b] * part
            kernels[k] = kernels[k] + term if k in kernels else term
    shape = (blocks[0].n_samples, fitted[0].n_samples)
    return [kernels.get(k, np.zeros(shape)) for k in range(len(coefficients))]


def combined_norms(coefficients: FloatArray, blocks: Sequence[Block]) -> FloatArray:
    """Return the kernels of every sample with itself, and refuse numbers beyond all bounds.

    Parameters
    ----------
    coefficients : ndarray of shape (n_kernels, n_blocks)
    blocks : sequence of Block

    Returns
    -------
    ndarray of shape (n_kernels, N)
    """
    with np.errstate(over="ignore", invalid="ignore"):
        norms = np.array([block.squared_norms() for block in blocks])
        if np.isfinite(norms).all():
            total: FloatArray = np.einsum("kb,bn->kn", coefficients, norms)
        else:  # nothing is multiplied by 0 that is not finite
            used = np.where(coefficients[:, :, np.newaxis] == 0.0, 0.0, norms)
            total = np.einsum("kb,kbn->kn", coefficients, used)
    return refuse_overflow(total)


def combined_features(coefficients: FloatArray, blocks: Sequence[Block]) -> csr_array:
    """Join the feature rows of all blocks, for one row of coefficients.

    Parameters
    ----------
    coefficients : ndarray of shape (n_blocks,)
    blocks : sequence of Block

    Returns
    -------
    csr_array of shape (N, total number of columns)
    """
    parts = [
        np.sqrt(c) * block.features() if c else csr_array((block.n_samples, block.n_columns))
        for c, block in zip(coefficients, blocks, strict=True)
    ]
    if any(issparse(part) for part, c in zip(parts, coefficients, strict=True) if c):
        return hstack(parts, format="csr")
    return as_csr(np.hstack([as_dense(part) for part in parts]))


def _is_identity(index: Int32Array, n_rows: int) -> bool:
    return bool(np.array_equal(index, np.arange(n_rows)))


PORTION = 4096
"""Graphs that are worked on at a time, where that saves memory."""

_EXACT_IN_FLOAT64 = float(1 << 53)
_FEW_COLUMNS = 8
_SPARSE_SHARE = 1 / 64
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
    if max(power.max(initial=0.0) for power in powers) > _EXACT_IN_FLOAT64:
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


def walk_blocks(
    graphs: GraphSet, features: InitialFeatures, n_iterations: int, edges: str = "ignore"
) -> list[FeatureBlock]:
    """Return the blocks G A^j X for j = 0..T (RR; Equation 8 with Equation 6 unrolled).

    Parameters
    ----------
    graphs : GraphSet
    features : InitialFeatures
    n_iterations : int
        T.
    edges : str
        ``"ignore"``, or a direction and weights, without channels.

    Returns
    -------
    list of FeatureBlock
        The samples are graphs.
    """
    of_vertex, rows = features.of_vertex, features.rows
    walks = walk_counts(graphs, n_iterations, edges)
    if EdgeUse.of(edges).multiplies:
        by_type = _vertices_by_type(graphs, of_vertex)
        found = [_weighted_sums(by_type, counts) @ rows for counts in walks]
        return [FeatureBlock.of_samples(block, features.n_known) for block in found]
    most_walks = walks[-1].max(initial=1.0) * max(graphs.sizes.max(), 1)
    if most_walks > _EXACT_IN_FLOAT64:
        walks, of_vertex, rows = _by_finer_types(graphs, features, n_iterations, edges)
    if issparse(rows):
        sums = [_sparse_sums(graphs, of_vertex, counts) @ rows for counts in walks]
        for block in sums:
            block.sort_indices()
    elif rows.shape[1] <= _FEW_COLUMNS and _are_small_whole_numbers(
        rows, _EXACT_IN_FLOAT64 / most_walks
    ):
        sums = list(_sums_in_any_order(graphs.offsets, of_vertex, rows, walks))
    else:
        order = _vertices_by_type(graphs, of_vertex).data
        sums = list(_sums_by_type(graphs.offsets, order, of_vertex, rows, walks))
    return [FeatureBlock.of_samples(block, features.n_known) for block in sums]


def walk_counts(graphs: GraphSet, n_iterations: int, edges: str = "ignore") -> FloatArray:
    """Count the walks of length 0..T that end in every vertex.

    Parameters
    ----------
    graphs : GraphSet
    n_iterations : int
        T.
    edges : str
        ``"ignore"``, or a direction and weights, without channels. With weights, every walk counts
        as the product of the weights of its edges.

    Returns
    -------
    ndarray of shape (T + 1, n)

    Examples
    --------
    >>> import networkx as nx
    >>> walk_counts(GraphSet.from_networkx(nx.star_graph(3)), 2)
    array([[1., 1., 1., 1.],
           [3., 1., 1., 1.],
           [3., 3., 3., 3.]])
    """
    counts = np.empty((n_iterations + 1, graphs.n_vertices))
    counts[0] = 1.0
    if n_iterations and edges == "ignore":
        counts[1] = degree(graphs.adjacency)
        for t in range(2, n_iterations + 1):
            counts[t] = graphs.adjacency @ counts[t - 1]
    elif n_iterations:
        starts, ends, weights = _arcs(graphs, EdgeUse.of(edges))
        for t in range(1, n_iterations + 1):
            if weights is not None:
                counts[t] = _walk_on(starts, ends, weights, counts[t - 1])
            else:
                before = counts[t - 1][starts]
                counts[t] = np.bincount(ends, before, minlength=graphs.n_vertices)
    return counts


def _arcs(graphs: GraphSet, use: EdgeUse) -> tuple[Int32Array, Int32Array, FloatArray | None]:
    """Return the steps that walks can take, and their weights where they are used.

    A message goes from a neighbour to a vertex; a walk that counts how often features are summed
    takes the same steps from the vertex to its neighbour.
    """
    edges = graphs.all_edges()
    weights = checked_weights(edges) if use.multiplies else None
    starts, ends = edges.sources, edges.targets
    if weights is None and edges.label_codes is not None:  # parallel edges count once
        is_first = np.ones(len(starts), dtype=np.bool_)
        is_first[1:] = (np.diff(starts) != 0) | (np.diff(ends) != 0)
        starts, ends = starts[is_first], ends[is_first]
    if use.direction == "merge" or not edges.is_directed:
        way = starts != ends
        back = None if weights is None else weights[way]
        weights = None if back is None or weights is None else np.concatenate([weights, back])
        return np.append(starts, ends[way]), np.append(ends, starts[way]), weights
    return (ends, starts, weights) if use.direction == "reverse" else (starts, ends, weights)


@compiled
def _walk_on(
    starts: Int32Array, ends: Int32Array, weights: FloatArray, counts: FloatArray
) -> FloatArray:
    """Return Σ w · counts[start] over the arcs that end in each vertex, in whatever order.

    The terms of a vertex are rounded to multiples of a power of two, so fine that only the last
    bits of the greatest of them fall away, and so coarse that their sums are whole numbers of 64
    bits: these are exact, so the order of arcs does not matter.
    """
    n = len(counts)
    largest, n_terms = np.zeros(n), np.zeros(n, dtype=np.int64)
    for e in range(len(starts)):
        n_terms[ends[e]] += 1
        largest[ends[e]] = max(largest[ends[e]], weights[e] * counts[starts[e]])
    units = np.empty(n)
    for v in range(n):
        units[v] = _unit(largest[v], n_terms[v])
    totals = np.zeros(n, dtype=np.int64)
    for e in range(len(starts)):
        v = ends[e]
        if units[v] < np.inf:
            totals[v] += np.int64(np.rint(weights[e] * counts[starts[e]] / units[v]))
    for v in range(n):
        units[v] = totals[v] * units[v] if units[v] < np.inf else np.inf
    return units


@compiled
def _unit(largest: float, n_terms: int) -> float:
    """Return the power of two of which whole numbers below 2**62 make up so many terms."""
    if not largest < np.inf:
        return np.inf
    bits = 62
    while n_terms > 0:
        bits -= 1
        n_terms >>= 1
    _, exponent = math.frexp(largest)
    return math.ldexp(1.0, max(exponent - bits, -1074))


def _weighted_sums(by_type: csr_array, counts: FloatArray) -> csr_array:
    """Return Σ counts over the vertices of every type, in every graph, in whatever order."""
    parts = _sums_of_runs(by_type.indptr, by_type.indices, by_type.data, counts)
    return csr_array(parts, shape=by_type.shape)


@compiled
def _sums_of_runs(
    indptr: Int32Array, types: Int32Array, vertices: IntArray, counts: FloatArray
) -> tuple[FloatArray, Int32Array, IntArray]:
    sums = np.empty(len(vertices))
    chosen = np.empty(len(vertices), dtype=np.int32)
    starts = np.zeros(len(indptr), dtype=np.int64)
    n_runs = 0
    for g in range(len(indptr) - 1):
        i = indptr[g]
        while i < indptr[g + 1]:
            stop, largest = i, 0.0
            while stop < indptr[g + 1] and types[stop] == types[i]:
                largest = max(largest, counts[vertices[stop]])
                stop += 1
            unit = _unit(largest, stop - i)
            total = np.int64(0)
            if unit < np.inf:
                for j in range(i, stop):
                    total += np.int64(np.rint(counts[vertices[j]] / unit))
            sums[n_runs] = total * unit if unit < np.inf else np.inf
            chosen[n_runs] = types[i]
            n_runs += 1
            i = stop
        starts[g + 1] = n_runs
    return sums[:n_runs].copy(), chosen[:n_runs].copy(), starts


_TURNED = {"follow": "reverse", "reverse": "follow", "ignore": "ignore"}
"""Where a walk comes from, if neighbours are where it goes."""


def _by_finer_types(
    graphs: GraphSet, features: InitialFeatures, n_iterations: int, edges: str
) -> tuple[FloatArray, Int32Array, Matrix]:
    """Count walks type by type, and give every type a feature row.

    Sums of whole numbers are exact, in any order, only up to 2**53. Beyond that, neighbours are
    added up in the order of their types, which no renumbering of vertices changes.
    """
    of_vertex, rows = features.of_vertex, features.rows
    per_type = np.ones(rows.shape[0])
    counts = [per_type[of_vertex]]
    refined = refinement_rounds(graphs, of_vertex, rows.shape[0], _TURNED[edges])
    for types in islice(refined, n_iterations):
        per_type = types.messages @ per_type
        of_vertex, rows = types.of_vertex, rows[types.parents]
        counts.append(per_type[of_vertex])
    return np.array(counts), of_vertex, rows


def _vertices_by_type(graphs: GraphSet, of_vertex: Int32Array) -> csr_array:
    """Return a (graphs, types) matrix whose entries are vertices, in each graph by type."""
    shape = (len(graphs), int(of_vertex.max(initial=-1)) + 1)
    entries = (np.arange(graphs.n_vertices), of_vertex, graphs.offsets)
    return csr_array(entries, shape=shape).tocsc().tocsr()


def _sparse_sums(graphs: GraphSet, of_vertex: Int32Array, counts: FloatArray) -> csr_array:
    """Return the number of walks from the vertices of every type, in every graph."""
    by_type = _vertices_by_type(graphs, of_vertex)
    entries = counts[by_type.data], by_type.indices, by_type.indptr
    sums = csr_array(entries, shape=by_type.shape)
    sums.sum_duplicates()
    return sums


@compiled
def _are_small_whole_numbers(rows: FloatArray, largest: float) -> bool:
    for row in rows:
        for x in row:
            if abs(x) > largest or x != np.rint(x):
                return False
    return True


@compiled
def _sums_in_any_order(
    offsets: IntArray, of_vertex: Int32Array, rows: FloatArray, walks: FloatArray
) -> FloatArray:
    """Return Σ_v w_j(v) x_v for every j and every graph; whole numbers are exact in any order."""
    n_graphs, n_columns = len(offsets) - 1, rows.shape[1]
    sums = np.zeros((len(walks), n_graphs, n_columns))
    for j in range(len(walks)):
        for g in range(n_graphs):
            for v in range(offsets[g], offsets[g + 1]):
                for d in range(n_columns):
                    sums[j, g, d] += walks[j, v] * rows[of_vertex[v], d]
    return sums


@compiled
def _sums_by_type(
    offsets: IntArray, order: IntArray, of_vertex: Int32Array, rows: FloatArray, walks: FloatArray
) -> FloatArray:
    """Return Σ_v w_j(v) x_v for every j and every graph, type by type.

    Vertices of one type share a row x: their walks, whole numbers, are added up first.
    """
    n_graphs, n_columns = len(offsets) - 1, rows.shape[1]
    sums = np.zeros((len(walks), n_graphs, n_columns))
    for j in range(len(walks)):
        for g in range(n_graphs):
            weight = 0.0
            stop = offsets[g + 1]
            for i in range(offsets[g], stop):
                weight += walks[j, order[i]]
                row = of_vertex[order[i]]
                if i + 1 == stop or of_vertex[order[i + 1]] != row:
                    for d in range(n_columns):
                        sums[j, g, d] += weight * rows[row, d]
                    weight = 0.0
    return sums
