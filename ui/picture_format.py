"""What the camera of a chart saves: the user's choice, the same on every page."""

from __future__ import annotations

from typing import Any

import streamlit as st

__all__ = ["picture_format_choice", "saved_picture"]

_KEY = "picture-format"
_SCALES = {"svg": 1, "png": 3}


def picture_format_choice() -> None:
    """Let the user choose; the choice stays while it is not shown."""
    st.segmented_control(
        "The camera above a chart saves",
        list(_SCALES),
        default="svg",
        required=True,
        key=_KEY,
        persist_state="session",
        format_func=str.upper,
        help="SVG stays sharp at any size and can be edited; PNG fits into every slide.",
    )


def saved_picture(name: str) -> dict[str, Any]:
    """Return how a chart saves itself, for Plotly; ``name`` is the file's, without extension."""
    return {"format": _format(), "scale": _SCALES[_format()], "filename": name}


def _format() -> str:
    chosen: str = st.session_state.get(_KEY, "svg")
    return chosen
