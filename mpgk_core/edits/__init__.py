"""Change a graph, step back and forth, and see what the change does to colours and kernels."""

from mpgk_core.edits.comparison import Comparison, compare
from mpgk_core.edits.graph_edits import (
    MAX_VERTICES,
    Operation,
    renamed,
    typical_values,
    with_edge,
    with_edge_facts,
    with_label,
    with_vertex,
    without_edge,
    without_random_edges,
    without_vertices,
)
from mpgk_core.edits.history import History, Version
from mpgk_core.edits.names import fresh_name, matched_vertices, words_of_change
from mpgk_core.edits.operations import MAX_EDIT_TEXT, edited_by_text
from mpgk_core.edits.perturbation import (
    PerturbationCurve,
    PerturbationTask,
    perturbation_curve,
    perturbation_steps,
)
from mpgk_core.edits.tables import graph_from_tables, tables_of, typed_label, typed_name

__all__ = [
    "MAX_EDIT_TEXT",
    "MAX_VERTICES",
    "Comparison",
    "History",
    "Operation",
    "PerturbationCurve",
    "PerturbationTask",
    "Version",
    "compare",
    "edited_by_text",
    "fresh_name",
    "graph_from_tables",
    "matched_vertices",
    "perturbation_curve",
    "perturbation_steps",
    "renamed",
    "tables_of",
    "typed_label",
    "typed_name",
    "typical_values",
    "with_edge",
    "with_edge_facts",
    "with_label",
    "with_vertex",
    "without_edge",
    "without_random_edges",
    "without_vertices",
    "words_of_change",
]
