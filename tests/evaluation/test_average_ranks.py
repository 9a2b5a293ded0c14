"""Ranks over several sets: against SciPy, published constants, and laws."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import friedmanchisquare, wilcoxon

from mpgk_core.errors import InvalidParameterError
from mpgk_core.evaluation.average_ranks import average_ranks, ranks_of_evaluations, ranks_text
from mpgk_core.evaluation.methods import KernelSpec
from mpgk_core.evaluation.protocol import Protocol
from mpgk_core.evaluation.results import Evaluation, FoldRecord

TABLES = st.integers(3, 8).flatmap(
    lambda n: st.lists(
        st.lists(st.integers(0, 9), min_size=4, max_size=4), min_size=n, max_size=n
    ).map(lambda rows: np.array(rows) / 10)
)
NAMES = ["A", "B", "C", "D"]


@given(TABLES)
def test_friedmans_test_is_scipys(scores):
    if all(len(set(row)) == 1 for row in scores.tolist()):
        assert average_ranks(scores, NAMES).p == 1.0
        return
    found, theirs = average_ranks(scores, NAMES), friedmanchisquare(*scores.T)
    assert found.chi2 == pytest.approx(theirs.statistic)
    assert found.p == pytest.approx(theirs.pvalue)


@given(TABLES, st.permutations(range(4)))
def test_the_order_of_sets_and_methods_does_not_matter(scores, order):
    found = average_ranks(scores, NAMES)
    again = average_ranks(scores[::-1, order], [NAMES[j] for j in order])
    assert dict(zip(found.methods, found.ranks.tolist(), strict=True)) == pytest.approx(
        dict(zip(again.methods, again.ranks.tolist(), strict=True))
    )
    assert found.ranks.sum() == pytest.approx(10)
    assert (np.diff(found.ranks) >= 0).all()


@pytest.mark.parametrize(("k", "q"), [(2, 1.960), (3, 2.343), (4, 2.569), (5, 2.728), (10, 3.164)])
def test_the_critical_difference_uses_the_published_constants(k, q):
    """q at 5 %: Demšar 2006, Table 5(a)."""
    rng = np.random.default_rng(0)
    found = average_ranks(rng.normal(size=(14, k)), [str(j) for j in range(k)])
    assert found.critical_difference == pytest.approx(q * (k * (k + 1) / 84) ** 0.5, rel=1e-3)


def test_pairs_have_wilcoxons_p_adjusted_by_holm():
    rng = np.random.default_rng(1)
    scores = rng.normal(loc=[0.0, 0.8, 1.6], size=(12, 3))
    found = average_ranks(scores, ["A", "B", "C"])
    columns = dict(zip("ABC", scores.T, strict=True))
    p = [pair.p for pair in found.pairs]
    for pair in found.pairs:
        assert pair.p == pytest.approx(wilcoxon(columns[pair.first], columns[pair.second]).pvalue)
    smallest, middle, largest = np.argsort(p)
    adjusted = [pair.adjusted for pair in found.pairs]
    assert adjusted[smallest] == pytest.approx(min(1, 3 * p[smallest]))
    assert adjusted[middle] == pytest.approx(min(1, max(3 * p[smallest], 2 * p[middle])))
    assert adjusted[largest] == pytest.approx(min(1, max(adjusted[middle], p[largest])))


def test_groups_are_the_largest_sets_within_the_critical_difference():
    found = average_ranks(np.random.default_rng(0).normal(size=(5, 4)), NAMES)
    made = replace(found, ranks=np.array([1.0, 1.5, 2.2, 4.0]), critical_difference=1.0)
    assert made.groups == [(0, 1), (1, 2)]
    assert replace(made, critical_difference=0.1).groups == []
    assert replace(made, critical_difference=5.0).groups == [(0, 3)]
    text = ranks_text(made)
    first, second, third, _ = made.methods
    assert f"{first} and {second}; {second} and {third}" in text
    assert "no two of them" in ranks_text(replace(made, critical_difference=0.1))


def complete(method, accuracy, n_folds=2):
    records = tuple(FoldRecord(0, f, 1.0, accuracy, (f,), (0,)) for f in range(n_folds))
    return Evaluation(
        KernelSpec.of(method), Protocol(n_folds=2, n_repeats=1), ("a",), np.zeros(2, int), records
    )


def test_only_methods_that_are_complete_on_every_set_are_ranked():
    found = {
        "one": [complete("AA", 0.9), complete("WL", 0.8), complete("size", 0.7)],
        "two": [complete("AA", 0.6), complete("WL", 0.7), complete("size", 0.5, n_folds=1)],
    }
    ranks = ranks_of_evaluations(found)
    assert sorted(ranks.methods) == ["AA", "WL"]
    assert ranks.ranks.tolist() == [1.5, 1.5]
    assert ranks_of_evaluations({"one": found["one"]}) is None
    assert ranks_of_evaluations({}) is None
    assert len(ranks.rows()) == 1


def test_one_set_or_one_method_has_no_ranks_to_test():
    for scores, names in ((np.ones((1, 3)), "ABC"), (np.ones((3, 1)), "A")):
        with pytest.raises(InvalidParameterError, match="at least two"):
            average_ranks(scores, list(names))
