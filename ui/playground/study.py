"""Linked figures of a graph with a frame for every round, as JSON for the browser."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from mpgk_core import GraphSet, colour_refinement, plotting
from mpgk_core.arrays import cosine_normalised
from mpgk_core.embedding.methods import VERTEX_METHODS
from mpgk_core.embedding.trajectory import Trajectory, kernel_clusters
from mpgk_core.errors import shortened
from mpgk_core.export import NodeStudy
from mpgk_core.formats import counted
from mpgk_core.kernels.update import KernelParameters
from mpgk_core.plotting import Colouring, Drawing, colour_by_class, colour_by_number, safe_names
from mpgk_core.plotting.edge_looks import edge_looks
from mpgk_core.plotting.embedding_figure import embedding_words, recovery_words
from mpgk_core.plotting.matrix_figure import matrix_words
from mpgk_core.refinement.colour_refinement import agreeing
from ui.playground.edits import MAX_DRAWN
from ui.shared.computed import (
    kernel_of,
    layout_of,
    method_way,
    orbits_of,
    recoveries_of,
    separation_of,
    way_of,
)
from ui.shared.widgets import RANGES, number, one_of, slider, switch
from ui.state.address import read_old_switch
from ui.state.cache import cached
from ui.state.choices import ChosenGraph, PictureChoice

COLOURINGS = {
    "orbit": "Orbit",
    "refinement": "Colour refinement after t rounds",
    "points": "Points of the kernel",
    "clusters": "Clusters of the kernel",
    "degree": "Degree",
    "label": "Label",
    "attribute": "Attribute",
}
AXES = {"fit": "Fit", "equal": "Equal scales", "stretch": "Stretched", "rank": "Ranks"}


def colourings_of(graph: GraphSet) -> list[str]:
    """Return the keys of the colourings that make sense for a graph."""
    missing = {"label"} if graph.label_codes is None else set()
    if graph.attributes is None:
        missing.add("attribute")
    return [key for key in COLOURINGS if key not in missing]


def methods_for(graph: GraphSet) -> dict[str, str]:
    """Return the titles of the methods that need not be waited for on this graph."""
    return {key: one.title for key, one in VERTEX_METHODS.items() if one.is_quick(graph)}


def picture_controls(graph: GraphSet) -> PictureChoice:
    """Let the user choose how things are drawn."""
    st.subheader("Pictures")
    beside = one_of("beside", "Second plane", methods_for(graph), draw=st.selectbox)
    if beside:
        st.caption(VERTEX_METHODS[beside].note)
    colours = {key: COLOURINGS[key] for key in colourings_of(graph)}
    colour = one_of("colour", "Colour by", colours, draw=st.selectbox)
    n_clusters, attribute = 4, 1
    if colour == "clusters":
        n_clusters = slider("clusters", "Clusters", *RANGES["clusters"], 4)
    if colour == "attribute" and graph.attributes is not None and graph.attributes.shape[1] > 1:
        attribute = number("attribute", "Attribute", 1, graph.attributes.shape[1], 1)
    read_old_switch("rank", "axes")
    axes = one_of("axes", "Scales of the axes", AXES, draw=st.selectbox)
    n_axes = 3 if switch("three", "Three axes") else 2
    layout = one_of("layout", "Layout of the graph", list(plotting.LAYOUTS), draw=st.selectbox)
    return PictureChoice(layout, colour, n_axes, axes, n_clusters, attribute - 1, beside)


@cached(spinner="Drawing …")
def study_of(
    graph: ChosenGraph, kernel: KernelParameters, picture: PictureChoice, has_matrix: bool = False
) -> str:
    """Return figures, frames and links for the browser.

    Vertices that coincide in all rounds share a row of the matrix; the browser gives each its own.
    Where the matrix is not seen, it is neither computed nor sent.
    """
    way = way_of(graph, kernel, picture.n_axes)
    orbit = orbits_of(graph, kernel.edges).of_vertex
    rows = _rows(orbit)
    shared, row_of_vertex = np.unique(way.class_of_vertex[rows], return_inverse=True)
    study = node_study(graph, kernel, picture)
    words = study_words(graph, kernel, picture)
    words["embedding"] = embedding_words(way)
    figures = _pictures(graph, kernel, picture)
    if has_matrix:
        matrix = _matrix(graph, kernel, way.representatives[shared], picture.matrix)
        cells = matrix.data[0]
        cells.pop("text", None)  # the browser names the cells when it gives every vertex a row
        similarity = cells["z"][np.ix_(row_of_vertex, row_of_vertex)]
        words["matrix"] += f" {matrix_words(similarity, orbit[rows])}"
        figures["matrix"] = matrix
    parts = ",".join(f'"{name}":{figure.to_json()}' for name, figure in figures.items())
    planes = _ways(graph, kernel, picture)
    rest = {
        "last": way.n_rounds,
        "rounds": _rounds(graph, kernel, way),
        "under": _under(graph, kernel, picture),
        "words": words,
        "colourWords": _once(colouring_of(graph, kernel, picture).words),
        "files": {name: study.file_name(name, "svg")[: -len(".svg")] for name in figures},
        "links": {
            "orbit": orbit.tolist(),
            "planes": {
                name: {
                    "classOfVertex": one.class_of_vertex.tolist(),
                    "pointOfClass": one.point_of_class.tolist(),
                }
                for name, one in planes.items()
            },
            "neighbours": _neighbours(graph.graph),
            "matrixRows": rows.tolist(),
            "sharedRows": row_of_vertex.tolist(),
            "names": [str(name)[:60] for name in graph.graph.names],
        },
        "edges": _edges(graph.graph, kernel.edges, layout_of(graph, picture.layout)),
        "places": {
            "key": graph.origin.key if graph.origin else graph.key,
            "layout": picture.layout,
            "positions": layout_of(graph, picture.layout).round(4).tolist(),
        },
    }
    return f'{{"figures":{{{parts}}},{json.dumps(rest)[1:]}'


def _once(words: list[list[str]]) -> list[list[str]]:
    """Return the words of all rounds, or of one if they are the same in all."""
    return words if any(row != words[0] for row in words) else words[:1]


def _rounds(graph: ChosenGraph, kernel: KernelParameters, way: Trajectory) -> list[str]:
    """Say what is reached in every round."""
    return [
        f"t = {t} of {way.n_rounds}: {counted(found.n_points, 'point')}, {found.n_recovered} of "
        f"{counted(found.n_orbits, 'orbit')} recovered"
        for t, found in enumerate(recoveries_of(graph, kernel))
    ]


def _under(
    graph: ChosenGraph, kernel: KernelParameters, picture: PictureChoice
) -> dict[str, list[str]]:
    """Say under every plane, for every round, how well it separates the orbits."""
    under = {"embedding": [recovery_words(one) for one in recoveries_of(graph, kernel)]}
    if picture.beside:
        last = kernel.n_iterations
        rounds = range(last + 1) if picture.beside == "wl" else [last] * (last + 1)
        method = VERTEX_METHODS[picture.beside]
        why = "" if method.is_structural else " Vertices that are far apart in the graph are too."
        under["other"] = [
            f"{recovery_words(one)}{why}"
            for one in (separation_of(graph, picture.beside, t, kernel.edges) for t in rounds)
        ]
    return under


def _edges(graph: GraphSet, use: str, positions: NDArray[np.float64]) -> dict[str, Any] | None:
    """Return the looks of edges, and all edges; None for plain ones.

    An edge is its source, its target, its look, and the side on which the ring of a bond lies.
    """
    looks = edge_looks(graph, use) if graph.n_vertices <= MAX_DRAWN else None
    if looks is None:
        return None
    return {
        "looks": [look._asdict() for look in looks.looks],
        "legend": [look._asdict() for look in looks.legend],
        "words": looks.words,
        "edges": np.column_stack(
            [looks.ends, looks.of_edge, looks.inner_sides(positions)]
        ).tolist(),
    }


def _neighbours(graph: GraphSet) -> list[list[int]]:
    starts, ends = graph.adjacency.indptr, graph.adjacency.indices.tolist()
    return [ends[a:b] for a, b in pairwise(starts.tolist())]


def drawings_of(
    graph: ChosenGraph, kernel: KernelParameters, picture: PictureChoice
) -> dict[str, Drawing]:
    """Draw graph, planes and matrix with a frame for every round."""
    rows = _rows(orbits_of(graph, kernel.edges).of_vertex)
    matrix = _matrix(graph, kernel, rows, picture.matrix)
    return _pictures(graph, kernel, picture) | {"matrix": matrix}


def _matrix(
    graph: ChosenGraph, kernel: KernelParameters, rows: NDArray[np.int64], kind: str
) -> Drawing:
    names = safe_names(graph.graph.names)
    kernels = kernel_of(graph, kernel).kernels_at_all_t(rows)
    if kind == "values":
        both = [kernel_of(graph, kernel.compared_by(name)) for name in ("R", "A")]
        largest = max(k.max() for one in both for k in one.kernels_at_all_t(rows))
        return plotting.draw_matrix(list(kernels), rows, names, float(largest))
    cosines = [cosine_normalised(k, k.diagonal(), k.diagonal()) for k in kernels]
    return plotting.draw_matrix(cosines, rows, names)


def _pictures(
    graph: ChosenGraph, kernel: KernelParameters, picture: PictureChoice
) -> dict[str, Drawing]:
    colouring = colouring_of(graph, kernel, picture)
    names = safe_names(graph.graph.names)
    places = layout_of(graph, picture.layout)
    return {
        "graph": plotting.draw_graph(graph.graph, places, colouring, kernel.edges),
        **{
            name: plotting.draw_embedding(way.with_axes(picture.axes), colouring, names)
            for name, way in _ways(graph, kernel, picture).items()
        },
    }


def _ways(
    graph: ChosenGraph, kernel: KernelParameters, picture: PictureChoice
) -> dict[str, Trajectory]:
    """Return what the planes show."""
    ways = {"embedding": way_of(graph, kernel, picture.n_axes)}
    if picture.beside:
        ways["other"] = method_way(graph, picture.beside, kernel.n_iterations, picture.n_axes)
    return ways


def _rows(orbit: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the vertices of the matrix, those of one orbit side by side."""
    return plotting.matrix_rows(np.argsort(orbit, kind="stable"))


