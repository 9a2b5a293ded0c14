"""Problems and sizes in words, the same on every page."""

from __future__ import annotations

import streamlit as st

from mpgk_core import GraphSet, MPGKError
from mpgk_core.errors import shortened
from mpgk_core.formats import summary_of

NOT_DONE = "This could not be done."
NOT_USABLE = "The file was read, but it cannot be used here."
_NOT_READ = "This could not be read."


def show_problem(problem: str, key: str = "problem", title: str = _NOT_READ) -> None:
    """Show what is wrong; the text is shown as it is, never as markup."""
    with st.container(border=True, key=key):
        st.error(title, icon="⚠️")
        st.text(problem)


class ProblemsShown:
    """Shows an error of the engine instead of raising it; the page goes on after the block.

    Parameters
    ----------
    title, key : str
        As for :func:`show_problem`.
    """

    def __init__(self, title: str, key: str = "problem") -> None:
        self._title, self._key = title, key

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, problem: object, trace: object) -> bool:
        if isinstance(problem, MPGKError):
            show_problem(str(problem), self._key, self._title)
        return isinstance(problem, MPGKError)


def show_counts(name: str, graph: GraphSet, *also: str, more: str = "") -> None:
    """Show the size of a graph, and what is counted beside it; its name is never markup."""
    counts = ", ".join([summary_of(graph).counts, *also])
    st.text(f"{shortened(name, 100)}: {counts}. {more}".strip())
