"""Nothing but the training folds decides; and what is decided is what a slow search would."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.model_selection import cross_val_predict
from sklearn.svm import SVC

from mpgk_core.evaluation.methods import METHODS, KernelSpec, candidates
from mpgk_core.evaluation.nested_cv import evaluate, evaluate_fold
from mpgk_core.evaluation.protocol import Protocol, inner_folds, outer_folds
from mpgk_core.evaluation.samples import cross_matrices, square_matrices
from mpgk_core.graphs import GraphSet
from tests.evaluation.small_sets import QUICK, noisy_set


@pytest.mark.parametrize("method", ["AA", "WL", "size"])
def test_choices_and_accuracy_equal_an_exhaustive_search_with_svc(method):
    graphs, classes = noisy_set(18)
    spec = KernelSpec.of(method)
    matrices = square_matrices(spec, QUICK, graphs)
    choices = candidates(spec, QUICK)
    for fold in outer_folds(classes, QUICK)[:3]:
        record = evaluate_fold(matrices, choices, classes, fold, QUICK)
        y = classes[fold.train]
        inner = inner_folds(y, fold, QUICK)
        best = None
        for cost in QUICK.C:
            for candidate, matrix in zip(choices, matrices, strict=True):
                train = matrix[np.ix_(fold.train, fold.train)]
                model = SVC(C=cost, kernel="precomputed")
                right = np.count_nonzero(cross_val_predict(model, train, y, cv=inner) == y)
                if best is None or right > best[0]:
                    best = (right, cost, candidate, matrix)
        right, cost, candidate, matrix = best
        model = SVC(C=cost, kernel="precomputed").fit(matrix[np.ix_(fold.train, fold.train)], y)
        predicted = model.predict(matrix[np.ix_(fold.test, fold.train)])
        assert (record.C, record.T, record.levels) == (cost, candidate.T, candidate.levels)
        assert record.inner_accuracy == right / len(y)
        assert record.accuracy == np.mean(predicted == classes[fold.test])
        assert record.predicted == tuple(predicted.tolist())


def test_classes_of_the_test_fold_change_nothing_but_the_accuracy():
    graphs, classes = noisy_set()
    spec = KernelSpec.of("RA")
    matrices, choices = square_matrices(spec, QUICK, graphs), candidates(spec, QUICK)
    fold = outer_folds(classes, QUICK)[0]
    other = classes.copy()
    other[fold.test] = 1 - other[fold.test]
    one = evaluate_fold(matrices, choices, classes, fold, QUICK)
    two = evaluate_fold(matrices, choices, other, fold, QUICK)
    assert (one.C, one.T, one.levels, one.predicted) == (two.C, two.T, two.levels, two.predicted)
    assert one.accuracy == pytest.approx(1 - two.accuracy)


def test_kernel_values_of_the_test_fold_do_not_influence_the_choice():
    graphs, classes = noisy_set()
    spec = KernelSpec.of("AA")
    matrices, choices = square_matrices(spec, QUICK, graphs), candidates(spec, QUICK)
    fold = outer_folds(classes, QUICK)[1]
    spoilt = [matrix.copy() for matrix in matrices]
    for matrix in spoilt:
        matrix[fold.test] = np.nan
        matrix[:, fold.test] = np.nan
    one = evaluate_fold(matrices, choices, classes, fold, QUICK)
    two = evaluate_fold(spoilt, choices, classes, fold, QUICK)
    assert (one.C, one.T, one.levels, one.inner_accuracy) == (
        two.C,
        two.T,
        two.levels,
        two.inner_accuracy,
    )


@pytest.mark.parametrize("method", list(METHODS))
def test_inductive_training_kernels_do_not_know_the_test_graphs(method):
    graphs, classes = noisy_set()
    others, _ = noisy_set(seed=99)
    fold = outer_folds(classes, QUICK)[0]
    spec = KernelSpec.of(method)
    train = graphs[fold.train]
    choices = candidates(spec, QUICK)
    one = cross_matrices(spec, choices, train, graphs[fold.test])
    two = cross_matrices(spec, choices, train, others[fold.test])
    for a, b in zip(one, two, strict=True):
        np.testing.assert_array_equal(a[: len(train)], b[: len(train)])
        assert not np.array_equal(a[len(train) :], b[len(train) :])


@pytest.mark.parametrize("solver", ["kernel", "linear"])
@pytest.mark.parametrize("method", ["AA", "RR"])
def test_inductive_choices_do_not_know_the_test_graphs(method, solver):
    graphs, classes = noisy_set()
    others, _ = noisy_set(seed=99)
    protocol = replace(QUICK, inductive=True, solver=solver, n_repeats=1)
    fold = outer_folds(classes, protocol)[0]
    members = [graphs[g] for g in range(len(graphs))]
    for g in fold.test.tolist():
        members[g] = others[g]
    changed = GraphSet.concatenate(members)
    one = evaluate(graphs, classes, method, protocol).records[0]
    two = evaluate(changed, classes, method, protocol).records[0]
    assert one.test == tuple(fold.test.tolist())
    assert (one.C, one.T, one.levels, one.inner_accuracy) == (
        two.C,
        two.T,
        two.levels,
        two.inner_accuracy,
    )


@pytest.mark.parametrize("method", list(METHODS))
def test_cross_matrices_of_the_training_graphs_equal_the_square_ones(method):
    graphs, _ = noisy_set(6)
    spec = KernelSpec.of(method)
    square = square_matrices(spec, QUICK, graphs)
    cross = cross_matrices(spec, candidates(spec, QUICK), graphs, graphs)
    assert len(square) == len(candidates(spec, QUICK))
    for a, b in zip(square, cross, strict=True):
        np.testing.assert_allclose(b, np.concatenate([a, a]), atol=1e-9)
        np.testing.assert_allclose(a.diagonal(), 1.0)


@pytest.mark.parametrize("inductive", [False, True])
def test_random_classes_stay_at_chance(inductive):
    graphs, _ = noisy_set(30)
    protocol = replace(QUICK, n_repeats=1, levels=("last",), inductive=inductive)
    means = [
        evaluate(graphs, np.random.default_rng(seed).permutation([0, 1] * 30), "RA", protocol).mean
        for seed in range(6)
    ]
    assert 0.4 < np.mean(means) < 0.6


def test_of_equally_good_choices_the_smallest_is_taken():
    _, classes = noisy_set()
    perfect = np.where(classes[:, None] == classes, 1.0, 0.0)
    spec = KernelSpec.of("AA", [{"beta": 0.1}, {"beta": 0.2}])
    choices = candidates(spec, QUICK)
    fold = outer_folds(classes, QUICK)[0]
    record = evaluate_fold([perfect] * len(choices), choices, classes, fold, QUICK)
    assert (record.C, record.T, record.levels, record.setting) == (0.1, 1, "last", 0)
    assert record.accuracy == record.inner_accuracy == 1.0


def test_folds_partition_the_graphs_and_keep_the_classes_in_proportion():
    classes = np.repeat([0, 1, 2], [30, 20, 10])
    protocol = Protocol(n_folds=5, n_repeats=3)
    folds = outer_folds(classes, protocol)
    for repeat in range(3):
        tests = [fold.test for fold in folds if fold.repeat == repeat]
        assert sorted(np.concatenate(tests).tolist()) == list(range(60))
        for test in tests:
            assert np.bincount(classes[test]).tolist() == [6, 4, 2]
    shuffles = {tuple(fold.test.tolist()) for fold in folds if fold.number == 0}
    assert len(shuffles) == 3


def test_more_repetitions_leave_the_first_ones_as_they_are():
    classes = np.arange(40) % 2
    few = outer_folds(classes, Protocol(n_repeats=1))
    many = outer_folds(classes, Protocol(n_repeats=3))
    for a, b in zip(few, many, strict=False):
        np.testing.assert_array_equal(a.test, b.test)


def test_inner_folds_lie_in_the_training_part():
    classes = np.arange(40) % 2
    fold = outer_folds(classes, QUICK)[2]
    for train, test in inner_folds(classes[fold.train], fold, QUICK):
        assert sorted([*train, *test]) == list(range(len(fold.train)))


def test_levels_sum_equals_the_kernel_of_all_levels():
    from mpgk_core import MessagePassingGraphKernel

    graphs, _ = noisy_set(5)
    spec = KernelSpec.of("AA")
    matrices = dict(zip(candidates(spec, QUICK), square_matrices(spec, QUICK, graphs), strict=True))
    for candidate, matrix in matrices.items():
        levels = candidate.levels
        kernel = MessagePassingGraphKernel("AA", n_iterations=candidate.T, levels=levels)
        np.testing.assert_allclose(matrix, kernel.fit_transform(graphs), atol=1e-12)
