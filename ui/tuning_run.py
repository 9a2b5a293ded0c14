"""A sweep under way: run, stop, progress, and what is known meanwhile."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from mpgk_core import __version__
from mpgk_core.datasets import cache_folder
from mpgk_core.evaluation.job_folder import job_progress
from mpgk_core.tuning import Sweep
from mpgk_core.tuning.job import SweepTask, prepare_sweep, start_sweep, sweep_so_far
from ui.problem_box import NOT_DONE, show_problem
from ui.processes import begin, end, end_others, has_failed, is_alive, user
from ui.run_buttons import run_buttons, time_left

__all__ = ["sweep_box"]

_KIND = "sweep "


@dataclass(frozen=True, eq=False)
class _Job:
    """A task with its places on the disk and among the processes of the user."""

    task: SweepTask
    key: str
    folder: Path

    @property
    def log(self) -> Path:
        return self.folder / "cells.jsonl"

    @property
    def own_folder(self) -> Path:
        return self.folder / user()

    def go_on(self) -> None:
        """Begin a process of its own, or another where one has ended."""
        end(self.key)
        prepare_sweep(self.own_folder, self.log, self.task)
        begin(self.key, start_sweep(self.own_folder))

    def stop(self) -> None:
        """End the process; what is done stays."""
        end(self.key)

    def found(self) -> Sweep:
        """Return what is known, read again only when there is more."""
        size = self.log.stat().st_size if self.log.exists() else 0
        return _read(self.key, size, self)


def sweep_box(data_key: str, task: SweepTask, show: Callable[[Sweep, bool], None]) -> None:
    """Offer run and stop, and show progress and what is known.

    Parameters
    ----------
    data_key : str
        Stands for the graphs of the task.
    task : SweepTask
    show : callable
        Draws what is known, and is told whether there is more to come at once; called only when
        there is something.
    """
    job = _job(data_key, task)
    end_others(_KIND, job.key)
    is_running = is_alive(job.key)
    found = job.found()
    run_buttons("tune-", is_running, found.is_complete, job.go_on, job.stop)

    @st.fragment(run_every=1.0 if is_running else None)
    def going() -> None:
        if is_running and not is_alive(job.key):
            st.rerun()
        found = job.found()
        _progress(job, found, is_running)
        if found.n_done:
            show(found, is_running)

    going()


def _progress(job: _Job, found: Sweep, is_running: bool) -> None:
    now = job_progress(job.own_folder)
    words = f"{found.n_done:,} of {found.n_cells:,} cells"
    if is_running:
        left = time_left(now.seconds_left)
        st.progress(found.n_done / found.n_cells, f"{words}{left or ' …'}")
    elif found.is_complete:
        st.caption(f"{words}.")
    elif found.n_done:
        st.caption(f"{words}: Run goes on.")
    else:
        st.info(f"Press Run to try {found.n_cells:,} cells. The map grows while they come.")
    if now.problem:
        show_problem(now.problem, "sweep-problem", NOT_DONE)
    elif has_failed(job.key):
        show_problem("The sweep ended unexpectedly. What is done stays; Run goes on. If this "
                     "happens again, choose a smaller graph or fewer cells.",
                     "sweep-problem", NOT_DONE)  # fmt: skip


def _job(data_key: str, task: SweepTask) -> _Job:
    identity = repr((__version__, data_key, task.grid, task.scores, task.n_folds,
                     task.random_state))  # fmt: skip
    name = hashlib.sha256(identity.encode()).hexdigest()[:24]
    return _Job(task, _KIND + name, cache_folder() / "sweeps" / name)


@st.cache_resource(max_entries=16, show_spinner=False)
def _read(key: str, size: int, _job: _Job) -> Sweep:
    return sweep_so_far(_job.log, _job.task)
