"""Where numbers stand beside the markers of a plane, so that they can be read."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

_PLACES = ("top center", "bottom center", "middle right", "middle left")
_SIDES = np.array([[0, 1], [0, -1], [1, 0], [-1, 0]])
_PIXELS_PER_UNIT = 145.0
_LETTER, _LINE, _GAP = 7.0, 14.0, 0.5


def label_places(
    points: NDArray[np.float64], labels: Sequence[str], sizes: NDArray[np.float64]
) -> list[str]:
    """Choose a side of its marker for every label.

    Parameters
    ----------
    points : array (n_points, 2)
        Coordinates; the plane is about two units wide.
    labels : sequence of str
        An empty one takes no room.
    sizes : array (n_points,)
        Diameters of the markers, in pixels.

    Returns
    -------
    list of str
        In Plotly's words. Labels stand on top of their markers where they meet nothing there.
        The others, one after the other, take the first of four sides on which they meet neither a
        marker nor a label that has its place, as far as can be known before they are drawn; what
        meets something on every side stands on top.

    Examples
    --------
    >>> import numpy as np
    >>> label_places(np.array([[0, 0], [0, 0.1]]), ["×2", "×3"], np.array([11.0, 11.0]))
    ['bottom center', 'top center']
    """
    half = np.array([[_LETTER * len(label), _LINE] for label in labels]).reshape(-1, 2) / 2
    markers = _boxes(points * _PIXELS_PER_UNIT, sizes[:, None] / 2)
    away = _SIDES[:, None] * (half + sizes[:, None] / 2 + _GAP)
    offered = _boxes(points * _PIXELS_PER_UNIT + away, half)
    named = np.flatnonzero([bool(label) for label in labels])
    tops = offered[0, named]
    others = ~np.eye(len(named), dtype=bool)
    crowded = _meet(tops, markers).any(axis=1) | (_meet(tops, tops) & others).any(axis=1)
    chosen = np.zeros(len(labels), dtype=np.int64)
    taken = np.concatenate([markers, tops[~crowded], np.empty((crowded.sum(), 4))])
    for n_taken, i in enumerate(named[crowded].tolist(), start=len(taken) - crowded.sum()):
        free = ~_meet(offered[:, i], taken[:n_taken]).any(axis=1)
        chosen[i] = np.argmax(free)
        taken[n_taken] = offered[chosen[i], i]
    return [_PLACES[side] for side in chosen.tolist()]


def _boxes(centres: NDArray[np.float64], half: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return left, bottom, right and top of boxes of this half width and height."""
    return np.concatenate([centres - half, centres + half], axis=-1)


def _meet(some: NDArray[np.float64], others: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Return which of some boxes share room with which of the others."""
    a, b = some[:, None, :], others[None, :, :]
    sharing = (a[..., :2] < b[..., 2:]) & (b[..., :2] < a[..., 2:])
    both: NDArray[np.bool_] = sharing[..., 0] & sharing[..., 1]
    return both
