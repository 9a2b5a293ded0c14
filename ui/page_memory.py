"""What was set on a page is set again when the user comes back, by a link or by the browser."""

from __future__ import annotations

import streamlit as st

_KEPT, _NOW, _VISIT = "settings of pages", "page that is open", "number of the visit"


def remember_page(name: str) -> None:
    """Put the settings of a page back into its address if the user returns without any.

    Links between the pages leave them out, and Back leads to an address without them, where every
    control would show its default.

    Parameters
    ----------
    name : str
        Of the page that is to be shown.
    """
    kept: dict[str, list[str]] = st.session_state.setdefault(_KEPT, {}).get(name, {})
    is_back = st.session_state.get(_NOW) != name
    st.session_state[_NOW] = name
    st.session_state[_VISIT] = number_of_visit() + is_back
    if is_back and not st.query_params and kept:
        st.query_params.from_dict(kept)
        st.rerun()  # so that the controls read them
    remember_settings()


def remember_settings() -> dict[str, list[str]]:
    """Keep what stands in the address of the page now; called again where a part is redrawn.

    Returns
    -------
    dict of str to list of str
        It follows what is remembered later.
    """
    kept = _of_page()
    kept.clear()
    kept.update((key, st.query_params.get_all(key)) for key in st.query_params)
    return kept


def remember_part(key: str, texts: list[str]) -> None:
    """Remember a part of the address that has changed since :func:`remember_page`.

    Parameters
    ----------
    key : str
    texts : list of str
        Empty if the part has gone.
    """
    kept = _of_page()
    kept.pop(key, None)
    if texts:
        kept[key] = texts


def number_of_visit() -> int:
    """Return a number that grows whenever another page is opened."""
    number: int = st.session_state.get(_VISIT, 0)
    return number


def _of_page() -> dict[str, list[str]]:
    """Return what is remembered of the page that is open."""
    pages: dict[str, dict[str, list[str]]] = st.session_state.setdefault(_KEPT, {})
    return pages.setdefault(st.session_state.get(_NOW, ""), {})
