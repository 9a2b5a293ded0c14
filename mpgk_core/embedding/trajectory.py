"""The points of all vertices in the kernel-PCA plane, from t = 0 to T, aligned and clustered."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy.sparse import csr_array

from mpgk_core.arrays import FloatArray, IntArray
from mpgk_core.checks import check_choice, check_whole
from mpgk_core.embedding.kernel_pca import KernelEmbedding, feature_pca
from mpgk_core.errors import InvalidParameterError
from mpgk_core.graphs import GraphSet, as_graph_set
from mpgk_core.kernels.node_kernel import MessagePassingNodeKernel
from mpgk_core.recovery.points import KernelPoints, kernel_points, points_of_rounds
from mpgk_core.refinement.colour_refinement import agreeing


@dataclass(frozen=True, eq=False)
class Trajectory:
    """Positions of classes of vertices in every round.

    A class holds the vertices that no round tells apart; it is drawn as one marker.

    Attributes
    ----------
    class_of_vertex : ndarray of shape (n,)
        The class of every vertex, numbered in the order of their first vertices.
    counts : ndarray of shape (m,)
        The number of vertices of each class.
    points : ndarray of shape (T + 1, m, d)
        Coordinates within [-1, 1]; signs follow those of the last round.
    scales : ndarray of shape (T + 1, d)
        Length of one unit of ``points`` in feature space; NaN where distances mean nothing.
    explained : ndarray of shape (T + 1, d)
        Share of the variance along each axis.
    point_of_class : ndarray of shape (T + 1, m)
        Classes that coincide in a round have the same number.
    """

    class_of_vertex: IntArray
    counts: IntArray
    points: FloatArray
    scales: FloatArray
    explained: FloatArray
    point_of_class: IntArray

    @property
    def n_rounds(self) -> int:
        """The number of rounds T."""
        return len(self.points) - 1

    @property
    def representatives(self) -> IntArray:
        """One vertex of each class."""
        return np.unique(self.class_of_vertex, return_index=True)[1]

    @property
    def last_round(self) -> Trajectory:
        """The same classes in the last round alone."""
        return replace(
            self,
            points=self.points[-1:],
            scales=self.scales[-1:],
            explained=self.explained[-1:],
            point_of_class=self.point_of_class[-1:],
        )

    def n_points(self, t: int) -> int:
        """Return the number of distinct points in round t."""
        return len(np.unique(self.point_of_class[t]))

    def with_axes(self, axes: str) -> Trajectory:
        """Return the same points with other scales of the axes.

        Parameters
        ----------
        axes : {"fit", "equal", "stretch", "rank"}
            ``"stretch"``: every axis fills the picture, as in a new trajectory. ``"equal"``: all
            axes have the scale of the longest. ``"fit"``: an axis fills the picture if it holds
            at least 1 % of the variance, and has the scale of the longest otherwise. ``"rank"``:
            coordinates are replaced by their ranks, evenly spread; structure shows at every
            scale, and distances mean nothing.

        Returns
        -------
        Trajectory

        Examples
        --------
        >>> import networkx as nx
        >>> star = nx.star_graph(3)
        >>> way = trajectory(star, MessagePassingNodeKernel(n_iterations=0).fit(star))
        >>> way.with_axes("rank").points[0, :, 0].tolist() in ([-1, 1], [1, -1])
        True
        """
        check_choice(axes, AXES, "axes", "with_axes")
        if axes == "stretch":
            return self
        if axes == "rank":
            points = np.empty_like(self.points)
            for t, axis in np.ndindex(self.points.shape[0], self.points.shape[2]):
                points[t, :, axis] = _evenly_spread(self.points[t, :, axis])
            return replace(self, points=points, scales=np.full_like(self.scales, np.nan))
        longest = self.scales.max(axis=1, keepdims=True)
        is_filled = (self.explained >= SMALL_SHARE) & (axes == "fit")
        scales = np.where(is_filled, self.scales, longest)
        factors = np.divide(self.scales, scales, out=np.zeros_like(scales), where=scales > 0)
        return replace(self, points=self.points * factors[:, np.newaxis], scales=scales)


AXES = ("fit", "equal", "stretch", "rank")
"""How the axes of a trajectory can be scaled."""

SMALL_SHARE = 0.01
"""An axis with a smaller share of the variance must not look as important as the others."""


def trajectory(graph: Any, kernel: MessagePassingNodeKernel, n_components: int = 2) -> Trajectory:
    """Embed the vertices of a graph in every round of a node kernel.

    Parameters
    ----------
    graph : GraphSet, or networkx graph
        What the kernel was fitted to.
    kernel : MessagePassingNodeKernel
        Fitted.
    n_components : int
        Number of axes.

    Returns
    -------
    Trajectory

    Examples
    --------
    >>> import networkx as nx
    >>> barbell = nx.barbell_graph(10, 10)
    >>> kernel = MessagePassingNodeKernel("R", n_iterations=5, features="degree").fit(barbell)
    >>> way = trajectory(barbell, kernel)
    >>> [way.n_points(t) for t in range(6)]
    [3, 4, 5, 6, 7, 7]
    """
    return trajectory_of_points(points_of_rounds(as_graph_set(graph), kernel), n_components)


def trajectory_of_points(rounds: Sequence[KernelPoints], n_components: int = 2) -> Trajectory:
    """Embed points of vertices, given for every round, by their principal components.

    Parameters
    ----------
    rounds : sequence of KernelPoints
        At least one.
    n_components : int
        Number of axes.

    Returns
    -------
    Trajectory
    """
    point_of_vertex = np.array([now.of_vertex for now in rounds])
    class_of_vertex = agreeing(*point_of_vertex)
    first = np.unique(class_of_vertex, return_index=True)[1]
    point_of_class = point_of_vertex[:, first]
    counts = np.bincount(class_of_vertex)
    embeddings = [_embedding(now, n_components) for now in rounds]
    scales = np.array([np.abs(one.points).max(axis=0, initial=0.0) for one in embeddings])
    points = np.array(
        [
            np.divide(one.points, scale, out=np.zeros_like(one.points), where=scale > 0)[at]
            for one, scale, at in zip(embeddings, scales, point_of_class, strict=True)
        ]
    )
    for t in range(len(points) - 2, -1, -1):
        agreement = np.einsum("m,md,md->d", counts, points[t], points[t + 1])
        points[t] *= np.where(agreement < 0, -1.0, 1.0)
    explained = np.array([one.explained for one in embeddings])
    return Trajectory(class_of_vertex, counts, points, scales, explained, point_of_class)


def _embedding(now: KernelPoints, n_components: int) -> KernelEmbedding:
    """Embed the points of one round; m points have at most m - 1 axes, the rest is rounding."""
    counts = np.bincount(now.of_vertex, minlength=now.n_points)
    found = feature_pca(now.rows, counts, n_components)
    is_axis = np.arange(n_components) < now.n_points - 1
    return KernelEmbedding(
        np.where(is_axis, found.points, 0.0),
        np.where(is_axis, found.variance, 0.0),
        np.where(is_axis, found.explained, 0.0),
    )


def _evenly_spread(values: FloatArray) -> FloatArray:
    distinct, rank = np.unique(values.round(12), return_inverse=True)
    if len(distinct) <= 1:
        return np.zeros(len(values))
    return np.asarray(2.0 * rank / (len(distinct) - 1) - 1.0)


@dataclass(frozen=True, eq=False)
class Procrustes:
    """Points laid on a target.

    Attributes
    ----------
    points : ndarray of shape (n, d)
    disparity : float
        The share of the target's squared spread that is missed: 0 where both have the same
        shape, 1 where they have nothing in common.
    """

    points: FloatArray
    disparity: float


def procrustes(points: FloatArray, target: FloatArray) -> Procrustes:
    """Lay points on a target: min over s ≥ 0, orthogonal Q and a shift c of ‖s P Q + c - Y‖².

    With both sides centred and P ᵀ Y = U Σ V ᵀ, the best turn is Q = U V ᵀ and the best scale
    tr Σ / ‖P‖². Signs and order of the axes of an embedding mean nothing; this takes them away.

    Parameters
    ----------
    points : ndarray of shape (n, d)
        P, row by row the partners of the target.
    target : ndarray of shape (n, d)
        Y.

    Returns
    -------
    Procrustes

    Examples
    --------
    >>> square = np.array([[0.0, 0.0], [2.0, 0.0], [2.0, 1.0]])
    >>> turned = 5.0 - 3.0 * square[:, ::-1]
    >>> found = procrustes(turned, square)
    >>> bool(np.allclose(found.points, square)), round(found.disparity, 9)
    (True, 0.0)
    """
    if points.shape != target.shape or points.ndim != 2 or len(points) == 0:
        raise InvalidParameterError(
            f"The points have shape {points.shape}, and the target {target.shape}. Give at least "
            "one row in each, as many in both, on as many axes."
        )
    centre = target.mean(axis=0)
    moved, fixed = _centred(points), _centred(target)
    spread, wanted = float((moved**2).sum()), float((fixed**2).sum())
    if spread == 0.0 or wanted == 0.0:
        return Procrustes(np.tile(centre, (len(points), 1)), float(spread != wanted))
    left, values, right = np.linalg.svd(moved.T @ fixed)
    found = float(values.sum())
    disparity = min(max(1.0 - found**2 / (spread * wanted), 0.0), 1.0)
    return Procrustes(found / spread * moved @ (left @ right) + centre, disparity)


def _centred(points: FloatArray) -> FloatArray:
    """Return points around 0; what only rounding has moved lies at 0."""
    centred = points - points.mean(axis=0)
    rounding = len(points) * np.finfo(np.float64).eps * np.abs(points).max(initial=0.0)
    return np.zeros_like(centred) if np.abs(centred).max(initial=0.0) <= rounding else centred


def matching_vertices(graph: GraphSet, other: GraphSet) -> IntArray | None:
    """Return for every vertex of a graph the vertex of the same name in another.

    Parameters
    ----------
    graph, other : GraphSet
        With one graph each.

    Returns
    -------
    ndarray of shape (n,) or None
        None if the two have not the same names, each of them once.

    Examples
    --------
    >>> import networkx as nx
    >>> path = GraphSet.from_networkx(nx.path_graph(["a", "b", "c"]))
    >>> star = GraphSet.from_networkx(nx.Graph([("c", "a"), ("c", "b")]))
    >>> matching_vertices(path, star)
    array([1, 2, 0])
    >>> matching_vertices(path, path[0:0]) is None
    True
    """
    names, others = graph.names, other.names
    place = {name: vertex for vertex, name in enumerate(others)}
    if len(place) != len(others) or len(others) != len(names) or set(names) != place.keys():
        return None
    return np.array([place[name] for name in names], dtype=np.int64)


def aligned_to(way: Trajectory, target: Trajectory, partner: IntArray) -> Trajectory:
    """Lay the last round of an embedding on the last round of another.

    Parameters
    ----------
    way, target : Trajectory
        With the same number of axes.
    partner : ndarray of shape (n,)
        For every vertex of ``way`` its vertex in ``target``, see :func:`matching_vertices`.

    Returns
    -------
    Trajectory
        Only that one round.
    """
    ends = [now.points[-1][now.class_of_vertex] for now in (way, target)]
    points = procrustes(ends[0], ends[1][partner]).points[way.representatives]
    last = way.last_round
    return replace(last, points=points[np.newaxis], scales=np.full_like(last.scales, np.nan))


_STARTS = 4


def kernel_clusters(
    graph: Any,
    kernel: MessagePassingNodeKernel,
    n_clusters: int,
    t: int | None = None,
    random_state: int = 0,
) -> IntArray:
    """Cluster the vertices of a graph by k-means in the feature space of a node kernel.

    Parameters
    ----------
    graph : GraphSet, or networkx graph
        What the kernel was fitted to.
    kernel : MessagePassingNodeKernel
        Fitted.
    n_clusters : int
        At most so many; vertices on fewer points have fewer clusters.
    t : int, optional
        Round; by default the last.
    random_state : int
        Seed of k-means; the clusters do not depend on the order of the vertices.

    Returns
    -------
    ndarray of shape (n,)
        The cluster of every vertex, numbered in the order of their first vertices.

    Examples
    --------
    >>> import networkx as nx
    >>> barbell = nx.barbell_graph(4, 3)
    >>> kernel = MessagePassingNodeKernel("R", n_iterations=2, features="degree").fit(barbell)
    >>> kernel_clusters(barbell, kernel, 2).tolist()
    [0, 0, 0, 0, 1, 1, 1, 0, 0, 0, 0]
    """
    check_whole(n_clusters, 1, "n_clusters", "kernel_clusters")
    points = kernel_points(as_graph_set(graph), kernel, kernel.checked_round(t))
    counts = np.bincount(points.of_vertex, minlength=points.n_points)
    if points.n_points <= n_clusters:
        return points.of_vertex
    rows = csr_array(points.rows)
    used = rows[:, np.unique(rows.indices)].toarray()
    order = np.lexsort(np.column_stack([counts, used]).T)
    from sklearn.cluster import KMeans  # takes half a second; nobody else needs it

    found = KMeans(n_clusters, n_init=_STARTS, random_state=random_state).fit(
        used[order], sample_weight=counts[order]
    )
    of_point = np.empty(len(order), dtype=np.int64)
    of_point[order] = found.labels_
    return agreeing(of_point[points.of_vertex])
