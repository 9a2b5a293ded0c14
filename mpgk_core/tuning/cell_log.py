"""The scores of a sweep on disk, one line per cell."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from mpgk_core.json_lines import append_lines, read_lines
from mpgk_core.tuning.record import ScoredCell

__all__ = ["CellLog"]


class CellLog:
    """A file of JSON lines, each with the place and the scores of one cell.

    A sweep that ends early loses nothing, and damage is never passed over in silence; see
    :mod:`mpgk_core.json_lines`.

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
        append_lines(self.path, ([cell.place, dict(cell.scores)] for cell in cells))

    def cells(self) -> list[ScoredCell]:
        """Return all cells in the order in which they came."""
        advice = "Remove the file; the sweep then begins anew."
        return read_lines(self.path, _cell, "cell of a sweep", advice)


def _cell(value: Any) -> ScoredCell:
    place, scores = value
    return ScoredCell(tuple(map(int, place)), dict(scores))
