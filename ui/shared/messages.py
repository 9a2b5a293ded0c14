"""Problems and summaries in words, the same on every page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Protocol

import streamlit as st

from mpgk_core import GraphSet
from mpgk_core.errors import shortened
from mpgk_core.formats import Summary, summary_of
from ui.state.cache import cached

NOT_DONE = "This could not be done."
NOT_USABLE = "The file was read, but it cannot be used here."
_NOT_READ = "This could not be read."


def show_problem(problem: str, key: str = "problem", title: str = _NOT_READ) -> None:
    """Say what is wrong, with a file or else; its words are shown as they are, never as markup."""
    with st.container(border=True, key=key):
        st.error(title, icon="⚠️")
        st.text(problem)


class _Set(Protocol):
    """Graphs with classes, as the pages choose them."""

    @property
    def name(self) -> str: ...
    @property
    def graphs(self) -> GraphSet: ...
    @property
    def classes(self) -> Sequence[Any]: ...
    @property
    def notes(self) -> tuple[str, ...]: ...


def show_counts(name: str, graph: GraphSet, *also: str, more: str = "") -> None:
    """Say how large a graph is, and what is counted beside it; its name is never markup."""
    counts = ", ".join([summary_of(graph).counts, *also])
    st.text(f"{shortened(name, 100)}: {counts}. {more}".strip())


def show_summary(chosen: _Set) -> Summary:
    """Say what a set of graphs holds and what was lost; return what was said."""
    summary = set_summary(chosen)
    st.text(summary.text)
    return summary


@cached()
def set_summary(chosen: _Set) -> Summary:
    """Return what a set of graphs holds and what was lost."""
    found = summary_of(chosen.graphs, chosen.name, classes=chosen.classes)
    return replace(found, losses=chosen.notes)
