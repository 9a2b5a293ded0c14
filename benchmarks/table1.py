"""The paper's Table 1: all four variants on its data sets, with what that costs.

Hours of work, so it is done beforehand: ``python -m benchmarks.table1 FOLDER``. The folder keeps
every fold, and an interrupted run goes on from there. ``MPGK_REPEATS=1`` leaves it at one
repetition of every set. ``MPGK_TABLE1=FOLDER python -m benchmarks table1`` then writes down what
is there.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from time import perf_counter, process_time

from benchmarks.measure import in_fresh_process, peak_memory
from benchmarks.report import Table
from benchmarks.tu_data import data_folder, load
from mpgk_core.evaluation import PUBLISHED, Protocol, evaluate, summary_row, table_spec
from mpgk_core.jobs import Store

VARIANTS = ("AA", "RA", "AR", "RR")
REPEATS = {
    "MUTAG": 10,
    "ENZYMES": 10,
    "PROTEINS": 10,
    "Synthie": 10,
    "IMDB-BINARY": 10,
    "IMDB-MULTI": 10,
    "NCI1": 1,
    "REDDIT-BINARY": 1,
    "COLLAB": 1,
}


def measure() -> Table:
    """Show what is in the folder."""
    table = Table(
        "The paper's protocol",
        "Accuracy in per cent, mean and standard deviation over the repetitions or, of one "
        "repetition, over its folds. Chosen on the training folds, in every fold anew, by one rule "
        "for all sets (`mpgk_core/evaluation/choices.py`): initial features, alpha and beta, edge "
        "labels, rounds, Gaussian or not, lengths one or not, and C; how often is shown. Trees "
        "have 4 clusters per split and depth 8. Paper: the same variant there. Best published: "
        "the best figure of any method in the paper. CPU time is that of one process for all "
        "folds; wall time was measured beside other work.",
        [
            "set",
            "kernel",
            "accuracy",
            "paper",
            "best published",
            "protocol",
            "T",
            "C",
            "rounds",
            "parameters",
            "CPU (s)",
            "wall (s)",
            "peak (GB)",
        ],
    )
    chosen = os.environ.get("MPGK_TABLE1")
    if chosen is None or data_folder() is None:
        return table
    for name in REPEATS:
        for variant in VARIANTS:
            kept = _kept(Path(chosen), name, variant)
            if not kept.exists():
                table.add(name, variant, "not run", *[""] * 10)
                continue
            result = json.loads(kept.read_text())
            row, costs = result["row"], result["costs"]
            spread = "" if row["std"] is None else f" ± {row['std']:.2f}"
            table.add(
                name,
                variant,
                f"{row['accuracy']:.2f}{spread}",
                f"{PUBLISHED.accuracy[name][f'MPGK {variant}'][0]:.2f}",
                f"{row['published']:.2f}",
                row["protocol"],
                row["T"],
                row["C"],
                row["levels"],
                row["parameters"],
                costs["cpu"],
                costs["wall"],
                costs["gigabytes"],
            )
    return table


def _kept(folder: Path, name: str, variant: str) -> Path:
    return folder / f"{name}-{variant}.json"


def _run(folder: Path) -> None:
    """Evaluate what is not in the folder yet, each kernel in a process of its own."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in REPEATS:
        for variant in VARIANTS:
            kept = _kept(folder, name, variant)
            if not kept.exists():
                result = in_fresh_process("benchmarks.table1", str(folder), name, variant)
                kept.write_text(json.dumps(result))


def _one(folder: Path, name: str, variant: str) -> None:
    begin, cpu = perf_counter(), process_time()
    data = load(name)
    evaluation = evaluate(
        data.graphs,
        data.classes,
        table_spec(variant, data.graphs),
        Protocol(n_repeats=int(os.environ.get("MPGK_REPEATS", REPEATS[name]))),
        store=Store(folder / f"{name}.sqlite"),
    )
    costs = {
        "wall": perf_counter() - begin,
        "cpu": process_time() - cpu,
        "gigabytes": peak_memory(),
    }
    print(json.dumps({"row": summary_row(name, evaluation), "costs": costs}))


if __name__ == "__main__":
    if len(sys.argv) == 2:
        _run(Path(sys.argv[1]))
    else:
        _one(Path(sys.argv[1]), sys.argv[2], sys.argv[3])
