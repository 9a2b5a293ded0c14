"""Where the reader is in the lessons: the list with its cards, the steps, and the progress.

The current step and the term that is looked up stand in the address, so that links and reloads
keep them. What was answered is kept by the browser of the reader, and never by the server; links
with answers bring those of somebody else, which are shown but not counted.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Sequence
from html import escape
from pathlib import Path
from typing import Any

import numpy as np
import streamlit as st

from mpgk_core.lessons import Lesson, Picture, Progress, as_shown, kept_text, read_kept
from mpgk_core.lessons.scene import DataSource
from mpgk_core.lessons.shared import SharedStep, read_shared
from mpgk_core.plotting import colour_by_class, draw_graph, graph_layout
from mpgk_core.plotting.graph_figure import graph_words
from mpgk_core.plotting.still_picture import still_picture
from mpgk_core.refinement import colour_refinement
from ui.shared.charts import PRESENT, is_presented
from ui.shared.widgets import switch
from ui.state.cache import cached

_COLUMNS = 3
_BETWEEN = "~"
_END = "end"
_PROGRESS, _IS_RESET, _BEFORE = "lesson progress", "progress was reset", "progress before"
_KEEPER, _LINKED = "classroom", "steps answered in links"
_GLOSSARY, _CLASS = "glossary", "class"
_CARD = (320, 110)
SELECTED = "lesson selection"
"""Where the state of a visit holds the step in which vertices are selected, and these."""

_ASSETS = Path(__file__).parents[1] / "assets"

CLASSROOM = st.components.v2.component(
    "classroom",
    css=(_ASSETS / "classroom.css").read_text(encoding="utf-8"),
    js=(_ASSETS / "classroom.js").read_text(encoding="utf-8"),
    isolate_styles=False,
)


def current_step(lessons: Sequence[Lesson]) -> tuple[Lesson, int] | None:
    """Return the lesson and the number of the step that the address names, or None.

    The number after the last step stands for the summary.
    """
    key = st.query_params.get("lesson", "")
    lesson = next((lesson for lesson in lessons if lesson.key == key), None)
    return None if lesson is None else (lesson, _number(lesson))


def _number(lesson: Lesson) -> int:
    word, last = st.query_params.get("step", "1"), len(lesson.steps)
    if word == _END:
        return last + 1
    number = int(word) if word.isascii() and word.isdigit() and len(word) < 3 else 1
    return min(max(number, 1), last)


def go_to(lesson: Lesson, number: int) -> None:
    """Open a step of a lesson, with one entry in the history of the browser."""
    word = str(number) if number <= len(lesson.steps) else _END
    st.query_params.update(lesson=lesson.key, step=word)
    st.query_params.pop("state", None)


def _turn(lesson: Lesson, by: int) -> None:
    """Go on from where the address is now: a second key may come before the page has changed."""
    go_to(lesson, max(_number(lesson) + by, 1))


def leave_lesson() -> None:
    """Go back to the list, even if the address asks for a term of the glossary as well.

    The number of the step means nothing without a lesson. It stays, since every change of the
    address is an entry in the history of the browser.
    """
    choose_view("lessons")
    st.query_params.pop("lesson", None)


def progress_now() -> Progress:
    """Return what this reader has tried."""
    found: Progress = st.session_state.setdefault(_PROGRESS, Progress())
    return found


def note_try(lesson: Lesson, number: int, is_right: bool) -> None:
    """Remember that the question of a step was tried, and answered if the try was right."""
    _set(progress_now().after(lesson.key, number, is_right))


def _set(progress: Progress, *, is_reset: bool = False) -> None:
    st.session_state[_PROGRESS] = progress
    st.session_state[_IS_RESET] = is_reset
    st.session_state.pop(_BEFORE, None)


def done_steps(lessons: Sequence[Lesson]) -> dict[str, set[int]]:
    """Return the steps of every lesson whose question is answered, here or in the link."""
    linked, own = _linked(lessons), progress_now()
    return {
        lesson.key: own.answered(lesson.key) | linked.get(lesson.key, set()) for lesson in lessons
    }


def done_text(done: dict[str, set[int]]) -> str:
    """Return answered steps as a part of an address."""
    return _BETWEEN.join(
        f"{lesson}.{''.join(map(str, sorted(steps)))}" for lesson, steps in done.items() if steps
    )


def _linked(lessons: Sequence[Lesson]) -> dict[str, set[int]]:
    """Return the steps that the links of this visit call answered."""
    sizes = {lesson.key: len(lesson.steps) for lesson in lessons}
    found: dict[str, set[int]] = st.session_state.setdefault(_LINKED, {})
    for part in st.query_params.get("done", "").split(_BETWEEN)[: len(lessons)]:
        key, _, digits = part.partition(".")
        if key in sizes and digits.isascii() and digits.isdigit():
            steps = {int(digit) for digit in digits[:9]}
            found.setdefault(key, set()).update(n for n in steps if 1 <= n <= sizes[key])
    return found


def shared_step(lesson: Lesson, number: int) -> SharedStep:
    """Return a step as the link has described it that opened it, or as it begins."""
    kept: dict[str, str] = st.session_state.setdefault("shared steps", {})
    key = f"{lesson.key}-{number}"
    if "state" in st.query_params:
        kept[key] = st.query_params["state"]
    step = lesson.steps[number - 1]
    return read_shared(kept[key], step) if key in kept else SharedStep(step.picture)


def keeper(lessons: Sequence[Lesson], place: str) -> None:
    """Let the browser keep the progress, and turn pages by the keys of a remote control.

    Parameters
    ----------
    lessons : sequence of Lesson
    place : str
        Stands for the step that is shown; empty for the list.
    """

    def restore() -> None:
        sent: Any = st.session_state[_KEEPER].kept
        text = sent.get("text") if isinstance(sent, dict) else None
        st.session_state[_PROGRESS] = progress_now().joined(read_kept(text, lessons))

    CLASSROOM(
        key=_KEEPER,
        data={
            "kind": "lesson",
            "kept": kept_text(progress_now(), lessons),
            "isReset": bool(st.session_state.get(_IS_RESET)),
            "isPresented": is_presented(),
            "place": place,
        },
        on_kept_change=restore,
        width="content",
    )


def reset(lesson: Lesson | None = None) -> None:
    """Forget what was answered in a lesson, or in all of them; :func:`undo_button` leads back."""
    before, link = progress_now(), dict(st.session_state.get(_LINKED, {}))
    _set(Progress() if lesson is None else before.without(lesson.key), is_reset=True)
    st.session_state[_BEFORE] = (before, link)
    st.query_params.pop("done", None)
    st.session_state[_LINKED] = {key: n for key, n in link.items() if lesson and key != lesson.key}
    mine = "" if lesson is None else f"{lesson.key}-"
    for key in list(st.session_state):
        if str(key).startswith(f"answer-{mine}"):
            del st.session_state[key]
    for name in ("lesson answers", SELECTED, "shared steps"):
        st.session_state.pop(name, None)


def undo_button() -> None:
    """Offer to take a reset back."""
    if _BEFORE not in st.session_state:
        return

    def undo() -> None:
        progress, link = st.session_state[_BEFORE]
        _set(progress)
        st.session_state[_LINKED] = link

    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown("Progress was reset.", width="content")
        st.button("Undo", key="undo-reset", on_click=undo)


def lesson_list(lessons: Sequence[Lesson], done: dict[str, set[int]]) -> None:
    """Show the lessons to choose from."""
    n_steps = sum(len(lesson.steps) for lesson in lessons)
    n_done = sum(map(len, done.values()))
    st.progress(n_done / max(n_steps, 1), text=f"{n_done} of {n_steps} questions answered")
    if n_done:
        st.button("Reset all progress", key="reset-progress", on_click=reset, type="tertiary")
    undo_button()
    for start in range(0, len(lessons), _COLUMNS):
        row = lessons[start : start + _COLUMNS]
        for i, (lesson, column) in enumerate(zip(row, st.columns(_COLUMNS), strict=False)):
            with column, st.container(border=True, height="stretch", key=f"card-{lesson.key}"):
                _card(start + i + 1, lesson, done[lesson.key])


def _card(place: int, lesson: Lesson, done: set[int]) -> None:
    st.html(_thumbnail(_first_picture(lesson)))
    st.markdown(f"##### {place}. {lesson.title}")
    st.markdown(as_shown(lesson.summary))
    total = len(lesson.steps)
    is_done = len(done) == total
    first = next((i for i in range(1, total + 1) if i not in done), 1)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            "Repeat" if is_done else "Continue" if done else "Start",
            key=f"open-{lesson.key}",
            on_click=go_to,
            args=(lesson, first),
            type="secondary" if is_done else "primary",
            help=f"Open “{lesson.title}” at step {first}.",
        )
        words = "✓ all answered" if is_done else f"{len(done)} of {total} answered"
        st.caption(f"{words} · about {lesson.minutes_for()} min")


def _first_picture(lesson: Lesson) -> Picture:
    """Return the first picture of a lesson that shows one graph, if there is any."""
    pictures = [step.picture for step in lesson.steps]
    single = (one for one in pictures if not isinstance(one.source, DataSource))
    return next(single, pictures[0])


@cached()
def _thumbnail(picture: Picture) -> str:
    """Return a small drawing of a graph as HTML; equal colours mean equal surroundings."""
    graph = picture.source.build()[0]
    classes = colour_refinement(graph)
    colours = colour_by_class("refinement", np.array([classes]), "colour")
    layout = getattr(picture.source, "layout", picture.layout)
    drawing = draw_graph(graph, graph_layout(graph, layout), colours)
    svg = still_picture(drawing.data, drawing.layout, _CARD, is_bare=True)
    return still_image(svg, f"A graph with {graph_words(graph)}", "mpgk-thumbnail")


def still_image(svg: str, alt: str, name: str) -> str:
    """Return an SVG as an image in HTML."""
    code = b64encode(svg.encode()).decode()
    return f'<img class="{name}" src="data:image/svg+xml;base64,{code}" alt="{escape(alt)}">'


def navigation(
    lesson: Lesson,
    number: int,
    done: set[int],
    lessons: Sequence[Lesson],
    share: Callable[[Lesson, int, Sequence[Lesson]], None],
) -> None:
    """Show the current step, and the buttons to other ones.

    In presenter mode the keys of a remote control turn the pages.

    Parameters
    ----------
    lesson : Lesson
    number : int
        Of the step; the number after the last stands for the summary.
    done : set of int
        The steps whose questions are answered.
    lessons : sequence of Lesson
    share : callable
        Offers links to a step.
    """
    last = len(lesson.steps)
    with st.container(horizontal=True, vertical_alignment="center", key="lesson-way", gap="small"):
        st.button("← All lessons", key="to-list", on_click=leave_lesson, type="tertiary")
        st.markdown(f"**{lesson.title}**", width="stretch")
        marks = " ".join(
            "✓" if i in done else "●" if i == number else "○" for i in range(1, last + 1)
        )
        where = f"{number} of {last}" if number <= last else "Summary"
        st.markdown(f"{marks} &nbsp; {where}", width="content")
        share(lesson, number, lessons)
        presenter_switch()
        keeper(lessons, f"{lesson.key}-{number}")
        st.button(
            "Back",
            key="to-previous",
            on_click=_turn,
            args=(lesson, -1),
            disabled=number == 1,
            shortcut="P",
        )
        st.button(
            _next_words(lesson, number, lessons),
            key="to-next",
            on_click=_next,
            args=(lesson, lessons),
            type="primary",
            shortcut="N",
        )


def _next(lesson: Lesson, lessons: Sequence[Lesson]) -> None:
    """Go to the next step, from the last to the summary, and from there to the next lesson."""
    following = _next_lesson(lesson, lessons)
    if _number(lesson) <= len(lesson.steps):
        _turn(lesson, 1)
    elif following is not None:
        go_to(following, 1)
    else:
        leave_lesson()


def _next_words(lesson: Lesson, number: int, lessons: Sequence[Lesson]) -> str:
    if number <= len(lesson.steps):
        return "Finish" if number == len(lesson.steps) else "Next"
    return "All lessons" if _next_lesson(lesson, lessons) is None else "Next lesson"


def _next_lesson(lesson: Lesson, lessons: Sequence[Lesson]) -> Lesson | None:
    """Return the lesson after this one."""
    keys = [one.key for one in lessons]
    place = keys.index(lesson.key) + 1
    return lessons[place] if place < len(lessons) else None


def presenter_switch() -> None:
    """Let the reader switch to large type and back."""
    switch(PRESENT, "Presenter mode", width="content")


def wanted_term() -> str | None:
    """Return the term that the address asks for, if any; an empty word means all terms."""
    word = st.query_params.get(_GLOSSARY)
    return None if word is None else word[:60]


def wanted_view() -> str:
    """Return what the address asks for beside lessons: "lessons", "glossary" or "class"."""
    if wanted_term() is not None:
        return _GLOSSARY
    return _CLASS if _CLASS in st.query_params else "lessons"


def choose_view(view: str) -> None:
    """Ask for the lessons, all terms, or the page of teachers in the address."""
    for name in (_GLOSSARY, _CLASS):
        if name == view:
            st.query_params[name] = ""
        else:
            st.query_params.pop(name, None)
