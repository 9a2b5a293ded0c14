"""GraphML from networkx, igraph, yEd and by hand."""

import igraph
import networkx as nx
import numpy as np
import pytest
from hypothesis import given

from mpgk_core.formats.graphml import FORMAT
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


def graphml(inside: str, keys: str = "") -> str:
    return f'<graphml xmlns="http://graphml.graphdrawing.org/xmlns">{keys}{inside}</graphml>'


TWO = '<graph edgedefault="undirected"><node id="a"/><node id="b"/>{}</graph>'


@pytest.mark.parametrize("kind", [nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph])
def test_reads_what_networkx_writes(kind, tmp_path):
    graph = described_graph(kind)
    tables = read(FORMAT, written(nx.write_graphml_xml, graph, tmp_path / "g"))
    assert_same_graph(tables, graph)
    assert_described(tables, graph, ("colour", "rank", "height"))
    assert tables.is_directed == graph.is_directed()
    assert sorted(tables.edge_columns["weight"].tolist()) == [0, 2.5]


@given(graphs(min_vertices=1))
def test_reads_any_small_graph_of_networkx(graph):
    for v in graph:
        del graph.nodes[v]["attributes"]
    tables = read(FORMAT, "\n".join(nx.generate_graphml(graph)))
    assert_same_graph(tables, graph)
    assert tables.columns["label"].tolist() == [graph.nodes[v]["label"] for v in graph]


def test_reads_what_igraph_writes_and_takes_its_names(tmp_path):
    graph = igraph.Graph([(0, 1), (1, 2)])
    graph.vs["name"] = ["Ann", "Bob", "Cy"]
    graph.vs["age"] = [30.5, 41, 7]
    path = tmp_path / "g.graphml"
    graph.write_graphml(str(path))
    tables = read(FORMAT, path.read_bytes())
    assert names_of(tables) == ["Ann", "Bob", "Cy"]
    assert edges_of(tables) == {frozenset(("Ann", "Bob")), frozenset(("Bob", "Cy"))}
    assert tables.columns["age"].tolist() == [30.5, 41.0, 7.0]
    assert "name" not in tables.columns
    assert "id" not in tables.columns


def test_names_of_igraph_that_repeat_are_a_column():
    key = '<key id="k" for="node" attr.name="name" attr.type="string"/>'
    nodes = "".join(f'<node id="n{i}"><data key="k">x</data></node>' for i in range(2))
    tables = read(FORMAT, graphml(f"<graph>{nodes}</graph>", key))
    assert names_of(tables) == ["n0", "n1"]
    assert tables.columns["name"].tolist() == ["x", "x"]


def test_defaults_fill_gaps_and_gaps_without_default_stay():
    keys = """<key id="c" for="node" attr.name="colour"><default>red</default></key>
    <key id="h" for="node" attr.name="height" attr.type="double"/>
    <key id="t" for="all" attr.name="truth" attr.type="boolean"><default>false</default></key>
    <key id="w" for="edge" attr.name="weight" attr.type="int"><default>1</default></key>"""
    nodes = """<node id="a"><data key="c">blue</data><data key="h"> 2.5 </data></node>
    <node id="b"><data key="t">1</data><data key="h"></data></node>"""
    tables = read(FORMAT, graphml(f"<graph>{nodes}</graph>", keys))
    assert tables.columns["colour"].tolist() == ["blue", "red"]
    np.testing.assert_array_equal(tables.columns["height"], [2.5, np.nan])
    assert tables.columns["truth"].tolist() == [0, 1]
    assert list(tables.columns) == ["colour", "height", "truth"]


def test_several_graphs_may_repeat_ids_and_have_classes():
    key = '<key id="y" for="graph" attr.name="class" attr.type="long"/>'
    some = [
        f'<graph id="G{y}"><data key="y">{y}</data>{TWO[32:-8].format("")}</graph>' for y in (1, 0)
    ]
    tables = read(FORMAT, graphml("".join(some), key))
    assert tables.offsets.tolist() == [0, 2, 4]
    assert tables.classes.tolist() == [1, 0]
    assert tables.graph_names == ["G1", "G0"]
    assert names_of(tables, 1) == ["a", "b"]


def test_graphs_within_vertices_are_flattened():
    inner = '<graph edgedefault="directed"><node id="x"/><edge source="x" target="a"/></graph>'
    tables = read(FORMAT, graphml(f'<graph><node id="a">{inner}</node><node id="b"/></graph>'))
    assert names_of(tables) == ["a", "x", "b"]
    assert edges_of(tables) == {frozenset("ax")}
    assert "Graphs within vertices are flattened." in tables.notes


