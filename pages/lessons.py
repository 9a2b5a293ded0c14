"""Lessons: short texts, live pictures, and questions that the engine answers."""

from pathlib import Path

import streamlit as st

from ui.frame import through_app
from ui.lessons.classroom import print_view, share_box, summary, teacher_view, wanted_print
from ui.lessons.library import lesson_library
from ui.lessons.navigation import (
    choose_view,
    current_step,
    done_steps,
    keeper,
    lesson_list,
    navigation,
    presenter_switch,
    wanted_view,
)
from ui.lessons.view import glossary_view, lesson_step
from ui.shared.charts import is_presented
from ui.shared.widgets import help_of, show_problem
from ui.state.address import remember_page

VIEWS = {"lessons": "Lessons", "glossary": "Glossary", "class": "For teachers"}
VIEW = "lessons-view"
ASSETS = Path(__file__).parents[1] / "ui" / "assets"

through_app()
remember_page("lessons")
lessons, library, problems = lesson_library()
opened = current_step(lessons)
for number, problem in enumerate(problems if opened is None else []):  # students have a step open
    show_problem(problem, f"lesson-file-problem-{number}")
done = done_steps(lessons)
if is_presented():
    st.html(ASSETS / "presenter.css")

if opened is not None and wanted_print():
    st.html(ASSETS / "print.css")
    print_view(opened[0], wanted_print())
elif opened is not None:
    lesson, step = opened
    navigation(lesson, step, done[lesson.key], lessons, share_box)
    if step > len(lesson.steps):
        summary(lesson, lessons, done[lesson.key])
    else:
        lesson_step(lesson, step, done[lesson.key], library.terms)
else:
    st.markdown(
        "**Learn by doing.** Every lesson has a few steps with a live picture and a question. "
        "Answers are checked by computing them."
    )
    st.session_state[VIEW] = wanted_view()
    view = st.segmented_control(
        "Show",
        list(VIEWS),
        required=True,
        format_func=VIEWS.__getitem__,
        key=VIEW,
        on_change=lambda: choose_view(st.session_state[VIEW]),
        label_visibility="collapsed",
        help=help_of(VIEW),
    )
    if view == "glossary":
        glossary_view(library.terms)
    elif view == "class":
        teacher_view(lessons, library.routes)
    else:
        lesson_list(lessons, done)
    with st.container(horizontal=True, vertical_alignment="center"):
        presenter_switch()
        keeper(lessons, "")
