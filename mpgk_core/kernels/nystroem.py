"""Landmarks, the paper's own approximation (Nyström), for comparison: the exact maps cost less.

In every round, L landmark vertices are drawn and

    φ̃(v) = k(v, landmarks) · W^(-1/2),      W = k(landmarks, landmarks),

replaces the exact feature map; the next round starts from φ̃.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
from scipy.linalg import eigh
from scipy.sparse import csr_array

from mpgk_core.arrays import FloatArray, IntArray, as_csr, as_dense, refuse_overflow
from mpgk_core.graphs.features import InitialFeatures
from mpgk_core.kernels.assignment import (
    UnaryColumns,
    received_histograms,
    unary_codes,
    weights_of_nodes,
)
from mpgk_core.kernels.update import KernelParameters, derived_seed, update
from mpgk_core.kernels.vertex_vectors import Round
from mpgk_core.refinement.colour_refinement import VertexTypes

_SMALLEST_EIGENVALUE = 1e-10


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
