"""Long work in small portions: the page stays alive, partial results show, and stop means stop.

Work is a generator that waits in the session. Each rerun of the page asks it for as many results
as a moment allows; while the user looks elsewhere it rests, and nothing is lost.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

import streamlit as st

from mpgk_core import MPGKError
from ui.problem_box import NOT_DONE, show_problem
from ui.run_buttons import run_buttons, time_left

__all__ = ["Work", "run_box", "work_of"]

_MOMENT = 0.4
_PICTURE = 1.0
_MOST_KEPT = 12


@dataclass(eq=False)
class Work:
    """A generator, what it has given so far, and whether it is to go on.

    Attributes
    ----------
    steps : iterator
    total : int
        How many results there will be.
    results : list
    is_running : bool
    seconds : float
        Spent so far.
    problem : str
        Why it ended early, or nothing.
    """

    steps: Iterator[Any]
    total: int
    results: list[Any] = field(default_factory=list)
    is_running: bool = False
    seconds: float = 0.0
    problem: str = ""
    _pictured: int = 0
    _pictured_at: float = float("-inf")

    @property
    def is_done(self) -> bool:
        """Whether nothing is left to do."""
        return len(self.results) >= self.total or bool(self.problem)

    @property
    def seconds_left(self) -> float:
        """Estimated from the results so far; infinite before the first."""
        if not self.results:
            return float("inf")
        return self.seconds / len(self.results) * (self.total - len(self.results))

    def go_on(self) -> None:
        """Work when there is time."""
        self.is_running = True

    def rest(self) -> None:
        """Keep what is done, and do nothing more."""
        self.is_running = False

    def advance(self, seconds: float = _MOMENT) -> None:
        """Work for about so long; at least one result, if one is left."""
        begin = perf_counter()
        while self.is_running and not self.is_done:
            try:
                self.results.append(next(self.steps))
            except MPGKError as problem:
                self.problem = str(problem)
            if perf_counter() - begin > seconds:
                break
        self.seconds += perf_counter() - begin
        self.is_running = self.is_running and not self.is_done

    def to_picture(self, now: float) -> list[Any]:
        """Return the results that a picture shows: while work runs, others once a second.

        A chart with other data is a new chart to the browser, and blinks.
        """
        if not self.is_running or now - self._pictured_at >= _PICTURE:
            self._pictured, self._pictured_at = len(self.results), now
        return self.results[: self._pictured]


def work_of(
    name: str,
    key: str,
    begin: Callable[[], Iterator[Any]],
    total: int,
    *,
    begins_at_once: bool = False,
) -> Work:
    """Return the work that belongs to a choice: the one begun before, or new work at rest.

    Parameters
    ----------
    name : str
        What the work is, for the session.
    key : str
        Equal keys mean equal results.
    begin : callable
        Returns the generator.
    total : int
        How many results it gives.
    begins_at_once : bool
        Whether new work runs without being asked to.

    Returns
    -------
    Work
    """
    kept: dict[str, Work] = st.session_state.setdefault(f"work of {name}", {})
    if key not in kept:
        kept[key] = Work(begin(), total, is_running=begins_at_once)
        for old in list(kept)[:-_MOST_KEPT]:
            del kept[old]
    for other, work in kept.items():
        work.is_running = work.is_running and other == key
    return kept[key]


def run_box(work: Work, name: str, word: str, show: Callable[[list[Any]], None]) -> None:
    """Offer run and stop, and show progress and the results so far.

    Parameters
    ----------
    work : Work
    name : str
        Part of the keys of the buttons.
    word : str
        What is counted: "trials".
    show : callable
        Draws the results so far; called only when there are some.
    """
    run_buttons(f"{name}-", work.is_running, work.is_done, work.go_on, work.rest)

    @st.fragment(run_every=0.1 if work.is_running else None)
    def going() -> None:
        was_running = work.is_running
        if was_running:
            bar = st.progress(*_progress(work, word))
            work.advance()
            bar.progress(*_progress(work, word))
        elif not work.results:
            st.info("Press Run. Pictures come as the work goes on.")
        else:
            st.caption(_progress(work, word)[1] + ("." if work.is_done else ": Run goes on."))
        if work.problem:
            show_problem(work.problem, f"{name}-problem", NOT_DONE)
        if work.results:
            show(work.to_picture(perf_counter()))
        if was_running and not work.is_running:
            st.rerun()

    going()


def _progress(work: Work, word: str) -> tuple[float, str]:
    done = len(work.results)
    left = time_left(work.seconds_left) if work.is_running else ""
    return done / work.total, f"{done:,} of {work.total:,} {word}{left}"
