"""Lessons: short texts, live pictures, and questions that the engine answers."""

from pathlib import Path

import streamlit as st

from ui.frame import through_app
from ui.lessons.library import lesson_library
from ui.lessons.navigation import (
    choose_glossary,
    current_step,
    done_steps,
    lesson_list,
    navigation,
    presenter_switch,
    wanted_term,
)
from ui.lessons.view import glossary_view, lesson_step
from ui.shared.charts import is_presented
from ui.shared.widgets import help_of, show_problem
from ui.state.address import remember_page

VIEWS = {"lessons": "Lessons", "glossary": "Glossary"}
VIEW = "lessons-view"

through_app()
remember_page("lessons")
lessons, terms, problems = lesson_library()
for number, problem in enumerate(problems):
    show_problem(problem, f"lesson-file-problem-{number}")

opened = current_step(lessons)
done = done_steps(lessons)
if is_presented():
    st.html(Path(__file__).parents[1] / "ui" / "assets" / "presenter.css")

if opened is not None:
    lesson, step = opened
    navigation(lesson, step, done[lesson.key])
    lesson_step(lesson, step, done[lesson.key], terms)
else:
    st.markdown(
        "**Learn by doing.** Every lesson has a few steps with a live picture and a question. "
        "Answers are checked by computing them."
    )
    st.session_state[VIEW] = "lessons" if wanted_term() is None else "glossary"
    view = st.segmented_control(
        "Show",
        list(VIEWS),
        required=True,
        format_func=VIEWS.__getitem__,
        key=VIEW,
        on_change=lambda: choose_glossary(st.session_state[VIEW] == "glossary"),
        label_visibility="collapsed",
        help=help_of(VIEW),
    )
    if view == "glossary":
        glossary_view(terms)
    else:
        lesson_list(lessons, done)
    presenter_switch()
