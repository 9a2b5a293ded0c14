"""What a hierarchy does with vertices: which are paired along it, and which each tree node holds.

The pairing is an optimal assignment. Going up from the leaves, every member without a partner
takes one within the same tree node. Every node c then holds exactly min(h_c, h'_c) pairs, so the
matching reaches Σ_c ω(c) min(h_c, h'_c), and none can do better.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import csr_array

from mpgk_core.arrays import FloatArray, Int32Array, IntArray
from mpgk_core.checks import check_whole
from mpgk_core.errors import InvalidGraphError
from mpgk_core.kernels.hierarchy import Hierarchy


@dataclass(frozen=True, eq=False)
class Matching:
    """Pairs of members of two sets, in the order of the first set.

    Attributes
    ----------
    left, right : ndarray of shape (m,)
        Positions in the two sets; m is the size of the smaller one.
    nodes : ndarray of shape (m,)
        The deepest tree node that holds both; the number of nodes stands for the branch of
        vertices that were unknown in training.
    numerators : ndarray of shape (m,)
        The sum of ω from the root down to that node, times the denominator.
    denominator : int
    """

    left: IntArray
    right: IntArray
    nodes: Int32Array
    numerators: IntArray
    denominator: int

    def __len__(self) -> int:
        return len(self.left)

    @property
    def similarities(self) -> FloatArray:
        """(m,) the strong kernel k_s of every pair."""
        return self.numerators / self.denominator

    @property
    def value(self) -> float:
        """The value of the assignment; the sum runs over whole numbers, so it is exact."""
        return int(self.numerators.sum()) / self.denominator


def match_along(hierarchy: Hierarchy, left_leaves: ArrayLike, right_leaves: ArrayLike) -> Matching:
    """Match the smaller of two sets completely into the larger one, as well as can be.

    Parameters
    ----------
    hierarchy : Hierarchy
    left_leaves, right_leaves : array-like of int
        The leaf of every member; the number of leaves for those that lie in none.

    Returns
    -------
    Matching
        Where several matchings are best, earlier members are paired with earlier ones.

    Examples
    --------
    Two leaves below one root, which weighs 1 as they do:

    >>> tree = Hierarchy(
    ...     np.array([-1, 0, 0]), np.array([0, 1, 1]), np.array([1, 1, 1]), 1, np.array([1, 2])
    ... )
    >>> found = match_along(tree, [0, 0, 1], [1, 0])
    >>> list(zip(found.left.tolist(), found.right.tolist(), found.nodes.tolist()))
    [(0, 1, 1), (2, 0, 2)]
    >>> found.value
    4.0
    """
    paths, shared = _ways_down(hierarchy)
    left, right = (np.asarray(side, dtype=np.int64) for side in (left_leaves, right_leaves))
    free_left, free_right = np.arange(len(left)), np.arange(len(right))
    pairs = []
    for depth in range(paths.shape[1] - 1, -1, -1):
        i, j = _partners(paths[left[free_left], depth], paths[right[free_right], depth])
        leaves = left[free_left[i]]
        pairs.append((free_left[i], free_right[j], paths[leaves, depth], shared[leaves, depth]))
        free_left, free_right = np.delete(free_left, i), np.delete(free_right, j)
    columns = [np.concatenate(column) for column in zip(*pairs, strict=True)]
    order = np.argsort(columns[0])
    members, partners, nodes, numerators = (column[order] for column in columns)
    return Matching(members, partners, nodes, numerators, hierarchy.denominator)


def _ways_down(hierarchy: Hierarchy) -> tuple[Int32Array, IntArray]:
    """Return the ancestors of every leaf and the weights summed up on the way to each.

    The last row is the branch of unknown vertices, one step below the root.
    """
    n_leaves, height = hierarchy.paths.shape
    paths = np.full((n_leaves + 1, max(height, 2)), -1, dtype=np.int32)
    paths[:-1, :height] = hierarchy.paths
    paths[-1, :2] = 0, hierarchy.n_nodes
    weights = np.where(paths >= 0, hierarchy.node_weights[paths], 0)
    return paths, weights.cumsum(axis=1)


def _partners(left: Int32Array, right: Int32Array) -> tuple[IntArray, IntArray]:
    """Pair the first member of a node on the left with the first on the right, and so on."""
    there_left, there_right = np.flatnonzero(left >= 0), np.flatnonzero(right >= 0)
    width = max(len(left), len(right)) + 1
    left_keys, right_keys = (
        nodes.astype(np.int64) * width + _ranks(nodes)
        for nodes in (left[there_left], right[there_right])
    )
    _, i, j = np.intersect1d(left_keys, right_keys, assume_unique=True, return_indices=True)
    return there_left[i], there_right[j]


def _ranks(nodes: Int32Array) -> IntArray:
    """Count, for every entry, the equal entries before it."""
    order = np.argsort(nodes, kind="stable")
    ordered = nodes[order]
    ranks = np.empty(len(nodes), dtype=np.int64)
    ranks[order] = np.arange(len(nodes)) - np.searchsorted(ordered, ordered)
    return ranks


@dataclass(frozen=True, eq=False)
class HierarchyTable:
    """The nodes of a hierarchy and the vertices in them.

    Attributes
    ----------
    hierarchy : Hierarchy
    leaves : ndarray of shape (n,)
        The leaf of every vertex; one that lies in none is counted at the root alone.

    Examples
    --------
    >>> import networkx as nx
    >>> from mpgk_core.explain import colour_hierarchy
    >>> table = HierarchyTable(*colour_hierarchy(nx.path_graph(5), 1))
    >>> sorted(table.n_vertices.tolist())
    [1, 2, 2, 2, 3, 5]
    >>> [row["vertices"] for row in table.rows()][0], table.vertices_of(0).tolist()
    (5, [0, 1, 2, 3, 4])
    """

    hierarchy: Hierarchy
    leaves: Int32Array

    @cached_property
    def members(self) -> csr_array:
        """(n_nodes, n) a one wherever a tree node holds a vertex."""
        n_leaves, height = self.hierarchy.paths.shape
        paths = np.full((n_leaves + 1, height), -1, dtype=np.int64)
        paths[:-1] = self.hierarchy.paths
        paths[-1, 0] = 0
        nodes = paths[self.leaves]
        vertices = np.broadcast_to(np.arange(len(self.leaves))[:, np.newaxis], nodes.shape)
        there = nodes >= 0
        entries = (np.ones(int(there.sum())), (nodes[there], vertices[there]))
        return csr_array(entries, shape=(self.hierarchy.n_nodes, len(self.leaves)))

    @property
    def n_vertices(self) -> IntArray:
        """(n_nodes,) the number of vertices in every tree node."""
        sizes: IntArray = np.diff(self.members.indptr).astype(np.int64)
        return sizes

    @property
    def shared(self) -> FloatArray:
        """(n_nodes,) the strong kernel of two vertices that meet there: ω summed from the root."""
        total = self.hierarchy.weights.astype(np.int64).copy()
        for depth in range(1, int(self.hierarchy.depths.max()) + 1):
            level = np.flatnonzero(self.hierarchy.depths == depth)
            total[level] += total[self.hierarchy.parents[level]]
        return total / self.hierarchy.denominator

    def vertices_of(self, node: int) -> IntArray:
        """Return the vertices that a tree node holds.

        Parameters
        ----------
        node : int

        Returns
        -------
        ndarray of int
            In ascending order.
        """
        check_whole(node, 0, "node", "vertices_of", maximum=self.hierarchy.n_nodes - 1)
        start, stop = self.members.indptr[node : node + 2]
        return np.sort(self.members.indices[start:stop]).astype(np.int64)

    def majority(self, classes: IntArray) -> tuple[IntArray, FloatArray]:
        """Return the most frequent class in every tree node, and its share.

        Parameters
        ----------
        classes : ndarray of shape (n,)
            Numbers from 0, such as orbits.

        Returns
        -------
        classes : ndarray of shape (n_nodes,)
            The lowest of several that are equally frequent.
        shares : ndarray of shape (n_nodes,)
            0 where a tree node is empty.
        """
        if len(classes) != len(self.leaves):
            raise InvalidGraphError(
                f"There are {len(classes):,} classes for {len(self.leaves):,} vertices. Give every "
                "vertex one."
            )
        n = len(classes)
        is_in = csr_array(
            (np.ones(n), np.asarray(classes, dtype=np.int64), np.arange(n + 1)),
            shape=(n, int(np.max(classes, initial=0)) + 1),
        )
        entries = (self.members @ is_in).tocoo()
        order = np.lexsort([entries.col, -entries.data, entries.row])
        nodes, first = np.unique(entries.row[order], return_index=True)
        most = np.zeros(self.hierarchy.n_nodes, dtype=np.int64)
        shares = np.zeros(self.hierarchy.n_nodes)
        most[nodes] = entries.col[order][first]
        shares[nodes] = entries.data[order][first] / self.n_vertices[nodes]
        return most, shares

    def rows(self) -> list[dict[str, Any]]:
        """Return a plain table, a row for every tree node.

        Returns
        -------
        list of dict
        """
        columns = {
            "node": range(self.hierarchy.n_nodes),
            "parent": self.hierarchy.parents.tolist(),
            "depth": self.hierarchy.depths.tolist(),
            "omega": self.hierarchy.omega.tolist(),
            "shared": self.shared.tolist(),
            "vertices": self.n_vertices.tolist(),
        }
        return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
