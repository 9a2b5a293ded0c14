"""The message passing itself: T rounds over all vertices, one type at a time.

In round t every vertex has a type, every type a vector (what is clustered, see
:mod:`mpgk_core.kernels.vertex_vectors`), and, where it is needed, there is a hierarchy grown from
those vectors. With neighbourhoods compared by R, vertices send their types; with A, the leaves of
the hierarchy in which they lie.

Training grows the hierarchies; new graphs are led through the same rounds with the hierarchies
of the training graphs. Both are one loop, so a training vertex always ends where a new vertex
with the same surroundings would.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy

import numpy as np
from scipy.sparse import csr_array

from mpgk_core.activity import steps
from mpgk_core.arrays import BoolArray, FloatArray, Int32Array, IntArray, refuse_overflow
from mpgk_core.graphs.features import FeatureEncoder, InitialFeatures
from mpgk_core.graphs.graph_set import GraphSet
from mpgk_core.graphs.neighbourhoods import EdgeEncoder, Neighbourhoods
from mpgk_core.kernels.assignment import UnaryColumns
from mpgk_core.kernels.clustering import Points, largest_coordinate
from mpgk_core.kernels.hierarchy import ClusterTree, grow_tree
from mpgk_core.kernels.nystroem import NystroemVectors
from mpgk_core.kernels.update import KernelParameters, derived_seed
from mpgk_core.kernels.vertex_vectors import (
    AssignmentVectors,
    ChannelVectors,
    ConvolutionVectors,
    Round,
    VertexVectors,
)
from mpgk_core.refinement.colour_refinement import VertexTypes, refine


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
