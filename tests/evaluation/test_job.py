"""Evaluations in a process of their own: the same numbers, stopped and resumed."""

import pytest

from mpgk_core.evaluation import Journal, Protocol, evaluate, generate, table_spec
from mpgk_core.evaluation.job import (
    evaluations_so_far,
    job_progress,
    prepare_job,
    start_job,
)

PROTOCOL = Protocol(n_folds=5, n_repeats=1, iterations=(1,), C=(0.1, 1.0), inner_folds=2)
MADE = generate("motif", n_per_class=12)
METHODS = ["size", "AA"]


def facts(evaluation):
    return [(r.repeat, r.fold, r.C, r.T, r.predicted) for r in evaluation.records]


@pytest.fixture
def job(tmp_path):
    prepare_job(tmp_path, tmp_path / "kept", MADE.graphs, MADE.classes, METHODS, PROTOCOL)
    return tmp_path


def so_far(folder):
    return evaluations_so_far(folder / "kept", MADE.graphs, MADE.classes, METHODS, PROTOCOL)


def test_a_job_gives_the_numbers_of_a_direct_call(job):
    assert start_job(job).wait(timeout=240) == 0
    progress = job_progress(job)
    assert progress.is_finished
    assert progress.problem == ""
    assert (progress.done, progress.total) == (10, 10)
    for method, found in zip(METHODS, so_far(job), strict=True):
        direct = evaluate(MADE.graphs, MADE.classes, table_spec(method, MADE.graphs), PROTOCOL)
        assert facts(found) == facts(direct)


def test_nothing_is_computed_while_looking(job):
    assert [len(found.records) for found in so_far(job)] == [0, 0]
    assert job_progress(job).total == 10


def test_a_job_goes_on_where_it_was_stopped(job):
    stop = iter([False, False, False, True])
    spec = table_spec("size", MADE.graphs)
    journal = Journal(job / "kept" / "size.jsonl")
    evaluate(MADE.graphs, MADE.classes, spec, PROTOCOL, journal=journal,
             stop=lambda: next(stop, True))  # fmt: skip
    kept = facts(so_far(job)[0])
    assert 0 < len(kept) < 5
    assert start_job(job).wait(timeout=240) == 0
    assert facts(so_far(job)[0])[: len(kept)] == kept
    assert all(found.is_complete for found in so_far(job))


def test_a_problem_is_told(tmp_path):
    prepare_job(
        tmp_path, tmp_path / "kept", MADE.graphs, ["one"] * len(MADE.graphs), ["size"], PROTOCOL
    )
    start_job(tmp_path).wait(timeout=240)
    assert "class" in job_progress(tmp_path).problem
