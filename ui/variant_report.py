"""What the page of kernel variants shows as one page that opens anywhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mpgk_core.errors import shortened
from mpgk_core.evaluation.nystroem_quality import NystroemQuality
from mpgk_core.explain import GraphPair, difference_words, formula
from mpgk_core.plotting.four_variants_figure import four_variants_figure
from mpgk_core.plotting.matching_figure import graph_matching_figure, matching_words
from mpgk_core.plotting.set_maps_figure import error_figure, overlay_figure, set_maps_figure
from mpgk_core.takeaway import LandmarkStudy, ReportFigure, ReportTable, VariantStudy, report
from ui.data_set_source import ChosenSet

__all__ = ["landmark_report", "pair_report", "set_report"]

_MOST_LISTED = 100
_QUESTION = "R or A, for neighbourhoods and for graphs?"


def pair_report(study: VariantStudy, pairs: Mapping[str, GraphPair]) -> str:
    """Return the shares of all pairs of vertices, the four matchings, and the numbers."""
    said = difference_words(pairs)
    shares = ReportFigure(
        four_variants_figure(pairs),
        "Which pairs of vertices carry the value: rows are vertices of the first graph, columns "
        "those of the second.",
        said,
    )
    matchings = [
        ReportFigure(
            graph_matching_figure(pair), f"{variant}: {formula(pair)}", matching_words(pair)
        )
        for variant, pair in pairs.items()
    ]
    similar = ReportTable(
        "Similarities",
        ("kernel", "similarity"),
        [[variant, f"{pair.similarity:.6g}"] for variant, pair in pairs.items()],
    )
    tables = [similar, *(_contributions(variant, pair) for variant, pair in pairs.items())]
    settings = {
        "data set": study.name,
        "graphs": "{} and {}, counted from 0".format(*(study.pair or ())),
        **study.kernel.settings(),
    }
    return report(f"{_QUESTION} {study.name}", [shares, *matchings], settings, tables, [said])


def set_report(
    study: VariantStudy, chosen: ChosenSet, planes: Mapping[str, NDArray[np.float64]]
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
    settings = {**_set(study.name, chosen), **study.kernel.settings()}
    return report(f"{_QUESTION} {study.name}", [maps], settings, [table])


def landmark_report(
    study: LandmarkStudy, chosen: ChosenSet, found: Sequence[NystroemQuality]
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
        **_set(study.name, chosen),
        "variant": study.variant,
        "landmarks": ", ".join(map(str, study.landmarks)),
        **study.kernel.settings(),
    }
    title = f"The exact kernel against landmarks. {study.name}"
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
    order = found.largest(min(len(found), _MOST_LISTED))
    rows = [[names[found.left[i]], names[found.right[i]], f"{found.values[i]:.6g}"] for i in order]
    caption = f"{variant}: the {len(rows):,} largest of {len(found):,} contributions"
    return ReportTable(caption, ("vertex of the first", "of the second", "contributes"), rows)
