"""Whether a projector shows the page, and how large letters are in pictures then."""

from __future__ import annotations

import streamlit as st

__all__ = ["PRESENT", "is_presented", "type_size"]

PRESENT = "present"
"""Key of the switch, and its name in the URL."""

_SMALL, _LARGE = 12, 20


def is_presented() -> bool:
    """Return whether large type is wanted; the URL decides when a page is opened."""
    return bool(st.session_state.get(PRESENT, st.query_params.get(PRESENT) == "true"))


def type_size() -> int:
    """Return the size of letters in pictures, in pixels."""
    return _LARGE if is_presented() else _SMALL
