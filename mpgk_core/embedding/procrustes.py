"""Turn, mirror, scale and shift one embedding so that it lies on another as well as it can."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from mpgk_core.embedding.trajectory import Trajectory
from mpgk_core.errors import InvalidParameterError
from mpgk_core.graphs import GraphSet


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

    points: NDArray[np.float64]
    disparity: float


def procrustes(points: NDArray[np.float64], target: NDArray[np.float64]) -> Procrustes:
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


def _centred(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return points around 0; what only rounding has moved lies at 0."""
    centred = points - points.mean(axis=0)
    rounding = len(points) * np.finfo(np.float64).eps * np.abs(points).max(initial=0.0)
    return np.zeros_like(centred) if np.abs(centred).max(initial=0.0) <= rounding else centred


def matching_vertices(graph: GraphSet, other: GraphSet) -> NDArray[np.int64] | None:
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


def aligned_to(way: Trajectory, target: Trajectory, partner: NDArray[np.int64]) -> Trajectory:
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
    found = procrustes(ends[0], ends[1][partner])
    return replace(
        way,
        points=found.points[way.representatives][np.newaxis],
        explained=way.explained[-1:],
        point_of_class=way.point_of_class[-1:],
    )
