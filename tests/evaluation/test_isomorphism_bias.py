"""Isomorphic graphs on both sides of a fold, counted by hand and by brute force."""

from dataclasses import replace

import networkx as nx
import numpy as np
import pytest

from mpgk_core.automorphism.isomorphism import IsomorphicGraphs, isomorphic_graphs
from mpgk_core.evaluation import Protocol, evaluate
from mpgk_core.evaluation.isomorphism_bias import bias_text, isomorphism_bias, twins_in_training
from mpgk_core.evaluation.methods import KernelSpec
from mpgk_core.evaluation.results import Evaluation, FoldRecord

GROUPS = np.array([0, 1, 0, 2, 3, 3])


def of(groups, n_undecided=0):
    return IsomorphicGraphs(groups, groups, n_undecided)


def twins_of(evaluation, record, isomorphic=None):
    test = np.array(record.test)
    return twins_in_training(isomorphic or of(GROUPS), test, evaluation.trained_on(record))


@pytest.fixture
def evaluation():
    """Graph 1 and 4 are misclassified."""
    truth = np.array([0, 0, 0, 1, 1, 1])
    records = (
        FoldRecord(0, 0, 1.0, 2 / 3, (0, 1, 3), (0, 1, 1)),
        FoldRecord(0, 1, 1.0, 2 / 3, (2, 4, 5), (0, 0, 1)),
    )
    rules = Protocol(n_folds=2, n_repeats=1)
    return Evaluation(KernelSpec.of("WL"), rules, ("a", "b"), truth, records)


def test_a_twin_counts_only_in_the_training_part(evaluation):
    twins = [twins_of(evaluation, r).tolist() for r in evaluation.records]
    assert twins == [[True, False, False], [True, False, False]], "4 and 5 are both tested"


def test_a_twin_that_a_split_leaves_out_is_not_in_training(evaluation):
    splits = ((0, 0, -2, 0, -1, -1),)
    one = replace(evaluation, protocol=Protocol(splits=splits), records=evaluation.records[:1])
    assert not twins_of(one, one.records[0]).any(), "the twin of 0 takes no part"
    assert isomorphism_bias(one, of(GROUPS)).share == 0.0


def test_the_strict_accuracy_leaves_twins_out(evaluation):
    found = isomorphism_bias(evaluation, of(GROUPS))
    assert found.usual.mean == pytest.approx(2 / 3)
    assert found.strict.mean == pytest.approx(1 / 2)
    assert (found.share, found.twin_accuracy) == (pytest.approx(1 / 3), 1.0)
    none = isomorphism_bias(evaluation, of(np.arange(6)))
    assert none.strict == none.usual
    assert np.isnan(none.twin_accuracy)
    every = isomorphism_bias(evaluation, of(np.zeros(6, dtype=int)))
    assert np.isnan(every.strict.mean)
    assert every.share == 1.0


def test_a_fold_of_twins_alone_does_not_count(evaluation):
    only = replace(evaluation.records[0], test=(0,), predicted=(0,), accuracy=1.0)
    part = replace(evaluation, records=(only, evaluation.records[1]))
    assert isomorphism_bias(part, of(GROUPS)).strict.mean == pytest.approx(1 / 2)


def test_real_folds_agree_with_pairwise_comparison():
    graphs = [f(n % 4 + 3) for f in (nx.cycle_graph, nx.star_graph) for n in range(9)]
    rules = Protocol(n_folds=3, n_repeats=2, iterations=(1,), inner_folds=2)
    found = evaluate(graphs, [0] * 9 + [1] * 9, "WL", rules)
    isomorphic = isomorphic_graphs(graphs)
    for record in found.records:
        train = set(range(18)) - set(record.test)
        expected = [any(nx.is_isomorphic(graphs[g], graphs[o]) for o in train) for g in record.test]
        assert twins_of(found, record, isomorphic).tolist() == expected


def test_the_text_says_what_was_found_and_what_could_not_be_decided(evaluation):
    text = bias_text(of(GROUPS), isomorphism_bias(evaluation, of(GROUPS)))
    assert text.startswith("4 graphs (67 %) are isomorphic to another graph")
    assert "33 % of the test graphs" in text
    assert "limit" not in text
    assert "For 2 pairs of graphs the check reached its limit" in bias_text(of(GROUPS, 2))
    assert bias_text(of(np.arange(4))) == ""
