"""Weisfeiler-Lehman kernels as members of the family: the same code, another hierarchy.

The colours of colour refinement form a tree: every colour of round t + 1 lies below one colour
of round t. With weight 1 on each colour, the strong kernel of two vertices is the number of
rounds in which they look alike. Comparing graphs under it by convolution (R) gives the WL
subtree kernel, by optimal assignment (A) the WL optimal assignment kernel.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array, hstack

from mpgk_core.arrays import Int32Array, membership_matrix
from mpgk_core.checks import check_iterations
from mpgk_core.graphs import GraphSet
from mpgk_core.graphs.feature_names import FeatureSpec
from mpgk_core.graphs.features import FeatureEncoder, discrete_features
from mpgk_core.graphs.neighbourhoods import EdgeEncoder, check_edges
from mpgk_core.grouping import recognise_rows
from mpgk_core.kernels.assignment import UnaryColumns, unary_codes
from mpgk_core.kernels.blocks import Block, CodeBlock
from mpgk_core.kernels.estimator import BlockKernel
from mpgk_core.kernels.hierarchy import Hierarchy
from mpgk_core.refinement.colour_refinement import VertexTypes, refine


@dataclass(eq=False, repr=False)
class _WeisfeilerLehman(BlockKernel):
    """What both kernels share: colours, their tree, and counts of them in every graph."""

    n_iterations: int = 4
    features: FeatureSpec = "auto"
    normalize: bool = True
    edges: str = "ignore"

    @property
    def leaves_(self) -> Int32Array:
        """The leaf of ``hierarchy_`` in which every training vertex lies: its last colour."""
        self._check_fitted()
        colours = self._known[-1].of_vertex if self._known else self._start.of_vertex
        first = self.hierarchy_.n_nodes - self.hierarchy_.n_leaves
        leaf_of_colour = np.empty(self.hierarchy_.n_leaves, dtype=np.int32)
        leaf_of_colour[self.hierarchy_.leaf_nodes - first] = np.arange(self.hierarchy_.n_leaves)
        return leaf_of_colour[colours]

    def _check_parameters(self) -> None:
        check_iterations(self.n_iterations, type(self).__name__)
        check_edges(self.edges, can_multiply=False)

    def _fit_blocks(self, graphs: GraphSet, every_t: bool) -> None:
        self.features_ = discrete_features(self.features, graphs)
        self._encoder = FeatureEncoder(self.features_)
        self._start = self._encoder.fit(graphs)
        self._known: list[VertexTypes] = []
        colours, n_colours = self._start.of_vertex, self._start.rows.shape[0]
        self._edge_encoder = EdgeEncoder(self.edges)
        neighbourhoods = self._edge_encoder.fit(graphs)
        for _ in range(self.n_iterations):
            self._known.append(refine(neighbourhoods, colours, colours, n_colours))
            colours, n_colours = self._known[-1].of_vertex, self._known[-1].n_types
        self.hierarchy_ = colour_tree(self._start.rows.shape[0], self._known)
        self._columns: UnaryColumns | None = None
        self._blocks = self._blocks_of(graphs)
        self._table = np.ones((1, 1))

    def _blocks_of(self, graphs: GraphSet) -> list[Block]:
        levels = self._colour_counts(graphs)
        known = hstack([csr_array((len(graphs), 1)), *(k for k, _ in levels)], format="csr")
        unseen = hstack([u for _, u in levels], format="csr")
        return [self._block(known, unseen)]

    @abstractmethod
    def _block(self, known: csr_array, unseen: csr_array) -> Block:
        """Return the block of graphs with these counts of known and of unseen colours."""

    def _colour_counts(self, graphs: GraphSet) -> list[tuple[csr_array, csr_array]]:
        """Count, for every round, the colours seen in training and the others, in each graph."""
        features = self._encoder.transform(graphs)
        colours = recognise_rows(self._start.content, features.content)[features.of_vertex]
        n_known = self._start.rows.shape[0]
        counts = [_split_counts(colours, n_known, graphs)]
        neighbourhoods = self._edge_encoder.transform(graphs)
        for known in self._known:
            n_colours = int(colours.max(initial=n_known - 1)) + 1
            types = refine(neighbourhoods, colours, colours, n_colours)
            colours = recognise_rows(known.content, types.content)[types.of_vertex]
            n_known = known.n_types
            counts.append(_split_counts(colours, n_known, graphs))
        return counts


class WeisfeilerLehmanSubtree(_WeisfeilerLehman):
    """The Weisfeiler-Lehman subtree kernel (Shervashidze et al. 2011).

        k(G, G') = Σ_t Σ_c  #(vertices of G with colour c in round t) · #(the same in G')

    Parameters
    ----------
    n_iterations : int
        Number of rounds h; colours of rounds 0..h count.
    features : str or callable
        What vertices start with. ``"auto"``: labels where there are any, else the degree.
    normalize : bool
        Divide by the lengths.
    edges : str
        What is used of edges: ``"ignore"``, or labels, bins of weights and a direction, as for
        :class:`~mpgk_core.kernels.MessagePassingGraphKernel` with A. A colour then counts together
        with the edge over which it is seen.

    Examples
    --------
    >>> import networkx as nx
    >>> kernel = WeisfeilerLehmanSubtree(1, features="constant", normalize=False)
    >>> kernel.fit_transform([nx.path_graph(3), nx.cycle_graph(3)])
    array([[14., 12.],
           [12., 18.]])
    """

    def _block(self, known: csr_array, unseen: csr_array) -> Block:
        weights = self.hierarchy_.weights.astype(np.float64)
        norms = known.power(2) @ weights + np.asarray(unseen.power(2).sum(axis=1)).ravel()
        index = np.arange(known.shape[0], dtype=np.int32)
        return CodeBlock(index, known, weights, self.hierarchy_.denominator, norms)


class WeisfeilerLehmanOptimalAssignment(_WeisfeilerLehman):
    """The Weisfeiler-Lehman optimal assignment kernel (Kriege, Giscard & Wilson 2016).

        k(G, G') = Σ_t Σ_c min(#(vertices of G with colour c in round t), #(the same in G'))

    Parameters
    ----------
    n_iterations : int
        Number of rounds h; colours of rounds 0..h count.
    features : str or callable
        What vertices start with. ``"auto"``: labels where there are any, else the degree.
    normalize : bool
        Divide by the lengths.
    edges : str
        What is used of edges: ``"ignore"``, or labels, bins of weights and a direction, as for
        :class:`~mpgk_core.kernels.MessagePassingGraphKernel` with A. A colour then counts together
        with the edge over which it is seen.

    Examples
    --------
    >>> import networkx as nx
    >>> kernel = WeisfeilerLehmanOptimalAssignment(1, features="constant", normalize=False)
    >>> kernel.fit_transform([nx.path_graph(3), nx.cycle_graph(3)])
    array([[6., 4.],
           [4., 6.]])
    """

    def _block(self, known: csr_array, unseen: csr_array) -> Block:
        if self._columns is None:
            self._columns = UnaryColumns.fitting(known)
        codes = unary_codes(known, self._columns)
        norms = np.asarray(known.sum(axis=1) + unseen.sum(axis=1)).ravel()
        return CodeBlock.with_hierarchy(codes, self._columns, self.hierarchy_, norms)


def colour_tree(n_start: int, rounds: list[VertexTypes]) -> Hierarchy:
    """Arrange the colours of all rounds in a tree below a root of weight 0.

    Parameters
    ----------
    n_start : int
        Number of colours before the first round.
    rounds : list of VertexTypes
        Colours after every round; their parents are colours of the round before.

    Returns
    -------
    Hierarchy
        Node 1 + c is colour c of round 0, and so on, round after round.
    """
    sizes = [1, n_start, *(types.n_types for types in rounds)]
    first = np.cumsum([0, *sizes])
    parents = [np.array([-1]), np.zeros(n_start)]
    parents += [first[t + 1] + types.parents for t, types in enumerate(rounds)]
    depths = np.repeat(np.arange(len(sizes)), sizes)
    weights = (depths > 0).astype(np.int64)
    all_parents = np.concatenate(parents).astype(np.int32)
    leaves = np.arange(first[-2], first[-1], dtype=np.int32)
    hierarchy = Hierarchy(all_parents, depths.astype(np.int32), weights, 1, leaves)
    depth_first = np.lexsort(hierarchy.paths.T[::-1])
    return Hierarchy(all_parents, depths.astype(np.int32), weights, 1, leaves[depth_first])


def _split_counts(
    colours: Int32Array, n_known: int, graphs: GraphSet
) -> tuple[csr_array, csr_array]:
    n_colours = max(int(colours.max(initial=0)) + 1, n_known)
    counts = membership_matrix(colours, n_colours, graphs.offsets)
    return counts[:, :n_known], counts[:, n_known:]
