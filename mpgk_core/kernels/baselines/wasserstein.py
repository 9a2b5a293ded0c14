"""The Wasserstein Weisfeiler-Lehman kernel: the cost of moving vertices to those of a graph."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from math import gcd
from typing import Any, NamedTuple

import numpy as np

from mpgk_core._compiled import compiled
from mpgk_core.arrays import FloatArray, Int32Array, IntArray, membership_matrix
from mpgk_core.checks import check_iterations, check_positive
from mpgk_core.graphs import GraphSet
from mpgk_core.graphs.feature_names import FeatureSpec
from mpgk_core.grouping import Rows, group_rows
from mpgk_core.kernels.baselines.attributed_vertices import VertexEncoder, attributed_features
from mpgk_core.kernels.baselines.graph_invariant import KnownColours
from mpgk_core.kernels.baselines.pairwise import (
    Compared,
    DistinctGraphs,
    PairwiseKernel,
    distinct_graphs,
)
from mpgk_core.kernels.baselines.propagation import means_over_neighbours
from mpgk_core.refinement.colour_refinement import refinement_rounds


class _Shares(NamedTuple):
    """The shares of colours in distinct graphs, as rows of a sparse matrix."""

    indptr: IntArray
    columns: Int32Array
    shares: FloatArray


class _Points(NamedTuple):
    """The vertices of distinct graphs as points."""

    offsets: IntArray
    rows: FloatArray
    unseen: FloatArray
    """Squared length of what only labels that training did not have contribute"""


@dataclass(eq=False, repr=False)
class WassersteinWeisfeilerLehman(PairwiseKernel):
    """The Wasserstein Weisfeiler-Lehman kernel, WWL (Togninalli et al. 2019).

        k(G, G') = exp(-λ W(G, G')),   W(G, G') = min_P Σ_(v, v') P_(v, v') d(v, v')

    over all plans P that move the uniform distribution on the vertices of G to that on the
    vertices of G'. Without attributes, d is the share of the rounds t = 0..h of colour refinement
    in which two vertices have different colours. With attributes, it is the Euclidean distance of
    (x⁰, ..., x^h), where

        x^(t + 1)(v) = (x^t(v) + mean of x^t over the neighbours of v) / 2;

    labels, where there are any, are columns of x⁰, one for each label.

    Both are exact. Colours form a tree, whose distance d is, so W is a sum over colours:
    W = 1 / (2 (h + 1)) Σ_t Σ_c |share of c in G - share of c in G'|. This kernel is positive
    semidefinite. With attributes, the transport problem is solved for every pair, in about
    n³ steps, and the kernel may be indefinite, as the paper states; an SVM still takes it.

    Parameters
    ----------
    n_iterations : int
        Number of rounds h.
    decay : float
        The number λ.
    features : str or callable
        ``"auto"``: labels and standardised attributes, else the degree as a label.

    Examples
    --------
    Of the three vertices of a path, one has the colour of a triangle's vertices in round 0, and
    none in round 1: W = (2/3 + 3/3) / 2.

    >>> import networkx as nx
    >>> graphs = [nx.path_graph(3), nx.cycle_graph(3)]
    >>> kernel = WassersteinWeisfeilerLehman(1, decay=3.0, features="degree-label")
    >>> (-np.log(kernel.fit_transform(graphs)) / 3).round(3) + 0.0
    array([[0.   , 0.833],
           [0.833, 0.   ]])
    """

    n_iterations: int = 2
    decay: float = 1.0
    features: FeatureSpec = "auto"

    def kernels(self, decays: Sequence[float], train: Any, test: Any = None) -> list[FloatArray]:
        """Fit, and return the kernel for several values of λ; W is computed only once.

        Parameters
        ----------
        decays : sequence of float
            Values of λ.
        train : GraphSet, or graphs of any kind that as_graph_set accepts
            N training graphs.
        test : the same, optional
            M further graphs.

        Returns
        -------
        list of ndarray of shape (N, N) or (M, N)
            The kernel between the training graphs, or between the further graphs and them.
        """
        for decay in decays:
            check_positive(decay, "decay", type(self).__name__)
        once = self.unfitted(decay=1.0)
        similar = once.fit_transform(train) if test is None else once.fit(train).transform(test)
        return [similar**decay for decay in decays]

    def _check_parameters(self) -> None:
        check_iterations(self.n_iterations, type(self).__name__)
        check_positive(self.decay, "decay", type(self).__name__)

    def _learn(self, graphs: GraphSet) -> None:
        self.features_ = attributed_features(self.features, graphs)
        self._encoder = VertexEncoder(self.features_)
        labels, keys, rows = self._encoder.fit(graphs)
        self._n_labels = len(keys)
        self._has_numbers = rows.shape[1] > 0
        if not self._has_numbers:
            self._colours = KnownColours(graphs, labels, len(keys), self.n_iterations)

    def _prepared(self, graphs: GraphSet) -> Compared:
        labels, keys, rows = self._encoder.transform(graphs)
        if self._has_numbers:
            return self._with_numbers(graphs, labels, len(keys), rows)
        colours = self._colours.of(graphs, labels)
        values = colours[:, 1:].astype(np.int64)
        content = Rows(labels, np.arange(len(values) + 1) * values.shape[1], values.ravel())
        found = distinct_graphs(content, graphs.offsets)
        return Compared(found.of_graph, found.n_distinct, _shares(found, colours))

    def _with_numbers(
        self, graphs: GraphSet, labels: Int32Array, n_labels: int, rows: FloatArray
    ) -> Compared:
        """Return (x⁰, ..., x^h); of labels that training did not have only the squared length."""
        one_hot = np.eye(n_labels)[labels]
        now = np.hstack([rows, one_hot if self._n_labels > 1 else one_hot[:, 1:]])
        n_known = now.shape[1] - (n_labels - self._n_labels)
        start = group_rows(Rows.of_floats(np.zeros(len(now), dtype=np.int32), now + 0.0))
        rounds, now = [now], now[start.representatives]
        refined = refinement_rounds(graphs, start.of_row, len(now))
        for types in islice(refined, self._fitted.n_iterations):
            now = (now[types.parents] + means_over_neighbours(types, now)) / 2
            rounds.append(now[types.of_vertex])
        unseen = (np.hstack([one[:, n_known:] for one in rounds]) ** 2).sum(axis=1)
        table = np.column_stack([*(one[:, :n_known] for one in rounds), unseen]) + 0.0
        content = Rows.of_floats(np.zeros(len(table), dtype=np.int32), table)
        found = distinct_graphs(content, graphs.offsets)
        table = table[found.vertices]
        data = _Points(found.offsets, np.ascontiguousarray(table[:, :-1]), table[:, -1].copy())
        return Compared(found.of_graph, found.n_distinct, data)

    def _compare(self, left: Any, g: int, right: Any, first: int, stop: int) -> FloatArray:
        """Return the Wasserstein distances."""
        if self._has_numbers:
            return _transport_distances(left, g, right, first, stop)
        rounds: int = self._fitted.n_iterations + 1
        return _differences(left, g, right, first, stop) / (2 * rounds)

    def _own(self, graphs: Compared) -> FloatArray:
        return np.ones(graphs.n_distinct)

    def _finished(self, distinct: FloatArray, rows: Compared, norms: FloatArray) -> FloatArray:
        similar = np.exp(-self._fitted.decay * distinct)
        chosen: FloatArray = similar[np.ix_(rows.of_graph, self._training.of_graph)]
        return chosen


def _shares(found: DistinctGraphs, colours: Int32Array) -> _Shares:
    """Return the share of every colour in every distinct graph.

    Colour c of round t has column c (h + 1) + t, which no other graphs can shift.
    """
    n_rounds = colours.shape[1]
    columns = colours[found.vertices] * n_rounds + np.arange(n_rounds)
    width = int(columns.max(initial=-1)) + 1
    bounds = found.offsets * n_rounds
    counts = membership_matrix(columns.ravel().astype(np.int32), width, bounds)
    sizes = np.repeat(np.diff(found.offsets), np.diff(counts.indptr))
    return _Shares(counts.indptr.astype(np.int64), counts.indices, counts.data / sizes)


@compiled
def _differences(left: _Shares, g: int, right: _Shares, first: int, stop: int) -> FloatArray:
    """Return Σ |difference| between one sparse row and several, infinite if only one is empty."""
    result = np.zeros(stop - first)
    for h in range(first, stop):
        a, b = left.indptr[g], right.indptr[h]
        end, other_end = left.indptr[g + 1], right.indptr[h + 1]
        if (a == end) != (b == other_end):
            result[h - first] = np.inf
            continue
        total = 0.0
        while a < end or b < other_end:
            if b == other_end or (a < end and left.columns[a] < right.columns[b]):
                total += left.shares[a]
                a += 1
            elif a == end or right.columns[b] < left.columns[a]:
                total += right.shares[b]
                b += 1
            else:
                total += abs(left.shares[a] - right.shares[b])
                a += 1
                b += 1
        result[h - first] = total
    return result


@compiled
def _transport_distances(
    left: _Points, g: int, right: _Points, first: int, stop: int
) -> FloatArray:
    """Return the Wasserstein distances between one graph and several, infinite if one is empty."""
    result = np.zeros(stop - first)
    n, d = left.offsets[g + 1] - left.offsets[g], left.rows.shape[1]
    for h in range(first, stop):
        m = right.offsets[h + 1] - right.offsets[h]
        if n == 0 or m == 0:
            result[h - first] = 0.0 if n == m else np.inf
            continue
        costs = np.empty((n, m))
        for v in range(n):
            a = left.offsets[g] + v
            for u in range(m):
                b = right.offsets[h] + u
                total = left.unseen[a] + right.unseen[b]
                for i in range(d):
                    total += (left.rows[a, i] - right.rows[b, i]) ** 2
                costs[v, u] = np.sqrt(total)
        result[h - first] = transport_cost(costs)
    return result


@compiled
def transport_cost(costs: FloatArray) -> float:
    """Return the least mean cost of moving a uniform distribution to another one.

    Every row has the same mass, and so has every column; in whole numbers, m and n divided by
    their greatest common divisor. Row by row, mass goes along a shortest path of reduced costs to
    columns that still have room, and may push away what earlier rows put there (successive
    shortest paths, as in the algorithm of Jonker & Volgenant for assignments).

    Parameters
    ----------
    costs : ndarray of shape (n, m)
        At least one row and one column.

    Returns
    -------
    float

    Examples
    --------
    >>> transport_cost(np.array([[0.0, 2.0], [1.0, 1.0], [3.0, 1.0]])) * 6
    4.0
    """
    n, m = costs.shape
    common = gcd(n, m)
    mass, room_of_one = m // common, n // common
    flow = np.zeros((n, m), dtype=np.int64)
    room = np.full(m, room_of_one)
    row_price, column_price = np.full(n, np.inf), np.full(m, np.inf)
    remaining = np.full(n, mass)
    for i in range(n):
        for j in range(m):
            column_price[j] = min(column_price[j], costs[i, j])
    for i in range(n):
        for j in range(m):
            row_price[i] = min(row_price[i], costs[i, j] - column_price[j])
        for j in range(m):
            if costs[i, j] - column_price[j] == row_price[i] and remaining[i] and room[j]:
                amount = min(remaining[i], room[j])
                flow[i, j] = amount
                remaining[i] -= amount
                room[j] -= amount
    distance, before = np.empty(m), np.empty(m, dtype=np.int64)
    is_done, is_reached = np.empty(m, dtype=np.bool_), np.empty(n, dtype=np.bool_)
    reached, entered = np.empty(n, dtype=np.int64), np.empty(n, dtype=np.int64)
    reached_at = np.empty(n)
    for source in range(n):
        left = remaining[source]
        while left > 0:
            is_done[:] = False
            is_reached[:] = False
            is_reached[source] = True
            reached[0], reached_at[source], entered[source] = source, 0.0, -1
            n_reached, n_looked_at = 1, 0
            distance[:] = np.inf
            target = -1
            while target < 0:
                while n_looked_at < n_reached:
                    i = reached[n_looked_at]
                    n_looked_at += 1
                    for j in range(m):
                        if not is_done[j]:
                            reduced = costs[i, j] - row_price[i] - column_price[j]
                            if reached_at[i] + reduced < distance[j]:
                                distance[j] = reached_at[i] + reduced
                                before[j] = i
                nearest = -1
                for j in range(m):
                    if not is_done[j] and (nearest < 0 or distance[j] < distance[nearest]):
                        nearest = j
                is_done[nearest] = True
                if room[nearest] > 0:
                    target = nearest
                else:
                    for i in range(n):
                        if flow[i, nearest] > 0 and not is_reached[i]:
                            is_reached[i] = True
                            reached[n_reached] = i
                            reached_at[i] = distance[nearest]
                            entered[i] = nearest
                            n_reached += 1
            length = distance[target]
            for r in range(n_looked_at):
                row_price[reached[r]] += length - reached_at[reached[r]]
            for j in range(m):
                if is_done[j]:
                    column_price[j] -= length - distance[j]
            amount = min(left, room[target])
            j = target
            while before[j] != source:
                j, i = entered[before[j]], before[j]
                amount = min(amount, flow[i, j])
            room[target] -= amount
            left -= amount
            j = target
            while j >= 0:
                i = before[j]
                flow[i, j] += amount
                j = entered[i]
                if j >= 0:
                    flow[i, j] -= amount
    total = 0.0
    for i in range(n):
        for j in range(m):
            total += flow[i, j] * costs[i, j]
    mean: float = total / (n * mass)
    return mean
