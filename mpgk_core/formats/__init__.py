"""Files in: one reader per format, none of which trusts its input."""

from mpgk_core.formats.columns import Role, guess_roles
from mpgk_core.formats.format import READINGS
from mpgk_core.formats.graph_tables import GraphTables
from mpgk_core.formats.reading import FORMATS, read_graphs, read_tables
from mpgk_core.formats.several_files import read_many
from mpgk_core.formats.source import Bounds, bounds
from mpgk_core.formats.summary import Summary, n_copies, summary_of
from mpgk_core.text import counted

__all__ = [
    "FORMATS",
    "READINGS",
    "Bounds",
    "GraphTables",
    "Role",
    "Summary",
    "bounds",
    "counted",
    "guess_roles",
    "n_copies",
    "read_graphs",
    "read_many",
    "read_tables",
    "summary_of",
]
