"""The files that the playground offers: numbers, graph, programs, report and session."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from mpgk_core import GraphSet
from mpgk_core.export import (
    NodeStudy,
    PresetGraph,
    ReportFigure,
    ReportTable,
    Study,
    embedding_csv,
    embedding_npz,
    kernel_csv,
    kernel_npz,
    notebook,
    report,
    save_session,
    script,
    study_file_name,
)
from mpgk_core.formats import summary_of
from mpgk_core.writers import write_graphs
from ui.downloads import Download, download_row
from ui.playground.study import COLOURINGS, drawings_of, node_study, session_of, study_words
from ui.shared.charts import picture_format_choice
from ui.shared.computed import kernel_of, orbits_of, verdict_of, way_of
from ui.state.choices import ChosenGraph, KernelChoice, PictureChoice

_HELD = (
    "With labels (“label”) and attributes (“attribute_1”, …); undirected, without weights, "
    "self-loops and classes."
)


def graph_files(study: Study, graphs: GraphSet, prefix: str) -> list[Download]:
    """Return the graphs as GraphML and JSON; ``prefix`` begins the keys."""
    what = "graph" if len(graphs) == 1 else "graphs"
    return [
        Download(
            f"{prefix}graphml",
            "GraphML",
            study_file_name(study, what, "graphml"),
            lambda: write_graphs(graphs, "graphml"),
            f"For Gephi, yEd, Cytoscape or networkx. {_HELD}",
        ),
        Download(
            f"{prefix}json",
            "JSON",
            study_file_name(study, what, "json"),
            lambda: write_graphs(graphs, "json"),
            f"As vertices and links. {_HELD}",
        ),
    ]


def program_files(study: Study, prefix: str) -> list[Download]:
    """Return a script and a notebook; ``prefix`` begins the keys."""
    return [
        Download(
            f"{prefix}script",
            "Python script",
            study_file_name(study, "script", "py"),
            lambda: script(study),
            "Computes the same numbers with mpgk_core, and saves them.",
        ),
        Download(
            f"{prefix}notebook",
            "Notebook",
            study_file_name(study, "notebook", "ipynb"),
            lambda: notebook(study),
            "The same for Jupyter, step by step and with pictures.",
        ),
    ]


_MOST_LISTED = 1_000


def playground_report(graph: ChosenGraph, kernel: KernelChoice, picture: PictureChoice) -> str:
    """Return the three pictures with all rounds, the verdict, the points and all parameters."""
    study = node_study(graph, kernel, picture)
    found = verdict_of(graph, kernel)
    words = study_words(graph, kernel, picture)
    captions = {
        "graph": words["graphTitle"],
        "embedding": "Kernel-PCA plane: vertices that are alike share a point.",
        "matrix": words["matrixTitle"],
    }
    figures = [
        ReportFigure(drawing.figure(controls=True), captions[name], words[name])
        for name, drawing in drawings_of(graph, kernel, picture).items()
    ]
    proven = "" if found.orbits_proven else " The orbits are not proven."
    notes = [
        summary_of(graph.graph, graph.title).sentence,
        f"{found.summary}: {found.n_orbits} orbits, {found.n_points} points.{proven}",
        *(f"{c.explanation} {c.suggestion}".strip() for c in found.confusions[:1]),
        *(split.explanation for split in found.split_orbits[:1]),
    ]
    tables = [_rounds(graph, kernel, picture), _vertices(graph, kernel, picture)]
    title = f"Which vertices play the same role? {study.name}"
    return report(title, figures, _parameters(study, picture), tables, notes)


def _rounds(graph: ChosenGraph, kernel: KernelChoice, picture: PictureChoice) -> ReportTable:
    way = way_of(graph, kernel, picture.n_axes)
    axes = [f"share of axis {axis + 1}" for axis in range(picture.n_axes)]
    rows = [
        [t, way.n_points(t), *(f"{share:.3g}" for share in way.explained[t])]
        for t in range(way.n_rounds + 1)
    ]
    return ReportTable("Points after t rounds", ("t", "points", *axes), rows)


def _vertices(graph: ChosenGraph, kernel: KernelChoice, picture: PictureChoice) -> ReportTable:
    way = way_of(graph, kernel, picture.n_axes)
    names, orbit = graph.graph.names[:_MOST_LISTED], orbits_of(graph).of_vertex
    point, places = way.point_of_class[-1], way.points[-1]
    rows = [
        [name, int(orbit[v]) + 1, int(point[c]) + 1, *(f"{x:.6g}" for x in places[c])]
        for v, (name, c) in enumerate(zip(names, way.class_of_vertex, strict=False))
    ]
    more = graph.graph.n_vertices - len(rows)
    axes = [f"axis {axis + 1}" for axis in range(picture.n_axes)]
    caption = "Vertices after the last round" + (f"; {more:,} more are left out" if more else "")
    return ReportTable(caption, ("vertex", "orbit", "point", *axes), rows)


def _parameters(study: NodeStudy, picture: PictureChoice) -> dict[str, Any]:
    graph = study.graph_set()
    values = study.graph.values if isinstance(study.graph, PresetGraph) else {}
    return {
        "graph": study.title,
        **{f"graph: {key}": value for key, value in values.items()},
        "vertices": graph.n_vertices,
        "edges": graph.n_edges,
        **study.kernel.settings(),
        "axes": study.n_axes,
        "points as ranks": picture.is_ranked,
        "colour by": COLOURINGS[picture.colour],
        **({"clusters": picture.n_clusters} if picture.colour == "clusters" else {}),
        **({"attribute": picture.attribute + 1} if picture.colour == "attribute" else {}),
        "layout of the graph": picture.layout,
    }


_MOST_ROWS = 2_000
_TOO_MANY = f"Offered up to {_MOST_ROWS:,} vertices. Take the script: it computes any part of it."


def export_box(
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
