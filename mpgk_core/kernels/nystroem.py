"""The paper's own approximation: vertices described by their kernel with a few landmarks.

In every round, L landmark vertices are drawn and

    φ̃(v) = k(v, landmarks) · W^(-1/2),      W = k(landmarks, landmarks),

replaces the exact feature map; the next round starts from φ̃. It is offered for comparison: the
exact maps of this package cost less.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import eigh
from scipy.sparse import csr_array

from mpgk_core.graphs.initial_features import InitialFeatures
from mpgk_core.kernels.assignment import UnaryColumns, node_histograms, unary_codes
from mpgk_core.kernels.matrices import as_csr, as_dense, refuse_overflow
from mpgk_core.kernels.propagation import Round
from mpgk_core.kernels.seeds import derived_seed
from mpgk_core.refinement.vertex_types import VertexTypes

_SMALLEST_EIGENVALUE = 1e-10


@dataclass(frozen=True, eq=False)
class _Landmarks:
    """What is kept of the landmarks of one round."""

    own: NDArray[np.float64]
    received: csr_array | NDArray[np.float64]
    columns: UnaryColumns | None
    whitening: NDArray[np.float64]


class NystroemVectors:
    """Approximate vectors with at most ``n_landmarks`` coordinates, learnt in the first run.

    Parameters
    ----------
    send_leaves : bool
        True for neighbourhoods compared by assignment (A), False for convolution (R).
    alpha, beta : float
    n_landmarks : int
    seed : int
    """

    def __init__(
        self, send_leaves: bool, alpha: float, beta: float, n_landmarks: int, seed: int
    ) -> None:
        self.send_leaves = send_leaves
        self.alpha, self.beta = alpha, beta
        self.n_landmarks = n_landmarks
        self.seed = seed
        self._landmarks: dict[int, _Landmarks] = {}

    def for_one_run(self) -> NystroemVectors:
        """Return itself: the landmarks are learnt once, and no notes are kept."""
        return self

    def start(self, features: InitialFeatures, counts: NDArray[np.int64]) -> NDArray[np.float64]:
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

    def step(
        self, t: int, before: Round, types: VertexTypes, counts: NDArray[np.int64]
    ) -> NDArray[np.float64]:
        """Return the landmark coordinates of α k + β k_N."""
        own = before.vectors[types.parents]
        known = self._landmarks.get(t + 1)
        received, columns = self._received(before, types, known.columns if known else None)
        if known is None:
            chosen = self._draw(t + 1, counts)
            landmark = _Landmarks(own[chosen], received[chosen], columns, np.eye(len(chosen)))
            kernel = self._kernel(landmark.own, landmark.received, landmark)
            known = _Landmarks(landmark.own, landmark.received, columns, _whitening(kernel))
            self._landmarks[t + 1] = known
        return self._kernel(own, received, known) @ known.whitening

    def _received(
        self, before: Round, types: VertexTypes, columns: UnaryColumns | None
    ) -> tuple[csr_array | NDArray[np.float64], UnaryColumns | None]:
        """Return rows whose dot products are the neighbourhood kernel."""
        if not self.send_leaves:
            return types.messages @ before.vectors, None
        assert before.tree is not None
        hierarchy = before.tree.hierarchy
        histograms = node_histograms(types.messages, hierarchy)
        columns = columns or UnaryColumns.fitting(histograms)
        codes = unary_codes(histograms, columns)
        codes.data = np.sqrt(columns.spread(hierarchy.node_weights) / hierarchy.denominator)[
            codes.indices
        ]
        return codes, columns

    def _kernel(
        self,
        own: NDArray[np.float64],
        received: csr_array | NDArray[np.float64],
        landmarks: _Landmarks,
    ) -> NDArray[np.float64]:
        neighbourhoods = as_dense(received @ landmarks.received.T)
        return refuse_overflow(self.alpha * (own @ landmarks.own.T) + self.beta * neighbourhoods)

    def _draw(self, t: int, counts: NDArray[np.int64]) -> NDArray[np.int64]:
        """Draw distinct types, each as likely as one of its vertices."""
        if len(counts) <= self.n_landmarks:
            return np.arange(len(counts))
        generator = np.random.default_rng(derived_seed(self.seed, "landmarks", t))
        share = counts / counts.sum()
        return np.sort(generator.choice(len(counts), self.n_landmarks, replace=False, p=share))


def _whitening(kernel: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return B with B Bᵀ = pseudo-inverse of the landmarks' kernel."""
    values, vectors = eigh(kernel)
    kept = values > _SMALLEST_EIGENVALUE * max(values[-1] if len(values) else 0.0, 1e-300)
    if not kept.any():
        return np.zeros((len(kernel), 1))
    return np.asarray(vectors[:, kept] / np.sqrt(values[kept]))
