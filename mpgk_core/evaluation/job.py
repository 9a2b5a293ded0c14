"""Evaluations in a process of their own, so that whoever waits for them stays free.

A job is a folder: ``data.pickle`` and ``job.json`` say what to do, and ``progress.json`` tells how
far the job is. Every fold is written to a journal, which several jobs on the same data may share,
as soon as it is done. Ending the process loses at most the fold it was working on; starting the
job again goes on from there. A job ends by itself when whoever started it is gone.
"""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from mpgk_core.errors import MPGKError
from mpgk_core.evaluation.job_folder import (
    JobProgress,
    job_progress,
    replace_file,
    report_progress,
    run_module,
    step_back,
)
from mpgk_core.evaluation.journal import Journal
from mpgk_core.evaluation.protocol import Protocol
from mpgk_core.evaluation.results import Evaluation
from mpgk_core.evaluation.run import evaluate
from mpgk_core.evaluation.table1 import table_spec
from mpgk_core.graphs import GraphSet

__all__ = ["JobProgress", "evaluations_so_far", "job_progress", "prepare_job", "start_job"]


def prepare_job(
    folder: Path,
    journals: Path,
    graphs: GraphSet,
    classes: Any,
    methods: Sequence[str],
    protocol: Protocol,
) -> None:
    """Write what there is to do into a folder; results already in the journals are kept.

    Parameters
    ----------
    folder : Path
        For this job alone.
    journals : Path
        The folder of results, one file for each method.
    graphs : GraphSet
    classes : sequence of length N
    methods : sequence of str
        Kernels, with the choices of :func:`~mpgk_core.evaluation.table1.table_spec`.
    protocol : Protocol
    """
    folder.mkdir(parents=True, exist_ok=True)
    replace_file(folder / "data.pickle", pickle.dumps((graphs, list(classes))))
    task = {"methods": list(methods), "protocol": asdict(protocol), "journals": str(journals)}
    replace_file(folder / "job.json", json.dumps(task).encode())
    report_progress(folder, JobProgress(total=len(methods) * protocol.n_folds * protocol.n_repeats))


def start_job(folder: Path) -> subprocess.Popen[bytes]:
    """Begin or go on with a job in a new process.

    Parameters
    ----------
    folder : Path
        Prepared by :func:`prepare_job`.

    Returns
    -------
    subprocess.Popen
    """
    return run_module("mpgk_core.evaluation.job", folder)


def evaluations_so_far(
    journals: Path, graphs: GraphSet, classes: Any, methods: Sequence[str], protocol: Protocol
) -> list[Evaluation]:
    """Return what is known of every kernel, without computing anything.

    Parameters
    ----------
    journals, graphs, classes, methods, protocol
        As for :func:`prepare_job`.

    Returns
    -------
    list of Evaluation
        One per method, possibly without any fold.
    """
    return [
        evaluate(
            graphs,
            classes,
            table_spec(method, graphs),
            protocol,
            journal=Journal(journals / f"{method}.jsonl"),
            stop=lambda: True,
        )
        for method in methods
    ]


def _run(folder: Path) -> None:
    graphs, classes = pickle.loads((folder / "data.pickle").read_bytes())
    task = json.loads((folder / "job.json").read_text())
    protocol = Protocol(**task["protocol"])
    parent = os.getppid()
    n_folds = protocol.n_folds * protocol.n_repeats
    total = n_folds * len(task["methods"])
    for place, method in enumerate(task["methods"]):

        def tell(done: int, _: int, seconds: float, place: int = place, name: str = method) -> None:
            left = seconds + seconds / max(n_folds - done, 1) * (total - (place + 1) * n_folds)
            report_progress(folder, JobProgress(name, place * n_folds + done, total, left))

        report_progress(folder, JobProgress(method, place * n_folds, total))
        try:
            evaluate(
                graphs,
                classes,
                table_spec(method, graphs),
                protocol,
                n_jobs=1,
                journal=Journal(Path(task["journals"]) / f"{method}.jsonl"),
                progress=tell,
                stop=lambda: os.getppid() != parent,
            )
        except MPGKError as problem:
            report_progress(
                folder, JobProgress(method, place * n_folds, total, 0.0, True, str(problem))
            )
            return
    report_progress(folder, JobProgress("", total, total, 0.0, True))


if __name__ == "__main__":
    step_back()
    _run(Path(sys.argv[1]))
