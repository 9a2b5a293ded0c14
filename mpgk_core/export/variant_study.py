"""A study of the four kernel variants, and the steps of a program that repeats it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from mpgk_core.export.data_steps import set_step
from mpgk_core.export.file_names import study_file_name
from mpgk_core.export.imports import Needed, imports
from mpgk_core.export.literals import call
from mpgk_core.export.passing_parameters import PassingParameters
from mpgk_core.export.set_sources import ClassifiedGraphs
from mpgk_core.export.steps import UPDATE, Step, files_step, requirements
from mpgk_core.parameters import check_whole


@dataclass(frozen=True, eq=False)
class VariantStudy:
    """What the page of kernel variants shows: RR, RA, AR and AA of a set, or of two graphs in it.

    Parameters
    ----------
    data : NamedSet, GeneratedSet or GivenSet
    kernel : PassingParameters
    pair : tuple of two ints, optional
        Numbers of two graphs that are taken apart; without them, all graphs are compared.

    Examples
    --------
    >>> from mpgk_core.export import NamedSet, study_file_name
    >>> study = VariantStudy(NamedSet("MUTAG"), PassingParameters(features="labels"), (0, 187))
    >>> study_file_name(study, "contributions", "csv")
    'MUTAG_RR-RA-AR-AA_graphs0-187_alpha0.8_beta0.2_T5_labels_contributions.csv'
    """

    data: ClassifiedGraphs
    kernel: PassingParameters = field(default_factory=PassingParameters)
    pair: tuple[int, int] | None = None

    def __post_init__(self) -> None:
        if self.pair is not None:
            for number in self.pair:
                check_whole(number, 0, "pair", "VariantStudy")
            left, right = map(int, self.pair)
            object.__setattr__(self, "pair", (left, right))

    @property
    def name(self) -> str:
        """Name of the set, fit for a line of text."""
        return self.data.name

    def steps(self) -> list[Step]:
        """Return what a script and a notebook that compute it are made of."""
        return variant_steps(self)

    def file_parts(self) -> list[str]:
        """Return set, kernels, and which graphs."""
        which = [] if self.pair is None else ["graphs{}-{}".format(*self.pair)]
        return [self.data.file_part, "RR-RA-AR-AA", *which, *self.kernel.file_parts()]


if TYPE_CHECKING:
    from mpgk_core.export.variant_study import VariantStudy


_PATH = {"pathlib": ["Path"]}
_SET_NEEDS = {
    "mpgk_core": ["MessagePassingGraphKernel"],
    "mpgk_core.export": ["set_kernels_csv", "set_kernels_npz"],
}
_PAIR_NEEDS = {
    "mpgk_core": ["MessagePassingGraphKernel"],
    "mpgk_core.explain": ["explain_four_variants"],
    "mpgk_core.export": ["contributions_csv", "similarities_csv"],
}


def variant_steps(study: VariantStudy) -> list[Step]:
    """Return the steps that compute what the page of kernel variants shows.

    Parameters
    ----------
    study : VariantStudy

    Returns
    -------
    list of Step

    Examples
    --------
    >>> from mpgk_core.export import NamedSet, VariantStudy
    >>> print(variant_steps(VariantStudy(NamedSet("MUTAG"), pair=(0, 1)))[4].code)
    kernel = MessagePassingGraphKernel(**parameters)
    pairs = explain_four_variants(data.graphs, 0, 1, kernel)
    """
    data = set_step(study.data)
    needed, steps = _set_steps(study) if study.pair is None else _pair_steps(study, *study.pair)
    return [
        Step(
            heading=f"R or A, for neighbourhoods and for graphs? {study.name}",
            words="The first letter says how neighbourhoods are compared, the second how graphs "
            f"are: by all pairs (R), or by the best matching (A). {requirements()}",
        ),
        Step(code=imports(_PATH, needed, data.needed)),
        data.step,
        Step(
            words="How messages are passed.",
            formula=UPDATE,
            code=f"parameters = {call('dict', **study.kernel.settings())}",
        ),
        *steps,
    ]


def _set_steps(study: VariantStudy) -> tuple[Needed, list[Step]]:
    files = [
        (study_file_name(study, "kernels", "csv"), "set_kernels_csv(kernels, data.classes)"),
        (study_file_name(study, "kernels", "npz"), "set_kernels_npz(kernels, data.classes)"),
    ]
    return _SET_NEEDS, [
        Step(
            words="The four kernels between all graphs.",
            code="kernels = {\n"
            "    variant: MessagePassingGraphKernel(variant, **parameters)"
            ".fit_transform(data.graphs)\n"
            '    for variant in ("RR", "RA", "AR", "AA")\n'
            "}",
        ),
        Step(
            words="How similar are the graphs to each other, on average?",
            code="print(data.graphs)\n"
            "for variant, kernel in kernels.items():\n"
            '    print(f"{variant}: {kernel.mean():.6f}")',
        ),
        Step(
            words="Every graph as a point in the kernel-PCA plane of each kernel.",
            code="from mpgk_core import kernel_pca\n"
            "from mpgk_core.plotting.set_maps_figure import set_maps_figure\n\n"
            "planes = {variant: kernel_pca(kernel, 2).points "
            "for variant, kernel in kernels.items()}\n"
            "set_maps_figure(planes, data.classes)",
            is_picture=True,
        ),
        files_step(files),
    ]


def _pair_steps(study: VariantStudy, left: int, right: int) -> tuple[Needed, list[Step]]:
    files = [
        (study_file_name(study, "similarities", "csv"), "similarities_csv(pairs)"),
        (study_file_name(study, "contributions", "csv"), "contributions_csv(pairs)"),
    ]
    return _PAIR_NEEDS, [
        Step(
            words="Two graphs under the four kernels, each fitted to the whole set.",
            code="kernel = MessagePassingGraphKernel(**parameters)\n"
            f"pairs = explain_four_variants(data.graphs, {left}, {right}, kernel)",
        ),
        Step(
            words="How similar are they?",
            code="for variant, pair in pairs.items():\n"
            '    print(f"{variant}: {pair.similarity:.6f}")',
        ),
        Step(
            words="Which pairs of vertices carry the value: rows are vertices of the first graph, "
            "columns those of the second.",
            code="from mpgk_core.plotting.four_variants_figure import four_variants_figure\n"
            "from mpgk_core.plotting.matching_figure import graph_matching_figure\n\n"
            "four_variants_figure(pairs)",
            is_picture=True,
        ),
        Step(
            words="The best matching of AA.",
            code='graph_matching_figure(pairs["AA"])',
            is_picture=True,
        ),
        files_step(files),
    ]
