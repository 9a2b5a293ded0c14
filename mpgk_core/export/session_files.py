"""Sessions to and from bytes; a damaged file raises before anything of it is used."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import fields
from typing import Any, TypeVar

from mpgk_core import __version__
from mpgk_core.errors import MPGKError, UnreadableFileError, shortened
from mpgk_core.export.exact_json import graphs_as_json, graphs_from_json
from mpgk_core.export.marked_json import load_marked
from mpgk_core.export.session import PictureParameters, Session
from mpgk_core.formats.source import Source
from mpgk_core.graphs import GraphSet
from mpgk_core.graphs.recipes import PresetGraph
from mpgk_core.kernels.parameters import KernelParameters

_VERSION = 1
_FIELDS = (
    "mpgk_session",
    "engine",
    "title",
    "graph",
    "kernel",
    "picture",
    "selection",
    "widgets",
    "edits",
)
_REMEDY = "Correct that field, or save the session again."
_LONGEST_PROBLEM = 400

_Made = TypeVar("_Made")
_Parameters = TypeVar("_Parameters", KernelParameters, PictureParameters)


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
    >>> content = save_session(Session(PresetGraph("path"), KernelParameters()))
    >>> load_session(content).graph
    PresetGraph(preset='path', values=mappingproxy({'n': 12}))
    """
    graph = session.graph
    rest: dict[str, Any] = {
        "kernel": session.kernel.settings(),
        "picture": session.picture.settings(),
        "selection": session.selection,
        "widgets": dict(session.widgets),
        **({"edits": session.edits} if session.edits else {}),
    }
    head = {"mpgk_session": _VERSION, "engine": __version__, "title": session.title}
    if isinstance(graph, PresetGraph):
        source = _json({"preset": graph.preset, "values": dict(graph.values)})
    else:
        source = graphs_as_json(graph)
    lines = [
        *(f"{_json(key)}: {_json(value)}" for key, value in head.items()),
        f'"graph": {source}',
        *(f"{_json(key)}: {_json(value)}" for key, value in rest.items()),
    ]
    return ("{" + ",\n".join(lines) + "}\n").encode()


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
    >>> load_session(b'{"mpgk_session": 2}', "my.json")
    Traceback (most recent call last):
        ...
    mpgk_core.errors.UnreadableFileError: my.json: The session is of version 2, and here version 1
    is known. Load it with the program that saved it.
    """
    source = Source(name, content)
    saved = load_marked(
        source,
        _FIELDS[0],
        _VERSION,
        (
            "This is not a session.",
            "Give a file that was saved as a session, or open it as a graph.",
        ),
    )
    saved.setdefault("edits", "")
    _check_fields(saved, _FIELDS, "", source)
    for key in ("engine", "title", "edits"):
        if not isinstance(saved[key], str):
            raise _wrong(key, "must be a text.", source)
    graph = _graph(saved["graph"], source)
    kernel = _parameters(KernelParameters, saved, "kernel", source)
    picture = _parameters(PictureParameters, saved, "picture", source)
    if not isinstance(saved["selection"], list):
        raise _wrong("selection", "must be a list.", source)
    selection, widgets = tuple(saved["selection"]), _widgets(saved["widgets"], source)
    try:
        return Session(graph, kernel, picture, selection, widgets, saved["title"], saved["edits"])
    except (MPGKError, OverflowError) as error:
        problem = shortened(str(error), _LONGEST_PROBLEM)
        raise source.error(f"The fields do not fit together. {problem}", _REMEDY) from None


def _graph(saved: Any, source: Source) -> PresetGraph | GraphSet:
    if isinstance(saved, dict) and "preset" in saved:
        _check_fields(saved, ("preset", "values"), "graph.", source)
        if not isinstance(saved["values"], dict):
            raise _wrong("graph.values", "must be an object.", source)
        return _made(lambda: PresetGraph(saved["preset"], saved["values"]), "graph", source)
    if not isinstance(saved, dict) or "graphs" not in saved:
        raise _wrong("graph", "must be an object with a 'preset' or with 'graphs'.", source)
    if "classes" in saved:
        raise _wrong("graph.classes", "is unknown.", source)
    return _made(lambda: graphs_from_json(saved, source.name).graphs, "graph", source)


def _parameters(
    kind: type[_Parameters], saved: dict[str, Any], key: str, source: Source
) -> _Parameters:
    values = saved[key]
    if not isinstance(values, dict):
        raise _wrong(key, "must be an object.", source)
    _check_fields(values, tuple(field.name for field in fields(kind)), f"{key}.", source)
    return _made(lambda: kind(**values), key, source)


def _widgets(saved: Any, source: Source) -> dict[str, Any]:
    if not isinstance(saved, dict):
        raise _wrong("widgets", "must be an object.", source)
    return {key: tuple(v) if isinstance(v, list) else v for key, v in saved.items()}


def _check_fields(
    saved: dict[str, Any], names: tuple[str, ...], prefix: str, source: Source
) -> None:
    for name in names:
        if name not in saved:
            raise _wrong(prefix + name, "is missing.", source)
    for name in saved:
        if name not in names:
            raise _wrong(prefix + name, "is unknown.", source)


def _made(make: Callable[[], _Made], key: str, source: Source) -> _Made:
    """Call a constructor that checks, and say in which field it found the mistake."""
    try:
        return make()
    except (MPGKError, OverflowError) as error:
        text = error.problem if isinstance(error, UnreadableFileError) else str(error)
        problem = shortened(text, _LONGEST_PROBLEM)
        raise _wrong(key, f"cannot be used: {problem}", source) from None


def _wrong(key: str, problem: str, source: Source) -> UnreadableFileError:
    return source.error(f"The field {shortened(key)!r} {problem}", _REMEDY)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)
