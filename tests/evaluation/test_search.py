"""The search of a fold sees its training part alone, in whatever order it is done."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from mpgk_core.evaluation import nested_cv
from mpgk_core.evaluation.choices import alternatives_for
from mpgk_core.evaluation.methods import KernelSpec, Shape
from mpgk_core.evaluation.nested_cv import ClassificationTask, evaluate
from mpgk_core.evaluation.protocol import outer_folds
from mpgk_core.evaluation.samples import shaped
from mpgk_core.evaluation.search import (
    _RIDGES,
    Search,
    TrainingPart,
    leave_one_out_scores,
    main_effects,
)
from mpgk_core.jobs import Engine, Store, known_results
from tests.evaluation.small_sets import QUICK, noisy_set
from tests.jobs.hand_workers import HandWorkers

ONCE = replace(QUICK, n_repeats=1)


def facts(evaluation):
    """Return all that a run found, without the time that it took."""
    return [replace(record, svm_seconds=0.0, other_seconds=0.0) for record in evaluation.records]


@pytest.fixture
def store(tmp_path):
    with Store(tmp_path / "results.sqlite") as opened:
        yield opened


@pytest.mark.parametrize("change", [{}, {"inductive": True}, {"solver": "linear"}])
def test_classes_of_the_test_fold_influence_no_choice_and_no_prediction(monkeypatch, change):
    graphs, classes = noisy_set(15)
    protocol = replace(ONCE, **change)
    folds = outer_folds(classes, protocol)
    monkeypatch.setattr(nested_cv, "outer_folds", lambda codes, rules: folds)
    spec = alternatives_for("AA", graphs, alpha=0.8)
    assert Search(spec, protocol, len(graphs)).is_needed
    other = classes.copy()
    other[folds[0].test] = 1 - other[folds[0].test]
    one, two = (evaluate(graphs, c, spec, protocol).records for c in (classes, other))
    a, b = one[0], two[0]
    assert (a.C, a.T, a.levels, a.setting, a.inner_accuracy) == (
        b.C,
        b.T,
        b.levels,
        b.setting,
        b.inner_accuracy,
    )
    assert (a.predicted, a.decisions) == (b.predicted, b.decisions)
    assert a.accuracy == pytest.approx(1 - b.accuracy)
    assert one[1:] != two[1:], "other folds train on these graphs"


def test_samples_are_drawn_without_classes_and_are_shared_by_all_repetitions():
    spec = KernelSpec.of("AA", [{"beta": beta / 10} for beta in range(1, 9)], features="degree")
    search, more = (Search(spec, rules, 1000) for rules in (QUICK, replace(QUICK, n_repeats=5)))
    for stage, size in enumerate((300, 400, 1000)):
        np.testing.assert_array_equal(search.sample(stage), more.sample(stage))
        assert len(np.unique(search.sample(stage))) == size


def test_an_engine_and_a_stopped_run_give_the_numbers_of_this_process(store):
    graphs, classes = noisy_set()
    spec = alternatives_for("RR", graphs, alpha=0.8)
    expected = facts(evaluate(graphs, classes, spec, ONCE))
    calls = iter(range(10**6))
    evaluate(graphs, classes, spec, ONCE, store=store, stop=lambda: next(calls) == 20)
    task = ClassificationTask(graphs, tuple(classes), (spec,), ONCE)
    assert len(known_results(task, store)) == 20
    with Engine(store, workers=HandWorkers) as engine:
        resumed = evaluate(graphs, classes, spec, ONCE, engine=engine)
    assert resumed.is_complete
    assert facts(resumed) == expected


def test_units_of_a_stage_in_any_order_give_the_same_numbers():
    graphs, classes = noisy_set()
    spec = alternatives_for("RR", graphs, alpha=0.8)
    task = ClassificationTask(graphs, tuple(classes), (spec,), ONCE)
    memory, results = {}, {}
    while ready := task.ready([unit for unit in task.units() if unit not in results], results):
        for unit, needed in reversed(ready):
            memory[unit] = needed
            results[unit] = task.run(unit, memory)
    (found,) = task.evaluations(results)
    assert facts(found) == facts(evaluate(graphs, classes, spec, ONCE))


def test_a_quick_run_is_a_part_of_the_full_one(store):
    graphs, classes = noisy_set()
    spec = alternatives_for("RR", graphs, alpha=0.8, features="degree")
    quick = evaluate(graphs, classes, spec, QUICK.quick(), store=store)
    full = evaluate(graphs, classes, spec, QUICK, store=store)
    assert full.records[:3] == quick.records


def test_the_first_unit_is_small_and_reports():
    graphs, classes = noisy_set()
    spec = alternatives_for("AA", graphs)
    reported = []
    calls = iter(range(10))
    evaluate(
        graphs,
        classes,
        spec,
        ONCE,
        progress=lambda done, total, left: reported.append((done, total)),
        stop=lambda: next(calls) == 1,
    )
    task = ClassificationTask(graphs, tuple(classes), (spec,), ONCE)
    assert reported == [(1, len(task.units()))]


def test_large_sets_are_searched_on_samples_and_hold_few_matrices():
    spec = KernelSpec.of("AA", [{"beta": beta / 10} for beta in range(1, 9)], features="degree")
    search = Search(spec, QUICK, 5000)
    assert [stage.n_graphs for stage in search.stages] == [300, 400, 1200, None]
    results = {}
    for stage in range(3):
        for place, needed in search.plan(stage, results):
            shares = [{str(c): (c % 7) / 10 for c in some} for some in needed["folds"]]
            results[place] = {"shares": shares, "seconds": 1.0}
    plan = search.plan(3, results)
    assert max(len(needed["made"]) for _, needed in plan) <= (1 << 30) // (8 * 5000**2)
    made = [tuple(needed["made"]) for _, needed in plan]
    changes = 1 + sum(a != b for a, b in pairwise(made))
    assert changes == len(set(made)), "every set of matrices is made once"


def test_luck_of_one_candidate_does_not_decide():
    facts = [{"features": f, "T": T} for f in "ab" for T in range(5)]
    rng = np.random.default_rng(0)
    truth = np.array([0.8 if one["features"] == "a" else 0.7 for one in facts])
    lucky = truth + rng.normal(0, 0.01, 10)
    lucky[7] = 0.85
    scores = lucky + main_effects(facts, lucky)
    assert lucky.argmax() == 7
    assert scores.argmax() < 5
    shuffled = rng.permutation(10)
    again = main_effects([facts[i] for i in shuffled], lucky[shuffled])
    np.testing.assert_allclose(again, main_effects(facts, lucky)[shuffled])


def test_leave_one_out_scores_equal_those_of_a_loop():
    rng = np.random.default_rng(0)
    points, classes = rng.normal(size=(25, 4)), rng.integers(0, 3, 25)
    points[:, 0] += classes
    kernel = np.exp(-cdist(points, points, "sqeuclidean"))
    folds = [np.arange(25), np.arange(20), np.arange(7, 25), np.array([0, 3, 4, 9, 12, 24])]
    expected = []
    for some in folds:
        targets = np.where(classes[:, None] == np.unique(classes[some]), 1.0, -1.0)
        scores = []
        for ridge in _RIDGES:
            right, loss = 0, []
            for i in some:
                rest = np.setdiff1d(some, [i])
                system = kernel[np.ix_(rest, rest)] + 1 + ridge * np.eye(len(rest))
                weights = np.linalg.solve(system, targets[rest])
                predicted = (kernel[i, rest] + 1) @ weights
                right += targets[i, predicted.argmax()] > 0
                loss += ((predicted - targets[i]) ** 2).tolist()
            scores.append(right + 1 / (2 + np.mean(loss)))
        expected.append(max(scores))
    found = leave_one_out_scores(kernel, [TrainingPart.of(classes, some) for some in folds])
    np.testing.assert_allclose(found, expected, rtol=1e-6)
    changed = classes.copy()
    changed[20:] = 7
    assert leave_one_out_scores(kernel, [TrainingPart.of(changed, folds[1])]) == found[1:2]
    assert leave_one_out_scores(kernel, [TrainingPart.of(np.zeros(25), folds[0])]) == [0.0]


@pytest.mark.parametrize("normalize", [True, False])
@pytest.mark.parametrize("gaussian", [None, 0.5])
def test_shapes_equal_their_definition_and_new_rows_do_not_change_them(normalize, gaussian):
    rng = np.random.default_rng(1)
    points = rng.normal(size=(9, 3))
    own = points / np.linalg.norm(points, axis=1, keepdims=True) if normalize else points
    own = own if normalize else own / np.sqrt(np.mean(np.sum(points[:6] ** 2, axis=1)))
    expected = own @ own[:6].T
    if gaussian is not None:
        squares = cdist(own, own[:6], "sqeuclidean")
        apart = squares[:6][~np.eye(6, dtype=bool)]
        expected = np.exp(-gaussian * squares / np.median(apart))
    kernel = points @ points[:6].T
    lengths = np.sum(points**2, axis=1)
    found = shaped(kernel, lengths, Shape(normalize, gaussian))
    np.testing.assert_allclose(found, expected)
    alone = shaped(kernel[:6], lengths[:6], Shape(normalize, gaussian))
    np.testing.assert_array_equal(found[:6], alone)
    order = rng.permutation(6)
    mixed = shaped(kernel[:6][np.ix_(order, order)], lengths[order], Shape(normalize, gaussian))
    assert mixed.tobytes() == alone[np.ix_(order, order)].tobytes()
