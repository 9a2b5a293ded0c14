"""Files in: one reader per format, none of which trusts its input."""

from mpgk_core.readers.bounds import Bounds, bounds
from mpgk_core.readers.graph_tables import GraphTables
from mpgk_core.readers.reading import FORMATS, read_graphs, read_tables
from mpgk_core.readers.roles import Role, guess_roles
from mpgk_core.readers.several_files import read_many

__all__ = [
    "FORMATS",
    "Bounds",
    "GraphTables",
    "Role",
    "bounds",
    "guess_roles",
    "read_graphs",
    "read_many",
    "read_tables",
]
