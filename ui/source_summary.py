"""What a source holds, in words, above the first result of every page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol

import streamlit as st

from mpgk_core import GraphSet
from mpgk_core.errors import shortened
from mpgk_core.formats import READINGS, Role, Summary, summary_of
from mpgk_core.formats.summary import how_read
from ui.cache import cached
from ui.files import ReadFile


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


def file_remarks(read: ReadFile, roles: Mapping[str, Role]) -> None:
    """Say how a file was understood and what was dropped or merged, where everyone sees it."""
    tables = read.tables
    if tables is None:
        return
    others = [READINGS[reading].partition(":")[0] for reading in tables.other_readings]
    words = [how_read(tables.format, tables.reading), *tables.losses(roles=roles)]
    if others:
        words.append(f"It could also be {' or '.join(others)}: choose under “Read as”.")
    st.text(" ".join(words))
