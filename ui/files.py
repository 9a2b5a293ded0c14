"""Files of the user and samples, read once and remembered with what went wrong."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st

from mpgk_core import MPGKError
from mpgk_core.datasets import Sample
from mpgk_core.readers import GraphTables, read_many

__all__ = ["ReadFile", "read_once", "sample_file"]

Files = list[tuple[str, bytes]]


@dataclass(frozen=True, eq=False)
class ReadFile:
    """What one or several files hold, or why they could not be read.

    Attributes
    ----------
    key : str
        Equal keys mean equal contents.
    title : str
        Names of the files.
    tables : GraphTables or None
    problem : str
        Empty where all went well.
    """

    key: str
    title: str
    tables: GraphTables | None
    problem: str = ""


@st.cache_resource(max_entries=16, show_spinner="Reading …")
def read_once(upload: str, _files: Callable[[], Files]) -> ReadFile:
    """Read files; ``upload`` is what the cache knows them by."""
    files = _files()
    digest = hashlib.sha256()
    for name, content in files:
        digest.update(f"{name}\0{len(content)}\0".encode())
        digest.update(content)
    title = ", ".join(name for name, _ in files[:3]) + (" …" if len(files) > 3 else "")
    try:
        tables = read_many(files)
    except MPGKError as problem:
        return ReadFile(digest.hexdigest(), title, None, str(problem))
    return ReadFile(digest.hexdigest(), title, tables)


def sample_file(sample: Sample) -> ReadFile:
    """Read a sample that comes along."""
    path = sample.path
    return read_once(f"sample {path} {path.stat().st_mtime_ns}",
                     lambda: [(path.name, path.read_bytes())])  # fmt: skip
