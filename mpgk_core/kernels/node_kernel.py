"""Message passing kernels between vertices."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType, SimpleNamespace
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import csr_array

from mpgk_core.errors import not_fitted
from mpgk_core.graphs import GraphSet, as_graph_set
from mpgk_core.graphs.initial_features import FeatureSpec
from mpgk_core.kernels.block_kernel import FeatureKernel
from mpgk_core.kernels.blocks import Block
from mpgk_core.kernels.coefficients import assignment_coefficients, convolution_coefficients
from mpgk_core.kernels.hierarchy import Hierarchy
from mpgk_core.kernels.matrices import Matrix
from mpgk_core.kernels.message_passing import MessagePassing, PassingSettings
from mpgk_core.kernels.propagation import Round
from mpgk_core.kernels.vertex_kernels import VertexKernels, vertex_blocks
from mpgk_core.limits import check_memory
from mpgk_core.parameters import check_choice, check_message_passing, check_whole


class MessagePassingNodeKernel(FeatureKernel):
    """How similar two vertices are after their neighbourhoods were compared T times.

        k^0(v, u) = ⟨x_v, x_u⟩,      k^(t+1)(v, u) = α k^t(v, u) + β k_N(N(v), N(u))

    k_N is the sum of k^t over all pairs of neighbours (R, convolution), or the value of their
    best assignment under the strong kernel of a hierarchy grown from k^t (A). Vertices that an
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
        What vertices start with; see :class:`~mpgk_core.graphs.initial_features.FeatureEncoder`.
        ``"auto"`` balances labels, standardised attributes and degree in one vector x_v.
    normalize : bool
        Divide by the lengths, so that every vertex has similarity 1 with itself.
    branching : int
        Clusters per split of a hierarchy (A only); at least 2.
    depth : int
        Depth of the hierarchies (A only); at least 1.
    random_state : int
        Seed of the k-means clustering (A only).

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

    _fitted: SimpleNamespace
    _kernel: NDArray[np.float64] | None

    def __init__(
        self,
        neighbourhood: str = "R",
        alpha: float = 0.8,
        beta: float = 0.2,
        n_iterations: int = 5,
        features: FeatureSpec = "auto",
        normalize: bool = False,
        branching: int = 4,
        depth: int = 8,
        random_state: int = 0,
    ) -> None:
        self.neighbourhood = neighbourhood
        self.alpha = alpha
        self.beta = beta
        self.n_iterations = n_iterations
        self.features = features
        self.normalize = normalize
        self.branching = branching
        self.depth = depth
        self.random_state = random_state

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
        for learnt in ("n_vertices_in_", "features_"):
            self.__dict__.pop(learnt, None)
        self._check_parameters()
        prepared = as_graph_set(graphs)
        tree_rounds = range(self.n_iterations + 1) if self.neighbourhood == "A" else ()
        settings = PassingSettings(
            neighbourhood=self.neighbourhood,
            alpha=float(self.alpha),
            beta=float(self.beta),
            n_iterations=self.n_iterations,
            features=self.features,
            branching=self.branching,
            depth=self.depth,
            random_state=self.random_state,
            tree_rounds=frozenset(tree_rounds),
        )
        return self._led_by(MessagePassing(settings), prepared)

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
        s = passing.settings
        kernel = cls(
            s.neighbourhood,
            s.alpha,
            s.beta,
            s.n_iterations,
            s.features,
            branching=s.branching,
            depth=s.depth,
            random_state=s.random_state,
        )
        return kernel._led_by(passing.with_own_columns(), graphs)

    def fit_transform(self, graphs: Any, y: Any = None, **fit_params: Any) -> NDArray[np.float64]:
        """Fit and return ``kernel_``."""
        return self.fit(graphs).kernel_

    @property
    def kernel_(self) -> NDArray[np.float64]:
        """The kernel between all pairs of vertices after T rounds."""
        self._check_fitted()
        if self._kernel is None:
            self._kernel = self.kernel_at(self._fitted.n_iterations)
        return self._kernel

    @property
    def fitted_parameters_(self) -> Mapping[str, Any]:
        """The parameters that ``fit`` went by, whatever was set since."""
        self._check_fitted()
        return MappingProxyType(vars(self._fitted))

    @property
    def initial_features_(self) -> Matrix:
        """The rows x_v that the vertices start with, dense or sparse."""
        self._check_fitted()
        return self._kernels.blocks[0].features()

    @property
    def feature_names_(self) -> list[str]:
        """What the columns of ``initial_features_`` stand for."""
        n_columns = self.initial_features_.shape[1]
        known = self._passing.encoder.column_names
        return known + ["label unknown in training"] * (n_columns - len(known))

    def kernel_at(self, t: int) -> NDArray[np.float64]:
        """Return the kernel between all pairs of vertices after t rounds.

        Parameters
        ----------
        t : int
            From 0 to ``n_iterations``.

        Returns
        -------
        ndarray of shape (n, n)
        """
        return self._kernels.at(self.checked_round(t))

    def kernels_at_all_t(self, vertices: ArrayLike | None = None) -> list[NDArray[np.float64]]:
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
        return self._kernels.at_all_t(chosen)

    def kernel_between(
        self, vertices: ArrayLike, others: ArrayLike, t: int | None = None
    ) -> NDArray[np.float64]:
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
        return self._kernels.between(rows, columns, t)

    def feature_map(
        self, t: int | None = None, vertices: NDArray[np.int64] | None = None
    ) -> csr_array:
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
        return self._kernels.features(self.checked_round(t), vertices)

    def transform(self, graphs: Any) -> NDArray[np.float64]:
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
        _, blocks = self._run(prepared)
        return self._kernels.with_others(blocks)

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

    def leaves_at(self, t: int) -> NDArray[np.int32] | None:
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

    def _led_by(self, passing: MessagePassing, graphs: GraphSet) -> Self:
        """Pass the messages and keep what they tell."""
        self._kernel = None
        self._fitted = SimpleNamespace(**self.get_params(deep=False))
        self._passing = passing
        is_assignment = self.neighbourhood == "A"
        unroll = assignment_coefficients if is_assignment else convolution_coefficients
        table = unroll(self.n_iterations, self.alpha, self.beta)
        self.rounds_, blocks = self._run(graphs, is_training=True)
        self._kernels = VertexKernels(table, blocks, self.normalize)
        self.features_ = passing.encoder.features_
        self.n_vertices_in_ = graphs.n_vertices
        return self

    def _run(self, graphs: GraphSet, is_training: bool = False) -> tuple[list[Round], list[Block]]:
        features = self._passing.encode(graphs)
        rounds = self._passing.run(graphs, features)
        if is_training:
            features = replace(features, n_known=features.rows.shape[1])
        columns = self._passing.columns if self._fitted.neighbourhood == "A" else None
        return rounds, vertex_blocks(features, rounds, columns)

    def _check_parameters(self) -> None:
        owner = type(self).__name__
        check_choice(self.neighbourhood, ("R", "A"), "neighbourhood", owner)
        check_message_passing(self)

    def _check_fitted(self) -> None:
        if not hasattr(self, "n_vertices_in_"):
            raise not_fitted(type(self).__name__, "Call fit with a graph first.")

    def checked_round(self, t: int | None) -> int:
        """Return a round between 0 and T, by default T, or raise."""
        self._check_fitted()
        last: int = self._fitted.n_iterations
        if t is None:
            return last
        check_whole(t, 0, "t", type(self).__name__, maximum=last)
        return int(t)
