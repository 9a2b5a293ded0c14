"""Say what went wrong, the same on every page."""

from __future__ import annotations

import streamlit as st

NOT_DONE = "This could not be done."
NOT_USABLE = "The file was read, but it cannot be used here."
_NOT_READ = "This could not be read."


def show_problem(problem: str, key: str = "problem", title: str = _NOT_READ) -> None:
    """Say what is wrong, with a file or else; its words are shown as they are, never as markup."""
    with st.container(border=True, key=key):
        st.error(title, icon="⚠️")
        st.text(problem)
