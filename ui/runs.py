"""Long work in processes of their own, one for each user and job; what is done stays on disk."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
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

__all__ = ["found_so_far", "is_running", "progress_of", "start", "stop"]


def start(chosen: ChosenSet, methods: Sequence[str], protocol: Protocol) -> None:
    """Begin, or go on where the last run on this set was stopped."""
    stop(chosen)
    folder = _job_folder(chosen)
    prepare_job(folder, _journals(chosen), chosen.graphs, chosen.classes, methods, protocol)
    begin(chosen.key, start_job(folder))


def stop(chosen: ChosenSet) -> None:
    """End the work at once; every finished fold is on the disk."""
    end(chosen.key)


def is_running(chosen: ChosenSet) -> bool:
    """Return whether this user's run on the set is under way."""
    return is_alive(chosen.key)


def progress_of(chosen: ChosenSet) -> JobProgress:
    """Return how far the run is."""
    return job_progress(_job_folder(chosen))


def found_so_far(chosen: ChosenSet, methods: Sequence[str], protocol: Protocol) -> list[Evaluation]:
    """Return the results that are on the disk for these kernels."""
    folder = _journals(chosen)
    sizes = tuple(path.stat().st_size for path in sorted(folder.glob("*.jsonl")))
    return _read(chosen.key, tuple(methods), protocol, sizes, chosen)


@st.cache_resource(max_entries=64, show_spinner=False)
def _read(
    key: str, methods: tuple[str, ...], protocol: Protocol, sizes: tuple[int, ...],
    _chosen: ChosenSet,
) -> list[Evaluation]:  # fmt: skip
    """Read the journals again only when they have grown."""
    return evaluations_so_far(
        _journals(_chosen), _chosen.graphs, _chosen.classes, methods, protocol
    )


def _journals(chosen: ChosenSet) -> Path:
    name = hashlib.sha256(chosen.key.encode()).hexdigest()[:24]
    return cache_folder() / "runs" / name


def _job_folder(chosen: ChosenSet) -> Path:
    return _journals(chosen) / user()
