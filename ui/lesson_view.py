"""A lesson on screen: the list of lessons, and a step of one."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from mpgk_core import MPGKError
from mpgk_core.lessons import Lesson, as_shown
from mpgk_core.lessons.sources import DataSource
from ui.charts import PRESENT, is_presented
from ui.lesson_pictures import step_picture
from ui.lesson_question import step_question, take_selection, texts_of
from ui.lesson_state import go_to, leave_lesson
from ui.problem_box import NOT_DONE, show_problem

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


_SELECTED = "lesson selection"


def lesson_step(lesson: Lesson, number: int, done: set[int]) -> None:
    """Show a step.

    Parameters
    ----------
    lesson : Lesson
    number : int
        Of the step, from 1.
    done : set of int
        The steps whose questions are answered.
    """
    step = lesson.steps[number - 1]
    key = f"{lesson.key}-{number}"
    _way(lesson, number, done)
    try:
        with st.container(key="lesson-page"):
            left, right = st.columns([2, 3], gap="large")
            with left, st.container(key="lesson-text"):
                st.markdown(f"### {step.title}")
                st.markdown(texts_of(step)["text"])
                st.info(f"**Do this.** {texts_of(step)['todo']}")
            names = [] if isinstance(step.picture.source, DataSource) else _names(lesson, number)
            with right, st.container(key="lesson-picture"):
                step_picture(
                    step.picture,
                    key,
                    _selection(key),
                    lambda vertices: _select(lesson, number, names, vertices),
                )
            with left, st.container(key="lesson-question"):
                step_question(lesson, number, names, number in done)
    except MPGKError as problem:
        show_problem(str(problem), "lesson-problem", NOT_DONE)


def _way(lesson: Lesson, number: int, done: set[int]) -> None:
    """Show where the reader is, and the buttons that lead on and back.

    Before a projector the keys of a remote control turn the pages.
    """
    last = len(lesson.steps)
    back, on = ("PageUp", "PageDown") if is_presented() else ("B", "N")
    with st.container(horizontal=True, vertical_alignment="center", key="lesson-way", gap="small"):
        st.button("← All lessons", key="to-list", on_click=leave_lesson, type="tertiary")
        st.markdown(f"**{lesson.title}**", width="stretch")
        marks = " ".join(
            "✓" if i in done else "●" if i == number else "○" for i in range(1, last + 1)
        )
        st.markdown(f"{marks} &nbsp; {number} of {last}", width="content")
        presenter_toggle()
        st.button(
            "Back",
            key="to-previous",
            on_click=go_to,
            args=(lesson.key, number - 1),
            disabled=number == 1,
            shortcut=back,
        )
        if number < last:
            st.button(
                "Next",
                key="to-next",
                on_click=go_to,
                args=(lesson.key, number + 1),
                type="primary",
                shortcut=on,
            )
        else:
            st.button("Finish", key="to-next", on_click=leave_lesson, type="primary", shortcut=on)


def presenter_toggle() -> None:
    """Let the reader switch to large type and back."""
    st.toggle(
        "Presenter mode",
        key=PRESENT,
        bind="query-params",
        width="content",
        help="Large type for a projector; Page Down and Page Up turn the pages.",
    )


def _names(lesson: Lesson, number: int) -> list[str]:
    graph = lesson.steps[number - 1].picture.source.graphs()
    return [str(name) for name in graph.names]


def _selection(key: str) -> list[int]:
    owner, vertices = st.session_state.get(_SELECTED, ("", []))
    return list(vertices) if owner == key else []


def _select(lesson: Lesson, number: int, names: list[str], vertices: list[int]) -> None:
    st.session_state[_SELECTED] = (f"{lesson.key}-{number}", vertices)
    take_selection(lesson, number, names, vertices)
