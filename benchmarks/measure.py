"""Ratios of times taken in one run, and peaks of memory in processes of their own."""

from __future__ import annotations

import json
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import Page

__all__ = ["forget_peak", "in_fresh_process", "peak_memory", "ratio", "seconds", "wait_for_picture"]


def seconds(work: Callable[[], Any], clock: Callable[[], float] = time.perf_counter) -> float:
    """Return how long one call takes; with ``time.process_time``, without waiting for others."""
    start = clock()
    work()
    return clock() - start


def ratio(
    ours: Callable[[], Any],
    theirs: Callable[[], Any],
    repeats: int,
    clock: Callable[[], float] = time.perf_counter,
) -> tuple[float, float, float]:
    """Return (median ratio, our median seconds, their median seconds), measured in turns."""
    ours(), theirs()
    pairs = [(seconds(ours, clock), seconds(theirs, clock)) for _ in range(repeats)]
    return (
        statistics.median(a / b for a, b in pairs),
        statistics.median(a for a, _ in pairs),
        statistics.median(b for _, b in pairs),
    )


def peak_memory() -> float:
    """Return the greatest amount of memory held since the last forgotten peak, in GB."""
    status = Path("/proc/self/status")
    if status.exists():
        return _status_value("VmHWM") / 1e6
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e9


def forget_peak() -> None:
    """Let ``peak_memory`` start from what is held now, where the system allows it."""
    if Path("/proc/self/clear_refs").exists():
        Path("/proc/self/clear_refs").write_text("5")


def _status_value(key: str) -> int:
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(f"{key}:"):
            return int(line.split()[1])
    raise KeyError(key)


def in_fresh_process(module: str, *arguments: str) -> dict[str, Any]:
    """Run ``python -m module arguments`` and return the JSON object that it prints last."""
    result = subprocess.run(
        [sys.executable, "-m", module, *arguments], capture_output=True, text=True, check=False
    )
    if result.returncode:
        raise RuntimeError(f"{module} {arguments} failed:\n{result.stderr}")
    answer: dict[str, Any] = json.loads(result.stdout.splitlines()[-1])
    return answer


def wait_for_picture(page: Page, picture: str) -> None:
    """Wait until something is seen, to a frame; a locator may look only every half second."""
    page.wait_for_function(
        "picture => document.querySelector(picture)?.checkVisibility()",
        arg=picture,
        polling="raf",
        timeout=120_000,
    )