def test_edges_may_come_before_their_vertices_and_ports_are_left_out():
    content = """<graph><edge source="a" target="b" sourceport="p"><data key="x">1</data></edge>
    <node id="a"><port name="p"><data key="c">port</data></port></node>
    <node id="b"><data key="c">blue</data></node></graph>"""
    tables = read(FORMAT, graphml(content))
    assert edges_of(tables) == {frozenset("ab")}
    assert tables.columns["c"].tolist() == [None, "blue"]
    assert list(tables.columns) == ["c"]


def test_labels_of_yed_are_a_column():
    key = '<key for="node" id="d6" yfiles.type="nodegraphics"/>'
    node = """<node id="n0"><data key="d6"><y:ShapeNode><y:Fill color="#FF"/>
    <y:NodeLabel visible="true">Cat<y:LabelModel> </y:LabelModel></y:NodeLabel>
    </y:ShapeNode></data></node>"""
    tables = read(FORMAT, graphml(f"<graph>{node}</graph>", key))
    assert tables.columns["label"].tolist() == ["Cat"]
    assert list(tables.columns) == ["label"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            graphml(TWO.format('\n<edge source="a" target="z"/>')),
            "line 2: The edge from 'a' to 'z'",
        ),
        (graphml(TWO.format('\n\n<node id="a"/>')), "line 3: There are two vertices 'a'"),
        (graphml(TWO.format("<node/>")), "A vertex has no id"),
        (graphml(TWO.format('<edge source="a"/>')), "lacks its source or its target"),
        (graphml(TWO.format("<hyperedge/>")), "<hyperedge>, which joins more than two"),
        (graphml('<node id="a"/>'), "outside a graph"),
        (graphml('<edge source="a" target="b"/>'), "outside a graph"),
        (graphml(""), "There is no graph in it"),
        ("<html></html>", "There is no graph in it"),
        (
            graphml(
                '<graph><node id="a">\n<data key="k">many</data></node></graph>',
                '<key id="k" for="node" attr.name="n" attr.type="int"/>',
            ),
            "line 2: 'many' is not of the type 'int' that is declared for 'n'",
        ),
    ],
)
def test_says_what_is_wrong_and_where(content, message):
    assert message in refusal(FORMAT, content)


def test_repeated_edges_and_self_loops_are_told():
    edges = '<edge source="a" target="b"/>' * 3 + '<edge source="a" target="a"/>' * 2
    tables = read(FORMAT, graphml(TWO.format(edges)))
    assert tables.losses() == ("3 repeated edges count once.", "2 self-loops are dropped.")
    assert tables.graph_set().n_edges == 1


def test_hostile_labels_are_plain_text():
    label = "&lt;img src=x onerror=alert(1)&gt;" + "é" * 20_000 + "\u202eabc😀"
    content = f'<graph><node id="a"><data key="label">{label}</data></node></graph>'
    value = read(FORMAT, graphml(content)).columns["label"][0]
    assert value == "<img src=x onerror=alert(1)>" + "é" * 20_000 + "\u202eabc😀"


def test_numbers_of_more_than_64_bits_stay_text_and_absurd_ones_are_refused():
    key = '<key id="k" for="node" attr.name="n" attr.type="long"/>'
    content = '<graph><node id="a"><data key="k">{}</data></node></graph>'
    tables = read(FORMAT, graphml(content.format(2**70), key))
    assert tables.columns["n"].tolist() == [str(2**70)]
    assert "is not of the type" in refusal(FORMAT, graphml(content.format("9" * 5000), key))


def test_bounds_hold(monkeypatch):
    monkeypatch.setenv("MPGK_MAX_VERTICES", "1")
    assert "MPGK_MAX_VERTICES" in refusal(FORMAT, graphml(TWO.format("")))
    monkeypatch.setenv("MPGK_MAX_VERTICES", "2")
    monkeypatch.setenv("MPGK_MAX_EDGES", "1")
    edge = '<edge source="a" target="b"/>'
    assert read(FORMAT, graphml(TWO.format(edge))).graph_set().n_edges == 1
    assert "MPGK_MAX_EDGES" in refusal(FORMAT, graphml(TWO.format(edge * 2)))


def test_windows_line_ends_and_marks_of_byte_order_change_nothing():
    content = graphml("\r\n" + TWO.format('<edge source="a" target="b"/>\r\n'))
    for encoding in ("utf-8", "utf-8-sig", "utf-16", "utf-32"):
        assert edges_of(read(FORMAT, content.encode(encoding))) == {frozenset("ab")}


def test_damaged_files_are_refused_or_read(tmp_path):
    sample = written(nx.write_graphml_xml, described_graph(), tmp_path / "g")
    survives_damage("g.graphml", sample)


def test_a_graph_within_a_vertex_has_its_own_direction():
    inner = "<node id='b'><graph edgedefault='undirected'><node id='c'/></graph></node>"
    outer = f"<node id='a'/>{inner}<edge source='a' target='b'/>"
    tables = read(FORMAT, f"<graphml><graph edgedefault='directed'>{outer}</graph></graphml>")
    assert tables.is_directed
