"""Points for clustering: explicit feature maps of k^t, exact for R and sketched for A."""

from __future__ import annotations

import math
from copy import copy

import numpy as np
from numpy.typing import NDArray

from mpgk_core.graphs.initial_features import InitialFeatures
from mpgk_core.kernels.assignment import node_histograms
from mpgk_core.kernels.coefficients import convolution_coefficients
from mpgk_core.kernels.propagation import Round
from mpgk_core.kernels.seeds import derived_seed
from mpgk_core.kernels.sketch import SKETCH_WIDTH, add_code_sketches, sketch_features
from mpgk_core.refinement.vertex_types import VertexTypes

_EXACT_WIDTH = 64
_GRID_BITS = 36


class AssignmentVectors:
    """φ_{t+1} = [√α φ_t, √β ψ_t], folded into a count sketch of fixed width.

    ψ_t is the unary code of the neighbours in H_t. Both parts fall into the same coordinates,
    with independent signs, so dot products stay those of k^t on average.

    Parameters
    ----------
    alpha, beta : float
    seed : int
    """

    def __init__(self, alpha: float, beta: float, seed: int) -> None:
        self.alpha, self.beta, self.seed = alpha, beta, seed

    def for_one_run(self) -> AssignmentVectors:
        """Return itself, for it keeps no notes."""
        return self

    def start(self, features: InitialFeatures, counts: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the initial features, sketched if they are many."""
        seed = derived_seed(self.seed, "features", 0)
        known = sketch_features(features.rows, features.n_known, SKETCH_WIDTH, seed)
        points = np.zeros((len(known), SKETCH_WIDTH))
        points[:, : known.shape[1]] = known
        return points

    def step(
        self, t: int, before: Round, types: VertexTypes, counts: NDArray[np.int64]
    ) -> NDArray[np.float64]:
        """Return the sketch of φ_{t+1} for every type."""
        assert before.tree is not None
        hierarchy = before.tree.hierarchy
        received = node_histograms(types.messages, hierarchy)
        seed = derived_seed(self.seed, "messages", t)
        points = before.vectors[types.parents]
        points *= math.sqrt(self.alpha)
        weights = self.beta * hierarchy.node_weights / hierarchy.denominator
        add_code_sketches(points, received, weights, seed)
        return points


class ConvolutionVectors:
    """Φ_t = [ √(C(t,j) α^(t-j) β^j) · A^j X ] for j = 0..t, for up to 64 features.

    X is rounded to a grid fine enough for clustering and coarse enough for the sums over
    neighbours to be exact: a vertex gets the same vector among few and among many others.

    Parameters
    ----------
    n_iterations : int
    alpha, beta : float
    seed : int
    rounds : frozenset of int
        The rounds whose vectors are needed; those of others are left empty.
    """

    def __init__(
        self, n_iterations: int, alpha: float, beta: float, seed: int, rounds: frozenset[int]
    ) -> None:
        self.roots = np.sqrt(convolution_coefficients(n_iterations, alpha, beta))
        self.seed = seed
        self.rounds = rounds
        self._learnt: dict[str, float] = {}
        self._powers: list[NDArray[np.float64]] = []
        self._past: list[NDArray[np.int32]] = []

    def for_one_run(self) -> ConvolutionVectors:
        """Return an object that shares what was learnt, with notes of its own.

        The notes are A^j X for the types of round j, and which of them each present type was.
        """
        run = copy(self)
        run._powers, run._past = [], []
        return run

    def start(self, features: InitialFeatures, counts: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return X, on the grid of the training graphs."""
        seed = derived_seed(self.seed, "features", 0)
        X = sketch_features(features.rows, features.n_known, _EXACT_WIDTH, seed)
        if "grid" not in self._learnt:
            _, exponent = np.frexp(np.abs(X).max(initial=0.0))
            self._learnt["grid"] = float(np.ldexp(1.0, int(exponent) - _GRID_BITS))
        grid = self._learnt["grid"]
        self._powers = [np.rint(X / grid) * grid]
        self._past = [np.arange(len(X), dtype=np.int32)]
        return self._joined(0)

    def step(
        self, t: int, before: Round, types: VertexTypes, counts: NDArray[np.int64]
    ) -> NDArray[np.float64]:
        """Add A^(t+1) X: for every type, the sum of A^t X over its neighbours."""
        self._powers.append(types.messages @ self._powers[-1])
        self._past = [past[types.parents] for past in self._past]
        self._past.append(np.arange(types.n_types, dtype=np.int32))
        return self._joined(t + 1)

    def _joined(self, t: int) -> NDArray[np.float64]:
        n_types, width = len(self._past[-1]), self._powers[0].shape[1]
        if t not in self.rounds:
            return np.zeros((n_types, 0))
        joined = np.empty((n_types, (t + 1) * width))
        for j, (power, past) in enumerate(zip(self._powers, self._past, strict=True)):
            np.multiply(power[past], self.roots[t, j], out=joined[:, j * width : (j + 1) * width])
        return joined


class NoVectors:
    """Vectors without coordinates, for runs that grow no hierarchy."""

    def for_one_run(self) -> NoVectors:
        """Return itself, for it keeps no notes."""
        return self

    def start(self, features: InitialFeatures, counts: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return an empty vector for every type."""
        return np.zeros((len(counts), 0))

    def step(
        self, t: int, before: Round, types: VertexTypes, counts: NDArray[np.int64]
    ) -> NDArray[np.float64]:
        """Return an empty vector for every type."""
        return np.zeros((len(counts), 0))
