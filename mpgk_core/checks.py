"""Checks of parameters, of settings in the environment, and of memory, in one place and voice."""

from __future__ import annotations

import math
import os
from collections.abc import Hashable, Sequence
from numbers import Real
from pathlib import Path
from typing import Any

import numpy as np

from mpgk_core.errors import InvalidParameterError, KernelTooLargeError


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


def check_positive(value: Any, name: str, owner: str) -> None:
    """Raise unless ``value`` is a finite number above 0."""
    is_number = isinstance(value, Real) and not isinstance(value, bool)
    if not is_number or not math.isfinite(value) or value <= 0:
        raise InvalidParameterError(
            f"The {name!r} parameter of {owner} must be a finite number above 0. "
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


_CONTAINER_LIMIT = Path("/sys/fs/cgroup/memory.max")
"""Holds "max" or a number of bytes; the memory of a container is not that of the machine."""


def whole_setting(name: str, default: int, unit: str = "") -> int:
    """Return a setting of the environment that is a whole number, or a default.

    Parameters
    ----------
    name : str
    default : int
        Where nothing is set.
    unit : str, optional
        What is counted, for the message.

    Returns
    -------
    int
    """
    setting = os.environ.get(name)
    if setting is None:
        return default
    if not (setting.isascii() and setting.isdigit()):
        of = f" of {unit}" if unit else ""
        raise InvalidParameterError(f"{name} must be a whole number{of}. Got {setting!r} instead.")
    return int(setting)


def available_memory() -> int:
    """Return the number of bytes that a result may use.

    The environment variable ``MPGK_MEMORY_LIMIT`` (in bytes) decides; without it, four fifths
    of the memory that is free now, where the system tells, and else 4 GiB.
    """
    limit = whole_setting("MPGK_MEMORY_LIMIT", -1, "bytes")
    if limit >= 0:
        return limit
    return _system_value("MemAvailable", 5 * 1024**3) * 4 // 5


def total_memory() -> int:
    """Return the bytes of memory of the machine or its container; 8 GiB where it is unknown."""
    total = _system_value("MemTotal", 8 * 1024**3)
    limit = _CONTAINER_LIMIT.read_text().strip() if _CONTAINER_LIMIT.exists() else ""
    return min(total, int(limit)) if limit.isdigit() else total


def _system_value(fact: str, default: int) -> int:
    meminfo = Path("/proc/meminfo")
    if meminfo.exists():
        for line in meminfo.read_text().splitlines():
            if line.startswith(f"{fact}:"):
                return int(line.split()[1]) * 1024
    return default


def cache_bytes() -> int:
    """Return the number of bytes that a server may use for results it has computed.

    The environment variable ``MPGK_CACHE_BYTES`` decides; without it, 1 GB.
    """
    return whole_setting("MPGK_CACHE_BYTES", 1_000_000_000, "bytes")


def check_memory(n_bytes: int, what: str, remedy: str) -> None:
    """Raise unless ``n_bytes`` fit.

    Parameters
    ----------
    n_bytes : int
        Estimated size of the result.
    what : str
        What would be computed, for the message.
    remedy : str
        What to do instead.
    """
    budget = available_memory()
    if n_bytes > budget:
        raise KernelTooLargeError(
            f"{what} needs about {n_bytes / 1e9:,.2f} GB, but only {budget / 1e9:,.2f} GB are "
            f"available. {remedy}"
        )
