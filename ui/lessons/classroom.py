"""For a class: links and a QR code of a step, a summary, answers of students, and handouts."""

from __future__ import annotations

import os
from collections.abc import Sequence
from io import BytesIO
from typing import Any
from urllib.parse import urlencode, urlsplit, urlunsplit

import streamlit as st

from mpgk_core import MPGKError
from mpgk_core import lessons as engine
from mpgk_core.edits import History, without_edge
from mpgk_core.errors import shortened
from mpgk_core.export import GivenGraph, PresetGraph, file_name
from mpgk_core.export.class_answers import MAX_NAME, class_tables, load_answers, save_answers
from mpgk_core.lessons import Lesson, Picture, Step, Tries, as_shown
from mpgk_core.lessons.answers import shown_value
from mpgk_core.lessons.lesson import QUESTION_MINUTES, WORDS_PER_MINUTE
from mpgk_core.lessons.route import Route, Stop
from mpgk_core.lessons.scene import DataSource, MeasuredSource
from mpgk_core.lessons.shared import shared_text, with_values
from mpgk_core.text import counted
from ui.lessons.navigation import (
    CLASSROOM,
    SELECTED,
    done_steps,
    done_text,
    go_to,
    progress_now,
    reset,
    shared_step,
    still_image,
    undo_button,
)
from ui.lessons.number_pictures import PAIR
from ui.lessons.paper import printed_tables, still_pictures
from ui.shared.downloads import Download, download_row
from ui.shared.widgets import help_of, show_problem
from ui.state.address import exact_link
from ui.state.cache import cached
from ui.state.choices import keep

_LOCAL = ("localhost", "127.0.0.1", "::1")
_MOST_FILES = 200
_PRINT = "print"
_PRINTED = {"questions": "Handout", "answers": "Answer key"}


def step_values(lesson: Lesson, number: int) -> dict[str, Any]:
    """Return what the controls of a step are set to, by their names."""
    values: dict[str, Any] = {}
    for name in lesson.steps[number - 1].picture.controls:
        value = st.session_state.get(f"{lesson.key}-{number}-{name}")
        if name == "features" and value is not None:
            value = "+".join(value) or "constant"
        elif name == "remove" and value is not None:
            value = " ".join(value)
        elif name == "methods":
            value = tuple(value) if value else None
        values[name] = value
    return values


def selected_names(lesson: Lesson, number: int) -> tuple[str, ...]:
    """Return the vertices that are selected in the picture of a step now."""
    picture, key = lesson.steps[number - 1].picture, f"{lesson.key}-{number}"
    if isinstance(picture.source, DataSource):
        return ()
    owner, vertices = st.session_state.get(SELECTED, ("", []))
    if picture.view == "messages":
        vertices = [st.session_state.get(f"{key}-{label}", 0) for label in PAIR]
        owner = key if vertices != [0, 1] else ""
    names = picture.source.build().names
    return tuple(str(names[v]) for v in vertices) if owner == key else ()


def share_box(lesson: Lesson, number: int, lessons: Sequence[Lesson]) -> None:
    """Offer links to a step, with and without answers, and a QR code."""
    box = st.popover("Share", key="share-step", on_change="rerun")
    if not box.open:
        return
    with box:
        plain, full = _links(lesson, number, lessons)
        CLASSROOM(
            key="copy-links",
            data={
                "kind": "copy",
                "links": [
                    {"words": "Copy the link", "name": "mpgk-copy-plain", "link": plain},
                    {
                        "words": "Copy the link with my answers",
                        "name": "mpgk-copy-full",
                        "link": full,
                        "hasRound": number <= len(lesson.steps),
                    },
                ],
            },
        )
        st.html(still_image(_qr_code(plain), f"QR code of {plain}", "mpgk-qr"))
        st.code(plain, language=None, wrap_lines=True)
        if urlsplit(plain).hostname in _LOCAL:
            st.caption(
                "This address opens on this computer only. `make serve` opens it to a class."
            )
        _print_button("Print a handout", lesson.key, "questions")


