"""Which kernels a sweep tries: every combination of a few values of each parameter."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any, NamedTuple

from mpgk_core.errors import InvalidParameterError
from mpgk_core.kernels.graph_kernel import VARIANTS
from mpgk_core.kernels.node_kernel import MessagePassingNodeKernel
from mpgk_core.parameters import check_choice, check_message_passing

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
        What vertices start with; see :class:`~mpgk_core.graphs.initial_features.FeatureEncoder`.
    normalize : bool
        Divide by the lengths. Kernels between graphs always are.
    branching, depth : int
        Shape of the hierarchies.
    random_state : int
        Seed of the k-means clustering.

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
    mpgk_core.errors.InvalidParameterError: The 'alpha' parameter of MessagePassingNodeKernel
    must be a finite number of at least 0. Got -1 instead.
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

    def __post_init__(self) -> None:
        for name in ("alphas", "betas", "iterations", "variants", "features"):
            object.__setattr__(self, name, _distinct(getattr(self, name), name))
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
        check_choice(self.normalize, (False, True), "normalize", "Grid")
        self._check_numbers()
        for name, kind in (("alphas", float), ("betas", float), ("iterations", int)):
            object.__setattr__(self, name, tuple(sorted(map(kind, getattr(self, name)))))

    @property
    def shape(self) -> tuple[int, int, int, int, int]:
        """Number of variants, features, values of α, values of β, and values of T."""
        return (
            len(self.variants),
            len(self.features),
            len(self.alphas),
            len(self.betas),
            len(self.iterations),
        )

    @property
    def is_for_graphs(self) -> bool:
        """Whether the variants are kernels between graphs."""
        return self.variants[0] in VARIANTS

    def cell(self, index: tuple[int, ...]) -> Cell:
        """Return the combination at a place of an array shaped like the grid."""
        variant, features, alpha, beta, T = index
        return Cell(
            self.variants[variant],
            self.features[features],
            self.alphas[alpha],
            self.betas[beta],
            self.iterations[T],
        )

    def index(self, cell: Cell) -> tuple[int, int, int, int, int]:
        """Return the place of a combination in an array shaped like the grid, or raise."""
        axes = (self.variants, self.features, self.alphas, self.betas, self.iterations)
        for value, axis, name in zip(cell, axes, Cell._fields, strict=True):
            check_choice(value, axis, name, "Cell")
        variant, features, alpha, beta, T = (
            axis.index(value) for value, axis in zip(cell, axes, strict=True)
        )
        return variant, features, alpha, beta, T

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

    def node_kernel(self, cell: Cell) -> MessagePassingNodeKernel:
        """Return the kernel between vertices of a combination, not fitted."""
        return MessagePassingNodeKernel(
            cell.variant,
            alpha=cell.alpha,
            beta=cell.beta,
            n_iterations=cell.T,
            features=cell.features,
            normalize=self.normalize,
            branching=self.branching,
            depth=self.depth,
            random_state=self.random_state,
        )

    def _check_numbers(self) -> None:
        usual = self.variants[0], self.features[0], self.alphas[0], self.betas[0]
        for T in self.iterations:
            check_message_passing(self.node_kernel(Cell(*usual, T)))
        for alpha, beta in product(self.alphas, self.betas):
            check_message_passing(
                self.node_kernel(Cell(*usual[:2], alpha, beta, self.iterations[0]))
            )


def _distinct(values: Any, name: str) -> tuple[Any, ...]:
    """Return every value once, in the order given."""
    if isinstance(values, str) or not hasattr(values, "__iter__"):
        raise InvalidParameterError(
            f"The {name!r} parameter of Grid must be a list of values. Got {values!r} instead."
        )
    given = tuple(values)
    for value in given:
        if not isinstance(value, Hashable):
            raise InvalidParameterError(
                f"The {name!r} parameter of Grid must hold numbers or texts. Got {value!r} in it."
            )
    distinct = tuple(dict.fromkeys(given))
    if not distinct:
        raise InvalidParameterError(
            f"The {name!r} parameter of Grid is empty. Give at least one value."
        )
    return distinct
