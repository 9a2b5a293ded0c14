"""An optimal assignment along a hierarchy: who is paired with whom, and where they meet.

Going up from the leaves, whoever still lacks a partner takes one within the same tree node. Every
node c then holds exactly min(h_c, h'_c) pairs, so the matching reaches Σ_c ω(c) min(h_c, h'_c),
and none can do better.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

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

    left: NDArray[np.int64]
    right: NDArray[np.int64]
    nodes: NDArray[np.int32]
    numerators: NDArray[np.int64]
    denominator: int

    def __len__(self) -> int:
        return len(self.left)

    @property
    def similarities(self) -> NDArray[np.float64]:
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


def _ways_down(hierarchy: Hierarchy) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Return the ancestors of every leaf and the weights summed up on the way to each.

    The last row is the branch of unknown vertices, one step below the root.
    """
    n_leaves, height = hierarchy.paths.shape
    paths = np.full((n_leaves + 1, max(height, 2)), -1, dtype=np.int32)
    paths[:-1, :height] = hierarchy.paths
    paths[-1, :2] = 0, hierarchy.n_nodes
    weights = np.where(paths >= 0, hierarchy.node_weights[paths], 0)
    return paths, weights.cumsum(axis=1)


def _partners(
    left: NDArray[np.int32], right: NDArray[np.int32]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Pair the first member of a node on the left with the first on the right, and so on."""
    there_left, there_right = np.flatnonzero(left >= 0), np.flatnonzero(right >= 0)
    width = max(len(left), len(right)) + 1
    left_keys, right_keys = (
        nodes.astype(np.int64) * width + _ranks(nodes)
        for nodes in (left[there_left], right[there_right])
    )
    _, i, j = np.intersect1d(left_keys, right_keys, assume_unique=True, return_indices=True)
    return there_left[i], there_right[j]


def _ranks(nodes: NDArray[np.int32]) -> NDArray[np.int64]:
    """Count, for every entry, the equal entries before it."""
    order = np.argsort(nodes, kind="stable")
    ordered = nodes[order]
    ranks = np.empty(len(nodes), dtype=np.int64)
    ranks[order] = np.arange(len(nodes)) - np.searchsorted(ordered, ordered)
    return ranks
