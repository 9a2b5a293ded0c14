"""The edits of one user: a history for every graph, and the graph that follows from it.

Histories live in the session, so no user ever sees another's; the key of an edited graph is a
digest of all that is in it, so no cache can mistake one graph for another. Edits that are short
enough stand in the address too, so that they survive a reload and travel with a link.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import streamlit as st

from mpgk_core import GraphSet, MPGKError
from mpgk_core.edits import MAX_EDIT_TEXT, History, edited_by_text, words_of_change
from mpgk_core.memory_size import size_of
from ui.address import is_asked, write_address
from ui.choices import ChosenGraph
from ui.problem_box import NOT_DONE, show_problem
from ui.selection import current_selection, forget_selection, keep_selection

_KEY, _PROBLEM = "histories", "problem of edits"
_PARAMETER = "edits"
_MOST_KEPT = 12
_MOST_BYTES = 50_000_000
_FILE = "To keep or share what is shown, save a session file."


def follow_edits(source: ChosenGraph, kind: str) -> None:
    """Make the edits that the address asks for, and see to it that the address holds the edits.

    Parameters
    ----------
    source : ChosenGraph
        The graph as it came.
    kind : str
        Where it came from; "file" is what no address can hold.
    """
    if is_asked(_PARAMETER):
        _follow(source, st.query_params.get(_PARAMETER, ""))
    text = history_of(source).link_text or ""
    is_held = kind != "file" and len(text) <= MAX_EDIT_TEXT
    write_address(_PARAMETER, [text] if text and is_held else [])
    owner, problem = st.session_state.get(_PROBLEM, ("", ""))
    if owner == source.key and not text:
        show_problem(
            f"The edits in this link could not be applied: {problem}", "link-problem", NOT_DONE
        )


def words_on_link(source: ChosenGraph, kind: str) -> str:
    """Say what the address of the page cannot hold; empty where it holds all that is shown.

    Parameters
    ----------
    source, kind
        As for :func:`follow_edits`.

    Returns
    -------
    str
    """
    if kind == "file":
        return f"The link of this page cannot hold an uploaded graph. {_FILE}"
    if kind == "loaded":
        return (
            "The link of this page opens the graph of a session file only while this server keeps "
            f"it. {_FILE}"
        )
    text = history_of(source).link_text
    if text is None or len(text) > MAX_EDIT_TEXT:
        return (
            "The link of this page shows the unedited graph: there are too many edits for a link. "
            f"{_FILE}"
        )
    return ""


def edited(source: ChosenGraph) -> ChosenGraph:
    """Return the graph with this user's edits."""
    graph = history_of(source).graph
    return source if graph is source.graph else _chosen(source, graph)


def history_of(source: ChosenGraph) -> History:
    """Return the history of a graph; it begins with the graph as it came."""
    kept: dict[str, History] = st.session_state.get(_KEY, {})
    return kept.get(source.key) or History.of(source.graph)


def set_edits(source: ChosenGraph, text: str, most: int | None = None) -> None:
    """Show the graph with the edits of a link or a session, or raise; undo leads back.

    Parameters
    ----------
    source : ChosenGraph
        The graph as it came.
    text : str
        Not trusted. Without any, the graph is shown as it came.
    most : int, optional
        How many characters are read at most.
    """
    history = history_of(source)
    if not text:
        _keep(source, history.reset())
    elif text != history.link_text:
        graph = edited_by_text(source.graph, text, most)
        _keep(source, history.reset().done(graph, words_of_change(source.graph, graph)))


def go_to(source: ChosenGraph, history: History) -> None:
    """Make a history the present one, take the selection along by names, and show the graph."""
    before = edited(source)
    names = [before.graph.names[v] for v in current_selection(before)]
    _keep(source, history)
    after = edited(source)
    number = {name: v for v, name in enumerate(after.graph.names)}
    keep_selection(after, [number[name] for name in names if name in number])
    st.rerun()


def _follow(source: ChosenGraph, text: str) -> None:
    """Show what the address asks for: a version that is known, as after Back, or another one."""
    st.session_state.pop(_PROBLEM, None)
    if history_of(source).link_text == text:
        return
    forget_selection()
    for step in _reachable(history_of(source)):
        if step.link_text == text:
            _keep(source, step)
            return
    try:
        set_edits(source, text, MAX_EDIT_TEXT)
    except MPGKError as problem:
        st.session_state[_PROBLEM] = source.key, str(problem)


def _reachable(history: History) -> Iterator[History]:
    """Return all that undo and redo lead to."""
    back = forth = history
    while back.can_undo:
        back = back.undo()
        yield back
    while forth.can_redo:
        forth = forth.redo()
        yield forth


def _keep(source: ChosenGraph, history: History) -> None:
    kept: dict[str, History] = st.session_state.setdefault(_KEY, {})
    kept.pop(source.key, None)
    kept[source.key] = history
    _forget_the_oldest(kept)


def _forget_the_oldest(kept: dict[str, History]) -> None:
    """Forget histories, then steps of the present one, until the session is small enough."""
    *others, present = kept
    while others and (len(kept) > _MOST_KEPT or size_of(kept) > _MOST_BYTES):
        del kept[others.pop(0)]
    while kept[present].past and size_of(kept) > _MOST_BYTES:
        history = kept[present]
        kept[present] = replace(history, past=history.past[len(history.past) // 2 + 1 :])


def _chosen(source: ChosenGraph, graph: GraphSet) -> ChosenGraph:
    return ChosenGraph(f"{source.title}, edited", graph, origin=source)
