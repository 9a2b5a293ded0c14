"""Message passing kernels between graphs: RR, RA, AR and AA."""

from __future__ import annotations

from dataclasses import dataclass
from math import fsum
from types import SimpleNamespace
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import csr_array

from mpgk_core.arrays import FloatArray, Int32Array, membership_matrix
from mpgk_core.checks import check_choice, check_message_passing, check_whole
from mpgk_core.errors import InvalidParameterError
from mpgk_core.graphs import GraphSet, as_graph_set
from mpgk_core.graphs.feature_names import FeatureSpec, summands_of
from mpgk_core.graphs.features import resolved_features
from mpgk_core.graphs.neighbourhoods import EdgeUse, check_edges
from mpgk_core.kernels.assignment import node_histograms
from mpgk_core.kernels.blocks import Block, combine, combined_norms
from mpgk_core.kernels.channel_walks import channel_walk_blocks
from mpgk_core.kernels.estimator import BlockKernel
from mpgk_core.kernels.feature_maps import (
    PORTION,
    assignment_blocks,
    learn_columns,
    neighbourhood_blocks,
    summed_blocks,
    vector_blocks,
)
from mpgk_core.kernels.hierarchy import Hierarchy
from mpgk_core.kernels.message_passing import MessagePassing
from mpgk_core.kernels.node_kernel import MessagePassingNodeKernel
from mpgk_core.kernels.update import (
    KernelParameters,
    assignment_coefficients,
    convolution_coefficients,
)
from mpgk_core.kernels.walks import walk_blocks

VARIANTS = ("RR", "RA", "AR", "AA")
LEVELS = ("last", "sum")
"""Compare graphs by the last round alone, or by the sum of rounds 0..T."""


