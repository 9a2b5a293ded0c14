"""Many kernels tried on one graph, or on a set, described so fully that anybody can repeat it."""

from __future__ import annotations

from dataclasses import dataclass, field

from mpgk_core.errors import InvalidParameterError, shortened
from mpgk_core.parameters import check_choice, check_whole
from mpgk_core.takeaway.graph_sources import GivenGraph, PresetGraph
from mpgk_core.takeaway.set_sources import ClassifiedGraphs
from mpgk_core.takeaway.steps import Step
from mpgk_core.takeaway.sweep_steps import sweep_steps
from mpgk_core.tuning import SCORES, Grid

__all__ = ["SweepStudy"]


@dataclass(frozen=True, eq=False)
class SweepStudy:
    """What the page on tuning shows: scores of all kernels of a grid.

    Parameters
    ----------
    data : PresetGraph, GivenGraph, NamedSet, GeneratedSet or GivenSet
        One graph, whose vertices are compared, or a set of graphs with classes.
    grid : Grid
        With the variants R and A for one graph, and RR, RA, AR and AA for a set.
    scores : tuple of str
        Keys of :data:`~mpgk_core.tuning.SCORES`, for one graph.
    n_folds : int
        Folds of cross-validations; at least 2.
    random_state : int
        Their seed.

    Examples
    --------
    >>> from mpgk_core.takeaway import study_file_name
    >>> study = SweepStudy(PresetGraph("barbell"), Grid((0.5, 1), (0.5, 1), (1, 2)))
    >>> study_file_name(study, "sweep", "csv")
    'barbell-10-10_R_2x2_T2_auto_sweep.csv'
    """

    data: PresetGraph | GivenGraph | ClassifiedGraphs
    grid: Grid = field(default_factory=Grid)
    scores: tuple[str, ...] = ("recovered",)
    n_folds: int = 5
    random_state: int = 0

    def __post_init__(self) -> None:
        owner = type(self).__name__
        object.__setattr__(self, "scores", tuple(self.scores))
        if self.grid.is_for_graphs == self.is_about_vertices:
            wanted = "R and A" if self.is_about_vertices else "RR, RA, AR and AA"
            raise InvalidParameterError(
                f"The variants {', '.join(self.grid.variants)} do not suit the data of a {owner}. "
                f"Give {wanted}."
            )
        if not self.scores:
            raise InvalidParameterError(
                f"The 'scores' parameter of {owner} is empty. Give at least one."
            )
        for name in self.scores:
            check_choice(name, list(SCORES), "scores", owner)
        check_whole(self.n_folds, 2, "n_folds", owner)
        check_whole(self.random_state, 0, "random_state", owner)

    @property
    def is_about_vertices(self) -> bool:
        """Whether the vertices of one graph are compared."""
        return isinstance(self.data, (PresetGraph, GivenGraph))

    @property
    def name(self) -> str:
        """Name of the graph or of the set, fit for a line of text."""
        data = self.data
        return shortened(data.title if isinstance(data, (PresetGraph, GivenGraph)) else data.name)

    def steps(self) -> list[Step]:
        """Return what a script and a notebook that compute it are made of."""
        return sweep_steps(self)

    def file_parts(self) -> list[str]:
        """Return the data, and what is tried on them."""
        grid = self.grid
        return [
            self.data.file_part,
            "-".join(grid.variants),
            f"{len(grid.alphas)}x{len(grid.betas)}",
            f"T{grid.iterations[-1]}",
            grid.features[0] if len(grid.features) == 1 else f"{len(grid.features)}starts",
            *([f"seed{self.random_state}"] if self.random_state else []),
        ]
