"""What surrounds every page."""

from __future__ import annotations

import threading
from importlib import import_module

import streamlit as st
from streamlit.navigation.page import StreamlitPage
from streamlit.runtime.pages_manager import PagesManager


def run_page(page: StreamlitPage, *, is_lessons: bool) -> None:
    """Show a page, below the notices that all pages have.

    Where the server imports libraries before the first visitor comes (``scripts/start_app.py``),
    pages wait for it: two threads that import the same modules at once can stop each other.

    Parameters
    ----------
    page : StreamlitPage
    is_lessons : bool
        Whether the page itself shows errors of lessons.
    """
    for thread in threading.enumerate():
        if thread.name == "rehearsal":
            thread.join()
    import_module("pandas")  # Plotly would look into one half of it while another run imports it
    from ui.lessons.library import lesson_notice
    from ui.shared.jobs import keep_jobs_alive  # now, for the reason above

    if not is_lessons:
        lesson_notice()
    keep_jobs_alive()
    page.run()


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
