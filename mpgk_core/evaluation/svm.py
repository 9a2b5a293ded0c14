"""Support vector machines for a whole path of costs C: on a kernel matrix, or linear.

On a kernel matrix, costs are visited in ascending order. Each starts from the solution of the
previous one, multiplied by the factor that helps most; where no coefficient is at its bound, the
solution is the same for all larger C and needs no step at all. The stopping rule is libsvm's, so
the predictions are the same, except for samples on the boundary within the tolerance.

For one C, in signed form with s_i = y_i α_i, the problem is

    minimise ½ sᵀ K s - yᵀ s   subject to   Σ s_i = 0,   0 ≤ y_i s_i ≤ C.

Pairs of coefficients are optimised in turn, the most promising one by the second-order rule of
Fan, Chen & Lin (2005), which is libsvm's. Coefficients at a bound that cannot improve the
objective are set aside, and the others are optimised in a smaller matrix; all are checked again
at the end. Where a kernel has a low rank and C is large, pairs alone need hundreds of thousands of
tiny steps. Few coefficients are free then, and their common optimum is one linear system: a Newton
step.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array

from mpgk_core._compiled import compiled
from mpgk_core.arrays import BoolArray, FloatArray, IntArray

_MAX_ROUNDS = 1000
"""Checks of all samples before giving up."""

_STEPS_ON_ALL = 2
"""Pairs optimised among all samples in a round, for each of them."""

_STEPS_ON_SOME = 5
"""Pairs optimised in the working set before a Newton step, for each of its samples."""

_NEWTON_STEPS = 20
"""Newton steps before all samples are checked again."""

_SMALLEST_CURVATURE = 1e-12
_RIDGE = 1e-10
"""Added to the diagonal, so that equal samples do not make the system singular."""

_MAX_FREE = 500
"""With more free coefficients, optimising pairs is faster than a Newton step."""

_MAX_BOUNDS = 10
"""Bounds that a Newton step may meet before the pairs are optimised again."""


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
            kernel = self.kernel[np.ix_(some, some)]
            part = DualProblem(kernel, *(vector[some] for vector in self[1:]))
            for _ in range(_NEWTON_STEPS):
                if _optimise_pairs(*part, tolerance, _STEPS_ON_SOME * len(some)):
                    break
                part.newton_step()
            gradient += self.kernel[:, some] @ (part.s - s[some])
            s[some] = part.s
        return False

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


TOLERANCE = 1e-3
"""Largest violation of the optimality conditions; libsvm's default."""


@dataclass(frozen=True, eq=False)
class SupportVectorPath:
    """Two-class SVMs for several costs.

    Attributes
    ----------
    coefficients : ndarray of shape (n_costs, n)
        s_i = y_i α_i of every training sample.
    intercepts : ndarray of shape (n_costs,)
    converged : ndarray of shape (n_costs,)
        Whether the optimality conditions hold within the tolerance.
    """

    coefficients: FloatArray
    intercepts: FloatArray
    converged: BoolArray

    def decide(self, kernel: FloatArray) -> FloatArray:
        """Return decision values; above 0 means the positive class.

        Parameters
        ----------
        kernel : ndarray of shape (m, n)
            Between new and training samples.

        Returns
        -------
        ndarray of shape (n_costs, m)
        """
        values: FloatArray = self.coefficients @ kernel.T + self.intercepts[:, np.newaxis]
        return values


def fit_path(
    kernel: FloatArray, is_positive: BoolArray, costs: FloatArray, tolerance: float = TOLERANCE
) -> SupportVectorPath:
    """Fit two-class SVMs for ascending costs.

    Parameters
    ----------
    kernel : ndarray of shape (n, n)
        Between the training samples; positive semidefinite.
    is_positive : ndarray of shape (n,)
        The class of every sample; both occur.
    costs : ndarray of shape (n_costs,)
        Ascending.
    tolerance : float
        Largest violation of the optimality conditions.

    Returns
    -------
    SupportVectorPath

    Examples
    --------
    >>> kernel = np.array([[1.0, 0.5, 0.0], [0.5, 1.0, 0.5], [0.0, 0.5, 1.0]])
    >>> path = fit_path(kernel, np.array([True, True, False]), np.array([0.1, 10.0]))
    >>> path.coefficients.round(2).tolist()
    [[0.0, 0.1, -0.1], [0.0, 2.0, -2.0]]
    >>> path.decide(kernel).round(2).tolist()[1]
    [1.0, 1.0, -1.0]
    """
    matrix = np.ascontiguousarray(kernel, dtype=np.float64)
    y = np.where(is_positive, 1.0, -1.0)
    s, gradient = np.zeros(len(y)), -y
    coefficients = np.empty((len(costs), len(y)))
    intercepts = np.empty(len(costs))
    converged = np.empty(len(costs), dtype=bool)
    for c, cost in enumerate(costs.tolist()):
        if c:
            s, gradient = _stretched(s, gradient, y, cost / costs[c - 1])
        bounds = np.where(is_positive, 0.0, -cost), np.where(is_positive, cost, 0.0)
        problem = DualProblem(matrix, *bounds, s, gradient)
        converged[c] = problem.solve(tolerance)
        coefficients[c] = s
        intercepts[c] = -problem.threshold()
    return SupportVectorPath(coefficients, intercepts, converged)


