"""GML from networkx, igraph, and by hand."""

import igraph
import networkx as nx
import pytest
from hypothesis import given

from mpgk_core.formats.gml import FORMAT
from mpgk_core.formats.source import Source
from tests.formats.markup_checks import (
    assert_described,
    assert_same_graph,
    described_graph,
    edges_of,
    names_of,
    read,
    refusal,
    survives_damage,
    written,
)
from tests.strategies import graphs

TWO = 'graph [ node [ id 1 label "a" ] node [ id 2 label "b" ] {} ]'


@pytest.mark.parametrize("kind", [nx.Graph, nx.DiGraph, nx.MultiGraph])
def test_reads_what_networkx_writes(kind, tmp_path):
    graph = described_graph(kind)
    tables = read(FORMAT, written(nx.write_gml, graph, tmp_path / "g"))
    assert_same_graph(tables, graph)
    assert_described(tables, graph, ("colour", "rank", "height"))
    assert tables.is_directed == graph.is_directed()
    assert sorted(tables.edge_columns["weight"].tolist()) == [0, 2.5]
    assert "id" not in tables.columns


@given(graphs(min_vertices=1))
def test_reads_any_small_graph_of_networkx_with_its_lists(graph):
    for v in graph:
        graph.nodes[v]["kind"] = graph.nodes[v].pop("label")
        graph.nodes[v]["attributes"] = list(graph.nodes[v]["attributes"])
        graph.nodes[v]["single"] = [v]
    tables = read(FORMAT, "\n".join(nx.generate_gml(graph)))
    assert_same_graph(tables, graph)
    for v in graph:
        assert tables.columns["attributes_1"][v] == graph.nodes[v]["attributes"][0]
        assert tables.columns["attributes_2"][v] == graph.nodes[v]["attributes"][1]
        assert tables.columns["single_1"][v] == v


def test_reads_what_igraph_writes(tmp_path):
    graph = igraph.Graph.Famous("petersen")
    graph.vs["label"] = [f'v "{i}" & ü' for i in range(10)]
    graph.vs["height"] = [i / 7 for i in range(10)]
    path = tmp_path / "g.gml"
    graph.write_gml(str(path))
    tables = read(FORMAT, path.read_bytes())
    names = names_of(tables)
    assert names == graph.vs["label"]
    assert edges_of(tables) == {
        frozenset((names[edge.source], names[edge.target])) for edge in graph.es
    }
    assert tables.columns["height"].tolist() == pytest.approx(graph.vs["height"], rel=1e-12)


def test_names_are_labels_if_these_differ_and_ids_if_not():
    tables = read(FORMAT, 'graph [ node [ id 7 label "C" ] node [ id 3 label "C" ] ]')
    assert names_of(tables) == [7, 3]
    assert tables.columns["label"].tolist() == ["C", "C"]
    tables = read(FORMAT, 'graph [ node [ id 7 label "C" ] node [ id 3 label "O" ] ]')
    assert names_of(tables) == ["C", "O"]
    assert tables.columns["id"].tolist() == [7, 3]


def test_lists_within_a_vertex_are_flattened_and_others_are_left_out():
    tables = read(
        FORMAT,
        """Creator "somebody"  # not a graph
        graph [ comment "x" style [ node [ id 9 ] edge [ source 1 target 1 ] ]
          node [ id 1 graphics [ x 1.5 centre [ y 2 ] ] colour red ]
          node [ id 2 graphics [ x -1 ] ]
          edge [ source 1 target 2 graphics [ width 3 ] weight 2 ] ]""",
    )
    assert tables.columns["graphics.x"].tolist() == [1.5, -1.0]
    assert tables.columns["graphics.centre.y"].tolist()[0] == 2
    assert tables.columns["colour"].tolist() == ["red", None]
    assert names_of(tables) == [1, 2]
    assert edges_of(tables) == {frozenset((1, 2))}


def test_entities_are_characters_and_broken_ones_are_harmless():
    label = "&quot;&amp;&#233;&#x20AC;&#55296;&#99999999;&nosuch; &;AT&T"
    tables = read(FORMAT, f'graph [ node [ id 1 label "{label}" ] ]')
    assert names_of(tables) == ['"&é€\ufffd\ufffd&nosuch; &;AT&T']


def test_several_graphs_with_names_and_classes():
    some = [f'graph [ name "g{y}" class {y} node [ id 0 ] ]' for y in (1, 0)]
    tables = read(FORMAT, "\n".join(some))
    assert tables.offsets.tolist() == [0, 1, 2]
    assert tables.classes.tolist() == [1, 0]
    assert tables.graph_names == ["g1", "g0"]


def test_edges_may_come_first_and_numbers_may_be_written_oddly():
    tables = read(FORMAT, "graph [ edge [ source 01 target +2 ] node [ id 1 ] node [ id 2 ] ]")
    assert edges_of(tables) == {frozenset((1, 2))}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (TWO.format("\nedge [ source 1 target 9 ]"), "line 2: The edge from '1' to '9'"),
        (TWO.format('\nedge [ source 1 label "x" target 9 ]'), "line 2: The edge from '1' to '9'"),
        (TWO.format("\n\nnode [ id 1 ]"), "line 3: There are two vertices '1'"),
        (TWO.format("node [ label 1 ]"), "A vertex must have one 'id'"),
        (TWO.format("edge [ source 1 source 2 target 1 ]"), "An edge must have one 'source'"),
        (TWO.format("]"), "There is a ] without its ["),
        (TWO.format("\n!"), "line 2: '! ]' is not a key with a value"),
        ("graph [ node [ id 1 ]", "The file ends within 'graph'"),
        ('graph [ node [ id 1 label "x ] ]', "is not a key with a value"),
        ("graph [ " * 100, "nested more than 60 deep"),
        ("Version 1", "There is no graph in it"),
    ],
)
def test_says_what_is_wrong_and_where(content, message):
    assert message in refusal(FORMAT, content)


def test_what_could_take_forever_does_not():
    assert "is not a key" in refusal(FORMAT, "graph [" + " " * 1_000_000 + "!")
    assert "is not a key" in refusal(FORMAT, 'graph [ a "' + "x" * 1_000_000)
    assert "columns" in refusal(FORMAT, "graph [ node [ id 1 " + "a 1 " * 100_000 + "] ]")
    assert "There is no graph" in refusal(FORMAT, "#\n" * 500_000)


def test_dot_is_not_taken_for_gml():
    assert not FORMAT.recognises(Source("a", b"graph G { graph [ size=7 ]; a -- b }"))


def test_damaged_files_are_refused_or_read(tmp_path):
    survives_damage("g.gml", written(nx.write_gml, described_graph(), tmp_path / "g"))
