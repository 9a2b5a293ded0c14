"""Pajek networks from networkx, igraph, and by hand."""

import igraph
import networkx as nx
import pytest
from hypothesis import given

from mpgk_core.formats.pajek import FORMAT
from tests.formats.markup_checks import (
    assert_same_graph,
    edges_of,
    names_of,
    read,
    refusal,
    survives_damage,
    written,
)
from tests.strategies import graphs

NETWORK = """% a comment
*Network friends
*Vertices 4 % people
1 "Ann Lee" 0.1 0.2 0.5 ic Red
2 Bob
4 "O\\"Hara" box
*Arcs :1 "likes"
1 2 1.5 c Blue
*Edges
2 4
*Arcslist
4 1 2
*Edgeslist
3 4
"""


@pytest.mark.parametrize("kind", [nx.Graph, nx.DiGraph, nx.MultiGraph])
def test_reads_what_networkx_writes(kind, tmp_path):
    graph = kind([("a", "b c"), ("b c", "ç☃"), ("ç☃", "a")])
    graph.add_node("lonely")
    tables = read(FORMAT, written(nx.write_pajek, graph, tmp_path / "g"))
    assert_same_graph(tables, graph)
    assert tables.is_directed == graph.is_directed()


@given(graphs(min_vertices=1))
def test_reads_any_small_graph_of_networkx(graph):
    bare = nx.Graph()
    bare.add_nodes_from(graph)
    bare.add_edges_from(graph.edges)
    assert_same_graph(read(FORMAT, "\n".join(nx.generate_pajek(bare))), bare)


def test_reads_what_igraph_writes(tmp_path):
    graph = igraph.Graph.Famous("petersen")
    graph.vs["name"] = [f'name "{i}" \\ ü' for i in range(10)]
    path = tmp_path / "g.net"
    graph.write_pajek(str(path))
    tables = read(FORMAT, path.read_bytes())
    names = names_of(tables)
    assert names == graph.vs["name"]
    assert edges_of(tables) == {frozenset((names[e.source], names[e.target])) for e in graph.es}


def test_reads_every_kind_of_section():
    tables = read(FORMAT, NETWORK)
    names = ["Ann Lee", "Bob", "3", 'O"Hara']
    assert names_of(tables) == names
    pairs = [(0, 1), (1, 3), (3, 0), (2, 3)]
    assert edges_of(tables) == {frozenset((names[a], names[b])) for a, b in pairs}
    assert tables.graph_names == ["friends"]
    assert tables.is_directed
    assert tables.notes == ("Undirected edges among directed ones count in both directions.",)
    known = zip(tables.edges.tolist(), *map(list, tables.edge_columns.values()), strict=True)
    assert list(tables.edge_columns) == ["relation", "weight"]
    assert list(known)[:2] == [([0, 1], "likes", 1.5), ([1, 3], None, 1.0)]


def test_names_that_repeat_are_a_column():
    tables = read(FORMAT, '*Vertices 2\n1 "C"\n2 "C"\n')
    assert names_of(tables) == [1, 2]
    assert tables.columns["label"].tolist() == ["C", "C"]


def test_a_matrix_joins_what_is_not_zero():
    tables = read(FORMAT, "*Vertices 3\n*Matrix\n0 1 0\n1 0 2.5\n0 0 0\n")
    assert edges_of(tables) == {frozenset((1, 2)), frozenset((2, 3))}


def test_a_matrix_of_two_modes_joins_rows_with_columns():
    tables = read(FORMAT, "*Vertices 5 2\n*Matrix\n1 0 1\n0 1 0\n")
    assert edges_of(tables) == {frozenset(pair) for pair in [(1, 3), (1, 5), (2, 4)]}


def test_a_project_has_many_networks_partitions_and_vectors():
    tables = read(
        FORMAT,
        """*Network one
*Vertices 2
*Edges
1 2
*Partition sex.clu
*Vertices 2
1
2
*Vector size
*Vertices 2
0.5
1.5
*Network two
*Vertices 1
*Partition odd
*Vertices 3
1
1
1
*Permutation p
*Vertices 1
1
""",
    )
    assert tables.offsets.tolist() == [0, 2, 3]
    assert tables.graph_names == ["one", "two"]
    assert tables.columns["group sex.clu"].tolist()[:2] == [1, 2]
    assert tables.columns["vector size"].tolist()[:2] == [0.5, 1.5]
    assert tables.notes == ("Data that do not belong to a network are ignored.",)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("*Vertices 1000000000\n", "line 1: There are 1,000,000,000 vertices"),
        ("*Vertices " + "9" * 400, "vertices, and at most"),
        ("*Vertices 5\n*Network\n*Vertices 3000000", "line 3: There are 3,000,005 vertices"),
        ("*Vertices\n", "The number of vertices is missing"),
        ("*Vertices 2\n*Edges\n1 3\n", "line 3: '3' is no vertex: these have the numbers 1 to 2"),
        ("*Vertices 2\n*Edges\n0 1\n", "'0' is no vertex"),
        ("*Vertices 2\n*Edges\n1 -1\n", "'-1' is no vertex"),
        ("*Vertices 2\n*Edges\n1\n", "'1' is no edge"),
        ("*Vertices 2\nx y\n", "line 2: 'x y' is no vertex"),
        ("*Edges\n1 2\n", "There are edges before the vertices"),
        ("1 2\n", "stands below no heading"),
        ("*Vertices 2\n*Matrix\n0 1\n", "The matrix has 1 of 2 rows"),
        ("*Vertices 2\n*Matrix\n0 1\n0\n", "line 4: The matrix should have 2 rows of 2 numbers"),
        ("*Vertices 1\n*Matrix\nx\n", "is not a number"),
        ("*Vertices 1\n*Matrix\nnan\n", "is not a finite number"),
        ("*Vertices 1\n*Partition\n*Vertices 1\n1\n2\n", "There are more than 1 values"),
        ("*Vertices 1\n*Partition\n*Vertices 1\nx\n", "'x' is not a number"),
        ("*!", "is not a heading"),
        ("% only a comment", "There is no graph in it"),
    ],
)
def test_says_what_is_wrong_and_where(content, message):
    assert message in refusal(FORMAT, content)


def test_sections_that_are_not_known_are_ignored_with_a_note():
    tables = read(FORMAT, "*Vertices 1\n*Events\nTI 1 x\n")
    assert tables.notes == ("What stands below *Events is ignored.",)


def test_what_could_take_forever_does_not():
    assert "is no vertex" in refusal(FORMAT, '*Vertices 2\n1 "' + "\\" * 1_000_001)


def test_damaged_files_are_refused_or_read():
    survives_damage("g.net", NETWORK.encode())
    survives_damage("g.net", b"*Vertices 3\r\n*Matrix\r\n0 1 0\r\n1 0 2.5\r\n0 0 0\r\n")
