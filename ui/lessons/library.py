"""The lessons of this server, checked in the background when the first page is opened.

Every version of a teacher's files is checked once. Those of the package are checked by its tests.
Problems are written to the log and shown on screen; all other lessons can be used.
"""

from __future__ import annotations

import logging
from concurrent.futures import Future, ThreadPoolExecutor
from functools import lru_cache
from pathlib import Path

import streamlit as st

from mpgk_core import MPGKError
from mpgk_core.errors import UnreadableFileError, shortened
from mpgk_core.lessons import Lesson, Library, checked_library, lesson_folders
from ui.state.cache import cached

_LOG = logging.getLogger("mpgk.lessons")
_LONGEST_LINE = 600
_WORKER = ThreadPoolExecutor(1, "lessons")
Versions = tuple[tuple[str, int], ...]
"""Names of files, and when each has changed."""


def lesson_library() -> tuple[list[Lesson], Library, list[str]]:
    """Return all lessons without errors, all that the folders hold, and what is wrong in them."""
    try:
        with st.spinner("Opening the lessons …"):
            library = _begun().result()
    except MPGKError as problem:
        return [], Library({}, (), ()), [str(problem)]
    return list(library.lessons.values()), library, list(map(str, library.faults))


def lesson_notice() -> None:
    """Start to check the lessons, and show on every page if some of them have errors.

    The page does not wait: results are shown from the next rerun on.
    """
    with st.container(key="notices"):
        try:
            begun = _begun()
        except MPGKError as problem:
            _log_once(str(problem))
            st.warning("The folder of lessons cannot be read. The page Lessons shows the reason.")
            return
        if begun.done() and begun.result().faults:
            files = sorted({fault.file for fault in begun.result().faults})
            st.warning(
                "Some lesson files have errors. The page Lessons shows them; all other lessons can "
                "be used."
            )
            st.text(", ".join(map(shortened, files)))


def _begun() -> Future[Library]:
    """Return the check of the files as they are now."""
    folders = lesson_folders()
    files = sorted(path for folder in folders for path in folder.glob("*.toml"))
    versions = tuple((str(path), _changed(path)) for path in files)
    return _check(versions, tuple(map(str, folders)))


def _changed(path: Path) -> int:
    """Return when a file was changed; 0 for one that is gone, as while an editor saves it."""
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0


@cached(lasts=True)
def _check(versions: Versions, folders: tuple[str, ...]) -> Future[Library]:
    return _WORKER.submit(_checked, folders)


def _checked(folders: tuple[str, ...]) -> Library:
    """Check all lessons; no error of a file stops the pages."""
    try:
        paths = [Path(folder) for folder in folders]
        library = checked_library(paths, tried=paths[:1])
    except Exception:
        _LOG.exception("The lessons could not be checked.")
        fault = UnreadableFileError(
            "lessons", "They could not be checked.", "The log of the server shows the reason."
        )
        return Library({}, (), (fault,))
    for fault in library.faults:
        _LOG.error(shortened(str(fault), _LONGEST_LINE))
    return library


@lru_cache(maxsize=4)
def _log_once(problem: str) -> None:
    """Write a problem to the log, once."""
    _LOG.error(problem)
