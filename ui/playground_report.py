"""What the playground shows as one page that opens anywhere."""

from __future__ import annotations

from typing import Any

from mpgk_core.readers import summary_of
from mpgk_core.takeaway import NodeStudy, PresetGraph, ReportFigure, ReportTable, report
from ui.cached import orbits_of, verdict_of, way_of
from ui.choices import ChosenGraph, KernelChoice, PictureChoice
from ui.node_study import node_study
from ui.study import COLOURINGS, drawings_of, study_words

__all__ = ["playground_report"]

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
