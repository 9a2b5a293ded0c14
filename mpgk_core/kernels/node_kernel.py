"""Message passing kernels between vertices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import csr_array

from mpgk_core.arrays import (
    FloatArray,
    Int32Array,
    IntArray,
    Matrix,
    as_csr,
    as_dense,
    cosine_normalised,
)
from mpgk_core.checks import check_choice, check_memory, check_message_passing, check_whole
from mpgk_core.graphs import GraphSet, as_graph_set
from mpgk_core.graphs.feature_names import FeatureSpec
from mpgk_core.graphs.features import InitialFeatures
from mpgk_core.graphs.neighbourhoods import Neighbourhoods, check_edges
from mpgk_core.kernels.blocks import Block, combine, combined_features, combined_norms
from mpgk_core.kernels.estimator import FeatureKernel
from mpgk_core.kernels.feature_maps import exact_powers, vertex_blocks
from mpgk_core.kernels.hierarchy import Hierarchy
from mpgk_core.kernels.message_passing import MessagePassing
from mpgk_core.kernels.update import (
    KernelParameters,
    assignment_coefficients,
    convolution_coefficients,
)
from mpgk_core.kernels.vertex_vectors import Round

_SMALL_TABLE = 200_000
"""Entries, up to which the features of all types are kept as a dense table."""


@dataclass(eq=False, repr=False)
class MessagePassingNodeKernel(FeatureKernel):
    """How similar two vertices are after their neighbourhoods were compared T times.

        k^0(v, u) = ⟨x_v, x_u⟩,      k^(t+1)(v, u) = α k^t(v, u) + β k_N(N(v), N(u))

    (Equation 2). k_N is the sum of k^t over all pairs of neighbours (R, convolution; Equation 6),
    or the value of their best assignment under the strong kernel of a hierarchy grown from k^t
    (A; Equation 7). Vertices that an
    automorphism maps onto each other have identical rows.

    Parameters
    ----------
    neighbourhood : {"R", "A"}
        How neighbourhoods are compared.
    alpha, beta : float
        Weights of the previous similarity and of the neighbourhoods; at least 0.
    n_iterations : int
        Number of rounds T; at least 0.
    features : str or callable
        What vertices start with; see :class:`~mpgk_core.graphs.features.FeatureEncoder`.
        ``"auto"`` balances labels, standardised attributes and degree in one vector x_v.
    normalize : bool
        Divide by the lengths, so that every vertex has similarity 1 with itself.
    branching : int
        Clusters per split of a hierarchy (A only); at least 2.
    depth : int
        Depth of the hierarchies (A only); at least 1.
    random_state : int
        Seed of the k-means clustering (A only).
    edges : str
        What is used of edges: ``"ignore"``, or, joined by "+", ``"labels"`` (only neighbours over
        equally labelled edges are compared), ``"weights"`` (messages are multiplied by them; R
        only, A takes bins such as ``"weights/4"``), and a direction, ``"follow"``, ``"reverse"``
        or ``"both"``; see :mod:`mpgk_core.graphs.neighbourhoods`. An extension of the paper.

    Examples
    --------
    After two rounds the ends of a path, its middle and the vertices between are told apart:

    >>> import networkx as nx
    >>> node_kernel = MessagePassingNodeKernel("R", n_iterations=2).fit(nx.path_graph(5))
    >>> node_kernel.kernel_.round(2)
    array([[2.28, 3.92, 4.56, 3.92, 2.28],
           [3.92, 6.88, 7.84, 6.88, 3.92],
           [4.56, 7.84, 9.12, 7.84, 4.56],
           [3.92, 6.88, 7.84, 6.88, 3.92],
           [2.28, 3.92, 4.56, 3.92, 2.28]])
    """

    neighbourhood: str = "R"
    alpha: float = 0.8
    beta: float = 0.2
    n_iterations: int = 5
    features: FeatureSpec = "auto"
    normalize: bool = False
    branching: int = 4
    depth: int = 8
    random_state: int = 0
    edges: str = "ignore"

    _fitted_size = "n_vertices_in_"

    def fit(self, graphs: Any, y: Any = None) -> Self:
        """Pass the messages on one graph or many.

        Parameters
        ----------
        graphs : networkx graph, GraphSet, or list of these
        y : ignored

        Returns
        -------
        self
        """
        self._start_fit()
        prepared = as_graph_set(graphs)
        tree_rounds = range(self.n_iterations + 1) if self.neighbourhood == "A" else ()
        passing = MessagePassing(KernelParameters(**self.get_params()), frozenset(tree_rounds))
        return self._led_by(passing, prepared)

    @classmethod
    def continuing(cls, passing: MessagePassing, graphs: GraphSet) -> MessagePassingNodeKernel:
        """Return the kernel between the vertices of some graphs, with features and trees as learnt.

        Parameters
        ----------
        passing : MessagePassing
            Fitted to any graphs, without landmarks.
        graphs : GraphSet
            The graphs whose vertices are compared.

        Returns
        -------
        MessagePassingNodeKernel
            Fitted, and not normalised.
        """
        kernel = cls(**replace(passing.parameters, normalize=False).settings())
        return kernel._led_by(passing.with_own_columns(), graphs)

    def fit_transform(self, graphs: Any, y: Any = None, **fit_params: Any) -> FloatArray:
        """Fit and return ``kernel_``."""
        return self.fit(graphs).kernel_

    @property
    def kernel_(self) -> FloatArray:
        """The kernel between all pairs of vertices after T rounds."""
        self._check_fitted()
        return self._last_kernel

    @property
    def initial_features_(self) -> Matrix:
        """The rows x_v that the vertices start with, dense or sparse."""
        self._check_fitted()
        return self._blocks[0].features()

    @property
    def feature_names_(self) -> list[str]:
        """What the columns of ``initial_features_`` stand for."""
        n_columns = self.initial_features_.shape[1]
        known = self._passing.encoder.column_names
        return known + ["label unknown in training"] * (n_columns - len(known))

    @property
    def uses_channels_(self) -> bool:
        """Whether neighbours are compared by labels, bins of weights or directions of edges."""
        self._check_fitted()
        return self._passing.edge_encoder.use.has_channels

    @property
    def channel_names_(self) -> list[str]:
        """What the channels of ``neighbourhoods`` stand for, in words."""
        self._check_fitted()
        return self._passing.edge_encoder.channel_names

    def neighbourhoods(self, graphs: Any) -> Neighbourhoods:
        """Return whom every vertex receives messages from.

        Parameters
        ----------
        graphs : networkx graph, GraphSet, or list of these

        Returns
        -------
        Neighbourhoods
        """
        self._check_fitted()
        return self._passing.neighbourhoods(as_graph_set(graphs))

    def kernel_at(self, t: int) -> FloatArray:
        """Return the kernel between all pairs of vertices after t rounds.

        Parameters
        ----------
        t : int
            From 0 to ``n_iterations``.

        Returns
        -------
        ndarray of shape (n, n)
        """
        t = self.checked_round(t)
        n = self.n_vertices_in_
        check_memory(
            3 * 8 * n**2,
            f"A kernel matrix of {n} vertices",
            "Use a smaller graph, or feature_map, which stays sparse.",
        )
        return self._normalised(combine(self._table[t : t + 1], self._blocks)[0])

    def kernels_at_all_t(self, vertices: ArrayLike | None = None) -> list[FloatArray]:
        """Return the kernel for every round t = 0..T, between all vertices or a few of them.

        Parameters
        ----------
        vertices : array-like of int, optional
            The vertices to compare; by default all.

        Returns
        -------
        list of ndarray
            T + 1 square matrices.
        """
        self._check_fitted()
        chosen = np.arange(self.n_vertices_in_)
        if vertices is not None:
            chosen = np.asarray(vertices, dtype=np.int64)
        check_memory(
            (len(self._table) + 2) * 8 * len(chosen) ** 2,
            f"{len(self._table)} kernel matrices of {len(chosen)} vertices",
            "Choose fewer vertices, or use feature_map, which stays sparse.",
        )
        return [self._normalised(k) for k in combine(self._table, self._restricted(chosen))]

    def kernel_between(
        self, vertices: ArrayLike, others: ArrayLike, t: int | None = None
    ) -> FloatArray:
        """Return the kernel between some vertices and some others before normalisation.

        Parameters
        ----------
        vertices, others : array-like of int
        t : int, optional
            Round; by default the last.

        Returns
        -------
        ndarray of shape (number of vertices, number of others)
        """
        t = self.checked_round(t)
        rows, columns = (np.asarray(chosen, dtype=np.int64) for chosen in (vertices, others))
        check_memory(
            3 * 8 * len(rows) * len(columns),
            f"A kernel between {len(rows)} and {len(columns)} vertices",
            "Choose fewer vertices.",
        )
        left, right = self._restricted(rows), self._restricted(columns)
        return combine(self._table[t : t + 1], left, right)[0]

    def feature_map(self, t: int | None = None, vertices: IntArray | None = None) -> csr_array:
        """Return sparse rows whose dot products are the kernel before normalisation.

        Parameters
        ----------
        t : int, optional
            Round; by default the last.
        vertices : ndarray of int, optional
            The vertices whose rows are wanted; by default all.

        Returns
        -------
        csr_array of shape (n, number of features)
        """
        coefficients = self._table[self.checked_round(t)]
        if self._joined is None:
            blocks = self._blocks if vertices is None else self._restricted(vertices)
            return combined_features(coefficients, blocks)
        rows, of_vertex = self._joined
        index = of_vertex if vertices is None else of_vertex[vertices]
        roots = np.repeat(np.sqrt(coefficients), [block.n_columns for block in self._blocks])
        return as_csr(rows[index] * roots)

    def transform(self, graphs: Any) -> FloatArray:
        """Return the kernel between the vertices of new graphs and the fitted vertices.

        Parameters
        ----------
        graphs : networkx graph, GraphSet, or list of these

        Returns
        -------
        ndarray of shape (number of new vertices, n)
        """
        self._check_fitted()
        prepared = as_graph_set(graphs)
        check_memory(
            3 * 8 * prepared.n_vertices * self.n_vertices_in_,
            f"A kernel between {prepared.n_vertices} and {self.n_vertices_in_} vertices",
            "Transform fewer graphs at a time.",
        )
        blocks = self._blocks_of(prepared, self._passing.encode(prepared))
        last = self._table[-1:]
        kernel = combine(last, blocks, self._blocks)[0]
        if self._fitted.normalize:
            kernel = cosine_normalised(kernel, combined_norms(last, blocks)[0], self._norms)
        return kernel

    def hierarchy_at(self, t: int) -> Hierarchy | None:
        """Return the hierarchy grown from k^t; None for neighbourhood R, which needs none.

        Parameters
        ----------
        t : int
            From 0 to ``n_iterations``.

        Returns
        -------
        Hierarchy or None
        """
        tree = self.rounds_[self.checked_round(t)].tree
        return None if tree is None else tree.hierarchy

    def leaves_at(self, t: int) -> Int32Array | None:
        """Return the leaf of ``hierarchy_at(t)`` in which every vertex lies.

        Parameters
        ----------
        t : int
            From 0 to ``n_iterations``.

        Returns
        -------
        ndarray of shape (n,) or None
        """
        now = self.rounds_[self.checked_round(t)]
        return None if now.tree is None else now.leaf_of_vertex

    def checked_round(self, t: int | None) -> int:
        """Return a round between 0 and T, by default T, or raise."""
        self._check_fitted()
        last: int = self._fitted.n_iterations
        if t is None:
            return last
        check_whole(t, 0, "t", type(self).__name__, maximum=last)
        return int(t)

    def _led_by(self, passing: MessagePassing, graphs: GraphSet) -> Self:
        """Pass the messages and keep the blocks of all rounds."""
        p = self._fitted = passing.parameters
        self._passing = passing
        for cached in ("rounds_", "_joined", "_last_kernel"):
            self.__dict__.pop(cached, None)
        unroll = assignment_coefficients if p.neighbourhood == "A" else convolution_coefficients
        self._table = unroll(p.n_iterations, p.alpha, p.beta)
        self._graphs, self._features = graphs, passing.encode(graphs)
        self._blocks = self._blocks_of(graphs, self._features, is_training=True)
        self._norms = combined_norms(self._table, self._blocks)[-1]
        self.features_ = passing.encoder.features_
        self.n_vertices_in_ = graphs.n_vertices
        return self

    def _blocks_of(
        self, graphs: GraphSet, features: InitialFeatures, is_training: bool = False
    ) -> Sequence[Block]:
        known = features
        if is_training:
            known = replace(features, n_known=features.rows.shape[1])
        powers = exact_powers(graphs, known, self._passing)
        if powers is not None:
            return powers
        rounds = self.rounds_ if is_training else self._passing.run(graphs, features)
        return vertex_blocks(known, rounds, self._passing)

    @cached_property
    def rounds_(self) -> list[Round]:
        """What is known of the vertices after each of the rounds 0..T."""
        return self._passing.run(self._graphs, self._features)

    @cached_property
    def _last_kernel(self) -> FloatArray:
        return self.kernel_at(self._fitted.n_iterations)

    @cached_property
    def _joined(self) -> tuple[FloatArray, IntArray] | None:
        """The features of all blocks, a row for every type, and the type of every vertex.

        Every round weighs the same columns, so small tables are joined once for all of them.
        Types only split from round to round: those of the last block are the finest.
        """
        _, first, of_vertex = np.unique(
            self._blocks[-1].index, return_index=True, return_inverse=True
        )
        if len(first) * sum(block.n_columns for block in self._blocks) > _SMALL_TABLE:
            return None
        return np.hstack([as_dense(b.features()) for b in self._restricted(first)]), of_vertex

    def _restricted(self, chosen: IntArray) -> list[Block]:
        return [block.restricted(chosen) for block in self._blocks]

    def _normalised(self, kernel: FloatArray) -> FloatArray:
        if not self._fitted.normalize:
            return kernel
        return cosine_normalised(kernel, kernel.diagonal(), kernel.diagonal())

    def _check_parameters(self) -> None:
        check_choice(self.neighbourhood, ("R", "A"), "neighbourhood", type(self).__name__)
        check_message_passing(self)
        check_edges(self.edges, can_multiply=self.neighbourhood == "R")
