"""Data of session files: kept for all tabs, and asked for by the addresses of pages."""

from __future__ import annotations

from typing import TypeAlias, TypeVar

import streamlit as st

from mpgk_core.export import GivenGraph, GivenRoles, GivenSet
from ui.state.cache import STORE
from ui.state.choices import key_of_data

ASKED = "loaded"
"""The part of an address that says which data are meant."""

OwnData: TypeAlias = GivenGraph | GivenSet | GivenRoles
"""Data that no address can hold."""

_KEPT = "loaded data"
_Data = TypeVar("_Data", GivenGraph, GivenSet, GivenRoles)


def keep(data: OwnData) -> str:
    """Keep data for all tabs, until the memory is needed for others, and return their key."""
    key = key_of_data(data)
    _put(key, data)
    return key


def loaded_data(kind: type[_Data]) -> tuple[str, _Data] | None:
    """Return the data of a kind that were asked for last, and their key.

    The address asks for them. Another page has another address, so the key is remembered. The data
    themselves are not: what all users have loaded shares the memory of the server.
    """
    remembered: dict[type, str] = st.session_state.setdefault("loaded data", {})
    asked = st.query_params.get(ASKED, "")
    if isinstance(STORE.find(_KEPT, asked), kind):
        remembered[kind] = asked
    key = remembered.get(kind, "")
    data = STORE.find(_KEPT, key)
    return (key, data) if isinstance(data, kind) else None


def ask_for(key: str, data: OwnData) -> None:
    """Let the address of the page ask for data, and see to it that they are there."""
    _put(key, data)
    if st.query_params.get(ASKED) != key:
        st.query_params[ASKED] = key


def is_missed() -> bool:
    """Return whether the address asks for data that are no longer there."""
    return ASKED in st.query_params and STORE.find(_KEPT, st.query_params[ASKED]) is None


def _put(key: str, data: OwnData) -> None:
    if STORE.find(_KEPT, key) is None:
        STORE.put(_KEPT, key, data)
