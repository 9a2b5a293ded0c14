"""The place of the selected cell in its map, in the session and in the address."""

from __future__ import annotations

import streamlit as st


def place_of(name: str, is_running: bool) -> tuple[float, float] | None:
    """Return the α and β that the user has selected, and see to it that the address has them.

    While a sweep runs, the address that the browser sends may be older than the last click. So it
    is asked only where the session knows of no place, and written only when the sweep rests.

    Parameters
    ----------
    name : str
        Of the map.
    is_running : bool
        Whether the sweep runs.

    Returns
    -------
    tuple of float or None
        Not necessarily in the map. None if the user has selected nothing.
    """
    key = f"{name}-cell"
    address = st.query_params.get(key, "")
    place: tuple[float, float] | None = st.session_state.get(_entry(name)) or _read(address)
    if place is not None:
        keep_place(name, *place)
        words = f"{place[0]:g},{place[1]:g}"
        if words != address and not is_running:
            st.query_params[key] = words
    return place


def keep_place(name: str, alpha: float, beta: float) -> None:
    """Remember what the user has selected in a map."""
    st.session_state[_entry(name)] = alpha, beta


def _entry(name: str) -> str:
    return f"{name} place"


def _read(words: str) -> tuple[float, float] | None:
    try:
        alpha, beta = map(float, words.split(","))
    except ValueError:
        return None
    return alpha, beta
