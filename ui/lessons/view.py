"""A step of a lesson on screen, with its question, and the glossary."""

from __future__ import annotations

from typing import Any

import streamlit as st

from mpgk_core import MPGKError
from mpgk_core import lessons as engine
from mpgk_core.lessons import Lesson, Step, Term, as_shown
from mpgk_core.lessons.scene import DataSource
from ui.lessons.classroom import playground_link
from ui.lessons.navigation import SELECTED, note_try, shared_step, wanted_term
from ui.lessons.pictures import step_picture
from ui.shared.widgets import NOT_DONE, help_of, show_problem
from ui.state.cache import cached

_JUDGED = "lesson answers"


def lesson_step(lesson: Lesson, number: int, done: set[int], terms: tuple[Term, ...]) -> None:
    """Show a step.

    Parameters
    ----------
    lesson : Lesson
    number : int
        Of the step, from 1.
    done : set of int
        The steps whose questions are answered.
    terms : tuple of Term
        The glossary.
    """
    step, key = lesson.steps[number - 1], f"{lesson.key}-{number}"
    is_done = number in done or st.session_state.get(_JUDGED, {}).get(f"answer-{key}") is True

    def select(vertices: list[int]) -> None:
        """Mark the vertices that were clicked; they are the answer if vertices are asked for."""
        st.session_state[SELECTED] = (key, vertices)
        if step.question.kind == "vertices":
            st.session_state[f"answer-{key}"] = [names[v] for v in vertices]

    try:
        with st.container(key="lesson-page"):
            left, right = st.columns([2, 3], gap="large")
            with left, st.container(key="lesson-text"):
                st.markdown(f"### {step.title}")
                st.markdown(_texts_of(step)["text"])
                st.info(f"**Task.** {_texts_of(step)['todo']}")
            names: list[str] = []
            if not isinstance(step.picture.source, DataSource):
                names = [str(name) for name in step.picture.source.build().names]
            owner, vertices = st.session_state.get(SELECTED, ("", []))
            with right, st.container(key="lesson-picture"):
                shared = shared_step(lesson, number)
                marked = vertices if owner == key else map(names.index, shared.selected)
                step_picture(shared.picture, step.question, is_done, key, list(marked), select)
                playground_link(lesson, number)
            with left, st.container(key="lesson-question"):
                _question(lesson, number, names, is_done)
        _terms_of(step, terms)
    except MPGKError as problem:
        show_problem(str(problem), "lesson-problem", NOT_DONE)


def _terms_of(step: Step, terms: tuple[Term, ...]) -> None:
    """Explain the terms that a step names; the browser shows one where its name is pressed."""
    by_key = {term.key: term for term in terms}
    question = step.question
    texts = (step.text, step.todo, question.ask, question.hint, question.explanation)
    with st.container(key="lesson-terms"):
        for key in dict.fromkeys(engine.glossary_terms(" ".join(texts))):
            with st.container(key=f"term-{key}"):
                _entry(by_key[key], by_key)


def _question(lesson: Lesson, number: int, names: list[str], is_done: bool) -> None:
    """Ask the question of a step, with the names of the vertices to choose from."""
    step, key = lesson.steps[number - 1], f"answer-{lesson.key}-{number}"
    question, label = step.question, "Your answer"

    def judge() -> None:
        is_right = engine.is_right(question, step.picture, st.session_state.get(key))
        st.session_state.setdefault(_JUDGED, {})[key] = is_right
        note_try(lesson, number, is_right)

    _give_shared(lesson, number, key)
    with st.form(f"form-{key}", border=True):
        st.markdown(f"**Question.** {_texts_of(step)['ask']}")
        look: dict[str, Any] = {"key": key, "label_visibility": "collapsed"}
        with st.container(horizontal=True, vertical_alignment="bottom"):
            if question.kind == "choice":
                texts = [option.text for option in question.options]
                st.radio(label, texts, index=None, width="stretch", **look)
            elif question.kind == "number":
                hint = "A number"
                st.number_input(
                    label, value=None, step=None, format="%.6g", placeholder=hint, **look
                )
            elif question.kind == "vertices":
                st.multiselect(label, names, placeholder="Choose or click vertices", **look)
            st.form_submit_button("Check", key=f"check-{key}", on_click=judge, type="primary")
    judged = st.session_state.get(_JUDGED, {}).get(key)
    if judged is True:
        st.success(as_shown(engine.explained(step), has_links=True))
    elif judged is False:
        st.warning(f"Not yet. {_texts_of(step)['hint']}")
    elif is_done:
        st.caption("✓ You have answered this before.")


def _give_shared(lesson: Lesson, number: int, key: str) -> None:
    """Give the answer that came with the link, once; it is no try of this reader."""
    given, judged = shared_step(lesson, number).answer, st.session_state.setdefault(_JUDGED, {})
    if given is not None and key not in judged:
        step = lesson.steps[number - 1]
        st.session_state[key] = list(given) if isinstance(given, tuple) else given
        judged[key] = engine.is_right(step.question, step.picture, given)


@cached()
def _texts_of(step: Step) -> dict[str, str]:
    """Return the texts of a step with their computed numbers in them."""
    numbers, question = engine.numbers_of(step), step.question
    texts = {"text": step.text, "todo": step.todo, "ask": question.ask, "hint": question.hint}
    filled = {name: engine.filled(text, numbers) for name, text in texts.items()}
    return {name: as_shown(text, has_links=True) for name, text in filled.items()}


def glossary_view(terms: tuple[Term, ...]) -> None:
    """Show the term that the address asks for, and all that match the search."""
    by_key = {term.key: term for term in terms}
    wanted = wanted_term() or ""
    words = st.text_input(
        "Search the glossary",
        max_chars=60,
        key="glossary-search",
        placeholder="orbit, kernel, α …",
        help=help_of("glossary-search"),
    )
    if wanted in by_key and not words:
        with st.container(border=True, key="wanted-term"):
            _entry(by_key[wanted], by_key)
    elif wanted and not words:
        st.warning("There is no such term in the glossary. All terms are below.")
    found = engine.matching(terms, words or "")
    if not found:
        st.info("No term matches. Try one word, such as kernel.")
    half = -(-len(found) // 2)
    for column, part in zip(st.columns(2, gap="large"), (found[:half], found[half:]), strict=True):
        with column:
            for term in part:
                _entry(term, by_key)


def _entry(term: Term, by_key: dict[str, Term]) -> None:
    symbol = f" &nbsp; {term.symbol}" if term.symbol else ""
    others = ", ".join(f"[{by_key[key].term}](?glossary={key})" for key in term.see_also)
    also = f" *See also:* {others}." if others else ""
    st.markdown(f"**{term.term}**{symbol} — {term.text}{also}")
