"""From the text of ``presets.json`` to presets, with every mistake named."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from mpgk_core.errors import InvalidParameterError
from mpgk_core.graphs.generators.preset import Parameter, Preset

_PRESET_TEXTS = ("key", "title", "explanation", "group", "constructor")
_PARAMETER_TEXTS = ("key", "label", "help")
_PARAMETER_NUMBERS = ("minimum", "maximum", "default", "step")
_SEED = Parameter(
    "seed", "Seed", "Another seed draws another graph; the same seed the same.", 0, 9999, 0, 1
)


def read_presets(text: str, constructors: Mapping[str, Callable[..., Any]]) -> Mapping[str, Preset]:
    """Read presets and check that nothing in them can fail later.

    The text holds a list of objects with the fields of :class:`Preset`. A random preset does not
    list its seed: all random presets get the same one. The numbers of a parameter are whole if
    none of the four is written with a decimal point.

    Parameters
    ----------
    text : str
        JSON.
    constructors : mapping
        The functions that presets may name. Each must accept the parameters of its presets as
        keywords.

    Returns
    -------
    mapping
        The presets by key, in the order of the text. It cannot be changed.

    Raises
    ------
    InvalidParameterError
        Naming the preset and the field that is wrong.

    Examples
    --------
    >>> import networkx as nx
    >>> text = '''[{"key": "star", "title": "Star", "explanation": "A hub.", "group": "Shapes",
    ...   "constructor": "star", "is_random": false, "node_label": null, "parameters": [
    ...     {"key": "n", "label": "Leaves", "help": "How many leaves.",
    ...      "minimum": 1, "maximum": 9, "default": 5, "step": 1}]}]'''
    >>> read_presets(text, {"star": nx.star_graph})["star"].parameters[0].default
    5
    >>> read_presets(text.replace('"default": 5', '"default": 10'), {"star": nx.star_graph})
    Traceback (most recent call last):
        ...
    mpgk_core.errors.InvalidParameterError: Preset 'star', parameter 'n': the field 'default' must
    lie from 1 to 9. Got 10 instead.
    """
    try:
        entries = json.loads(text)
    except json.JSONDecodeError as error:
        raise InvalidParameterError(f"The presets are not valid JSON: {error}.") from error
    if not isinstance(entries, list):
        raise InvalidParameterError("The presets must be a list of objects.")
    presets = [_preset(entry, _where("Preset", i, entry)) for i, entry in enumerate(entries)]
    _check_distinct([preset.key for preset in presets], "The presets")
    for preset in presets:
        _check_constructor(preset, constructors)
    return MappingProxyType({preset.key: preset for preset in presets})


def _preset(entry: Any, where: str) -> Preset:
    _check_fields(entry, (*_PRESET_TEXTS, "parameters", "is_random", "node_label"), where)
    texts = {name: _text(entry, name, where) for name in _PRESET_TEXTS}
    if not isinstance(entry["is_random"], bool):
        raise _wrong(where, "is_random", "must be true or false", entry)
    if not isinstance(entry["parameters"], list):
        raise _wrong(where, "parameters", "must be a list of objects", entry)
    parameters = [
        _parameter(item, f"{where}, {_where('parameter', i, item)}")
        for i, item in enumerate(entry["parameters"])
    ]
    if entry["is_random"]:
        parameters.append(_SEED)
    _check_distinct([parameter.key for parameter in parameters], f"{where}: the parameters")
    return Preset(
        **texts,
        parameters=tuple(parameters),
        is_random=entry["is_random"],
        node_label=None if entry["node_label"] is None else _text(entry, "node_label", where),
    )


def _parameter(entry: Any, where: str) -> Parameter:
    _check_fields(entry, (*_PARAMETER_TEXTS, *_PARAMETER_NUMBERS), where)
    texts: dict[str, Any] = {name: _text(entry, name, where) for name in _PARAMETER_TEXTS}
    numbers = {name: entry[name] for name in _PARAMETER_NUMBERS}
    kind = float if any(isinstance(value, float) for value in numbers.values()) else int
    for name, value in numbers.items():
        if type(value) is not kind:
            noun = "a whole number" if kind is int else "a number written with a decimal point"
            raise _wrong(where, name, f"must be {noun}", entry)
    low, high = numbers["minimum"], numbers["maximum"]
    if not low <= high:
        raise _wrong(where, "maximum", f"must not be below the minimum, {low}", entry)
    if not low <= numbers["default"] <= high:
        raise _wrong(where, "default", f"must lie from {low} to {high}", entry)
    if not numbers["step"] > 0:
        raise _wrong(where, "step", "must be above 0", entry)
    return Parameter(**texts, **numbers)


def _check_fields(entry: Any, names: tuple[str, ...], where: str) -> None:
    if not isinstance(entry, dict):
        raise InvalidParameterError(f"{where} must be an object. Got {entry!r} instead.")
    for name in names:
        if name not in entry:
            raise InvalidParameterError(f"{where}: the field {name!r} is missing.")
    for name in entry:
        if name not in names:
            allowed = ", ".join(map(repr, names))
            raise InvalidParameterError(
                f"{where}: the field {name!r} is unknown. The fields are {allowed}."
            )


def _text(entry: dict[str, Any], name: str, where: str) -> str:
    value = entry[name]
    if not isinstance(value, str) or not value.strip():
        raise _wrong(where, name, "must be a text that is not empty", entry)
    return value


def _check_distinct(keys: list[str], whose: str) -> None:
    for key in keys:
        if keys.count(key) > 1:
            raise InvalidParameterError(f"{whose} have the key {key!r} twice. Rename one of them.")


def _check_constructor(preset: Preset, constructors: Mapping[str, Callable[..., Any]]) -> None:
    where = f"Preset {preset.key!r}"
    if preset.constructor not in constructors:
        allowed = ", ".join(map(repr, constructors))
        raise InvalidParameterError(
            f"{where}: the field 'constructor' must be one of {allowed}. "
            f"Got {preset.constructor!r} instead."
        )
    signature = inspect.signature(constructors[preset.constructor])
    # networkx's functions also take keywords for other backends; a preset must not.
    named = [p for p in signature.parameters.values() if p.kind is not p.VAR_KEYWORD]
    try:
        signature.replace(parameters=named).bind(**preset.complete({}))
    except TypeError as error:
        raise InvalidParameterError(
            f"{where}: the field 'parameters' does not suit {preset.constructor!r} ({error})."
        ) from error


def _where(what: str, position: int, entry: Any) -> str:
    """Name an entry by its key, or by its position if it has none."""
    key = entry.get("key") if isinstance(entry, dict) else None
    return f"{what} {key!r}" if isinstance(key, str) else f"{what} {position}"


def _wrong(where: str, name: str, demand: str, entry: dict[str, Any]) -> InvalidParameterError:
    return InvalidParameterError(
        f"{where}: the field {name!r} {demand}. Got {entry[name]!r} instead."
    )
