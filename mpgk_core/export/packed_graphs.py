"""Graphs as one text that a program can hold: JSON, compressed where it is long."""

from __future__ import annotations

import base64
import binascii
import zlib
from collections.abc import Hashable, Sequence

from mpgk_core.errors import UnreadableFileError
from mpgk_core.export.exact_json import REMEDY, PackedSet, graphs_as_json, graphs_from_json
from mpgk_core.formats import bounds
from mpgk_core.formats.safe_json import load_json
from mpgk_core.formats.source import Source
from mpgk_core.graphs import GraphSet

LONGEST_PLAIN = 20_000
"""Texts of more characters are compressed."""


def packed(graphs: GraphSet, classes: Sequence[Hashable] | None = None) -> str:
    """Return graphs as text: JSON, or letters and digits where that would be long.

    Parameters
    ----------
    graphs : GraphSet
    classes : sequence of hashable, optional
        One for every graph.

    Returns
    -------
    str
        For :func:`unpacked`.

    Examples
    --------
    >>> import networkx as nx
    >>> print(packed(GraphSet.from_networkx(nx.Graph([("a", "b")]))))
    {"graphs": {"directed": false, "multigraph": false, "graph": {},
    "nodes": [
    {"id": "a"},
    {"id": "b"}
    ],
    "edges": [
    {"source": "a", "target": "b"}
    ]}}
    """
    text = graphs_as_json(graphs, classes)
    if len(text) <= LONGEST_PLAIN:
        return text
    return base64.b64encode(zlib.compress(text.encode(), 9)).decode("ascii")


def unpacked(text: str, name: str = "packed graphs") -> PackedSet:
    """Return what :func:`packed` was given; names, labels and attributes are equal to the bit.

    Parameters
    ----------
    text : str
    name : str
        What to call the text in errors.

    Returns
    -------
    PackedSet

    Examples
    --------
    >>> import networkx as nx
    >>> grid = GraphSet.from_networkx(nx.grid_2d_graph(1, 2))
    >>> unpacked(packed(grid)).graphs.names
    [(0, 0), (0, 1)]
    """
    content = text.strip().encode(errors="replace")
    if not content.startswith(b"{"):
        content = _inflated(content, name)
    return graphs_from_json(load_json(Source(name, content)), name)


def _inflated(content: bytes, name: str) -> bytes:
    most = bounds().unpacked_bytes
    try:
        inflater = zlib.decompressobj()
        text = inflater.decompress(base64.b64decode(content, validate=True), most + 1)
        is_whole = inflater.eof and not inflater.unused_data
    except (binascii.Error, zlib.error):
        is_whole, text = False, b""
    if len(text) > most:
        raise UnreadableFileError(
            name, f"It holds more than {most:,} bytes.", "Set MPGK_MAX_UNPACKED_BYTES to more."
        )
    if not is_whole:
        raise UnreadableFileError(name, "The compressed text is damaged.", REMEDY)
    return text
