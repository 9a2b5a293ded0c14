"""What surrounds every page."""

from __future__ import annotations

import threading

from streamlit.navigation.page import StreamlitPage


def run_page(page: StreamlitPage, *, is_lessons: bool) -> None:
    """Show a page, with what users are told on all of them.

    Where the server imports libraries before the first visitor comes (``scripts/start_app.py``),
    pages wait for it: two threads that import the same modules at once can stop each other.

    Parameters
    ----------
    page : StreamlitPage
    is_lessons : bool
        Whether it says itself what is wrong with lessons.
    """
    for thread in threading.enumerate():
        if thread.name == "rehearsal":
            thread.join()
    from ui.jobs import keep_jobs_alive  # now, for the reason above
    from ui.lesson_library import lesson_notice

    if not is_lessons:
        lesson_notice()
    keep_jobs_alive()
    page.run()
