"""Results on disk as they come: one line per fold, so that an interrupted run loses nothing."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

from mpgk_core.errors import UnreadableFileError
from mpgk_core.evaluation.nested_cv import FoldRecord

__all__ = ["Journal", "remove_cut_line"]


class Journal:
    """A file of JSON lines, each the result of one fold under the key of its run.

    A line is on the disk before :meth:`append` returns. A line that was cut off, because the
    machine stopped in the middle of it, can only be the last one: it is not read, and removed
    before the next line is written. Any other damage is an error, never a silent loss.

    Parameters
    ----------
    path : path
        The file; it is made, with its folder, when the first result comes.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     Journal(Path(folder) / "results.jsonl").records("key")
    {}
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)

    def records(self, key: str) -> dict[tuple[int, int], FoldRecord]:
        """Return what is known of a run.

        Parameters
        ----------
        key : str

        Returns
        -------
        dict
            From (repeat, fold) to the record.
        """
        found = {}
        for entry in self._entries():
            if entry["key"] == key:
                record = _record(entry["record"])
                found[record.repeat, record.fold] = record
        return found

    def append(self, key: str, record: FoldRecord) -> None:
        """Write a result and wait until it is on the disk.

        Parameters
        ----------
        key : str
        record : FoldRecord
        """
        self.path.parent.mkdir(parents=True, exist_ok=True)
        line = json.dumps({"key": key, "record": asdict(record)}) + "\n"
        with self.path.open("ab+") as file:
            remove_cut_line(file)
            file.write(line.encode())
            file.flush()
            os.fsync(file.fileno())

    def _entries(self) -> list[dict[str, Any]]:
        if not self.path.exists():
            return []
        *lines, _cut = self.path.read_bytes().split(b"\n")
        entries = []
        for number, line in enumerate(lines, start=1):
            try:
                entry = json.loads(line)
                _record(entry["record"]), entry["key"]
            except (ValueError, KeyError, TypeError) as error:
                raise UnreadableFileError(
                    self.path.name,
                    f"This is no result of a fold ({error}).",
                    "Remove the line, or write to another file.",
                    line=number,
                ) from error
            entries.append(entry)
        return entries


def _record(values: dict[str, Any]) -> FoldRecord:
    names = {field.name for field in fields(FoldRecord)}
    kept = {name: value for name, value in values.items() if name in names}
    for name in ("test", "predicted"):
        kept[name] = tuple(kept[name])
    return FoldRecord(**kept)


def remove_cut_line(file: Any) -> None:
    """Cut the file behind its last complete line."""
    size = file.seek(0, os.SEEK_END)
    block = 1 << 16
    end = size
    while end:
        start = max(end - block, 0)
        file.seek(start)
        newline = file.read(end - start).rfind(b"\n")
        if newline >= 0:
            end = start + newline + 1
            break
        end = start
    if end < size:
        file.truncate(end)
