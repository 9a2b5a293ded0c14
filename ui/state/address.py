"""Choices that stand in the address of a page, by stable keys, never by the words on screen.

A widget that Streamlit binds to the address writes what ``format_func`` returns, so a link would
break as soon as a word is improved. Numbers and switches have no words and stay bound by
Streamlit; choices are bound here. What was set on a page is set again when the user comes back.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Container, Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, overload

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from ui.state.choices import KernelChoice

_OLD_LABELS = Path(__file__).parents[1] / "assets" / "old_labels.json"
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
    _follow_address(key, options, default, is_many=False)
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
    _follow_address(key, options, usual, is_many=True)
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


def _follow_address(key: str, options: Sequence[Any], default: Any, is_many: bool) -> None:
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


def fitting(key: str, default: Any, fits: Callable[[Any], bool]) -> Any:
    """Prepare a widget that is bound to the address, before it is drawn.

    Parameters
    ----------
    key : str
        Of the widget.
    default : Any
        What it shows where the user has chosen nothing. If it is another one than the last time,
        a box that showed the old one shows the new one.
    fits : callable
        Whether a value is possible.

    Returns
    -------
    The default.
    """
    before = st.session_state.get(f"{key} default", default)
    st.session_state[f"{key} default"] = default
    if key in st.session_state:
        value = st.session_state[key]
        if not fits(value) or (value == before and before != default):
            st.session_state[key] = default
    return default


def among(choices: Container[Any]) -> Callable[[Any], bool]:
    """Return whether a value is one of the choices."""
    return lambda value: value in choices


def subset_of(choices: Iterable[Any]) -> Callable[[Any], bool]:
    """Return whether all values are among the choices."""
    possible = set(choices)
    return lambda values: possible.issuperset(values)


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


_MARK = "exact"
_KEYS = ("kernel", "T", "alpha", "beta", "features", "cosine", "branching", "depth", "seed")


def exact_link(kernel: KernelChoice) -> dict[str, str | list[str]]:
    """Return the part of an address that opens a page with exactly this kernel, unedited."""
    values = (
        kernel.neighbourhood,
        str(kernel.n_iterations),
        f"{kernel.alpha:g}",
        f"{kernel.beta:g}",
        kernel.features.split("+"),
        str(kernel.normalize).lower(),
        str(kernel.branching),
        str(kernel.depth),
        str(kernel.random_state),
    )
    return {_MARK: "true", "edits": "", **dict(zip(_KEYS, values, strict=True))}


def follow_exact_link() -> None:
    """Forget what the controls of the kernel showed, if such a link has led here.

    Called before they are drawn.
    """
    if _MARK in st.query_params:
        del st.query_params[_MARK]
        for key in _KEYS:
            st.session_state.pop(key, None)