def _links(lesson: Lesson, number: int, lessons: Sequence[Lesson]) -> tuple[str, str]:
    """Return the addresses of a step, as it begins and as it is now."""
    step = {"lesson": lesson.key, "step": str(number)}
    more = {"done": done_text(done_steps(lessons))}
    more["state"] = _state(lesson, number) if number <= len(lesson.steps) else ""
    full = step | {key: text for key, text in more.items() if text}
    base = page_address(st.context.url or "", os.environ.get("MPGK_ADDRESS", ""))
    return f"{base}?{urlencode(step)}", f"{base}?{urlencode(full)}"


def page_address(here: str, public: str) -> str:
    """Return the address of this page without its settings, as others can open it.

    Parameters
    ----------
    here : str
        The address in the browser.
    public : str
        That of the server in its network, or nothing; it counts where the page was opened on the
        computer of the server.

    Returns
    -------
    str

    Examples
    --------
    >>> page_address("http://localhost:8501/lessons?step=2", "http://192.0.2.7:8501")
    'http://192.0.2.7:8501/lessons'
    >>> page_address("https://example.org/app/lessons", "http://192.0.2.7:8501")
    'https://example.org/app/lessons'
    """
    parts = urlsplit(here)
    if parts.hostname in _LOCAL and public:
        return public.rstrip("/") + parts.path
    return urlunsplit((parts.scheme, parts.netloc, parts.path, "", ""))


def _state(lesson: Lesson, number: int) -> str:
    given = st.session_state.get(f"answer-{lesson.key}-{number}")
    if isinstance(given, int):
        given = float(given)
    answer = (tuple(given) or None) if isinstance(given, list) else given
    step = lesson.steps[number - 1]
    return shared_text(step, step_values(lesson, number), answer, selected_names(lesson, number))


@cached()
def _qr_code(text: str) -> str:
    """Return a QR code as SVG, black on white with the margin that readers need."""
    import segno  # only where a code is shown

    content = BytesIO()
    look = {"scale": 4, "border": 4, "dark": "#000", "light": "#fff", "xmldecl": False}
    segno.make_qr(text, error="m").save(content, kind="svg", **look)
    return content.getvalue().decode()


def playground_link(lesson: Lesson, number: int) -> None:
    """Offer to go on with the graph and the parameters of a step as they are set now."""
    start = shared_step(lesson, number).picture
    picture = with_values(start, step_values(lesson, number))
    source = picture.source
    if isinstance(source, MeasuredSource):
        st.page_link(
            "pages/graph_regression.py",
            label="Open this data set in Graph regression",
            query_params={"regress-target": source.target},
        )
        return
    if isinstance(source, DataSource):
        st.page_link(
            "pages/graph_classification.py",
            label="Open this data set in Graph classification",
            query_params={"set": source.name},
        )
        return
    st.page_link(
        "pages/playground.py",
        label="Open this step in the playground",
        query_params={**_graph_link(picture), **exact_link(picture.kernel), **_edits(picture)},
        help="The same graph, with exactly these parameters.",
    )


def _graph_link(picture: Picture) -> dict[str, str | list[str]]:
    source = picture.source
    look: dict[str, str | list[str]] = {"layout": picture.layout, "axes": picture.axes}
    look |= {"colour": picture.colour} if picture.colour != "none" else {}
    look |= {"beside": picture.beside} if picture.beside else {}
    if isinstance(source, PresetGraph):
        numbers = {f"{source.preset}-{key}": str(n) for key, n in source.values.items()}
        return {**look, "source": "build", "graph": source.preset, **numbers}
    return {**look, "source": "loaded", "loaded": keep(GivenGraph(source.title, source.build()))}


def _edits(picture: Picture) -> dict[str, str | list[str]]:
    if picture.removed is None:
        return {}
    graph = picture.source.build()
    by_word = {str(name): name for name in graph.names}
    cut = without_edge(graph, *(by_word[end] for end in picture.removed))
    return {"edits": History.of(graph).done(cut, "edited").link_text or ""}


