"""What a sweep has found so far."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mpgk_core.limits import check_memory
from mpgk_core.parameters import check_choice
from mpgk_core.tuning.grid import Cell, Grid


@dataclass(frozen=True, eq=False)
class Sweep:
    """The scores of all cells of a grid.

    Attributes
    ----------
    grid : Grid
    values : mapping from str to ndarray of shape ``grid.shape``
        The scores by name; NaN where a cell has not been tried yet. Larger is better.
    titles : mapping from str to str
        The names in words.
    """

    grid: Grid
    values: Mapping[str, NDArray[np.float64]]
    titles: Mapping[str, str]

    @property
    def n_done(self) -> int:
        """Number of cells that have been tried."""
        return int(np.count_nonzero(~np.isnan(next(iter(self.values.values())))))

    @property
    def n_cells(self) -> int:
        """Number of all cells."""
        return int(np.prod(self.grid.shape))

    @property
    def is_complete(self) -> bool:
        """Whether every cell has been tried."""
        return self.n_done == self.n_cells

    def score(self, name: str, cell: Cell) -> float:
        """Return a score of one cell; NaN if it has not been tried yet."""
        return float(self.of(name)[self.grid.index(cell)])

    def best(self, name: str) -> Cell | None:
        """Return the cell with the largest score: of equal ones that with the smallest T.

        Parameters
        ----------
        name : str
            Of the score.

        Returns
        -------
        Cell or None
            None before the first cell.
        """
        by_round = np.moveaxis(self.of(name), -1, 0)
        if np.isnan(by_round).all():
            return None
        T, *rest = np.unravel_index(np.nanargmax(by_round), by_round.shape)
        return self.grid.cell((*map(int, rest), int(T)))

    def map_of(self, name: str, cell: Cell) -> NDArray[np.float64]:
        """Return a score over α (rows) and β (columns), for the variant, features and T of a cell.

        Parameters
        ----------
        name : str
            Of the score.
        cell : Cell
            Its own α and β do not count.

        Returns
        -------
        ndarray
            NaN where nothing has been tried yet.
        """
        at = cell._replace(alpha=self.grid.alphas[0], beta=self.grid.betas[0])
        variant, features, _, _, T = self.grid.index(at)
        values: NDArray[np.float64] = self.of(name)[variant, features, :, :, T]
        return values

    def best_of_map(self, name: str, cell: Cell) -> Cell | None:
        """Return the α and β with the largest score, for the variant, features and T of a cell.

        Parameters
        ----------
        name, cell
            As for :meth:`map_of`.

        Returns
        -------
        Cell or None
            Of equal ones that with the smallest α, then the smallest β; None before the first.
        """
        values = self.map_of(name, cell)
        if np.isnan(values).all():
            return None
        alpha, beta = np.unravel_index(np.nanargmax(values), values.shape)
        return cell._replace(alpha=self.grid.alphas[alpha], beta=self.grid.betas[beta])

    def rows(self) -> list[dict[str, Any]]:
        """Return a row with the parameters and all scores of every cell that has been tried."""
        first = next(iter(self.values.values()))
        return [
            {
                **self.grid.cell(tuple(map(int, place)))._asdict(),
                **{name: float(table[tuple(place)]) for name, table in self.values.items()},
            }
            for place in np.argwhere(~np.isnan(first))
        ]

    def of(self, name: str) -> NDArray[np.float64]:
        """Return the scores of one name, or raise."""
        check_choice(name, list(self.values), "score", "Sweep")
        return self.values[name]


def collected(
    grid: Grid,
    titles: Mapping[str, str],
    cells: Iterable[tuple[Sequence[int], Mapping[str, float]]],
) -> Sweep:
    """Put cells that came one by one into a sweep.

    Parameters
    ----------
    grid : Grid
    titles : mapping from str to str
        Of the scores, by name.
    cells : iterable of (place, scores)
        The place of a cell in an array shaped like the grid, and its scores by name. In any order;
        those that are missing stay NaN.

    Returns
    -------
    Sweep

    Examples
    --------
    >>> grid = Grid([0.5], [0.1, 0.2], [1])
    >>> found = collected(grid, {"gap": "Gap"}, [((0, 0, 0, 1, 0), {"gap": 0.3})])
    >>> found.n_done, found.best("gap").beta
    (1, 0.2)
    """
    n_cells = int(np.prod(grid.shape))
    check_memory(
        8 * n_cells * len(titles),
        f"A sweep with {n_cells:,} cells",
        "Choose fewer values of the parameters.",
    )
    values = {name: np.full(grid.shape, np.nan) for name in titles}
    for place, scores in cells:
        for name, score in scores.items():
            values[name][tuple(place)] = score
    for table in values.values():
        table.flags.writeable = False
    return Sweep(grid, MappingProxyType(values), MappingProxyType(dict(titles)))
