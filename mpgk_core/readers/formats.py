"""What a reader of one format offers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from mpgk_core.readers.graph_tables import GraphTables
from mpgk_core.readers.source import Source

__all__ = ["Format"]


@dataclass(frozen=True)
class Format:
    """A file format that can be read.

    Attributes
    ----------
    title : str
        Name for people.
    extensions : tuple of str
        Usual ends of file names, small letters, with the point.
    recognises : callable
        Whether the content looks like this format, from its first bytes; never raises.
    read : callable
        Returns the tables or raises ``UnreadableFileError`` or ``InvalidGraphError``, nothing else.
    """

    title: str
    extensions: tuple[str, ...]
    recognises: Callable[[Source], bool]
    read: Callable[[Source], GraphTables]
