"""The way of every vertex through the kernel-PCA plane, from t = 0 to T."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mpgk_core.embedding.feature_pca import feature_pca
from mpgk_core.embedding.kernel_pca import KernelEmbedding
from mpgk_core.graphs import as_graph_set
from mpgk_core.kernels.node_kernel import MessagePassingNodeKernel
from mpgk_core.recovery.kernel_points import KernelPoints, kernel_points
from mpgk_core.refinement.agreement import agreeing


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
        Coordinates, each axis scaled to [-1, 1]; signs follow those of the last round.
    explained : ndarray of shape (T + 1, d)
        Share of the variance along each axis.
    point_of_class : ndarray of shape (T + 1, m)
        Classes that coincide in a round have the same number.
    """

    class_of_vertex: NDArray[np.int64]
    counts: NDArray[np.int64]
    points: NDArray[np.float64]
    explained: NDArray[np.float64]
    point_of_class: NDArray[np.int64]

    @property
    def n_rounds(self) -> int:
        """The number of rounds T."""
        return len(self.points) - 1

    @property
    def representatives(self) -> NDArray[np.int64]:
        """One vertex of each class."""
        return np.unique(self.class_of_vertex, return_index=True)[1]

    def n_points(self, t: int) -> int:
        """Return the number of distinct points in round t."""
        return len(np.unique(self.point_of_class[t]))

    def ranked(self) -> Trajectory:
        """Return the same with coordinates replaced by their ranks, evenly spread.

        Structure shows at every scale, distances no longer mean anything.
        """
        points = np.empty_like(self.points)
        for t, axis in np.ndindex(self.points.shape[0], self.points.shape[2]):
            points[t, :, axis] = _evenly_spread(self.points[t, :, axis])
        return Trajectory(
            self.class_of_vertex, self.counts, points, self.explained, self.point_of_class
        )


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
    graphs = as_graph_set(graph)
    rounds = [kernel_points(graphs, kernel, t) for t in range(kernel.n_iterations + 1)]
    point_of_vertex = np.array([now.of_vertex for now in rounds])
    class_of_vertex = agreeing(*point_of_vertex)
    first = np.unique(class_of_vertex, return_index=True)[1]
    point_of_class = point_of_vertex[:, first]
    counts = np.bincount(class_of_vertex)
    embeddings = [_embedding(now, n_components) for now in rounds]
    points = np.array(
        [
            _unit_axes(embedding.points)[at]
            for embedding, at in zip(embeddings, point_of_class, strict=True)
        ]
    )
    for t in range(len(points) - 2, -1, -1):
        agreement = np.einsum("m,md,md->d", counts, points[t], points[t + 1])
        points[t] *= np.where(agreement < 0, -1.0, 1.0)
    explained = np.array([embedding.explained for embedding in embeddings])
    return Trajectory(class_of_vertex, counts, points, explained, point_of_class)


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


def _unit_axes(points: NDArray[np.float64]) -> NDArray[np.float64]:
    largest = np.abs(points).max(axis=0, initial=0.0)
    scaled: NDArray[np.float64] = np.divide(
        points, largest, out=np.zeros_like(points), where=largest > 0
    )
    return scaled


def _evenly_spread(values: NDArray[np.float64]) -> NDArray[np.float64]:
    distinct, rank = np.unique(values.round(12), return_inverse=True)
    if len(distinct) <= 1:
        return np.zeros(len(values))
    return np.asarray(2.0 * rank / (len(distinct) - 1) - 1.0)
