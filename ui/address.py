"""Choices that stand in the address: by stable keys, never by the words that the page shows.

A widget that Streamlit binds to the address writes what ``format_func`` returns, so a link would
break as soon as a word is improved. Numbers and switches have no words and stay bound by
Streamlit; choices are bound here.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, overload

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from ui.fitting import among, fitting, subset_of
from ui.page_memory import number_of_visit, remember_part

_OLD_LABELS = Path(__file__).with_name("old_labels.json")
_Option = TypeVar("_Option", bound=str | int)


@overload
def one_of(
    draw: Callable[..., Any],
    label: str,
    options: Sequence[_Option],
    default: _Option,
    *,
    key: str,
    format_func: Callable[[Any], str] = str,
    **look: Any,
) -> _Option: ...
@overload
def one_of(
    draw: Callable[..., Any],
    label: str,
    options: Sequence[_Option],
    default: None = None,
    *,
    key: str,
    format_func: Callable[[Any], str] = str,
    **look: Any,
) -> _Option | None: ...
def one_of(
    draw: Callable[..., Any],
    label: str,
    options: Sequence[_Option],
    default: _Option | None = None,
    *,
    key: str,
    format_func: Callable[[Any], str] = str,
    **look: Any,
) -> _Option | None:
    """Let the user choose one of several options, which stands in the address.

    Parameters
    ----------
    draw : callable
        ``st.selectbox`` or ``st.segmented_control``.
    label : str
        Of the widget.
    options : sequence of str or int
        Stable keys.
    default : str or int, optional
        What an address without this key means. Without a default, nothing may be chosen.
    key : str
        Of the widget, and of its part of the address.
    format_func : callable
        The words for an option.
    **look : Any
        Further arguments of the widget.

    Returns
    -------
    str, int or None
    """
    possible = among(options) if default is not None else among([None, *options])
    fitting(key, default, possible)
    _follow(key, options, default, is_many=False)
    if draw is st.selectbox:
        look["index"] = None if default is None else options.index(default)
    else:
        look |= {"default": default, "required": default is not None}
    chosen: _Option | None = draw(
        label, options, key=key, format_func=format_func, persist_state="session", **look
    )
    write_address(key, [] if chosen is None or chosen == default else [str(chosen)])
    return default if chosen is None else chosen


def some_of(
    draw: Callable[..., Any],
    label: str,
    options: Sequence[_Option],
    default: Sequence[_Option],
    *,
    key: str,
    format_func: Callable[[Any], str] = str,
    **look: Any,
) -> list[_Option]:
    """Let the user choose any number of options, which stand in the address.

    Parameters
    ----------
    draw : callable
        ``st.multiselect`` or ``st.pills``.
    label, options, key, format_func, **look
        As for :func:`one_of`.
    default : sequence of str or int
        What an address without this key means.

    Returns
    -------
    list of str or int
    """
    usual = list(default)
    fitting(key, usual, subset_of(options))
    _follow(key, options, usual, is_many=True)
    if draw is st.pills:
        look["selection_mode"] = "multi"
    chosen: list[_Option] = draw(
        label,
        options,
        default=usual,
        key=key,
        format_func=format_func,
        persist_state="session",
        **look,
    )
    write_address(key, [] if chosen == usual else [str(one) for one in chosen] or [""])
    return chosen


def write_address(key: str, texts: list[str]) -> None:
    """Set a part of the address, or remove it; what stands there already costs no message."""
    if texts == st.query_params.get_all(key):
        return
    remember_part(key, texts)
    if texts:
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
    visits: dict[str, int] = st.session_state.setdefault("visits of the address", {})
    now = number_of_visit()
    is_first = visits.get(key) != now
    visits[key] = now
    return (is_first and key in st.query_params) or _is_history()


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
    aliases = _old_labels().get(key.rstrip("0123456789").rstrip("-"), {})
    known = [text if text in by_text else aliases.get(text, "") for text in texts]
    return [by_text[text] for text in dict.fromkeys(known) if text in by_text]


def _follow(key: str, options: Sequence[Any], default: Any, is_many: bool) -> None:
    """Let the session have what the address asks for."""
    if not is_asked(key):
        return
    texts = st.query_params.get_all(key)
    found = read_choices(key, texts, options)
    if found or (is_many and texts == [""]):
        st.session_state[key] = found if is_many else found[0]
    else:
        st.session_state[key] = default


def _is_history() -> bool:
    context = get_script_run_ctx()
    return context is not None and context.is_history_navigation


@cache
def _old_labels() -> dict[str, dict[str, str]]:
    labels: dict[str, dict[str, str]] = json.loads(_OLD_LABELS.read_text(encoding="utf-8"))
    return labels
