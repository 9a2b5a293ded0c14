"""How much memory a result may take, estimated before the work begins, and all that are kept."""

from __future__ import annotations

import os
from pathlib import Path

from mpgk_core.errors import InvalidParameterError, KernelTooLargeError

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
