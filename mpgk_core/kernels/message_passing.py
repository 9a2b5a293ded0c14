"""The message passing itself: T rounds over all vertices, one type at a time.

In round t every vertex has a type, every type a vector (what is clustered), and, where it is
needed, there is a hierarchy grown from those vectors. With neighbourhoods compared by R, vertices
send their types; with A, the leaves of the hierarchy in which they lie.

Training grows the hierarchies; new graphs are led through the same rounds with the hierarchies
of the training graphs. Both are one loop, so a training vertex always ends where a new vertex
with the same surroundings would.

The vectors are feature maps of k^t: exact for R, sketched for A, or from landmarks. *Which*
hierarchy is chosen depends on them; the kernel given the hierarchy does not. A count sketch gives
every feature (tree node, i-th member) a few pseudo-random coordinates and signs from a hash, so it
needs no fixed number of features: unseen counts have a place in it.

Landmarks are the paper's own approximation (Nyström). In every round, L landmark vertices are drawn
and

    φ̃(v) = k(v, landmarks) · W^(-1/2),      W = k(landmarks, landmarks),

replaces the exact feature map; the next round starts from φ̃. It is offered for comparison: the
exact maps of this package cost less.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from copy import copy
from dataclasses import dataclass, field, replace
from typing import Protocol

import numpy as np
from scipy.linalg import eigh
from scipy.sparse import csr_array, issparse

from mpgk_core._compiled import compiled
from mpgk_core.activity import steps
from mpgk_core.arrays import (
    BoolArray,
    FloatArray,
    Int32Array,
    IntArray,
    Matrix,
    as_csr,
    as_dense,
    refuse_overflow,
)
from mpgk_core.graphs.features import FeatureEncoder, InitialFeatures
from mpgk_core.graphs.graph_set import GraphSet
from mpgk_core.graphs.neighbourhoods import EdgeEncoder, Neighbourhoods
from mpgk_core.grouping import SparseRows, mix
from mpgk_core.kernels.assignment import (
    UnaryColumns,
    received_histograms,
    unary_codes,
    weights_of_nodes,
)
from mpgk_core.kernels.clustering import Points, largest_coordinate
from mpgk_core.kernels.hierarchy import ClusterTree, Hierarchy, grow_tree
from mpgk_core.kernels.update import (
    KernelParameters,
    convolution_coefficients,
    derived_seed,
    update,
)
from mpgk_core.refinement.colour_refinement import VertexTypes, refine

SKETCH_WIDTH = 32
"""Coordinates of a sketch: enough for clustering, few enough to be quick."""
_LEAST_WIDTH = 16
_EXACT_WIDTH = 64
_GRID_BITS = 36
_SMALLEST_EIGENVALUE = 1e-10
_SIXTEEN_BITS = np.uint64(0xFFFF)


@dataclass(frozen=True, eq=False)
class Round:
    """What is known after t rounds.

    Attributes
    ----------
    types : VertexTypes
        Types of the vertices; their messages are those of the round before.
    points : Points
        The point that stands for each type when types are clustered.
    tree : ClusterTree or None
        The hierarchy H_t.
    leaves : ndarray of shape (n_types,) or None
        The leaf of H_t in which each type lies; the number of leaves where it lies in none.
    """

    types: VertexTypes
    points: Points
    tree: ClusterTree | None
    leaves: Int32Array | None

    @property
    def vectors(self) -> FloatArray:
        """The points as an array of shape (n_types, D)."""
        return self.points.written_out()

    @property
    def hierarchy(self) -> Hierarchy:
        """The hierarchy of this round, where one was grown."""
        assert self.tree is not None
        return self.tree.hierarchy

    @property
    def leaf_of_vertex(self) -> Int32Array:
        """The leaf of H_t in which each vertex lies."""
        assert self.leaves is not None
        return self.leaves[self.types.of_vertex]


class VertexVectors(Protocol):
    """A way to give every type of vertex a vector, round by round.

    A shallow copy serves one run: it may keep notes, and shares what was learnt.
    """

    def start(self, features: InitialFeatures, counts: IntArray) -> FloatArray | Points:
        """Return the vectors of round 0; ``counts`` holds how often each type occurs."""
        ...

    def step(
        self, t: int, before: Round, types: VertexTypes, counts: IntArray
    ) -> FloatArray | Points:
        """Return the vectors of round t + 1."""
        ...


@dataclass(eq=False)
class AssignmentVectors:
    """φ_{t+1} = [√α φ_t, √β ψ_t], folded into a count sketch of fixed width.

    ψ_t is the unary code of the neighbours in H_t. Both parts fall into the same coordinates,
    with independent signs, so dot products stay those of k^t on average.
    """

    parameters: KernelParameters

    def start(self, features: InitialFeatures, counts: IntArray) -> FloatArray:
        """Return the initial features, sketched if they are many."""
        seed = derived_seed(self.parameters.random_state, "features", 0)
        known = sketch_features(features.rows, features.n_known, SKETCH_WIDTH, seed)
        points = np.zeros((len(known), SKETCH_WIDTH))
        points[:, : known.shape[1]] = known
        return points

    def step(self, t: int, before: Round, types: VertexTypes, counts: IntArray) -> FloatArray:
        """Return the sketch of φ_{t+1} for every type."""
        hierarchy = before.hierarchy
        seed = derived_seed(self.parameters.random_state, "messages", t)
        points = before.vectors[types.parents]
        points *= math.sqrt(self.parameters.alpha)
        for rows, portion in types.portions():
            received = received_histograms(portion, hierarchy)
            numerators = weights_of_nodes(hierarchy, received.shape[1])
            weights = self.parameters.beta * numerators / hierarchy.denominator
            add_code_sketches(points[rows], received, weights, seed)
        return points


class _Grid:
    """Multiples of a power of two, fitted to the training graphs in each round.

    It is fine enough for clustering, and coarse enough for sums over neighbours to be exact: a
    vertex gets the same vector among few and among many others.
    """

    def __init__(self) -> None:
        self._steps: dict[int, float] = {}

    def rounded(self, t: int, points: FloatArray) -> FloatArray:
        """Return the points of round t on the grid; the first call decides how fine it is."""
        if t not in self._steps:
            _, exponent = np.frexp(max(points.max(initial=0.0), -points.min(initial=0.0)))
            self._steps[t] = float(np.ldexp(1.0, int(exponent) - _GRID_BITS))
        rounded = points / self._steps[t]
        np.rint(rounded, out=rounded)
        rounded *= self._steps[t]
        return rounded


@dataclass(eq=False)
class ConvolutionVectors:
    """Φ_t = [ √(C(t,j) α^(t-j) β^j) · A^j X ] for j = 0..t, for up to 64 features.

    X is rounded to a grid.

    Parameters
    ----------
    parameters : KernelParameters
    rounds : frozenset of int
        The rounds whose vectors are needed; those of others are left empty.
    """

    parameters: KernelParameters
    rounds: frozenset[int]
    _grid: _Grid = field(default_factory=_Grid)

    def __post_init__(self) -> None:
        p = self.parameters
        self._roots = np.sqrt(convolution_coefficients(p.n_iterations, p.alpha, p.beta))

    def start(self, features: InitialFeatures, counts: IntArray) -> Points:
        """Return X, on the grid of the training graphs.

        The notes of a run are A^j X for the types of round j, one table below the other, and the
        rows that belong to each present type: what it was in rounds 0, 1, ...
        """
        seed = derived_seed(self.parameters.random_state, "features", 0)
        X = sketch_features(features.rows, features.n_known, _EXACT_WIDTH, seed)
        self._table = self._grid.rounded(0, X)
        self._rows = np.arange(len(X), dtype=np.int32)[:, np.newaxis]
        return self._points(0)

    def step(self, t: int, before: Round, types: VertexTypes, counts: IntArray) -> Points:
        """Add A^(t+1) X: for every type, the sum of A^t X over its neighbours."""
        n_before = types.messages.shape[1]
        power = types.messages @ self._table[-n_before:]
        first = len(self._table)
        own = np.arange(first, first + len(power), dtype=np.int32)
        self._rows = np.column_stack([self._rows[types.parents], own])
        self._table = np.concatenate([self._table, power])
        return self._points(t + 1)

    def _points(self, t: int) -> Points:
        if t not in self.rounds:
            return Points.of(np.zeros((len(self._rows), 0)))
        return Points(self._table, self._rows, self._roots[t, : t + 1].copy())


@dataclass(eq=False)
class ChannelVectors:
    """φ_{t+1} = [√α φ_t, √β A_1 φ_t, √β A_2 φ_t, ...] over all channels, in a fixed width.

    All parts are added up, after the coordinates of what came over a channel were shuffled and
    their signs drawn, anew for every channel and round: dot products stay those of k^t on average.
    Every round is rounded to a grid. The vectors are as long as the exact ones would be for plain
    edges, but at least 16 and at most 32 numbers.

    Parameters
    ----------
    parameters : KernelParameters
    """

    parameters: KernelParameters
    _grid: _Grid = field(default_factory=_Grid)

    def start(self, features: InitialFeatures, counts: IntArray) -> FloatArray:
        """Return the initial features, sketched if they are many."""
        exact = (self.parameters.n_iterations + 1) * features.n_known
        width = min(max(4 * -(-exact // 4), _LEAST_WIDTH), SKETCH_WIDTH)
        sketch = AssignmentVectors(self.parameters).start(features, counts)
        return self._grid.rounded(0, np.ascontiguousarray(sketch[:, :width]))

    def step(self, t: int, before: Round, types: VertexTypes, counts: IntArray) -> FloatArray:
        """Return the sketch of φ_{t+1} for every type."""
        vectors, messages = before.vectors, types.messages
        orders, signs = self._draws(t, types.n_channels, vectors.shape[1])
        if types.n_channels == 1:
            received = (messages @ vectors)[:, orders[0]] * signs[0]
        else:
            received = np.zeros((types.n_types, vectors.shape[1]))
            n_colours = max(messages.shape[1] // types.n_channels, 1)
            _add_shuffled(SparseRows.of(messages), n_colours, vectors, orders, signs, received)
        p = self.parameters
        received *= math.sqrt(p.beta)
        own = vectors[types.parents]
        own *= math.sqrt(p.alpha)
        own += received
        return self._grid.rounded(t + 1, own)

    def _draws(self, t: int, n_channels: int, width: int) -> tuple[IntArray, FloatArray]:
        """Return an order of the coordinates and their signs for every channel.

        Channels that are new add draws at the end, so those known from training keep theirs.
        """
        generator = np.random.default_rng(derived_seed(self.parameters.random_state, "channels", t))
        draws = generator.random((n_channels, 2, width))
        return np.argsort(draws[:, 0], axis=1), np.where(draws[:, 1] < 0.5, -1.0, 1.0)


@compiled
def _add_shuffled(
    messages: SparseRows,
    n_colours: int,
    vectors: FloatArray,
    orders: IntArray,
    signs: FloatArray,
    received: FloatArray,
) -> None:
    """Add, for every type, what came over each channel, shuffled as the channel says.

    Without weights, these are sums of multiples of the grid: exact, in any order.
    """
    indptr, columns, counts = messages
    for i in range(len(indptr) - 1):
        for e in range(indptr[i], indptr[i + 1]):
            channel = columns[e] // n_colours
            vector, order = vectors[columns[e] - channel * n_colours], orders[channel]
            for d in range(len(order)):
                received[i, d] += counts[e] * vector[order[d]] * signs[channel, d]


@dataclass(frozen=True, eq=False)
class _Landmarks:
    """What is kept of the landmarks of one round."""

    own: FloatArray
    received: csr_array | FloatArray
    columns: UnaryColumns | None
    whitening: FloatArray


@dataclass(eq=False)
class NystroemVectors:
    """Approximate vectors with at most ``n_landmarks`` coordinates, learnt in the first run.

    Parameters
    ----------
    parameters : KernelParameters
    n_landmarks : int
    """

    parameters: KernelParameters
    n_landmarks: int
    _landmarks: dict[int, _Landmarks] = field(default_factory=dict)

    def start(self, features: InitialFeatures, counts: IntArray) -> FloatArray:
        """Return the landmark coordinates of the initial features."""
        rows = as_csr(features.rows[:, : features.n_known])
        if 0 not in self._landmarks:
            chosen = self._draw(0, counts)
            landmark_rows = rows[chosen]
            kernel = refuse_overflow(as_dense(landmark_rows @ landmark_rows.T))
            nothing = np.zeros((len(chosen), 0))
            self._landmarks[0] = _Landmarks(nothing, landmark_rows, None, _whitening(kernel))
        landmarks = self._landmarks[0]
        kernel = refuse_overflow(as_dense(rows @ landmarks.received.T))
        return kernel @ landmarks.whitening

    def step(self, t: int, before: Round, types: VertexTypes, counts: IntArray) -> FloatArray:
        """Return the landmark coordinates of α k + β k_N."""
        own = before.vectors[types.parents]
        known = self._landmarks.get(t + 1)
        received, columns = self._received(before, types, known.columns if known else None)
        if known is None:
            chosen = self._draw(t + 1, counts)
            drawn = _Landmarks(own[chosen], received[chosen], columns, np.eye(len(chosen)))
            kernel = self._kernel(drawn.own, drawn.received, drawn)
            known = self._landmarks[t + 1] = replace(drawn, whitening=_whitening(kernel))
        return self._kernel(own, received, known) @ known.whitening

    def _received(
        self, before: Round, types: VertexTypes, columns: UnaryColumns | None
    ) -> tuple[csr_array | FloatArray, UnaryColumns | None]:
        """Return rows whose dot products are the neighbourhood kernel."""
        if self.parameters.neighbourhood == "R":
            vectors = before.vectors if types.n_channels == 1 else as_csr(before.vectors)
            return types.over_each_channel(lambda received: received @ vectors), None
        hierarchy = before.hierarchy
        histograms = received_histograms(types, hierarchy)
        columns = columns or UnaryColumns.fitting(histograms)
        codes = unary_codes(histograms, columns)
        numerators = weights_of_nodes(hierarchy, columns.n_nodes)
        roots = np.sqrt(columns.spread(numerators) / hierarchy.denominator)
        codes.data = roots[codes.indices]
        return codes, columns

    def _kernel(
        self, own: FloatArray, received: csr_array | FloatArray, landmarks: _Landmarks
    ) -> FloatArray:
        p = self.parameters
        known = received[:, : landmarks.received.shape[1]]  # no channels but those of training
        k_n = as_dense(known @ landmarks.received.T)
        return refuse_overflow(update(own @ landmarks.own.T, k_n, p.alpha, p.beta))

    def _draw(self, t: int, counts: IntArray) -> IntArray:
        """Draw distinct types, each as likely as one of its vertices."""
        if len(counts) <= self.n_landmarks:
            return np.arange(len(counts))
        seed = derived_seed(self.parameters.random_state, "landmarks", t)
        share = counts / counts.sum()
        generator = np.random.default_rng(seed)
        return np.sort(generator.choice(len(counts), self.n_landmarks, replace=False, p=share))


def _whitening(kernel: FloatArray) -> FloatArray:
    """Return B with B Bᵀ = pseudo-inverse of the landmarks' kernel."""
    values, vectors = eigh(kernel)
    kept = values > _SMALLEST_EIGENVALUE * max(values[-1] if len(values) else 0.0, 1e-300)
    if not kept.any():
        return np.zeros((len(kernel), 1))
    return np.asarray(vectors[:, kept] / np.sqrt(values[kept]))


