"""Scores against scikit-learn, and decision values that are kept with every fold."""

import json
from dataclasses import asdict, replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import average_precision_score, balanced_accuracy_score, roc_auc_score
from sklearn.preprocessing import label_binarize
from sklearn.svm import SVC

from mpgk_core.evaluation import evaluate
from mpgk_core.evaluation.nested_cv import record_of
from mpgk_core.evaluation.results import with_majority
from mpgk_core.evaluation.scores import (
    SCORES,
    average_precision,
    balanced_accuracy,
    fold_scores,
    one_versus_rest,
    roc_auc,
    summarised,
)
from mpgk_core.evaluation.svm import decide_linear, decide_path, predict_path, predict_path_linear
from mpgk_core.jobs import Store
from tests.evaluation.small_sets import QUICK, noisy_set

COSTS = np.array([0.1, 1.0, 10.0])


@st.composite
def rankings(draw, n_classes=2):
    """Return classes that all occur, and values with ties."""
    truth = list(range(n_classes)) + draw(st.lists(st.integers(0, n_classes - 1), max_size=20))
    width = 1 if n_classes == 2 else n_classes
    values = st.lists(st.integers(-3, 3), min_size=width, max_size=width)
    decisions = draw(st.lists(values, min_size=len(truth), max_size=len(truth)))
    return np.array(truth), np.array(decisions, dtype=np.float64) / 2


@given(rankings())
def test_two_classes_are_scored_as_by_scikit_learn(ranking):
    truth, decisions = ranking
    values = decisions[:, 0]
    is_second = truth == 1
    assert roc_auc(is_second, values) == pytest.approx(roc_auc_score(truth, values))
    expected = average_precision_score(truth, values)
    assert average_precision(is_second, values) == pytest.approx(expected)
    assert one_versus_rest(roc_auc, truth, decisions) == pytest.approx(roc_auc_score(truth, values))
    predicted = (values > 0).astype(np.int64)
    assert balanced_accuracy(truth, predicted) == pytest.approx(
        balanced_accuracy_score(truth, predicted)
    )


@given(rankings(n_classes=3))
def test_several_classes_are_scored_as_by_scikit_learn(ranking):
    truth, decisions = ranking
    indicator = label_binarize(truth, classes=[0, 1, 2])
    for own, theirs in ((roc_auc, roc_auc_score), (average_precision, average_precision_score)):
        expected = theirs(indicator, decisions, average="macro")
        assert one_versus_rest(own, truth, decisions) == pytest.approx(expected)


@given(rankings())
def test_a_reversed_ranking_has_the_other_part_of_the_area(ranking):
    truth, decisions = ranking
    values = decisions[:, 0]
    assert roc_auc(truth == 1, values) + roc_auc(truth == 1, -values) == pytest.approx(1)


def points(n_classes, seed=0):
    rng = np.random.default_rng(seed)
    classes = np.arange(60) % n_classes
    rows = rng.normal(size=(60, 3)) + np.eye(3)[classes % 3]
    order = rng.permutation(60)
    return rows, classes, np.sort(order[:40]), np.sort(order[40:])


@pytest.mark.parametrize("n_classes", [2, 3])
def test_decision_values_are_those_of_libsvm(n_classes):
    rows, classes, train, test = points(n_classes)
    kernel = rows @ rows.T
    predicted, decisions, _ = decide_path(kernel, classes, train, test, COSTS)
    model = SVC(kernel="precomputed", C=COSTS[-1], tol=1e-3)
    model.fit(kernel[np.ix_(train, train)], classes[train])
    theirs = model.decision_function(kernel[np.ix_(test, train)]).reshape(len(test), -1)
    assert decisions.shape == theirs.shape
    assert np.abs(decisions - theirs).max() < 0.02, "both are optimal within the tolerance"
    assert predicted.tolist() == predict_path(kernel, classes, train, test, COSTS)[0][-1].tolist()


@pytest.mark.parametrize("n_classes", [2, 3])
def test_linear_decision_values_agree_with_their_predictions(n_classes):
    from scipy.sparse import csr_array

    rows, classes, train, test = points(n_classes)
    predicted, decisions, _ = decide_linear(csr_array(rows), classes, train, test, COSTS)
    path, _ = predict_path_linear(csr_array(rows), classes, train, test, COSTS)
    assert predicted.tolist() == path[-1].tolist()
    implied = decisions.argmax(axis=1) if n_classes > 2 else (decisions[:, 0] > 0).astype(int)
    assert implied.tolist() == predicted.tolist()


@pytest.fixture(scope="module")
def evaluation():
    graphs, classes = noisy_set(10)
    return evaluate(graphs, classes, "WL", replace(QUICK, iterations=(1,)))


def test_every_fold_can_be_scored_again(evaluation):
    for number, record in enumerate(evaluation.records):
        truth = evaluation.truth[list(record.test)]
        values = np.array(record.decisions)[:, 0]
        assert ((values > 0) == np.array(record.predicted)).all()
        expected = roc_auc_score(truth, values)
        assert fold_scores(evaluation, "ROC AUC")[number] == pytest.approx(expected)
    assert summarised(evaluation).mean == evaluation.mean
    assert summarised(evaluation).spread == evaluation.spread
    assert summarised(evaluation, "ROC AUC").over == "repetitions"


def test_results_without_decision_values_have_no_score_of_a_ranking(evaluation):
    old = asdict(evaluation.records[0])
    del old["decisions"]
    record = record_of(json.loads(json.dumps(old)))
    known = replace(evaluation, records=(record, *evaluation.records[1:]))
    assert np.isnan(fold_scores(known, "ROC AUC")).tolist() == [True] + 5 * [False]
    assert np.isnan(summarised(known, "average precision").mean)
    assert summarised(known).mean == evaluation.mean
    majority = with_majority([evaluation])[1]
    assert np.isnan(summarised(majority, "ROC AUC").mean)
    assert summarised(majority, "balanced accuracy").mean == 0.5


def test_stored_folds_come_back_as_they_were(tmp_path, evaluation):
    graphs, classes = noisy_set(10)
    rules = replace(QUICK, iterations=(1,))
    with Store(tmp_path / "kept.sqlite") as store:
        first = evaluate(graphs, classes, "WL", rules, store=store)
        again = evaluate(graphs, classes, "WL", rules, store=store, stop=lambda: True)
    assert again.records == first.records
    assert first.records[0].decisions == evaluation.records[0].decisions


def test_all_scores_are_perfect_for_perfect_rankings():
    assert set(SCORES) == {"accuracy", "balanced accuracy", "ROC AUC", "average precision"}
    truth, decisions = np.array([0, 1, 0, 1]), np.array([[-1.0], [2.0], [-0.5], [0.1]])
    assert one_versus_rest(roc_auc, truth, decisions) == 1.0
    assert one_versus_rest(average_precision, truth, decisions) == 1.0
    assert np.isnan(one_versus_rest(roc_auc, np.zeros(3, dtype=int), np.ones((3, 1))))
