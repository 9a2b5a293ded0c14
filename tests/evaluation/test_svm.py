"""The SVM path against scikit-learn's SVC and against the optimality conditions."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.svm import SVC

from mpgk_core.evaluation.dual_problem import DualProblem, _extremes, submatrix
from mpgk_core.evaluation.svm import fit_path, predict_path

COSTS = np.array([1e-3, 1e-1, 1.0, 10.0, 1e3])


def random_kernel(seed, n, rank):
    rows = np.random.default_rng(seed).standard_normal((n, rank))
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    return rows @ rows.T


@settings(max_examples=25)
@given(seed=st.integers(0, 10**6), n=st.integers(6, 60), rank=st.integers(1, 30))
def test_decisions_equal_libsvm_within_its_tolerance(seed, n, rank):
    kernel = random_kernel(seed, n, rank)
    is_positive = np.random.default_rng(seed).random(n) < 0.4
    is_positive[:2] = [True, False]
    path = fit_path(kernel, is_positive, COSTS, tolerance=1e-6)
    assert path.converged.all()
    for c, cost in enumerate(COSTS):
        peer = SVC(C=cost, kernel="precomputed", tol=1e-6).fit(kernel, is_positive)
        theirs = np.zeros(n)
        theirs[peer.support_] = peer.dual_coef_[0]
        assert objective(kernel, is_positive, path.coefficients[c]) == pytest.approx(
            objective(kernel, is_positive, theirs), rel=1e-4, abs=1e-6
        )
        ours = kernel @ path.coefficients[c]
        np.testing.assert_allclose(ours, kernel @ theirs, atol=1e-2 + 1e-3 * np.abs(ours).max())


def objective(kernel, is_positive, s):
    return 0.5 * s @ kernel @ s - np.where(is_positive, 1.0, -1.0) @ s


@settings(max_examples=25)
@given(seed=st.integers(0, 10**6), n=st.integers(4, 60), rank=st.integers(1, 10))
def test_solution_is_feasible_and_optimal_within_the_tolerance(seed, n, rank):
    kernel = random_kernel(seed, n, rank)
    is_positive = np.arange(n) % 3 == 0
    y = np.where(is_positive, 1.0, -1.0)
    path = fit_path(kernel, is_positive, COSTS)
    for cost, s in zip(COSTS, path.coefficients, strict=True):
        assert abs(s.sum()) < 1e-9 * max(cost, 1) * n
        assert np.all((y * s >= 0) & (y * s <= cost))
        gradient = kernel @ s - y
        can_rise = np.where(is_positive, s < cost, s < 0)
        can_fall = np.where(is_positive, s > 0, s > -cost)
        assert gradient[can_fall].max() - gradient[can_rise].min() < 1e-3 + 1e-6


def test_many_classes_are_predicted_as_by_svc():
    rng = np.random.default_rng(0)
    classes = np.repeat([0, 1, 2, 3], 25)
    rows = rng.standard_normal((100, 6)) + 1.5 * np.eye(6)[classes]
    kernel = rows @ rows.T / 10
    train, test = np.arange(0, 100, 2), np.arange(1, 100, 2)
    predicted, n_unconverged = predict_path(kernel, classes, train, test, COSTS)
    assert n_unconverged == 0
    for c, cost in enumerate(COSTS):
        peer = SVC(C=cost, kernel="precomputed").fit(kernel[np.ix_(train, train)], classes[train])
        expected = peer.predict(kernel[np.ix_(test, train)])
        assert np.mean(predicted[c] == expected) >= 0.98


def test_predictions_do_not_depend_on_which_costs_came_before():
    kernel = random_kernel(3, 80, 20)
    classes = (np.arange(80) % 2).astype(np.int64)
    train, test = np.arange(60), np.arange(60, 80)
    whole, _ = predict_path(kernel, classes, train, test, COSTS)
    for c in range(len(COSTS)):
        alone, _ = predict_path(kernel, classes, train, test, COSTS[c : c + 1])
        assert np.mean(alone[0] == whole[c]) >= 0.95


def test_equal_samples_of_both_classes_do_no_harm():
    kernel = np.ones((10, 10))
    path = fit_path(kernel, np.arange(10) < 5, COSTS)
    assert path.converged.all()
    assert np.isfinite(path.coefficients).all()


def test_jump_lowers_the_objective_and_keeps_sum_and_bounds():
    kernel = random_kernel(1, 30, 5)
    is_positive = np.arange(30) < 15
    lowest, highest = np.where(is_positive, 0.0, -1.0), np.where(is_positive, 1.0, 0.0)
    s = np.where(is_positive, 0.5, -0.5)
    gradient = kernel @ s - np.where(is_positive, 1.0, -1.0)
    before = objective(kernel, is_positive, s)
    DualProblem(kernel, lowest, highest, s, gradient).newton_step()
    assert objective(kernel, is_positive, s) < before
    assert abs(s.sum()) < 1e-9
    assert np.all((s >= lowest) & (s <= highest))
    np.testing.assert_allclose(gradient, kernel @ s - np.where(is_positive, 1.0, -1.0), atol=1e-9)


@settings(max_examples=25)
@given(
    seed=st.integers(0, 10**6),
    n=st.integers(4, 60),
    rank=st.integers(1, 60),
    cost=st.sampled_from([0.1, 10.0, 1e3]),
)
def test_interior_steps_reach_the_optimum_and_keep_sum_and_bounds(seed, n, rank, cost):
    kernel = random_kernel(seed, n, rank)
    is_positive = np.arange(n) % 3 == 0
    lowest, highest = np.where(is_positive, 0.0, -cost), np.where(is_positive, cost, 0.0)
    s, gradient = np.zeros(n), np.where(is_positive, -1.0, 1.0)
    DualProblem(kernel, lowest, highest, s, gradient).interior_steps(1e-3)
    assert abs(s.sum()) < 1e-9 * cost * n
    assert np.all((s >= lowest) & (s <= highest))
    y = np.where(is_positive, 1.0, -1.0)
    np.testing.assert_allclose(gradient, kernel @ s - y, atol=1e-9 * cost * n)
    best = objective(
        kernel, is_positive, fit_path(kernel, is_positive, np.array([cost]), 1e-6).coefficients[0]
    )
    assert objective(kernel, is_positive, s) <= best + 1e-3 * (1 + abs(best))


def test_interior_steps_leave_a_kernel_alone_that_is_not_positive():
    kernel = -np.eye(6)
    s, gradient = np.zeros(6), np.tile([-1.0, 1.0], 3)
    lowest, highest = np.tile([0.0, -1.0], 3), np.tile([1.0, 0.0], 3)
    DualProblem(kernel, lowest, highest, s, gradient).interior_steps(1e-3)
    np.testing.assert_allclose(gradient, kernel @ s - np.tile([1.0, -1.0], 3), atol=1e-12)
    assert np.all((s >= lowest) & (s <= highest))


def test_where_pairs_are_not_enough_interior_steps_finish(monkeypatch):
    kernel = random_kernel(5, 60, 20)
    is_positive = np.arange(60) % 2 == 0
    expected = fit_path(kernel, is_positive, COSTS)
    n_calls = []
    steps = DualProblem.interior_steps

    def counted(problem, tolerance):
        n_calls.append(len(problem.s))
        steps(problem, tolerance)

    monkeypatch.setattr(DualProblem, "interior_steps", counted)
    monkeypatch.setattr("mpgk_core.evaluation.dual_problem._MAX_FREE", 0)
    monkeypatch.setattr("mpgk_core.evaluation.dual_problem._STEPS_ON_ALL", 1)
    monkeypatch.setattr("mpgk_core.evaluation.dual_problem._STEPS_ON_SOME", 0)
    monkeypatch.setattr("mpgk_core.evaluation.dual_problem._NEWTON_STEPS", 0)
    path = fit_path(kernel, is_positive, COSTS)
    assert n_calls
    assert path.converged.all()
    np.testing.assert_allclose(path.decide(kernel), expected.decide(kernel), atol=5e-3)


@given(seed=st.integers(0, 10**6), n_rows=st.integers(0, 9), n_columns=st.integers(0, 9))
def test_submatrix_is_what_fancy_indices_give(seed, n_rows, n_columns):
    rng = np.random.default_rng(seed)
    matrix = rng.random((10, 10))
    rows, columns = rng.integers(10, size=n_rows), rng.integers(10, size=n_columns)
    np.testing.assert_array_equal(submatrix(matrix, rows, columns), matrix[np.ix_(rows, columns)])


@given(seed=st.integers(0, 10**6))
def test_extremes_are_found_by_the_bits_of_real_numbers(seed):
    rng = np.random.default_rng(seed)
    gradient = rng.choice([-1e30, -2.5, -0.0, 0.0, 1e-300, 2.5, 7.0], size=700)
    can_rise, can_fall = rng.random((2, 700)) < 0.3
    limits = np.iinfo(np.int64)
    keys = np.empty(2, dtype=np.int64)
    _extremes(
        gradient.view(np.int64),
        np.where(can_rise, limits.min, limits.max),
        np.where(can_fall, limits.max, limits.min),
        keys,
    )
    least, most = keys.view(np.float64)
    assert (least, most) == (gradient[can_rise].min(), gradient[can_fall].max())


def test_giving_up_is_reported(monkeypatch):
    monkeypatch.setattr("mpgk_core.evaluation.dual_problem._MAX_ROUNDS", 0)
    kernel = random_kernel(0, 10, 3)
    is_positive = np.arange(10) < 5
    problem = DualProblem(
        kernel,
        np.where(is_positive, 0.0, -1.0),
        np.where(is_positive, 1.0, 0.0),
        np.zeros(10),
        np.where(is_positive, -1.0, 1.0),
    )
    assert not problem.solve(1e-3)
    assert not fit_path(kernel, is_positive, COSTS).converged.any()
