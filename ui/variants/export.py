"""Downloads of kernel variants: tables, reports, programs and graphs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mpgk_core import GraphSet, MessagePassingGraphKernel, export
from mpgk_core.errors import shortened
from mpgk_core.evaluation.nystroem_quality import NystroemQuality
from mpgk_core.explain import GraphPair, difference_words, dominant_words, formula
from mpgk_core.export import ReportFigure, ReportTable, report
from mpgk_core.kernels.graph_kernel import VARIANTS
from mpgk_core.kernels.parameters import KernelParameters
from mpgk_core.plotting.matching_figure import (
    MAX_STRONGEST_DRAWN,
    facing_layouts,
    graph_matching_figure,
    matching_words,
    pair_matrix_figure,
)
from mpgk_core.plotting.set_maps_figure import error_figure, overlay_figure, set_maps_figure
from ui.shared.downloads import Offer, download_row
from ui.sources.sets import ChosenSet

_IN_PYTHON = "Python code for the same numbers"
_MAX_LISTED = 100
PAIR_CAPTION = (
    "Pictures: the first graph beside the second. Links join the matched pairs of vertices (second "
    f"letter A) or the {MAX_STRONGEST_DRAWN} pairs that contribute most (R); a wider link "
    "contributes more, and a grey vertex has no partner. Matrices: the contribution of every pair "
    "in per cent of the value. R compares all pairs; A only those that are matched, and the other "
    "cells stay empty."
)


def four_kernels(graphs: GraphSet, kernel: KernelParameters) -> dict[str, NDArray[np.float64]]:
    """Return the matrices of RR, RA, AR and AA."""
    return {
        variant: MessagePassingGraphKernel(variant, **kernel.passing()).fit_transform(graphs)
        for variant in VARIANTS
    }


def pair_downloads(
    chosen: ChosenSet,
    pair: tuple[int, int],
    kernel: KernelParameters,
    pairs: Mapping[str, GraphPair],
) -> None:
    """Offer the four kernels of two graphs, their contributions, and the graphs."""
    study = export.PairStudy(chosen.data, kernel, pair)
    offer, csv = Offer(study, "four-"), export.similarities_csv
    parts, name = partial(export.contributions_csv, pairs), ("contributions", "csv")
    files = [
        offer.file("similarities", "Kernels as CSV", ("similarities", "csv"), partial(csv, pairs)),
        offer.file("contributions", "Contributions as CSV", name, parts),
        offer.report(lambda: pair_report(study, pairs)),
    ]
    download_row("The two graphs compared", files)
    download_row(_IN_PYTHON, offer.programs())
    download_row("The two graphs", offer.graphs(chosen.graphs[list(pair)]))


def set_downloads(
    chosen: ChosenSet, kernel: KernelParameters, planes: Mapping[str, NDArray[np.float64]]
) -> None:
    """Offer the four kernels of a whole set, and its graphs."""
    study = export.VariantStudy(chosen.data, kernel)
    offer = Offer(study, "four-")

    def matrices(write: Callable[..., bytes]) -> Callable[[], bytes]:
        return lambda: write(four_kernels(chosen.graphs, kernel), chosen.classes)

    csv, npz = matrices(export.set_kernels_csv), matrices(export.set_kernels_npz)
    files = [
        offer.file("csv", "Kernels, CSV", ("kernels", "csv"), csv),
        offer.file("npz", "Kernels, NPZ", ("kernels", "npz"), npz),
        offer.report(lambda: set_report(study, chosen, planes)),
    ]
    download_row("The four kernels", files)
    download_row(_IN_PYTHON, offer.programs())
    download_row("The graphs", offer.graphs(chosen.graphs))


def landmark_downloads(
    chosen: ChosenSet,
    variant: str,
    landmarks: Sequence[int],
    kernel: KernelParameters,
    found: Sequence[NystroemQuality],
) -> None:
    """Offer the errors of the approximations."""
    study = export.LandmarkStudy(chosen.data, tuple(landmarks), variant, kernel)
    offer, errors = Offer(study, "four-"), partial(export.landmarks_csv, found)
    files = [
        offer.file("landmarks", "Errors as CSV", ("landmarks", "csv"), errors),
        offer.report(lambda: landmark_report(study, chosen, found)),
    ]
    download_row("Exact against landmarks", files)
    download_row(_IN_PYTHON, offer.programs())


def pair_report(study: export.PairStudy, pairs: Mapping[str, GraphPair]) -> str:
    """Return the shares of all pairs of vertices, the four matchings, and the numbers."""
    places = facing_layouts(pairs["AA"])
    figures = [
        figure
        for variant, pair in pairs.items()
        for figure in (
            ReportFigure(
                graph_matching_figure(pair, places),
                f"{variant}: {formula(pair)}",
                matching_words(pair),
            ),
            ReportFigure(
                pair_matrix_figure(pair),
                f"{variant}: {dominant_words(pair)}.",
                f"Shares of all pairs of vertices under {variant}.",
            ),
        )
    ]
    similar = ReportTable(
        "Similarities",
        ("kernel", "similarity"),
        [[variant, f"{pair.similarity:.6g}"] for variant, pair in pairs.items()],
    )
    tables = [similar, *(_contributions(variant, pair) for variant, pair in pairs.items())]
    settings = {
        "data set": study.data.name,
        "graphs": "{} and {}, counted from 0".format(*study.pair),
        **study.kernel.passing(),
    }
    return report(study.title, figures, settings, tables, [PAIR_CAPTION, difference_words(pairs)])


def set_report(
    study: export.VariantStudy, chosen: ChosenSet, planes: Mapping[str, NDArray[np.float64]]
) -> str:
    """Return the maps of the set under the four kernels, and where every graph lies."""
    maps = ReportFigure(
        set_maps_figure(planes, chosen.classes),
        "Every graph is a point in the kernel-PCA plane of each kernel, in the colour of its "
        "class.",
        f"Kernel-PCA planes of {len(chosen.graphs):,} graphs under {', '.join(planes)}.",
    )
    rows = [
        [g, shortened(str(one)), *(f"{x:.6g}" for points in planes.values() for x in points[g])]
        for g, one in enumerate(chosen.classes)
    ]
    axes = [f"{variant}, axis {axis}" for variant in planes for axis in (1, 2)]
    table = ReportTable("Points", ("graph", "class", *axes), rows)
    settings = {**_set(study.data.name, chosen), **study.kernel.passing()}
    return report(study.title, [maps], settings, [table])


def landmark_report(
    study: export.LandmarkStudy, chosen: ChosenSet, found: Sequence[NystroemQuality]
) -> str:
    """Return the errors of the approximations, and the last plane on the exact one."""
    exact, *others = found
    figures = [
        ReportFigure(
            error_figure(found),
            "Error of the approximate matrix, in per cent of the exact one.",
            "Errors by the number of landmarks; the numbers are in the table.",
        ),
        *(
            ReportFigure(
                overlay_figure(exact, last),
                "Planes on top of each other: exact and approximate.",
                f"{last.n_landmarks} landmarks miss {100 * last.disparity:.3g} % of the spread.",
            )
            for last in others[-1:]
        ),
    ]
    rows = [
        [
            "exact" if one.n_landmarks is None else one.n_landmarks,
            f"{100 * one.error:.4g}",
            f"{100 * one.disparity:.4g}",
            f"{one.megabytes:.3g}",
            f"{one.seconds:.3g}",
        ]
        for one in found
    ]
    header = ("landmarks", "error (%)", "spread missed (%)", "features (MB)", "time (s)")
    settings = {
        **_set(study.data.name, chosen),
        "variant": study.variant,
        "landmarks": ", ".join(map(str, study.landmarks)),
        **study.kernel.passing(),
    }
    title = study.title
    return report(title, figures, settings, [ReportTable("Approximations", header, rows)])


def _set(name: str, chosen: ChosenSet) -> dict[str, Any]:
    return {
        "data set": name,
        "graphs": len(chosen.graphs),
        "vertices": chosen.graphs.n_vertices,
        "classes": len(set(chosen.classes)),
    }


def _contributions(variant: str, pair: GraphPair) -> ReportTable:
    found, names = pair.contributions, [shortened(str(name)) for name in pair.graphs.names]
    order = found.largest(min(len(found), _MAX_LISTED))
    rows = [[names[found.left[i]], names[found.right[i]], f"{found.values[i]:.6g}"] for i in order]
    caption = f"{variant}: the {len(rows):,} largest of {len(found):,} contributions"
    return ReportTable(caption, ("vertex of the first", "of the second", "contributes"), rows)
