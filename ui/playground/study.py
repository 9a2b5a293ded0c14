"""Three linked figures of a graph with a frame for every round, as JSON for the browser."""

from __future__ import annotations

import json
from itertools import pairwise

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from mpgk_core import GraphSet, colour_refinement, plotting
from mpgk_core.arrays import cosine_normalised
from mpgk_core.embedding.trajectory import kernel_clusters
from mpgk_core.export import NodeStudy
from mpgk_core.formats import counted
from mpgk_core.kernels.parameters import KernelParameters
from mpgk_core.plotting import Colouring, Drawing, colour_by_class, colour_by_number, safe_names
from mpgk_core.plotting.embedding_figure import embedding_words
from mpgk_core.plotting.matrix_figure import matrix_words
from mpgk_core.refinement.colour_refinement import agreeing
from ui.shared.computed import kernel_of, layout_of, orbits_of, way_of
from ui.shared.controls import RANGES
from ui.shared.widgets import number, one_of, slider, switch
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


def colourings_of(graph: GraphSet) -> list[str]:
    """Return the keys of the colourings that make sense for a graph."""
    missing = {"label"} if graph.label_codes is None else set()
    if graph.attributes is None:
        missing.add("attribute")
    return [key for key in COLOURINGS if key not in missing]


def picture_controls(graph: GraphSet) -> PictureChoice:
    """Let the user choose how things are drawn."""
    st.subheader("Pictures")
    colours = {key: COLOURINGS[key] for key in colourings_of(graph)}
    colour = one_of("colour", "Colour by", colours, draw=st.selectbox)
    n_clusters, attribute = 4, 1
    if colour == "clusters":
        n_clusters = slider("clusters", "Clusters", *RANGES["clusters"], 4)
    if colour == "attribute" and graph.attributes is not None and graph.attributes.shape[1] > 1:
        attribute = number("attribute", "Attribute", 1, graph.attributes.shape[1], 1)
    is_ranked = switch("rank", "Spread the points evenly")
    n_axes = 3 if switch("three", "Three axes") else 2
    layout = one_of("layout", "Layout of the graph", list(plotting.LAYOUTS), draw=st.selectbox)
    return PictureChoice(layout, colour, n_axes, is_ranked, n_clusters, attribute - 1)


@cached(spinner="Drawing …")
def study_of(graph: ChosenGraph, kernel: KernelParameters, picture: PictureChoice) -> str:
    """Return figures, frames and links for the browser.

    Vertices that coincide in all rounds share a row of the matrix; the browser gives each its own.
    """
    way = way_of(graph, kernel, picture.n_axes)
    orbit = orbits_of(graph).of_vertex
    rows = _rows(orbit)
    shared, row_of_vertex = np.unique(way.class_of_vertex[rows], return_inverse=True)
    figures = _drawings(graph, kernel, picture, way.representatives[shared])
    cells = figures["matrix"].data[0]
    cells.pop("text", None)  # the browser names the cells when it gives every vertex a row
    similarity = cells["z"][np.ix_(row_of_vertex, row_of_vertex)]
    study = node_study(graph, kernel, picture)
    words = study_words(graph, kernel, picture)
    words["embedding"] = embedding_words(way)
    words["matrix"] += f" {matrix_words(similarity, orbit[rows])}"
    parts = ",".join(f'"{name}":{figure.to_json()}' for name, figure in figures.items())
    starts, ends = graph.graph.adjacency.indptr, graph.graph.adjacency.indices.tolist()
    rest = {
        "last": way.n_rounds,
        "rounds": [
            f"t = {t} of {way.n_rounds}: {counted(way.n_points(t), 'point')}"
            for t in range(way.n_rounds + 1)
        ],
        "redraw": {
            "graph": figures["graph"].data[1]["type"] == "scattergl",
            "embedding": figures["embedding"].data[0]["type"] != "scatter",
            "matrix": True,
        },
        "words": words,
        "files": {name: study.file_name(name, "svg")[: -len(".svg")] for name in figures},
        "links": {
            "orbit": orbit.tolist(),
            "classOfVertex": way.class_of_vertex.tolist(),
            "pointOfClass": way.point_of_class.tolist(),
            "neighbours": [ends[a:b] for a, b in pairwise(starts.tolist())],
            "matrixRows": rows.tolist(),
            "sharedRows": row_of_vertex.tolist(),
            "names": [str(name)[:60] for name in graph.graph.names],
        },
    }
    return f'{{"figures":{{{parts}}},{json.dumps(rest)[1:]}'


