"""The processes that work for this user; a session knows its own."""

from __future__ import annotations

import subprocess
from uuid import uuid4

import streamlit as st

__all__ = ["begin", "end", "end_others", "has_failed", "is_alive", "user"]


def begin(key: str, process: subprocess.Popen[bytes]) -> None:
    """Remember a process that was just started."""
    _processes()[key] = process


def end(key: str) -> None:
    """End a process at once, if it is there."""
    process = _processes().pop(key, None)
    if process is not None and process.poll() is None:
        process.terminate()
        process.wait(timeout=10)


def end_others(kind: str, key: str) -> None:
    """End all processes whose keys begin with the kind, but one."""
    for other in [k for k in _processes() if k.startswith(kind) and k != key]:
        end(other)


def is_alive(key: str) -> bool:
    """Return whether the process is under way."""
    process = _processes().get(key)
    return process is not None and process.poll() is None


def has_failed(key: str) -> bool:
    """Return whether the process ended by itself, and not well."""
    process = _processes().get(key)
    return process is not None and bool(process.poll())


def user() -> str:
    """Return a word that stands for this user while the session lasts."""
    word: str = st.session_state.setdefault("runs of", uuid4().hex)
    return word


def _processes() -> dict[str, subprocess.Popen[bytes]]:
    running: dict[str, subprocess.Popen[bytes]] = st.session_state.setdefault("runs", {})
    return running
