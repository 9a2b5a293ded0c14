"""How inner loops are compiled: one decorator, so that every loop is compiled alike.

Machine code is kept on disk, so only the first process ever compiles. A loop contains the loops
that it calls, from other files too; so the code is kept in a folder whose name changes with any
source file of the package. ``nogil`` lets other threads (another user's page) run meanwhile.
Loops stay sequential: their results must not depend on the number of cores.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import numba

__all__ = ["compiled", "other_versions"]

_F = TypeVar("_F", bound=Callable[..., Any])
_PREFIX = "compiled-"


def compiled(function: _F) -> _F:
    """Compile ``function`` with numba at its first call.

    Parameters
    ----------
    function : callable
        A loop over arrays and numbers, without Python objects.

    Returns
    -------
    callable
        The same function, compiled; its type is kept for the type checker.
    """
    folder = _folder()
    decorated: _F
    if folder is None:
        decorated = numba.njit(nogil=True)(function)
        return decorated
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(folder)
    try:
        decorated = numba.njit(cache=True, nogil=True)(function)
    finally:
        numba.config.CACHE_DIR = before
    return decorated


def other_versions() -> list[Path]:
    """Return the folders with machine code of other versions of this package."""
    folder = _folder()
    if folder is None:
        return []
    return [path for path in folder.parent.glob(f"{_PREFIX}*") if path != folder]


@cache
def _folder() -> Path | None:
    """Return a writable folder for the machine code of this version; None if there is none."""
    name = _PREFIX + _digest_of_sources()
    for base in (Path(__file__).parent / "__pycache__", Path.home() / ".cache" / "mpgk_core"):
        folder = base / name
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError:
            continue
        if os.access(folder, os.W_OK):
            return folder
    return None


def _digest_of_sources() -> str:
    root = Path(__file__).parent
    digest = hashlib.sha256()
    for path in sorted(root.rglob("*.py")):
        facts = path.stat()
        digest.update(f"{path.relative_to(root)} {facts.st_mtime_ns} {facts.st_size};".encode())
    return digest.hexdigest()[:16]