def drawings_of(
    graph: ChosenGraph, kernel: KernelParameters, picture: PictureChoice
) -> dict[str, Drawing]:
    """Draw graph, embedding and matrix with a frame for every round."""
    return _drawings(graph, kernel, picture, _rows(orbits_of(graph).of_vertex))


def _drawings(
    graph: ChosenGraph, kernel: KernelParameters, picture: PictureChoice, rows: NDArray[np.int64]
) -> dict[str, Drawing]:
    way = way_of(graph, kernel, picture.n_axes)
    colouring = colouring_of(graph, kernel, picture)
    names = safe_names(graph.graph.names)
    kernels = [
        cosine_normalised(k, k.diagonal(), k.diagonal())
        for k in kernel_of(graph, kernel).kernels_at_all_t(rows)
    ]
    places, shown = layout_of(graph, picture.layout), way.ranked() if picture.is_ranked else way
    return {
        "graph": plotting.draw_graph(graph.graph, places, colouring),
        "embedding": plotting.draw_embedding(shown, colouring, names),
        "matrix": plotting.draw_matrix(kernels, rows, names),
    }


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
        classes = np.array([agreeing(colour_refinement(graph, t)) for t in rounds])
        return colour_by_class(COLOURINGS[key], classes, "colour")
    if key == "points":
        agreed = np.array([agreeing(row) for row in point_of_vertex])
        return colour_by_class(COLOURINGS[key], agreed, "point")
    if key == "degree":
        return colour_by_number("Degree", np.diff(graph.adjacency.indptr).astype(np.float64), n)
    if key == "label" and graph.label_codes is not None:
        codes = np.tile(agreeing(graph.label_codes), (n + 1, 1))
        colours = colour_by_class("Label", codes, "label").colours
        return Colouring("Label", colours, [safe_names(graph.labels or [])] * (n + 1))
    if key == "attribute" and graph.attributes is not None:
        return colour_by_number("Attribute", graph.attributes[:, picture.attribute], n)
    return plotting.colour_by_orbit(orbits_of(chosen).of_vertex, point_of_vertex)


def study_words(
    chosen: ChosenGraph, kernel: KernelParameters, picture: PictureChoice
) -> dict[str, str]:
    """Describe the pictures, for titles and for those who cannot see them."""
    graph, way = chosen.graph, way_of(chosen, kernel, picture.n_axes)
    colouring = colouring_of(chosen, kernel, picture)
    title = f"Graph, coloured by {colouring.title[0].lower() + colouring.title[1:]}"
    if graph.n_edges > plotting.MAX_EDGES_DRAWN:
        title += f" (only part of its {graph.n_edges:,} edges drawn)"
    matrix = "Similarity of vertices, ordered by orbit"
    if graph.n_vertices > plotting.MAX_ROWS_DRAWN:
        matrix += f" ({plotting.MAX_ROWS_DRAWN} of {graph.n_vertices:,} vertices)"
    vertices = counted(graph.n_vertices, "vertex", "vertices")
    points = counted(way.n_points(way.n_rounds), "point")
    colours = counted(colouring.n_colours(way.n_rounds), "colour")
    return {
        "graphTitle": title,
        "matrixTitle": matrix,
        "graph": f"{title}: {vertices}, {counted(graph.n_edges, 'edge')}, {colours}.",
        "embedding": f"Kernel-PCA plane of {vertices} on {points}.",
        "matrix": f"{matrix}: cosine of the kernel between vertices.",
    }


def node_study(graph: ChosenGraph, kernel: KernelParameters, picture: PictureChoice) -> NodeStudy:
    """Describe graph, kernel and embedding so that anyone can compute them again."""
    return NodeStudy(graph.source, kernel, picture.n_axes)