def sketch_features(rows: Matrix, n_columns: int, width: int, seed: int) -> FloatArray:
    """Return the rows themselves where they are short, else a count sketch of them.

    Parameters
    ----------
    rows : dense or sparse matrix of shape (m, >= n_columns)
        Feature rows.
    n_columns : int
        Columns known from training; later ones are orthogonal to all training rows, so they
        shift all distances to centroids alike and are left out.
    width : int
        The greatest number of coordinates.
    seed : int

    Returns
    -------
    ndarray of shape (m, min(n_columns, width))
    """
    known = rows[:, :n_columns]
    if n_columns <= width:
        return np.ascontiguousarray(known.toarray() if issparse(known) else known)
    projection = np.zeros((n_columns, width))
    _fill_projection(projection, np.uint64(seed))
    projected: FloatArray = csr_array(known) @ projection
    return projected


def add_code_sketches(
    sketches: FloatArray, histograms: csr_array, weights: FloatArray, seed: int
) -> None:
    """Add sketches of the weighted unary codes of histograms to sketches of other features.

    Dot products of what is added approximate Σ_c weight(c) min(h_c, h'_c).

    Parameters
    ----------
    sketches : ndarray of shape (m, SKETCH_WIDTH)
        Changed in place.
    histograms : csr_array of shape (m, n_nodes)
        Counts in tree nodes.
    weights : ndarray of shape (n_nodes,)
        The weight of every node.
    seed : int
    """
    _add_code_sketches(sketches, SparseRows.of(histograms), np.sqrt(weights), np.uint64(seed))


