"""Lessons on screen: the list, a step with its question, and the glossary."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from mpgk_core import MPGKError
from mpgk_core.lessons import (
    Lesson,
    Step,
    Term,
    as_shown,
    explained,
    filled,
    is_right,
    matching,
    numbers_of,
)
from mpgk_core.lessons.scene import DataSource
from ui.lessons.pictures import step_picture
from ui.shared.charts import PRESENT, is_presented
from ui.shared.messages import NOT_DONE, show_problem
from ui.state.cache import cached

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
    graph = lesson.steps[number - 1].picture.source.build()
    return [str(name) for name in graph.names]


def _selection(key: str) -> list[int]:
    owner, vertices = st.session_state.get(_SELECTED, ("", []))
    return list(vertices) if owner == key else []


def _select(lesson: Lesson, number: int, names: list[str], vertices: list[int]) -> None:
    st.session_state[_SELECTED] = (f"{lesson.key}-{number}", vertices)
    take_selection(lesson, number, names, vertices)


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


_JUDGED = "lesson answers"


def step_question(lesson: Lesson, number: int, names: list[str], is_done: bool) -> None:
    """Ask the question of a step.

    Parameters
    ----------
    lesson : Lesson
    number : int
        Of the step, from 1.
    names : list of str
        Names of the vertices to choose from.
    is_done : bool
        Whether it was answered before.
    """
    step = lesson.steps[number - 1]
    question, key = step.question, _key(lesson.key, number)
    with st.form(f"form-{key}", border=True):
        st.markdown(f"**Question.** {texts_of(step)['ask']}")
        if question.kind == "number":
            st.number_input(
                "Your answer",
                value=None,
                step=None,
                format="%.6g",
                key=key,
                placeholder="A number",
                label_visibility="collapsed",
            )
        elif question.kind == "choice":
            texts = [option.text for option in question.options]
            st.radio("Your answer", texts, index=None, key=key, label_visibility="collapsed")
        else:
            st.multiselect(
                "Your answer",
                names,
                key=key,
                label_visibility="collapsed",
                placeholder="Choose vertices, or click them in the picture",
            )
        st.form_submit_button(
            "Check", key=f"check-{key}", on_click=_judge, args=(lesson, number), type="primary"
        )
    judged = st.session_state.get(_JUDGED, {}).get(key)
    if judged is True:
        st.success(as_shown(explained(step)))
    elif judged is False:
        st.warning(f"Not yet. {texts_of(step)['hint']}")
    elif is_done:
        st.caption("✓ You have answered this before.")


def take_selection(lesson: Lesson, number: int, names: list[str], vertices: list[int]) -> None:
    """Put the vertices that were clicked into the answer, where vertices are asked for."""
    if lesson.steps[number - 1].question.kind == "vertices":
        st.session_state[_key(lesson.key, number)] = [names[v] for v in vertices]


@cached()
def texts_of(step: Step) -> dict[str, str]:
    """Return the texts of a step with their computed numbers in them."""
    numbers = numbers_of(step)
    texts = {
        "text": step.text,
        "todo": step.todo,
        "ask": step.question.ask,
        "hint": step.question.hint,
    }
    return {name: as_shown(filled(text, numbers)) for name, text in texts.items()}


def _judge(lesson: Lesson, number: int) -> None:
    key = _key(lesson.key, number)
    given: Any = st.session_state.get(key)
    step = lesson.steps[number - 1]
    right = is_right(step.question, step.picture, given)
    st.session_state.setdefault(_JUDGED, {})[key] = right
    if right:
        mark_done(lesson.key, number)


def _key(lesson: str, number: int) -> str:
    return f"answer-{lesson}-{number}"


_PARAMETER = "glossary"


def wanted_term() -> str | None:
    """Return the term that the URL asks for, if any; an empty word means all terms."""
    word = st.query_params.get(_PARAMETER)
    return None if word is None else word[:60]


def choose_glossary(wanted: bool) -> None:
    """Ask for all terms in the URL, or for none."""
    if wanted:
        st.query_params[_PARAMETER] = ""
    else:
        st.query_params.pop(_PARAMETER, None)


def glossary_view(terms: tuple[Term, ...]) -> None:
    """Show the term that the URL asks for, and all that fit what is searched for."""
    by_key = {term.key: term for term in terms}
    wanted = wanted_term() or ""
    words = st.text_input(
        "Search the glossary",
        key="glossary-search",
        placeholder="orbit, kernel, α …",
        help="Words that occur in a term or its explanation, or a symbol.",
        max_chars=60,
    )
    if wanted in by_key and not words:
        with st.container(border=True, key="wanted-term"):
            _entry(by_key[wanted], by_key)
    elif wanted and wanted not in by_key and not words:
        st.warning("There is no such term in the glossary. All terms are below.")
    found = matching(terms, words or "")
    if not found:
        st.info("No term fits. Try one word, such as kernel.")
    left, right = st.columns(2, gap="large")
    half = -(-len(found) // 2)
    for column, part in ((left, found[:half]), (right, found[half:])):
        with column:
            for term in part:
                _entry(term, by_key)


def _entry(term: Term, by_key: dict[str, Term]) -> None:
    symbol = f" &nbsp; {term.symbol}" if term.symbol else ""
    others = ", ".join(f"[{by_key[key].term}](?glossary={key})" for key in term.see_also)
    also = f" *See also:* {others}." if others else ""
    st.markdown(f"**{term.term}**{symbol} — {term.text}{also}")
