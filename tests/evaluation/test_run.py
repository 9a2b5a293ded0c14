"""Runs: parallel as serial, resumed as uninterrupted, stopped cleanly."""

from dataclasses import replace

import joblib
import numpy as np
import pytest

from mpgk_core.evaluation.identity import content_digest, run_key
from mpgk_core.evaluation.journal import Journal
from mpgk_core.evaluation.kernel_spec import KernelSpec
from mpgk_core.evaluation.protocol import Protocol
from mpgk_core.evaluation.run import evaluate
from mpgk_core.graphs import GraphSet
from tests.evaluation.small_sets import QUICK, noisy_set


def facts(evaluation):
    """Return all that a run found, without the time that it took."""
    return [replace(record, svm_seconds=0.0, other_seconds=0.0) for record in evaluation.records]


def test_parallel_equals_serial():
    graphs, classes = noisy_set()
    serial = evaluate(graphs, classes, "AA", QUICK)
    with joblib.parallel_config(backend="threading", n_jobs=3):
        threaded = evaluate(graphs, classes, "AA", QUICK)
    assert serial.is_complete
    assert facts(serial) == facts(threaded)


def test_processes_equal_serial():
    graphs, classes = noisy_set()
    assert facts(evaluate(graphs, classes, "WL", QUICK, n_jobs=2)) == facts(
        evaluate(graphs, classes, "WL", QUICK)
    )


def test_resumed_run_equals_an_uninterrupted_one(tmp_path):
    graphs, classes = noisy_set()
    whole = evaluate(graphs, classes, "AA", QUICK)
    journal = Journal(tmp_path / "deep" / "journal.jsonl")
    asked = []

    def stop():
        asked.append(True)
        return len(asked) > 4

    part = evaluate(graphs, classes, "AA", QUICK, journal=journal, stop=stop)
    assert 0 < len(part.records) < len(whole.records)
    assert not part.is_complete
    seen = []
    resumed = evaluate(
        graphs,
        classes,
        "AA",
        QUICK,
        journal=journal,
        progress=lambda done, total, left: seen.append((done, total, left)),
    )
    assert facts(resumed) == facts(whole)
    assert [done for done, _, _ in seen] == list(range(len(part.records) + 1, 7))
    assert all(total == 6 and left >= 0 for _, total, left in seen)
    assert seen[-1][2] == 0


def test_interrupt_loses_no_finished_fold(tmp_path):
    graphs, classes = noisy_set()
    journal = Journal(tmp_path / "journal.jsonl")

    def interrupt(done, total, left):
        if done == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        evaluate(graphs, classes, "WL", QUICK, journal=journal, progress=interrupt)
    key = run_key(content_digest(graphs, classes), KernelSpec.of("WL"), QUICK)
    assert len(journal.records(key)) == 3
    assert facts(evaluate(graphs, classes, "WL", QUICK, journal=journal)) == facts(
        evaluate(graphs, classes, "WL", QUICK)
    )


def test_known_folds_are_not_computed_again(tmp_path, monkeypatch):
    graphs, classes = noisy_set()
    journal = Journal(tmp_path / "journal.jsonl")
    first = evaluate(graphs, classes, "WL", QUICK, journal=journal)
    monkeypatch.setattr("mpgk_core.evaluation.run.square_matrices", None)
    again = evaluate(graphs, classes, "WL", QUICK, journal=journal)
    assert again.records == first.records


def test_quick_run_is_a_part_of_the_full_one(tmp_path):
    graphs, classes = noisy_set()
    journal = Journal(tmp_path / "journal.jsonl")
    quick = evaluate(graphs, classes, "WL", QUICK.quick(), journal=journal)
    full = evaluate(graphs, classes, "WL", QUICK, journal=journal)
    assert full.records[:3] == quick.records


def test_stop_before_the_first_fold_computes_nothing(monkeypatch):
    graphs, classes = noisy_set()
    monkeypatch.setattr("mpgk_core.evaluation.run.square_matrices", None)
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
        {"content": "other"},
    ],
)
def test_key_changes_with_all_that_matters(change):
    usual = {"content": "some", "spec": KernelSpec.of("AA"), "protocol": QUICK}
    assert run_key(**usual) != run_key(**{**usual, **change})


def test_key_does_not_change_with_the_number_of_repetitions():
    spec = KernelSpec.of("AA")
    assert run_key("", spec, Protocol(n_repeats=1)) == run_key("", spec, Protocol())


def test_content_changes_with_edges_labels_attributes_and_classes():
    graphs, classes = noisy_set(5)
    members = graphs.to_networkx()
    seen = {content_digest(graphs, classes)}
    assert content_digest(GraphSet.from_networkx(members), classes) in seen
    members[0].remove_edge(*next(iter(members[0].edges)))
    seen.add(content_digest(GraphSet.from_networkx(members), classes))
    members[0].nodes[0]["label"] = 7
    seen.add(content_digest(GraphSet.from_networkx(members), classes))
    members[0].nodes[0]["attributes"] = (0.5, 0.5)
    seen.add(content_digest(GraphSet.from_networkx(members), classes))
    seen.add(content_digest(graphs, 1 - classes))
    assert len(seen) == 5
