"""The points of the kernels of a sweep, with as little work for each cell as can be.

With neighbourhood R, α and β only stretch the columns of one feature map: block j of K^T is
multiplied by α^(T-j) β^j. So one run serves all cells, and vertices that are one point in one cell
are so in all others in which the same blocks count. With A every α and β has trees of its own, but
one run serves all T, and equal trees put the same vertices on one point.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from functools import cache, partial
from hashlib import sha256
from typing import NamedTuple

import numpy as np
from scipy.sparse import issparse

from mpgk_core.arrays import FloatArray
from mpgk_core.graphs.graph_set import GraphSet
from mpgk_core.kernels.node_kernel import MessagePassingNodeKernel
from mpgk_core.kernels.update import assignment_coefficients, convolution_coefficients
from mpgk_core.recovery.points import KernelPoints, TypeRows, kernel_points, type_rows
from mpgk_core.tuning.grid import Cell, Grid

_SMALLEST = 1e-290
"""Numbers below this may lose digits, and then vertices that differ become one point."""


class CellPoints(NamedTuple):
    """The points of one cell, computed on demand."""

    key: Hashable
    """Cells of one source with the same key, but None, put the same vertices on one point"""
    find: Callable[[], KernelPoints]
    """Returns the points"""


PointSource = Callable[[float, float], Iterator[CellPoints]]
"""Gives the points for every T of the grid, in ascending order, from α and β."""


def point_source(graphs: GraphSet, grid: Grid, variant: str, features: str) -> PointSource:
    """Prepare to find the points of all cells with one variant and one choice of features.

    The kernel with the largest α, β and T is fitted at once: if that works, all others will.

    Parameters
    ----------
    graphs : GraphSet
    grid : Grid
    variant : {"R", "A"}
    features : str

    Returns
    -------
    PointSource

    Examples
    --------
    >>> import networkx as nx
    >>> barbell = GraphSet.from_networkx(nx.barbell_graph(10, 10))
    >>> source = point_source(barbell, Grid(iterations=range(6)), "R", "degree")
    >>> [cell.find().n_points for cell in source(0.8, 0.2)]
    [3, 4, 5, 6, 7, 7]
    """
    largest = Cell(variant, features, grid.alphas[-1], grid.betas[-1], grid.iterations[-1])
    kernel = grid.node_kernel(largest).fit(graphs)
    if variant == "R":
        return _ConvolutionSource(graphs, grid, features, kernel).line
    return partial(_assignment_line, graphs, grid, features, _smallest_entry(kernel))


class _ConvolutionSource:
    """Stretches the feature rows of the largest kernel of the grid."""

    def __init__(
        self, graphs: GraphSet, grid: Grid, features: str, kernel: MessagePassingNodeKernel
    ) -> None:
        self._graphs, self._grid, self._features = graphs, grid, features
        self._largest = kernel.alpha, kernel.beta
        self._smallest = _smallest_entry(kernel)
        self._rows = cache(partial(type_rows, graphs, kernel))
        self._shared = cache(self._find_shared)

    def line(self, alpha: float, beta: float) -> Iterator[CellPoints]:
        shares = [
            value / most if most else 1.0
            for value, most in zip((alpha, beta), self._largest, strict=True)
        ]
        last = self._grid.iterations[-1]
        weights = np.sqrt(convolution_coefficients(last, alpha, beta))
        for T in self._grid.iterations:
            j = np.arange(last + 1)
            own = np.where(j <= T, shares[0] ** np.maximum(T - j, 0), 0.0)
            factors = np.sqrt(own * shares[1] ** j)
            is_used = weights[T] > 0
            smallest = min(weights[T, is_used].min(initial=1.0), factors[is_used].min(initial=1.0))
            if smallest * self._smallest < _SMALLEST:
                yield CellPoints(None, partial(self._find_alone, alpha, beta, T))
            elif self._grid.normalize:
                yield CellPoints(None, partial(self._find, T, np.where(is_used, factors, 0.0)))
            else:
                key = (T, tuple(is_used.tolist()))
                yield CellPoints(key, partial(self._stretch, key, factors))

    def _find_alone(self, alpha: float, beta: float, T: int) -> KernelPoints:
        cell = Cell("R", self._features, alpha, beta, T)
        return kernel_points(self._graphs, self._grid.node_kernel(cell).fit(self._graphs), T)

    def _find(self, T: int, factors: FloatArray) -> KernelPoints:
        rows = self._rows(T)
        return rows.stretched(_of_columns(rows, factors)).points(self._grid.normalize)

    def _find_shared(self, T: int, is_used: tuple[bool, ...]) -> KernelPoints:
        return self._find(T, np.array(is_used, dtype=np.float64))

    def _stretch(self, key: tuple[int, tuple[bool, ...]], factors: FloatArray) -> KernelPoints:
        return self._shared(*key).stretched(_of_columns(self._rows(key[0]), factors))


def _of_columns(rows: TypeRows, factors: FloatArray) -> FloatArray:
    """Give every column the factor of its block; all blocks have equally many columns."""
    return np.repeat(factors, rows.rows.shape[1] // len(factors))


def _assignment_line(
    graphs: GraphSet, grid: Grid, features: str, smallest_entry: float, alpha: float, beta: float
) -> Iterator[CellPoints]:
    last = grid.iterations[-1]
    kernel = grid.node_kernel(Cell("A", features, alpha, beta, last)).fit(graphs)
    weights = np.sqrt(assignment_coefficients(last, alpha, beta))
    trees = sha256()
    for t in range(last + 1):
        if t in grid.iterations:
            is_used = weights[t] > 0
            smallest = weights[t, is_used].min(initial=1.0) * smallest_entry
            is_alone = grid.normalize or smallest < _SMALLEST
            key = None if is_alone else (t, tuple(is_used.tolist()), trees.digest())
            yield CellPoints(key, partial(kernel_points, graphs, kernel, t))
        hierarchy, leaves = kernel.rounds_[t].hierarchy, kernel.rounds_[t].leaf_of_vertex
        for array in (hierarchy.parents, hierarchy.weights, hierarchy.leaf_nodes, leaves):
            trees.update(f"{t} {len(array)};".encode() + array.tobytes())


def _smallest_entry(kernel: MessagePassingNodeKernel) -> float:
    """Return the smallest size of a number that vertices start with, but 0, and at most 1."""
    given = kernel.initial_features_
    sizes = np.abs(given.data if issparse(given) else given)
    return float(sizes[sizes > 0].min(initial=1.0))
