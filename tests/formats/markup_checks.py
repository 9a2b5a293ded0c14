"""What the tests of formats with named vertices share: oracles from networkx, and bad files."""

from __future__ import annotations

from pathlib import Path
from random import Random

import networkx as nx
import numpy as np
import pytest

from mpgk_core import InvalidGraphError
from mpgk_core.errors import UnreadableFileError
from mpgk_core.formats import GraphTables
from mpgk_core.formats.format import Format
from mpgk_core.formats.source import Source
from tests.formats.hostile import survives, survives_everything

REFUSED = (UnreadableFileError, InvalidGraphError)
SIGNS = [b"", *(bytes([sign]) for sign in b'[]{}()"<>&#*%-=:;,.\0\n'), b"9" * 20, b"1e999", b"NaN"]


def read(format_: Format, content: bytes | str, name: str = "") -> GraphTables:
    """Read content that must be recognised, too."""
    plain = content.encode() if isinstance(content, str) else content
    source = Source(name or f"file{format_.extensions[0]}", plain)
    assert format_.recognises(source)
    return format_.read(source)


def refusal(format_: Format, content: bytes | str) -> str:
    """Return the message with which the content is refused."""
    plain = content.encode() if isinstance(content, str) else content
    with pytest.raises(REFUSED) as caught:
        format_.read(Source(f"file{format_.extensions[0]}", plain)).graph_set()
    return str(caught.value)


def names_of(tables: GraphTables, g: int = 0) -> list:
    start, stop = tables.offsets[g : g + 2].tolist()
    return list(range(stop - start)) if tables.names is None else list(tables.names[start:stop])


def edges_of(tables: GraphTables, g: int = 0) -> set:
    start, stop = tables.offsets[g : g + 2].tolist()
    names = names_of(tables, g)
    return {
        frozenset((names[a - start], names[b - start]))
        for a, b in tables.edges.tolist()
        if start <= a < stop
    }


def assert_same_graph(tables: GraphTables, graph: nx.Graph, g: int = 0) -> None:
    """Names and edges are the same, in the same order of vertices."""
    assert names_of(tables, g) == list(graph)
    assert edges_of(tables, g) == {frozenset(edge[:2]) for edge in graph.edges}


def described_graph(kind: type[nx.Graph] = nx.Graph) -> nx.Graph:
    """A graph with all that the formats have in common: text, whole and real numbers."""
    graph = kind()
    rows = [("a", "red", 1, 0.1), ("b & <b>", "blue", -2, 1e-7), ("ç ☃ ש", "red", 3, -2.5e300)]
    for name, colour, rank, height in rows:
        graph.add_node(name, colour=colour, rank=rank, height=height)
    graph.add_edge("a", "b & <b>", weight=2.5)
    graph.add_edge("b & <b>", "ç ☃ ש", weight=0.0)
    return graph


def assert_described(tables: GraphTables, graph: nx.Graph, keys: tuple[str, ...]) -> None:
    """The columns of the table are the attributes of the nodes."""
    for key in keys:
        assert tables.columns[key].tolist() == [graph.nodes[v][key] for v in graph]
    expected = {"rank": np.dtype("int64"), "height": np.dtype("float64")}
    for key in set(keys) & expected.keys():
        assert tables.columns[key].dtype == expected[key]


def survives_damage(name: str, sample: bytes, seed: int = 0) -> None:
    """Put signs that mean something to a parser in wrong places, besides all else that may come."""
    survives_everything(name, sample)
    chance = Random(seed)
    for _ in range(300):
        damaged = bytearray(sample)
        for _ in range(chance.randint(1, 3)):
            place = chance.randrange(len(damaged))
            damaged[place : place + chance.randint(0, 2)] = chance.choice(SIGNS)
        survives(name, bytes(damaged))


def written(write, graph, path: Path, **options) -> bytes:
    """Return what a function that writes to a path has written."""
    write(graph, path, **options)
    return path.read_bytes()
