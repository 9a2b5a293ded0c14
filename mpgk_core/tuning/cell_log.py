"""Scores on disk as they come: one line per cell, so that a sweep that ends early loses nothing."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from mpgk_core.errors import UnreadableFileError
from mpgk_core.evaluation.journal import remove_cut_line
from mpgk_core.tuning.record import ScoredCell

__all__ = ["CellLog"]


class CellLog:
    """A file of JSON lines, each with the place and the scores of one cell.

    A last line that was cut off is not read, and removed before the next one is written. Any
    other damage is an error.

    Parameters
    ----------
    path : Path
        The file; it is made, with its folder, when the first cells come.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     log = CellLog(Path(folder) / "cells.jsonl")
    ...     log.append([ScoredCell((0, 0, 1, 0, 2), {"gap": 0.25})])
    ...     log.cells()
    [ScoredCell(place=(0, 0, 1, 0, 2), scores={'gap': 0.25})]
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    def append(self, cells: Iterable[ScoredCell]) -> None:
        """Write cells behind those that are there."""
        lines = "".join(json.dumps([cell.place, dict(cell.scores)]) + "\n" for cell in cells)
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("ab+") as file:
            remove_cut_line(file)
            file.write(lines.encode())

    def cells(self) -> list[ScoredCell]:
        """Return all cells in the order in which they came."""
        if not self.path.exists():
            return []
        *lines, _cut = self.path.read_bytes().split(b"\n")
        found = []
        for number, line in enumerate(lines, start=1):
            try:
                place, scores = json.loads(line)
                found.append(ScoredCell(tuple(map(int, place)), dict(scores)))
            except (ValueError, TypeError) as error:
                raise UnreadableFileError(
                    self.path.name,
                    f"This is no cell of a sweep ({error}).",
                    "Remove the file; the sweep then begins anew.",
                    line=number,
                ) from error
        return found
