"""What the reader has set at the controls of a step: kept while other steps are open."""

from __future__ import annotations

import streamlit as st

from ui.keys import key_for

__all__ = ["as_left"]

_KEPT = "lesson controls"


def as_left(key: str, default: object, *shown: object) -> None:
    """Prepare a control before it is drawn: as the reader has left it, else at its default.

    Parameters
    ----------
    key : str
        Of the widget.
    default : object
        Where it starts.
    *shown : object
        All that its choices depend on; if a file changes them, it starts anew.
    """
    kept = st.session_state.setdefault(_KEPT, {})
    place = key_for(key, *shown)
    kept[place] = st.session_state.setdefault(key, kept.get(place, default))
