"""Measure everything, print it, and write ``benchmarks/RESULTS.md``.

``python -m benchmarks [SECTION ...]`` measures only the named sections and only prints them.
"""

from __future__ import annotations

import importlib
import os
import platform
import sys
from pathlib import Path

SECTIONS = ("convolution", "peers", "growth", "large_sets", "start_up")


def main(chosen: list[str]) -> None:
    """Run the chosen sections, or all."""
    parts = [
        "# Results of `make bench`",
        f"Python {platform.python_version()}, {os.cpu_count()} cores. Each ratio is the median of "
        "ratios measured in turns in one run; times vary from machine to machine.",
    ]
    for section in chosen or SECTIONS:
        text = importlib.import_module(f"benchmarks.{section}").measure().markdown()
        print(text, flush=True)
        parts.append(text)
    if not chosen:
        Path(__file__).with_name("RESULTS.md").write_text("\n\n".join(parts))


if __name__ == "__main__":
    main(sys.argv[1:])
