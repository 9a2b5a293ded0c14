"""All lessons as cards, each with its progress."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from mpgk_core.lessons import Lesson, as_shown
from ui.lesson_state import go_to

__all__ = ["lesson_list"]

_COLUMNS = 3


def lesson_list(lessons: Sequence[Lesson], done: dict[str, set[int]]) -> None:
    """Show the lessons to choose from."""
    n_steps = sum(len(lesson.steps) for lesson in lessons)
    n_done = sum(map(len, done.values()))
    st.progress(n_done / max(n_steps, 1), text=f"{n_done} of {n_steps} questions answered")
    for start in range(0, len(lessons), _COLUMNS):
        row = lessons[start : start + _COLUMNS]
        for i, (lesson, column) in enumerate(zip(row, st.columns(_COLUMNS), strict=False)):
            with column, st.container(border=True, height="stretch", key=f"card-{lesson.key}"):
                _card(start + i + 1, lesson, done[lesson.key])


def _card(place: int, lesson: Lesson, done: set[int]) -> None:
    st.markdown(f"##### {place}. {lesson.title}")
    st.markdown(as_shown(lesson.summary))
    total = len(lesson.steps)
    first = next((i for i in range(1, total + 1) if i not in done), 1)
    word = "Again" if len(done) == total else "Go on" if done else "Begin"
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            word,
            key=f"open-{lesson.key}",
            on_click=go_to,
            args=(lesson.key, first),
            type="secondary" if len(done) == total else "primary",
            help=f"Open “{lesson.title}” at step {first}.",
        )
        state = "✓ all answered" if len(done) == total else f"{len(done)} of {total} answered"
        st.caption(state)