def predict_path(
    kernel: FloatArray, classes: IntArray, train: IntArray, test: IntArray, costs: FloatArray
) -> tuple[IntArray, int]:
    """Train on some samples and predict others, for every cost; one SVM for each two classes.

    Every pair of classes votes; with equal votes the first class wins, as in libsvm.

    Parameters
    ----------
    kernel : ndarray of shape (N, N)
        Between all samples.
    classes : ndarray of shape (N,)
        Numbers from 0.
    train, test : ndarray of int
        Samples to learn from and to predict.
    costs : ndarray of shape (n_costs,)
        Ascending.

    Returns
    -------
    predictions : ndarray of shape (n_costs, number of test samples)
    n_unconverged : int
        SVMs that gave up before they reached the tolerance.
    """
    votes = np.zeros((len(costs), len(test), int(classes.max()) + 1), dtype=np.int64)
    n_unconverged = 0
    for a, b, values, n_failed in _pair_decisions(kernel, classes, train, test, costs):
        votes[:, :, a] += values > 0
        votes[:, :, b] += values <= 0
        n_unconverged += n_failed
    return votes.argmax(axis=2), n_unconverged


def decide_path(
    kernel: FloatArray, classes: IntArray, train: IntArray, test: IntArray, costs: FloatArray
) -> tuple[IntArray, FloatArray, int]:
    """Predict with the last cost of a path, and say how clearly.

    For two classes the decision value is that of the SVM; above 0 it speaks for the second class.
    For several classes with the pairwise values d, a class k has the score

        votes_k + s_k / (3 (|s_k| + 1)),   s_k = Σ_{j≠k} d_kj,

    so that values decide between equal votes, as in scikit-learn's one-versus-rest scores.

    Parameters
    ----------
    kernel, classes, train, test, costs
        As for :func:`predict_path`.

    Returns
    -------
    predictions : ndarray of shape (m,)
        The last row of :func:`predict_path`.
    decisions : ndarray of shape (m, 1) for two classes, else (m, number of classes)
    n_unconverged : int
    """
    n_classes = int(classes.max()) + 1
    votes = np.zeros((len(test), n_classes), dtype=np.int64)
    sums = np.zeros((len(test), n_classes))
    n_unconverged = 0
    for a, b, values, n_failed in _pair_decisions(kernel, classes, train, test, costs):
        votes[:, a] += values[-1] > 0
        votes[:, b] += values[-1] <= 0
        sums[:, a] += values[-1]
        sums[:, b] -= values[-1]
        n_unconverged += n_failed
    decisions = sums[:, 1:] if n_classes == 2 else votes + sums / (3 * (np.abs(sums) + 1))
    return votes.argmax(axis=1), decisions, n_unconverged


def _pair_decisions(
    kernel: FloatArray, classes: IntArray, train: IntArray, test: IntArray, costs: FloatArray
) -> Iterator[tuple[int, int, FloatArray, int]]:
    """Give two classes, their decision values (above 0 for the first), and failed SVMs."""
    for a, b in combinations(np.unique(classes[train]).tolist(), 2):
        pair = train[(classes[train] == a) | (classes[train] == b)]
        path = fit_path(kernel[np.ix_(pair, pair)], classes[pair] == a, costs)
        values = path.decide(kernel[np.ix_(test, pair)])
        yield a, b, values, int(np.count_nonzero(~path.converged))


def _stretched(
    s: FloatArray, gradient: FloatArray, y: FloatArray, ratio: float
) -> tuple[FloatArray, FloatArray]:
    """Return the best multiple r · s with 1 ≤ r ≤ ratio, and the gradient there."""
    kernel_times_s = gradient + y
    curvature = float(s @ kernel_times_s)
    best = float(y @ s) / curvature if curvature > 0 else ratio
    r = min(max(best, 1.0), ratio)
    return r * s, r * kernel_times_s - y


_MAX_STEPS = 1000


def predict_path_linear(
    rows: csr_array, classes: IntArray, train: IntArray, test: IntArray, costs: FloatArray
) -> tuple[IntArray, int]:
    """Train on some samples and predict others, for every cost; one SVM for each class.

    Two things differ from the kernel SVM: errors are squared, which lets a Newton method with
    neither seed nor random order find the optimum, and each class is set against all others.

    Parameters
    ----------
    rows : csr_array of shape (N, d)
        Features of all samples.
    classes : ndarray of shape (N,)
        Numbers from 0.
    train, test : ndarray of int
        Samples to learn from and to predict.
    costs : ndarray of shape (n_costs,)

    Returns
    -------
    predictions : ndarray of shape (n_costs, number of test samples)
    n_unconverged : int
        SVMs that gave up before they reached the tolerance.
    """
    predictions = np.empty((len(costs), len(test)), dtype=np.int64)
    n_unconverged = 0
    for c, cost in enumerate(costs.tolist()):
        predictions[c], _, n_failed = decide_linear(rows, classes, train, test, [cost])
        n_unconverged += n_failed
    return predictions, n_unconverged


def decide_linear(
    rows: csr_array,
    classes: IntArray,
    train: IntArray,
    test: IntArray,
    costs: FloatArray | Sequence[float],
) -> tuple[IntArray, FloatArray, int]:
    """Predict with a linear SVM of the last cost, and say how clearly.

    Parameters
    ----------
    rows, classes, train, test, costs
        As for :func:`predict_path_linear`.

    Returns
    -------
    predictions : ndarray of shape (m,)
    decisions : ndarray of shape (m, 1) for two classes, else (m, number of classes)
        Above 0 they speak for the second class; or for each class against all others.
    n_unconverged : int
    """
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.svm import LinearSVC

    model = LinearSVC(C=float(costs[-1]), dual=False, max_iter=_MAX_STEPS)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model.fit(rows[train], classes[train])
    decisions = model.decision_function(rows[test]).reshape(len(test), -1)
    n_unconverged = int(np.max(model.n_iter_) >= _MAX_STEPS)
    return model.predict(rows[test]), decisions, n_unconverged