@cached()
def colouring_of(
    chosen: ChosenGraph, kernel: KernelParameters, picture: PictureChoice
) -> Colouring:
    """Colour the vertices in every round."""
    graph, key, n = chosen.graph, picture.colour, kernel.n_iterations
    points = way_of(chosen, kernel, picture.n_axes)
    point_of_vertex = points.point_of_class[:, points.class_of_vertex]
    rounds = range(n + 1)
    if key == "clusters":
        fitted = kernel_of(chosen, kernel)
        found = [kernel_clusters(graph, fitted, picture.n_clusters, t) for t in rounds]
        return colour_by_class(COLOURINGS[key], np.array(found), "cluster")
    if key == "refinement":
        refined = (colour_refinement(graph, t, edges=kernel.edges) for t in rounds)
        classes = np.array([agreeing(colours) for colours in refined])
        return colour_by_class(COLOURINGS[key], classes, "colour")
    if key == "points":
        agreed = np.array([agreeing(row) for row in point_of_vertex])
        return colour_by_class(COLOURINGS[key], agreed, "point")
    if key == "none":
        plain = colour_by_class("", np.zeros((n + 1, graph.n_vertices), dtype=np.int64), "")
        return Colouring("", plain.colours, [[""] * graph.n_vertices] * (n + 1))
    if key == "degree":
        return colour_by_number("Degree", np.diff(graph.adjacency.indptr).astype(np.float64), n)
    if key == "label" and graph.label_codes is not None:
        codes = np.tile(agreeing(graph.label_codes), (n + 1, 1))
        colours = colour_by_class("Label", codes, "label").colours
        return Colouring("Label", colours, [safe_names(graph.named().labels or [])] * (n + 1))
    if key == "attribute" and graph.attributes is not None:
        return colour_by_number("Attribute", graph.attributes[:, picture.attribute], n)
    return plotting.colour_by_orbit(orbits_of(chosen, kernel.edges).of_vertex, point_of_vertex)


