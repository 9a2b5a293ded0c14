"""What a reader promises for any file whatsoever, checked from outside."""

from __future__ import annotations

import re
from itertools import pairwise

import numpy as np

from mpgk_core.errors import InvalidGraphError, UnreadableFileError, shortened
from mpgk_core.formats import GraphTables, read_tables

_INNER = re.compile(r"/(?:work|home|usr|tmp|root)/|site-packages|/\w+\.py\b|Traceback|object at 0x")
_LONGEST_MESSAGE = 1000


def outcome(name: str, content: bytes) -> GraphTables | str:
    """Return the tables of a file or the message with which it is refused.

    Any other exception, a message that does not help, or tables that contradict themselves are
    faults: what is raised then is not caught.
    """
    try:
        tables = read_tables(name, content)
        tables.graph_set()
    except (UnreadableFileError, InvalidGraphError) as error:
        check_message(name, str(error))
        return str(error)
    check_tables(tables)
    return tables


def check_message(name: str, message: str) -> None:
    """Assert that a message names the file and ends in advice, and tells nothing of our insides."""
    assert shortened(name)[:20] in message, message
    assert len(message) <= _LONGEST_MESSAGE, message[:200]
    assert message.isprintable(), message
    assert message[-1] in ".}", message
    assert message.count(". ") + message.count(": ") >= 2, message
    assert not _INNER.search(message.replace(shortened(name), "")), message


def check_tables(tables: GraphTables) -> None:
    """Assert that edges join vertices of one graph, and that names and columns fit."""
    n, offsets, edges = tables.n_vertices, tables.offsets, tables.edges
    assert len(tables) >= 1
    assert offsets[0] == 0
    assert (np.diff(offsets) >= 0).all()
    assert edges.ndim == 2
    assert edges.shape[1] == 2
    assert edges.dtype == np.int64
    if len(edges):
        assert edges.min() >= 0
        assert edges.max() < n
        graph = np.repeat(np.arange(len(tables)), np.diff(offsets))
        assert (graph[edges[:, 0]] == graph[edges[:, 1]]).all()
    if tables.names is not None:
        assert len(tables.names) == n
        for start, stop in pairwise(offsets.tolist()):
            assert len(set(tables.names[start:stop])) == stop - start
    of_vertices = [(key, column, n) for key, column in tables.columns.items()]
    of_edges = [(key, column, len(edges)) for key, column in tables.edge_columns.items()]
    for key, column, n_rows in of_vertices + of_edges:
        assert isinstance(key, str)
        assert column.shape == (n_rows,)
        assert column.dtype in (np.dtype(object), np.dtype(np.int64), np.dtype(np.float64))
        if column.dtype == object:
            assert all(cell is None or isinstance(cell, str) for cell in column)
    for fact in (tables.classes, tables.graph_names):
        assert fact is None or len(fact) == len(tables)
