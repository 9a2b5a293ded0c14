"""Three linked figures of a graph with a frame for every round, as JSON for the browser."""

from __future__ import annotations

import json
from dataclasses import asdict
from itertools import pairwise

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from mpgk_core import GraphSet, colour_refinement
from mpgk_core.arrays import cosine_normalised
from mpgk_core.embedding.trajectory import Trajectory, kernel_clusters
from mpgk_core.export import KernelParameters, NodeStudy
from mpgk_core.formats import counted
from mpgk_core.plotting import (
    LAYOUTS,
    MOST_EDGES_DRAWN,
    MOST_ROWS_DRAWN,
    Colouring,
    Drawing,
    colour_by_class,
    colour_by_number,
    colour_by_orbit,
    draw_embedding,
    draw_graph,
    draw_matrix,
    matrix_rows,
    safe_names,
)
from mpgk_core.plotting.embedding_figure import embedding_words
from mpgk_core.plotting.matrix_figure import matrix_words
from mpgk_core.refinement.colour_refinement import agreeing
from ui.shared.computed import kernel_of, layout_of, orbits_of, way_of
from ui.shared.controls import RANGES
from ui.state.address import among, fitting, one_of
from ui.state.cache import cached
from ui.state.choices import ChosenGraph, KernelChoice, PictureChoice

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


@cached(spinner="Drawing …")
def study_of(graph: ChosenGraph, kernel: KernelChoice, picture: PictureChoice) -> str:
    """Return figures, frames and links for the browser.

    Vertices that coincide in all rounds share a row of the matrix; the browser gives each its own.
    """
    way = way_of(graph, kernel, picture.n_axes)
    orbit = orbits_of(graph).of_vertex
    colouring = colouring_of(graph, kernel, picture)
    rows = _rows(orbit)
    shared, row_of_vertex = np.unique(way.class_of_vertex[rows], return_inverse=True)
    figures = _drawings(graph, kernel, picture, way, colouring, way.representatives[shared])
    cells = figures["matrix"].data[0]
    cells.pop("text", None)  # the browser names the cells when it gives every vertex a row
    similarity = cells["z"][np.ix_(row_of_vertex, row_of_vertex)]
    study = node_study(graph, kernel, picture)
    words = _words(graph.graph, way, colouring)
    said = matrix_words(similarity, orbit[rows])
    words |= {"embedding": embedding_words(way), "matrix": f"{words['matrix']} {said}"}
    parts = ",".join(f'"{name}":{figure.to_json()}' for name, figure in figures.items())
    rest = {
        "last": way.n_rounds,
        "rounds": [_where(way, t) for t in range(way.n_rounds + 1)],
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
            "neighbours": _neighbours(graph.graph),
            "matrixRows": rows.tolist(),
            "sharedRows": row_of_vertex.tolist(),
            "names": [str(name)[:60] for name in graph.graph.names],
        },
    }
    return f'{{"figures":{{{parts}}},{json.dumps(rest)[1:]}'


def drawings_of(
    graph: ChosenGraph, kernel: KernelChoice, picture: PictureChoice
) -> dict[str, Drawing]:
    """Draw graph, embedding and matrix with a frame for every round."""
    way = way_of(graph, kernel, picture.n_axes)
    colouring = colouring_of(graph, kernel, picture)
    return _drawings(graph, kernel, picture, way, colouring, _rows(orbits_of(graph).of_vertex))


def _drawings(
    graph: ChosenGraph,
    kernel: KernelChoice,
    picture: PictureChoice,
    way: Trajectory,
    colouring: Colouring,
    rows: NDArray[np.int64],
) -> dict[str, Drawing]:
    names = safe_names(graph.graph.names)
    kernels = [
        cosine_normalised(k, k.diagonal(), k.diagonal())
        for k in kernel_of(graph, kernel).kernels_at_all_t(rows)
    ]
    return {
        "graph": draw_graph(graph.graph, layout_of(graph, picture.layout), colouring),
        "embedding": draw_embedding(way.ranked() if picture.is_ranked else way, colouring, names),
        "matrix": draw_matrix(kernels, rows, names),
    }


@cached()
def colouring_of(graph: ChosenGraph, kernel: KernelChoice, picture: PictureChoice) -> Colouring:
    """Colour the vertices in every round."""
    if picture.colour == "clusters":
        return _cluster_colouring(graph, kernel, picture.n_clusters)
    way = way_of(graph, kernel, picture.n_axes)
    return _colouring(picture, graph.graph, way, orbits_of(graph).of_vertex)


