"""Presets: kinds of graphs described in words, with parameters that have ranges."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Mapping
from numbers import Integral, Real
from types import MappingProxyType
from typing import Annotated, Any, Literal, TypeAlias

import msgspec

from mpgk_core.errors import InvalidParameterError, UnreadableFileError
from mpgk_core.schema import FieldError, Table, checked

Text: TypeAlias = Annotated[
    str, msgspec.Meta(pattern=r"\S", extra_json_schema={"description": "a text, not empty"})
]
Number: TypeAlias = Annotated[
    int | float, msgspec.Meta(extra_json_schema={"description": "a number"})
]


class Parameter(Table, frozen=True):
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
    slider_maximum : int or float, optional
        Where a slider ends that is fine enough to drag; larger values are as valid.

    Examples
    --------
    >>> limits = {"minimum": 0.0, "maximum": 1.0, "default": 0.5, "step": 0.1}
    >>> p = Parameter(key="p", label="Probability", help="Chance of an edge.", **limits)
    >>> p.is_whole, p.check(1, "a coin")
    (False, 1.0)
    """

    key: Text
    label: Text
    help: Text
    minimum: Number
    maximum: Number
    default: Number
    step: Number
    slider_maximum: Number | None = None

    def __post_init__(self) -> None:
        names = ("minimum", "maximum", "default", "step", "slider_maximum")
        numbers = {name: x for name in names if (x := getattr(self, name)) is not None}
        kind = float if any(isinstance(value, float) for value in numbers.values()) else int
        for name, value in numbers.items():
            if type(value) is not kind:
                raise FieldError(name, f"This is {value}.", "Write all with a decimal point.")
        low, high = self.minimum, self.maximum
        if not low <= high:
            raise FieldError("maximum", f"This is {high}.", f"It must be at least {low}.")
        if not low <= self.default <= high:
            raise FieldError(
                "default", f"This is {self.default}.", f"It must be from {low} to {high}."
            )
        if not self.step > 0:
            raise FieldError("step", f"This is {self.step}.", "It must be above 0.")
        short = self.slider_maximum
        if short is not None and not self.default <= short <= high:
            remedy = f"It must be from {self.default} to {high}."
            raise FieldError("slider_maximum", f"This is {short}.", remedy)

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


class Preset(Table, frozen=True):
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
    layout : str
        The layout in which the graph is usually drawn; by default that of its structure.

    Examples
    --------
    >>> from mpgk_core.graphs.generators import PRESETS
    >>> PRESETS["barbell"].complete({}), PRESETS["barbell"].complete({"h": 4})
    ({'h': 10, 'k': 10}, {'h': 4, 'k': 10})
    """

    key: Text
    title: Text
    explanation: Text
    group: Text
    constructor: Text
    parameters: tuple[Parameter, ...]
    is_random: bool
    node_label: Text | None
    layout: Literal["natural", "spring", "circle", "spectral", "rings", "groups"] = "natural"

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
    key="seed",
    label="Seed",
    help="Another seed draws another graph; the same seed the same.",
    **{"minimum": 0, "maximum": 9999, "default": 0, "step": 1},
)


def read_presets(text: str, constructors: Mapping[str, Callable[..., Any]]) -> Mapping[str, Preset]:
    """Read presets and check that nothing in them can fail later.

    The text holds a list of objects with the fields of :class:`Preset`. A random preset does not
    list its seed: all random presets get the same one. The numbers of a parameter are whole if
    none of them is written with a decimal point.

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
    UnreadableFileError
        Naming the preset, counted from 1, and the field that is wrong.

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
    mpgk_core.errors.UnreadableFileError: presets.json: Preset 1, field 'parameters.1.default':
    This is 10. It must be from 1 to 9.
    """
    try:
        content = json.loads(text)
    except json.JSONDecodeError as error:
        problem = f"This is not valid JSON: {error}."
        raise UnreadableFileError("presets.json", problem, "Correct it.") from error
    presets = {}
    for preset in checked(tuple[Preset, ...], content, "presets.json", "preset"):
        if preset.is_random:
            preset = msgspec.structs.replace(preset, parameters=(*preset.parameters, _SEED))
        if preset.key in presets:
            raise _unfit(preset, "This key occurs twice.", "Rename one of them.")
        _check_constructor(preset, constructors)
        presets[preset.key] = preset
    return MappingProxyType(presets)


def _check_constructor(preset: Preset, constructors: Mapping[str, Callable[..., Any]]) -> None:
    keys = [parameter.key for parameter in preset.parameters]
    if len(set(keys)) < len(keys):
        raise _unfit(preset, f"A key of {keys} occurs twice.", "Rename one of them.")
    if preset.constructor not in constructors:
        allowed = ", ".join(map(repr, constructors))
        problem = f"There is no constructor {preset.constructor!r}."
        raise _unfit(preset, problem, f"It must be one of {allowed}.")
    signature = inspect.signature(constructors[preset.constructor])
    # networkx's functions also take keywords for other backends; a preset must not.
    named = [p for p in signature.parameters.values() if p.kind is not p.VAR_KEYWORD]
    try:
        signature.replace(parameters=named).bind(**preset.complete({}))
    except TypeError as error:
        problem = f"The parameters do not suit {preset.constructor!r} ({error})."
        raise _unfit(preset, problem, "Give those that it takes.") from error


def _unfit(preset: Preset, problem: str, remedy: str) -> UnreadableFileError:
    return UnreadableFileError("presets.json", f"Preset {preset.key!r}: {problem}", remedy)
