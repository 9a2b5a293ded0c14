"""Presets: kinds of graphs described in words, with parameters that have ranges."""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Callable, Mapping
from numbers import Integral, Real
from types import MappingProxyType
from typing import Annotated, Any, TypeAlias

import msgspec

from mpgk_core.errors import InvalidParameterError

Text: TypeAlias = Annotated[str, msgspec.Meta(pattern=r"\S")]
"""A text that is not empty."""


class Parameter(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A number that a preset takes, with its range.

    Parameters
    ----------
    key : str
        The keyword of :func:`~mpgk_core.graphs.generators.build_graph`.
    label : str
        A short name to show beside a slider.
    help : str
        One sentence on what the number does.
    minimum, maximum, default, step : int or float
        All whole numbers, or all floats. The step is a suggestion for sliders: values between
        two steps are as valid.

    Examples
    --------
    >>> p = Parameter("p", "Probability", "Chance of an edge.", 0.0, 1.0, 0.5, 0.1)
    >>> p.is_whole, p.check(1, "a coin")
    (False, 1.0)
    """

    key: Text
    label: Text
    help: Text
    minimum: int | float
    maximum: int | float
    default: int | float
    step: int | float

    def __post_init__(self) -> None:
        numbers = {name: getattr(self, name) for name in ("minimum", "maximum", "default", "step")}
        kind = float if any(isinstance(value, float) for value in numbers.values()) else int
        for name, value in numbers.items():
            if type(value) is not kind:
                raise _wrong(name, "must be a number written with a decimal point", value)
        if not self.minimum <= self.maximum:
            demand = f"must not be below the minimum, {self.minimum}"
            raise _wrong("maximum", demand, self.maximum)
        if not self.minimum <= self.default <= self.maximum:
            demand = f"must lie from {self.minimum} to {self.maximum}"
            raise _wrong("default", demand, self.default)
        if not self.step > 0:
            raise _wrong("step", "must be above 0", self.step)

    @property
    def is_whole(self) -> bool:
        """Whether only whole numbers are allowed."""
        return isinstance(self.step, int)

    def check(self, value: Any, owner: str) -> float:
        """Return the value as an int or a float, or raise.

        Parameters
        ----------
        value : number
            Any kind of number, numpy's included.
        owner : str
            Whose parameter it is, for the message.

        Returns
        -------
        int or float
            An int if the parameter is a whole number.

        Raises
        ------
        InvalidParameterError
            If the value is not a number of the right kind within the range.
        """
        kind = Integral if self.is_whole else Real
        is_number = isinstance(value, kind) and not isinstance(value, bool)
        if not is_number or not self.minimum <= value <= self.maximum:
            noun = "whole number" if self.is_whole else "number"
            raise InvalidParameterError(
                f"The {self.key!r} parameter of {owner} must be a {noun} from {self.minimum} to "
                f"{self.maximum}. Got {value!r} instead."
            )
        return int(value) if self.is_whole else float(value)


class Preset(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A kind of graph to choose from a list.

    Parameters
    ----------
    key : str
        The name that :func:`~mpgk_core.graphs.generators.build_graph` takes.
    title : str
        The name to show.
    explanation : str
        One sentence on what the graph shows about equivalence or message passing.
    group : str
        The heading under which the preset is listed.
    constructor : str
        The registered function that builds the graph.
    parameters : tuple of Parameter
        In the order in which to show them; a random preset ends with its seed.
    is_random : bool
        Whether the graph depends on a seed.
    node_label : str or None
        The node attribute that holds what is known about each vertex, such as its role or club.

    Examples
    --------
    >>> n = Parameter("n", "Vertices", "How many.", 3, 9, 5, 1)
    >>> ring = Preset("ring", "Ring", "All alike.", "Shapes", "cycle", (n,), False, None)
    >>> ring.complete({}), ring.complete({"n": 4})
    ({'n': 5}, {'n': 4})
    """

    key: Text
    title: Text
    explanation: Text
    group: Text
    constructor: Text
    parameters: tuple[Parameter, ...]
    is_random: bool
    node_label: Text | None

    def complete(self, given: Mapping[str, Any]) -> dict[str, float]:
        """Check the given values and add the defaults of the others.

        Parameters
        ----------
        given : mapping
            Some or all parameters by key.

        Returns
        -------
        dict
            All parameters by key.

        Raises
        ------
        InvalidParameterError
            If a parameter is unknown or out of its range.
        """
        keys = [parameter.key for parameter in self.parameters]
        for key in given:
            if key not in keys:
                takes = ", ".join(map(repr, keys)) or "no parameters"
                raise InvalidParameterError(
                    f"The preset {self.key!r} has no parameter {key!r}. It takes {takes}."
                )
        owner = f"the preset {self.key!r}"
        return {p.key: p.check(given.get(p.key, p.default), owner) for p in self.parameters}


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
    mpgk_core.errors.InvalidParameterError: presets.json: Preset 'star', parameter 'n': the field
    'default' must lie from 1 to 9. Got 10 instead.
    """
    try:
        entries = msgspec.json.decode(text, type=list[Preset])
    except msgspec.ValidationError as error:
        raise InvalidParameterError(_located(str(error), json.loads(text))) from error
    except msgspec.DecodeError as error:
        raise InvalidParameterError(f"presets.json is not valid JSON: {error}.") from error
    presets = [
        msgspec.structs.replace(entry, parameters=(*entry.parameters, _SEED))
        if entry.is_random
        else entry
        for entry in entries
    ]
    _check_distinct([preset.key for preset in presets], "The presets")
    for preset in presets:
        whose = f"Preset {preset.key!r}: the parameters"
        _check_distinct([parameter.key for parameter in preset.parameters], whose)
        _check_constructor(preset, constructors)
    return MappingProxyType({preset.key: preset for preset in presets})


def _wrong(field: str, demand: str, value: Any) -> ValueError:
    return ValueError(f"the field {field!r} {demand}. Got {value!r} instead.")


def _located(problem: str, entries: Any) -> str:
    """Return what msgspec found wrong, with the keys of preset and parameter for its path."""
    problem, _, path = problem.partition(" - at `$")
    problem = re.sub(r"Object missing required field `(.*)`", r"the field '\1' is missing", problem)
    if problem.startswith("Object contains unknown field"):
        known = (Parameter if ".parameters[" in path else Preset).__struct_fields__
        problem = re.sub(r".*`(.*)`", r"the field '\1' is unknown", problem)
        problem += f". The fields are {', '.join(map(repr, known))}"
    where, fields = [], ""
    for name, index, field in re.findall(r"(?:\.?(parameters))?\[(\d+)\]|\.(\w+)", path):
        if field:
            fields = f"the field {field!r}: "
            continue
        entries = (entries["parameters"] if name else entries)[int(index)]
        key = entries.get("key") if isinstance(entries, dict) else None
        shown = repr(key) if isinstance(key, str) else index
        where.append(f"parameter {shown}" if name else f"Preset {shown}")
    place = ", ".join(where) or "The presets"
    return f"presets.json: {place}: {fields}{problem.removesuffix('.')}."


def _check_distinct(keys: list[str], whose: str) -> None:
    for key in keys:
        if keys.count(key) > 1:
            raise InvalidParameterError(
                f"presets.json: {whose} have the key {key!r} twice. Rename one of them."
            )


def _check_constructor(preset: Preset, constructors: Mapping[str, Callable[..., Any]]) -> None:
    where = f"presets.json: Preset {preset.key!r}"
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
