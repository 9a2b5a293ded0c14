"""What the user has chosen, as values that can key a cache."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from threading import Lock
from weakref import WeakKeyDictionary

import streamlit as st

from mpgk_core import GraphSet
from mpgk_core.content_key import content_key
from mpgk_core.export import GivenGraph, GivenRoles, GivenSet, PresetGraph

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


def key_of_data(data: GivenGraph | GivenSet | GivenRoles) -> str:
    """Return a key that only equal data of the same title share."""
    if isinstance(data, GivenSet):
        return content_key("set", data.title, key_of_graphs(data.graphs), data.classes)
    if isinstance(data, GivenRoles):
        return content_key("roles", data.title, key_of_graphs(data.graph), data.roles)
    return content_key("graph", data.title, key_of_graphs(data.graph))


@dataclass(frozen=True, eq=False)
class ChosenGraph:
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
    key : str
        Made of all of these: equal keys mean equal choices.
    """

    title: str
    graph: GraphSet
    recipe: PresetGraph | None = None
    origin: ChosenGraph | None = None
    key: str = field(init=False)

    def __post_init__(self) -> None:
        origin = None if self.origin is None else self.origin.key
        key = content_key(self.title, key_of_graphs(self.graph), self.recipe, origin)
        object.__setattr__(self, "key", key)

    def content(self) -> tuple[str]:
        """Return what stands for this in keys."""
        return (self.key,)

    @property
    def source(self) -> PresetGraph | GivenGraph:
        """How others can get at the same graph."""
        return self.recipe or GivenGraph(self.title, self.graph)


@dataclass(frozen=True)
class KernelChoice:
    """The parameters of a node kernel."""

    neighbourhood: str
    alpha: float
    beta: float
    n_iterations: int
    features: str
    normalize: bool
    random_state: int
    branching: int
    depth: int


@dataclass(frozen=True)
class PictureChoice:
    """How things are drawn."""

    layout: str
    colour: str
    n_axes: int
    is_ranked: bool
    n_clusters: int = 4
    attribute: int = 0


def key_for(word: str, *shown: object) -> str:
    """Return a key that is another one as soon as something else is shown.

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


_PARAMETER = "sel"
_KEY = "selected_vertices"


def current_selection(graph: ChosenGraph) -> list[int]:
    """Return the selected vertices of this graph; the URL decides when a page is opened.

    They are put into the URL again, which forgets them when another page was visited.
    """
    if _KEY not in st.session_state:
        st.session_state[_KEY] = (graph.key, _from_url(graph.graph.n_vertices))
    owner, vertices = st.session_state[_KEY]
    if owner != graph.key:
        vertices = []
    keep_selection(graph, vertices)
    return list(vertices)


def keep_selection(graph: ChosenGraph, vertices: list[int]) -> None:
    """Remember a selection."""
    st.session_state[_KEY] = (graph.key, vertices)
    words = ",".join(map(str, vertices))
    if not words:
        st.query_params.pop(_PARAMETER, None)
    elif st.query_params.get(_PARAMETER) != words:  # each writing is a message to the browser
        st.query_params[_PARAMETER] = words


def forget_selection() -> None:
    """Let the URL decide again what is selected."""
    st.session_state.pop(_KEY, None)


def _from_url(n_vertices: int) -> list[int]:
    parts = st.query_params.get(_PARAMETER, "").split(",")
    numbers = {int(part) for part in parts if part.isascii() and part.isdigit() and len(part) < 9}
    return sorted(number for number in numbers if number < n_vertices)
