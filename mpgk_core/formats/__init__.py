"""Files in and out: one file per format, which reads and writes it; no reader trusts its input."""

from mpgk_core.formats.columns import EdgeRole, Role, guess_edge_roles, guess_roles
from mpgk_core.formats.files import (
    FORMATS,
    WRITERS,
    read_graphs,
    read_many,
    read_tables,
    write_graphs,
)
from mpgk_core.formats.format import READINGS, GraphTables, Writer
from mpgk_core.formats.graph_rows import classes_of_graphs, matrix_of_graphs, splits_of_graphs
from mpgk_core.formats.source import Bounds, bounds
from mpgk_core.formats.summary import Summary, losses_of_writing, n_copies, summary_of
from mpgk_core.text import counted

__all__ = [
    "FORMATS",
    "READINGS",
    "WRITERS",
    "Bounds",
    "EdgeRole",
    "GraphTables",
    "Role",
    "Summary",
    "Writer",
    "bounds",
    "classes_of_graphs",
    "counted",
    "guess_edge_roles",
    "guess_roles",
    "losses_of_writing",
    "matrix_of_graphs",
    "n_copies",
    "read_graphs",
    "read_many",
    "read_tables",
    "splits_of_graphs",
    "summary_of",
    "write_graphs",
]
