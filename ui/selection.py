"""The selected vertices: kept while sliders move, kept in the URL, forgotten with the graph."""

from __future__ import annotations

import streamlit as st

from ui.choices import ChosenGraph

_PARAMETER = "sel"
_KEY = "selected_vertices"


def current_selection(graph: ChosenGraph) -> list[int]:
    """Return the selected vertices of this graph; the URL decides when a page is opened.

    They are put into the URL again, which forgets them when another page was visited.
    """
    if _KEY not in st.session_state:
        st.session_state[_KEY] = (graph.key, _from_url(graph.graph.n_vertices))
    owner, vertices = st.session_state[_KEY]
    if owner != graph.key:
        vertices = []
    keep_selection(graph, vertices)
    return list(vertices)


def keep_selection(graph: ChosenGraph, vertices: list[int]) -> None:
    """Remember a selection."""
    st.session_state[_KEY] = (graph.key, vertices)
    words = ",".join(map(str, vertices))
    if not words:
        st.query_params.pop(_PARAMETER, None)
    elif st.query_params.get(_PARAMETER) != words:  # each writing is a message to the browser
        st.query_params[_PARAMETER] = words


def forget_selection() -> None:
    """Let the URL decide again what is selected."""
    st.session_state.pop(_KEY, None)


def _from_url(n_vertices: int) -> list[int]:
    parts = st.query_params.get(_PARAMETER, "").split(",")
    numbers = {int(part) for part in parts if part.isascii() and part.isdigit() and len(part) < 9}
    return sorted(number for number in numbers if number < n_vertices)
