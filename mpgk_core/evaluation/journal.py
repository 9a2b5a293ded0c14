"""The results of runs on disk, one line per fold."""

from __future__ import annotations

import os
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

from mpgk_core.evaluation.nested_cv import FoldRecord
from mpgk_core.json_lines import append_lines, read_lines

__all__ = ["Journal"]


class Journal:
    """A file of JSON lines, each the result of one fold under the key of its run.

    A line is on the disk before :meth:`append` returns, an interrupted run loses nothing, and
    damage is never passed over in silence; see :mod:`mpgk_core.json_lines`.

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
        advice = "Remove the line, or write to another file."
        entries = read_lines(self.path, _entry, "result of a fold", advice)
        return {(record.repeat, record.fold): record for known, record in entries if known == key}

    def append(self, key: str, record: FoldRecord) -> None:
        """Write a result and wait until it is on the disk.

        Parameters
        ----------
        key : str
        record : FoldRecord
        """
        append_lines(self.path, [{"key": key, "record": asdict(record)}])


def _entry(value: Any) -> tuple[str, FoldRecord]:
    return value["key"], _record(value["record"])


def _record(values: dict[str, Any]) -> FoldRecord:
    names = {field.name for field in fields(FoldRecord)}
    kept = {name: value for name, value in values.items() if name in names}
    for name in ("test", "predicted"):
        kept[name] = tuple(kept[name])
    return FoldRecord(**kept)
