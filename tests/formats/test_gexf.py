"""GEXF from networkx, in the style of Gephi, and by hand."""

import networkx as nx
import numpy as np
import pytest
from hypothesis import given

from mpgk_core.formats.gexf import FORMAT
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


def gexf(inside: str, graph: str = 'defaultedgetype="undirected"') -> str:
    return f'<gexf version="1.2"><graph {graph}>{inside}</graph></gexf>'


TWO = gexf('<nodes><node id="a"/>\n<node id="b"/>{}</nodes>\n<edges>{}</edges>')
EDGE = '<edge source="a" target="b"/>'

GEPHI = """<?xml version='1.0' encoding='UTF-8'?>
<gexf xmlns="http://gexf.net/1.3" version="1.3" xmlns:viz="http://gexf.net/1.3/viz">
  <meta lastmodifieddate="2024-01-01"><creator>Gephi 0.10</creator></meta>
  <graph defaultedgetype="directed" mode="static">
    <attributes class="node" mode="static">
      <attribute id="modularity_class" title="Modularity Class" type="integer">
        <default>0</default>
      </attribute>
      <attribute id="score" title="Score" type="double"/>
    </attributes>
    <attributes class="edge" mode="static">
      <attribute id="score" title="Edge score" type="double"/>
    </attributes>
    <nodes>
      <node id="11" label="Myriel">
        <attvalues><attvalue for="modularity_class" value="3"/></attvalues>
        <viz:size value="28.6"/><viz:position x="-266.8" y="299.6"/><viz:color r="235" g="81"/>
      </node>
      <node id="7" label="Napoleon"><attvalues><attvalue id="score" value="0.5"/></attvalues></node>
    </nodes>
    <edges>
      <edge id="0" source="7" target="11" weight="2.0">
        <attvalues><attvalue for="score" value="9"/></attvalues>
      </edge>
    </edges>
  </graph>
</gexf>"""


@pytest.mark.parametrize("version", ["1.1draft", "1.2draft"])
@pytest.mark.parametrize("kind", [nx.Graph, nx.DiGraph])
def test_reads_what_networkx_writes(kind, version, tmp_path):
    graph = described_graph(kind)
    tables = read(FORMAT, written(nx.write_gexf, graph, tmp_path / "g", version=version))
    assert_same_graph(tables, graph)
    assert_described(tables, graph, ("colour", "rank", "height"))
    assert sorted(tables.edge_columns["weight"].tolist()) == [0, 2.5]
    assert tables.is_directed == graph.is_directed()


@given(graphs(min_vertices=1))
def test_reads_any_small_graph_of_networkx(graph):
    for v in graph:
        del graph.nodes[v]["attributes"]
        graph.nodes[v]["kind"] = graph.nodes[v].pop("label")
    tables = read(FORMAT, "\n".join(nx.generate_gexf(graph)))
    assert_same_graph(tables, graph)
    assert tables.columns["kind"].tolist() == [graph.nodes[v]["kind"] for v in graph]


def test_reads_the_style_of_gephi():
    tables = read(FORMAT, GEPHI)
    assert names_of(tables) == ["Myriel", "Napoleon"]
    assert edges_of(tables) == {frozenset(("Myriel", "Napoleon"))}
    assert tables.columns["Modularity Class"].tolist() == [3, 0]
    np.testing.assert_array_equal(tables.columns["Score"], [np.nan, 0.5])
    assert tables.columns["id"].tolist() == [11, 7]
    assert len(tables.columns) == 3
    assert tables.is_directed
    assert tables.edge_columns["weight"].tolist() == [2]


def test_labels_that_repeat_are_a_column_and_ids_are_names():
    nodes = '<nodes><node id="x" label="C"/><node id="y" label="C"/></nodes>'
    tables = read(FORMAT, gexf(nodes))
    assert names_of(tables) == ["x", "y"]
    assert tables.columns["label"].tolist() == ["C", "C"]


def test_labels_that_are_missing_somewhere_are_a_column():
    tables = read(FORMAT, gexf('<nodes><node id="x" label="C"/><node id="y"/></nodes>'))
    assert names_of(tables) == ["x", "y"]
    assert tables.columns["label"].tolist() == ["C", None]


def test_an_attribute_called_label_stays_beside_the_labels():
    attributes = '<attributes class="node"><attribute id="0" title="label"/></attributes>'
    nodes = "".join(
        f'<node id="{i}" label="{shown}"><attvalue for="0" value="C"/></node>'
        for i, shown in enumerate("xx")
    )
    tables = read(FORMAT, gexf(f"{attributes}<nodes>{nodes}</nodes>"))
    assert tables.columns["label"].tolist() == ["C", "C"]
    assert tables.columns["label shown"].tolist() == ["x", "x"]


def test_ids_that_merely_count_are_no_column():
    for first in (0, 1):
        nodes = "".join(f'<node id="{first + i}" label="{n}"/>' for i, n in enumerate("pqr"))
        tables = read(FORMAT, gexf(f"<nodes>{nodes}</nodes>"))
        assert names_of(tables) == ["p", "q", "r"]
        assert tables.columns == {}


def test_vertices_within_vertices_are_flattened():
    inner = '<nodes><node id="b"/></nodes><edges><edge source="a" target="b"/></edges>'
    tables = read(FORMAT, gexf(f'<nodes><node id="a">{inner}</node></nodes>'))
    assert names_of(tables) == ["a", "b"]
    assert edges_of(tables) == {frozenset("ab")}
    assert tables.notes == ("Vertices within vertices are flattened.",)


def test_what_changes_in_time_is_ignored_with_a_note():
    attributes = (
        '<attributes class="node" mode="dynamic"><attribute id="0" title="p"/></attributes>'
    )
    value = '<attvalue for="0" value="1" start="2001"/><attvalue for="0" value="2" start="2002"/>'
    nodes = f'<nodes><node id="a" start="2001"><attvalues>{value}</attvalues></node></nodes>'
    tables = read(FORMAT, gexf(attributes + nodes, 'mode="dynamic"'))
    assert tables.columns == {}
    assert tables.notes == ("Values that change in time are ignored.",)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (TWO.format("", '\n<edge source="a" target="z"/>'), "line 4: The edge from 'a' to 'z'"),
        (TWO.format('\n<node id="a"/>', ""), "line 3: There are two vertices 'a'"),
        (TWO.format("<node/>", ""), "A vertex has no id"),
        (TWO.format("", '<edge target="a"/>'), "lacks its source or its target"),
        ('<gexf><node id="a"/></gexf>', "outside a graph"),
        (f"<gexf>{EDGE}</gexf>", "outside a graph"),
        ("<gexf></gexf>", "There is no graph in it"),
        (
            gexf(
                '<attributes class="node"><attribute id="0" title="t" type="boolean"/></attributes>'
                '<nodes><node id="a"><attvalue for="0" value="maybe"/></node></nodes>'
            ),
            "'maybe' is not of the type 'boolean' that is declared for 't'",
        ),
    ],
)
def test_says_what_is_wrong_and_where(content, message):
    assert message in refusal(FORMAT, content)


def test_damaged_files_are_refused_or_read():
    survives_damage("g.gexf", GEPHI.encode())
