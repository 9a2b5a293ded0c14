"""A hierarchy: a tree with non-negative weights, the strong kernel of it, and how it is grown.

Two vertices are as similar as the weights on their common way down from the root:

    k_s(v, u) = Σ ω(c)   over all tree nodes c that hold both v and u.

Such a kernel is *strong*: k_s(v, u) >= min(k_s(v, w), k_s(w, u)). Optimal assignments under a
strong kernel are valid (positive semidefinite) kernels and reduce to histogram intersection
(Kriege, Giscard & Wilson 2016).

A hierarchy is grown by recursive k-means. Every cluster is split into at most ``branching``
clusters until it holds a single point or lies at the greatest depth. A cluster that cannot be
split any further stands for the chain of one-child clusters below it, so its weight is the sum of
theirs: all vertices are equally similar to themselves, and two vertices in one leaf share every
weight from the root down. The root keeps a weight of its own: it has one child where all points
are equal.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mpgk_core._compiled import compiled
from mpgk_core.arrays import FloatArray, Int32Array, IntArray
from mpgk_core.grouping import mix
from mpgk_core.kernels.clustering import (
    Points,
    largest_coordinate,
    n_coordinates,
    split_points,
    write_point,
)


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

    parents: Int32Array
    depths: Int32Array
    weights: IntArray
    denominator: int
    leaf_nodes: Int32Array

    @property
    def n_nodes(self) -> int:
        """Number of tree nodes, inner ones and leaves."""
        return len(self.parents)

    @property
    def n_leaves(self) -> int:
        """Number of leaves."""
        return len(self.leaf_nodes)

    @property
    def omega(self) -> FloatArray:
        """The weight ω(c) of every tree node."""
        return self.weights / self.denominator

    @property
    def node_weights(self) -> IntArray:
        """(n_nodes + 1,) numerators of ω, and last what an unseen vertex shares with its like.

        A vertex whose label never occurred in training belongs to no cluster. It hangs at the
        root, on a branch of its own as heavy as the way from the root to a leaf.
        """
        first = self.paths[:1].ravel()
        way_down = self.weights[first[first >= 0]]
        return np.append(self.weights, way_down[1:].sum())

    @cached_property
    def paths(self) -> Int32Array:
        """(n_leaves, height + 1) the ancestor of every leaf at each depth; -1 below the leaf."""
        paths = np.full((self.n_leaves, int(self.depths.max()) + 1), -1, dtype=np.int32)
        node = self.leaf_nodes.copy()
        leaf = np.arange(self.n_leaves)
        while len(leaf):
            paths[leaf, self.depths[node]] = node
            above = self.parents[node] >= 0
            leaf, node = leaf[above], self.parents[node[above]]
        return paths

    def strong_kernel(self) -> FloatArray:
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


def depth_weights(depth: int) -> tuple[IntArray, int]:
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


@dataclass(frozen=True, eq=False)
class ClusterTree:
    """A hierarchy together with the centroids that decide who belongs where.

    Attributes
    ----------
    hierarchy : Hierarchy
        The tree and its weights.
    first_child : ndarray of shape (n_nodes,)
        The first child of every node; children are consecutive.
    n_children : ndarray of shape (n_nodes,)
        0 for a leaf.
    leaf_of_node : ndarray of shape (n_nodes,)
        The leaf number of every node; -1 for inner nodes.
    centroids : ndarray of shape (n_nodes, D)
        The mean of the points that formed each node, in scaled coordinates.
    scale : float
        What points are multiplied by before they are compared with centroids.
    """

    hierarchy: Hierarchy
    first_child: Int32Array
    n_children: Int32Array
    leaf_of_node: Int32Array
    centroids: FloatArray
    scale: float

    def route(self, points: FloatArray | Points) -> Int32Array:
        """Return the leaf where every point ends: at each node, to the nearest child.

        Parameters
        ----------
        points : ndarray of shape (m, D), or Points

        Returns
        -------
        ndarray of shape (m,)
        """
        return _route(
            points if isinstance(points, Points) else Points.of(points),
            self.scale,
            self.first_child,
            self.n_children,
            self.leaf_of_node,
            self.centroids,
        )


def grow_tree(
    points: FloatArray | Points, weights: FloatArray, branching: int, depth: int, seed: int
) -> tuple[ClusterTree, Int32Array]:
    """Cluster weighted points recursively.

    Parameters
    ----------
    points : ndarray of shape (m, D), or Points
        In an order of their own.
    weights : ndarray of shape (m,)
        How often each point occurs.
    branching : int
        Clusters per split.
    depth : int
        Greatest depth of a node; the root has depth 0.
    seed : int
        Same seed, same tree.

    Returns
    -------
    tree : ClusterTree
    leaves : ndarray of shape (m,)
        The leaf of every point, the same that routing it would give.

    Examples
    --------
    >>> points = np.array([[0.0], [1.0], [10.0], [11.0]])
    >>> tree, leaves = grow_tree(points, np.ones(4), branching=2, depth=2, seed=0)
    >>> tree.hierarchy.n_leaves, sorted(leaves.tolist())
    (4, [0, 1, 2, 3])
    """
    given = points if isinstance(points, Points) else Points.of(points)
    if len(given.rows) == 0:
        origin = np.zeros((1, n_coordinates(given)))
        nothing = np.zeros(0, dtype=np.int32)
        return grow_tree(origin, np.ones(1), branching, depth, seed)[0], nothing
    scale = _unit_scale(largest_coordinate(given))
    parents, depths, first_child, n_children, centroids, leaf_of_node, leaves = _grow(
        given, scale, weights, branching, depth, np.uint64(seed)
    )
    n_nodes = len(leaf_of_node)
    parents, depths = parents[:n_nodes].copy(), depths[:n_nodes].copy()
    first_child, n_children = first_child[:n_nodes].copy(), n_children[:n_nodes].copy()
    centroids = centroids[:n_nodes].copy()
    leaf_nodes = np.flatnonzero(leaf_of_node >= 0).astype(np.int32)
    leaf_nodes = leaf_nodes[np.argsort(leaf_of_node[leaf_nodes])]
    by_depth, denominator = depth_weights(depth)
    node_weights = by_depth[depths]
    chain = np.cumsum(by_depth[::-1])[::-1]
    node_weights[leaf_nodes] = chain[depths[leaf_nodes]]
    hierarchy = Hierarchy(parents, depths, node_weights, denominator, leaf_nodes)
    tree = ClusterTree(hierarchy, first_child, n_children, leaf_of_node, centroids, scale)
    return tree, leaves


def _unit_scale(largest: float) -> float:
    """Return the power of two that brings the largest coordinate to about one.

    It changes no mantissa, so it changes no cluster; squares of coordinates cannot overflow.
    """
    _, exponent = np.frexp(largest)
    return float(np.ldexp(1.0, min(-int(exponent), 1000)))


@compiled
def _grow(
    points: Points, scale: float, weights: FloatArray, branching: int, depth: int, seed: np.uint64
) -> tuple[Int32Array, Int32Array, Int32Array, Int32Array, FloatArray, Int32Array, Int32Array]:
    m, n_dims = len(points.rows), n_coordinates(points)
    capacity = 1
    width = 1
    for _ in range(depth):
        width = min(width * branching, m)
        capacity += width
    parents = np.full(capacity, -1, dtype=np.int32)
    depths = np.zeros(capacity, dtype=np.int32)
    first_child = np.zeros(capacity, dtype=np.int32)
    n_children = np.zeros(capacity, dtype=np.int32)
    centroids = np.zeros((capacity, n_dims))
    starts = np.zeros(capacity, dtype=np.int64)
    stops = np.zeros(capacity, dtype=np.int64)
    order = np.arange(m)
    stops[0] = m
    n_nodes = 1
    node = 0
    while node < n_nodes:
        start, stop = starts[node], stops[node]
        if depths[node] < depth and stop - start > 1:
            members = order[start:stop].copy()
            node_seed = mix(seed, np.uint64(node))
            means, labels = split_points(points, weights, members, branching, node_seed, scale)
            if len(means) > 1:
                first_child[node] = n_nodes
                n_children[node] = len(means)
                fill = start
                for c in range(len(means)):
                    child = n_nodes + c
                    parents[child] = node
                    depths[child] = depths[node] + 1
                    centroids[child] = means[c]
                    starts[child] = fill
                    for i in range(len(members)):
                        if labels[i] == c:
                            order[fill] = members[i]
                            fill += 1
                    stops[child] = fill
                n_nodes += len(means)
        node += 1
    if n_nodes == 1:
        parents[1] = 0
        depths[1] = 1
        first_child[0] = 1
        n_children[0] = 1
        write_point(points, 0, scale, centroids[1])
        stops[1] = m
        n_nodes = 2
    leaf_of_node = np.full(n_nodes, -1, dtype=np.int32)
    leaves = np.empty(m, dtype=np.int32)
    leaf_starting_at = np.full(m + 1, -1, dtype=np.int64)
    for node in range(n_nodes):
        if n_children[node] == 0:
            leaf_starting_at[starts[node]] = node
    n_leaves = 0
    for start in range(m):
        node = leaf_starting_at[start]
        if node >= 0:
            leaf_of_node[node] = n_leaves
            for i in range(starts[node], stops[node]):
                leaves[order[i]] = n_leaves
            n_leaves += 1
    return parents, depths, first_child, n_children, centroids, leaf_of_node, leaves


@compiled
def _route(
    points: Points,
    scale: float,
    first_child: Int32Array,
    n_children: Int32Array,
    leaf_of_node: Int32Array,
    centroids: FloatArray,
) -> Int32Array:
    m, n_dims = len(points.rows), n_coordinates(points)
    leaves = np.empty(m, dtype=np.int32)
    point = np.zeros(n_dims)
    for i in range(m):
        write_point(points, i, scale, point)
        node = 0
        while n_children[node] > 0:
            best = first_child[node]
            nearest = np.inf
            for child in range(first_child[node], first_child[node] + n_children[node]):
                distance = 0.0
                for d in range(0, n_dims, 4):
                    a = point[d] - centroids[child, d]
                    b = point[d + 1] - centroids[child, d + 1]
                    c = point[d + 2] - centroids[child, d + 2]
                    e = point[d + 3] - centroids[child, d + 3]
                    distance += (a * a + b * b) + (c * c + e * e)
                if distance < nearest:
                    nearest = distance
                    best = child
            node = best
        leaves[i] = leaf_of_node[node]
    return leaves
