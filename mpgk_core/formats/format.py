"""What a reader of one format offers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from mpgk_core.formats.graph_tables import GraphTables
from mpgk_core.formats.source import Source

#: How rows of cells can be understood, by the key that asks for it.
READINGS: dict[str, str] = {
    "edge-list": "an edge list: one edge per line",
    "edge-array": "an edge array: two rows of vertex numbers",
    "adjacency-matrix": "an adjacency matrix: one row and one column per vertex",
    "adjacency-list": "an adjacency list: a vertex and its neighbours per line",
    "multiline-adjacency-list": "a multiline adjacency list: a vertex and its degree, then one "
    "line per neighbour",
}


def _never(_: Source) -> bool:
    return False


def _no_doubt(_: Source) -> None:
    return None


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
    reading : str
        For formats whose files could be taken for others: a key of ``READINGS``.
    is_possible : callable
        Whether the content could be meant in this way, though another way may be likelier.
    doubt : callable
        Why a file is hardly meant in this way, though it could be read so, and what to do: two
        sentences, or None. Not asked where the user has asked for this reading.
    """

    title: str
    extensions: tuple[str, ...]
    recognises: Callable[[Source], bool]
    read: Callable[[Source], GraphTables]
    reading: str = ""
    is_possible: Callable[[Source], bool] = field(default=_never)
    doubt: Callable[[Source], tuple[str, str] | None] = field(default=_no_doubt)
