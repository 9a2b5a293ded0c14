"""The dual problem of the C-SVM, solved by pairs and Newton steps on a working set.

In signed form, with s_i = y_i α_i, the problem is

    minimise ½ sᵀ K s - yᵀ s   subject to   Σ s_i = 0,   0 ≤ y_i s_i ≤ C.

Pairs of coefficients are optimised in turn, the most promising one by the second-order rule of
Fan, Chen & Lin (2005), which is libsvm's. Coefficients at a bound that cannot improve the
objective are set aside, and the others are optimised in a smaller matrix; all are checked again
at the end.

Where a kernel has a low rank and C is large, pairs alone need hundreds of thousands of tiny
steps. Few coefficients are free then, and their common optimum is one linear system: a Newton
step.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mpgk_core._compiled import compiled

_MOST_ROUNDS = 1000
"""Looks at all samples before giving up."""

_STEPS_ON_ALL = 2
"""Pairs optimised among all samples in a round, for each of them."""

_STEPS_ON_SOME = 5
"""Pairs optimised among the samples that matter before a newton_step, for each of them."""

_NEWTON_STEPS = 20
"""Newton steps before all samples are looked at again."""

_SMALLEST_CURVATURE = 1e-12


@dataclass(eq=False)
class DualProblem:
    """Coefficients on their way to the optimum.

    Attributes
    ----------
    kernel : ndarray of shape (n, n)
        C-contiguous.
    lowest, highest : ndarray of shape (n,)
        Bounds of the coefficients.
    s : ndarray of shape (n,)
        The coefficients, of sum zero; changed in place.
    gradient : ndarray of shape (n,)
        K s - y; changed in place.
    """

    kernel: NDArray[np.float64]
    lowest: NDArray[np.float64]
    highest: NDArray[np.float64]
    s: NDArray[np.float64]
    gradient: NDArray[np.float64]

    def solve(self, tolerance: float) -> bool:
        """Optimise until no pair violates the optimality conditions by more than the tolerance.

        Parameters
        ----------
        tolerance : float

        Returns
        -------
        bool
            False if that took too long; the coefficients are valid even so.
        """
        for _ in range(_MOST_ROUNDS):
            if self._step(tolerance, _STEPS_ON_ALL):
                return True
            some = self._movable()
            part = self._part(some)
            for _ in range(_NEWTON_STEPS):
                if part._step(tolerance, _STEPS_ON_SOME):
                    break
                newton_step(part.kernel, part.lowest, part.highest, part.s, part.gradient)
            self.gradient += self.kernel[:, some] @ (part.s - self.s[some])
            self.s[some] = part.s
        return False

    def threshold(self) -> float:
        """Return the mean gradient on the margin or, without any, the middle of what is allowed."""
        can_rise, can_fall = self.s < self.highest, self.s > self.lowest
        is_free = can_rise & can_fall
        if is_free.any():
            return float(self.gradient[is_free].mean())
        return float(self.gradient[can_rise].min() + self.gradient[can_fall].max()) / 2

    def _step(self, tolerance: float, per_sample: int) -> bool:
        return _optimise_pairs(
            self.kernel,
            self.lowest,
            self.highest,
            self.s,
            self.gradient,
            tolerance,
            per_sample * len(self.s),
        )

    def _movable(self) -> NDArray[np.int64]:
        """Return the samples that could be one of a violating pair."""
        can_rise, can_fall = self.s < self.highest, self.s > self.lowest
        least, most = self.gradient[can_rise].min(), self.gradient[can_fall].max()
        would_rise = can_rise & (self.gradient < most)
        would_fall = can_fall & (self.gradient > least)
        return np.flatnonzero((can_rise & can_fall) | would_rise | would_fall)

    def _part(self, some: NDArray[np.int64]) -> DualProblem:
        return DualProblem(
            self.kernel[np.ix_(some, some)],
            self.lowest[some],
            self.highest[some],
            self.s[some],
            self.gradient[some],
        )


@compiled
def _optimise_pairs(
    kernel: NDArray[np.float64],
    lowest: NDArray[np.float64],
    highest: NDArray[np.float64],
    s: NDArray[np.float64],
    gradient: NDArray[np.float64],
    tolerance: float,
    n_steps: int,
) -> bool:
    """Optimise the most promising pair, again and again; return whether none was left."""
    n = len(s)
    diagonal = np.diag(kernel).copy()
    for _ in range(n_steps):
        i = -1
        least = np.inf
        for k in range(n):
            if gradient[k] < least and s[k] < highest[k]:
                least = gradient[k]
                i = k
        row_i = kernel[i]
        j = -1
        most = -np.inf
        best_gain = 0.0
        for k in range(n):
            difference = gradient[k] - least
            if difference > 0 and s[k] > lowest[k]:
                most = max(most, difference)
                curvature = diagonal[i] + diagonal[k] - 2 * row_i[k]
                gain = difference * difference / max(curvature, _SMALLEST_CURVATURE)
                if gain > best_gain:
                    best_gain = gain
                    j = k
        if j < 0 or most < tolerance:
            return True
        curvature = max(diagonal[i] + diagonal[j] - 2 * row_i[j], _SMALLEST_CURVATURE)
        room_i, room_j = highest[i] - s[i], s[j] - lowest[j]
        step = min((gradient[j] - least) / curvature, room_i, room_j)
        s[i] = highest[i] if step == room_i else s[i] + step
        s[j] = lowest[j] if step == room_j else s[j] - step
        row_j = kernel[j]
        for k in range(n):
            gradient[k] += step * (row_i[k] - row_j[k])
    return False


_RIDGE = 1e-10
"""Added to the diagonal, so that equal samples do not make the system singular."""

_MOST_FREE = 500
"""Beyond so many free coefficients, optimising pairs is the quicker way."""

_MOST_BOUNDS = 10
"""Bounds met on the way before the pairs have their turn again."""


def newton_step(
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
