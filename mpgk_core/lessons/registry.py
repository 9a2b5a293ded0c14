"""Named quantities that a lesson may ask for, each with the arguments that it takes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from mpgk_core.errors import InvalidParameterError, shortened
from mpgk_core.evaluation import METHODS
from mpgk_core.lessons.scene import Scene
from mpgk_core.lessons.setting import MOST_ROUNDS
from mpgk_core.lessons.sources import DataSource
from mpgk_core.parameters import check_choice, check_whole

Value: TypeAlias = bool | int | float | str | frozenset[str]
"""What a quantity can be: a truth, a number, a word, or names of vertices."""

ArgumentKind: TypeAlias = Literal["vertex", "round", "method", "graph"]
"""A vertex by name, a round t (by default T), a kernel by name, a graph by number."""


@dataclass(frozen=True)
class Quantity:
    """Something that the engine can compute on a scene.

    Attributes
    ----------
    compute : callable
        Takes the scene and the arguments as keywords.
    arguments : mapping of str to ArgumentKind
    on_data : bool
        Whether it is about a whole data set rather than about one graph.
    """

    compute: Callable[..., Value]
    arguments: Mapping[str, ArgumentKind]
    on_data: bool = False

    @property
    def about(self) -> str:
        """One sentence: what it is."""
        first = (self.compute.__doc__ or "").strip().splitlines()[0].removeprefix("Return ")
        return first[:1].upper() + first[1:]


QUANTITIES: dict[str, Quantity] = {}
"""All quantities by name."""


def quantity(
    on_data: bool = False, **arguments: ArgumentKind
) -> Callable[[Callable[..., Value]], Callable[..., Value]]:
    """Register a function under its own name.

    Parameters
    ----------
    on_data : bool
        Whether it is about a whole data set.
    **arguments : ArgumentKind
        The arguments that a lesson gives.

    Returns
    -------
    callable
        A decorator.
    """

    def register(compute: Callable[..., Value]) -> Callable[..., Value]:
        QUANTITIES[compute.__name__] = Quantity(compute, arguments, on_data)
        return compute

    return register


def checked_arguments(name: str, given: Mapping[str, Any], scene: Scene) -> dict[str, Any]:
    """Return the arguments of a quantity, a missing round replaced by T, or raise.

    Parameters
    ----------
    name : str
        A key of ``QUANTITIES``.
    given : mapping
        What the lesson says.
    scene : Scene
        Where it will be computed.

    Returns
    -------
    dict

    Raises
    ------
    InvalidParameterError
        If the quantity or an argument is unknown, missing or out of range.
    """
    check_choice(name, sorted(QUANTITIES), "quantity", "a lesson")
    wanted = QUANTITIES[name]
    if wanted.on_data != isinstance(scene.source, DataSource):
        needs = "a whole data set" if wanted.on_data else "one graph"
        raise InvalidParameterError(f"The quantity {name!r} is about {needs}. Change the picture.")
    for key in given:
        if key not in wanted.arguments:
            takes = ", ".join(map(repr, wanted.arguments)) or "no arguments"
            raise InvalidParameterError(
                f"The quantity {name!r} has no argument {shortened(key)!r}. It takes {takes}."
            )
    return {
        key: _checked(kind, key, given.get(key), name, scene)
        for key, kind in wanted.arguments.items()
    }


def _checked(kind: ArgumentKind, key: str, value: Any, owner: str, scene: Scene) -> Any:
    if kind == "round":
        value = scene.setting.T if value is None else value
        check_whole(value, 0, key, owner, maximum=min(MOST_ROUNDS, scene.setting.T))
        return value
    if value is None:
        raise InvalidParameterError(f"The quantity {owner!r} needs the argument {key!r}. Add it.")
    if kind == "vertex":
        scene.number(str(value))
        return str(value)
    if kind == "method":
        check_choice(value, list(METHODS), key, owner)
        return value
    check_whole(value, 0, key, owner, maximum=len(scene.graph) - 1)
    return value
