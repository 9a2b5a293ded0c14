"""Which kernels a sweep tries, and the scores that it has found so far."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from mpgk_core.arrays import FloatArray
from mpgk_core.checks import check_choice, check_memory, distinct_values
from mpgk_core.errors import InvalidParameterError
from mpgk_core.kernels.graph_kernel import VARIANTS
from mpgk_core.kernels.node_kernel import MessagePassingNodeKernel
from mpgk_core.kernels.update import KernelParameters

NEIGHBOURHOODS = ("R", "A")
"""The variants of kernels between vertices."""

_TWENTY = tuple(round(0.05 * i, 2) for i in range(1, 21))


class Cell(NamedTuple):
    """One combination.

    Attributes
    ----------
    variant : str
        "R" or "A" for vertices; "RR", "RA", "AR" or "AA" for graphs.
    features : str
    alpha, beta : float
    T : int
        Number of rounds.
    """

    variant: str
    features: str
    alpha: float
    beta: float
    T: int

    @property
    def title(self) -> str:
        """The combination in words, without the features."""
        return f"{self.variant}, α = {self.alpha:g}, β = {self.beta:g}, T = {self.T}"


@dataclass(frozen=True)
class Grid:
    """The values of a sweep, and the parameters that stay the same in all of its cells.

    Parameters
    ----------
    alphas, betas : sequence of float
        Weights of the previous similarity and of the neighbourhoods; at least 0.
    iterations : sequence of int
        Numbers of rounds T; at least 0.
    variants : sequence of str
        "R" and "A" for a sweep over the vertices of a graph: how neighbourhoods are compared.
        "RR", "RA", "AR" and "AA" for a sweep over a set of graphs.
    features : sequence of str
        What vertices start with; see :class:`~mpgk_core.graphs.features.FeatureEncoder`.
    normalize : bool
        Divide by the lengths. Kernels between graphs always are.
    branching, depth : int
        Shape of the hierarchies.
    random_state : int
        Seed of the k-means clustering.
    edges : str
        What is used of edges; see :mod:`mpgk_core.graphs.neighbourhoods`.

    Attributes
    ----------
    alphas, betas, iterations, variants, features : tuple
        Each value once; numbers in ascending order.

    Examples
    --------
    >>> Grid().shape
    (1, 1, 20, 20, 8)
    >>> grid = Grid(alphas=[0.8, 0.5], betas=[0.2], iterations=[1, 2], variants=["R", "A"])
    >>> grid.shape, grid.cell((1, 0, 0, 0, 1)).title
    ((2, 1, 2, 1, 2), 'A, α = 0.5, β = 0.2, T = 2')
    >>> Grid(alphas=[-1])
    Traceback (most recent call last):
        ...
    mpgk_core.errors.InvalidParameterError: The 'alpha' parameter of KernelParameters must be a
    finite number of at least 0. Got -1 instead.
    """

    alphas: tuple[float, ...] = _TWENTY
    betas: tuple[float, ...] = _TWENTY
    iterations: tuple[int, ...] = tuple(range(1, 9))
    variants: tuple[str, ...] = ("R",)
    features: tuple[str, ...] = ("auto",)
    normalize: bool = False
    branching: int = 4
    depth: int = 8
    random_state: int = 0
    edges: str = "ignore"

    def __post_init__(self) -> None:
        for name in ("alphas", "betas", "iterations", "variants", "features"):
            values = distinct_values(getattr(self, name), name, "Grid")
            object.__setattr__(self, name, values)
        for variant in self.variants:
            check_choice(variant, (*NEIGHBOURHOODS, *VARIANTS), "variants", "Grid")
        if len({len(variant) for variant in self.variants}) > 1:
            raise InvalidParameterError(
                f"The variants {', '.join(self.variants)} belong to different kinds of sweep. Give "
                "R and A for vertices, or RR, RA, AR and AA for graphs."
            )
        for text in self.features:
            if not isinstance(text, str):
                raise InvalidParameterError(
                    f"The features of a Grid must be texts. Got {text!r} instead."
                )
        for T in self.iterations:
            KernelParameters(n_iterations=T, **self._fixed)
        for alpha, beta in product(self.alphas, self.betas):
            KernelParameters(alpha=alpha, beta=beta)
        for name, kind in (("alphas", float), ("betas", float), ("iterations", int)):
            object.__setattr__(self, name, tuple(sorted(map(kind, getattr(self, name)))))

    @property
    def axes(self) -> tuple[tuple[Any, ...], ...]:
        """The values of every field of a cell."""
        return self.variants, self.features, self.alphas, self.betas, self.iterations

    @property
    def shape(self) -> tuple[int, ...]:
        """Number of variants, features, values of α, values of β, and values of T."""
        return tuple(map(len, self.axes))

    @property
    def is_for_graphs(self) -> bool:
        """Whether the variants are kernels between graphs."""
        return self.variants[0] in VARIANTS

    def cell(self, index: Iterable[int]) -> Cell:
        """Return the combination at a place of an array shaped like the grid."""
        return Cell(*(axis[i] for axis, i in zip(self.axes, index, strict=True)))

    def index(self, cell: Cell) -> tuple[int, ...]:
        """Return the place of a combination in an array shaped like the grid, or raise."""
        for value, axis, name in zip(cell, self.axes, Cell._fields, strict=True):
            check_choice(value, axis, name, "Cell")
        return tuple(axis.index(value) for value, axis in zip(cell, self.axes, strict=True))

    def lines(self) -> Iterator[tuple[int, int, int, int]]:
        """Yield the places of all combinations but T, with all variants of one α and β in a row.

        One run serves all T. A sweep that stops early has tried all variants alike, and the time
        that it has taken tells how long the rest will take.
        """
        n_variants, n_features, n_alphas, n_betas, _ = self.shape
        for alpha, beta, variant, features in product(
            range(n_alphas), range(n_betas), range(n_variants), range(n_features)
        ):
            yield variant, features, alpha, beta

    def parameters(self, cell: Cell) -> KernelParameters:
        """Return all parameters of a combination; of graph kernels, those between vertices."""
        return KernelParameters(
            cell.variant[0], cell.alpha, cell.beta, cell.T, cell.features, **self._fixed
        )

    def node_kernel(self, cell: Cell) -> MessagePassingNodeKernel:
        """Return the kernel between vertices of a combination, not fitted."""
        return MessagePassingNodeKernel(**self.parameters(cell).settings())

    @property
    def _fixed(self) -> dict[str, Any]:
        names = ("normalize", "branching", "depth", "random_state", "edges")
        return {name: getattr(self, name) for name in names}


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
    values: Mapping[str, FloatArray]
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

    def map_of(self, name: str, cell: Cell) -> FloatArray:
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
        values: FloatArray = self.of(name)[variant, features, :, :, T]
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
                **self.grid.cell(place)._asdict(),
                **{name: float(table[tuple(place)]) for name, table in self.values.items()},
            }
            for place in np.argwhere(~np.isnan(first))
        ]

    def of(self, name: str) -> FloatArray:
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
