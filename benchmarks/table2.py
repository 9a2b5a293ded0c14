"""The paper's Table 2: 13 properties of the molecules of QM9, ours beside all published figures.

Hours of work, so it is done beforehand: ``mpgk reproduce table2 --data qm9.csv.gz --out FOLDER``.
``MPGK_TABLE2=FOLDER python -m benchmarks table2`` then writes down what is there; several folders
are joined by ``os.pathsep``.
"""

from __future__ import annotations

import csv
import os
from pathlib import Path

from benchmarks.report import Table
from mpgk_core.evaluation.regression import PUBLISHED_TABLE2


def measure() -> Table:
    """Show ours and all published errors of every target."""
    found: dict[str, dict[str, dict[str, float]]] = {}
    for folder in filter(None, os.environ.get("MPGK_TABLE2", "").split(os.pathsep)):
        with (Path(folder) / "table2.csv").open(newline="", encoding="utf-8") as file:
            for row in csv.DictReader(file):
                known = row["ours"] or row["published"]
                name, measured = row["method"].rsplit(", ", 1)
                of_method = found.setdefault(name if row["ours"] else f"{name}, published", {})
                of_method.setdefault(row["target"], {})[measured] = float(known)
    ordered = sorted(found, key=lambda name: not name.endswith("published"))
    table = Table(
        "The paper's Table 2: properties of molecules",
        "MAE / RMSE in units of the target's standard deviation. Published: measured by their "
        "authors on 133,885 molecules. One rule for all targets "
        "(`mpgk_core/evaluation/regression/results.py`): AA and WL with 2 rounds and shortest "
        "paths, elements and hybridisations as labels, hydrogens as vertices, bonds as labels of "
        "edges; "
        "settings chosen on the validation part.",
        ["target", *ordered],
    )
    for title in PUBLISHED_TABLE2.titles.values() if found else ():
        cells = [found[name].get(title) for name in ordered]
        table.add(title, *(f"{c['MAE']:.3f} / {c['RMSE']:.3f}" if c else "" for c in cells))
    return table
