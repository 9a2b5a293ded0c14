"""Checks of parameters, in one place and in one voice."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from numbers import Real
from typing import Any

import numpy as np

from mpgk_core.errors import InvalidParameterError


def check_choice(value: Any, choices: Sequence[Any], name: str, owner: str) -> None:
    """Raise unless ``value`` is one of ``choices``."""
    if not any(value is choice or value == choice for choice in choices):
        allowed = ", ".join(repr(choice) for choice in choices)
        raise InvalidParameterError(
            f"The {name!r} parameter of {owner} must be one of {allowed}. Got {value!r} instead."
        )


def check_flag(value: Any, name: str, owner: str) -> None:
    """Raise unless ``value`` is True or False."""
    if not isinstance(value, bool):
        raise InvalidParameterError(
            f"The {name!r} parameter of {owner} must be True or False. Got {value!r} instead."
        )


def check_non_negative(value: Any, name: str, owner: str) -> None:
    """Raise unless ``value`` is a finite number of at least 0."""
    is_number = isinstance(value, Real) and not isinstance(value, bool)
    if not is_number or not math.isfinite(value) or value < 0:
        raise InvalidParameterError(
            f"The {name!r} parameter of {owner} must be a finite number of at least 0. "
            f"Got {value!r} instead."
        )


def check_whole(
    value: Any, minimum: int, name: str, owner: str, maximum: int | None = None
) -> None:
    """Raise unless ``value`` is a whole number within its range."""
    is_whole = isinstance(value, (int, np.integer)) and not isinstance(value, bool)
    if not is_whole or value < minimum or (maximum is not None and value > maximum):
        limit = "" if maximum is None else f" and at most {maximum}"
        raise InvalidParameterError(
            f"The {name!r} parameter of {owner} must be a whole number of at least "
            f"{minimum}{limit}. Got {value!r} instead."
        )


def distinct_values(values: Any, name: str, owner: str) -> tuple[Any, ...]:
    """Return every value of a list once, in the order given; raise unless there is one."""
    if isinstance(values, str) or not hasattr(values, "__iter__"):
        raise InvalidParameterError(
            f"The {name!r} parameter of {owner} must be a list of values. Got {values!r} instead."
        )
    given = tuple(values)
    for value in given:
        if not isinstance(value, Hashable):
            raise InvalidParameterError(
                f"The {name!r} parameter of {owner} must hold numbers or texts. Got {value!r} in "
                "it."
            )
    check_not_empty(given, name, owner)
    return tuple(dict.fromkeys(given))


def check_not_empty(values: Sequence[Any], name: str, owner: str) -> None:
    """Raise unless there is at least one value."""
    if not len(values):
        raise InvalidParameterError(
            f"The {name!r} parameter of {owner} is empty. Give at least one value."
        )


def check_choices(values: Sequence[Any], choices: Sequence[Any], name: str, owner: str) -> None:
    """Raise unless there is at least one value and all are among ``choices``."""
    check_not_empty(values, name, owner)
    for value in values:
        check_choice(value, choices, name, owner)


def check_iterations(value: Any, owner: str) -> None:
    """Raise unless ``value`` can be a number of rounds T."""
    check_whole(value, 0, "n_iterations", owner)


def check_message_passing(estimator: Any) -> None:
    """Raise unless the parameters that all message passing kernels share are in range."""
    owner = type(estimator).__name__
    check_non_negative(estimator.alpha, "alpha", owner)
    check_non_negative(estimator.beta, "beta", owner)
    check_iterations(estimator.n_iterations, owner)
    check_whole(estimator.branching, 2, "branching", owner, maximum=1000)
    check_whole(estimator.depth, 1, "depth", owner, maximum=40)
    check_whole(estimator.random_state, 0, "random_state", owner)
