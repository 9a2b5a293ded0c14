"""A sweep over parameters, and the steps of a program that repeats it."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING

from mpgk_core.errors import InvalidParameterError, shortened
from mpgk_core.export.data_steps import DataStep, graph_step, set_step
from mpgk_core.export.file_names import study_file_name
from mpgk_core.export.imports import Needed
from mpgk_core.export.literals import call
from mpgk_core.export.set_sources import ClassifiedGraphs
from mpgk_core.export.steps import UPDATE, Step, files_step, imports_step, requirements
from mpgk_core.graphs.recipes import GivenGraph, PresetGraph
from mpgk_core.parameters import check_choice, check_whole
from mpgk_core.tuning import SCORES, Grid


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
    >>> from mpgk_core.export import study_file_name
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


if TYPE_CHECKING:
    from mpgk_core.export.sweep_study import SweepStudy


_NEEDED = {"pathlib": ["Path"], "mpgk_core.evaluation": ["as_csv"]}


def sweep_steps(study: SweepStudy) -> list[Step]:
    """Return the steps that compute what the page on tuning shows.

    Parameters
    ----------
    study : SweepStudy

    Returns
    -------
    list of Step

    Examples
    --------
    >>> from mpgk_core.export import SweepStudy
    >>> print(sweep_steps(SweepStudy(PresetGraph("barbell")))[4].code)
    scores = ['recovered']
    found = sweep(graph, grid, scores, n_folds=5, random_state=0)
    """
    data = _data_step(study)
    needed, tried = _vertex_sweep(study) if study.is_about_vertices else _set_sweep(study)
    file = study_file_name(study, "sweep", "csv")
    return [
        Step(
            heading=f"Which parameters are good ones? {study.name}",
            words="A sweep tries all combinations and gives every kernel a score. The best of "
            f"many is optimistically biased. {requirements()}",
        ),
        imports_step(_NEEDED, needed, data.needed),
        data.step,
        Step(
            words="The grid: every value of alpha with every beta and every number of rounds T.",
            formula=UPDATE,
            code=f"grid = {call('Grid', **asdict(study.grid))}",
        ),
        tried,
        Step(
            words="The best kernel by each score; larger is better.",
            code="for score, title in found.titles.items():\n"
            "    best = found.best(score)\n"
            '    print(f"{title}: {found.score(score, best):.6g}, {best}")',
        ),
        *_pictures(),
        files_step([(file, "as_csv(found.rows()).encode()")]),
    ]


def _data_step(study: SweepStudy) -> DataStep:
    data = study.data
    if isinstance(data, PresetGraph):
        return graph_step(data)
    return graph_step(data.graph) if isinstance(data, GivenGraph) else set_step(data)


def _vertex_sweep(study: SweepStudy) -> tuple[Needed, Step]:
    return {"mpgk_core.tuning": ["Grid", "sweep"]}, Step(
        words="Try all kernels between the vertices. This is the long part.",
        code=f"scores = {list(study.scores)!a}\n"
        f"found = sweep(graph, grid, scores, n_folds={int(study.n_folds)}, "
        f"random_state={int(study.random_state)})",
    )


def _set_sweep(study: SweepStudy) -> tuple[Needed, Step]:
    rules = {"n_folds": study.n_folds, "n_repeats": 1, "random_state": study.random_state}
    needed = {
        "mpgk_core.evaluation": ["Protocol", "majority_accuracy"],
        "mpgk_core.graphs.initial_features": ["resolved_features"],
        "mpgk_core.tuning": ["Grid", "sweep_sets"],
    }
    return needed, Step(
        words="Try all kernels between the graphs: a support vector machine learns from all folds "
        "but one and is tested on that one. This is the long part.",
        code=f"protocol = {call('Protocol', **rules)}\n"
        "found = sweep_sets(data.graphs, data.classes, grid, protocol)\n"
        'print(f"Majority class: {majority_accuracy(data.classes, protocol):.6g}")\n'
        'print("The features \'auto\':", resolved_features("auto", data.graphs))',
    )


def _pictures() -> list[Step]:
    return [
        Step(
            words="The first score over alpha and beta, through its best cell.",
            code="from mpgk_core.plotting.sweep_figures import heat_map_figure, rounds_figure\n\n"
            "score = next(iter(found.titles))\n"
            "heat_map_figure(found, score, found.best(score))",
            is_picture=True,
        ),
        Step(
            words="The same score over the number of rounds, at the best alpha and beta.",
            code="rounds_figure(found, score, found.best(score))",
            is_picture=True,
        ),
    ]
