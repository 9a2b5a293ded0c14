"""Save all that is set on a page, and open it again: beside what is open, so nothing is lost."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeAlias
from urllib.parse import urlencode

import streamlit as st

from mpgk_core import MPGKError
from mpgk_core.datasets import available
from mpgk_core.errors import UnreadableFileError
from mpgk_core.export import (
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
from ui.loaded_data import ASKED, OwnData, is_missed, keep
from ui.shared.charts import picture_format_choice
from ui.shared.messages import show_problem
from ui.state.address import remember_settings
from ui.state.cache import cached
from ui.state.choices import key_of_data

SavedData: TypeAlias = CarriedData | PresetGraph | PresetRoles | GeneratedSet
"""What a page is about; presets and generated sets stand in its address already."""

_SOURCES = {GivenGraph: "source", GivenSet: "set-source", GivenRoles: "roles-source"}


class _Opened(NamedTuple):
    """What came of a file: an address and the data that it asks for, or a problem."""

    address: str = ""
    problem: str = ""
    data: OwnData | None = None


def page_sessions(page: str, data: SavedData | None) -> None:
    """Offer to save what is set on a page, if there are data, and to load what was saved.

    What the cameras of charts save is chosen here too.
    """
    with st.sidebar, st.expander("Session and pictures"):
        if data is not None:
            settings = remember_settings()
            name = file_name(page, data.file_part, "session", extension="json")
            download_row(
                "",
                [
                    Download(
                        "page-session-save",
                        "Save the session",
                        name,
                        lambda: save_page_session(_session(page, settings, data)),
                        "All that is set on this page, and the graphs if they are your own.",
                    )
                ],
            )
        given = st.file_uploader(
            "Load a session",
            type="json",
            key="page-session",
            help="A file that was saved here. It opens in a tab of its own, so what is set now "
            "stays as it is.",
        )
        if given is not None:
            _show(_opened(given.file_id, given.name, tuple(available()), given.getvalue))
        if is_missed():
            st.warning("The graphs of this session have expired. Load its file again.")
        picture_format_choice()


def _session(page: str, address: dict[str, list[str]], data: SavedData) -> PageSession:
    settings = {key: tuple(texts) for key, texts in address.items() if key != ASKED}
    if isinstance(data, (PresetGraph, PresetRoles, GeneratedSet)):
        return PageSession(page, settings)
    return PageSession(page, settings, data)


def _show(opened: _Opened) -> None:
    if opened.problem:
        show_problem(opened.problem, "session-problem")
        st.caption("Everything is as it was before.")
    else:
        if opened.data is not None:
            keep(opened.data)
        st.link_button(
            "Open the session",
            opened.address,
            help="In a tab of its own, with all settings as they were.",
        )


@cached(
    spinner="Reading …",
    apart_from={"content": "The upload stands for it: an id is given once, and its bytes stay."},
)
def _opened(
    upload: str, name: str, at_hand: tuple[str, ...], content: Callable[[], bytes]
) -> _Opened:
    own: OwnData | None = None
    try:
        session = load_page_session(content(), name)
        settings = dict(session.settings)
        data = session.data
        if isinstance(data, NamedSet):
            if data.name not in at_hand:
                raise UnreadableFileError(
                    name,
                    f"The data set {data.name!r} is not on this server.",
                    "Download it first, then load the session again.",
                )
            settings.pop("set-source", None)
            settings["set"] = (data.name,)
        elif data is not None:
            settings[_SOURCES[type(data)]] = ("loaded",)
            settings[ASKED] = (key_of_data(data),)
            own = data
    except MPGKError as problem:
        return _Opened(problem=str(problem))
    return _Opened(f"{session.page}?{urlencode(settings, doseq=True)}", data=own)
