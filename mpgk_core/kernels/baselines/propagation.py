"""The propagation kernel: labels and attributes diffuse along the edges, and are put into bins."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

import numpy as np

from mpgk_core.arrays import FloatArray, membership_matrix
from mpgk_core.checks import check_choice, check_iterations, check_positive, check_whole
from mpgk_core.graphs import GraphSet
from mpgk_core.graphs.feature_names import FeatureSpec
from mpgk_core.grouping import Rows, group_rows, recognise_rows
from mpgk_core.kernels.baselines.attributed_vertices import VertexEncoder, attributed_features
from mpgk_core.kernels.blocks import Block, FeatureBlock
from mpgk_core.kernels.estimator import BlockKernel
from mpgk_core.kernels.update import derived_seed
from mpgk_core.refinement.colour_refinement import VertexTypes, refinement_rounds


@dataclass(eq=False, repr=False)
class PropagationKernel(BlockKernel):
    """The propagation kernel for labels and attributes, P2K (Neumann et al. 2016).

        k(G, G') = Σ_(t ≤ T) Σ_(v, v') [v and v' are in the same bin in round t]

    Every vertex has a distribution over labels, which starts at its own label, and a row of
    attributes. In every round both are replaced by the means over the neighbours,

        P_(t + 1) = D⁻¹ A P_t,

    and vertices are put into bins by locality-sensitive hashing: two vertices share a bin if
    ⌊(⟨u, p⟩ + b) / w⌋ is the same for their distributions p, and ⌊(u_i x_i + b_i) / w⌋ for each of
    their attributes x_i, with random u and b. Numbers u are from the Cauchy distribution, which
    respects the total variation distance of distributions and the L1 distance of attributes, or
    normal, for the L2 distance of attributes. A vertex without neighbours keeps what it has.

    Parameters
    ----------
    n_iterations : int
        Number of rounds T; bins of rounds 0..T count.
    label_width, attribute_width : float
        Widths w of the bins.
    metric : {"L2", "L1"}
        Distance of attributes that bins respect.
    features : str or callable
        ``"auto"``: labels and standardised attributes, else the degree as a label.
    random_state : int
        Seed of u and b. The entry of a label depends on the label, not on which others there are.
    normalize : bool
        Divide by the lengths.

    Examples
    --------
    >>> import networkx as nx
    >>> kernel = PropagationKernel(1, features="constant", normalize=False)
    >>> kernel.fit_transform([nx.path_graph(3), nx.cycle_graph(3)])
    array([[18., 18.],
           [18., 18.]])
    """

    n_iterations: int = 4
    label_width: float = 1e-5
    attribute_width: float = 0.25
    metric: str = "L2"
    features: FeatureSpec = "auto"
    random_state: int = 0
    normalize: bool = True

    def _check_parameters(self) -> None:
        owner = type(self).__name__
        check_iterations(self.n_iterations, owner)
        check_positive(self.label_width, "label_width", owner)
        check_positive(self.attribute_width, "attribute_width", owner)
        check_choice(self.metric, ("L1", "L2"), "metric", owner)
        check_whole(self.random_state, 0, "random_state", owner)

    def _fit_blocks(self, graphs: GraphSet, every_t: bool) -> None:
        self.features_ = attributed_features(self.features, graphs)
        self._encoder = VertexEncoder(self.features_)
        self._encoder.fit(graphs)
        self._known: list[Rows] = []
        self._blocks = self._blocks_of(graphs)
        self._table = np.ones((1, len(self._blocks)))

    def _blocks_of(self, graphs: GraphSet) -> list[Block]:
        blocks: list[Block] = []
        for number, bins in enumerate(self._bins(graphs)):
            content = Rows.of_floats(np.zeros(len(bins), dtype=np.int32), bins)
            groups = group_rows(content)
            rows = bins[groups.representatives]
            found = Rows.of_floats(np.zeros(len(rows), dtype=np.int32), rows)
            if number == len(self._known):
                self._known.append(found)
            known = self._known[number]
            columns = recognise_rows(known, found)[groups.of_row]
            width = max(len(known.heads), int(columns.max(initial=-1)) + 1)
            counts = membership_matrix(columns, width, graphs.offsets)
            blocks.append(FeatureBlock.of_samples(counts, len(known.heads)))
        return blocks

    def _bins(self, graphs: GraphSet) -> Iterator[FloatArray]:
        """Yield the bins of every vertex, of its labels and of each attribute, round by round."""
        chosen = self._fitted
        labels, keys, rows = self._encoder.transform(graphs)
        start = group_rows(Rows.of_floats(labels, rows + 0.0))
        labels, rows = labels[start.representatives], rows[start.representatives]
        n_rounds = chosen.n_iterations
        rounds = list(islice(refinement_rounds(graphs, start.of_row, len(rows)), n_rounds))
        widths = np.append(chosen.label_width, np.full(rows.shape[1], chosen.attribute_width))
        for t in range(n_rounds + 1):
            of_label, factors, offsets = self._draw(t, keys, rows.shape[1])
            values = np.column_stack([of_label[labels], rows * factors])
            for types in rounds[:t]:
                values = means_over_neighbours(types, values)
            of_vertex = rounds[t - 1].of_vertex if t else start.of_row
            yield np.floor(values / widths + offsets)[of_vertex] + 0.0

    def _draw(
        self, t: int, keys: tuple[str, ...], n_numbers: int
    ) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return u of the labels, u of the attributes, and all b / w, for round t."""
        chosen = self._fitted
        seed = derived_seed(chosen.random_state, "propagation kernel", t)
        generator = np.random.default_rng(seed)
        offsets = generator.random(1 + n_numbers)
        is_normal = chosen.metric == "L2"
        draw = generator.standard_normal if is_normal else generator.standard_cauchy
        return np.array([_cauchy(seed, key) for key in keys]), draw(n_numbers), offsets


def means_over_neighbours(types: VertexTypes, values: FloatArray) -> FloatArray:
    """Replace the values of vertices by the means over their neighbours; isolated ones keep theirs.

    Parameters
    ----------
    types : VertexTypes
        The types after a round of colour refinement. Sums are formed type by type, so the order
        of vertices does not change them.
    values : ndarray of shape (number of types before, d)

    Returns
    -------
    ndarray of shape (number of types, d)

    Examples
    --------
    >>> import networkx as nx
    >>> path = GraphSet.from_networkx(nx.path_graph(3))
    >>> types = next(refinement_rounds(path, np.arange(3, dtype=np.int32), 3))
    >>> means = means_over_neighbours(types, np.array([[0.0], [1.0], [4.0]]))
    >>> means[types.of_vertex].ravel().tolist()
    [1.0, 2.0, 1.0]
    """
    degrees = np.asarray(types.messages.sum(axis=1)).reshape(-1, 1)
    means = types.messages @ values / np.maximum(degrees, 1.0)
    chosen: FloatArray = np.where(degrees > 0, means, values[types.parents])
    return chosen


def _cauchy(seed: int, key: str) -> float:
    """Return a number from the Cauchy distribution that depends on the seed and the key alone."""
    words = [int(key[i : i + 8] or "0", 16) for i in range(0, 64, 8)]
    return float(np.random.default_rng([seed, *words]).standard_cauchy())
