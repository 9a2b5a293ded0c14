"""Choices that must fit other data: what does not fit any more becomes the default again.

Left alone, Streamlit empties a box whose choices have gone and keeps them in the address, so that
the page and its link would show different numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable
from typing import Any

import streamlit as st


def fitting(key: str, default: Any, fits: Callable[[Any], bool]) -> Any:
    """Prepare a widget that is bound to the address, before it is drawn.

    Parameters
    ----------
    key : str
        Of the widget.
    default : Any
        What it shows where the user has chosen nothing. If it is another one than the last time,
        a box that showed the old one shows the new one.
    fits : callable
        Whether a value is possible.

    Returns
    -------
    The default.
    """
    before = st.session_state.get(f"{key} default", default)
    st.session_state[f"{key} default"] = default
    if key in st.session_state:
        value = st.session_state[key]
        if not fits(value) or (value == before and before != default):
            st.session_state[key] = default
    return default


def among(choices: Container[Any]) -> Callable[[Any], bool]:
    """Return whether a value is one of the choices."""
    return lambda value: value in choices


def subset_of(choices: Iterable[Any]) -> Callable[[Any], bool]:
    """Return whether all values are among the choices."""
    possible = set(choices)
    return lambda values: possible.issuperset(values)
