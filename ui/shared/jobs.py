"""Long work on a page: run, stop, place in the queue, progress, and the results so far."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import Any, TypeAlias
from uuid import uuid4

import streamlit as st

from mpgk_core import MPGKError
from mpgk_core.content_key import content_key
from mpgk_core.jobs import Engine, JobStatus, Store, Task, Unit
from ui.shared.widgets import NOT_DONE, button, show_problem

Results: TypeAlias = dict[Unit, Any]
"""JSON values of finished units."""

_COOKIE = "_streamlit_xsrf"
_MASKED = re.compile(r"2\|([0-9a-f]{8})\|((?:[0-9a-f]{2}){8,64})\|[0-9]+")
_LOOK, _FIRST_LOOK = 1.0, 0.3
"""Seconds between two looks at a job under way, and before it has any result."""

_SIGN_OF_LIFE = 60.0
_UNKNOWN = 1e6


@cache
def engine() -> Engine:
    """Return the engine of this server; its workers start with the first job."""
    return Engine(Store())


def user() -> str:
    """Return an id of this user: the same for all tabs of a browser, and after a reload."""
    if "user" not in st.session_state:
        token = _token(st.context.cookies.get(_COOKIE))
        st.session_state["user"] = content_key("user", token) if token else uuid4().hex
    word: str = st.session_state["user"]
    return word


def _token(cookie: Any) -> bytes:
    """Return what stays the same in a cookie ``2|mask|masked token|time``; nothing in others."""
    match = _MASKED.fullmatch(cookie) if isinstance(cookie, str) else None
    if match is None:
        return b""
    mask, masked = map(bytes.fromhex, match.groups())
    return bytes(byte ^ mask[place % len(mask)] for place, byte in enumerate(masked))


def keep_jobs_alive() -> None:
    """Keep the jobs of this user running while any page is open."""
    with st.container(key="sign-of-life"):  # takes no room: nothing moves when a job begins or ends
        if engine().is_idle or not engine().jobs_of(user()):
            return

        @st.fragment(run_every=_SIGN_OF_LIFE)
        def sign_of_life() -> None:
            engine().seen(user())

        sign_of_life()


def is_running(task: Task) -> bool:
    """Return whether a job for this task waits or runs."""
    status = engine().status(task.key)
    return status is not None and status.is_live


def job_box(
    task: Task,
    name: str,
    title: str,
    show: Callable[[Results, bool], None],
    *,
    show_before: Callable[[], None] | None = None,
    most_at_once: float = 0,
    run: str = "Run",
) -> Results:
    """Offer run and stop, show progress and results so far, and return them once nothing runs.

    Parameters
    ----------
    task : Task
    name : str
        Begins the keys of the buttons.
    title : str
        Of the job, for the list of all jobs of the user.
    show : callable
        Draws the results so far; the second argument is whether more are about to come. Called
        only when there are some.
    show_before : callable, optional
        Draws something else as long as there are no results.
    most_at_once : float
        A job of at most so many units starts without a click on Run, and ends when the user goes on
        to another one: for what takes a second or two.
    run : str
        On the button. Where a page has two of them, each says what it runs.

    Returns
    -------
    dict from Unit to JSON values
        The results, which are not all of them after a stop; none while more are about to come.
    """
    try:
        units = task.units()
    except MPGKError as problem:
        show_problem(str(problem), f"{name}-problem", NOT_DONE)
        return {}
    jobs, me = engine(), user()
    jobs.seen(me)
    if len(units) <= most_at_once:
        _begin(task, name, title)
    runs = is_running(task)  # asked first: once it has ended, all its results are known
    known = jobs.results(task)
    with st.container():
        _other_jobs(task.key, name)

    @st.fragment(run_every=(_LOOK if known else _FIRST_LOOK) if runs else None)
    def going() -> None:
        jobs.seen(me)
        found = jobs.results(task) if runs else known
        if runs and (not is_running(task) or bool(found) != bool(known)):
            st.rerun()
        with st.container(horizontal=True, vertical_alignment="center"):
            _buttons(task, name, title, run, is_done=len(known) == len(units))
            _progress(task, len(found), len(units), run)
        _problems(task.key, name)
        if found:
            show(found, runs)
        elif show_before is not None:
            show_before()

    going()
    return {} if runs else known


def _begin(task: Task, name: str, title: str) -> None:
    """Start a job that nobody has asked for, in place of the last one; a stopped one rests."""
    key = f"{name} began"
    last = st.session_state.get(key)
    if last == task.key:
        return
    if last is not None:
        engine().stop(last, user())
    st.session_state[key] = task.key
    if not is_running(task) and len(engine().results(task)) < len(task.units()):
        _start(task, name, title)


def _buttons(task: Task, name: str, title: str, run: str, is_done: bool) -> None:
    is_mine = engine().is_wanted_by(task.key, user())
    if button(f"{name}-run", run, type="primary", disabled=is_mine or is_done):
        _start(task, name, title)
        st.rerun()
    _stop_button(task.key, f"{name}-stop", "Stop", disabled=not is_mine)


def _stop_button(job: str, key: str, label: str, **look: Any) -> None:
    if button(key, label, **look):
        engine().stop(job, user())
        st.rerun()


def _start(task: Task, name: str, title: str) -> None:
    problem_key = f"{name} start problem"
    st.session_state.pop(problem_key, None)
    try:
        engine().start(task, user(), title)
    except MPGKError as problem:
        st.session_state[problem_key] = str(problem)


def _progress(task: Task, n_done: int, n_units: int, run: str) -> None:
    status = engine().status(task.key)
    counted = f"{n_done:,} of {n_units:,} {task.unit_name}"
    if status is not None and status.is_live:
        words = _live_words(status, counted)
        if not engine().is_wanted_by(task.key, user()):
            words += ". Another user runs the same work; its results are shared."
        st.progress(n_done / max(n_units, 1), words)
    elif n_done == n_units:
        st.caption(f"{counted}.")
    elif n_done:
        st.caption(f"{counted}. Press {run} to resume.")
    else:
        st.caption(
            f"Press {run}. There are {n_units:,} {task.unit_name}; results appear as they are "
            "computed."
        )


def _live_words(status: JobStatus, counted: str) -> str:
    if status.state == "waiting":
        return f"Waiting: place {status.place + 1} in the queue" if status.place else "Starting …"
    seconds = status.seconds_left
    if seconds < _UNKNOWN:
        left = f"{seconds:,.0f} s" if seconds < 100 else f"{seconds / 60:,.0f} min"
        counted = f"{counted}, about {left} left"
    if not status.activity:
        return counted if status.done else f"{counted}. Starting …"
    return f"{counted}. Now: {status.activity}"


def _problems(key: str, name: str) -> None:
    status = engine().status(key)
    problem = st.session_state.get(f"{name} start problem", "")
    if status is not None and not status.is_live and status.problem:
        problem = status.problem
    if problem:
        show_problem(problem, f"{name}-problem", NOT_DONE)
        if status is not None and status.log:
            with st.expander("Log"):
                st.code(status.log, language=None)
    if engine().store.notice:
        st.warning("The store of results was repaired.")
        st.text(engine().store.notice)


def _other_jobs(key: str, name: str) -> None:
    """List other jobs of this user, and let each be stopped."""
    others = [status for status in engine().jobs_of(user()) if status.key != key]
    for number, status in enumerate(others):
        with st.container(horizontal=True, vertical_alignment="center", border=True):
            state = "is waiting" if status.state == "waiting" else "is running"
            st.text(
                f"Another job of yours {state}: {status.title}, {status.done:,} of "
                f"{status.total:,} {status.unit_name}."
            )
            _stop_button(status.key, f"{name}-stop-other-{number}", "Stop this job")
