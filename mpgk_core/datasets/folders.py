"""Where data lie on this machine: what comes with the package, and what settings name."""

from __future__ import annotations

import os
import re
from pathlib import Path

import mpgk_core
from mpgk_core.errors import InvalidParameterError, shortened

_NAME = re.compile(r"[A-Za-z0-9_-]{1,100}")


def shipped_folder(name: str) -> Path:
    """Return a folder that comes with the package: inside a wheel, beside it in the repository.

    Parameters
    ----------
    name : {"lessons", "sample_graphs"}

    Returns
    -------
    Path

    Examples
    --------
    >>> (shipped_folder("sample_graphs") / "MUTAG.zip").is_file()
    True
    """
    package = Path(mpgk_core.__file__).parent
    inside = package / "_data" / name
    return inside if inside.is_dir() else package.parent / name


def data_folder() -> Path | None:
    """Return the user's own folder of TU archives, or None where ``MPGK_DATA`` is not set."""
    setting = os.environ.get("MPGK_DATA")
    return Path(setting) if setting else None


def cache_folder() -> Path:
    """Return the folder for downloads: ``MPGK_CACHE``, or where the system keeps such files."""
    setting = os.environ.get("MPGK_CACHE")
    if setting:
        return Path(setting)
    for variable in ("XDG_CACHE_HOME", "LOCALAPPDATA"):
        base = os.environ.get(variable)
        if base and Path(base).is_absolute():
            return Path(base) / "mpgk"
    return Path.home() / ".cache" / "mpgk"


def archive_name(name: str) -> str:
    """Return the file name of a data set, after making sure that it is no path.

    Examples
    --------
    >>> archive_name("IMDB-BINARY")
    'IMDB-BINARY.zip'
    """
    if not (isinstance(name, str) and _NAME.fullmatch(name)):
        raise InvalidParameterError(
            "The name of a data set has only letters, digits, '_' and '-', at most 100. "
            f"Got {shortened(str(name))!r} instead."
        )
    return f"{name}.zip"
