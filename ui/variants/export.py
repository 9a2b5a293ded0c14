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
from mpgk_core.explain.words import contribution_rows
from mpgk_core.export import ReportFigure, ReportTable, report
from mpgk_core.kernels.graph_kernel import VARIANTS
from mpgk_core.kernels.update import KernelParameters
from mpgk_core.plotting import set_maps_figure as maps
from mpgk_core.plotting.matching_figure import (
    MAX_STRONGEST_DRAWN,
    facing_layouts,
    graph_matching_figure,
    matching_words,
    pair_matrix_figure,
    vertex_titles,
)
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


def pair_pictures(pairs: Mapping[str, GraphPair]) -> dict[str, tuple[ReportFigure, ReportFigure]]:
    """Return for every variant the two graphs with their links, and the matrix of shares."""
    places = facing_layouts(pairs["AA"])
    pictures = {}
    for variant, pair in pairs.items():
        words = f"{dominant_words(pair)}."
        links = graph_matching_figure(pair, places)
        shares = f"Shares of all pairs of vertices under {variant}: {words}"
        pictures[variant] = (
            ReportFigure(links, f"{variant}: {formula(pair)}", matching_words(pair)),
            ReportFigure(pair_matrix_figure(pair), words[0].upper() + words[1:], shares),
        )
    return pictures


def pair_rows(pair: GraphPair, n_most: int) -> list[dict[str, Any]]:
    """Return the pairs of vertices that contribute most."""
    titles = vertex_titles(pair.graphs)
    return contribution_rows(pair.contributions, titles, "vertex of the first", n_most)


def pair_report(study: export.PairStudy, pairs: Mapping[str, GraphPair]) -> str:
    """Return the two graphs and the shares under every variant, and the numbers."""
    figures = [figure for both in pair_pictures(pairs).values() for figure in both]
    similar = [{"kernel": key, "similarity": f"{one.similarity:.6g}"} for key, one in pairs.items()]
    tables = [ReportTable.of("Similarities", similar)]
    for variant, pair in pairs.items():
        rows = pair_rows(pair, _MAX_LISTED)
        n_all = len(pair.contributions)
        caption = f"{variant}: the {len(rows):,} largest of {n_all:,} contributions"
        tables.append(ReportTable.of(caption, rows))
    settings = {
        "data set": study.data.name,
        "graphs": "{} and {}, counted from 0".format(*study.pair),
        **study.kernel.passing(),
    }
    return report(study.title, figures, settings, tables, [PAIR_CAPTION, difference_words(pairs)])


def maps_picture(chosen: ChosenSet, planes: Mapping[str, NDArray[np.float64]]) -> ReportFigure:
    """Return the maps of the set under the four kernels."""
    words = maps.set_maps_words(planes, chosen.classes)
    return ReportFigure(
        maps.set_maps_figure(planes, chosen.classes),
        "Every graph is a point in the kernel-PCA plane of each kernel, in the colour of its "
        f"class. {words}",
        words,
    )


def set_report(
    study: export.VariantStudy, chosen: ChosenSet, planes: Mapping[str, NDArray[np.float64]]
) -> str:
    """Return the maps of the set under the four kernels, and where every graph lies."""
    rows = [
        {"graph": g, "class": shortened(str(one))}
        | {
            f"{variant}, axis {axis + 1}": f"{x:.6g}"
            for variant, points in planes.items()
            for axis, x in enumerate(points[g])
        }
        for g, one in enumerate(chosen.classes)
    ]
    settings = {**_set(study.data.name, chosen), **study.kernel.passing()}
    return report(
        study.title, [maps_picture(chosen, planes)], settings, [ReportTable.of("Points", rows)]
    )


def landmark_pictures(found: Sequence[NystroemQuality]) -> list[ReportFigure]:
    """Return the errors of the approximations and, if there is one, the last plane."""
    exact, *others = found
    errors = ReportFigure(
        maps.error_figure(found),
        "Error of the approximate matrix, in per cent of the exact one. With an A, landmarks also "
        "lead to other trees, as another seed would: the error need not decrease at every step, "
        "nor reach zero.",
        maps.error_words(found),
    )
    planes = [
        ReportFigure(
            maps.overlay_figure(exact, last),
            f"Exact and approximate plane on top of each other: {last.n_landmarks} landmarks miss "
            f"{100 * last.disparity:.3g} % of the spread.",
            maps.overlay_words(exact, last),
        )
        for last in others[-1:]
    ]
    return [errors, *planes]


def landmark_rows(found: Sequence[NystroemQuality]) -> list[dict[str, Any]]:
    """Return what every approximation misses and costs."""
    return [
        {
            "kernel": "exact" if one.n_landmarks is None else f"{one.n_landmarks} landmarks",
            "error (%)": round(100 * one.error, 3),
            "spread missed (%)": round(100 * one.disparity, 3),
            "time (s)": round(one.seconds, 3),
            "features (MB)": round(one.megabytes, 3),
        }
        for one in found
    ]


def landmark_report(
    study: export.LandmarkStudy, chosen: ChosenSet, found: Sequence[NystroemQuality]
) -> str:
    """Return the errors of the approximations, and the last plane on the exact one."""
    settings = {
        **_set(study.data.name, chosen),
        "variant": study.variant,
        "landmarks": ", ".join(map(str, study.landmarks)),
        **study.kernel.passing(),
    }
    tables = [ReportTable.of("Approximations", landmark_rows(found))]
    return report(study.title, landmark_pictures(found), settings, tables)


def _set(name: str, chosen: ChosenSet) -> dict[str, Any]:
    return {
        "data set": name,
        "graphs": len(chosen.graphs),
        "vertices": chosen.graphs.n_vertices,
        "classes": len(set(chosen.classes)),
    }
