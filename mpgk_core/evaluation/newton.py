"""Jump to the optimum of those SVM coefficients that are not at their bounds.

Where a kernel has a low rank and C is large, optimising pairs takes hundreds of thousands of
tiny steps. The free coefficients are few then, and their common optimum is one linear system.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_RIDGE = 1e-10
"""Added to the diagonal, so that equal samples do not make the system singular."""

_MOST_FREE = 500
"""Beyond so many free coefficients, optimising pairs is the quicker way."""

_MOST_BOUNDS = 10
"""Bounds met on the way before the pairs have their turn again."""


def jump(
    kernel: NDArray[np.float64],
    lowest: NDArray[np.float64],
    highest: NDArray[np.float64],
    s: NDArray[np.float64],
    gradient: NDArray[np.float64],
) -> None:
    """Lower ½ sᵀ K s - yᵀ s in the free coefficients, keeping Σ s_i and the bounds.

    The way to the optimum of the free coefficients is followed up to the first bound; what hits
    it is free no longer, and the rest goes on, a few times. The objective never rises.

    Parameters
    ----------
    kernel : ndarray of shape (n, n)
    lowest, highest : ndarray of shape (n,)
        Bounds.
    s : ndarray of shape (n,)
        Coefficients; changed in place.
    gradient : ndarray of shape (n,)
        K s - y; changed in place.
    """
    for _ in range(_MOST_BOUNDS):
        free = np.flatnonzero((s > lowest) & (s < highest))
        if not 2 <= len(free) <= _MOST_FREE:
            return
        way = _way(kernel[np.ix_(free, free)], gradient[free])
        slope = float(way @ gradient[free])
        if not slope < 0:
            return
        change = kernel[:, free] @ way
        curvature = float(way @ change[free])
        ends = np.where(way > 0, highest[free], lowest[free])
        rooms = np.divide(ends - s[free], way, out=np.full(len(way), np.inf), where=way != 0)
        length = min(-slope / curvature if curvature > 0 else 1.0, float(rooms.min()))
        is_stopped = rooms <= length
        s[free] = np.where(is_stopped, ends, s[free] + length * way)
        gradient += length * change
        if not is_stopped.any():
            return


def _way(kernel: NDArray[np.float64], gradient: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the step to the optimum among steps of sum zero."""
    m = len(gradient)
    system = np.ones((m + 1, m + 1))
    system[:m, :m] = kernel
    system[np.arange(m), np.arange(m)] += _RIDGE
    system[m, m] = 0.0
    way: NDArray[np.float64] = np.linalg.solve(system, np.append(-gradient, 0.0))[:m]
    way -= way.mean()
    return way
