"""Files of our own: JSON with a mark that says what it is and of which version."""

from __future__ import annotations

from typing import Any

from mpgk_core.errors import shortened
from mpgk_core.formats.safe_json import load_json
from mpgk_core.formats.source import Source


def load_marked(
    source: Source, mark: str, version: int, otherwise: tuple[str, str]
) -> dict[str, Any]:
    """Return what a file holds that bears a mark of a known version, or raise.

    Parameters
    ----------
    source : Source
        Not trusted.
    mark : str
        The field that only such files have; its value is their version.
    version : int
        The version that is known.
    otherwise : pair of str
        What to say of another file, and what to do then.

    Returns
    -------
    dict

    Raises
    ------
    UnreadableFileError
    """
    source.bounds.check_bytes(source.name, len(source.content))
    saved = load_json(source)
    if not isinstance(saved, dict) or mark not in saved:
        raise source.error(*otherwise)
    if saved[mark] is True or saved[mark] != version:
        raise source.error(
            f"The session is of version {shortened(str(saved[mark]))}, and here version {version} "
            "is known.",
            "Load it with the program that saved it.",
        )
    return saved
