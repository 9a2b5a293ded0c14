"""The question of a step: ask, judge, and say why."""

from __future__ import annotations

from typing import Any

import streamlit as st

from mpgk_core.lessons import Lesson, Step, as_shown, explained, filled, is_right, numbers_of
from ui.cache import cached
from ui.lesson_state import mark_done

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
