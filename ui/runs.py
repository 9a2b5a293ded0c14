"""Evaluations in a process of their own, one for each user; what is done stays on disk."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from mpgk_core.datasets import cache_folder
from mpgk_core.evaluation import Evaluation, Protocol
from mpgk_core.evaluation.job import (
    JobProgress,
    evaluations_so_far,
    job_progress,
    prepare_job,
    start_job,
)
from ui.data_set_source import ChosenSet
from ui.processes import begin, end, is_alive, user

__all__ = ["Run", "found_so_far", "progress_of", "run_of", "run_under_way", "start", "stop"]

_PROCESS = "evaluation"
_RUN = "evaluation run"


@dataclass(frozen=True)
class Run:
    """What is evaluated, and how; equal runs do the same.

    Attributes
    ----------
    key : str
        Of the set.
    name : str
        Of the set.
    methods : tuple of str
    protocol : Protocol
    """

    key: str
    name: str
    methods: tuple[str, ...]
    protocol: Protocol


def run_of(chosen: ChosenSet, methods: Sequence[str], protocol: Protocol) -> Run:
    """Return the run that these settings are for."""
    return Run(chosen.key, chosen.name, tuple(methods), protocol)


def start(chosen: ChosenSet, methods: Sequence[str], protocol: Protocol) -> None:
    """Begin, or go on where the last run on this set was stopped."""
    stop()
    folder = _job_folder(chosen.key)
    prepare_job(folder, _journals(chosen.key), chosen.graphs, chosen.classes, methods, protocol)
    begin(_PROCESS, start_job(folder))
    st.session_state[_RUN] = run_of(chosen, methods, protocol)


def stop() -> None:
    """End the work at once; every finished fold is on the disk."""
    end(_PROCESS)


def run_under_way() -> Run | None:
    """Return this user's run that goes on now, whatever is chosen on the page."""
    run: Run | None = st.session_state[_RUN] if is_alive(_PROCESS) else None
    return run


def progress_of(run: Run) -> JobProgress:
    """Return how far the last run on the same set is."""
    return job_progress(_job_folder(run.key))


def found_so_far(chosen: ChosenSet, methods: Sequence[str], protocol: Protocol) -> list[Evaluation]:
    """Return the results that are on the disk for these kernels."""
    folder = _journals(chosen.key)
    sizes = tuple(path.stat().st_size for path in sorted(folder.glob("*.jsonl")))
    return _read(chosen.key, tuple(methods), protocol, sizes, chosen)


@st.cache_resource(max_entries=64, show_spinner=False)
def _read(
    key: str, methods: tuple[str, ...], protocol: Protocol, sizes: tuple[int, ...],
    _chosen: ChosenSet,
) -> list[Evaluation]:  # fmt: skip
    """Read the journals again only when they have grown."""
    return evaluations_so_far(_journals(key), _chosen.graphs, _chosen.classes, methods, protocol)


def _journals(key: str) -> Path:
    name = hashlib.sha256(key.encode()).hexdigest()[:24]
    return cache_folder() / "runs" / name


def _job_folder(key: str) -> Path:
    return _journals(key) / user()
