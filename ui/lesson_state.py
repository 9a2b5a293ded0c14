"""Where the reader is and what is done: in the URL, so that links and reloads keep both."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from mpgk_core.lessons import Lesson
from ui.glossary_view import choose_glossary

_PROGRESS = "lesson progress"
_BETWEEN = "~"


def current_step(lessons: Sequence[Lesson]) -> tuple[Lesson, int] | None:
    """Return the lesson and the number of the step that the URL names, or None."""
    key = st.query_params.get("lesson", "")
    lesson = next((lesson for lesson in lessons if lesson.key == key), None)
    if lesson is None:
        return None
    word = st.query_params.get("step", "1")
    number = int(word) if word.isascii() and word.isdigit() and len(word) < 3 else 1
    return lesson, min(max(number, 1), len(lesson.steps))


def go_to(key: str, number: int) -> None:
    """Open a step of a lesson, with one entry in the history of the browser."""
    st.query_params.update(lesson=key, step=str(number))


def leave_lesson() -> None:
    """Go back to the list, even if the URL asks for a term of the glossary as well.

    The number of the step means nothing without a lesson. It stays, since every change of the URL
    is an entry in the history of the browser.
    """
    choose_glossary(False)
    st.query_params.pop("lesson", None)


def done_steps(lessons: Sequence[Lesson]) -> dict[str, set[int]]:
    """Return the steps of every lesson whose question is answered.

    The URL decides at first; then it is told what it lacks.
    """
    in_url = _from_url(lessons)
    known: dict[str, set[int]] = st.session_state.setdefault(_PROGRESS, in_url)
    if known != in_url:
        _into_url(known)
    return {lesson.key: known.get(lesson.key, set()) for lesson in lessons}


def mark_done(key: str, number: int) -> None:
    """Remember that the question of a step is answered."""
    progress: dict[str, set[int]] = st.session_state.setdefault(_PROGRESS, {})
    progress.setdefault(key, set()).add(number)
    _into_url(progress)


def _into_url(progress: dict[str, set[int]]) -> None:
    st.query_params["done"] = _BETWEEN.join(
        f"{lesson}.{''.join(map(str, sorted(steps)))}" for lesson, steps in progress.items()
    )


def _from_url(lessons: Sequence[Lesson]) -> dict[str, set[int]]:
    sizes = {lesson.key: len(lesson.steps) for lesson in lessons}
    found: dict[str, set[int]] = {}
    for part in st.query_params.get("done", "").split(_BETWEEN)[: len(lessons)]:
        key, _, digits = part.partition(".")
        if key in sizes and digits.isascii() and digits.isdigit():
            steps = {int(digit) for digit in digits[:9]}
            found[key] = {step for step in steps if 1 <= step <= sizes[key]}
    return {key: steps for key, steps in found.items() if steps}
