"""The address of a page: stable keys, never words on screen, and the settings of other pages."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TypeVar

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from mpgk_core.errors import shortened
from mpgk_core.kernels.update import KernelParameters

_OLD_LABELS = Path(__file__).parents[1] / "assets" / "old_labels.json"
_Option = TypeVar("_Option", bound=str | int)
_VISITS = "visits of the address"


def write_address(key: str, texts: list[str]) -> None:
    """Set a part of the address, or remove it; what stands there already costs no message."""
    if texts == st.query_params.get_all(key):
        return
    kept = _settings_of_page()
    kept.pop(key, None)
    if texts:
        kept[key] = texts
        st.query_params[key] = texts if len(texts) > 1 else texts[0]
    else:
        del st.query_params[key]


def is_asked(key: str) -> bool:
    """Return whether the address decides what a part of the page shows, and not the session.

    It does when a page is opened, and when the user goes back or forth in the browser. Else the
    address that the browser sends may be older than the last click.

    Parameters
    ----------
    key : str
        Of the part of the address. Each is asked for once in every visit to a page.

    Returns
    -------
    bool
    """
    visits: dict[str, int] = st.session_state.setdefault(_VISITS, {})
    now = st.session_state.get(_VISIT, 0)
    is_first = visits.get(key) != now
    visits[key] = now
    context = get_script_run_ctx()
    is_history = context is not None and context.is_history_navigation
    return is_history or (is_first and key in st.query_params)


def read_choices(key: str, texts: Sequence[str], options: Sequence[_Option]) -> list[_Option]:
    """Return the options that texts of an address stand for; old links hold labels.

    Parameters
    ----------
    key : str
        Of the widget.
    texts : sequence of str
        Not trusted.
    options : sequence of str or int
        What there is to choose from.

    Returns
    -------
    list of str or int
        Each once; what is unknown is left out.

    Examples
    --------
    >>> read_choices("graph", ["Karate club"], ["barbell", "karate-club"])
    ['karate-club']
    """
    by_text = {str(option): option for option in options}
    aliases = _old_labels().get(without_number(key), {})
    known = dict.fromkeys(text if text in by_text else aliases.get(text) for text in texts)
    return [by_text[text] for text in known if text is not None and text in by_text]


_BROKEN, _UNCHANGED = "parts of the address that cannot be shown", "controls beside them"


def note_broken(key: str, text: str) -> None:
    """Remember a part of the address that cannot be shown."""
    st.session_state.setdefault(_BROKEN, {})[key] = text


def broken_notice() -> bool:
    """Name the parts of the address that cannot be shown, as long as nothing else is chosen.

    Called after all controls are drawn.

    Returns
    -------
    bool
        Whether there are any.
    """
    broken: dict[str, str] = st.session_state.get(_BROKEN, {})
    if not broken:
        return False
    visited = st.session_state[_VISITS]
    now = {key: st.session_state[key] for key in visited if key in st.session_state}
    if st.session_state.setdefault(_UNCHANGED, now) != now:
        _forget_broken()
        return False
    with st.container(border=True, key="broken-link"):
        st.warning("This link asks for something that is not available. Defaults are shown for:")
        st.text(", ".join(f"{key}={shortened(text, 40)}" for key, text in broken.items()))
    return True


def _forget_broken() -> None:
    for key in (_BROKEN, _UNCHANGED):
        st.session_state.pop(key, None)


def reset_button() -> None:
    """Offer to show the page as it is when it is opened without any settings."""
    words = "Show the page with all its defaults."
    st.button("Reset all", key="reset-all", help=words, on_click=_reset)


def _reset() -> None:
    """Forget all but the defaults; a control must be set to its own, or it stays as it is."""
    names = [key for key in st.session_state if isinstance(key, str)]
    usual = {key for key in names if default_key(key) in names}
    for key in names:
        if not key.endswith(default_key("")):
            del st.session_state[key]
    st.query_params.from_dict({})
    for key in usual:
        st.session_state[key] = st.session_state[default_key(key)]


def default_key(key: str) -> str:
    """Return the key of the default of a control."""
    return f"{key} default"


def read_old_switch(old: str, key: str) -> None:
    """Let a switch of old links choose the option of its name; called before it is drawn."""
    if is_asked(old) and st.query_params.get(old) == "true":
        st.query_params[key] = old
    if old in st.query_params:
        del st.query_params[old]


def without_number(key: str) -> str:
    """Return a key of a widget without the number at its end."""
    return key.rstrip("0123456789").rstrip("-")


@cache
def _old_labels() -> dict[str, dict[str, str]]:
    labels: dict[str, dict[str, str]] = json.loads(_OLD_LABELS.read_text(encoding="utf-8"))
    return labels


_KEPT, _NOW, _VISIT = "settings of pages", "page that is open", "number of the visit"


def remember_page(name: str) -> None:
    """Put the settings of a page back into its address if the user returns without any.

    Links between the pages leave them out, and Back leads to an address without them, or with those
    alone that the other page shares, where every other control would show its default.

    Parameters
    ----------
    name : str
        Of the page that is to be shown.
    """
    is_back = st.session_state.get(_NOW) != name
    st.session_state[_NOW] = name
    st.session_state[_VISIT] = st.session_state.get(_VISIT, 0) + is_back
    if is_back:
        _forget_broken()
    kept = _settings_of_page()
    if is_back and kept and _is_left_behind(kept):
        st.query_params.from_dict(kept)
        st.rerun()  # so that the controls read them
    remember_settings()


def _is_left_behind(kept: dict[str, list[str]]) -> bool:
    """Return whether the address holds only what remained when the user left these settings."""
    context = get_script_run_ctx()
    is_history = context is not None and context.is_history_navigation
    remained = {key: st.query_params.get_all(key) for key in st.query_params}
    is_part = remained.items() <= kept.items() if is_history else not remained
    return is_part and remained != kept


def remember_settings() -> dict[str, list[str]]:
    """Keep what stands in the address of the page now; called again where a part is redrawn.

    Returns
    -------
    dict of str to list of str
        It follows what is remembered later.
    """
    kept = _settings_of_page()
    kept.clear()
    kept.update((key, st.query_params.get_all(key)) for key in st.query_params)
    return kept


def _settings_of_page() -> dict[str, list[str]]:
    """Return what is remembered of the page that is open."""
    pages: dict[str, dict[str, list[str]]] = st.session_state.setdefault(_KEPT, {})
    return pages.setdefault(st.session_state.get(_NOW, ""), {})


_MARK = "exact"
_FIELDS = {
    "kernel": "neighbourhood",
    "T": "n_iterations",
    "alpha": "alpha",
    "beta": "beta",
    "cosine": "normalize",
    "branching": "branching",
    "depth": "depth",
    "seed": "random_state",
}
"""Keys of the controls of a kernel, and the parameters that they set; features are a list."""


def exact_link(kernel: KernelParameters) -> dict[str, str | list[str]]:
    """Return the part of an address that opens the playground with exactly this kernel, unedited.

    Streamlit takes a default in an address for no value at all, and shows what was set before. So
    the link carries a mark, and :func:`follow_exact_link` forgets what was set.
    """
    texts = {key: _text(getattr(kernel, name)) for key, name in _FIELDS.items()}
    return {
        _MARK: "true",
        "edits": "",
        **texts,
        "features": kernel.features.split("+"),
        "edges": kernel.edges,
    }


def _text(value: str | float) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:g}" if isinstance(value, float) else str(value)


def follow_exact_link(*also: str) -> None:
    """Forget what the controls that it names showed, if such a link has led here.

    Called before they are drawn.

    Parameters
    ----------
    *also : str
        Keys of controls that such a link to this page means, whether it names them or not.
    """
    if _MARK in st.query_params:
        del st.query_params[_MARK]
        for key in (*also, *st.query_params):
            st.session_state.pop(key, None)


KERNEL_KEYS = (*_FIELDS, "features")
"""Keys of the controls of the playground's kernel."""

TUNED_KEYS = ("fixed", "fixed-features", "fixed-T", "fixed-alpha", "fixed-beta")
"""Keys of the controls of Graph classification for fixed parameters."""


def tuned_link(
    variant: str, features: str, alpha: float, beta: float, T: int, edges: str
) -> dict[str, str]:
    """Return the part of an address that opens Graph classification with one kernel, fixed."""
    values = ("true", features, str(T), _text(alpha), _text(beta))
    fixed = dict(zip(TUNED_KEYS, values, strict=True))
    return {_MARK: "true", "methods": variant, **fixed, "set-edges": edges}
