"""Plotly figures of graphs, embeddings and kernels; they work in a notebook as well."""

from mpgk_core.plotting.colouring import (
    Colouring,
    colour_by_class,
    colour_by_number,
    colour_by_orbit,
)
from mpgk_core.plotting.embedding_figure import embedding_figure
from mpgk_core.plotting.graph_figure import MOST_EDGES_DRAWN, graph_figure
from mpgk_core.plotting.layouts import LAYOUTS, graph_layout
from mpgk_core.plotting.matrix_figure import MOST_ROWS_DRAWN, matrix_figure, matrix_rows
from mpgk_core.plotting.style import safe_names

__all__ = [
    "LAYOUTS",
    "MOST_EDGES_DRAWN",
    "MOST_ROWS_DRAWN",
    "Colouring",
    "colour_by_class",
    "colour_by_number",
    "colour_by_orbit",
    "embedding_figure",
    "graph_figure",
    "graph_layout",
    "matrix_figure",
    "matrix_rows",
    "safe_names",
]
