"""Saved sessions: a page, its settings as they stand in its address, and its data.

Version 2 is written. Version 1 had two kinds, one for the playground and one for the other pages;
both are still read.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, TypeAlias

import msgspec

from mpgk_core import __version__
from mpgk_core.checks import check_choice
from mpgk_core.errors import InvalidGraphError, InvalidParameterError, shortened
from mpgk_core.evaluation import checked_roles
from mpgk_core.export.old_sessions import OLD_PAGES, OLD_PLAYGROUND, playground_of_version_1
from mpgk_core.export.packed_graphs import packed, unpacked
from mpgk_core.export.sources import GivenRoles, GivenSet, NamedSet
from mpgk_core.formats.safe_json import load_json
from mpgk_core.formats.source import Source
from mpgk_core.graphs.generators import GivenGraph
from mpgk_core.schema import Table, checked

PAGES = (
    *("playground", "tuning", "variants"),
    *("graph_classification", "node_classification", "graph_regression"),
)
"""The pages that a session can be of, as their addresses call them."""

SessionData: TypeAlias = NamedSet | GivenGraph | GivenSet | GivenRoles
"""Data that an address cannot hold, or not everywhere."""

_MARK, _VERSION = "mpgk_session", 2
_KNOWN = ((_MARK, _VERSION), OLD_PLAYGROUND, OLD_PAGES)
_REMEDY = "Save the session again on its page."
_MAX_SETTINGS, _MAX_CHOICES, _MAX_TEXT, _MAX_EDITS, _MAX_PROBLEM = 200, 200, 1_000, 10**6, 600


@dataclass(frozen=True, eq=False)
class Session:
    """A page, its settings, and the data where the settings do not say where to get them.

    Parameters
    ----------
    page : str
        One of ``PAGES``.
    settings : mapping of str to tuple of str
        What stands in the address of the page, by the key of the control. The edits of a graph
        may be longer than those of an address.
    data : NamedSet, GivenGraph, GivenSet, GivenRoles, optional

    Examples
    --------
    >>> Session("tuning", {"tune-last": ("4",)}).settings["tune-last"]
    ('4',)
    >>> Session("garden", {})
    Traceback (most recent call last):
        ...
    mpgk_core.errors.InvalidParameterError: The 'page' parameter of Session must be one of
    'playground', 'tuning', 'variants', 'graph_classification', 'node_classification',
    'graph_regression'. Got 'garden'
    instead.
    """

    page: str
    settings: Mapping[str, tuple[str, ...]]
    data: SessionData | None = None

    def __post_init__(self) -> None:
        check_choice(self.page, PAGES, "page", "Session")
        if len(self.settings) > _MAX_SETTINGS:
            raise InvalidParameterError(
                f"There are {len(self.settings):,} settings, and at most {_MAX_SETTINGS} are "
                "kept. Leave some out."
            )
        for key, values in self.settings.items():
            longest = _MAX_EDITS if key == "edits" else _MAX_TEXT
            is_fit = isinstance(values, tuple) and len(values) <= _MAX_CHOICES
            if not is_fit or not all(_is_fit(text, longest) for text in (key, *values)):
                raise InvalidParameterError(
                    f"The setting {shortened(str(key))!r} must be a tuple of at most "
                    f"{_MAX_CHOICES} texts of at most {longest:,} characters. Got "
                    f"{shortened(repr(values))} instead."
                )
        if isinstance(self.data, GivenGraph) and self.data.graph.n_vertices == 0:
            raise InvalidGraphError("The graph of a Session has no vertices. Choose another one.")
        object.__setattr__(self, "settings", MappingProxyType(dict(self.settings)))


def _is_fit(text: Any, longest: int) -> bool:
    """Return whether this is text of bounded length without halves of characters."""
    return isinstance(text, str) and len(text) <= longest and text == _whole(text)


class _Roles(Table, frozen=True):
    names: tuple[str, ...]
    of_vertex: tuple[int, ...]


class _Data(Table, frozen=True):
    name: str | None = msgspec.field(default=None, name="set")
    title: str = ""
    packed: str | None = None
    roles: _Roles | None = None


class _Content(Table, frozen=True):
    engine: str
    page: str
    settings: dict[str, tuple[str, ...]]
    data: _Data | None


def save_session(session: Session) -> bytes:
    """Return a session as a file.

    Parameters
    ----------
    session : Session

    Returns
    -------
    bytes
        JSON; the same session gives the same bytes.

    Examples
    --------
    >>> content = save_session(Session("tuning", {"tune-last": ("4",)}))
    >>> load_session(content).settings["tune-last"]
    ('4',)
    """
    content = {
        _MARK: _VERSION,
        "engine": __version__,
        "page": session.page,
        "settings": {key: list(values) for key, values in session.settings.items()},
        "data": _written(session.data),
    }
    return (json.dumps({**content, "digest": digest_of(content)}, indent=1) + "\n").encode()


def load_session(content: bytes, name: str = "session") -> Session:
    """Return the session of a file, whole and checked, or raise.

    Parameters
    ----------
    content : bytes
        Not trusted.
    name : str
        Name of the file, for errors.

    Returns
    -------
    Session

    Raises
    ------
    UnreadableFileError
        Naming the field that is wrong and what to do.

    Examples
    --------
    >>> load_session(b'{"mpgk_session": 3}', "my.json")
    Traceback (most recent call last):
        ...
    mpgk_core.errors.UnreadableFileError: my.json: The session is of version 3, and this program
    reads versions 1 and 2. Load it with the program that saved it.
    """
    source = Source(name, content)
    source.bounds.check_bytes(name, len(content))
    saved = load_json(source)
    mark, version = _kind(saved, source)
    if (mark, version) != OLD_PLAYGROUND and saved.get("digest") != digest_of(saved):
        raise source.error("The file is damaged, or was changed after it was saved.", _REMEDY)
    fields = {key: value for key, value in saved.items() if key not in (mark, "digest")}
    try:
        if (mark, version) == OLD_PLAYGROUND:
            settings, graph = playground_of_version_1(fields, name)
            return Session("playground", settings, graph)
        found = checked(_Content, fields, name, "item")
        data = None if found.data is None else _read(found.data, name)
        return Session(found.page, found.settings, data)
    except (InvalidGraphError, InvalidParameterError) as error:
        raise source.error(shortened(str(error), _MAX_PROBLEM), _REMEDY) from None


def _kind(saved: Any, source: Source) -> tuple[str, Any]:
    """Return the mark and the version of a session file, or raise."""
    for mark, _ in _KNOWN:
        if isinstance(saved, dict) and mark in saved:
            version = saved[mark]
            if type(version) is int and (mark, version) in _KNOWN:
                return mark, version
            raise source.error(
                f"The session is of version {shortened(str(version))}, and this program reads "
                f"versions 1 and {_VERSION}.",
                "Load it with the program that saved it.",
            )
    remedy = "Give a file that was saved as a session, or open it as a graph."
    raise source.error("This is not a session.", remedy)


def _written(data: SessionData | None) -> dict[str, Any] | None:
    match data:
        case None:
            return None
        case NamedSet():
            return {"set": data.name}
        case GivenSet():
            return {"title": _whole(data.title), "packed": packed(data.graphs, data.classes)}
        case GivenGraph():
            return {"title": _whole(data.title), "packed": packed(data.graph)}
        case GivenRoles():
            of_vertex, names = data.roles.of_vertex.tolist(), list(map(_whole, data.roles.names))
            graph = {"title": _whole(data.title), "packed": packed(data.graph)}
            return {**graph, "roles": {"names": names, "of_vertex": of_vertex}}


def _read(saved: _Data, name: str) -> SessionData:
    if saved.name is not None:
        return NamedSet(saved.name)
    if saved.packed is None:
        raise InvalidParameterError("The field 'data' holds neither 'set' nor 'packed'.")
    found = unpacked(saved.packed, name)
    if found.classes is not None:
        return GivenSet(saved.title, found.graphs, found.classes)
    if saved.roles is None:
        return GivenGraph(saved.title, found.graphs)
    names = saved.roles.names
    if not all(0 <= place < len(names) for place in saved.roles.of_vertex):
        raise InvalidParameterError(f"A role is not a number from 0 to {len(names) - 1}.")
    role_of_vertex = [names[place] for place in saved.roles.of_vertex]
    roles = checked_roles(role_of_vertex, found.graphs.n_vertices)
    return GivenRoles(saved.title, found.graphs, roles)


def digest_of(content: dict[str, Any]) -> str:
    """Return a number that any change of a file changes; its own field does not count."""
    rest = {key: value for key, value in content.items() if key != "digest"}
    return hashlib.sha256(json.dumps(rest, sort_keys=True).encode()).hexdigest()


def _whole(text: str) -> str:
    """Return a text without halves of characters, which no file can hold."""
    return text.encode("utf-8", "replace").decode("utf-8")
