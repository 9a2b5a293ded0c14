"""Read damaged files by the thousand: ``python -m scripts.fuzz_readers --inputs 100000``.

Input i depends on the seed and on i alone, so every fault can be seen again with ``--only i``.
The files are read in a process of its own: one that crashes or hangs is a fault, and the next
process goes on behind it.
"""

from __future__ import annotations

import argparse
import ctypes
import gc
import json
import multiprocessing
import resource
import signal
import sys
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Callable
from functools import partial
from multiprocessing.sharedctypes import Synchronized
from pathlib import Path
from random import Random
from typing import Any, TypeVar

from tests.formats.hostile_files import hostile_files
from tests.formats.mutations import mutated
from tests.formats.promises import outcome
from tests.formats.valid_files import valid_files

T = TypeVar("T")

MOST_SECONDS = 5.0
MOST_MEGABYTES = 512
#: A process that works so long on one file is ended.
HANGING_SECONDS = 60
#: No more than this is given to a process, whatever it asks for.
ADDRESS_SPACE = 8 << 30


def damaged(seed: int, i: int) -> tuple[str, str, bytes]:
    """Return input i: the format it was made from, its name, and its content."""
    chance, files = Random(f"{seed} {i}"), valid_files()
    file = files[i % len(files)]
    return file.title, *mutated(chance, file, files)


def measured(action: Callable[[], T]) -> tuple[T | None, str, float, float]:
    """Return the result, the fault if there is one, and how many seconds and megabytes it took."""
    signal.setitimer(signal.ITIMER_PROF, HANGING_SECONDS)
    Path("/proc/self/clear_refs").write_text("5")
    before, began = _megabytes("VmRSS"), time.process_time()
    result, fault = None, ""
    try:
        result = action()
    except Exception:
        fault = traceback.format_exc(limit=-4)
    seconds, growth = time.process_time() - began, _megabytes("VmHWM") - before
    if not fault and seconds > MOST_SECONDS:
        fault = f"{seconds:.1f} seconds"
    if not fault and growth > MOST_MEGABYTES:
        fault = f"{growth:.0f} megabytes"
    signal.setitimer(signal.ITIMER_PROF, 0)
    return result, fault, seconds, growth


def prepare() -> None:
    """Bound the memory of this process, make warnings faults, and compile what is compiled."""
    resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, ADDRESS_SPACE))
    warnings.simplefilter("error")
    for file in valid_files():
        outcome(file.name, file.content)


def run(seed: int, start: int, stop: int, at: Synchronized[int], journal: Path) -> None:
    """Read the inputs from start to stop, and write down every fault, and now and then a sum."""
    prepare()
    sums: Counter[str] = Counter()
    slowest, largest = 0.0, 0.0
    for i in range(start, stop):
        at.value = i
        title, name, content = damaged(seed, i)
        result, fault, seconds, growth = measured(partial(outcome, name, content))
        slowest, largest = max(slowest, seconds), max(largest, growth)
        if result is not None:
            sums["refused" if isinstance(result, str) else "read"] += 1
        if fault:
            _write(journal, {"fault": fault, "i": i, "title": title, "name": name})
        if (i + 1) % 1000 == 0 or i + 1 == stop:
            _write(journal, {"done": i + 1, **sums, "seconds": slowest, "megabytes": largest})
            sums.clear()


def run_corpus() -> str:
    """Read the corpus of hostile files in this process; return a table of the dearest."""
    prepare()
    rows, faults = [], []
    for file in hostile_files():
        content = file.bytes
        _give_back_memory()
        result, fault, seconds, growth = measured(partial(outcome, file.name, content))
        if result is not None:
            _, wrong, *_ = measured(partial(file.expected, result))
            fault = fault or (wrong if "Error" in wrong else "")
        rows.append((seconds, growth, len(content), str(file)))
        if fault:
            faults.append(f"- {file}: {fault.splitlines()[-1]}")
    dearest = sorted(rows, reverse=True)[:10]
    dearest += [row for row in sorted(rows, key=lambda row: -row[1])[:10] if row not in dearest]
    return "\n".join(
        [
            f"Files: {len(rows):,}. Faults: {len(faults):,}. Slowest: {max(rows)[0]:.2f} s. "
            f"Largest growth: {max(row[1] for row in rows):.0f} MB.",
            "",
            "| the dearest files | size (MB) | time (s) | memory (MB) |",
            "| --- | --- | --- | --- |",
            *(
                f"| {name} | {size / 1e6:.1f} | {seconds:.2f} | {growth:.0f} |"
                for seconds, growth, size, name in dearest
            ),
            *faults,
            "",
        ]
    )


