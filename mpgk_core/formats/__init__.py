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
    "counted",
    "guess_edge_roles",
    "guess_roles",
    "losses_of_writing",
    "n_copies",
    "read_graphs",
    "read_many",
    "read_tables",
    "summary_of",
    "write_graphs",
]
