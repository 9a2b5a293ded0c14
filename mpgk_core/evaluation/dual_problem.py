"""The dual problem of the C-SVM, solved by pairs, on the samples that matter.

In signed form, with s_i = y_i α_i, the problem is

    minimise ½ sᵀ K s - yᵀ s   subject to   Σ s_i = 0,   0 ≤ y_i s_i ≤ C.

Pairs of coefficients are optimised in turn, the most promising one by the second-order rule of
Fan, Chen & Lin (2005), which is libsvm's. What is at a bound and wants to stay there is put
aside, and the others are optimised in a smaller matrix; all are looked at again in the end.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mpgk_core._compiled import compiled
from mpgk_core.evaluation.newton import jump

_MOST_ROUNDS = 1000
"""Looks at all samples before giving up."""

_STEPS_ON_ALL = 2
"""Pairs optimised among all samples in a round, for each of them."""

_STEPS_ON_SOME = 5
"""Pairs optimised among the samples that matter before a jump, for each of them."""

_JUMPS = 20
"""Jumps before all samples are looked at again."""

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
            for _ in range(_JUMPS):
                if part._step(tolerance, _STEPS_ON_SOME):
                    break
                jump(part.kernel, part.lowest, part.highest, part.s, part.gradient)
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
