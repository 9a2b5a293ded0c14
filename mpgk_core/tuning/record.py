"""The book of a sweep under way: what is done, and how long the rest will take."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from time import perf_counter
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from mpgk_core.limits import check_memory
from mpgk_core.tuning.grid import Grid
from mpgk_core.tuning.result import Sweep

__all__ = ["Progress", "Record", "ScoredCell", "collected"]

Progress = Callable[[Sweep, float], None]
"""Called with what was found so far, and the seconds left."""


class ScoredCell(NamedTuple):
    """What is known of one cell.

    Attributes
    ----------
    place : tuple of int
        Its place in an array shaped like the grid.
    scores : mapping from str to float
        By name.
    """

    place: tuple[int, ...]
    scores: Mapping[str, float]


class Record:
    """Takes down the scores of cells in any order.

    Parameters
    ----------
    grid : Grid
    titles : mapping from str to str
        Of the scores, by name.
    progress : callable, optional
        Told whenever :meth:`report` is called.
    """

    def __init__(
        self, grid: Grid, titles: Mapping[str, str], progress: Progress | None = None
    ) -> None:
        check_memory(
            2 * 8 * int(np.prod(grid.shape)) * len(titles),
            f"A sweep with {int(np.prod(grid.shape)):,} cells",
            "Choose fewer values of the parameters.",
        )
        self._grid = grid
        self._titles = MappingProxyType(dict(titles))
        self._values = {name: np.full(grid.shape, np.nan) for name in titles}
        self._progress = progress
        self._n_done = 0
        self._begin = perf_counter()

    def note(self, index: tuple[int, ...], scores: Mapping[str, float]) -> None:
        """Take down all scores of a cell."""
        for name, score in scores.items():
            self._values[name][index] = score
        self._n_done += 1

    def report(self) -> None:
        """Tell how far the sweep is; the cells so far tell how long the others will take."""
        if self._progress is None or not self._n_done:
            return
        pace = (perf_counter() - self._begin) / self._n_done
        found = self.sweep()
        self._progress(found, pace * (found.n_cells - self._n_done))

    def sweep(self) -> Sweep:
        """Return what was found so far, which nothing will change."""
        values = {name: table.copy() for name, table in self._values.items()}
        for table in values.values():
            table.flags.writeable = False
        return Sweep(self._grid, MappingProxyType(values), self._titles)


def collected(grid: Grid, titles: Mapping[str, str], cells: Iterable[ScoredCell]) -> Sweep:
    """Put cells that came one by one into a sweep.

    Parameters
    ----------
    grid : Grid
    titles : mapping from str to str
        Of the scores, by name.
    cells : iterable of ScoredCell
        In any order; those that are missing stay NaN.

    Returns
    -------
    Sweep

    Examples
    --------
    >>> grid = Grid([0.5], [0.1, 0.2], [1])
    >>> found = collected(grid, {"gap": "Gap"}, [ScoredCell((0, 0, 0, 1, 0), {"gap": 0.3})])
    >>> found.n_done, found.best("gap").beta
    (1, 0.2)
    """
    record = Record(grid, titles)
    for cell in cells:
        record.note(*cell)
    return record.sweep()
