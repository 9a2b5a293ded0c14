"""How much memory a result may take, estimated before the work begins."""

from __future__ import annotations

import os
from pathlib import Path

from mpgk_core.errors import InvalidParameterError, KernelTooLargeError

__all__ = ["available_memory", "check_memory"]


def available_memory() -> int:
    """Return the number of bytes that a result may use.

    The environment variable ``MPGK_MEMORY_LIMIT`` (in bytes) decides; without it, four fifths
    of the memory that is free now, where the system tells, and else 4 GiB.
    """
    setting = os.environ.get("MPGK_MEMORY_LIMIT")
    if setting is not None:
        if not (setting.isascii() and setting.isdigit()):
            raise InvalidParameterError(
                f"MPGK_MEMORY_LIMIT must be a whole number of bytes. Got {setting!r} instead."
            )
        return int(setting)
    meminfo = Path("/proc/meminfo")
    if meminfo.exists():
        for line in meminfo.read_text().splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024 * 4 // 5
    return 4 * 1024**3


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
