"""Draw a large graph so that its vertices can be told apart."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, triu
from scipy.spatial import KDTree

_FEWEST_STEPS, _MOST_STEPS = 10, 40
_ENOUGH_PULLS = 4e6
_REACH = 3.0
_FIRST_MOVE = 0.1
_GRAVITY = 2.0
_MOST_NEAR = 40
_CELLS, _CROWD = 40, 0.05
_DIFFUSIONS = 60


def spread_layout(
    adjacency: csr_array, start: NDArray[np.float64], seed: int
) -> NDArray[np.float64]:
    """Let vertices push those near them away, and pull their neighbours.

    The forces are those of Fruchterman and Reingold (1991). With k the distance at which n
    vertices fill the picture evenly, near ones push by k²/d and neighbours pull by d²/k; a weak
    pull to the middle keeps parts together that no edge joins. Only vertices within a few k push,
    so that a step costs little more than there are vertices and edges.

    Parameters
    ----------
    adjacency : sparse array of shape (n, n)
    start : ndarray of shape (n, 2)
        Where to begin; only the order along each axis counts, so nothing begins on one spot.
    seed : int
        Parts vertices that begin together.

    Returns
    -------
    ndarray of shape (n, 2)
    """
    n = len(start)
    from scipy.stats import rankdata  # a quarter of a second, for large graphs only

    k = 2 / np.sqrt(n)
    chance = np.random.default_rng(seed)
    places: NDArray[np.float64] = (
        2 * rankdata(start, axis=0) / n - 1 + chance.normal(0, k / 10, (n, 2))
    )
    edges = np.column_stack(triu(adjacency, 1).nonzero())
    steps = int(np.clip(_ENOUGH_PULLS / max(len(edges), 1), _FEWEST_STEPS, _MOST_STEPS))
    for step in range(steps):
        near = _near(places, _REACH * k)
        push = _forces(places, near, lambda distance: k**2 / distance)
        pull = _forces(places, edges, lambda distance: -(distance**2) / k)
        move = push + pull - _GRAVITY * k * places
        length = np.linalg.norm(move, axis=1, keepdims=True)
        allowed = _FIRST_MOVE * (1 - step / steps)
        places += move * np.minimum(1.0, allowed / np.maximum(length, 1e-12))
    return places


def diffused_start(adjacency: csr_array, seed: int) -> NDArray[np.float64]:
    """Return two columns of chance, evened out along the edges until neighbours are near.

    Parameters
    ----------
    adjacency : sparse array of shape (n, n)
    seed : int

    Returns
    -------
    ndarray of shape (n, 2)
    """
    degrees = np.maximum(adjacency.sum(axis=1), 1.0)
    spread: NDArray[np.float64] = np.random.default_rng(seed).normal(size=(len(degrees), 2))
    for _ in range(_DIFFUSIONS):
        evened = (spread + (adjacency @ spread) / degrees[:, None]) / 2
        spread = np.linalg.qr(evened - evened.mean(axis=0)).Q
    return spread


def is_crowded(places: NDArray[np.float64]) -> bool:
    """Return whether a small spot of the picture would hold many of the vertices."""
    extent = np.ptp(places, axis=0)
    cells = (places - places.min(axis=0)) / np.where(extent > 0, extent, 1.0) * (_CELLS - 1)
    numbers = cells.astype(np.int64) @ [1, _CELLS]
    return bool(np.bincount(numbers).max() > _CROWD * len(places))


def _near(places: NDArray[np.float64], reach: float) -> NDArray[np.int64]:
    """Return pairs of vertices that are near; in a crowd, only the nearest."""
    tree = KDTree(places)
    while tree.count_neighbors(tree, reach) > _MOST_NEAR * len(places):
        reach /= 1.5
    pairs: NDArray[np.int64] = tree.query_pairs(reach, output_type="ndarray")
    return pairs


def _forces(
    places: NDArray[np.float64],
    pairs: NDArray[np.int64],
    strength: Callable[[NDArray[np.float64]], NDArray[np.float64]],
) -> NDArray[np.float64]:
    """Add up what every pair does to both of its vertices, along the line between them."""
    apart = places[pairs[:, 0]] - places[pairs[:, 1]]
    distance = np.maximum(np.linalg.norm(apart, axis=1), 1e-9)
    force = apart * (strength(distance) / distance)[:, None]
    total = np.empty_like(places)
    for axis in range(places.shape[1]):
        gained, lost = (
            np.bincount(pairs[:, end], force[:, axis], minlength=len(places)) for end in (0, 1)
        )
        total[:, axis] = gained - lost
    return total