def supervise(seed: int, n_inputs: int, journal: Path) -> None:
    """Start processes until all inputs were read."""
    spawn = multiprocessing.get_context("spawn")
    at: Synchronized[int] = spawn.Value("q", 0)
    start = 0
    while start < n_inputs:
        process = spawn.Process(target=run, args=(seed, start, n_inputs, at, journal))
        process.start()
        process.join()
        if process.exitcode == 0:
            return
        title, name, _ = damaged(seed, at.value)
        fault = f"The process ended with {process.exitcode}."
        _write(journal, {"fault": fault, "i": at.value, "title": title, "name": name})
        start = at.value + 1


def summary(seed: int, n_inputs: int, journal: Path) -> str:
    """Return the journal as a page: how many inputs, of which formats, and all faults."""
    lines = [json.loads(line) for line in journal.read_text().splitlines()]
    sums = [line for line in lines if "done" in line]
    faults = [line for line in lines if "fault" in line]
    titles = Counter(file.title for file in valid_files())
    shares = {
        title: sum(valid_files()[i % len(valid_files())].title == title for i in range(n_inputs))
        for title in titles
    }
    rows = [f"| {title} | {titles[title]} | {shares[title]:,} |" for title in titles]
    page = [
        "# Damaged files, read by `python -m scripts.fuzz_readers`",
        "",
        f"Inputs: {n_inputs:,}. Seed: {seed}. Read: {sum(s.get('read', 0) for s in sums):,}. "
        f"Refused with a reason: {sum(s.get('refused', 0) for s in sums):,}. "
        f"Faults: {len(faults):,}.",
        "",
        f"A fault is any other exception, a warning, a message without file or advice, tables that "
        f"contradict themselves, a crash, more than {MOST_SECONDS:.0f} s of processor time, or "
        f"more than {MOST_MEGABYTES} MB on top of what the process held before.",
        "",
        f"Slowest input: {max(s['seconds'] for s in sums):.2f} s. "
        f"Largest growth: {max(s['megabytes'] for s in sums):.0f} MB.",
        "",
        "| made from | seed files | inputs |",
        "| --- | --- | --- |",
        *rows,
        "",
    ]
    page += [f"- Input {f['i']} ({f['title']}): {f['fault'].splitlines()[-1]}" for f in faults]
    return "\n".join(page).rstrip() + "\n"


def _give_back_memory() -> None:
    """Free what is held in reserve, for growth into it would not be seen."""
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)


def _megabytes(key: str) -> float:
    with open("/proc/self/status") as facts:  # noqa: PTH123  read thousands of times
        for line in facts:
            if line.startswith(key):
                return int(line.split()[1]) / 1024
    raise KeyError(key)


def _write(journal: Path, fact: dict[str, Any]) -> None:
    with journal.open("a") as file:
        file.write(json.dumps(fact) + "\n")


def main() -> None:
    """Run, or show one input."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--inputs", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--journal", type=Path, default=Path("fuzz.jsonl"))
    parser.add_argument("--report", type=Path, help="where to write the summary")
    parser.add_argument("--corpus", action="store_true", help="read the hostile files instead")
    parser.add_argument("--only", type=int, help="read this input here, without a net")
    options = parser.parse_args()
    if options.corpus:
        sys.stdout.write(run_corpus())
        return
    if options.only is not None:
        title, name, content = damaged(options.seed, options.only)
        sys.stdout.write(f"{title} {name} {content[:3000]!r}\n")
        sys.stdout.write(f"{outcome(name, content)}\n")
        return
    options.journal.unlink(missing_ok=True)
    supervise(options.seed, options.inputs, options.journal)
    page = summary(options.seed, options.inputs, options.journal)
    if options.report is not None:
        options.report.write_text(page)
    sys.stdout.write(page)
    sys.exit("Faults: 0." not in page)


if __name__ == "__main__":
    main()