def summary(lesson: Lesson, lessons: Sequence[Lesson], done: set[int]) -> None:
    """Show what came of the questions of a lesson, and let the reader save it."""
    score, tries = progress_now().score(lesson), progress_now().of(lesson.key)
    st.markdown("### Summary")
    with st.container(horizontal=True):
        st.metric("Answered", f"{score.n_right} of {score.n_questions}", width=150)
        st.metric("Right at the first try", f"{score.n_first} of {score.n_questions}", width=200)
        st.metric("Tries", score.n_tries, width=110)
    rows = [
        f"| {number} | {step.title} | {_result(tries.get(number), number in done)} |"
        for number, step in enumerate(lesson.steps, start=1)
    ]
    st.markdown("| Step | Question | Result |\n|---|---|---|\n" + "\n".join(rows))
    missing = [i for i in range(1, len(lesson.steps) + 1) if i not in done]
    with st.container(horizontal=True):
        if missing:
            st.button(
                "Answer the rest", key="to-missing", on_click=go_to, args=(lesson, missing[0])
            )
        st.button("Reset this lesson", key="reset-lesson", on_click=reset, args=(lesson,))
    undo_button()
    with st.container(border=True, key="save-answers"):
        st.markdown("**For your teacher**")
        name = st.text_input("Your name", max_chars=MAX_NAME, key="student", width=320)
        make = save_answers(name or "", progress_now(), lessons)
        file = file_name(name or "answers", "lessons", extension="json")
        download_row("", [Download("answers-file", "Save my answers", file, lambda: make)])
        st.caption(
            "All lessons, with the number of tries. A changed file is noticed, but this is no "
            "exam: files can be copied. Nothing is sent."
        )


def _result(tries: Tries | None, is_linked: bool) -> str:
    if tries is None:
        return "answered in the link" if is_linked else "not tried"
    words = counted(tries.n, "try", "tries")
    return f"✓ {words}" if tries.is_right else f"not yet, {words}"


def teacher_view(lessons: Sequence[Lesson], routes: Sequence[Route]) -> None:
    """Show plans of an hour, handouts, and the answers of a class."""
    titles = {lesson.key: lesson.title for lesson in lessons}
    st.markdown("#### Plan an hour")
    st.caption(
        f"Minutes are estimates: {WORDS_PER_MINUTE} words a minute, and {QUESTION_MINUTES} minutes "
        "to try out, answer and discuss each question."
    )
    for number, route in enumerate(routes):
        with st.expander(f"{route.title} (about {route.minutes} min)", expanded=number == 0):
            _route(route, titles)
    st.markdown("#### Print handouts")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        key = st.selectbox(
            "Lesson", list(titles), format_func=titles.__getitem__, key="handout-lesson", width=340
        )
        for kind, label in _PRINTED.items():
            _print_button(label, str(key), kind)
    st.markdown("#### Read the answers of a class")
    _class_answers(lessons)


def _route(route: Route, titles: dict[str, str]) -> None:
    st.markdown(as_shown(route.summary))
    begun = 0
    rows = []
    for stop in route.stops:
        end = begun + (stop.minutes or 0)
        rows.append(f"| {begun}–{end} | {_where(stop, titles)} | {stop.note} |")
        begun = end
    st.markdown("| Minute | Lesson | What to do |\n|---|---|---|\n" + "\n".join(rows))


def _where(stop: Stop, titles: dict[str, str]) -> str:
    if stop.lesson is None:
        return ""
    first = stop.steps[0] if stop.steps else 1
    steps = ", ".join(map(str, stop.steps))
    words = f", {'step' if len(stop.steps) == 1 else 'steps'} {steps}" if steps else ""
    return f"[{titles[stop.lesson]}](?lesson={stop.lesson}&step={first}){words}"


