"""The message passing itself: T rounds over all vertices, one type at a time.

Round t knows the type of every vertex, a vector for every type (what is clustered) and, where
somebody needs it, the hierarchy grown from those vectors. With neighbourhoods compared by R,
vertices send their types; with A, the leaves of the hierarchy in which they lie.

Training grows the hierarchies; new graphs are led through the same rounds with the hierarchies
of the training graphs. Both are one loop, so a training vertex always ends where a new vertex
with the same surroundings would.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from mpgk_core.graphs.graph_set import GraphSet
from mpgk_core.graphs.initial_features import InitialFeatures
from mpgk_core.kernels.cluster_tree import ClusterTree, grow_tree
from mpgk_core.kernels.matrices import refuse_overflow
from mpgk_core.kernels.seeds import derived_seed
from mpgk_core.refinement.vertex_types import VertexTypes, refine


@dataclass(frozen=True, eq=False)
class Round:
    """What is known after t rounds.

    Attributes
    ----------
    types : VertexTypes
        Types of the vertices; their messages are those of the round before.
    vectors : ndarray of shape (n_types, D)
        The point that stands for each type when types are clustered.
    tree : ClusterTree or None
        The hierarchy H_t.
    leaves : ndarray of shape (n_types,) or None
        The leaf of H_t in which each type lies; the number of leaves where it lies in none.
    """

    types: VertexTypes
    vectors: NDArray[np.float64]
    tree: ClusterTree | None
    leaves: NDArray[np.int32] | None

    @property
    def leaf_of_vertex(self) -> NDArray[np.int32]:
        """The leaf of H_t in which each vertex lies."""
        assert self.leaves is not None
        return self.leaves[self.types.of_vertex]


class VertexVectors(Protocol):
    """A way to give every type of vertex a vector, round by round."""

    def for_one_run(self) -> VertexVectors:
        """Return an object that may keep notes during one run of message passing."""
        ...

    def start(self, features: InitialFeatures, counts: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the vectors of round 0; ``counts`` says how often each type occurs."""
        ...

    def step(
        self, t: int, before: Round, types: VertexTypes, counts: NDArray[np.int64]
    ) -> NDArray[np.float64]:
        """Return the vectors of round t + 1."""
        ...


@dataclass(eq=False)
class Forest:
    """The hierarchies H_t of all rounds: grown in training, reused afterwards.

    Parameters
    ----------
    branching : int
        Clusters per split.
    depth : int
        Greatest depth.
    seed : int
    rounds : frozenset of int
        The rounds in which a hierarchy is needed.
    """

    branching: int
    depth: int
    seed: int
    rounds: frozenset[int]
    trees: dict[int, ClusterTree] = field(default_factory=dict)

    def place(
        self,
        t: int,
        vectors: NDArray[np.float64],
        counts: NDArray[np.int64],
        unseen: NDArray[np.bool_],
    ) -> tuple[ClusterTree | None, NDArray[np.int32] | None]:
        """Return H_t and the leaf of every type; grow H_t if it does not exist yet.

        Types of which nothing is known from training get the number after the last leaf.
        """
        if t not in self.rounds:
            return None, None
        if t in self.trees:
            tree = self.trees[t]
            return tree, np.where(unseen, tree.hierarchy.n_leaves, tree.route(vectors))
        weights = counts.astype(np.float64)
        seed = derived_seed(self.seed, "tree", t)
        self.trees[t], leaves = grow_tree(vectors, weights, self.branching, self.depth, seed)
        return self.trees[t], leaves


def propagate(
    graphs: GraphSet,
    features: InitialFeatures,
    n_iterations: int,
    vectors: VertexVectors,
    forest: Forest,
    send_leaves: bool,
) -> list[Round]:
    """Pass messages for T rounds.

    Parameters
    ----------
    graphs : GraphSet
    features : InitialFeatures
    n_iterations : int
        T.
    vectors : VertexVectors
        How types become points.
    forest : Forest
        Hierarchies; grown here if they do not exist.
    send_leaves : bool
        Whether vertices send the leaf in which they lie (A) or their type (R).

    Returns
    -------
    list of Round
        T + 1 of them.
    """
    m = features.rows.shape[0]
    types = VertexTypes(features.of_vertex, np.arange(m, dtype=np.int32), csr_array((m, 0)))
    counts = np.bincount(types.of_vertex, minlength=m)
    vectors = vectors.for_one_run()
    points = refuse_overflow(vectors.start(features, counts))
    unseen = features.is_unseen
    rounds = [Round(types, points, *forest.place(0, points, counts, unseen))]
    for t in range(n_iterations):
        before = rounds[-1]
        if send_leaves:
            assert before.tree is not None
            colours, n_colours = before.leaf_of_vertex, before.tree.hierarchy.n_leaves + 1
        else:
            colours, n_colours = before.types.of_vertex, before.types.n_types
        types = refine(graphs.adjacency, before.types.of_vertex, colours, n_colours, graphs.offsets)
        counts = np.bincount(types.of_vertex, minlength=types.n_types)
        with np.errstate(over="ignore", invalid="ignore"):
            points = refuse_overflow(vectors.step(t, before, types, counts))
        unseen = unseen[types.parents]
        rounds.append(Round(types, points, *forest.place(t + 1, points, counts, unseen)))
    return rounds
