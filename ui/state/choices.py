"""What the user has chosen, as values that can key a cache, and data of session files."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, fields
from functools import cached_property
from threading import Lock
from typing import Any, TypeAlias, TypeVar
from weakref import WeakKeyDictionary

import streamlit as st

from mpgk_core import GraphSet
from mpgk_core.content_key import content_key
from mpgk_core.export import GivenGraph, GivenRoles, GivenSet, PresetGraph
from mpgk_core.graphs.generators import PRESETS
from ui.state.cache import STORE

OwnData: TypeAlias = GivenGraph | GivenSet | GivenRoles
"""Data that no address can hold."""

_lock = Lock()
_keys: WeakKeyDictionary[GraphSet, str] = WeakKeyDictionary()


def key_of_graphs(graphs: GraphSet) -> str:
    """Return a key that only equal graphs share.

    It is remembered as long as the graphs live: nothing on the server changes a ``GraphSet``, and
    a slider must not wait until millions of edges are read again.
    """
    with _lock:
        known = _keys.get(graphs)
    if known is None:
        known = content_key(graphs)
        with _lock:
            _keys[graphs] = known
    return known


def key_of_data(data: Any) -> str:
    """Return a key that only dataclasses of one kind with equal fields share."""
    values = (getattr(data, one.name) for one in fields(data))
    return content_key(type(data), *map(_part, values))


class Keyed:
    """A dataclass with a key made of all its fields: equal keys mean equal values."""

    @cached_property
    def key(self) -> str:
        """Stands for all fields."""
        return key_of_data(self)

    def content(self) -> tuple[str]:
        """Return what stands for this in keys."""
        return (self.key,)


def _part(value: Any) -> Any:
    """Return what stands for a field in a key; large ones are read once."""
    if isinstance(value, GraphSet):
        return key_of_graphs(value)
    return key_of_data(value) if isinstance(value, OwnData) else value


@dataclass(frozen=True, eq=False)
class ChosenGraph(Keyed):
    """One graph, and how it came about.

    Attributes
    ----------
    title : str
        Name for people.
    graph : GraphSet
        With one graph.
    recipe : PresetGraph or None
        How others can build the same graph; None where only the graph itself will do.
    origin : ChosenGraph or None
        The graph that this one was made of by edits.
    """

    title: str
    graph: GraphSet
    recipe: PresetGraph | None = None
    origin: ChosenGraph | None = None

    @property
    def source(self) -> PresetGraph | GivenGraph:
        """How others can get at the same graph."""
        return self.recipe or GivenGraph(self.title, self.graph)

    @property
    def usual_edges(self) -> str:
        """What kernels use of edges by default: what the preset needs, else nothing."""
        if self.origin is not None:
            return self.origin.usual_edges
        return "ignore" if self.recipe is None else PRESETS[self.recipe.preset].edges


@dataclass(frozen=True)
class PictureChoice:
    """How things are drawn."""

    layout: str = "natural"
    colour: str = "orbit"
    n_axes: int = 2
    axes: str = "fit"
    n_clusters: int = 4
    attribute: int = 0
    beside: str = ""
    """The method whose plane is drawn beside the kernel's; none if empty."""
    matrix: str = "cosine"
    """What the matrix shows; "values" are k(v, u), on one scale for R and A and all rounds."""


def key_for(word: str, *shown: object) -> str:
    """Return a key of a widget that is another one as soon as something else is shown.

    A box with a number for every node of a tree, or for every pair of vertices, must forget its
    number when the tree or the pairs are others: under the old key Streamlit would keep it.

    Parameters
    ----------
    word : str
        What the widget is for; the key begins with it.
    *shown : object
        All that the choices depend on, each with a ``repr`` that tells it from others.

    Returns
    -------
    str
    """
    return f"{word}-{hashlib.sha256(repr(shown).encode()).hexdigest()[:12]}"


_IN_ADDRESS, _SELECTED = "sel", "selected_vertices"


def current_selection(graph: ChosenGraph) -> list[int]:
    """Return the selected vertices of this graph; the address decides when a page is opened.

    They are put into the address again, which loses them when another page is visited.
    """
    if _SELECTED not in st.session_state:
        texts = st.query_params.get(_IN_ADDRESS, "").split(",")
        numbers = {int(one) for one in texts if one.isascii() and one.isdigit() and len(one) < 9}
        found = sorted(number for number in numbers if number < graph.graph.n_vertices)
        st.session_state[_SELECTED] = (graph.key, found)
    owner, vertices = st.session_state[_SELECTED]
    if owner != graph.key:
        vertices = []
    keep_selection(graph, vertices)
    return list(vertices)


def keep_selection(graph: ChosenGraph, vertices: list[int]) -> None:
    """Remember a selection."""
    st.session_state[_SELECTED] = (graph.key, vertices)
    text = ",".join(map(str, vertices))
    if not text:
        st.query_params.pop(_IN_ADDRESS, None)
    elif st.query_params.get(_IN_ADDRESS) != text:  # each writing is a message to the browser
        st.query_params[_IN_ADDRESS] = text


def forget_selection() -> None:
    """Let the address decide again what is selected."""
    st.session_state.pop(_SELECTED, None)


ASKED = "loaded"
"""The part of an address that names loaded data."""

_LOADED = "loaded data"
Loaded = TypeVar("Loaded", GivenGraph, GivenSet, GivenRoles)
"""Data of one kind."""


def keep(data: OwnData) -> str:
    """Keep data for all tabs, until the memory is needed for others, and return their key."""
    key = key_of_data(data)
    if STORE.find(_LOADED, key) is None:
        STORE.put(_LOADED, key, data)
    return key


def loaded_data(kind: type[Loaded]) -> Loaded | None:
    """Return the data of a kind that were asked for last.

    The address asks for them. Another page has another address, so the key is remembered. The data
    themselves are not: what all users have loaded shares the memory of the server.
    """
    remembered: dict[type, str] = st.session_state.setdefault("loaded data", {})
    asked = st.query_params.get(ASKED, "")
    if isinstance(STORE.find(_LOADED, asked), kind):
        remembered[kind] = asked
    data = STORE.find(_LOADED, remembered.get(kind, ""))
    return data if isinstance(data, kind) else None


def ask_for(data: OwnData) -> None:
    """Write the key of data into the address of the page, and keep the data."""
    key = keep(data)
    if st.query_params.get(ASKED) != key:
        st.query_params[ASKED] = key


def is_missed() -> bool:
    """Return whether the address asks for data that have expired."""
    return ASKED in st.query_params and STORE.find(_LOADED, st.query_params[ASKED]) is None
