"""A graph invariant kernel: vertices that colour refinement cannot tell apart."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from mpgk_core._compiled import compiled
from mpgk_core.arrays import FloatArray, Int32Array, IntArray
from mpgk_core.checks import check_choice, check_iterations, check_non_negative
from mpgk_core.graphs import GraphSet
from mpgk_core.graphs.feature_names import FeatureSpec
from mpgk_core.graphs.neighbourhoods import Neighbourhoods
from mpgk_core.grouping import Rows, recognise_rows
from mpgk_core.kernels.baselines.attributed_vertices import VertexEncoder, attributed_features
from mpgk_core.kernels.baselines.graph_hopper import ATTRIBUTE_KERNELS, vertex_similarity
from mpgk_core.kernels.baselines.pairwise import Compared, PairwiseKernel, distinct_graphs
from mpgk_core.refinement.colour_refinement import VertexTypes, refine


class _Coloured(NamedTuple):
    """What is compared of distinct graphs."""

    offsets: IntArray
    colours: Int32Array
    """One column for every round"""
    rows: FloatArray


@dataclass(eq=False, repr=False)
class GraphInvariantKernel(PairwiseKernel):
    """The graph invariant kernel with colours of the whole graph (Orsini et al. 2015).

        k(G, G') = Σ_(v, v') w(v, v') κ(v, v'),   w(v, v') = #{t ≤ h : c_t(v) = c_t(v')}

    The weight w is the kernel of a vertex invariant: in how many rounds t = 0..h of colour
    refinement, which starts from the labels, two vertices have the same colour. Attributes are
    compared by κ, the linear kernel ⟨x, x'⟩ or the Gaussian kernel exp(-γ ‖x - x'‖²).

    Of the family in the paper this is the member that takes the whole graph as its only pattern.
    The others refine colours inside subgraphs around every vertex.

    Parameters
    ----------
    n_iterations : int
        Number of rounds h.
    attribute_kernel : {"gaussian", "linear"}
        How attributes are compared.
    gamma : float
        The number γ of the Gaussian kernel.
    features : str or callable
        ``"auto"``: labels and standardised attributes, else the degree as a label.
    normalize : bool
        Divide by the lengths.

    Examples
    --------
    Without attributes it is the Weisfeiler-Lehman subtree kernel:

    >>> import networkx as nx
    >>> kernel = GraphInvariantKernel(1, "linear", features="constant", normalize=False)
    >>> kernel.fit_transform([nx.path_graph(3), nx.cycle_graph(3)])
    array([[14., 12.],
           [12., 18.]])
    """

    n_iterations: int = 4
    attribute_kernel: str = "gaussian"
    gamma: float = 1.0
    features: FeatureSpec = "auto"
    normalize: bool = True

    def _check_parameters(self) -> None:
        owner = type(self).__name__
        check_iterations(self.n_iterations, owner)
        check_choice(self.attribute_kernel, ATTRIBUTE_KERNELS, "attribute_kernel", owner)
        check_non_negative(self.gamma, "gamma", owner)

    def _learn(self, graphs: GraphSet) -> None:
        self.features_ = attributed_features(self.features, graphs)
        self._encoder = VertexEncoder(self.features_)
        labels, keys, _ = self._encoder.fit(graphs)
        self._colours = KnownColours(graphs, labels, len(keys), self.n_iterations)

    def _prepared(self, graphs: GraphSet) -> Compared:
        labels, _, rows = self._encoder.transform(graphs)
        colours = self._colours.of(graphs, labels)
        values = np.hstack([colours[:, 1:].astype(np.int64), rows.view(np.int64)])
        indptr = np.arange(len(values) + 1) * values.shape[1]
        found = distinct_graphs(Rows(labels, indptr, values.ravel()), graphs.offsets)
        data = _Coloured(found.offsets, colours[found.vertices], rows[found.vertices])
        return Compared(found.of_graph, found.n_distinct, data)

    def _compare(
        self, left: _Coloured, g: int, right: _Coloured, first: int, stop: int
    ) -> FloatArray:
        gamma = self._fitted.gamma if self._fitted.attribute_kernel == "gaussian" else -1.0
        return _sums_over_alike_vertices(left, g, right, first, stop, gamma)


class KnownColours:
    """The colours of all rounds of colour refinement in training, to be found again.

    Parameters
    ----------
    graphs : GraphSet
        The training graphs.
    labels : ndarray of shape (n,)
        The colours that vertices start with, from 0 to ``n_labels - 1``.
    n_labels, n_iterations : int

    Examples
    --------
    >>> import networkx as nx
    >>> star = GraphSet.from_networkx(nx.star_graph(2))
    >>> known = KnownColours(star, np.zeros(3, dtype=np.int32), 1, 1)
    >>> colours = known.of(star, np.zeros(3, dtype=np.int32))
    >>> colours[:, 0].tolist(), bool(colours[1, 1] == colours[2, 1] != colours[0, 1])
    ([0, 0, 0], True)
    """

    def __init__(
        self, graphs: GraphSet, labels: Int32Array, n_labels: int, n_iterations: int
    ) -> None:
        self._known: list[VertexTypes] = []
        neighbourhoods = Neighbourhoods.plain(graphs.adjacency)
        for _ in range(n_iterations):
            self._known.append(refine(neighbourhoods, labels, labels, n_labels))
            labels, n_labels = self._known[-1].of_vertex, self._known[-1].n_types

    def of(self, graphs: GraphSet, labels: Int32Array) -> Int32Array:
        """Return the colours of any vertices in rounds 0..h; those not seen in training come last.

        Parameters
        ----------
        graphs : GraphSet
        labels : ndarray of shape (n,)

        Returns
        -------
        ndarray of shape (n, h + 1)
        """
        colours = [labels]
        neighbourhoods = Neighbourhoods.plain(graphs.adjacency)
        for known in self._known:
            n_colours = max(int(colours[-1].max(initial=-1)) + 1, known.messages.shape[1])
            types = refine(neighbourhoods, colours[-1], colours[-1], n_colours)
            colours.append(recognise_rows(known.content, types.content)[types.of_vertex])
        return np.column_stack(colours)


@compiled
def _sums_over_alike_vertices(
    left: _Coloured, g: int, right: _Coloured, first: int, stop: int, gamma: float
) -> FloatArray:
    """Return Σ w(v, v') κ(v, v') between one graph and several; linear if gamma < 0.

    Vertices with different colours never have the same colour again.
    """
    result = np.zeros(stop - first)
    n_rounds = left.colours.shape[1]
    for h in range(first, stop):
        total = 0.0
        for a in range(left.offsets[g], left.offsets[g + 1]):
            for b in range(right.offsets[h], right.offsets[h + 1]):
                alike = 0
                while alike < n_rounds and left.colours[a, alike] == right.colours[b, alike]:
                    alike += 1
                if alike:
                    total += alike * vertex_similarity(left.rows[a], right.rows[b], gamma)
        result[h - first] = total
    return result
