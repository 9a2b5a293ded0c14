"""What was set on a page is set again when the user comes back, by a link or by the browser."""

from __future__ import annotations

import streamlit as st

__all__ = ["remember_page"]

_KEPT, _NOW = "settings of pages", "page that is open"


def remember_page(name: str) -> None:
    """Put the settings of a page back into its address if the user returns without any.

    Links between the pages leave them out, and Back leads to an address without them, where every
    control would show its default.

    Parameters
    ----------
    name : str
        Of the page that is to be shown.
    """
    kept: dict[str, dict[str, list[str]]] = st.session_state.setdefault(_KEPT, {})
    is_back = st.session_state.get(_NOW) != name
    st.session_state[_NOW] = name
    if is_back and not st.query_params and kept.get(name):
        st.query_params.from_dict(kept[name])
        st.rerun()  # so that the controls read them
    kept[name] = {key: st.query_params.get_all(key) for key in st.query_params}