def study_words(
    chosen: ChosenGraph, kernel: KernelParameters, picture: PictureChoice
) -> dict[str, str]:
    """Describe the pictures, for titles and for those who cannot see them."""
    graph, way = chosen.graph, way_of(chosen, kernel, picture.n_axes)
    colouring = colouring_of(chosen, kernel, picture)
    size = f"{counted(graph.n_vertices, 'vertex', 'vertices')}, {counted(graph.n_edges, 'edge')}"
    title = f"{shortened(chosen.title)}: {size}. Coloured by {_in_words(colouring.title)}"
    if graph.n_edges > plotting.MAX_EDGES_DRAWN:
        title += " (only part of the edges drawn)"
    if graph.n_vertices > MAX_DRAWN:
        title += f". A still picture: graphs of up to {MAX_DRAWN} vertices can be edited in it"
    looks = edge_looks(graph, kernel.edges) if graph.n_vertices <= plotting.MAX_STYLED else None
    facts = "" if looks is None else f" {looks.words}."
    if looks is not None and graph.n_vertices > MAX_DRAWN:  # there is no legend beside it
        title += f". {looks.words}"
    if graph.edges is not None and graph.n_vertices > plotting.MAX_STYLED:
        title += (
            f". Above {plotting.MAX_STYLED:,} vertices, labels, weights and directions of edges "
            "are not drawn"
        )
    matrix = "Similarity of vertices, ordered by orbit"
    if graph.n_vertices > plotting.MAX_ROWS_DRAWN:
        matrix += f" ({plotting.MAX_ROWS_DRAWN} of {graph.n_vertices:,} vertices)"
    vertices = counted(graph.n_vertices, "vertex", "vertices")
    points = counted(way.n_points(way.n_rounds), "point")
    other = VERTEX_METHODS[picture.beside].title if picture.beside else ""
    colours = counted(colouring.n_colours(way.n_rounds), "colour")
    return {
        "graphTitle": title,
        "matrixTitle": matrix,
        "otherTitle": other,
        "graph": f"{title}: {colours}.{facts if graph.n_vertices <= MAX_DRAWN else ''}",
        "other": f"Plane of {vertices} by {other}." if other else "",
        "embedding": f"Kernel-PCA plane of {vertices} on {points}.",
        "matrix": f"{matrix}: cosine of the kernel between vertices.",
    }


def _in_words(title: str) -> str:
    return title[:1].lower() + title[1:]


def node_study(graph: ChosenGraph, kernel: KernelParameters, picture: PictureChoice) -> NodeStudy:
    """Describe graph, kernel and embedding so that anyone can compute them again."""
    return NodeStudy(graph.source, kernel, picture.n_axes)
