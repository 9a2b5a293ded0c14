"""The engine for long work: same results, taking turns, stopping, dying workers, absent users."""

from __future__ import annotations

import threading
import time

import pytest

from mpgk_core.jobs import Engine, JobLimitError, Store, StoreError, run_task
from tests.jobs.hand_workers import HandWorkers
from tests.jobs.small_tasks import SLOW, Squares, squares


@pytest.fixture(scope="module")
def shared(tmp_path_factory):
    """One engine for all tests that do it no harm: workers take seconds to start."""
    with (
        Store(tmp_path_factory.mktemp("engine") / "results.sqlite") as store,
        Engine(store, n_workers=1) as engine,
    ):
        yield engine


def until(condition, what: str, seconds: float = 120.0) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, what
        time.sleep(0.02)


def test_a_task_gives_the_results_of_a_direct_call(shared):
    task = Squares("direct")
    assert list(shared.run(task).values()) == squares() == list(run_task(task).values())
    status = shared.status(task.key)
    assert (status.state, status.done, status.total, status.problem) == ("finished", 5, 5, "")


def test_results_are_in_the_store_and_are_not_computed_again(shared, tmp_path):
    task = Squares("kept")
    first = task.units()[0]
    shared.store.write(task.kind, first.key, {first.place: {"square": -1}})
    assert list(shared.run(task).values()) == [{"square": -1}, *squares()[1:]]
    assert shared.store.read(first.key)["4"] == {"square": 16}
    assert shared.results(task) == shared.run(task)


def test_a_longer_task_takes_over_what_a_shorter_one_has_done(shared):
    shared.run(Squares("longer", 3))
    told = []
    found = shared.run(Squares("longer", 6), progress=lambda *facts: told.append(facts))
    assert list(found.values()) == squares(6)
    assert told[-1][:2] == (6, 6)


def test_a_problem_is_told_in_words_and_what_is_done_is_kept(shared):
    task = Squares("troubled", trouble="problem")
    shared.wait(shared.start(task, "ann"))
    status = shared.status(task.key)
    assert (status.state, status.problem) == (
        "failed",
        "Number 3 cannot be squared. Choose another.",
    )
    assert [unit.place for unit in shared.results(task)] == ["0", "1", "2"]


def test_a_mistake_in_the_program_is_told_with_a_log(shared):
    task = Squares("mistaken", trouble="bug")
    shared.wait(shared.start(task, "ann"))
    status = shared.status(task.key)
    assert status.state == "failed"
    assert "ZeroDivisionError" in status.problem
    assert "small_tasks.py" in status.log


def test_a_worker_that_dies_is_replaced_and_its_unit_tried_again(shared, tmp_path):
    task = Squares("unlucky", trouble="dies once", folder=str(tmp_path), pause=SLOW)
    assert list(shared.run(task).values()) == squares()
    assert "tried once more" in shared.status(task.key).log


def test_a_worker_gives_back_what_it_has_not_begun_after_a_moment(tmp_path):
    task, hands = Squares("slow", 4, pause=SLOW), HandWorkers()
    hands.rest()
    with (
        Store(tmp_path / "results.sqlite") as store,
        Engine(store, workers=lambda: hands) as engine,
    ):
        engine.start(task, "ann")
        until(hands.advance, "several units are handed out")
        until(lambda: engine.status(task.key).done == 1, "the first of them is done")
        hands.go_on()
        assert engine.wait(task.key).state == "finished"
        assert list(engine.results(task).values()) == squares(4)


def test_quick_units_are_handed_out_together(tmp_path):
    task, hands = Squares("quick", 5), HandWorkers()
    hands.rest()
    with (
        Store(tmp_path / "results.sqlite") as store,
        Engine(store, workers=lambda: hands) as engine,
    ):
        engine.start(task, "ann")
        until(hands.advance, "all units are handed out")
        assert engine.wait(task.key).state == "finished"


def test_quick_units_whose_worker_dies_are_done_again_one_by_one(shared, tmp_path):
    task = Squares("quick and unlucky", trouble="dies once", folder=str(tmp_path))
    assert list(shared.run(task).values()) == squares()
    assert "one by one" in shared.status(task.key).log


def test_a_unit_that_kills_its_worker_twice_is_reported(shared, tmp_path):
    task = Squares("deadly", trouble="dies", folder=str(tmp_path), pause=SLOW)
    shared.wait(shared.start(task, "ann"))
    status = shared.status(task.key)
    assert status.state == "failed"
    assert "failed twice" in status.problem
    assert "signal 9" in status.log
    assert [unit.place for unit in shared.results(task)] == ["0", "1", "2"]
    assert list(shared.run(Squares("after the dead")).values()) == squares()


def test_stop_takes_effect_within_a_second_and_another_job_can_run(shared, tmp_path):
    task = Squares("stopped", trouble="wait", folder=str(tmp_path), pause=SLOW)
    key = shared.start(task, "ann")
    until((tmp_path / "begun").exists, "the unit begins")
    begin = time.monotonic()
    shared.stop(key, "ann")
    assert shared.status(key).state == "stopped"
    assert time.monotonic() - begin < 1.0
    assert [unit.place for unit in shared.results(task)] == ["0", "1", "2"]
    assert list(shared.run(Squares("after the stop")).values()) == squares()


def test_users_take_turns(shared, tmp_path):
    """A job of three units, started behind one of hundreds, does not wait for all of them."""
    long, short = Squares("long", 400), Squares("short", 3)
    shared.start(long, "ann")
    shared.start(short, "bob")
    shared.wait(short.key)
    assert shared.status(long.key).done < 300
    assert shared.wait(long.key).state == "finished"


