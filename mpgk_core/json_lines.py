"""Results on disk as they come: one line of JSON each, so that what ends early loses nothing."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, BinaryIO, TypeVar

from mpgk_core.errors import UnreadableFileError

__all__ = ["append_lines", "read_lines"]

T = TypeVar("T")
_BLOCK = 1 << 16


def append_lines(path: Path, values: Iterable[Any]) -> None:
    """Write values behind those that are there, and wait until they are on the disk.

    A line that was cut off, because the machine stopped in the middle of it, can only be the last
    one: it is removed first.

    Parameters
    ----------
    path : Path
        The file; it is made, with its folder, when the first values come.
    values : iterable
        Whatever JSON can hold.
    """
    lines = "".join(json.dumps(value) + "\n" for value in values)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("ab+") as file:
        _remove_cut_line(file)
        file.write(lines.encode())
        file.flush()
        os.fsync(file.fileno())


def read_lines(path: Path, understood: Callable[[Any], T], what: str, advice: str) -> list[T]:
    """Return all values in the order in which they came; none if there is no file.

    A last line that was cut off is not read. Any other damage is an error, never a silent loss.

    Parameters
    ----------
    path : Path
    understood : callable
        Makes of a value what is wanted; it raises ValueError, KeyError or TypeError if it cannot.
    what : str
        What a line should be, for the error message.
    advice : str
        What to do about a damaged line.

    Returns
    -------
    list

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "numbers.jsonl"
    ...     append_lines(path, [1, 2])
    ...     read_lines(path, float, "number", "Remove it.")
    [1.0, 2.0]
    """
    if not path.exists():
        return []
    *lines, _cut = path.read_bytes().split(b"\n")
    found = []
    for number, line in enumerate(lines, start=1):
        try:
            found.append(understood(json.loads(line)))
        except (ValueError, KeyError, TypeError) as error:
            raise UnreadableFileError(
                path.name, f"This is no {what} ({error}).", advice, line=number
            ) from error
    return found


def _remove_cut_line(file: BinaryIO) -> None:
    """Cut the file behind its last complete line."""
    size = file.seek(0, os.SEEK_END)
    end = size
    while end:
        start = max(end - _BLOCK, 0)
        file.seek(start)
        newline = file.read(end - start).rfind(b"\n")
        if newline >= 0:
            end = start + newline + 1
            break
        end = start
    if end < size:
        file.truncate(end)