def _class_answers(lessons: Sequence[Lesson]) -> None:
    files = st.file_uploader(
        "Files of students",
        "json",
        accept_multiple_files=True,
        key="class-files",
        help=help_of("class-files"),
    )
    found = []
    for number, file in enumerate(files[:_MOST_FILES]):
        try:
            found.append(load_answers(file.getvalue(), file.name))
        except MPGKError as problem:
            show_problem(shortened(str(problem), 300), f"class-file-problem-{number}")
    if len(files) > _MOST_FILES:
        st.warning(f"Only the first {_MOST_FILES} files are read.")
    if not found:
        return
    tables = class_tables(found, lessons)
    st.markdown(f"**{counted(len(tables.students), 'student')}**")
    st.dataframe(tables.students, hide_index=True, key="class-students")
    st.markdown("**Questions**")
    look = {"mean tries": st.column_config.NumberColumn(format="%.1f")}
    st.dataframe(tables.questions, hide_index=True, key="class-questions", column_config=look)
    name = file_name("class", "answers", extension="csv")
    download_row("", [Download("class-csv", "Table as CSV", name, tables.csv)])


def wanted_print() -> str:
    """Return what the address asks to print: "questions", "answers" or nothing."""
    word = st.query_params.get(_PRINT, "")
    return word if word in _PRINTED else ""


def print_view(lesson: Lesson, kind: str) -> None:
    """Show a lesson for paper: texts, still pictures, and questions with room, or the answers."""
    with st.container(horizontal=True, key="print-bar", vertical_alignment="center"):
        st.button("← Back to the lesson", key="from-print", on_click=_leave_print, type="tertiary")
        CLASSROOM(key="print", data={"kind": "print"}, width="content")
        other = next(one for one in _PRINTED if one != kind)
        _print_button(_PRINTED[other], lesson.key, other)
    with st.container(key="handout"):
        st.markdown(f"## {lesson.title}")
        st.markdown(as_shown(lesson.summary))
        if kind == "questions":
            st.markdown("Name: ______________________________ &emsp; Date: ______________")
        for number, step in enumerate(lesson.steps, start=1):
            with st.container(key=f"handout-step-{number}"):
                _printed_step(number, step, kind == "answers")


def _print_button(label: str, lesson: str, kind: str) -> None:
    """Offer to show a lesson for paper, with an address of its own."""
    address = {"lesson": lesson, _PRINT: kind}
    st.button(label, key=f"print-{kind}", on_click=st.query_params.update, kwargs=address)


def _leave_print() -> None:
    st.query_params.pop(_PRINT, None)


def _printed_step(number: int, step: Step, has_answer: bool) -> None:
    numbers, question = engine.numbers_of(step), step.question
    st.markdown(f"### {number}. {step.title}")
    if not has_answer:
        st.markdown(as_shown(engine.filled(step.text, numbers)))
        pictures = still_pictures(step.picture, question)
        for is_small in (False, True):
            images = [
                still_image(one.svg, one.words, "mpgk-small" if is_small else "mpgk-large")
                for one in pictures
                if one.is_small == is_small
            ]
            if images:
                st.html(f'<div class="mpgk-printed">{"".join(images)}</div>')
        with st.container(horizontal=True, key=f"handout-tables-{number}"):
            for title, table in printed_tables(step.picture, question).items():
                with st.container(width="content"):
                    st.markdown(f"{title}\n\n{table}")
    answer = engine.answer_of(question, step.picture)
    with st.container(key=f"handout-question-{number}"):
        st.markdown(f"**Question.** {as_shown(engine.filled(question.ask, numbers))}")
        marks = {True: "☒", False: "☐"}
        st.markdown(
            "  \n".join(
                f"{marks[has_answer and option.text == answer]} {option.text}"
                for option in question.options
            )
        )
        if has_answer:
            st.markdown(f"**Answer: {shown_value(answer)}**")
            st.markdown(as_shown(engine.explained(step)))
        elif not question.options:
            st.html('<div class="mpgk-answer-line"></div><div class="mpgk-answer-line"></div>')
