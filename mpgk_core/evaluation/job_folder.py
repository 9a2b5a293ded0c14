"""What all work in a process of its own shares: a folder that says how far it is."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import asdict, dataclass
from pathlib import Path

__all__ = [
    "JobProgress",
    "job_progress",
    "replace_file",
    "report_progress",
    "run_module",
    "step_back",
]

_PATIENCE = 5
"""How far a job steps back behind whoever waits for a page."""


@dataclass(frozen=True)
class JobProgress:
    """How far a job is.

    Attributes
    ----------
    method : str
        The kernel being evaluated.
    done, total : int
        Folds of all kernels, or cells of a sweep.
    seconds_left : float
        Estimated from what is done so far; infinite before that.
    is_finished : bool
    problem : str
        Why the job ended early, or nothing.
    """

    method: str = ""
    done: int = 0
    total: int = 0
    seconds_left: float = float("inf")
    is_finished: bool = False
    problem: str = ""


def run_module(module: str, folder: Path) -> subprocess.Popen[bytes]:
    """Begin or go on with a job in a new process, on one core and behind everybody else.

    Parameters
    ----------
    module : str
        Run as a program, with the folder as its argument.
    folder : Path
        Prepared for this module.

    Returns
    -------
    subprocess.Popen
    """
    one_thread = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")
    return subprocess.Popen(
        [sys.executable, "-m", module, str(folder)],
        env={**os.environ, **one_thread},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def job_progress(folder: Path) -> JobProgress:
    """Return how far a job is.

    Parameters
    ----------
    folder : Path

    Returns
    -------
    JobProgress
    """
    path = folder / "progress.json"
    return JobProgress(**json.loads(path.read_text())) if path.exists() else JobProgress()


def report_progress(folder: Path, progress: JobProgress) -> None:
    """Write how far a job is.

    Parameters
    ----------
    folder : Path
    progress : JobProgress
    """
    replace_file(folder / "progress.json", json.dumps(asdict(progress)).encode())


def replace_file(path: Path, content: bytes) -> None:
    """Replace a file at once, so that nobody reads half of it.

    Parameters
    ----------
    path : Path
    content : bytes
    """
    draft = path.with_name(f"{path.name}.{os.getpid()}")
    draft.write_bytes(content)
    draft.replace(path)


def step_back() -> None:
    """Let everybody else go first, where the system knows how."""
    if hasattr(os, "nice"):
        os.nice(_PATIENCE)
