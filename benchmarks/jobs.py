"""What the engine for long work costs, and whether it changes any number."""

from __future__ import annotations

from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

from distributed import LocalCluster

from benchmarks.measure import ratio
from benchmarks.report import Table
from mpgk_core.datasets import load
from mpgk_core.evaluation import ClassificationTask, Evaluation, Protocol, table_spec
from mpgk_core.jobs import Engine, Store, run_task

METHODS = ("AA", "RA", "WL", "size")
REPEATS = 5


def measure() -> Table:
    """Evaluate MUTAG by quick runs, with the engine and without, in turns."""
    table = Table(
        "The engine for long work on a quick MUTAG run",
        f"Kernels {', '.join(METHODS)}, 1 × 10 folds each; workers are started before. Direct "
        "calls are made in this process, one fold after the other. Target: ratio at most 1.1 "
        "with one worker. Equal: the same predictions and the same choices in every fold.",
        ["where", "engine (s)", "direct (s)", "ratio", "equal"],
    )
    mutag = load("MUTAG")
    specs = tuple(table_spec(method, mutag.graphs) for method in METHODS)
    task = ClassificationTask(mutag.graphs, tuple(mutag.classes), specs, Protocol().quick())
    direct = _facts(task.evaluations(run_task(task)))
    with TemporaryDirectory() as folder:
        stores = (Store(Path(folder) / f"{number}.sqlite") for number in count())
        with Engine(next(stores), n_workers=1) as engine:
            _measure(table, "embedded, one worker", engine, task, stores, direct)
        with (
            LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address="127.0.0.1:0") as two,
            Engine(next(stores), address=two.scheduler_address) as engine,
        ):
            _measure(table, "two workers, by address", engine, task, stores, direct)
    return table


def _measure(table, where, engine, task, stores, direct) -> None:  # type: ignore[no-untyped-def]
    found = {}

    def ours() -> None:
        engine.store = next(stores)
        found.update(engine.run(task))

    value, own, plain = ratio(ours, lambda: run_task(task), REPEATS)
    is_equal = _facts(task.evaluations(found)) == direct
    table.add(where, own, plain, value, "yes" if is_equal else "NO")


def _facts(evaluations: list[Evaluation]) -> list[object]:
    return [
        (record.predicted, record.C, record.T, record.levels, record.setting)
        for evaluation in evaluations
        for record in evaluation.records
    ]
