"""Plotly figures of graphs, embeddings and kernels; they work in a notebook as well."""

from mpgk_core.plotting.colouring import (
    Colouring,
    colour_by_class,
    colour_by_number,
    colour_by_orbit,
)
from mpgk_core.plotting.embedding_figure import draw_embedding, embedding_figure
from mpgk_core.plotting.graph_figure import MAX_EDGES_DRAWN, MAX_STYLED, draw_graph, graph_figure
from mpgk_core.plotting.graph_layout import LAYOUTS, graph_layout
from mpgk_core.plotting.matrix_figure import MAX_ROWS_DRAWN, draw_matrix, matrix_figure, matrix_rows
from mpgk_core.plotting.style import Drawing, safe_names

__all__ = [
    "LAYOUTS",
    "MAX_EDGES_DRAWN",
    "MAX_ROWS_DRAWN",
    "MAX_STYLED",
    "Colouring",
    "Drawing",
    "colour_by_class",
    "colour_by_number",
    "colour_by_orbit",
    "draw_embedding",
    "draw_graph",
    "draw_matrix",
    "embedding_figure",
    "graph_figure",
    "graph_layout",
    "matrix_figure",
    "matrix_rows",
    "safe_names",
]
