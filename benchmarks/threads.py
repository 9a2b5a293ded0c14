"""What threads of linear algebra cost or gain where evaluations run side by side."""

from __future__ import annotations

import json
import os
import statistics
import sys
import time
from concurrent.futures import ThreadPoolExecutor

from threadpoolctl import threadpool_limits

from benchmarks.measure import in_fresh_process
from benchmarks.report import Table
from mpgk_core.datasets import available, load
from mpgk_core.evaluation import Protocol, evaluate, table_spec

_RUNS = (("MUTAG", "AA"), ("ENZYMES", "RR"))
_TURNS = 3


def measure() -> Table:
    """Evaluate in as many processes as there are cores, with all threads and with one."""
    table = Table(
        "Threads of linear algebra while evaluations run side by side",
        "As many processes as cores, each of them 1 x 10 folds; all threads (the default of BLAS) "
        "against one (what the command line and exported programs set), in turns. Above 1: one "
        "thread is faster. Accuracies are the same.",
        ["data", "kernel", "all threads (s)", "one (s)", "ratio", "ratio of processor time"],
    )
    for name, method in _RUNS:
        if name in available():
            turns = [_in_turn(name, method) for _ in range(_TURNS)]
            table.add(name, method, *_summary(turns))
    return table


def _in_turn(name: str, method: str) -> tuple[dict[str, float], dict[str, float]]:
    return _together(name, method, "all"), _together(name, method, "one")


def _together(name: str, method: str, threads: str) -> dict[str, float]:
    n = os.cpu_count() or 1
    with ThreadPoolExecutor(n) as pool:
        arguments = [[name, method, threads]] * n
        found = list(pool.map(lambda a: in_fresh_process("benchmarks.threads", *a), arguments))
    return {key: max(one[key] for one in found) for key in found[0]}


def _summary(turns: list[tuple[dict[str, float], dict[str, float]]]) -> list[float]:
    assert all(a["accuracy"] == b["accuracy"] for a, b in turns)
    return [
        statistics.median(a["seconds"] for a, _ in turns),
        statistics.median(b["seconds"] for _, b in turns),
        statistics.median(a["seconds"] / b["seconds"] for a, b in turns),
        statistics.median(a["processor"] / b["processor"] for a, b in turns),
    ]


def _one(name: str, method: str, threads: str) -> None:
    data = load(name)
    spec = table_spec(method, data.graphs)
    if threads == "one":
        threadpool_limits(1)
    start, processor = time.perf_counter(), time.process_time()
    found = evaluate(data.graphs, data.classes, spec, Protocol(n_repeats=1))
    spent = {
        "seconds": time.perf_counter() - start,
        "processor": time.process_time() - processor,
        "accuracy": found.mean,
    }
    print(json.dumps(spent))


if __name__ == "__main__":
    _one(*sys.argv[1:])
