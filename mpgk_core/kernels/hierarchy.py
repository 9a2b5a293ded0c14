"""A hierarchy: a tree with non-negative weights, and the strong kernel that it induces.

Two vertices are as similar as the weights on their common way down from the root:

    k_s(v, u) = Σ ω(c)   over all tree nodes c that hold both v and u.

Such a kernel is *strong*: k_s(v, u) >= min(k_s(v, w), k_s(w, u)). Optimal assignments under a
strong kernel are valid (positive semidefinite) kernels and reduce to histogram intersection
(Kriege, Giscard & Wilson 2016).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Hierarchy:
    """A rooted tree over classes of vertices. Its leaves are the finest classes.

    Nodes are numbered breadth first (the root is 0), leaves depth first, so every tree node
    holds a contiguous range of leaves. Weights are stored as whole numbers over one common
    denominator: sums of them are exact, in any order.

    Attributes
    ----------
    parents : ndarray of shape (n_nodes,)
        The parent of every node; -1 for the root.
    depths : ndarray of shape (n_nodes,)
        0 for the root.
    weights : ndarray of shape (n_nodes,)
        Numerators of ω.
    denominator : int
        Common denominator of ω.
    leaf_nodes : ndarray of shape (n_leaves,)
        The tree node of every leaf.
    """

    parents: NDArray[np.int32]
    depths: NDArray[np.int32]
    weights: NDArray[np.int64]
    denominator: int
    leaf_nodes: NDArray[np.int32]

    @property
    def n_nodes(self) -> int:
        """Number of tree nodes, inner ones and leaves."""
        return len(self.parents)

    @property
    def n_leaves(self) -> int:
        """Number of leaves."""
        return len(self.leaf_nodes)

    @property
    def omega(self) -> NDArray[np.float64]:
        """The weight ω(c) of every tree node."""
        return self.weights / self.denominator

    @property
    def node_weights(self) -> NDArray[np.int64]:
        """(n_nodes + 1,) numerators of ω, and last what an unseen vertex shares with its like.

        A vertex whose label never occurred in training belongs to no cluster. It hangs at the
        root, on a branch of its own as heavy as the way from the root to a leaf.
        """
        first = self.paths[:1].ravel()
        way_down = self.weights[first[first >= 0]]
        return np.append(self.weights, way_down[1:].sum())

    @cached_property
    def paths(self) -> NDArray[np.int32]:
        """(n_leaves, height + 1) the ancestor of every leaf at each depth; -1 below the leaf."""
        paths = np.full((self.n_leaves, int(self.depths.max()) + 1), -1, dtype=np.int32)
        node = self.leaf_nodes.copy()
        leaf = np.arange(self.n_leaves)
        while len(leaf):
            paths[leaf, self.depths[node]] = node
            above = self.parents[node] >= 0
            leaf, node = leaf[above], self.parents[node[above]]
        return paths

    def strong_kernel(self) -> NDArray[np.float64]:
        """Return k_s between all pairs of leaves, as an (n_leaves, n_leaves) matrix.

        Returns
        -------
        ndarray
            Symmetric; entry (a, b) sums ω over the nodes that hold both leaves.
        """
        total = np.zeros((self.n_leaves, self.n_leaves), dtype=np.int64)
        for ancestors in self.paths.T:
            weight = np.where(ancestors >= 0, self.weights[ancestors], 0)
            total += np.where(ancestors[:, None] == ancestors, weight, 0)
        return total / self.denominator


def depth_weights(depth: int) -> tuple[NDArray[np.int64], int]:
    """Return the paper's ω by depth: 1 at the root, (s - 1) / s at depth s, as exact fractions.

    Parameters
    ----------
    depth : int
        Depth of the deepest node.

    Returns
    -------
    numerators : ndarray of shape (depth + 1,)
    denominator : int

    Examples
    --------
    >>> depth_weights(4)
    (array([12,  0,  6,  8,  9]), 12)
    """
    denominator = math.lcm(*range(1, depth + 1)) if depth else 1
    steps = range(1, depth + 1)
    return np.array([denominator, *((s - 1) * denominator // s for s in steps)]), denominator
