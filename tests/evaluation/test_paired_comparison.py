"""Two methods over the same folds: against the formulas, and laws of a fair comparison."""

from dataclasses import replace
from math import inf, isclose

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.stats import t as student
from scipy.stats import ttest_1samp

from mpgk_core.errors import InvalidParameterError
from mpgk_core.evaluation import evaluate
from mpgk_core.evaluation.paired_comparison import against_best, compare_evaluations, compared
from tests.evaluation.small_sets import QUICK, noisy_set

DIFFERENCES = st.lists(st.integers(-20, 20), min_size=2, max_size=30).map(
    lambda values: np.array(values) / 100
)


@given(DIFFERENCES)
def test_without_shared_training_graphs_it_is_the_plain_t_test(differences):
    if len(set(differences.tolist())) < 2:
        return
    found, plain = compared(differences, 0.0, "A", "B"), ttest_1samp(differences, 0.0)
    assert found.t == pytest.approx(plain.statistic, abs=1e-12)
    assert found.p == pytest.approx(plain.pvalue)


def test_the_corrected_test_is_that_of_nadeau_and_bengio_by_hand():
    differences = np.array([0.02, 0.0, 0.01, 0.03])
    found = compared(differences, 1 / 3, "A", "B")
    variance = ((0.005**2 + 0.015**2) * 2) / 3
    t = 0.015 / ((1 / 4 + 1 / 3) * variance) ** 0.5
    assert found.t == pytest.approx(t)
    assert found.p == pytest.approx(2 * (1 - student.cdf(t, 3)))


def test_probabilities_are_integrals_of_the_posterior_density():
    differences, rho = np.array([0.02, 0.0, 0.015, 0.04, -0.01]), 0.2
    found = compared(differences, rho / (1 - rho), "A", "B", rope=0.005)
    scale = ((1 / 5 + rho / (1 - rho)) * np.var(differences, ddof=1)) ** 0.5

    def density(x):
        return student.pdf((x - differences.mean()) / scale, 4) / scale

    assert found.first_better == pytest.approx(quad(density, 0.005, inf)[0], abs=1e-7)
    assert found.equal == pytest.approx(quad(density, -0.005, 0.005)[0], abs=1e-7)
    assert found.second_better == pytest.approx(quad(density, -inf, -0.005)[0], abs=1e-7)


@given(DIFFERENCES, st.randoms())
def test_the_order_of_methods_and_of_folds_does_not_matter(differences, random):
    found, other = (compared(sign * differences, 1 / 9, "A", "B") for sign in (1, -1))
    assert (found.first_better, found.second_better) == pytest.approx(
        (other.second_better, other.first_better)
    )
    assert found.p == pytest.approx(other.p)
    assert found.t == pytest.approx(-other.t) or abs(found.t) == inf
    shuffled = differences.tolist()
    random.shuffle(shuffled)
    again = compared(np.array(shuffled), 1 / 9, "A", "B")
    assert isclose(again.first_better, found.first_better, abs_tol=1e-9)
    assert sum((found.first_better, found.equal, found.second_better)) == pytest.approx(1)


@given(DIFFERENCES)
def test_shared_training_graphs_make_a_difference_less_significant(differences):
    assert compared(differences, 1 / 9, "A", "B").p >= compared(differences, 0.0, "A", "B").p - 1e-9


def test_equal_differences_leave_no_doubt():
    found = compared(np.full(10, 0.05), 1 / 9, "A", "B")
    assert (found.t, found.p, found.first_better) == (inf, 0.0, 1.0)
    assert "more than 99 %" in found.sentence
    same = compared(np.zeros(10), 1 / 9, "A", "B")
    assert (same.t, same.p, same.equal) == (0.0, 1.0, 1.0)
    assert same.sentence.startswith("A and B are equally good")
    assert "No lead" in same.sentence


@pytest.mark.parametrize(
    ("differences", "words"),
    [
        ([0.05, 0.06, 0.05, 0.07], "A is better than B"),
        ([-0.05, -0.06, -0.05, -0.07], "B is better than A"),
        ([0.05, 0.0, 0.06, 0.02, 0.01, 0.03], "A is probably better than B"),
        ([0.04, -0.04, 0.03, -0.02], "not clear whether A or B"),
        ([0.0, 0.001, 0.0, -0.001], "A and B are equally good, within 1 point"),
    ],
)
def test_sentences_say_which_is_better(differences, words):
    assert words in compared(np.array(differences), 1 / 9, "A", "B").sentence


@pytest.fixture(scope="module")
def known():
    graphs, classes = noisy_set(10)
    rules = replace(QUICK, iterations=(1,))
    return [evaluate(graphs, classes, method, rules) for method in ("size", "WL", "RR")]


def test_evaluations_are_compared_fold_by_fold(known):
    size, wl, _ = known
    found = compare_evaluations(size, wl)
    accuracies = [np.array([r.accuracy for r in one.records]) for one in (size, wl)]
    expected = compared(accuracies[0] - accuracies[1], 1 / 2, "size", "WL")
    assert found == expected
    part = replace(wl, records=wl.records[1:4])
    assert compare_evaluations(size, part).n_folds == 3
    assert compare_evaluations(size, wl, "ROC AUC").n_folds == 6


def test_other_folds_and_too_few_are_refused(known):
    size, wl, _ = known
    moved = replace(wl.records[0], test=wl.records[1].test)
    with pytest.raises(InvalidParameterError, match="different folds"):
        compare_evaluations(size, replace(wl, records=(moved, *wl.records[1:])))
    with pytest.raises(InvalidParameterError, match="1 folds in common"):
        compare_evaluations(size, replace(wl, records=wl.records[:1]))


def test_the_best_method_is_compared_with_every_other_one(known):
    found = against_best(known)
    best = max(known, key=lambda one: np.mean([r.accuracy for r in one.records]))
    assert {one.first for one in found} == {best.spec.method}
    assert {one.second for one in found} == {o.spec.method for o in known if o is not best}
    assert [one.difference for one in found] == sorted(one.difference for one in found)
    assert against_best(known[:1]) == []
    assert against_best([]) == []
    without = [
        replace(one, records=tuple(replace(r, decisions=()) for r in one.records)) for one in known
    ]
    assert against_best(without, "ROC AUC") == [], "results without decision values have no score"


def test_graphs_that_a_split_leaves_out_do_not_count_as_learnt_from():
    graphs, classes = noisy_set(12)
    split = np.tile([0, 1, -1, -2], len(classes) // 4)
    rules = replace(QUICK, splits=(tuple(split.tolist()),))
    one, other = (evaluate(graphs, classes, method, rules) for method in ("size", "WL"))
    differences = [a.accuracy - b.accuracy for a, b in zip(one.records, other.records, strict=True)]
    expected = compared(np.array(differences), 1 / 2, "size", "WL")
    found = compare_evaluations(one, other)
    assert (found.p, found.first_better) == pytest.approx((expected.p, expected.first_better))
