"""Keys of data by all that is in them; large graphs are looked through once."""

from __future__ import annotations

from threading import Lock
from weakref import WeakKeyDictionary

from mpgk_core import GraphSet
from mpgk_core.content_key import content_key
from mpgk_core.takeaway import GivenGraph, GivenRoles, GivenSet

__all__ = ["key_of_data", "key_of_graphs"]

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
