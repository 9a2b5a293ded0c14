"""What all pages are made of: messages, widgets with their help, and the controls of a kernel.

A widget that Streamlit binds to the address writes what ``format_func`` returns, so a link would
break as soon as a word is improved. Numbers and switches have no words and are bound by Streamlit.
Choices are bound here: an address holds stable keys, never the words on screen.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

import streamlit as st

from mpgk_core import GraphSet, MPGKError
from mpgk_core.errors import shortened
from mpgk_core.formats import summary_of
from mpgk_core.graphs.local_features import LOCAL_FEATURES
from mpgk_core.graphs.neighbourhoods import edges_for
from mpgk_core.kernels.update import KernelParameters
from ui.state.address import (
    default_key,
    is_asked,
    note_broken,
    read_choices,
    without_number,
    write_address,
)

NOT_DONE = "This could not be done."
NOT_USABLE = "The file was read, but it cannot be used here."
_NOT_READ = "This could not be read."


def show_problem(problem: str, key: str = "problem", title: str = _NOT_READ) -> None:
    """Show what is wrong; the text is shown as it is, never as markup."""
    with st.container(border=True, key=key):
        st.error(title, icon="⚠️")
        st.text(problem)


class ProblemsShown:
    """Shows an error of the engine instead of raising it; the page goes on after the block.

    Parameters
    ----------
    title, key : str
        As for :func:`show_problem`.
    """

    def __init__(self, title: str, key: str = "problem") -> None:
        self._title, self._key = title, key

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, problem: object, trace: object) -> bool:
        if isinstance(problem, MPGKError):
            show_problem(str(problem), self._key, self._title)
        return isinstance(problem, MPGKError)


def show_counts(name: str, graph: GraphSet, *also: str, more: str = "") -> None:
    """Show the size of a graph, and what is counted beside it; its name is never markup."""
    counts = ", ".join([summary_of(graph).counts, *also])
    st.text(f"{shortened(name, 100)}: {counts}. {more}".strip())


_LETTER, _CELL, _MOST_LETTERS = 7, 24, 60
"""Pixels of a letter, pixels around a text, and how much of a text a table shows."""


def show_table(rows: Sequence[Mapping[str, Any]], key: str, **look: Any) -> None:
    """Show a table in which texts and names of columns are seen whole.

    Streamlit shares the width among the columns, and cuts texts off that need more.

    Parameters
    ----------
    rows : sequence of mappings
        From names of columns to values.
    key : str
        Of the table.
    **look
        Further arguments of ``st.dataframe``.
    """
    longest: dict[str, int] = {}
    for row in rows:
        for name, value in row.items():
            if isinstance(value, str):
                longest[name] = max(longest.get(name, len(name)), len(value))
    widths = {
        name: st.column_config.Column(width=_CELL + _LETTER * min(length, _MOST_LETTERS))
        for name, length in longest.items()
    }
    st.dataframe(rows, hide_index=True, key=key, column_config=widths, **look)


_HELP = Path(__file__).parents[1] / "assets" / "help.toml"
_Option = TypeVar("_Option", bound=str | int)
_Number = TypeVar("_Number", int, float)
Options: TypeAlias = Mapping[_Option, str] | Sequence[_Option]
"""Stable keys with their words on screen, or keys that are words."""


def one_of(
    key: str,
    label: str,
    options: Options[_Option],
    default: _Option | None = None,
    *,
    draw: Callable[..., Any] = st.segmented_control,
    **look: Any,
) -> _Option:
    """Let the user choose one of several options, which stands in the address.

    Parameters
    ----------
    key : str
        Of the widget, and of its part of the address.
    label : str
        Of the widget.
    options : mapping or sequence
        What there is to choose from.
    default : str or int, optional
        What an address without this key means; the first option by default. If it is no option,
        the user may choose nothing.
    draw : callable
        ``st.selectbox`` or ``st.segmented_control``.
    **look : Any
        Further arguments of the widget.

    Returns
    -------
    str or int
    """
    words = _words(options)
    usual = next(iter(words)) if default is None else default
    shown = usual if usual in words else None
    _fit(key, shown, lambda value: value == shown or value in words)
    if is_asked(key):
        texts = st.query_params.get_all(key)
        asked = read_choices(key, texts, list(words))
        if texts and texts != [""] and not asked:
            note_broken(key, texts[0])
        st.session_state[key] = asked[0] if asked else shown
    if draw is st.selectbox:
        look["index"] = None if shown is None else list(words).index(shown)
    else:
        look |= {"default": shown, "required": shown is not None}
    chosen: _Option | None = draw(label, list(words), **_bound(key, words, look))
    write_address(key, [] if chosen is None or chosen == shown else [str(chosen)])
    return usual if chosen is None else chosen


def some_of(
    key: str,
    label: str,
    options: Options[_Option],
    default: Sequence[_Option],
    *,
    draw: Callable[..., Any] = st.multiselect,
    **look: Any,
) -> list[_Option]:
    """Let the user choose any number of options, which stand in the address.

    Parameters
    ----------
    key, label, options, **look
        As for :func:`one_of`.
    default : sequence of str or int
        What an address without this key means.
    draw : callable
        ``st.multiselect`` or ``st.pills``.

    Returns
    -------
    list of str or int
    """
    words, usual = _words(options), list(default)
    _fit(key, usual, lambda values: words.keys() >= set(values))
    if is_asked(key):
        texts = st.query_params.get_all(key)
        asked = read_choices(key, texts, list(words))
        if len(asked) < len(texts) and texts != [""]:
            note_broken(key, ", ".join(texts))
        st.session_state[key] = asked if asked or texts == [""] else usual
    if draw is st.pills:
        look["selection_mode"] = "multi"
    chosen: list[_Option] = draw(label, list(words), default=usual, **_bound(key, words, look))
    write_address(key, [] if chosen == usual else [str(one) for one in chosen] or [""])
    return chosen


def from_list(
    key: str, label: str, options: Options[_Option], default: _Option | None = None
) -> _Option:
    """Let the user choose from a list without a visible label; see :func:`one_of`."""
    return one_of(key, label, options, default, draw=st.selectbox, label_visibility="collapsed")


def slider(
    key: str,
    label: str,
    low: _Number,
    high: _Number,
    default: _Number,
    step: _Number | None = None,
    **look: Any,
) -> _Number:
    """Let the user choose a number with a slider, which stands in the address."""
    _check_number(key, low, high)
    st.session_state[default_key(key)] = default
    look = _with_help(key, look) | {"bind": "query-params"}
    chosen: _Number = st.slider(label, low, high, default, step, **look)
    return chosen


def number(
    key: str, label: str, low: int = 0, high: int = 9999, default: int = 0, **look: Any
) -> int:
    """Let the user type a whole number, which stands in the address; the range is that of seeds."""
    _check_number(key, low, high)
    _fit(key, default, lambda value: low <= value <= high)
    look = _with_help(key, look) | {"bind": "query-params"}
    return int(st.number_input(label, low, high, default, **look))


def _check_number(key: str, low: float, high: float) -> None:
    """Notice a number in the address that is none, out of range, or no whole one."""
    if is_asked(key) and key in st.query_params:
        text = st.query_params[key]
        try:
            asked = float(text)
        except ValueError:
            asked = math.nan
        if not low <= asked <= high:
            note_broken(key, text)
        elif isinstance(low, int) and not asked.is_integer():
            note_broken(key, text)
            del st.query_params[key]
            st.rerun()  # or Streamlit would show a part of the number


def switch(key: str, label: str, *, value: bool = False, **look: Any) -> bool:
    """Let the user switch something on, which stands in the address."""
    if is_asked(key) and st.query_params.get(key, "true").lower() not in ("true", "false"):
        note_broken(key, st.query_params[key])
    st.session_state[default_key(key)] = value
    return st.toggle(label, value, key=key, bind="query-params", help=help_of(key), **look)


def button(key: str, label: str, **look: Any) -> bool:
    """Show a button, and return whether it was pressed."""
    return st.button(label, key=key, help=help_of(key), **look)


def local_choice(key: str, label: str, options: Mapping[str, str], **look: Any) -> str:
    """Let the user choose one of several options for this page only; the first is the default."""
    look = {"format_func": options.__getitem__, "help": help_of(key), **look}
    default = next(iter(options))
    chosen = st.segmented_control(
        label, list(options), default=default, required=True, key=key, **look
    )
    return chosen or default


def help_of(key: str) -> str:
    """Return the help of a control or a download, from ``help.toml``.

    Parameters
    ----------
    key : str
        Of the widget. A number at its end does not count, nor does a prefix that "-" ends.

    Returns
    -------
    str

    Examples
    --------
    >>> help_of("four-left")
    'Its number in the set, from 0.'
    """
    texts, name = _help_texts(), without_number(key)
    while name and name not in texts:
        _, _, name = name.partition("-")
    return texts[name]


@cache
def _help_texts() -> dict[str, str]:
    return tomllib.loads(_HELP.read_text(encoding="utf-8"))


def _with_help(key: str, look: dict[str, Any]) -> dict[str, Any]:
    return {"key": key, **(look if "help" in look else {"help": help_of(key), **look})}


def _bound(key: str, words: Mapping[_Option, str], look: dict[str, Any]) -> dict[str, Any]:
    """Return the arguments of a widget for choices."""
    own = {"format_func": words.__getitem__, "persist_state": "session"}
    return own | _with_help(key, look)


def _words(options: Options[_Option]) -> dict[_Option, str]:
    return dict(options) if isinstance(options, Mapping) else {one: str(one) for one in options}


def _fit(key: str, default: Any, fits: Callable[[Any], bool]) -> None:
    """Prepare a widget whose choices depend on other data, before it is drawn.

    What does not fit becomes the default, and so does an old default. Left alone, Streamlit empties
    a box whose choices have gone and keeps them in the address, so that the page and its link would
    show different numbers.
    """
    before = st.session_state.get(default_key(key), default)
    st.session_state[default_key(key)] = default
    if key in st.session_state:
        value = st.session_state[key]
        if not fits(value) or (value == before and before != default):
            st.session_state[key] = default


ALPHA, BETA = "α: weight of the previous similarity", "β: weight of the neighbourhoods"
"""The names of the weights."""

NEIGHBOURHOODS = {"R": "R: all pairs", "A": "A: best matching"}
"""How neighbourhoods are compared, in words."""

RANGES: dict[str, tuple[Any, Any]] = {
    "T": (0, 12),
    "alpha": (0.0, 1.0),
    "beta": (0.0, 1.0),
    "branching": (2, 8),
    "depth": (1, 12),
    "seed": (0, 9999),
    "clusters": (2, 12),
}
"""The ranges of the controls, by their keys."""


def kernel_controls(
    graph: GraphSet, show: Callable[[KernelParameters], None], usual_edges: str = "ignore"
) -> None:
    """Let the user choose a kernel for a graph, and show its results.

    A move of T, α or β redraws only these sliders and the results; any other choice redraws the
    whole page.

    Parameters
    ----------
    graph : GraphSet
    show : callable
        Shows the results of a kernel.
    usual_edges : str
        What is used of edges by default.
    """
    st.subheader("Kernel")
    neighbourhood = one_of("kernel", "Neighbourhoods are compared by", NEIGHBOURHOODS)
    sliders = st.container()
    more: dict[str, Any] = {"features": _features_control(graph)}
    more["edges"] = edges_control(graph, can_multiply=neighbourhood == "R", usual=usual_edges)
    more["normalize"] = switch("cosine", "Normalise the kernel", value=True)
    if neighbourhood == "A":
        more["branching"] = slider("branching", "Branching", *RANGES["branching"], 4)
        more["depth"] = slider("depth", "Depth", *RANGES["depth"], 8)
        more["random_state"] = number("seed", "Seed", *RANGES["seed"])

    @st.fragment
    def sliders_and_results() -> None:
        rounds, alpha, beta = _sliders()
        show(KernelParameters(neighbourhood, alpha, beta, rounds, **more))

    with sliders:
        sliders_and_results()


def passing_controls(
    graph: GraphSet, prefix: str, rounds: int, start: tuple[str, ...]
) -> KernelParameters:
    """Let the user choose T, α, β, the initial features and the use of edges, for R and A alike.

    Keys begin with ``prefix``.
    """
    T, alpha, beta = _sliders(prefix, rounds)
    features = _features_control(graph, prefix, start)
    edges = edges_control(graph, prefix, can_multiply=False)
    return KernelParameters(alpha=alpha, beta=beta, n_iterations=T, features=features, edges=edges)


def _sliders(prefix: str = "", rounds: int = 5) -> tuple[int, float, float]:
    T = slider(f"{prefix}T", "Rounds T", *RANGES["T"], rounds)
    alpha = slider(f"{prefix}alpha", ALPHA, *RANGES["alpha"], 0.8, 0.05)
    return T, alpha, slider(f"{prefix}beta", BETA, *RANGES["beta"], 0.2, 0.05)


def _features_control(
    graph: GraphSet, prefix: str = "", start: tuple[str, ...] = ("degree-label",)
) -> str:
    features = some_of(f"{prefix}features", "Initial features", features_of(graph), start)
    return "+".join(features) or "constant"


def features_of(graph: GraphSet) -> list[str]:
    """Return the possible initial features of a graph."""
    choices = list(LOCAL_FEATURES)
    if graph.label_codes is not None:
        choices.append("labels")
    if graph.attributes is not None:
        choices.append("attributes-standardised")
    return choices


_EDGES = {
    "labels": {"": "Ignore", "labels": "Use"},
    "weights": {
        "": "Ignore",
        "weights": "Multiply messages",
        **{f"weights/{n}": f"Use in {n} bins" for n in (2, 4, 8)},
    },
    "directions": {
        "": "Merge",
        "follow": "Follow",
        "reverse": "Reverse",
        "both": "Both, separately",
    },
}
"""What can be used of edges: parts of the parameter ``edges``, and their words."""


def edges_of(graphs: GraphSet, can_multiply: bool) -> dict[str, dict[str, str]]:
    """Return what can be used of the edges of graphs, by name: parts of a text, and their words."""
    known = graphs.edges
    if known is None:
        return {}
    is_there = {
        "labels": known.label_codes is not None,
        "weights": known.weights is not None,
        "directions": known.is_directed,
    }
    return {
        name: {part: text for part, text in words.items() if can_multiply or part != "weights"}
        for name, words in _EDGES.items()
        if is_there[name]
    }


def edge_parts(text: str, offered: Mapping[str, Mapping[str, str]]) -> dict[str, str] | None:
    """Return which part of a text such as "labels+both" belongs to what is offered.

    Parameters
    ----------
    text : str
        Not trusted. A "+" in an address may have become a space.
    offered : mapping
        As :func:`edges_of` returns it.

    Returns
    -------
    dict of str to str or None
        None if something in the text is not offered, or twice.
    """
    parts = [] if text == "ignore" else text.replace(" ", "+").split("+")
    found = {name: [part for part in parts if part in words] for name, words in offered.items()}
    is_whole = sum(map(len, found.values())) == len(parts) and "" not in parts
    if not is_whole or any(len(own) > 1 for own in found.values()):
        return None
    return {name: "".join(own) for name, own in found.items()}


def edges_control(
    graphs: GraphSet, prefix: str = "", *, can_multiply: bool, usual: str = "ignore"
) -> str:
    """Let the user choose what kernels use of edges, where there is more than their ends.

    Parameters
    ----------
    graphs : GraphSet
    prefix : str
        Begins the keys. In the address, "edges" after it holds one text such as "labels+both".
    can_multiply : bool
        Whether all kernels can use weights as they are, and not only in bins.
    usual : str
        What an address without this key means.

    Returns
    -------
    str
        The parameter ``edges`` of kernels.
    """
    key, offered = f"{prefix}edges", edges_of(graphs, can_multiply)
    usual = edges_for(usual, can_multiply)
    default = edge_parts(usual, offered)
    if default is None:
        usual, default = "ignore", dict.fromkeys(offered, "")
    asked: dict[str, str] | None = None
    if is_asked(key):
        text = st.query_params.get(key, "")
        asked = (text and edge_parts(text, offered)) or default
        if text and edge_parts(text, offered) is None:
            note_broken(key, text)
    chosen = []
    for name, words in offered.items():
        own = f"{key}-{name}"
        _fit(own, default[name], words.__contains__)
        if asked is not None:
            st.session_state[own] = asked[name]
        look = {"index": list(words).index(default[name])}
        chosen.append(st.selectbox(f"Edges: {name}", list(words), **_bound(own, words, look)))
    text = "+".join(filter(None, chosen)) or "ignore"
    st.session_state[key] = text
    write_address(key, [] if text == usual else [text])
    if text == usual != "ignore":
        st.caption("This preset uses them by default.")
    if "weights" in offered and not can_multiply:
        st.caption("Weights only in bins: not every kernel here can multiply messages by them.")
    return text


def set_edges(parts: Mapping[str, str]) -> None:
    """Set the controls of the playground for the use of edges, before they are drawn."""
    for name, part in parts.items():
        st.session_state[f"edges-{name}"] = part
