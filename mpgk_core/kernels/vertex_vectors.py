"""Vectors for all types of vertices, round by round: what is clustered.

The vectors are feature maps of k^t: exact for R, sketched for A and for R with channels. *Which*
hierarchy is chosen depends on them; the kernel given the hierarchy does not.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from mpgk_core._compiled import compiled
from mpgk_core.arrays import FloatArray, Int32Array, IntArray
from mpgk_core.graphs.features import InitialFeatures
from mpgk_core.grouping import SparseRows
from mpgk_core.kernels.assignment import received_histograms, weights_of_nodes
from mpgk_core.kernels.clustering import Points
from mpgk_core.kernels.hierarchy import ClusterTree, Hierarchy
from mpgk_core.kernels.sketches import SKETCH_WIDTH, add_code_sketches, sketch_features
from mpgk_core.kernels.update import KernelParameters, convolution_coefficients, derived_seed
from mpgk_core.refinement.colour_refinement import VertexTypes

_LEAST_WIDTH = 16
_EXACT_WIDTH = 64
_GRID_BITS = 36


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
