"""The edits of one user: a history for every graph, and the graph that follows from it.

Histories live in the session, so no user ever sees another's; the key of an edited graph is a
digest of all that is in it, so no cache can mistake one graph for another.
"""

from __future__ import annotations

import streamlit as st

from mpgk_core import GraphSet
from mpgk_core.edits import History
from ui.choices import ChosenGraph
from ui.content_keys import content_key
from ui.selection import current_selection, keep_selection

__all__ = ["edited", "go_to", "history_of", "reset_edits"]

_KEY = "histories"
_MOST_KEPT = 12


def edited(source: ChosenGraph) -> ChosenGraph:
    """Return the graph with this user's edits."""
    graph = history_of(source).graph
    return source if graph is source.graph else _chosen(source, graph)


def history_of(source: ChosenGraph) -> History:
    """Return the history of a graph; it begins with the graph as it came."""
    kept: dict[str, History] = st.session_state.get(_KEY, {})
    return kept.get(source.key) or History.of(source.graph)


def reset_edits(source: ChosenGraph) -> None:
    """Show the graph as it came, as a session that was loaded has it; undo brings edits back."""
    kept: dict[str, History] = st.session_state.get(_KEY, {})
    if source.key in kept:
        kept[source.key] = kept[source.key].reset()


def go_to(source: ChosenGraph, history: History) -> None:
    """Make a history the present one, take the selection along by names, and show the graph."""
    before = edited(source)
    names = [before.graph.names[v] for v in current_selection(before)]
    kept: dict[str, History] = st.session_state.setdefault(_KEY, {})
    kept.pop(source.key, None)
    kept[source.key] = history
    for old in list(kept)[:-_MOST_KEPT]:
        del kept[old]
    after = edited(source)
    number = {name: v for v, name in enumerate(after.graph.names)}
    keep_selection(after, [number[name] for name in names if name in number])
    st.rerun()


def _chosen(source: ChosenGraph, graph: GraphSet) -> ChosenGraph:
    key = f"{source.key}&edited={content_key(graph)}"
    return ChosenGraph(key, f"{source.title}, edited", graph, origin=source)
