"""The compact text formats graph6 and sparse6: one graph per line, six bits per character."""

from __future__ import annotations

import re

import numpy as np

from mpgk_core.formats.format import Format
from mpgk_core.formats.graph6_scanning import (
    FINE,
    FOREIGN,
    OTHER_FORMAT,
    TOO_MANY_GRAPHS,
    WRONG_LENGTH,
    decode,
    measure,
)
from mpgk_core.formats.graph_tables import GraphTables, edge_notes
from mpgk_core.formats.number_table import line_of
from mpgk_core.formats.source import Source

_HEADER = re.compile(rb"\s*>>(?:graph6|sparse6)<<")
_LINES = 20
_FIRST_LINES = re.compile(rb"\s*((?::?[?-~]+(?:[ \t]*[\r\n]+|\Z)){1,%d})" % _LINES)


def read(source: Source) -> GraphTables:
    r"""Read graphs, one from each line; both formats may be mixed.

    Parameters
    ----------
    source : Source
        Lines of graph6 or, starting with a colon, of sparse6.

    Returns
    -------
    GraphTables

    Examples
    --------
    >>> tables = read(Source("a.g6", b"Bw\n:Bd\n"))
    >>> tables.offsets.tolist(), tables.edges.tolist()
    ([0, 3, 6], [[0, 1], [0, 2], [1, 2], [3, 4], [4, 5]])
    """
    content = source.plain
    header = _HEADER.match(content)
    skipped = header.end() if header else 0
    characters = np.frombuffer(content, dtype=np.uint8)[skipped:]
    status, position, graphs, most_edges = measure(characters, source.bounds.vertices)
    _check(source, status, skipped + position)
    if not len(graphs):
        raise source.error("There is no graph in it.", "Write one graph per line.")
    offsets = np.concatenate([[0], np.cumsum(graphs[:, 2])])
    source.bounds.check_vertices(source.name, int(offsets[-1]))
    source.bounds.check_edges(source.name, int(most_edges.sum()))
    room = np.empty((int(most_edges.sum()), 2), dtype=np.int64)
    edges = room[: decode(characters, graphs, offsets, room)]
    return GraphTables(
        source.name,
        "sparse6" if (graphs[:, 3] >= 0).all() else "graph6",
        offsets,
        edges,
        notes=edge_notes(edges, int(offsets[-1])),
    )


def _check(source: Source, status: int, position: int) -> None:
    if status == FINE:
        return
    line = line_of(source.plain, position)
    most = source.bounds.vertices
    problem, remedy = {
        FOREIGN: ("This line is no graph6 or sparse6.", "Write one graph per line."),
        OTHER_FORMAT: (
            "This line is digraph6 or incremental sparse6, which are not read.",
            "Convert it to graph6 or sparse6.",
        ),
        WRONG_LENGTH: (
            "This line is too short or too long for its number of vertices.",
            "It may be cut off.",
        ),
        TOO_MANY_GRAPHS: (f"There are more than {most:,} graphs.", "Give a part of them."),
    }.get(
        status,
        (
            f"This graph has more than {most:,} vertices.",
            "Give a smaller one, or set MPGK_MAX_VERTICES to more.",
        ),
    )
    raise source.error(problem, remedy, line)


def _recognises(source: Source, mark: bytes) -> bool:
    """Return whether the first lines are all graphs, and the first is of the format."""
    content = source.plain
    header = _HEADER.match(content)
    lines = _FIRST_LINES.match(content, header.end() if header else 0)
    if lines is None or lines.group(1).startswith(b":") != (mark == b":"):
        return False
    if header is not None:
        return True
    is_all = lines.end() == len(content) or len(lines.group(1).split()) == _LINES
    characters = np.frombuffer(lines.group(1), dtype=np.uint8)
    return is_all and measure(characters, source.bounds.vertices)[0] == FINE


def _recognises_graph6(source: Source) -> bool:
    return _recognises(source, b"")


def _recognises_sparse6(source: Source) -> bool:
    return _recognises(source, b":")


FORMAT = Format("graph6", (".g6", ".graph6"), _recognises_graph6, read)
SPARSE6 = Format("sparse6", (".s6", ".sparse6"), _recognises_sparse6, read)
