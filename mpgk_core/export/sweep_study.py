"""A study of all kernels of a grid of parameters: what the page on tuning shows."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field

from mpgk_core.errors import InvalidParameterError
from mpgk_core.export.programs import Study, check_choices
from mpgk_core.export.sources import ClassifiedGraphs, OneGraph
from mpgk_core.export.steps import call
from mpgk_core.graphs.recipes import GivenGraph, PresetGraph
from mpgk_core.parameters import check_whole
from mpgk_core.tuning import SCORES, Grid

_VERTICES = r"""
# A sweep tries all combinations and gives every kernel a score. The best of many is
# optimistically biased.
from mpgk_core.evaluation import as_csv
from mpgk_core.tuning import Grid, sweep
# %% The grid: every value of alpha with every beta and every number of rounds T.
#$ $update
grid = $grid
# %% Try all kernels between the vertices. This is the long part.
scores = $scores
found = sweep(graph, grid, scores, n_folds=$n_folds, random_state=$random_state)
"""
_SETS = r"""
# A sweep tries all combinations and gives every kernel a score. The best of many is
# optimistically biased.
from mpgk_core.evaluation import Protocol, as_csv, majority_accuracy
from mpgk_core.graphs.initial_features import resolved_features
from mpgk_core.tuning import Grid, sweep_sets
# %% The grid: every value of alpha with every beta and every number of rounds T.
#$ $update
grid = $grid
# %% Try all kernels between the graphs: a support vector machine learns from all folds but one
# and is tested on that one. This is the long part.
protocol = Protocol(n_folds=$n_folds, n_repeats=1, random_state=$random_state)
found = sweep_sets(data.graphs, data.classes, grid, protocol)
print(f"Majority class: {majority_accuracy(data.classes, protocol):.6g}")
print("The features 'auto':", resolved_features("auto", data.graphs))
"""
_END = r"""
# %% The best kernel by each score; larger is better.
for score, title in found.titles.items():
    best = found.best(score)
    print(f"{title}: {found.score(score, best):.6g}, {best}")
# %% [picture] The first score over alpha and beta, through its best cell.
from mpgk_core.plotting.sweep_figures import heat_map_figure, rounds_figure

score = next(iter(found.titles))
heat_map_figure(found, score, found.best(score))
# %% [picture] The same score over the number of rounds, at the best alpha and beta.
rounds_figure(found, score, found.best(score))
# %% [files]
sweep.csv: as_csv(found.rows()).encode()
"""


@dataclass(frozen=True, eq=False)
class SweepStudy(Study):
    """Scores of all kernels of a grid.

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
    >>> study = SweepStudy(PresetGraph("barbell"), Grid((0.5, 1), (0.5, 1), (1, 2)))
    >>> study.file_name("sweep", "csv")
    'barbell-10-10_R_2x2_T2_auto_sweep.csv'
    >>> print(study.steps()[4].code)
    scores = ['recovered']
    found = sweep(graph, grid, scores, n_folds=5, random_state=0)
    """

    data: OneGraph | ClassifiedGraphs
    grid: Grid = field(default_factory=Grid)
    scores: tuple[str, ...] = ("recovered",)
    n_folds: int = 5
    random_state: int = 0

    question = "Which parameters are good ones?"

    def __post_init__(self) -> None:
        if self.grid.is_for_graphs == self.is_about_vertices:
            wanted = "R and A" if self.is_about_vertices else "RR, RA, AR and AA"
            raise InvalidParameterError(
                f"The variants {', '.join(self.grid.variants)} do not suit the data of a "
                f"SweepStudy. Give {wanted}."
            )
        check_choices(self.scores, list(SCORES), "scores", "SweepStudy")
        check_whole(self.n_folds, 2, "n_folds", "SweepStudy")
        check_whole(self.random_state, 0, "random_state", "SweepStudy")

    @property
    def is_about_vertices(self) -> bool:
        """Whether the vertices of one graph are compared."""
        return isinstance(self.data, (PresetGraph, GivenGraph))

    def file_parts(self) -> list[str]:
        """Return the data, and what is tried on them."""
        grid = self.grid
        return [
            self.data.file_part,
            "-".join(grid.variants),
            f"{len(grid.alphas)}x{len(grid.betas)}",
            f"T{grid.iterations[-1]}",
            grid.features[0] if len(grid.features) == 1 else f"{len(grid.features)}starts",
            f"seed{self.random_state}" if self.random_state else "",
        ]

    def program(self) -> tuple[str, dict[str, str]]:
        """Return grid, sweep, best kernels and pictures."""
        return (_VERTICES if self.is_about_vertices else _SETS) + _END, {
            "grid": call("Grid", **asdict(self.grid)),
            "scores": ascii(list(self.scores)),
            "n_folds": str(int(self.n_folds)),
            "random_state": str(int(self.random_state)),
        }
