"""The steps of a study of the four kernels: take the graphs, compare them, save."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mpgk_core.takeaway.data_steps import set_step
from mpgk_core.takeaway.file_names import study_file_name
from mpgk_core.takeaway.imports import Needed, imports
from mpgk_core.takeaway.literals import call
from mpgk_core.takeaway.steps import UPDATE, Step, files_step, requirements

if TYPE_CHECKING:
    from mpgk_core.takeaway.variant_study import VariantStudy

__all__ = ["variant_steps"]

_PATH = {"pathlib": ["Path"]}
_SET_NEEDS = {
    "mpgk_core": ["MessagePassingGraphKernel"],
    "mpgk_core.takeaway": ["set_kernels_csv", "set_kernels_npz"],
}
_PAIR_NEEDS = {
    "mpgk_core": ["MessagePassingGraphKernel"],
    "mpgk_core.explain": ["explain_four_variants"],
    "mpgk_core.takeaway": ["contributions_csv", "similarities_csv"],
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
    >>> from mpgk_core.takeaway import NamedSet, VariantStudy
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
