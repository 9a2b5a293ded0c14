"""The paper's Table 2: 13 properties of the molecules of QM9, ours beside all published figures.

Hours of work, so it is done beforehand: ``mpgk reproduce table2 --data qm9.csv.gz --out FOLDER``.
``MPGK_TABLE2=FOLDER python -m benchmarks table2`` then writes down what is there.
"""

from __future__ import annotations

import csv
import os
from pathlib import Path

from benchmarks.report import Table
from mpgk_core.evaluation.regression import PUBLISHED_TABLE2


def measure() -> Table:
    """Show ours and the best published error of every target."""
    chosen = os.environ.get("MPGK_TABLE2")
    found: dict[str, dict[str, dict[str, float]]] = {}
    if chosen is not None:
        with (Path(chosen) / "table2.csv").open(newline="", encoding="utf-8") as file:
            for row in csv.DictReader(file):
                if row["ours"]:
                    model, measured = row["method"].rsplit(", ", 1)
                    of_target = found.setdefault(model, {}).setdefault(row["target"], {})
                    of_target[measured] = float(row["ours"])
    table = Table(
        "The paper's Table 2: properties of molecules",
        "MAE / RMSE in units of the target's standard deviation. Best published: the smallest of "
        "each over all methods in the paper, measured by their authors on 133,885 molecules. One "
        "rule for all targets (`mpgk_core/evaluation/regression/tables.py`): AA with 3 rounds and "
        "shortest paths, elements as labels, hydrogens as vertices, bonds as labels of edges; "
        "settings chosen on the validation part.",
        ["target", "best published", *found],
    )
    for key, title in PUBLISHED_TABLE2.titles.items() if found else ():
        best = _both(PUBLISHED_TABLE2.best(key)) if key in PUBLISHED_TABLE2.errors else ""
        own = [of.get(title) for of in found.values()]
        table.add(title, best, *(_both((c["MAE"], c["RMSE"])) if c else "" for c in own))
    return table


def _both(errors: tuple[float, float]) -> str:
    return f"{errors[0]:.3f} / {errors[1]:.3f}"