def _rows(orbit: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the vertices of the matrix, those of one orbit side by side."""
    return matrix_rows(np.argsort(orbit, kind="stable"))


def _colouring(
    picture: PictureChoice, graph: GraphSet, way: Trajectory, orbit: NDArray[np.int64]
) -> Colouring:
    key = picture.colour
    rounds = range(way.n_rounds + 1)
    if key == "refinement":
        classes = np.array([agreeing(colour_refinement(graph, t)) for t in rounds])
        return colour_by_class(COLOURINGS[key], classes, "colour")
    if key == "points":
        points = way.point_of_class[:, way.class_of_vertex]
        return colour_by_class(
            COLOURINGS[key], np.array([agreeing(row) for row in points]), "point"
        )
    if key == "degree":
        degrees = np.diff(graph.adjacency.indptr).astype(np.float64)
        return colour_by_number("Degree", degrees, way.n_rounds)
    if key == "label" and graph.label_codes is not None:
        codes = np.tile(agreeing(graph.label_codes), (len(rounds), 1))
        labelled = colour_by_class("Label", codes, "label")
        words = safe_names(graph.labels or [])
        return Colouring("Label", labelled.colours, [words] * len(rounds))
    if key == "attribute" and graph.attributes is not None:
        return colour_by_number("Attribute", graph.attributes[:, picture.attribute], way.n_rounds)
    return colour_by_orbit(orbit, way.point_of_class[:, way.class_of_vertex])


def _cluster_colouring(graph: ChosenGraph, kernel: KernelChoice, n_clusters: int) -> Colouring:
    fitted = kernel_of(graph, kernel)
    rounds = range(kernel.n_iterations + 1)
    clusters = [kernel_clusters(graph.graph, fitted, n_clusters, t) for t in rounds]
    return colour_by_class(COLOURINGS["clusters"], np.array(clusters), "cluster")


def _neighbours(graph: GraphSet) -> list[list[int]]:
    starts = graph.adjacency.indptr.tolist()
    ends = graph.adjacency.indices.tolist()
    return [ends[a:b] for a, b in pairwise(starts)]


def _where(way: Trajectory, t: int) -> str:
    return f"t = {t} of {way.n_rounds}: {counted(way.n_points(t), 'point')}"


def study_words(
    chosen: ChosenGraph, kernel: KernelChoice, picture: PictureChoice
) -> dict[str, str]:
    """Say what the pictures show, for titles and for those who cannot see them."""
    way = way_of(chosen, kernel, picture.n_axes)
    return _words(chosen.graph, way, colouring_of(chosen, kernel, picture))


def _words(graph: GraphSet, way: Trajectory, colouring: Colouring) -> dict[str, str]:
    title = f"Graph, coloured by {colouring.title[0].lower() + colouring.title[1:]}"
    if graph.n_edges > MOST_EDGES_DRAWN:
        title += f" (only part of its {graph.n_edges:,} edges drawn)"
    matrix = "Similarity of vertices, ordered by orbit"
    if graph.n_vertices > MOST_ROWS_DRAWN:
        matrix += f" ({MOST_ROWS_DRAWN} of {graph.n_vertices:,} vertices)"
    n_points = way.n_points(way.n_rounds)
    return {
        "graphTitle": title,
        "matrixTitle": matrix,
        "graph": f"{title}: {counted(graph.n_vertices, 'vertex', 'vertices')}, "
        f"{counted(graph.n_edges, 'edge')}, "
        f"{counted(colouring.n_colours(way.n_rounds), 'colour')}.",
        "embedding": f"Kernel-PCA plane of {counted(graph.n_vertices, 'vertex', 'vertices')} on "
        f"{counted(n_points, 'point')}.",
        "matrix": f"{matrix}: cosine of the kernel between vertices.",
    }


def node_study(graph: ChosenGraph, kernel: KernelChoice, picture: PictureChoice) -> NodeStudy:
    """Describe graph, kernel and embedding so that anyone can compute them again."""
    return NodeStudy(graph.source, KernelParameters(**asdict(kernel)), picture.n_axes)


def picture_controls(graph: GraphSet) -> PictureChoice:
    """Let the user choose how things are drawn."""
    st.subheader("Pictures")
    colours = colourings_of(graph)
    colour = one_of(
        st.selectbox,
        "Colour by",
        colours,
        colours[0],
        format_func=COLOURINGS.__getitem__,
        key="colour",
        help="The same vertex has the same colour in all pictures. By orbit, vertices that the "
        "kernel cannot tell apart yet share a colour until the last round.",
    )
    n_clusters = 4
    if colour == "clusters":
        n_clusters = st.slider(
            "Clusters",
            *RANGES["clusters"],
            4,
            key="clusters",
            bind="query-params",
            help="How many groups k-means forms in the kernel's feature space, in every round.",
        )
    attribute = 1
    if colour == "attribute" and graph.attributes is not None and graph.attributes.shape[1] > 1:
        last = graph.attributes.shape[1]
        attribute = st.number_input(
            "Attribute",
            1,
            last,
            fitting("attribute", 1, among(range(1, last + 1))),
            key="attribute",
            bind="query-params",
            help="Which of the attributes gives the colour.",
        )
    is_ranked = st.toggle(
        "Spread the points evenly",
        key="rank",
        bind="query-params",
        help="Show ranks instead of coordinates. Distances lose their meaning, but structure at "
        "very different scales becomes visible, for example along the path of a barbell.",
    )
    is_solid = st.toggle(
        "Three axes",
        key="three",
        bind="query-params",
        help="Show the first three axes of the embedding.",
    )
    layouts = list(LAYOUTS)
    layout = one_of(
        st.selectbox,
        "Layout of the graph",
        layouts,
        layouts[0],
        key="layout",
        help="Where the vertices are drawn. It does not change while kernel parameters move.",
    )
    return PictureChoice(layout, colour, 3 if is_solid else 2, is_ranked, n_clusters, attribute - 1)
