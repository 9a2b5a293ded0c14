"""What a user waits for at the first call in a fresh process, once installed."""

from __future__ import annotations

import json
import statistics
import time

from benchmarks.measure import in_fresh_process, seconds
from benchmarks.report import Table
from mpgk_core.warm_up import warm_up


def measure() -> Table:
    """Compare the first run of all kernels on tiny graphs with the second."""
    warm_up()
    table = Table(
        "First call in a fresh process, compiled code on disk",
        "All four variants, both node kernels, WL-OA and orbits on two tiny graphs. Target: the "
        "first within 2 s of the second.",
        ["import (s)", "first call (s)", "second call (s)", "difference (s)"],
    )
    runs = [in_fresh_process("benchmarks.start_up") for _ in range(5)]
    median = {key: statistics.median(run[key] for run in runs) for key in runs[0]}
    difference = median["first"] - median["second"]
    table.add(median["import"], median["first"], median["second"], difference)
    return table


def _one() -> None:
    answer = {"first": seconds(warm_up), "second": seconds(warm_up)}
    print(json.dumps({"import": IMPORT_SECONDS, **answer}))


IMPORT_SECONDS = time.process_time()

if __name__ == "__main__":
    _one()
