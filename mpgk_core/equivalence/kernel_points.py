"""Where a node kernel puts vertices, and which of them it puts on one point.

Two vertices are one point if their distance in feature space, √(k(v,v) + k(u,u) - 2 k(v,u)), is
zero. Kernel values cannot always decide this: on a long path, what tells two vertices apart may be
1e-10 of their kernel with themselves. So the rows of the feature map are compared, entry by entry.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array, csr_array, issparse
from scipy.sparse.csgraph import connected_components

from mpgk_core.equivalence.agreement import agreeing
from mpgk_core.equivalence.grouping import Rows, group_rows
from mpgk_core.equivalence.point_distances import leading_coordinate
from mpgk_core.errors import InvalidGraphError
from mpgk_core.graphs.graph_set import GraphSet
from mpgk_core.kernels.matrices import as_dense

if TYPE_CHECKING:
    from mpgk_core.kernels.node_kernel import MessagePassingNodeKernel

__all__ = ["KernelPoints", "kernel_points"]

_ROUNDING = 1e-12
"""Entries x and y are equal if they differ by at most this part of all that was added to them."""

_FEW_COMPARISONS = 100_000
"""Of entries, up to which all pairs of rows are compared in one step."""


@dataclass(frozen=True, eq=False)
class KernelPoints:
    """The distinct points of a node kernel.

    Attributes
    ----------
    of_vertex : ndarray of shape (n,)
        The point of every vertex. Points are numbered in order of their first vertex.
    rows : csr_array of shape (n_points, D)
        Where the points lie in feature space.
    """

    of_vertex: NDArray[np.int64]
    rows: csr_array

    @property
    def n_points(self) -> int:
        """Number of points."""
        return int(self.rows.shape[0])


def kernel_points(graphs: GraphSet, kernel: MessagePassingNodeKernel, t: int) -> KernelPoints:
    """Find the distinct points on which a kernel puts vertices after t rounds.

    Parameters
    ----------
    graphs : GraphSet
        What the kernel was fitted to.
    kernel : MessagePassingNodeKernel
        Fitted.
    t : int
        Round.

    Returns
    -------
    KernelPoints

    Raises
    ------
    InvalidGraphError
        If the kernel was fitted to something else.

    Examples
    --------
    >>> import networkx as nx
    >>> from mpgk_core import GraphSet, MessagePassingNodeKernel
    >>> path = GraphSet.from_networkx(nx.path_graph(5))
    >>> kernel = MessagePassingNodeKernel("R", n_iterations=2).fit(path)
    >>> kernel_points(path, kernel, 0).of_vertex.tolist()
    [0, 1, 1, 1, 0]
    >>> kernel_points(path, kernel, 1).of_vertex.tolist()
    [0, 1, 2, 1, 0]
    """
    t = kernel.checked_round(t)
    if kernel.n_vertices_in_ != graphs.n_vertices:
        raise InvalidGraphError(
            f"The graph has {graphs.n_vertices} vertices, but the kernel was fitted to "
            f"{kernel.n_vertices_in_}. Fit the kernel to this graph."
        )
    _, first, type_of_vertex = np.unique(
        kernel.rounds_[t].types.of_vertex, return_index=True, return_inverse=True
    )
    rows = kernel.feature_map(t, first)
    rows.eliminate_zeros()
    rows.sort_indices()
    if kernel.normalize:
        rows = _divided(rows, _lengths(rows))
    same = group_rows(_as_numbers(rows))
    distinct = same.representatives
    sizes = _sizes_of_terms(graphs, kernel, t, rows[distinct], first[distinct])
    place = _equal_up_to_rounding(rows[distinct], sizes)
    point_of_vertex = agreeing(place[same.of_row[type_of_vertex]])
    holders = np.unique(point_of_vertex, return_index=True)[1]
    return KernelPoints(point_of_vertex, rows[type_of_vertex[holders]])


def _sizes_of_terms(
    graphs: GraphSet,
    kernel: MessagePassingNodeKernel,
    t: int,
    rows: csr_array,
    vertices: NDArray[np.int64],
) -> csr_array:
    """Return what the rows of some vertices would be if no terms of their sums cancelled out."""
    if kernel.neighbourhood == "A":
        return abs(rows)
    given = kernel.initial_features_
    entries = given.data if issparse(given) else given
    if entries.min(initial=0.0) >= 0.0:
        return rows
    start = abs(as_dense(given))
    without_signs = kernel.get_params() | {"features": lambda _: start}
    sizes = type(kernel)(**without_signs).fit(graphs).feature_map(t, vertices)
    return _divided(sizes, _lengths(kernel.feature_map(t, vertices))) if kernel.normalize else sizes


def _lengths(rows: csr_array) -> NDArray[np.float64]:
    lengths: NDArray[np.float64] = np.sqrt(rows.multiply(rows).sum(axis=1))
    return lengths


def _divided(rows: csr_array, lengths: NDArray[np.float64]) -> csr_array:
    of_entry = np.repeat(lengths, np.diff(rows.indptr))
    unit = np.divide(rows.data, of_entry, out=np.zeros_like(rows.data), where=of_entry > 0)
    return csr_array((unit, rows.indices, rows.indptr), shape=rows.shape)


def _as_numbers(rows: csr_array) -> Rows:
    """Write every row as pairs of column and value, the value by its bits."""
    pairs = np.column_stack([rows.indices.astype(np.int64), rows.data.view(np.int64)])
    heads = np.zeros(rows.shape[0], dtype=np.int32)
    return Rows(heads, 2 * rows.indptr.astype(np.int64), pairs.ravel())


def _equal_up_to_rounding(rows: csr_array, sizes: csr_array) -> NDArray[np.int32]:
    """Return a class for every row, shared by rows that differ by no more than rounding.

    Few rows are compared pair by pair. Of many, only rows close on a line are compared: those
    that differ by no more than rounding are close in every direction.
    """
    m = rows.shape[0]
    if m * m * rows.shape[1] <= _FEW_COMPARISONS:
        return _compared_pair_by_pair(rows.toarray(), sizes.toarray())
    coordinate = leading_coordinate(rows)
    order = np.argsort(coordinate, kind="stable")
    coordinate = coordinate[order]
    reach = 2 * _ROUNDING * _lengths(sizes)[order]
    widest = 2 * reach.max(initial=0.0)
    pairs = [np.empty((2, 0), dtype=np.int64)]
    low = np.arange(m)
    for step in range(1, m):
        low = low[low + step < m]
        gap = coordinate[low + step] - coordinate[low]
        near = low[gap <= reach[low] + reach[low + step]]
        if len(near):
            one, other = order[near], order[near + step]
            allowed = _ROUNDING * (sizes[one] + sizes[other])
            excess = (abs(rows[one] - rows[other]) - allowed).max(axis=1).toarray().ravel()
            pairs.append(np.stack([one, other])[:, excess <= 0.0])
        low = low[gap <= widest]
        if not len(low):
            break
    ends = np.concatenate(pairs, axis=1)
    links = coo_array((np.ones(ends.shape[1]), (ends[0], ends[1])), shape=(m, m))
    classes: NDArray[np.int32] = connected_components(links, directed=False)[1]
    return classes


def _compared_pair_by_pair(
    rows: NDArray[np.float64], sizes: NDArray[np.float64]
) -> NDArray[np.int32]:
    gaps = np.abs(rows[:, np.newaxis] - rows)
    is_same = (gaps <= _ROUNDING * (sizes[:, np.newaxis] + sizes)).all(axis=2)
    if np.count_nonzero(is_same) == len(rows):
        return np.arange(len(rows), dtype=np.int32)
    classes: NDArray[np.int32] = connected_components(coo_array(is_same), directed=False)[1]
    return classes
