"""Kernels that have no explicit features: every pair of graphs is compared on its own.

Sums of real numbers depend on the order of their terms. So the vertices of a graph are brought
into an order of their own, equal graphs are compared once, and different ones in an order that is
theirs: the order in which graphs and vertices come in changes no bit of the result.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, NamedTuple

import numpy as np

from mpgk_core.activity import steps
from mpgk_core.arrays import FloatArray, IntArray, cosine_normalised
from mpgk_core.graphs import GraphSet
from mpgk_core.grouping import Rows, group_rows
from mpgk_core.kernels.estimator import GraphKernel


class DistinctGraphs(NamedTuple):
    """Graphs without repetitions, their vertices in an order that depends on nothing else."""

    of_graph: IntArray
    """(N,) the distinct graph that every graph equals"""
    offsets: IntArray
    """(m + 1,) distinct graph g owns the vertices ``offsets[g]`` to ``offsets[g + 1] - 1``"""
    vertices: IntArray
    """where these vertices are among all vertices"""
    representatives: IntArray
    """(m,) one graph that equals each distinct graph"""

    @property
    def n_distinct(self) -> int:
        """The number m."""
        return len(self.offsets) - 1


def distinct_graphs(content: Rows, offsets: IntArray) -> DistinctGraphs:
    """Find equal graphs, two graphs being equal if their vertices have the same content.

    Parameters
    ----------
    content : Rows
        All that a kernel sees of every vertex.
    offsets : ndarray of shape (N + 1,)
        Where the graphs begin.

    Returns
    -------
    DistinctGraphs

    Examples
    --------
    Three graphs: two vertices 5 and 7, the same in the other order, and one vertex 5.

    >>> heads = np.array([5, 7, 7, 5, 5], dtype=np.int32)
    >>> content = Rows(heads, np.zeros(6, dtype=np.int64), np.zeros(0, dtype=np.int64))
    >>> found = distinct_graphs(content, np.array([0, 2, 4, 5]))
    >>> bool(found.of_graph[0] == found.of_graph[1]), found.n_distinct
    (True, 2)
    """
    kinds = group_rows(content).of_row
    owners = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
    order = np.lexsort((kinds, owners))
    heads = np.zeros(len(offsets) - 1, dtype=np.int32)
    groups = group_rows(Rows(heads, offsets, kinds[order].astype(np.int64)))
    chosen = groups.representatives
    vertices = [order[offsets[g] : offsets[g + 1]] for g in chosen.tolist()]
    return DistinctGraphs(
        groups.of_row.astype(np.int64),
        np.concatenate([[0], np.cumsum(np.diff(offsets)[chosen])]),
        np.concatenate([np.zeros(0, dtype=np.int64), *vertices]),
        chosen,
    )


class Compared(NamedTuple):
    """Graphs that are ready to be compared."""

    of_graph: IntArray
    """(N,) the distinct graph that every graph equals"""
    n_distinct: int
    data: Any
    """What ``_compare`` needs of the distinct graphs"""


class PairwiseKernel(GraphKernel):
    """A graph kernel that is computed pair by pair.

    Subclasses learn from the training graphs in ``_learn``, prepare any graphs in ``_prepared``,
    and compare one of them with several others in ``_compare``.
    """

    _training: Compared
    _norms: FloatArray

    def _fit_to(self, graphs: GraphSet, every_t: bool) -> None:
        self._learn(graphs)
        self._training = self._prepared(graphs)
        self._norms = self._own(self._training)

    def _square(self) -> FloatArray:
        known = self._training
        distinct = np.empty((known.n_distinct, known.n_distinct))
        for g in steps(range(known.n_distinct), "comparing all pairs"):
            distinct[g, g:] = self._compare(known.data, g, known.data, g, known.n_distinct)
            distinct[g:, g] = distinct[g, g:]
        return self._finished(distinct, known, self._norms)

    def _cross(self, graphs: GraphSet) -> FloatArray:
        new, known = self._prepared(graphs), self._training
        distinct = np.empty((new.n_distinct, known.n_distinct))
        for g in range(new.n_distinct):
            distinct[g] = self._compare(new.data, g, known.data, 0, known.n_distinct)
        return self._finished(distinct, new, self._own(new))

    def _own(self, graphs: Compared) -> FloatArray:
        """Return the kernel of every distinct graph with itself."""
        every = range(graphs.n_distinct)
        return np.concatenate([self._compare(graphs.data, g, graphs.data, g, g + 1) for g in every])

    def _finished(self, distinct: FloatArray, rows: Compared, norms: FloatArray) -> FloatArray:
        """Divide by the lengths, and give equal graphs equal rows and columns."""
        if self._fitted.normalize:
            distinct = cosine_normalised(distinct, norms, self._norms)
        chosen: FloatArray = distinct[np.ix_(rows.of_graph, self._training.of_graph)]
        return chosen

    @abstractmethod
    def _learn(self, graphs: GraphSet) -> None:
        """Learn from the training graphs, and set ``features_``."""

    @abstractmethod
    def _prepared(self, graphs: GraphSet) -> Compared:
        """Return any graphs, ready to be compared."""

    @abstractmethod
    def _compare(self, left: Any, g: int, right: Any, first: int, stop: int) -> FloatArray:
        """Return the kernel between graph g of one side and graphs first..stop - 1 of the other."""
