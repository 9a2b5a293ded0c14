"""Where a set of graphs with classes comes from: by name, from a generator, or itself."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import TypeAlias

from mpgk_core.csv_cells import safe_text
from mpgk_core.datasets import DataSet, load
from mpgk_core.errors import InvalidGraphError, shortened
from mpgk_core.evaluation import RECIPES, LabelledSet, generate
from mpgk_core.export.exact_json import PackedSet
from mpgk_core.graphs import GraphSet
from mpgk_core.parameters import check_choice, check_whole


@dataclass(frozen=True)
class NamedSet:
    """A data set that :func:`mpgk_core.datasets.load` finds.

    Parameters
    ----------
    name : str
        "MUTAG".
    """

    name: str

    @property
    def file_part(self) -> str:
        """What a file name says of it."""
        return self.name

    def made(self) -> DataSet:
        """Return graphs and classes."""
        return load(self.name)


@dataclass(frozen=True)
class GeneratedSet:
    """A data set that :func:`mpgk_core.evaluation.generate` makes.

    Parameters
    ----------
    recipe : str
        A key of :data:`~mpgk_core.evaluation.RECIPES`.
    n_per_class : int
        Graphs of each class.
    random_state : int

    Examples
    --------
    >>> GeneratedSet("rings", 3).made().graphs
    GraphSet(6 graphs, 121 vertices, 118 edges)
    """

    recipe: str
    n_per_class: int = 50
    random_state: int = 0

    def __post_init__(self) -> None:
        check_choice(self.recipe, list(RECIPES), "recipe", "GeneratedSet")
        check_whole(self.n_per_class, 1, "n_per_class", "GeneratedSet")
        check_whole(self.random_state, 0, "random_state", "GeneratedSet")

    @property
    def name(self) -> str:
        """Name for people."""
        return RECIPES[self.recipe].title

    @property
    def file_part(self) -> str:
        """What a file name says of it."""
        return f"{self.recipe}-{self.n_per_class}-{self.random_state}"

    def made(self) -> LabelledSet:
        """Return graphs and classes."""
        return generate(self.recipe, self.n_per_class, self.random_state)


@dataclass(frozen=True, eq=False)
class GivenSet:
    """The graphs themselves.

    Parameters
    ----------
    title : str
        Name for people.
    graphs : GraphSet
    classes : tuple of str or number
        One for every graph.
    """

    title: str
    graphs: GraphSet
    classes: tuple[Hashable, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "classes", tuple(self.classes))
        if len(self.classes) != len(self.graphs):
            raise InvalidGraphError(
                f"There are {len(self.classes):,} classes for {len(self.graphs):,} graphs. "
                "Give one each."
            )

    @property
    def name(self) -> str:
        """The title, fit for a line of text and for a spreadsheet."""
        return safe_text(shortened(self.title)) or "graphs"

    @property
    def file_part(self) -> str:
        """What a file name says of it."""
        return self.name

    def made(self) -> PackedSet:
        """Return graphs and classes."""
        return PackedSet(self.graphs, self.classes)


ClassifiedGraphs: TypeAlias = NamedSet | GeneratedSet | GivenSet
"""Any of these."""
