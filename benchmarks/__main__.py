"""Measure, print, and write ``benchmarks/RESULTS.md``.

``python -m benchmarks [SECTION ...]`` measures only the named sections and leaves the others as
they were. ``table1`` and ``table2`` take hours, ``baselines`` and ``soak`` half an hour; they are
measured only by their names.
"""

from __future__ import annotations

import importlib
import os
import platform
import sys
from pathlib import Path

from benchmarks.report import Table

SECTIONS = (
    "convolution",
    "edges",
    "peers",
    "growth",
    "large_sets",
    "maps",
    "start_up",
    "reading",
    "repaint",
    "dragging",
    "crowd",
    "quick_run",
    "svm",
    "sweep",
    "threads",
    "jobs",
    "faults",
    "features",
    "airports",
    "isomorphism",
)
RESULTS = Path(__file__).with_name("RESULTS.md")


def main(chosen: list[str]) -> None:
    """Run the chosen sections, or all."""
    for section in chosen or SECTIONS:
        found = importlib.import_module(f"benchmarks.{section}").measure()
        for table in [found] if isinstance(found, Table) else found:
            record(table)


def record(table: Table) -> None:
    """Print a table, and put it in the place of an older one with the same title."""
    sections = _recorded()
    text = table.markdown()
    print(text, flush=True)
    sections[text.splitlines()[0]] = text
    head = (
        "# Results of `make bench`\n\n"
        f"Python {platform.python_version()}, {os.cpu_count()} cores. Each ratio is the median of "
        "ratios measured in turns in one run; times vary from machine to machine.\n"
    )
    RESULTS.write_text("\n\n".join([head, *sections.values()]).replace("\n\n\n", "\n\n"))


def _recorded() -> dict[str, str]:
    """Return the sections of the last run by their titles."""
    parts = RESULTS.read_text().split("\n## ")[1:] if RESULTS.exists() else []
    return {f"## {part.splitlines()[0]}": f"## {part.rstrip()}\n" for part in parts}


if __name__ == "__main__":
    main(sys.argv[1:])
