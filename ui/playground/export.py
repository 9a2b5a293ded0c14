"""Downloads of the playground: numbers, graph, programs, report and session."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import streamlit as st

from mpgk_core import export
from mpgk_core.export import NodeStudy, PresetGraph, ReportFigure, ReportTable, report
from mpgk_core.formats import summary_of
from mpgk_core.kernels.update import KernelParameters
from ui.playground.study import AXES, COLOURINGS, drawings_of, node_study, study_words
from ui.sessions import playground_session
from ui.shared.charts import picture_format_choice
from ui.shared.computed import kernel_of, orbits_of, verdict_of, way_of
from ui.shared.downloads import Download, Offer, download_row, reported
from ui.state.choices import ChosenGraph, PictureChoice

_MAX_ROWS = 2_000
_TOO_MANY = f"Offered up to {_MAX_ROWS:,} vertices. Take the script: it computes any part of it."
_MAX_LISTED = 1_000


def playground_report(graph: ChosenGraph, kernel: KernelParameters, picture: PictureChoice) -> str:
    """Return the three pictures with all rounds, the verdict, the points and all parameters."""
    study = node_study(graph, kernel, picture)
    found = verdict_of(graph, kernel)
    words = study_words(graph, kernel, picture)
    captions = {
        "graph": words["graphTitle"],
        "embedding": "Kernel-PCA plane: vertices that are alike share a point.",
        "other": f"The same vertices by {words['otherTitle']}.",
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
    return report(study.title, figures, _parameters(study, picture), tables, notes)


def _rounds(graph: ChosenGraph, kernel: KernelParameters, picture: PictureChoice) -> ReportTable:
    way = way_of(graph, kernel, picture.n_axes)
    axes = [f"share of axis {axis + 1}" for axis in range(picture.n_axes)]
    rows = [
        [t, way.n_points(t), *(f"{share:.3g}" for share in way.explained[t])]
        for t in range(way.n_rounds + 1)
    ]
    return ReportTable("Points after t rounds", ("t", "points", *axes), rows)


def _vertices(graph: ChosenGraph, kernel: KernelParameters, picture: PictureChoice) -> ReportTable:
    way = way_of(graph, kernel, picture.n_axes)
    names, orbit = graph.graph.names[:_MAX_LISTED], orbits_of(graph, kernel.edges).of_vertex
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
    graph = study.data.build()
    values = study.data.values if isinstance(study.data, PresetGraph) else {}
    return {
        "graph": study.data.title,
        **{f"graph: {key}": value for key, value in values.items()},
        "vertices": graph.n_vertices,
        "edges": graph.n_edges,
        **reported(study.kernel.settings()),
        "axes": study.n_axes,
        "scales of the axes": AXES[picture.axes],
        "colour by": COLOURINGS[picture.colour],
        **({"clusters": picture.n_clusters} if picture.colour == "clusters" else {}),
        **({"attribute": picture.attribute + 1} if picture.colour == "attribute" else {}),
        "layout of the graph": picture.layout,
    }


def export_box(graph: ChosenGraph, kernel: KernelParameters, picture: PictureChoice) -> bool:
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
    offer = Offer(node_study(graph, kernel, picture), "take-")
    with box:
        download_row("Numbers", _numbers(offer, graph, kernel, picture))
        download_row("The graph", offer.graphs(graph.graph))
        download_row("Python code for the same numbers", offer.programs())
        page = offer.report(lambda: playground_report(graph, kernel, picture))
        download_row("Report and session", [page, _session(offer, "Session", graph)])
        picture_format_choice()
        st.caption("Graph, embedding and matrix have buttons for both.")
    return True


def link_notice(
    words: str, graph: ChosenGraph, kernel: KernelParameters, picture: PictureChoice
) -> None:
    """State what the link of the page does not hold, if anything, and offer it as a file."""
    if words:
        offer = Offer(node_study(graph, kernel, picture), "link-")
        download_row(words, [_session(offer, "Save the session", graph)])


def _session(offer: Offer, label: str, graph: ChosenGraph) -> Download:
    return offer.file("session", label, ("session", "json"), playground_session(graph))


def _numbers(
    offer: Offer, graph: ChosenGraph, kernel: KernelParameters, picture: PictureChoice
) -> list[Download]:
    def embedding(write: Callable[..., bytes]) -> Callable[[], bytes]:
        edges = kernel.edges
        way = partial(way_of, graph, kernel, picture.n_axes)
        return lambda: write(graph.graph, way(), orbits_of(graph, edges), edges)

    def matrix(write: Callable[..., bytes]) -> Callable[[], bytes]:
        return lambda: write(graph.graph, kernel_of(graph, kernel).kernel_at(kernel.n_iterations))

    problem = _TOO_MANY if graph.graph.n_vertices > _MAX_ROWS else ""
    rows = (
        ("embedding", "csv", embedding(export.embedding_csv), ""),
        ("embedding", "npz", embedding(export.embedding_npz), ""),
        ("kernel", "csv", matrix(export.kernel_csv), problem),
        ("kernel", "npz", matrix(export.kernel_npz), problem),
    )
    return [
        offer.file(
            f"{what}-{kind}", f"{what.capitalize()}, {kind.upper()}", (what, kind), make, why_not
        )
        for what, kind, make, why_not in rows
    ]
