"""What a preset is: a kind of graph, described in words, with parameters that have ranges."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any

from mpgk_core.errors import InvalidParameterError


@dataclass(frozen=True)
class Parameter:
    """A number that a preset takes, with its range.

    Parameters
    ----------
    key : str
        The keyword of :func:`build_graph`.
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

    key: str
    label: str
    help: str
    minimum: float
    maximum: float
    default: float
    step: float

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


@dataclass(frozen=True)
class Preset:
    """A kind of graph to choose from a list.

    Parameters
    ----------
    key : str
        The name that :func:`build_graph` takes.
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

    key: str
    title: str
    explanation: str
    group: str
    constructor: str
    parameters: tuple[Parameter, ...]
    is_random: bool
    node_label: str | None

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
