"""What users see and what is lost when something breaks in the middle of a run.

Each fault is made for real, on the engine and the store that the app uses. A finished result that
is gone, or that changed, counts as lost; so does one that nobody can read any more.
"""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.report import Table
from mpgk_core.datasets import load
from mpgk_core.evaluation import ClassificationTask, Protocol, table_spec
from mpgk_core.jobs import Engine, Store, Unit, known_results

Results = dict[Unit, object]
FEW = 12
"""Finished folds before something breaks."""


def measure() -> Table:
    """Break things, one after the other."""
    table = Table(
        "Faults in the middle of a run",
        "A quick MUTAG run (AA, RA and WL, 30 folds) is broken after some folds. Lost: finished "
        "folds that are gone or changed afterwards. Every run was then finished.",
        ["fault", "finished before", "lost", "what the user sees"],
    )
    for name, fault in FAULTS.items():
        with TemporaryDirectory() as folder:
            before, after, words = fault(Path(folder) / "results.sqlite")
            lost = sum(_text(after.get(unit)) != _text(value) for unit, value in before.items())
            table.add(name, len(before), lost, words)
    return table


def _text(value: object) -> str:
    """Return a result as the store keeps it."""
    return json.dumps(value, sort_keys=True)


def _task() -> ClassificationTask:
    mutag = load("MUTAG")
    specs = tuple(table_spec(method, mutag.graphs) for method in ("AA", "RA", "WL"))
    return ClassificationTask(mutag.graphs, tuple(mutag.classes), specs, Protocol().quick())


def _begun(engine: Engine, task: ClassificationTask) -> Results:
    """Start a run and return its first results as soon as there are some."""
    engine.start(task, "user")
    while len(found := engine.results(task)) < FEW:
        time.sleep(0.05)
    return found


def _finished(path: Path, task: ClassificationTask) -> Results:
    with Store(path) as store, Engine(store, n_workers=1) as engine:
        return engine.run(task)


def _worker_killed(path: Path) -> tuple[Results, Results, str]:
    task = _task()
    with Store(path) as store, Engine(store, n_workers=1) as engine:
        before = _begun(engine, task)
        for child in _children():
            os.kill(child, signal.SIGKILL)
        status = engine.wait(task.key)
        assert status is not None
        return before, engine.results(task), f"the run goes on ({status.state})"


def _server_killed(path: Path) -> tuple[Results, Results, str]:
    task = _task()
    server = subprocess.Popen([sys.executable, "-m", "benchmarks.faults", str(path)])
    with Store(path) as store:
        while len(known_results(task, store)) < FEW:
            time.sleep(0.05)
        server.kill()
        server.wait()
        before = known_results(task, store)
    words = f"after the restart: {len(before)} of 30 folds. Press Run to resume."
    return before, _finished(path, task), words


def _two_servers(path: Path) -> tuple[Results, Results, str]:
    task = _task()
    other = subprocess.Popen([sys.executable, "-m", "benchmarks.faults", str(path)])
    with Store(path) as store, Engine(store, n_workers=1) as engine:
        before = _begun(engine, task)
        engine.wait(task.key)
        other.kill()
        other.wait()
        return before, known_results(task, store), "nothing: each takes over what the other did"


def _disk_full(path: Path) -> tuple[Results, Results, str]:
    task = _task()
    with Store(path) as store, Engine(store, n_workers=1) as engine:
        store.write("test", "key", {"place": 1})
        pages = store._opened().execute("PRAGMA page_count").fetchone()[0]
        store._opened().execute(f"PRAGMA max_page_count = {pages + 1}")
        status = engine.wait(engine.start(task, "user"))
        assert status is not None
        assert status.state == "failed", "the disk was not small enough"
        before = engine.results(task)
        store._opened().execute("PRAGMA max_page_count = 100000")
        return before, engine.run(task), status.problem.replace(str(path), "…")


def _store_truncated(path: Path) -> tuple[Results, Results, str]:
    """Cut the file while the run goes on: the engine still has what was finished in this run."""
    task = _task()
    with Store(path) as store, Engine(store, n_workers=1) as engine:
        before = _begun(engine, task)
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        os.truncate(path, path.stat().st_size // 2)
        engine.wait(task.key)
        after = engine.results(task)
        if len(after) < 30:
            after = engine.run(task)
        words = store.notice.split(". The damaged")[0] or "nothing"
        return before, after, words.replace(str(path.parent), "…")


def _clock_set_back(path: Path) -> tuple[Results, Results, str]:
    task = _task()
    behind = [0.0]
    with (
        Store(path, clock=lambda: time.time() - behind[0]) as store,
        Engine(store, n_workers=1) as engine,
    ):
        before = _begun(engine, task)
        behind[0] = 400 * 86_400.0
        store.prune()
        engine.wait(task.key)
        store.prune()
        return before, known_results(task, store), "nothing"


def _children() -> list[int]:
    """Return the worker processes of this process."""
    told = subprocess.run(
        ["ps", "-o", "pid=,args=", "--ppid", str(os.getpid())], capture_output=True, text=True
    )
    lines = [line.split(None, 1) for line in told.stdout.splitlines()]
    return [int(pid) for pid, words in lines if "spawn_main" in words]


FAULTS: dict[str, Callable[[Path], tuple[Results, Results, str]]] = {
    "worker killed": _worker_killed,
    "server killed and restarted": _server_killed,
    "two servers on one store": _two_servers,
    "disk full": _disk_full,
    "store file cut to half": _store_truncated,
    "clock set back by 400 days": _clock_set_back,
}

if __name__ == "__main__":
    with Store(sys.argv[1]) as kept, Engine(kept, n_workers=1) as server:
        server.run(_task())