@compiled
def _add_feature(row: FloatArray, code: np.uint64, value: float) -> None:
    """Add one feature: once in each quarter of the row, at places and signs taken from its hash.

    Four places instead of one keep different features from falling into one and the same. The
    length of the row is a power of two.
    """
    quarter = len(row) // 4
    for q in range(4):
        bits = np.int64((code >> np.uint64(16 * q)) & _SIXTEEN_BITS)
        place = q * quarter + ((bits >> 1) & (quarter - 1))
        row[place] += 0.5 * value if bits & 1 else -0.5 * value


@compiled
def _fill_projection(projection: FloatArray, seed: np.uint64) -> None:
    for column in range(len(projection)):
        _add_feature(projection[column], mix(seed, np.uint64(column)), 1.0)


@compiled
def _add_code_sketches(
    sketches: FloatArray, histograms: SparseRows, root_weights: FloatArray, seed: np.uint64
) -> None:
    indptr, nodes, counts = histograms
    for i in range(len(indptr) - 1):
        for e in range(indptr[i], indptr[i + 1]):
            node_seed = mix(seed, np.uint64(nodes[e]))
            for member in range(np.int64(counts[e])):
                code = mix(node_seed, np.uint64(member))
                _add_feature(sketches[i], code, root_weights[nodes[e]])


