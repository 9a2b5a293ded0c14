"""Everything that the playground shows, as files."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from mpgk_core.takeaway import (
    NodeStudy,
    embedding_csv,
    embedding_npz,
    kernel_csv,
    kernel_npz,
    save_session,
    study_file_name,
)
from ui.cached import kernel_of, orbits_of, way_of
from ui.choices import ChosenGraph, KernelChoice, PictureChoice
from ui.downloads import Download, download_row
from ui.node_study import node_study, session_of
from ui.picture_format import picture_format_choice
from ui.playground_report import playground_report
from ui.study_downloads import graph_files, program_files

__all__ = ["link_notice", "takeaway_box"]

_MOST_ROWS = 2_000
_TOO_MANY = f"Offered up to {_MOST_ROWS:,} vertices. Take the script: it computes any part of it."


def takeaway_box(
    graph: ChosenGraph, kernel: KernelChoice, picture: PictureChoice, selection: list[int]
) -> bool:
    """Offer numbers, graph, programs, report and session; each is made when it is asked for.

    Nothing is drawn in a box that is closed, so that sliders need not wait for it.

    Returns
    -------
    bool
        Whether the box is open.
    """
    box = st.expander("Export", key="takeaway", on_change="rerun")
    if not box.open:
        return False
    study = node_study(graph, kernel, picture)
    with box:
        download_row("Numbers", _numbers(study, graph, kernel, picture))
        download_row("The graph", graph_files(study, graph.graph, "take-"))
        download_row("Python code for the same numbers", program_files(study, "take-"))
        download_row(
            "Report and session",
            [
                Download(
                    "take-report",
                    "Report",
                    study_file_name(study, "report", "html"),
                    lambda: playground_report(graph, kernel, picture),
                    "One HTML file with pictures that move, numbers and parameters. It opens "
                    "without a network.",
                ),
                _session("take-session", "Session", graph, kernel, picture, selection),
            ],
        )
        picture_format_choice()
        st.caption("Graph, embedding and matrix have buttons for both.")
    return True


def link_notice(
    words: str,
    graph: ChosenGraph,
    kernel: KernelChoice,
    picture: PictureChoice,
    selection: list[int],
) -> None:
    """Say what the link of the page does not hold, if anything, and offer it as a file."""
    if words:
        download = _session("link-session", "Save the session", graph, kernel, picture, selection)
        download_row(words, [download])


def _session(
    key: str,
    label: str,
    graph: ChosenGraph,
    kernel: KernelChoice,
    picture: PictureChoice,
    selection: list[int],
) -> Download:
    name = study_file_name(node_study(graph, kernel, picture), "session", "json")
    return Download(
        key,
        label,
        name,
        lambda: save_session(session_of(graph, kernel, picture, selection)),
        "Graph, edits, kernel, pictures and selection as they are set now. “Load a session” in "
        "the sidebar brings them back.",
    )


def _numbers(
    study: NodeStudy, graph: ChosenGraph, kernel: KernelChoice, picture: PictureChoice
) -> list[Download]:
    def embedding(write: Callable[..., bytes]) -> bytes:
        return write(graph.graph, way_of(graph, kernel, picture.n_axes), orbits_of(graph))

    def matrix(write: Callable[..., bytes]) -> bytes:
        return write(graph.graph, kernel_of(graph, kernel).kernel_at(kernel.n_iterations))

    is_long = graph.graph.n_vertices > _MOST_ROWS
    where = "Names, orbits, colours and coordinates of all vertices"
    return [
        Download(
            "take-embedding-csv",
            "Embedding, CSV",
            study_file_name(study, "embedding", "csv"),
            lambda: embedding(embedding_csv),
            f"{where} after the last round, for spreadsheets.",
        ),
        Download(
            "take-embedding-npz",
            "Embedding, NPZ",
            study_file_name(study, "embedding", "npz"),
            lambda: embedding(embedding_npz),
            f"{where} in every round, for numpy.",
        ),
        Download(
            "take-kernel-csv",
            "Kernel, CSV",
            study_file_name(study, "kernel", "csv"),
            lambda: matrix(kernel_csv),
            _TOO_MANY if is_long else "Similarities of all pairs of vertices, for spreadsheets.",
            is_long,
        ),
        Download(
            "take-kernel-npz",
            "Kernel, NPZ",
            study_file_name(study, "kernel", "npz"),
            lambda: matrix(kernel_npz),
            _TOO_MANY if is_long else "Similarities of all pairs of vertices, for numpy.",
            is_long,
        ),
    ]
