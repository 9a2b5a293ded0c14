"""Support vector machines for a whole path of costs C: on a kernel matrix, or linear.

On a kernel matrix, costs are visited in ascending order. Each starts from the solution of the
previous one, multiplied by the factor that helps most; where no coefficient is at its bound, the
solution is the same for all larger C and needs no step at all. The stopping rule is libsvm's, so
the predictions are the same, except for samples on the boundary within the tolerance.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from scipy.sparse import csr_array

from mpgk_core.arrays import BoolArray, FloatArray, IntArray
from mpgk_core.evaluation.dual_problem import DualProblem, submatrix

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
        path = fit_path(submatrix(kernel, pair, pair), classes[pair] == a, costs)
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