class MessagePassing:
    """Leads graphs through T rounds; the first run learns, later ones reuse what was learnt.

    Parameters
    ----------
    parameters : KernelParameters
    tree_rounds : frozenset of int
        Rounds whose hierarchies are needed.
    n_landmarks : int, optional
        Of the Nyström approximation; without it, the maps are exact.

    Attributes
    ----------
    trees : dict of int to ClusterTree
        The hierarchies H_t, grown in training.
    columns : dict of int to UnaryColumns
        The columns of the codes of every round, as learnt (A).
    walks : dict of int to ndarray
        The columns of A^j X that occur in training, where edges have channels (R); see
        :func:`~mpgk_core.kernels.feature_maps.convolution_blocks`.
    sequences : dict of int to ndarray
        The sequences of channels of every length that walks take in training; see
        :func:`~mpgk_core.kernels.channel_walks.channel_walk_blocks`.
    """

    def __init__(
        self,
        parameters: KernelParameters,
        tree_rounds: frozenset[int],
        n_landmarks: int | None = None,
    ) -> None:
        self.parameters = parameters
        self.encoder = FeatureEncoder(parameters.features, parameters.random_state)
        self.edge_encoder = EdgeEncoder(parameters.edges)
        self.trees: dict[int, ClusterTree] = {}
        self.columns: dict[int, UnaryColumns] = {}
        self.walks: dict[int, IntArray] = {}
        self.sequences: dict[int, IntArray] = {}
        self._tree_rounds = tree_rounds
        self._is_fitted = self._knows_edges = False
        self._vectors: VertexVectors | None = None
        if n_landmarks is not None:
            self._vectors = NystroemVectors(parameters, n_landmarks)
        elif tree_rounds and parameters.neighbourhood == "A":
            self._vectors = AssignmentVectors(parameters)
        elif tree_rounds and (
            self.edge_encoder.use.has_channels or self.edge_encoder.use.multiplies
        ):
            self._vectors = ChannelVectors(parameters)
        elif tree_rounds:
            self._vectors = ConvolutionVectors(parameters, tree_rounds)

    def with_own_columns(self) -> MessagePassing:
        """Return a run that shares what was learnt, but numbers the columns of blocks anew."""
        other = copy(self)
        other.columns, other.walks, other.sequences = {}, {}, {}
        return other

    def encode(self, graphs: GraphSet) -> InitialFeatures:
        """Return the initial features; the first call learns vocabulary and scales."""
        if self._is_fitted:
            return self.encoder.transform(graphs)
        features = self.encoder.fit(graphs)
        self._is_fitted = True
        return features

    def neighbourhoods(self, graphs: GraphSet) -> Neighbourhoods:
        """Return who receives messages from whom; the first call learns labels and bins."""
        if self._knows_edges:
            return self.edge_encoder.transform(graphs)
        self._knows_edges = True
        return self.edge_encoder.fit(graphs)

    def run(self, graphs: GraphSet, features: InitialFeatures) -> list[Round]:
        """Pass messages for T rounds; return what is known after each of 0..T."""
        return list(self.rounds(graphs, features))

    def rounds(self, graphs: GraphSet, features: InitialFeatures) -> Iterator[Round]:
        """Pass messages, and yield what is known after each of the rounds 0..T.

        Only the last round is kept here, so that a large set needs memory for two of them.
        """
        neighbourhoods = self.neighbourhoods(graphs)
        m = features.rows.shape[0]
        types = VertexTypes(features.of_vertex, np.arange(m, dtype=np.int32), csr_array((m, 0)))
        counts = np.bincount(types.of_vertex, minlength=m)
        vectors = copy(self._vectors)
        points: FloatArray | Points = np.zeros((m, 0))
        if vectors is not None:
            points = vectors.start(features, counts)
        unseen = features.is_unseen
        before = self._round(0, types, points, counts, unseen)
        yield before
        for t in steps(range(self.parameters.n_iterations), "passing messages"):
            colours, n_colours = before.types.of_vertex, before.types.n_types
            if self.parameters.neighbourhood == "A":
                colours, n_colours = before.leaf_of_vertex, before.hierarchy.n_leaves + 1
            types = refine(
                neighbourhoods, before.types.of_vertex, colours, n_colours, graphs.offsets
            )
            counts = np.bincount(types.of_vertex, minlength=types.n_types)
            points = np.zeros((types.n_types, 0))
            if vectors is not None:
                with np.errstate(over="ignore", invalid="ignore"):
                    points = vectors.step(t, before, types, counts)
            unseen = unseen[types.parents]
            before = self._round(t + 1, types, points, counts, unseen)
            yield before

    def _round(
        self,
        t: int,
        types: VertexTypes,
        vectors: FloatArray | Points,
        counts: IntArray,
        unseen: BoolArray,
    ) -> Round:
        """Place all types in H_t, where it is needed; grow H_t if it does not exist yet.

        Types of which nothing is known from training get the number after the last leaf.
        """
        points = vectors if isinstance(vectors, Points) else Points.of(vectors)
        refuse_overflow(np.array(largest_coordinate(points)))
        leaves: Int32Array | None = None
        if t in self.trees:
            tree = self.trees[t]
            leaves = np.where(unseen, tree.hierarchy.n_leaves, tree.route(points))
        elif t in self._tree_rounds:
            p = self.parameters
            seed = derived_seed(p.random_state, "tree", t)
            weights = counts.astype(np.float64)
            self.trees[t], leaves = grow_tree(points, weights, p.branching, p.depth, seed)
        return Round(types, points, self.trees.get(t), leaves)
