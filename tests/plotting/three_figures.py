"""The graph, its embedding and its kernel matrix, drawn for tests."""

from types import SimpleNamespace

import numpy as np
import pytest

from mpgk_core import GraphSet, MessagePassingNodeKernel, orbits
from mpgk_core.embedding.trajectory import trajectory
from mpgk_core.plotting import (
    colour_by_orbit,
    embedding_figure,
    graph_figure,
    graph_layout,
    matrix_figure,
    matrix_rows,
    safe_names,
)

FIGURES = ["graph", "embedding", "matrix"]
EVERY_FIGURE = pytest.mark.parametrize("name", FIGURES)


def figures_of(graph, n_iterations=3, controls=False, n_axes=2):
    graphs = GraphSet.from_networkx(graph)
    kernel = MessagePassingNodeKernel(n_iterations=n_iterations, features="degree", normalize=True)
    way = trajectory(graphs, kernel.fit(graphs), n_axes)
    points = way.point_of_class[:, way.class_of_vertex]
    colouring = colour_by_orbit(orbits(graphs).of_vertex, points)
    names, rows = safe_names(graphs.names), matrix_rows(np.arange(len(graph)))
    positions = graph_layout(graphs, "circle")
    kernels = kernel.kernels_at_all_t(rows)
    return SimpleNamespace(
        way=way,
        colouring=colouring,
        graph=graph_figure(graphs, positions, colouring, controls),
        embedding=embedding_figure(way, colouring, names, controls),
        matrix=matrix_figure(kernels, rows, names, controls),
    )
