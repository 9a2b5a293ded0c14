"""What planes of graphs and of vertices show, in sentences: for those who cannot see them."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from mpgk_core.embedding.trajectory import Trajectory
from mpgk_core.evaluation.nystroem_quality import NystroemQuality

__all__ = ["embedding_words", "error_words", "neighbour_words", "overlay_words", "set_maps_words"]


def neighbour_words(points: NDArray[np.float64], classes: NDArray[np.int64]) -> str:
    """Say how often a point and the one nearest to it are of one class.

    Parameters
    ----------
    points : ndarray of shape (N, d)
    classes : ndarray of shape (N,)

    Returns
    -------
    str

    Examples
    --------
    >>> neighbour_words(np.array([[0.0], [1.0], [5.0], [6.5]]), np.array([0, 0, 1, 0]))
    'The nearest point is of the same class for 50 %.'
    """
    return f"The nearest point is of the same class for {_agreement(points, classes):.0f} %."


def set_maps_words(planes: Mapping[str, NDArray[np.float64]], classes: Sequence[Hashable]) -> str:
    """Say how well classes lie together in the plane of each kernel.

    Parameters
    ----------
    planes : mapping of str to ndarray of shape (N, 2)
        By the title of the kernel.
    classes : sequence of length N

    Returns
    -------
    str

    Examples
    --------
    >>> near, mixed = np.array([[0.0], [1.0], [5.0], [6.0]]), np.array([[0.0], [5.0], [1.0], [6.0]])
    >>> set_maps_words({"RR": near, "AA": mixed}, "aabb")
    '4 graphs of 2 classes. The nearest point is of the same class: RR 100 %, AA 0 %. Best: RR.'
    """
    _, codes = np.unique([str(name) for name in classes], return_inverse=True)
    shares = {title: _agreement(points, codes) for title, points in planes.items()}
    listed = ", ".join(f"{title} {share:.0f} %" for title, share in shares.items())
    return (
        f"{len(codes):,} graphs of {len(set(codes.tolist()))} classes. The nearest point is of "
        f"the same class: {listed}. Best: {max(shares, key=shares.__getitem__)}."
    )


def embedding_words(way: Trajectory) -> str:
    """Say on how many points the vertices lie in the last round.

    Parameters
    ----------
    way : Trajectory

    Returns
    -------
    str

    Examples
    --------
    >>> import networkx as nx
    >>> from mpgk_core import MessagePassingNodeKernel
    >>> from mpgk_core.embedding.trajectory import trajectory
    >>> path = nx.path_graph(5)
    >>> kernel = MessagePassingNodeKernel(features="degree", n_iterations=2).fit(path)
    >>> embedding_words(trajectory(path, kernel)).split(";")[0]
    'After 2 rounds 5 vertices lie on 3 points, at most 2 on one'
    """
    T = way.n_rounds
    sizes = np.bincount(way.point_of_class[T], weights=way.counts)
    shares = ", ".join(f"{100 * share:.3g} %" for share in way.explained[T])
    return (
        f"After {T} round{'' if T == 1 else 's'} {int(way.counts.sum()):,} vertices lie on "
        f"{way.n_points(T):,} points, at most {int(sizes.max(initial=0)):,} on one; the axes carry "
        f"{shares} of the variance."
    )


def error_words(found: Sequence[NystroemQuality]) -> str:
    """Say how far approximations are from the exact kernel.

    Parameters
    ----------
    found : sequence of NystroemQuality
        The exact kernel among them is left out.

    Returns
    -------
    str
    """
    listed = ", ".join(
        f"{one.n_landmarks} landmarks {100 * one.error:.3g} %"
        for one in found
        if one.n_landmarks is not None
    )
    return f"Error of the matrix: {listed}." if listed else "No approximation is measured yet."


def overlay_words(exact: NystroemQuality, other: NystroemQuality) -> str:
    """Say how far graphs move if the exact plane is replaced by an approximate one.

    Parameters
    ----------
    exact, other : NystroemQuality

    Returns
    -------
    str
    """
    moved = np.linalg.norm(exact.points - other.points, axis=1)
    width = float(np.ptp(exact.points, axis=0).max(initial=0.0)) or 1.0
    return (
        f"{len(moved):,} graphs; with {other.n_landmarks} landmarks a graph moves by "
        f"{100 * moved.mean() / width:.2g} % of the width of the plane on average, and by "
        f"{100 * moved.max() / width:.2g} % at most."
    )


def _agreement(points: NDArray[np.float64], classes: NDArray[np.int64]) -> float:
    """Return in per cent how often the nearest other point is of the same class."""
    if len(points) < 2:
        return 100.0
    from sklearn.neighbors import NearestNeighbors  # takes half a second

    near = NearestNeighbors(n_neighbors=1).fit(points).kneighbors(return_distance=False)[:, 0]
    return float(100 * np.mean(classes[near] == classes))
