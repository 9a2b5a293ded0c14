"""How inner loops are compiled: one decorator, so that every loop is compiled alike.

Machine code is kept on disk, so only the first process compiles. A loop contains the loops that it
calls, from other files too. So the code of a file is kept in a folder whose name changes with the
content of that file and of the files with loops that it imports, directly or through others; other
files keep their code. The folders lie in the package, or, where this cannot be written (a
container, the system's own Python), in the user's own cache; never in a folder that is shared with
others, since whoever can write it decides what is executed. ``nogil`` lets other threads (another
user's page) run meanwhile. Loops stay sequential: their results must not depend on the number of
cores.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeVar

import numba

_F = TypeVar("_F", bound=Callable[..., Any])
_PREFIX = "compiled-"
_USES_LOOPS = "from mpgk_core._compiled import compiled"
_IMPORTED = re.compile(r"^from (mpgk_core[.\w]*) import", re.MULTILINE)


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
    folder = _folder(Path(function.__code__.co_filename))
    decorated: _F
    if folder is None:
        decorated = numba.njit(nogil=True, error_model="numpy")(function)
        return decorated
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(folder)
    try:
        decorated = numba.njit(cache=True, nogil=True, error_model="numpy")(function)
    finally:
        numba.config.CACHE_DIR = before
    return decorated


def other_versions() -> list[Path]:
    """Return the folders with machine code of other versions of this package."""
    current = {folder for path in files_with_loops() if (folder := _folder(path)) is not None}
    places = {folder.parent for folder in current}
    found = [path for place in places for path in place.glob(f"{_PREFIX}*") if path not in current]
    return sorted(found)


@cache
def _folder(path: Path) -> Path | None:
    """Return a writable folder for the machine code of a source file; None if there is none."""
    name = f"{_PREFIX}{path.stem}-{_digest(path)}"
    shipped = Path(__file__).parent / "__pycache__" / name
    if _is_writable(shipped):
        return shipped
    try:
        own = Path.home() / ".cache" / "mpgk_core" / name
    except RuntimeError:  # a user without a home
        return None
    _copy(shipped, own)
    return own if _is_writable(own) else None


def _is_writable(folder: Path) -> bool:
    """Return whether files can be written to a folder, and make it if it is missing."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return False
    return os.access(folder, os.W_OK)


def _copy(shipped: Path, own: Path) -> None:
    """Take over machine code that came with the package; other processes see all of it or none."""
    if own.exists() or not shipped.is_dir():
        return
    with suppress(OSError):
        own.parent.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(prefix=_PREFIX, dir=own.parent) as draft:
            shutil.copytree(shipped, Path(draft) / own.name).rename(own)


def files_with_loops() -> list[Path]:
    """Return the source files that compile something; machine code depends on no other file."""
    root = Path(__file__).parent
    return [path for path in sorted(root.rglob("*.py")) if _USES_LOOPS in path.read_text("utf-8")]


def _digest(path: Path) -> str:
    """Return a digest of a source file and of all files with loops that it builds on."""
    digest = hashlib.sha256()
    for source in sorted(_sources(path)):
        digest.update(source.name.encode() + b"\0" + source.read_bytes())
    return digest.hexdigest()[:16]


def _sources(path: Path) -> set[Path]:
    """Return a file and the files with loops that it imports, directly or through others."""
    root = Path(__file__).parent.parent
    found, todo = set(), [path]
    while todo:
        source = todo.pop()
        if source in found or not source.is_file():
            continue
        text = source.read_text("utf-8")
        if source == path or _USES_LOOPS in text:
            found.add(source)
            todo += [root / f"{name.replace('.', '/')}.py" for name in _IMPORTED.findall(text)]
    return found
