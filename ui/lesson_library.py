"""The lessons that are at hand, read once for each version of their files."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from mpgk_core import MPGKError
from mpgk_core.lessons import Lesson, Term, glossary, lesson_files, lesson_folders, read_lesson

__all__ = ["lesson_library", "terms_at_hand"]


def lesson_library() -> tuple[list[Lesson], list[str]]:
    """Return all lessons that can be read, and what is wrong with the others."""
    try:
        files = [path for folder in lesson_folders() for path in lesson_files(folder)]
    except MPGKError as problem:
        return [], [str(problem)]
    found: dict[str, Lesson] = {}
    problems = []
    for path in files:
        try:
            lesson = _read(str(path), path.stat().st_mtime_ns)
            found[lesson.key] = lesson
        except MPGKError as problem:
            problems.append(str(problem))
    return list(found.values()), problems


def terms_at_hand() -> tuple[tuple[Term, ...], str | None]:
    """Return the glossary, or what is wrong with it."""
    try:
        return _terms(), None
    except MPGKError as problem:
        return (), str(problem)


@st.cache_resource(max_entries=200, show_spinner="Opening the lessons …")
def _read(path: str, changed: int) -> Lesson:
    """Read a file; the time of its last change tells versions apart."""
    return read_lesson(Path(path))


@st.cache_resource(show_spinner=False, ttl=60)
def _terms() -> tuple[Term, ...]:
    return glossary()
