"""Data of session files: kept for all tabs, and remembered by those that were asked for them."""

from __future__ import annotations

from typing import Any, TypeAlias, TypeVar

import streamlit as st

from mpgk_core.takeaway import GivenGraph, GivenRoles, GivenSet
from ui.content_keys import key_of_data

__all__ = ["ASKED", "OwnData", "ask_for", "is_missed", "keep", "loaded_data"]

ASKED = "loaded"
"""The part of an address that says which data are meant."""

OwnData: TypeAlias = GivenGraph | GivenSet | GivenRoles
"""Data that no address can hold."""

_MOST_KEPT = 32
_Data = TypeVar("_Data", GivenGraph, GivenSet, GivenRoles)


def keep(data: OwnData) -> str:
    """Keep data for all tabs, until many others have come, and return their key."""
    key = key_of_data(data)
    _put(key, data)
    return key


def loaded_data(kind: type[_Data]) -> tuple[str, _Data] | None:
    """Return the data of a kind that were asked for last, and their key.

    The address asks for them. Another page has another address, so they are remembered.
    """
    remembered: dict[type, Any] = st.session_state.setdefault("loaded data", {})
    key = st.query_params.get(ASKED, "")
    data = _kept().get(key)
    if isinstance(data, kind):
        remembered[kind] = key, data
    return remembered.get(kind)


def ask_for(key: str, data: OwnData) -> None:
    """Let the address of the page ask for data, and see to it that they are there."""
    _put(key, data)
    if st.query_params.get(ASKED) != key:
        st.query_params[ASKED] = key


def is_missed() -> bool:
    """Return whether the address asks for data that are no longer there."""
    return ASKED in st.query_params and st.query_params[ASKED] not in _kept()


@st.cache_resource(show_spinner=False)
def _kept() -> dict[str, OwnData]:
    return {}


def _put(key: str, data: OwnData) -> None:
    kept = _kept()
    kept.pop(key, None)
    kept[key] = data
    for old in list(kept)[:-_MOST_KEPT]:
        kept.pop(old, None)
