"""See to it that every page is shown through ``app.py``."""

from __future__ import annotations

import streamlit as st
from streamlit.runtime.pages_manager import PagesManager

_KEY = "begun again"


def through_app() -> None:
    """Begin again with ``app.py`` if a page was opened by its address, past it.

    Until ``app.py`` has run once, Streamlit takes a folder called ``pages`` for an app without
    navigation of its own, and a link to a page would open that file alone.
    """
    if PagesManager.uses_pages_directory and _KEY not in st.session_state:
        st.session_state[_KEY] = True  # once is enough, and a second time would lose a click
        PagesManager.uses_pages_directory = False
        st.rerun()
