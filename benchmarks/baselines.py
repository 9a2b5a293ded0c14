"""Kernels of other authors under the paper's protocol, beside their published figures.

This takes half an hour, so it is measured only by its name. With ``MPGK_BASELINES=FOLDER``, every
fold is kept in that folder, and an interrupted run goes on from there.
"""

from __future__ import annotations

import os
from pathlib import Path

from benchmarks.report import Table
from benchmarks.tu_data import data_folder, load
from mpgk_core.evaluation import PUBLISHED, Evaluation, Protocol, evaluate, summary_row, table_spec
from mpgk_core.jobs import Store

RUNS = {
    "ENZYMES": ("P2K", "HGK-WL", "GH", "GI", "DGK", "GL", "WWL"),
    "PROTEINS": ("P2K", "HGK-WL", "GL", "GI", "GH", "DGK"),
    "Synthie": ("P2K", "HGK-WL", "GH", "GI"),
    "IMDB-BINARY": ("DGK", "GL"),
}


def measure() -> Table:
    """Evaluate every baseline once, in ten folds."""
    table = Table(
        "Kernels of other authors",
        "Accuracy in per cent, one repetition of ten folds, with the deviation over the folds. "
        "Chosen on the training folds: C, T and the parameters of `BASELINES` in "
        "`mpgk_core/evaluation/tables.py`. Published: as in the paper's Table 1, mean and "
        "deviation over ten repetitions, with folds of their own; deviations over folds are "
        "larger. Kernels: time for the matrices of all candidates. The parameters to choose from "
        "were settled after trials on these same sets, so the figures are optimistic.",
        ["set", "kernel", "accuracy", "published", "difference", "T", "parameters", "kernels (s)"],
    )
    if data_folder() is None:
        return table
    folder = os.environ.get("MPGK_BASELINES")
    for name, methods in RUNS.items():
        data = load(name)
        store = None if folder is None else Store(Path(folder) / f"{name}.sqlite")
        for method in methods:
            spec = table_spec(method, data.graphs)
            rules = Protocol().quick()
            _add(table, name, evaluate(data.graphs, data.classes, spec, rules, store=store))
    return table


def _add(table: Table, name: str, found: Evaluation) -> None:
    row, method = summary_row(name, found), found.spec.method
    known = [one for one in PUBLISHED.figures(name) if one.method == method]
    published = f"{known[0].mean:.2f} ± {known[0].std:.2f}" if known else ""
    difference = f"{row['accuracy'] - known[0].mean:+.2f}" if known else ""
    accuracy = f"{row['accuracy']:.2f} ± {100 * found.fold_std:.2f}"
    facts = row["T"], row["parameters"], found.other_seconds
    table.add(name, method, accuracy, published, difference, *facts)
