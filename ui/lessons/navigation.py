"""Where the reader is in the lessons: the list with its cards, the steps, and the progress.

The current step, the answered questions and the term that is looked up stand in the address, so
that links and reloads keep them.
"""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from mpgk_core.lessons import Lesson, as_shown
from ui.shared.charts import PRESENT, is_presented
from ui.shared.widgets import switch

_COLUMNS = 3
_BETWEEN = "~"
_PROGRESS = "lesson progress"
_GLOSSARY = "glossary"


def current_step(lessons: Sequence[Lesson]) -> tuple[Lesson, int] | None:
    """Return the lesson and the number of the step that the address names, or None."""
    key = st.query_params.get("lesson", "")
    lesson = next((lesson for lesson in lessons if lesson.key == key), None)
    if lesson is None:
        return None
    word = st.query_params.get("step", "1")
    number = int(word) if word.isascii() and word.isdigit() and len(word) < 3 else 1
    return lesson, min(max(number, 1), len(lesson.steps))


def _go_to(key: str, number: int) -> None:
    """Open a step of a lesson, with one entry in the history of the browser."""
    st.query_params.update(lesson=key, step=str(number))


def _leave_lesson() -> None:
    """Go back to the list, even if the address asks for a term of the glossary as well.

    The number of the step means nothing without a lesson. It stays, since every change of the
    address is an entry in the history of the browser.
    """
    choose_glossary(False)
    st.query_params.pop("lesson", None)


def done_steps(lessons: Sequence[Lesson]) -> dict[str, set[int]]:
    """Return the steps of every lesson whose question is answered.

    The address decides at first; then what it lacks is added to it.
    """
    in_address = _from_address(lessons)
    known: dict[str, set[int]] = st.session_state.setdefault(_PROGRESS, in_address)
    if known != in_address:
        _into_address(known)
    return {lesson.key: known.get(lesson.key, set()) for lesson in lessons}


def note_try(lesson: Lesson, number: int, is_right: bool) -> None:
    """Remember that the question of a step was tried, and answered if the try was right."""
    if is_right:
        progress: dict[str, set[int]] = st.session_state.setdefault(_PROGRESS, {})
        progress.setdefault(lesson.key, set()).add(number)
        _into_address(progress)


def _into_address(progress: dict[str, set[int]]) -> None:
    st.query_params["done"] = _BETWEEN.join(
        f"{lesson}.{''.join(map(str, sorted(steps)))}" for lesson, steps in progress.items()
    )


def _from_address(lessons: Sequence[Lesson]) -> dict[str, set[int]]:
    sizes = {lesson.key: len(lesson.steps) for lesson in lessons}
    found: dict[str, set[int]] = {}
    for part in st.query_params.get("done", "").split(_BETWEEN)[: len(lessons)]:
        key, _, digits = part.partition(".")
        if key in sizes and digits.isascii() and digits.isdigit():
            steps = {int(digit) for digit in digits[:9]}
            found[key] = {step for step in steps if 1 <= step <= sizes[key]}
    return {key: steps for key, steps in found.items() if steps}


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
    is_done = len(done) == total
    first = next((i for i in range(1, total + 1) if i not in done), 1)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            "Repeat" if is_done else "Continue" if done else "Start",
            key=f"open-{lesson.key}",
            on_click=_go_to,
            args=(lesson.key, first),
            type="secondary" if is_done else "primary",
            help=f"Open “{lesson.title}” at step {first}.",
        )
        st.caption("✓ all answered" if is_done else f"{len(done)} of {total} answered")


def navigation(lesson: Lesson, number: int, done: set[int]) -> None:
    """Show the current step, and the buttons to other ones.

    In presenter mode the keys of a remote control turn the pages.
    """
    last = len(lesson.steps)
    back, on = ("PageUp", "PageDown") if is_presented() else ("B", "N")
    with st.container(horizontal=True, vertical_alignment="center", key="lesson-way", gap="small"):
        st.button("← All lessons", key="to-list", on_click=_leave_lesson, type="tertiary")
        st.markdown(f"**{lesson.title}**", width="stretch")
        marks = " ".join(
            "✓" if i in done else "●" if i == number else "○" for i in range(1, last + 1)
        )
        st.markdown(f"{marks} &nbsp; {number} of {last}", width="content")
        presenter_switch()
        st.button(
            "Back",
            key="to-previous",
            on_click=_go_to,
            args=(lesson.key, number - 1),
            disabled=number == 1,
            shortcut=back,
        )
        is_last = number == last
        st.button(
            "Finish" if is_last else "Next",
            key="to-next",
            on_click=_leave_lesson if is_last else _go_to,
            args=() if is_last else (lesson.key, number + 1),
            type="primary",
            shortcut=on,
        )


def presenter_switch() -> None:
    """Let the reader switch to large type and back."""
    switch(PRESENT, "Presenter mode", width="content")


def wanted_term() -> str | None:
    """Return the term that the address asks for, if any; an empty word means all terms."""
    word = st.query_params.get(_GLOSSARY)
    return None if word is None else word[:60]


def choose_glossary(is_wanted: bool) -> None:
    """Ask for all terms in the address, or for none."""
    if is_wanted:
        st.query_params[_GLOSSARY] = ""
    else:
        st.query_params.pop(_GLOSSARY, None)