def test_the_same_task_runs_once_for_two_users_and_until_both_stop(shared, tmp_path):
    task = Squares("wanted twice", trouble="wait", folder=str(tmp_path))
    key = shared.start(task, "ann")
    assert shared.start(task, "bob") == key
    shared.stop(key, "ann")
    assert shared.status(key).is_live
    assert [shared.is_wanted_by(key, user) for user in ("ann", "bob")] == [False, True]
    shared.stop(key, "bob")
    assert shared.status(key).state == "stopped"


def test_the_number_of_jobs_of_a_user_is_limited(shared, tmp_path):
    tasks = [Squares(f"many {n}", 3 + n, "wait", str(tmp_path)) for n in range(1, 6)]
    keys = [shared.start(task, "cleo") for task in tasks[:4]]
    with pytest.raises(JobLimitError, match="4 jobs"):
        shared.start(tasks[4], "cleo")
    assert [status.key for status in shared.jobs_of("cleo")] == keys
    assert shared.status(keys[3]).place >= 2
    for key in keys:
        shared.stop(key, "cleo")
    assert shared.jobs_of("cleo") == []


def test_many_threads_may_ask_and_stop_at_once(shared):
    tasks = [Squares(f"thread {n}", 4) for n in range(6)]
    found = {}

    def work(task: Squares) -> None:
        found[task.name] = list(shared.run(task, user=task.name).values())

    threads = [threading.Thread(target=work, args=(task,)) for task in tasks]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {task.name: squares(4) for task in tasks}


class Clock:
    def __init__(self) -> None:
        self.ahead = 0.0

    def __call__(self) -> float:
        return time.monotonic() + self.ahead


def test_a_job_whose_user_has_gone_is_stopped_and_found_again(tmp_path):
    clock = Clock()
    task = Squares("left alone", trouble="wait", folder=str(tmp_path), pause=SLOW)
    with (
        Store(tmp_path / "results.sqlite") as store,
        Engine(store, n_workers=1, patience=600, clock=clock) as engine,
    ):
        key = engine.start(task, "ann")
        until((tmp_path / "begun").exists, "the unit begins")
        clock.ahead = 590
        engine.seen("ann")
        clock.ahead = 1_100
        time.sleep(1.5)
        assert engine.status(key).is_live
        clock.ahead = 1_800
        until(lambda: not engine.status(key).is_live, "the job is stopped")
        assert engine.status(key).state == "stopped"
        assert "gone" in engine.status(key).log
        assert [unit.place for unit in engine.results(task)] == ["0", "1", "2"]


def test_a_unit_that_needs_too_much_memory_is_told_so(tmp_path):
    task = Squares("greedy", trouble="memory", folder=str(tmp_path), pause=SLOW)
    with (
        Store(tmp_path / "results.sqlite") as store,
        Engine(store, n_workers=1, worker_bytes=700_000_000) as engine,
    ):
        status = engine.wait(engine.start(task, "ann"))
        assert status.state == "failed"
        assert "0.7 GB of memory" in status.problem
        assert [unit.place for unit in engine.results(task)] == ["0", "1", "2"]


def test_results_that_cannot_be_written_are_told_and_kept_until_they_can(shared, monkeypatch):
    task = Squares("on a full disk")
    is_full = True
    write = shared.store.write

    def sometimes(kind, key, values):
        if is_full:
            raise StoreError("There is no space left on the disk.")
        write(kind, key, values)

    monkeypatch.setattr(shared.store, "write", sometimes)
    shared.wait(shared.start(task, "ann"))
    status = shared.status(task.key)
    assert (status.state, status.problem) == ("failed", "There is no space left on the disk.")
    kept = list(shared.results(task).values())
    assert kept
    assert kept == squares()[: len(kept)]
    is_full = False
    assert list(shared.run(task).values()) == squares()
    assert len(shared.store.read(task.units()[0].key)) == 5


def test_a_scheduler_given_by_its_address_gives_the_same(tmp_path):
    from distributed import LocalCluster

    with (
        LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address=None, host="127.0.0.1"
        ) as cluster,
        Store(tmp_path / "results.sqlite") as store,
        Engine(store, address=cluster.scheduler_address) as engine,
    ):
        assert list(engine.run(Squares("elsewhere")).values()) == squares()


def test_a_scheduler_that_is_not_there_is_told(tmp_path):
    task = Squares("nowhere")
    with (
        Store(tmp_path / "results.sqlite") as store,
        Engine(store, address="tcp://127.0.0.1:9") as engine,
    ):
        status = engine.wait(engine.start(task, "ann"))
        assert status.state == "failed"
        assert "workers could not be used" in status.problem


def test_a_store_that_breaks_in_the_middle_of_a_job_loses_none_of_its_results(tmp_path):
    task, hands = Squares("on a broken disk", 6, pause=SLOW), HandWorkers()
    hands.rest()
    path = tmp_path / "results.sqlite"
    with Store(path) as store, Engine(store, workers=lambda: hands) as engine:
        engine.start(task, "ann")
        for number in range(3):
            until(hands.advance, "a unit is handed out")
            until(lambda n=number: len(engine.results(task)) == n + 1, "its result is there")
        store.close()
        path.write_bytes(b"nothing of a database is left")
        hands.go_on()
        assert engine.wait(task.key).state == "finished"
        assert list(engine.results(task).values()) == squares(6)
        assert "damaged" in store.notice
