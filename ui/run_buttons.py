"""Run and stop, side by side, the same on every page."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

__all__ = ["run_buttons", "time_left"]

_UNKNOWN = 1e6


def run_buttons(
    prefix: str,
    is_running: bool,
    is_done: bool,
    begin: Callable[[], None],
    end: Callable[[], None],
) -> None:
    """Offer to begin or to go on, and to stop; the page is drawn again after either.

    Parameters
    ----------
    prefix : str
        Of the keys of both buttons.
    is_running : bool
    is_done : bool
        Whether nothing is left to do.
    begin, end : callable
        What the buttons do.
    """
    with st.container(horizontal=True):
        if st.button("Run", type="primary", key=f"{prefix}run", disabled=is_running or is_done,
                     help="Begins, or goes on where it was stopped."):  # fmt: skip
            begin()
            st.rerun()
        if st.button("Stop", key=f"{prefix}stop", disabled=not is_running,
                     help="Takes effect at once. What is done stays."):  # fmt: skip
            end()
            st.rerun()


def time_left(seconds: float) -> str:
    """Return the end of a sentence that says how long it will take; nothing if nobody knows."""
    return f", about {seconds:,.0f} s left" if seconds < _UNKNOWN else ""
