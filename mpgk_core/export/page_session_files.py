"""Sessions of pages to and from bytes; one changed character, and nothing of a file is used."""

from __future__ import annotations

import hashlib
import json
from typing import Any, TypeVar

from mpgk_core import __version__
from mpgk_core.errors import (
    InvalidGraphError,
    InvalidParameterError,
    UnreadableFileError,
    shortened,
)
from mpgk_core.evaluation import checked_roles
from mpgk_core.export.marked_json import load_marked
from mpgk_core.export.packed_graphs import packed, unpacked
from mpgk_core.export.page_session import CarriedData, PageSession
from mpgk_core.export.role_sources import GivenRoles
from mpgk_core.export.set_sources import GivenSet, NamedSet
from mpgk_core.formats.source import Source
from mpgk_core.graphs.recipes import GivenGraph

_VERSION = 1
_MARK = "mpgk_page_session"
_FIELDS = {_MARK, "engine", "page", "settings", "data", "digest"}
_REMEDY = "Save the session again on its page."
_LONGEST_PROBLEM = 400
_WORDS: dict[type, str] = {dict: "JSON object", list: "list", str: "text"}
_Kind = TypeVar("_Kind", dict[str, Any], list[Any], str)


def save_page_session(session: PageSession) -> bytes:
    """Return a session of a page as a file.

    Parameters
    ----------
    session : PageSession

    Returns
    -------
    bytes
        JSON; the same session gives the same bytes.

    Examples
    --------
    >>> content = save_page_session(PageSession("tuning", {"tune-last": ("4",)}))
    >>> load_page_session(content).settings["tune-last"]
    ('4',)
    """
    content = {
        _MARK: _VERSION,
        "engine": __version__,
        "page": session.page,
        "settings": {key: list(values) for key, values in session.settings.items()},
        "data": None if session.data is None else _written(session.data),
    }
    return (json.dumps({**content, "digest": _digest(content)}, indent=1) + "\n").encode()


def load_page_session(content: bytes, name: str = "session") -> PageSession:
    """Return the session of a file, whole and checked, or raise.

    Parameters
    ----------
    content : bytes
        Not trusted.
    name : str
        Name of the file, for errors.

    Returns
    -------
    PageSession

    Raises
    ------
    UnreadableFileError
        Saying what is wrong and what to do.

    Examples
    --------
    >>> load_page_session(b'{"mpgk_page_session": 2}', "my.json")
    Traceback (most recent call last):
        ...
    mpgk_core.errors.UnreadableFileError: my.json: The session is of version 2, and here version 1
    is known. Load it with the program that saved it.
    """
    source = Source(name, content)
    saved = load_marked(
        source,
        _MARK,
        _VERSION,
        (
            "This is not a session of a page.",
            "Give a file that was saved as a session here. Those of the playground are loaded "
            "there.",
        ),
    )
    if set(saved) != _FIELDS or saved["digest"] != _digest(saved):
        raise source.error("The file is damaged, or was changed after it was saved.", _REMEDY)
    given = _field(saved, "settings", dict, source)
    settings = {key: tuple(_field(given, key, list, source)) for key in given}
    data = None if saved["data"] is None else _read(saved["data"], source)
    try:
        return PageSession(saved["page"], settings, data)
    except InvalidParameterError as error:
        raise source.error(shortened(str(error), _LONGEST_PROBLEM), _REMEDY) from None


def _written(data: CarriedData) -> dict[str, Any]:
    if isinstance(data, NamedSet):
        return {"set": data.name}
    if isinstance(data, GivenSet):
        return {"title": _whole(data.title), "packed": packed(data.graphs, data.classes)}
    content = {"title": _whole(data.title), "packed": packed(data.graph)}
    if isinstance(data, GivenGraph):
        return content
    roles = {
        "names": list(map(_whole, data.roles.names)),
        "of_vertex": data.roles.of_vertex.tolist(),
    }
    return {**content, "roles": roles}


def _read(saved: Any, source: Source) -> CarriedData:
    if isinstance(saved, dict) and "set" in saved:
        return NamedSet(_field(saved, "set", str, source))
    title, text = (_field(saved, key, str, source) for key in ("title", "packed"))
    try:
        found = unpacked(text, source.name)
        if found.classes is not None:
            return GivenSet(title, found.graphs, found.classes)
        if "roles" not in saved:
            return GivenGraph(title, found.graphs)
        roles = _roles(_field(saved, "roles", dict, source), source)
        return GivenRoles(title, found.graphs, checked_roles(roles, found.graphs.n_vertices))
    except UnreadableFileError as error:
        raise source.error(shortened(error.problem, _LONGEST_PROBLEM), _REMEDY) from None
    except InvalidGraphError as error:
        raise source.error(shortened(str(error), _LONGEST_PROBLEM), _REMEDY) from None


def _roles(saved: dict[str, Any], source: Source) -> list[str]:
    """Return the role of every vertex."""
    names, places = (_field(saved, key, list, source) for key in ("names", "of_vertex"))
    if not all(type(place) is int and 0 <= place < len(names) for place in places):
        raise source.error(f"A role is not a number from 0 to {len(names) - 1}.", _REMEDY)
    return [str(names[place]) for place in places]


def _field(saved: Any, key: str, kind: type[_Kind], source: Source) -> _Kind:
    value = saved.get(key) if isinstance(saved, dict) else None
    if not isinstance(value, kind):
        raise source.error(f"The field {shortened(key)!r} must be a {_WORDS[kind]}.", _REMEDY)
    return value


def _digest(content: dict[str, Any]) -> str:
    """Return a number that any change of a file changes; its own field does not count."""
    rest = {key: value for key, value in content.items() if key != "digest"}
    return hashlib.sha256(json.dumps(rest, sort_keys=True).encode()).hexdigest()


def _whole(text: str) -> str:
    """Return a text without halves of characters, which no file can hold."""
    return text.encode("utf-8", "replace").decode("utf-8")
