"""Sweeps in a process of their own: ended at once, and continued where they were.

A job is a folder with ``task.pickle`` and ``progress.json``. Scores go to a log, which several jobs
with the same task may share. A job ends by itself when whoever started it is gone.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

from mpgk_core.errors import MPGKError
from mpgk_core.evaluation.job_folder import (
    JobProgress,
    replace_file,
    report_progress,
    run_module,
    step_back,
)
from mpgk_core.evaluation.protocol import Protocol
from mpgk_core.graphs import GraphSet
from mpgk_core.tuning.cell_log import CellLog
from mpgk_core.tuning.grid import Grid
from mpgk_core.tuning.record import ScoredCell, collected
from mpgk_core.tuning.result import Sweep
from mpgk_core.tuning.scores import SCORES
from mpgk_core.tuning.set_sweep import SET_TITLES, sweep_sets_steps
from mpgk_core.tuning.vertex_sweep import sweep_steps

__all__ = ["SweepTask", "prepare_sweep", "start_sweep", "sweep_so_far"]

_MOMENT = 0.3
"""Seconds between two visits to the disk."""


@dataclass(frozen=True, eq=False)
class SweepTask:
    """All that a sweep is made of.

    Attributes
    ----------
    graphs : GraphSet
        One graph for a sweep over vertices.
    grid : Grid
        Its variants say whether vertices or graphs are compared.
    scores : tuple of str
        For a sweep over vertices.
    classes : tuple
        Of the graphs, for a sweep over a set.
    n_folds : int
        Folds of cross-validations.
    random_state : int
        Their seed.
    """

    graphs: GraphSet
    grid: Grid
    scores: tuple[str, ...] = ("recovered",)
    classes: tuple[Hashable, ...] = ()
    n_folds: int = 5
    random_state: int = 0

    @property
    def titles(self) -> Mapping[str, str]:
        """The names of the scores in words."""
        if self.grid.is_for_graphs:
            return SET_TITLES
        return {name: SCORES[name].title for name in self.scores}

    def steps(
        self, known: Collection[tuple[int, ...]] = (), stop: Callable[[], bool] | None = None
    ) -> Iterator[ScoredCell]:
        """Yield the cells that are not known yet, or raise if none can be scored.

        Parameters
        ----------
        known : collection of tuples of int
        stop : callable, optional
            Asked between the folds of a set.

        Returns
        -------
        iterator of ScoredCell
        """
        if self.grid.is_for_graphs:
            protocol = Protocol(n_folds=self.n_folds, n_repeats=1, random_state=self.random_state)
            return sweep_sets_steps(
                self.graphs, self.classes, self.grid, protocol, n_jobs=1, stop=stop, known=known
            )
        return sweep_steps(
            self.graphs,
            self.grid,
            self.scores,
            n_folds=self.n_folds,
            random_state=self.random_state,
            known=known,
        )


def prepare_sweep(folder: Path, log: Path, task: SweepTask) -> None:
    """Write what there is to do into a folder; cells already in the log are kept.

    Parameters
    ----------
    folder : Path
        For this job alone.
    log : Path
        The file of scores, for this task alone.
    task : SweepTask
    """
    folder.mkdir(parents=True, exist_ok=True)
    replace_file(folder / "task.pickle", pickle.dumps((task, log)))
    found = sweep_so_far(log, task)
    report_progress(folder, JobProgress(done=found.n_done, total=found.n_cells))


def start_sweep(folder: Path) -> subprocess.Popen[bytes]:
    """Begin or go on with a sweep in a new process.

    Parameters
    ----------
    folder : Path
        Prepared by :func:`prepare_sweep`.

    Returns
    -------
    subprocess.Popen
    """
    return run_module("mpgk_core.tuning.job", folder)


def sweep_so_far(log: Path, task: SweepTask) -> Sweep:
    """Return what is known, without computing anything.

    Parameters
    ----------
    log, task
        As for :func:`prepare_sweep`.

    Returns
    -------
    Sweep
    """
    return collected(task.grid, task.titles, CellLog(log).cells())


def _run(folder: Path) -> None:
    task, path = pickle.loads((folder / "task.pickle").read_bytes())
    parent = os.getppid()
    log = CellLog(path)
    known = {cell.place for cell in log.cells()}
    n_known, total = len(known), sweep_so_far(path, task).n_cells
    waiting: list[ScoredCell] = []
    n_new = 0
    begin = last = perf_counter()

    def save() -> None:
        log.append(waiting)
        waiting.clear()
        pace = (perf_counter() - begin) / n_new
        left = total - n_known - n_new
        report_progress(folder, JobProgress("", n_known + n_new, total, pace * left, not left))

    try:
        for cell in task.steps(known, lambda: os.getppid() != parent):
            waiting.append(cell)
            n_new += 1
            if perf_counter() - last > _MOMENT:
                save()
                last = perf_counter()
                if os.getppid() != parent:
                    return
        if waiting:
            save()
    except MPGKError as problem:
        report_progress(folder, JobProgress("", n_known + n_new, total, 0.0, True, str(problem)))


if __name__ == "__main__":
    step_back()
    _run(Path(sys.argv[1]))
