"""graph6 and sparse6: networkx's files, every size of header, and lines that lie."""

import io

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mpgk_core import GraphSet
from mpgk_core.errors import UnreadableFileError
from mpgk_core.formats import graph6, read_graphs, read_tables, write_graphs
from mpgk_core.formats.files import format_of
from mpgk_core.formats.source import Source
from tests.formats.hostile import survives_everything


@st.composite
def sized_graphs(draw):
    """Graphs around the sizes at which sparse6 needs another width or a guarded padding."""
    n = draw(st.integers(0, 20))
    ends = st.integers(0, max(n - 1, 0))
    edges = draw(st.lists(st.tuples(ends, ends), max_size=2 * n if n else 0))
    graph = nx.empty_graph(n)
    graph.add_edges_from((a, b) for a, b in edges if a != b)
    return graph


def same(graphs, expected):
    assert len(graphs) == len(expected)
    for graph, other in zip(graphs.to_networkx(), expected, strict=True):
        assert list(graph) == list(other)
        assert set(map(frozenset, graph.edges())) == set(map(frozenset, other.edges()))


@given(st.lists(sized_graphs(), min_size=1, max_size=5), st.booleans())
def test_networkx_files_are_read_alike(members, header):
    for write in (nx.to_graph6_bytes, nx.to_sparse6_bytes):
        lines = [write(graph, header=header and i == 0) for i, graph in enumerate(members)]
        same(read_graphs("a.g6", b"".join(lines)), members)
        same(read_graphs("a", b"".join(lines).replace(b"\n", b"\r\n")), members)


@given(st.lists(sized_graphs(), min_size=1, max_size=5))
def test_networkx_reads_our_files_alike(members):
    graphs = GraphSet.from_networkx(members)
    for key, read in (("g6", nx.read_graph6), ("s6", nx.read_sparse6)):
        back = read(io.BytesIO(write_graphs(graphs, key)))
        same(graphs, back if isinstance(back, list) else [back])


@pytest.mark.parametrize("n", [62, 63, 300, 258_047, 258_048])
def test_every_length_of_the_number_of_vertices(n):
    graph = nx.empty_graph(n)
    graph.add_edges_from([(0, n - 1), (1, 2), (n - 2, n - 1)])
    graphs = GraphSet.from_networkx(graph)
    keys = ("g6", "s6") if n < 1000 else ("s6",)
    for key in keys:
        back = read_graphs("a", write_graphs(graphs, key))
        assert (back.adjacency != graphs.adjacency).nnz == 0
    assert write_graphs(graphs, "s6") == nx.to_sparse6_bytes(graph, header=False)


def test_self_loops_and_repeats_of_sparse6_are_noted():
    graph = nx.MultiGraph([(0, 1), (0, 1), (2, 2)])
    tables = read_tables("a.s6", nx.to_sparse6_bytes(graph))
    assert len(tables.losses()) == 2
    assert tables.graph_set(self_loops="keep").n_edges == 2


def test_both_formats_may_be_mixed_and_are_told_apart():
    assert read_tables("a.g6", b"Bw\n:Bd\n\n@\n").offsets.tolist() == [0, 3, 6, 7]
    assert format_of(Source("a.txt", b"Bw\nDQc\n")).title == "graph6"
    assert format_of(Source("a", b":Bd\n")).title == "sparse6"


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (b"Bww", "too short or too long"),
        (b"B", "too short or too long"),
        (b"~?", "too short or too long"),
        (b":", "too short or too long"),
        (b"B w", "no graph6"),
        (b"B\xf0", "no graph6"),
        (b"&Bw", "not read"),
        (b";Bw", "not read"),
        (b"~~~~~~~~", "more than 3,000,000 vertices"),
        (b":~~?@????", "more than 3,000,000 vertices"),
    ],
)
def test_wrong_lines_are_named(line, words):
    with pytest.raises(UnreadableFileError, match=words) as caught:
        graph6.read(Source("a.g6", b"Bw\n\n" + line + b"\n"))
    assert caught.value.line == 3


def test_too_many_vertices_or_graphs_are_refused(monkeypatch):
    monkeypatch.setenv("MPGK_MAX_VERTICES", "4")
    with pytest.raises(UnreadableFileError, match="6 vertices, and at most 4"):
        read_tables("a.g6", b"Bw\nBw\n")
    with pytest.raises(UnreadableFileError, match="more than 4 graphs"):
        read_tables("a.g6", b"?\n" * 5)
    monkeypatch.setenv("MPGK_MAX_EDGES", "2")
    with pytest.raises(UnreadableFileError, match="3 edges, and at most 2"):
        read_tables("a.g6", b"Bw\n")


def test_damaged_files_never_crash():
    survives_everything("a.g6", b">>graph6<<DQc\nBw\n~?@c" + b"?" * 5)
    survives_everything("a.s6", nx.to_sparse6_bytes(nx.path_graph(100)))


def test_a_long_first_line_is_recognised():
    dense = nx.complete_graph(300)
    content = nx.to_graph6_bytes(dense, header=False)
    assert len(content) > 4096
    np.testing.assert_equal(read_graphs("a", content).n_edges, 300 * 299 // 2)
