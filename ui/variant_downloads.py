"""The files that the page of kernel variants offers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from mpgk_core.evaluation.nystroem_quality import NystroemQuality
from mpgk_core.explain import GraphPair
from mpgk_core.takeaway import (
    LandmarkStudy,
    PassingParameters,
    Study,
    VariantStudy,
    contributions_csv,
    landmarks_csv,
    set_kernels_csv,
    set_kernels_npz,
    similarities_csv,
    study_file_name,
)
from ui.data_set_source import ChosenSet
from ui.downloads import Download, download_row
from ui.study_downloads import graph_files, program_files
from ui.variant_kernels import Parameters, four_kernels
from ui.variant_report import landmark_report, pair_report, set_report

__all__ = ["landmark_downloads", "pair_downloads", "set_downloads"]

_IN_PYTHON = "Python code for the same numbers"


def pair_downloads(
    chosen: ChosenSet,
    pair: tuple[int, int],
    parameters: Parameters,
    pairs: Mapping[str, GraphPair],
) -> None:
    """Offer the four kernels of two graphs, what they are made of, and the graphs."""
    study = VariantStudy(chosen.data, PassingParameters(**dict(parameters)), pair)
    download_row(
        "The two graphs compared",
        [
            Download(
                "four-similarities",
                "Kernels as CSV",
                study_file_name(study, "similarities", "csv"),
                lambda: similarities_csv(pairs),
                "The values of RR, RA, AR and AA for the two graphs.",
            ),
            Download(
                "four-contributions",
                "Contributions as CSV",
                study_file_name(study, "contributions", "csv"),
                lambda: contributions_csv(pairs),
                "What every pair of vertices adds to each of the four kernels.",
            ),
            _report(study, lambda: pair_report(study, pairs)),
        ],
    )
    download_row(_IN_PYTHON, program_files(study, "four-"))
    graphs = next(iter(pairs.values())).graphs
    download_row("The two graphs", graph_files(study, graphs, "four-"))


def set_downloads(
    chosen: ChosenSet, parameters: Parameters, planes: Mapping[str, NDArray[np.float64]]
) -> None:
    """Offer the four kernels of a whole set, and its graphs."""
    study = VariantStudy(chosen.data, PassingParameters(**dict(parameters)))
    every = "Similarities of all pairs of graphs under RR, RA, AR and AA, for"
    download_row(
        "The four kernels",
        [
            Download(
                "four-csv",
                "Kernels, CSV",
                study_file_name(study, "kernels", "csv"),
                lambda: set_kernels_csv(four_kernels(chosen.graphs, parameters), chosen.classes),
                f"{every} spreadsheets.",
            ),
            Download(
                "four-npz",
                "Kernels, NPZ",
                study_file_name(study, "kernels", "npz"),
                lambda: set_kernels_npz(four_kernels(chosen.graphs, parameters), chosen.classes),
                f"{every} numpy.",
            ),
            _report(study, lambda: set_report(study, chosen, planes)),
        ],
    )
    download_row(_IN_PYTHON, program_files(study, "four-"))
    download_row("The graphs", graph_files(study, chosen.graphs, "four-"))


def landmark_downloads(
    chosen: ChosenSet,
    variant: str,
    landmarks: Sequence[int],
    parameters: Parameters,
    found: Sequence[NystroemQuality],
) -> None:
    """Offer the errors of the approximations."""
    kernel = PassingParameters(**dict(parameters))
    study = LandmarkStudy(chosen.data, tuple(landmarks), variant, kernel)
    download_row(
        "Exact against landmarks",
        [
            Download(
                "four-landmarks",
                "Errors as CSV",
                study_file_name(study, "landmarks", "csv"),
                lambda: landmarks_csv(found),
                "Error, time and size for every number of landmarks.",
            ),
            _report(study, lambda: landmark_report(study, chosen, found)),
        ],
    )
    download_row(_IN_PYTHON, program_files(study, "four-"))


def _report(study: Study, make: Callable[[], str]) -> Download:
    return Download(
        "four-report",
        "Report",
        study_file_name(study, "report", "html"),
        make,
        "One HTML file with pictures, numbers and parameters. It opens without a network.",
    )