@dataclass(eq=False, repr=False)
class MessagePassingGraphKernel(BlockKernel):
    """A kernel between graphs whose vertices have compared their neighbourhoods T times.

    Similarity between vertices is passed along the edges,

        k^(t+1)(v, u) = α k^t(v, u) + β k_N(N(v), N(u))              (Equation 2),

    and k^T decides how similar two graphs are (Equation 3; 8 for R, 9 for A). The first letter of
    the variant tells how neighbourhoods are compared, the second how graphs are:

    - R, convolution: the sum of k^t over all pairs;
    - A, optimal assignment: the value of the best matching under the strong kernel of a
      hierarchy of clusters, grown from k^t by recursive k-means.

    All four have explicit feature maps, are exact given the hierarchies, and take time
    proportional to the number of edges (Nikolentzos & Vazirgiannis 2018, arXiv:1808.02510).

    Parameters
    ----------
    variant : {"RR", "RA", "AR", "AA"}
        Neighbourhoods first, graphs second.
    alpha, beta : float
        Weights of the previous similarity and of the neighbourhoods; at least 0.
    n_iterations : int
        Number of rounds T; at least 0.
    levels : {"last", "sum"}
        Compare graphs by the last round, k^T, alone, or by the sum of rounds: add up the graph
        kernels of t = 0..T. ``"all"`` is the earlier name of ``"sum"``.
    features : str or callable
        What vertices start with; see :class:`~mpgk_core.graphs.features.FeatureEncoder`.
        Names separated by "," stand for the average of as many kernels, each with message
        passing and hierarchies of its own and, for every t, divided by its mean self-similarity
        over the training graphs. ``"auto"`` is such an average of labels, standardised
        attributes and degree, as far as the graphs have them. In one hierarchy, noise splits the
        clusters that the rest would form; in hierarchies of their own, it only adds to the
        diagonal. No rule without classes knows which of them matters: see the last example.
    normalize : bool
        Divide by the lengths, so that every graph has similarity 1 with itself.
    branching : int
        Clusters per split of a hierarchy; at least 2.
    depth : int
        Depth of the hierarchies; at least 1.
    approximation : {None, "nystroem"}
        ``"nystroem"`` replaces the exact vertex features by the paper's landmark approximation.
    n_landmarks : int
        Number of landmarks of the approximation.
    random_state : int
        Seed of the k-means clustering and of the landmarks. Same seed, same bytes.
    edges : str
        What is used of edges: ``"ignore"``, or, joined by "+", ``"labels"`` (only neighbours over
        equally labelled edges are compared), ``"weights"`` (messages are multiplied by them; R
        only, A takes bins such as ``"weights/4"``), and a direction, ``"follow"``, ``"reverse"``
        or ``"both"``; see :mod:`mpgk_core.graphs.neighbourhoods`. An extension of the paper.

    Examples
    --------
    >>> import networkx as nx
    >>> graphs = [nx.cycle_graph(6), nx.cycle_graph(7), nx.star_graph(6)]
    >>> kernel = MessagePassingGraphKernel("RR", n_iterations=2)
    >>> kernel.fit_transform(graphs).round(3)
    array([[1.  , 1.  , 0.98],
           [1.  , 1.  , 0.98],
           [0.98, 0.98, 1.  ]])
    >>> kernel
    MessagePassingGraphKernel(n_iterations=2, variant='RR', features_='degree')

    Let a grid search choose what vertices start with, on the training graphs alone:

    >>> from sklearn.model_selection import GridSearchCV
    >>> from sklearn.pipeline import Pipeline
    >>> from sklearn.svm import SVC
    >>> steps = [("kernel", MessagePassingGraphKernel()), ("svm", SVC(kernel="precomputed"))]
    >>> choices = {"kernel__features": ["auto", "labels", "attributes-standardised", "degree"]}
    >>> search = GridSearchCV(Pipeline(steps), choices, cv=5)
    """

    variant: str = "AA"
    alpha: float = 0.8
    beta: float = 0.2
    n_iterations: int = 4
    levels: str = "last"
    features: FeatureSpec = "auto"
    normalize: bool = True
    branching: int = 4
    depth: int = 8
    approximation: str | None = None
    n_landmarks: int = 200
    random_state: int = 0
    edges: str = "ignore"

    def kernels_at_all_t(self, graphs: Any) -> list[FloatArray]:
        """Fit, and return the kernel matrix for every number of rounds t = 0..T.

        One run gives them all, so T can be chosen without computing anything twice.

        Parameters
        ----------
        graphs : GraphSet, or graphs of any kind that as_graph_set accepts

        Returns
        -------
        list of ndarray of shape (N, N)
            T + 1 matrices. With ``levels="sum"``, matrix t sums the kernels of rounds 0..t.
        """
        self._check_parameters()
        prepared = as_graph_set(graphs)
        self._check_matrix(len(prepared), len(prepared), copies=self.n_iterations + 3)
        self._prepare(prepared, every_t=True)
        return self._finish_square(combine(self._table, self._blocks))

    def hierarchy_at(self, t: int) -> Hierarchy | None:
        """Return the hierarchy H_t that was grown in round t.

        Parameters
        ----------
        t : int
            Round.

        Returns
        -------
        Hierarchy or None
            None where no hierarchy was needed in that round.
        """
        self._check_fitted()
        check_whole(t, 0, "t", "hierarchy_at", maximum=self._fitted.n_iterations)
        tree = self._only_passing.trees.get(t)
        return None if tree is None else tree.hierarchy

    def leaves_at(self, t: int, graphs: Any) -> Int32Array | None:
        """Return the leaf of ``hierarchy_at(t)`` in which every vertex lies.

        Parameters
        ----------
        t : int
            Round.
        graphs : GraphSet, or graphs of any kind that as_graph_set accepts
            Training graphs or others.

        Returns
        -------
        ndarray of shape (n,) or None
        """
        if self.hierarchy_at(t) is None:
            return None
        prepared = as_graph_set(graphs)
        passing = self._only_passing
        return passing.run(prepared, passing.encode(prepared))[t].leaf_of_vertex

    def node_kernel(self, graphs: Any) -> MessagePassingNodeKernel:
        """Return the kernel between vertices with which this kernel compares graphs.

        It has the features and hierarchies of the training graphs, so vertices of a training
        graph are as similar as they were in training.

        Parameters
        ----------
        graphs : GraphSet, or graphs of any kind that as_graph_set accepts
            Training graphs or others.

        Returns
        -------
        MessagePassingNodeKernel
            Fitted to the vertices of ``graphs``, and not normalised.
        """
        self._check_fitted()
        if self._fitted.approximation is not None:
            raise InvalidParameterError(
                "Landmarks approximate the kernel between vertices, so it has no exact parts. "
                "Fit with approximation=None."
            )
        return MessagePassingNodeKernel.continuing(self._only_passing, as_graph_set(graphs))

    def parts_of_vertices(self, graphs: Any, weights: ArrayLike) -> FloatArray:
        """Divide a linear function of the feature map of graphs among their vertices.

        With graphs compared by assignment (RA, AA), the map of G holds, for every tree node c, as
        many numbers as vertices of G are in c. What these add to the function is the part of c,
        and all vertices of G in c have equal shares of it. So the parts of all vertices of G add
        up to ⟨map of G, weights⟩.

        Parameters
        ----------
        graphs : GraphSet, or graphs of any kind that as_graph_set accepts
            Training graphs or others.
        weights : array-like of shape (number of features,)
            One for every column of :meth:`feature_map`.

        Returns
        -------
        ndarray of shape (n,)

        Examples
        --------
        >>> import networkx as nx
        >>> path = [nx.path_graph(3), nx.path_graph(4)]
        >>> kernel = MessagePassingGraphKernel("RA", n_iterations=1).fit(path)
        >>> rows = kernel.feature_map(path)
        >>> parts = kernel.parts_of_vertices(path, np.ones(rows.shape[1]))
        >>> bool(np.allclose([parts[:3].sum(), parts[3:].sum()], rows.sum(axis=1)))
        True
        """
        self._check_fitted()
        if self._fitted.variant[1] != "A" or self._fitted.approximation is not None:
            raise InvalidParameterError(
                "Only the exact variants RA and AA compare graphs by tree nodes, which vertices "
                f"share. Got variant {self._fitted.variant!r}."
            )
        prepared, linear = as_graph_set(graphs), np.asarray(weights, dtype=np.float64)
        weighted = self.feature_map(prepared)
        weighted.data = weighted.data * linear[weighted.indices]
        of_vertex, n = prepared.graph_of_vertex, prepared.n_vertices
        parts, start = np.zeros(n), 0
        for passing in self._passings:
            rounds = passing.run(prepared, passing.encode(prepared))
            for t in sorted(self._graph_rounds):
                tree, room = rounds[t].hierarchy, passing.columns[t]
                leaves = membership_matrix(
                    rounds[t].leaf_of_vertex, tree.n_leaves + 1, np.arange(n + 1)
                )
                members = node_histograms(leaves, tree)
                owners = csr_array((np.ones(n), (of_vertex, np.arange(n))), (len(prepared), n))
                sizes = csr_array(owners @ members)
                own = csr_array(weighted[:, start : start + room.n_columns])
                node = room.spread(np.arange(room.n_nodes))
                values = csr_array(
                    (own.data, node[own.indices], own.indptr), (len(prepared), members.shape[1])
                )
                values.sum_duplicates()
                sizes.data = 1.0 / sizes.data
                shares = csr_array(values.multiply(sizes))
                parts += np.asarray(members.multiply(shares[of_vertex]).sum(axis=1)).ravel()
                start += room.n_columns
        return parts

    @property
    def _only_passing(self) -> MessagePassing:
        if len(self._passings) > 1:
            raise InvalidParameterError(
                f"This kernel is the average of {len(self._passings)} kernels, each with "
                f"hierarchies of its own: features={self.features_!r}. Fit with one of them, for "
                f"example features={summands_of(self.features_)[0]!r}."
            )
        return self._passings[0]

    def _check_parameters(self) -> None:
        owner = type(self).__name__
        check_choice(self.variant, VARIANTS, "variant", owner)
        if self.levels != "all":
            check_choice(self.levels, LEVELS, "levels", owner)
        check_choice(self.approximation, (None, "nystroem"), "approximation", owner)
        check_whole(self.n_landmarks, 1, "n_landmarks", owner)
        check_message_passing(self)
        check_edges(self.edges, can_multiply=self.variant[0] == "R")

    def fit_map(self, graphs: Any, y: Any = None) -> Self:
        """Learn what ``fit`` learns, with a part of its memory, for ``feature_map`` alone.

        The maps of the training graphs are not kept: ``feature_map`` gives them again, for as many
        graphs at a time as there is memory for, with the same bytes as after ``fit``.

        Parameters
        ----------
        graphs : GraphSet, or list of GraphSets or networkx graphs
        y : ignored

        Returns
        -------
        self
        """
        self._start_fit()
        prepared = as_graph_set(graphs)
        self._fitted = SimpleNamespace(**self.get_params(deep=False))
        self._begin(prepared, every_t=False)
        for passing in self._passings:
            self._learn(passing, prepared)
        n_portions = range(0, len(prepared), PORTION) if len(self._passings) > 1 else (0,)
        portions = [prepared[start : start + PORTION] for start in n_portions]
        self._set_table([[self._blocks_with(q, own) for own in portions] for q in self._passings])
        self._blocks = []
        self.n_graphs_in_ = len(prepared)
        return self

    def _learn(self, passing: MessagePassing, graphs: GraphSet) -> None:
        """Learn trees and columns, and keep no map of these graphs."""
        p = self._fitted
        features = passing.encode(graphs)
        if p.approximation is not None or (p.variant == "RR" and not self._counts_walks):
            self._blocks_with(passing, graphs)
        elif p.variant != "RR":
            chosen = self._graph_rounds if p.variant[1] == "A" else frozenset()
            learn_columns(graphs, features, passing, chosen)

    @property
    def _counts_walks(self) -> bool:
        """Whether edges have one channel, so that walks can be counted (RR)."""
        return not EdgeUse.of(self._fitted.edges).has_channels

    def _fit_blocks(self, graphs: GraphSet, every_t: bool) -> None:
        self._begin(graphs, every_t)
        parts = [self._blocks_with(passing, graphs) for passing in self._passings]
        self._set_table([[blocks] for blocks in parts])
        self._blocks = [block for blocks in parts for block in blocks]

    def _begin(self, graphs: GraphSet, every_t: bool) -> None:
        """Settle the features, and which rounds and hierarchies are needed."""
        p = self._fitted
        T = int(p.n_iterations)
        graph_rounds = range(T + 1) if every_t or p.levels != "last" else range(T, T + 1)
        tree_rounds = set(range(T)) if p.variant[0] == "A" else set()
        if p.variant[1] == "A":
            tree_rounds |= set(graph_rounds)
        self.features_ = resolved_features(self.features, graphs)
        self._graph_rounds = frozenset(graph_rounds)
        shared = ("alpha", "beta", "n_iterations", "branching", "depth", "random_state", "edges")
        settings = {name: getattr(p, name) for name in shared}
        self._passings = [
            MessagePassing(
                KernelParameters(p.variant[0], features=summand, **settings),
                frozenset(tree_rounds),
                p.n_landmarks if p.approximation else None,
            )
            for summand in summands_of(self.features_)
        ]

    def _set_table(self, parts: list[list[list[Block]]]) -> None:
        """Set the coefficients of all blocks; they are given kernel by kernel, then by portions."""
        tables = [self._coefficients(len(portions[0])) for portions in parts]
        if len(parts) > 1:
            tables = _balanced(tables, parts)
        self._table = np.hstack(tables)
        if self._fitted.levels != "last":
            self._table = np.cumsum(self._table, axis=0)

    def _coefficients(self, n_blocks: int) -> FloatArray:
        """Return the coefficients of all blocks, a row for every t, the last row for T."""
        p = self._fitted
        unroll = {"RR": convolution_coefficients, "AR": assignment_coefficients}.get(p.variant)
        if unroll is None or p.approximation is not None:
            return np.eye(n_blocks)
        return unroll(p.n_iterations, p.alpha, p.beta)

    def _blocks_of(self, graphs: GraphSet) -> list[Block]:
        return [block for passing in self._passings for block in self._blocks_with(passing, graphs)]

    def _blocks_with(self, passing: MessagePassing, graphs: GraphSet) -> list[Block]:
        p = self._fitted
        features = passing.encode(graphs)
        is_sum = p.variant == "RR" and p.approximation is None
        if is_sum and self._counts_walks:
            return list(walk_blocks(graphs, features, p.n_iterations, p.edges))
        if is_sum and not passing.edge_encoder.use.multiplies:
            return channel_walk_blocks(graphs, features, passing)
        rounds = passing.run(graphs, features)
        if is_sum:
            return summed_blocks(graphs, features, rounds, passing)
        if p.variant[1] == "A":
            return assignment_blocks(graphs, rounds, self._graph_rounds, passing.columns)
        if p.approximation is not None:
            return vector_blocks(graphs, rounds)
        return neighbourhood_blocks(graphs, features, rounds, passing.columns)


def _balanced(tables: list[FloatArray], parts: list[list[list[Block]]]) -> list[FloatArray]:
    """Scale coefficients so that in every round all kernels have the same mean self-similarity.

    The sums are exact before they are rounded, so they do not depend on the order of graphs.
    """
    means = np.array(
        [
            [fsum(norms.tolist()) / max(len(norms), 1) for norms in _all_norms(table, portions)]
            for table, portions in zip(tables, parts, strict=True)
        ]
    )
    n_present = np.maximum(np.count_nonzero(means, axis=0), 1)
    factors = np.divide(1.0, means * n_present, out=np.zeros_like(means), where=means > 0)
    return [table * factor[:, np.newaxis] for table, factor in zip(tables, factors, strict=True)]


def _all_norms(table: FloatArray, portions: list[list[Block]]) -> FloatArray:
    return np.hstack([combined_norms(table, blocks) for blocks in portions])
