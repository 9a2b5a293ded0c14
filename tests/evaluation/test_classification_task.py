"""Runs: parallel as serial, resumed as uninterrupted, stopped cleanly."""

from dataclasses import replace

import numpy as np
import pytest

from mpgk_core.evaluation.methods import KernelSpec
from mpgk_core.evaluation.nested_cv import ClassificationTask, evaluate
from mpgk_core.graphs import GraphSet
from mpgk_core.jobs import Engine, Store, known_results
from tests.evaluation.small_sets import QUICK, noisy_set
from tests.jobs.hand_workers import HandWorkers


def facts(evaluation):
    """Return all that a run found, without the time that it took."""
    return [replace(record, svm_seconds=0.0, other_seconds=0.0) for record in evaluation.records]


def task_of(graphs, classes, spec=None, protocol=QUICK):
    chosen = KernelSpec.of("WL") if spec is None else spec
    return ClassificationTask(graphs, tuple(classes), (chosen,), protocol)


@pytest.fixture
def store(tmp_path):
    with Store(tmp_path / "deep" / "results.sqlite") as opened:
        yield opened


@pytest.mark.parametrize("change", [{}, {"inductive": True}, {"solver": "linear"}])
def test_an_engine_gives_the_numbers_of_this_process(store, change):
    graphs, classes = noisy_set()
    protocol = replace(QUICK, **change)
    with Engine(store, workers=HandWorkers) as engine:
        spread = evaluate(graphs, classes, "AA", protocol, engine=engine)
    assert spread.is_complete
    assert facts(spread) == facts(evaluate(graphs, classes, "AA", protocol))


def test_units_in_any_order_give_the_same_numbers():
    graphs, classes = noisy_set()
    task = replace(task_of(graphs, classes), specs=(KernelSpec.of("WL"), KernelSpec.of("AA")))
    memory = {}
    backwards = {unit: task.run(unit, memory) for unit in reversed(task.units())}
    alone = {unit: task.run(unit, {}) for unit in task.units()}
    for one, two in zip(task.evaluations(backwards), task.evaluations(alone), strict=True):
        assert one.is_complete
        assert facts(one) == facts(two)


def test_resumed_run_equals_an_uninterrupted_one(store):
    graphs, classes = noisy_set()
    whole = evaluate(graphs, classes, "AA", QUICK)
    asked = []

    def stop():
        asked.append(True)
        return len(asked) > 4

    part = evaluate(graphs, classes, "AA", QUICK, store=store, stop=stop)
    assert 0 < len(part.records) < len(whole.records)
    assert not part.is_complete
    seen = []
    resumed = evaluate(
        graphs,
        classes,
        "AA",
        QUICK,
        store=store,
        progress=lambda done, total, left: seen.append((done, total, left)),
    )
    assert facts(resumed) == facts(whole)
    assert [done for done, _, _ in seen] == list(range(len(part.records) + 1, 7))
    assert all(total == 6 and left >= 0 for _, total, left in seen)
    assert seen[-1][2] == 0


def test_interrupt_loses_no_finished_fold(store):
    graphs, classes = noisy_set()

    def interrupt(done, total, left):
        if done == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        evaluate(graphs, classes, "WL", QUICK, store=store, progress=interrupt)
    assert len(known_results(task_of(graphs, classes), store)) == 3
    assert facts(evaluate(graphs, classes, "WL", QUICK, store=store)) == facts(
        evaluate(graphs, classes, "WL", QUICK)
    )


def test_known_folds_are_not_computed_again(store, monkeypatch):
    graphs, classes = noisy_set()
    first = evaluate(graphs, classes, "WL", QUICK, store=store)
    monkeypatch.setattr("mpgk_core.evaluation.nested_cv.kernel_samples", None)
    again = evaluate(graphs, classes, "WL", QUICK, store=store)
    assert again.records == first.records


def test_quick_run_is_a_part_of_the_full_one(store):
    graphs, classes = noisy_set()
    quick = evaluate(graphs, classes, "WL", QUICK.quick(), store=store)
    full = evaluate(graphs, classes, "WL", QUICK, store=store)
    assert full.records[:3] == quick.records


def test_stop_before_the_first_fold_computes_nothing(monkeypatch):
    graphs, classes = noisy_set()
    monkeypatch.setattr("mpgk_core.evaluation.nested_cv.kernel_samples", None)
    evaluation = evaluate(graphs, classes, "AA", QUICK, stop=lambda: True)
    assert evaluation.records == ()
    assert np.isnan(evaluation.mean)
    assert np.isnan(evaluation.std)


def test_linear_solver_agrees_with_the_kernel_one_on_an_easy_set():
    graphs, classes = noisy_set(20)
    kernel = evaluate(graphs, classes, "RA", QUICK)
    linear = evaluate(graphs, classes, "RA", replace(QUICK, solver="linear"))
    assert abs(kernel.mean - linear.mean) < 0.12
    assert linear.mean > 0.6


def test_same_call_gives_the_same_bytes_and_another_seed_other_folds():
    graphs, classes = noisy_set()
    one, two = (evaluate(graphs, classes, "RR", QUICK) for _ in range(2))
    assert facts(one) == facts(two)
    other = evaluate(graphs, classes, "RR", replace(QUICK, random_state=1))
    assert [r.test for r in other.records] != [r.test for r in one.records]


@pytest.mark.parametrize(
    "change",
    [
        {"spec": KernelSpec.of("AA", beta=0.3)},
        {"spec": KernelSpec.of("AR")},
        {"protocol": replace(QUICK, C=(1.0,))},
        {"protocol": replace(QUICK, random_state=5)},
        {"protocol": replace(QUICK, inductive=True)},
    ],
)
def test_the_key_changes_with_all_that_matters(change):
    graphs, classes = noisy_set(5)
    usual = {"spec": KernelSpec.of("AA"), "protocol": QUICK}
    keys = [
        task_of(graphs, classes, **settings).units()[0].key
        for settings in (usual, {**usual, **change})
    ]
    assert keys[0] != keys[1]


def test_the_key_does_not_change_with_the_number_of_repetitions():
    graphs, classes = noisy_set(5)
    quick, full = task_of(graphs, classes, protocol=QUICK.quick()), task_of(graphs, classes)
    assert quick.units() == full.units()[: len(quick.units())]
    assert quick.key != full.key


def test_the_key_changes_with_edges_labels_attributes_and_classes():
    graphs, classes = noisy_set(5)
    members = graphs.to_networkx()

    def key(changed_classes=classes):
        return task_of(GraphSet.from_networkx(members), changed_classes).units()[0].key

    seen = {key(), key(1 - classes)}
    assert key() in seen
    members[0].remove_edge(*next(iter(members[0].edges)))
    seen.add(key())
    members[0].nodes[0]["label"] = 7
    seen.add(key())
    members[0].nodes[0]["attributes"] = (0.5, 0.5)
    seen.add(key())
    assert len(seen) == 5
