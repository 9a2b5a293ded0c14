"""A fitted run of message passing, which the node kernel and the graph kernels share."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass

from mpgk_core.graphs.graph_set import GraphSet
from mpgk_core.graphs.initial_features import FeatureEncoder, FeatureSpec, InitialFeatures
from mpgk_core.kernels.assignment import UnaryColumns
from mpgk_core.kernels.nystroem import NystroemVectors
from mpgk_core.kernels.propagation import Forest, Round, VertexVectors, propagate
from mpgk_core.kernels.vertex_vectors import AssignmentVectors, ConvolutionVectors, NoVectors


@dataclass(frozen=True)
class PassingSettings:
    """Everything that decides how messages are passed.

    Attributes
    ----------
    neighbourhood : {"R", "A"}
    alpha, beta : float
    n_iterations : int
    features : str or callable
    branching, depth : int
        Shape of the hierarchies.
    random_state : int
    tree_rounds : frozenset of int
        Rounds whose hierarchies are needed.
    n_landmarks : int or None
        Of the Nyström approximation; None for the exact maps.
    """

    neighbourhood: str
    alpha: float
    beta: float
    n_iterations: int
    features: FeatureSpec
    branching: int
    depth: int
    random_state: int
    tree_rounds: frozenset[int]
    n_landmarks: int | None = None


class MessagePassing:
    """Leads graphs through T rounds; the first run learns, later ones reuse what was learnt.

    Parameters
    ----------
    settings : PassingSettings
    """

    def __init__(self, settings: PassingSettings) -> None:
        self.settings = settings
        self.encoder = FeatureEncoder(settings.features)
        self.forest = Forest(
            settings.branching, settings.depth, settings.random_state, settings.tree_rounds
        )
        self.columns: dict[int, UnaryColumns] = {}
        self._vectors = self._choose_vectors()
        self._is_fitted = False

    def with_own_columns(self) -> MessagePassing:
        """Return a run that shares what was learnt, but numbers the columns of codes anew."""
        other = copy(self)
        other.columns = {}
        return other

    def encode(self, graphs: GraphSet) -> InitialFeatures:
        """Return the initial features; the first call learns vocabulary and scales."""
        if self._is_fitted:
            return self.encoder.transform(graphs)
        features = self.encoder.fit(graphs)
        self._is_fitted = True
        return features

    def run(self, graphs: GraphSet, features: InitialFeatures) -> list[Round]:
        """Pass messages for T rounds."""
        return propagate(
            graphs,
            features,
            self.settings.n_iterations,
            self._vectors,
            self.forest,
            send_leaves=self.settings.neighbourhood == "A",
        )

    def _choose_vectors(self) -> VertexVectors:
        s = self.settings
        if s.n_landmarks is not None:
            leaves = s.neighbourhood == "A"
            return NystroemVectors(leaves, s.alpha, s.beta, s.n_landmarks, s.random_state)
        if not s.tree_rounds:
            return NoVectors()
        if s.neighbourhood == "A":
            return AssignmentVectors(s.alpha, s.beta, s.random_state)
        return ConvolutionVectors(s.n_iterations, s.alpha, s.beta, s.random_state, s.tree_rounds)
