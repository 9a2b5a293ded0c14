"""The dual problem of a two-class SVM for one cost C, and three ways to come nearer to its optimum.

In signed form with s_i = y_i α_i, the problem is

    minimise ½ sᵀ K s - yᵀ s   subject to   Σ s_i = 0,   0 ≤ y_i s_i ≤ C.

Pairs of coefficients are optimised in turn, the most promising one by the second-order rule of
Fan, Chen & Lin (2005), which is libsvm's. Coefficients at a bound that cannot improve the
objective are set aside, and the others are optimised in a smaller matrix; all are checked again
at the end. Where a kernel has a low rank and C is large, pairs alone need hundreds of thousands of
tiny steps. If few coefficients are free then, their common optimum is one linear system, a Newton
step; if many are, an interior point method (Mehrotra 1992) needs about ten systems, whatever
coefficients are at their bounds in the end.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import LinAlgError, cho_factor, cho_solve

from mpgk_core._compiled import compiled
from mpgk_core.arrays import FloatArray, Int32Array, IntArray

_MAX_ROUNDS = 1000
"""Checks of all samples before giving up."""

_STEPS_ON_ALL = 2
"""Pairs optimised among all samples in a round, for each of them."""

_STEPS_ON_SOME = 5
"""Pairs optimised in the working set before a Newton step, for each of its samples."""

_NEWTON_STEPS = 3
"""Newton steps before an interior point method takes over."""

_SMALLEST_CURVATURE = 1e-12
_RIDGE = 1e-10
"""Added to the diagonal, so that equal samples do not make the system singular."""

_MAX_FREE = 200
"""With more free coefficients, a Newton step costs more than it gains."""

_MAX_BOUNDS = 10
"""Bounds that a Newton step may meet before the pairs are optimised again."""

_MAX_INTERIOR = 1200
"""Samples up to which an interior point method is faster than pairs alone."""

_INTERIOR_STEPS = 40
_FROM_BOUNDS = 0.05
"""Where the interior point method starts: at least so far from the bounds, as a share of C."""

_SHORT_OF_BOUNDS = 0.995
"""Share of the way to the next bound that it takes."""

_ACCURACY = 0.1
"""To what part of the tolerance it goes on."""

_MAX_SHARE = 1e-3
"""Share of C within which a coefficient lies at its bound, if its multiplier is one."""


class DualProblem(NamedTuple):
    """The problem, with coefficients that :meth:`solve` moves to the optimum in place."""

    kernel: FloatArray
    """(n, n) C-contiguous"""
    lowest: FloatArray
    """(n,) lower bounds of the coefficients"""
    highest: FloatArray
    """(n,) upper bounds"""
    s: FloatArray
    """(n,) the coefficients, of sum zero; changed in place"""
    gradient: FloatArray
    """(n,) K s - y; changed in place"""

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
        s, gradient = self.s, self.gradient
        for _ in range(_MAX_ROUNDS):
            if _optimise_pairs(*self, tolerance, _STEPS_ON_ALL * len(s)):
                return True
            some = self._working_set()
            part = DualProblem(
                submatrix(self.kernel, some, some), *(vector[some] for vector in self[1:])
            )
            part.approach(tolerance)
            change = np.zeros(len(s))
            change[some] = part.s - s[some]
            gradient += self.kernel @ change
            s[some] = part.s
        return False

    def approach(self, tolerance: float) -> None:
        """Come nearer to the optimum by pairs and Newton steps and, if need be, from the inside.

        Parameters
        ----------
        tolerance : float
            Nothing is done any more once it is reached.
        """
        n_steps = _STEPS_ON_SOME * len(self.s)
        for _ in range(_NEWTON_STEPS if len(self.s) <= _MAX_INTERIOR else 1):
            if _optimise_pairs(*self, tolerance, n_steps):
                return
            self.newton_step()
        if len(self.s) <= _MAX_INTERIOR and not _optimise_pairs(*self, tolerance, len(self.s)):
            self.interior_steps(tolerance)

    def threshold(self) -> float:
        """Return the mean gradient on the margin or, without any, the middle of what is allowed."""
        can_rise, can_fall = self.s < self.highest, self.s > self.lowest
        is_free = can_rise & can_fall
        if is_free.any():
            return float(self.gradient[is_free].mean())
        return float(self.gradient[can_rise].min() + self.gradient[can_fall].max()) / 2

    def newton_step(self) -> None:
        """Lower ½ sᵀ K s - yᵀ s in the free coefficients, keeping Σ s_i and the bounds.

        The direction to the optimum of the free coefficients is followed up to the first bound;
        the coefficient that meets it is no longer free, and the others continue, a few times. The
        objective never rises.
        """
        kernel, lowest, highest, s, gradient = self
        for _ in range(_MAX_BOUNDS):
            free = np.flatnonzero((s > lowest) & (s < highest))
            if not 2 <= len(free) <= _MAX_FREE:
                return
            step = _newton_direction(kernel[np.ix_(free, free)], gradient[free])
            slope = float(step @ gradient[free])
            if not slope < 0:
                return
            change = kernel[:, free] @ step
            curvature = float(step @ change[free])
            ends = np.where(step > 0, highest[free], lowest[free])
            rooms = np.divide(ends - s[free], step, out=np.full(len(step), np.inf), where=step != 0)
            length = min(-slope / curvature if curvature > 0 else 1.0, float(rooms.min()))
            is_stopped = rooms <= length
            s[free] = np.where(is_stopped, ends, s[free] + length * step)
            gradient += length * change
            if not is_stopped.any():
                return

    def interior_steps(self, tolerance: float) -> None:
        """Lower the objective from the inside, keeping Σ s_i and the bounds.

        With multipliers u, v ≥ 0 of the two bounds and ν of the sum, the optimality conditions are

            K x - y + ν - u + v = 0,   Σ x_i = Σ s_i,   u (x - lowest) = v (highest - x) = 0.

        Every step solves them to first order with a small μ in place of the last zero, which
        takes one Cholesky factor of K + diag(u / (x - lowest) + v / (highest - x)). At the end,
        coefficients that lie at a bound are set to it. If that does not lower the objective,
        nothing is changed.

        Parameters
        ----------
        tolerance : float
        """
        kernel, lowest, highest, s, gradient = self
        width = highest - lowest
        margin = _FROM_BOUNDS * width
        start = np.clip(s, lowest + margin, highest - margin)
        slope = gradient + kernel @ (start - s)
        point = _Interior(start, slope, lowest, highest, float(s.sum()))
        for _ in range(_INTERIOR_STEPS):
            if point.is_optimal(_ACCURACY * tolerance) or not point.step(kernel):
                break
        x = point.snapped()
        change = kernel @ (x - s)
        gain = float((x - s) @ (gradient + change / 2))
        is_balanced = abs(float((x - s).sum())) <= _RIDGE * float(width.sum())
        if gain < 0 and is_balanced:
            gradient += change
            s[:] = x

    def _working_set(self) -> IntArray:
        """Return the samples that could be one of a violating pair."""
        can_rise, can_fall = self.s < self.highest, self.s > self.lowest
        least, most = self.gradient[can_rise].min(), self.gradient[can_fall].max()
        would_rise = can_rise & (self.gradient < most)
        would_fall = can_fall & (self.gradient > least)
        return np.flatnonzero((can_rise & can_fall) | would_rise | would_fall)


def _newton_direction(kernel: FloatArray, gradient: FloatArray) -> FloatArray:
    """Return the step to the optimum among steps of sum zero."""
    m = len(gradient)
    system = np.ones((m + 1, m + 1))
    system[:m, :m] = kernel
    system[np.arange(m), np.arange(m)] += _RIDGE
    system[m, m] = 0.0
    step: FloatArray = np.linalg.solve(system, np.append(-gradient, 0.0))[:m]
    step -= step.mean()
    return step


class _Interior:
    """A point inside the bounds with the multipliers of all conditions."""

    def __init__(
        self,
        x: FloatArray,
        slope: FloatArray,
        lowest: FloatArray,
        highest: FloatArray,
        total: float,
    ) -> None:
        self.x, self.slope, self.total = x, slope, total
        self._bounds = lowest, highest
        self._nu = -float(np.median(slope))
        excess = slope + self._nu
        self._u = np.maximum(excess, 0.0) + _FROM_BOUNDS
        self._v = np.maximum(-excess, 0.0) + _FROM_BOUNDS

    @property
    def _rooms(self) -> tuple[FloatArray, FloatArray]:
        lowest, highest = self._bounds
        return self.x - lowest, highest - self.x

    def is_optimal(self, tolerance: float) -> bool:
        """Return whether multipliers fit the slope, and vanish away from the bounds."""
        below, above = self._rooms
        width = float((below + above).max())
        residual = np.abs(self.slope + self._nu - self._u + self._v).max()
        gap = max(float((self._u * below).max()), float((self._v * above).max()))
        return bool(residual <= tolerance and gap <= tolerance * _ACCURACY**2 * width)

    def step(self, kernel: FloatArray) -> bool:
        """Make one step of the predictor and the corrector; return False if it cannot be made."""
        below, above = self._rooms
        u, v = self._u, self._v
        residual = self.slope + self._nu - u + v
        system = kernel.copy()
        np.fill_diagonal(system, system.diagonal() + u / below + v / above + _SMALLEST_CURVATURE)
        try:
            factor = cho_factor(system, lower=True, overwrite_a=True, check_finite=False)
        except LinAlgError:
            return False
        of_ones = cho_solve(factor, np.ones(len(u)), check_finite=False)
        missing = self.total - float(self.x.sum())

        def direction(for_u: FloatArray, for_v: FloatArray) -> tuple[Any, ...]:
            right = for_u / below - for_v / above - residual
            free = cho_solve(factor, right, check_finite=False)
            nu = (float(free.sum()) - missing) / float(of_ones.sum())
            x = free - nu * of_ones
            return x, nu, (for_u - u * x) / below, (for_v + v * x) / above

        def length(x: FloatArray, u_step: FloatArray, v_step: FloatArray) -> float:
            with np.errstate(divide="ignore", invalid="ignore"):
                ends = [
                    np.where(way < 0, -room / way, np.inf).min(initial=np.inf)
                    for room, way in ((below, x), (above, -x), (u, u_step), (v, v_step))
                ]
            return float(min(1.0, *ends))

        x, _, u_step, v_step = direction(-u * below, -v * above)
        t = length(x, u_step, v_step)
        mu = float(u @ below + v @ above) / (2 * len(u))
        left = (u + t * u_step) @ (below + t * x) + (v + t * v_step) @ (above - t * x)
        aim = mu * (float(left) / (2 * len(u)) / mu) ** 3
        x, nu, u_step, v_step = direction(
            aim - u * below - x * u_step, aim - v * above + x * v_step
        )
        t = _SHORT_OF_BOUNDS * length(x, u_step, v_step)
        if not np.isfinite(t * float(np.abs(x).sum())):
            return False
        self.x = self.x + t * x
        self.slope = self.slope + t * (kernel @ x)
        self._nu += t * nu
        self._u, self._v = u + t * u_step, v + t * v_step
        return True

    def snapped(self) -> FloatArray:
        """Return the point with coefficients at their bounds, and the same sum."""
        lowest, highest = self._bounds
        below, above = self._rooms
        width = below + above
        is_low = (below < above) & (below < _MAX_SHARE * self._u * width)
        is_high = (above < below) & (above < _MAX_SHARE * self._v * width)
        x = np.where(is_low, lowest, np.where(is_high, highest, self.x))
        free = np.flatnonzero(~(is_low | is_high))
        if len(free):
            x[free] += (self.total - float(x.sum())) / len(free)
        return np.clip(x, lowest, highest)


@compiled
def submatrix(matrix: FloatArray, rows: IntArray, columns: IntArray) -> FloatArray:
    """Return some rows and columns of a matrix; three times as fast as ``matrix[np.ix_(...)]``.

    Parameters
    ----------
    matrix : ndarray of shape (N, N)
    rows, columns : ndarray of int

    Returns
    -------
    ndarray of shape (number of rows, number of columns)
    """
    chosen = np.empty((len(rows), len(columns)))
    for i in range(len(rows)):
        row, target = matrix[rows[i]], chosen[i]
        for j in range(len(columns)):
            target[j] = row[columns[j]]
    return chosen


_BLOCK = 256
_MAX_KEY = np.int64(0x7FFFFFFFFFFFFFFF)
_MIN_KEY = np.int64(-0x8000000000000000)


@compiled
def _optimise_pairs(
    kernel: FloatArray,
    lowest: FloatArray,
    highest: FloatArray,
    s: FloatArray,
    gradient: FloatArray,
    tolerance: float,
    n_steps: int,
) -> bool:
    """Optimise the most promising pair, again and again; return whether none was left.

    Processors compare many whole numbers at once, but not real ones. The bits of a real number,
    read as a whole one, are in its order once those of negative numbers are turned round.
    """
    n = len(s)
    diagonal = np.diag(kernel).copy()
    bits = gradient.view(np.int64)
    from_rising = np.empty(n, dtype=np.int64)
    from_falling = np.empty(n, dtype=np.int64)
    for k in range(n):
        from_rising[k] = _MIN_KEY if s[k] < highest[k] else _MAX_KEY
        from_falling[k] = _MAX_KEY if s[k] > lowest[k] else _MIN_KEY
    gains = np.empty(n, dtype=np.float32)
    gain_bits = gains.view(np.int32)
    keys = np.empty(2, dtype=np.int64)
    extremes = keys.view(np.float64)
    for _ in range(n_steps):
        place = _extremes(bits, from_rising, from_falling, keys)
        if not extremes[1] - extremes[0] >= tolerance:
            return True
        i = place
        while bits[i] != keys[0] or from_rising[i] == _MAX_KEY:
            i += 1
        row_i = kernel[i]
        j = _best_partner(gradient, row_i, diagonal, from_falling, i, gains, gain_bits)
        curvature = max(diagonal[i] + diagonal[j] - 2 * row_i[j], _SMALLEST_CURVATURE)
        room_i, room_j = highest[i] - s[i], s[j] - lowest[j]
        step = min((gradient[j] - gradient[i]) / curvature, room_i, room_j)
        s[i] = highest[i] if step == room_i else s[i] + step
        s[j] = lowest[j] if step == room_j else s[j] - step
        from_rising[i] = _MIN_KEY if s[i] < highest[i] else _MAX_KEY
        from_falling[i] = _MAX_KEY
        from_rising[j] = _MIN_KEY
        from_falling[j] = _MAX_KEY if s[j] > lowest[j] else _MIN_KEY
        row_j = kernel[j]
        for k in range(n):
            gradient[k] += step * (row_i[k] - row_j[k])
    return False


@compiled
def _extremes(bits: IntArray, from_rising: IntArray, from_falling: IntArray, keys: IntArray) -> int:
    """Write the bits of the least gradient that can rise and of the greatest that can fall.

    Returns where to look for the least.
    """
    n = len(bits)
    least, most, place = _MAX_KEY, _MIN_KEY, 0
    for start in range(0, n, _BLOCK):
        stop = min(n, start + _BLOCK)
        own, rising, falling = bits[start:stop], from_rising[start:stop], from_falling[start:stop]
        low, high = _MAX_KEY, _MIN_KEY
        for k in range(len(own)):
            key = own[k] ^ ((own[k] >> 63) & _MAX_KEY)
            low = min(low, max(key, rising[k]))
            high = max(high, min(key, falling[k]))
        if low < least:
            least, place = low, start
        most = max(most, high)
    keys[0] = least ^ ((least >> 63) & _MAX_KEY)
    keys[1] = most ^ ((most >> 63) & _MAX_KEY)
    return place


@compiled
def _best_partner(
    gradient: FloatArray,
    row: FloatArray,
    diagonal: FloatArray,
    from_falling: IntArray,
    i: int,
    gains: NDArray[np.float32],
    gain_bits: Int32Array,
) -> int:
    """Return the coefficient that gains most if it falls while i rises, in single precision."""
    least, own = gradient[i], diagonal[i]
    zero, tiny = np.float32(0.0), np.float32(_SMALLEST_CURVATURE)
    n = len(gradient)
    most, place = np.int32(-1), 0
    for start in range(0, n, _BLOCK):
        stop = min(n, start + _BLOCK)
        slopes, others, shared = gradient[start:stop], diagonal[start:stop], row[start:stop]
        falling, target = from_falling[start:stop], gains[start:stop]
        for k in range(len(slopes)):
            difference = max(np.float32(slopes[k] - least), zero)
            difference = difference if falling[k] > 0 else zero
            curvature = max(np.float32(own + others[k] - 2 * shared[k]), tiny)
            target[k] = difference * difference / curvature
        own_bits = gain_bits[start:stop]
        best = np.int32(-1)
        for k in range(len(own_bits)):
            best = max(best, own_bits[k])
        if best > most:
            most, place = best, start
    j = place
    while gain_bits[j] != most:
        j += 1
    return j
