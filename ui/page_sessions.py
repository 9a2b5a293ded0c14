"""Save all that is set on a page, and open it again: beside what is open, so nothing is lost."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias
from urllib.parse import urlencode

import streamlit as st

from mpgk_core import MPGKError
from mpgk_core.datasets import available
from mpgk_core.errors import UnreadableFileError
from mpgk_core.takeaway import (
    CarriedData,
    GeneratedSet,
    GivenGraph,
    GivenRoles,
    GivenSet,
    NamedSet,
    PageSession,
    PresetGraph,
    PresetRoles,
    file_name,
    load_page_session,
    save_page_session,
)
from ui.downloads import Download, download_row
from ui.loaded_data import ASKED, is_missed, keep
from ui.picture_format import picture_format_choice
from ui.problem_box import show_problem

__all__ = ["SavedData", "page_sessions", "remember_settings"]

SavedData: TypeAlias = CarriedData | PresetGraph | PresetRoles | GeneratedSet
"""What a page is about; presets and generated sets stand in its address already."""

_SOURCES = {GivenGraph: "source", GivenSet: "set-source", GivenRoles: "roles-source"}
_Settings: TypeAlias = dict[str, tuple[str, ...]]


class _Opened(NamedTuple):
    """What came of a file: an address, or a problem."""

    address: str = ""
    problem: str = ""


def page_sessions(page: str, data: SavedData | None) -> None:
    """Offer to save what is set on a page, if there are data, and to load what was saved.

    What the cameras of charts save is chosen here too.
    """
    with st.sidebar, st.expander("Session and pictures"):
        if data is not None:
            settings = remember_settings()
            name = file_name(page, data.file_part, "session", extension="json")
            download_row("", [Download(
                "page-session-save", "Save the session", name,
                lambda: save_page_session(_session(page, settings["now"], data)),
                "All that is set on this page, and the graphs if they are your own.",
            )])  # fmt: skip
        given = st.file_uploader(
            "Load a session", type="json", key="page-session",
            help="A file that was saved here. It opens in a tab of its own, so what is set now "
            "stays as it is.",
        )  # fmt: skip
        if given is not None:
            _show(_opened(given.file_id, given.name, given.getvalue()))
        if is_missed():
            st.warning("The graphs of this session are no longer at hand. Load its file again.")
        picture_format_choice()


def remember_settings() -> dict[str, _Settings]:
    """Keep what stands in the address now; called again where only a part of a page is redrawn.

    Returns
    -------
    dict
        With the settings of the last call as ``"now"``, whenever it is looked at.
    """
    kept: dict[str, _Settings] = st.session_state.setdefault("page settings", {})
    kept["now"] = {
        key: tuple(st.query_params.get_all(key)) for key in st.query_params if key != ASKED
    }
    return kept


def _session(page: str, settings: _Settings, data: SavedData) -> PageSession:
    if isinstance(data, (PresetGraph, PresetRoles, GeneratedSet)):
        return PageSession(page, settings)
    return PageSession(page, settings, data)


def _show(opened: _Opened) -> None:
    if opened.problem:
        show_problem(opened.problem, "session-problem")
        st.caption("Everything is as it was before.")
    else:
        st.link_button("Open the session", opened.address,
                       help="In a tab of its own, with all settings as they were.")  # fmt: skip


@st.cache_resource(max_entries=32, show_spinner="Reading …")
def _opened(upload: str, _name: str, _content: bytes) -> _Opened:
    try:
        session = load_page_session(_content, _name)
        settings = dict(session.settings)
        data = session.data
        if isinstance(data, NamedSet):
            if data.name not in available():
                raise UnreadableFileError(
                    _name,
                    f"The data set {data.name!r} is not on this machine.",
                    "Fetch it first, then load the session again.",
                )
            settings.pop("set-source", None)
            settings["set"] = (data.name,)
        elif data is not None:
            settings[_SOURCES[type(data)]] = ("Loaded",)
            settings[ASKED] = (keep(data),)
    except MPGKError as problem:
        return _Opened(problem=str(problem))
    return _Opened(f"{session.page}?{urlencode(settings, doseq=True)}")
