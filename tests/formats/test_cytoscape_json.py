"""Cytoscape JSON from networkx, from Cytoscape's own programs, and by hand."""

import json

import networkx as nx
import pytest
from hypothesis import given

from mpgk_core.formats.cytoscape_json import FORMAT
from tests.formats.markup_checks import (
    assert_described,
    assert_same_graph,
    described_graph,
    edges_of,
    names_of,
    read,
    refusal,
    survives_damage,
)
from tests.strategies import graph_lists

DESKTOP = {
    "format_version": "1.0",
    "generated_by": "cytoscape-3.10.1",
    "target_cytoscapejs_version": "~2.1",
    "data": {"shared_name": "yeast", "name": "yeast", "SUID": 52, "selected": True},
    "elements": {
        "nodes": [
            {
                "data": {"id": str(60 + i), "shared_name": n, "name": n, "SUID": 60 + i, "deg": i},
                "position": {"x": 1.0, "y": 2.0},
                "selected": False,
            }
            for i, n in enumerate(["GAL1", "GAL4", "YBR043C"])
        ],
        "edges": [
            {"data": {"id": "90", "source": "60", "target": "61", "SUID": 90}, "selected": False},
            {"data": {"id": "91", "source": "62", "target": "61", "weight": 0.5}},
        ],
    },
}


def data(*items: dict) -> list[dict]:
    return [{"data": item} for item in items]


@pytest.mark.parametrize("kind", [nx.Graph, nx.DiGraph, nx.MultiGraph])
def test_reads_what_networkx_writes(kind):
    graph = described_graph(kind)
    tables = read(FORMAT, json.dumps(nx.cytoscape_data(graph)))
    assert_same_graph(tables, graph)
    assert_described(tables, graph, ("colour", "rank", "height"))
    assert set(tables.columns) == {"colour", "rank", "height"}
    assert tables.is_directed == graph.is_directed()


@given(graph_lists())
def test_a_list_is_many_graphs(members):
    tables = read(FORMAT, json.dumps([nx.cytoscape_data(member) for member in members]))
    for g, member in enumerate(members):
        assert_same_graph(tables, member, g)


def test_reads_the_style_of_the_desktop_program():
    tables = read(FORMAT, json.dumps(DESKTOP))
    assert names_of(tables) == ["GAL1", "GAL4", "YBR043C"]
    assert edges_of(tables) == {frozenset(("GAL1", "GAL4")), frozenset(("YBR043C", "GAL4"))}
    assert tables.columns["deg"].tolist() == [0, 1, 2]
    assert set(tables.columns) == {"deg", "id"}
    assert tables.graph_names == ["yeast"]
    assert set(tables.edge_columns) == {"weight"}


@pytest.mark.parametrize("wrap", [lambda e: {"elements": e}, lambda e: e])
def test_reads_one_flat_list_of_elements(wrap):
    edge = {"group": "edges", "data": {"id": "e", "source": "a", "target": "b"}, "classes": "x"}
    elements = [*data({"id": "a", "parent": "b"}), edge, *data({"id": "b"})]
    tables = read(FORMAT, json.dumps(wrap(elements)))
    assert names_of(tables) == ["a", "b"]
    assert edges_of(tables) == {frozenset("ab")}
    assert tables.columns["parent"].tolist() == ["b", None]


def test_a_value_that_is_no_id_and_data_within_data_stay():
    nodes = data({"id": "a", "value": 3, "data": {"x": 1}}, {"id": "b", "value": 4})
    tables = read(FORMAT, json.dumps({"elements": {"nodes": nodes}}))
    assert tables.columns["value"].tolist() == [3, 4]
    assert tables.columns["data.x"].tolist()[0] == 1


@pytest.mark.parametrize(
    ("elements", "message"),
    [
        ({"nodes": data({"name": "a"})}, "A vertex has no id"),
        ({"nodes": data({"id": "a"}, {"id": "a"})}, "There are two vertices 'a'"),
        ({"nodes": [], "edges": data({"source": "a"})}, "lacks its source or target"),
        (data({"id": "a"}, {"source": "a", "target": "z"}), "ends at 'z', which is no vertex"),
        ({"nodes": 3}, "no lists of nodes and edges"),
        (3, "no lists of nodes and edges"),
        ([3], "A vertex has no id"),
        ([{"data": 3}], "A vertex has no id"),
    ],
)
def test_says_what_is_wrong(elements, message):
    assert message in refusal(FORMAT, json.dumps({"elements": elements}))


def test_other_json_is_refused():
    for content in ("{}", "3", "null", '{"data": {}}', '[{"elements": []}, 3]'):
        assert refusal(FORMAT, content)


def test_damaged_files_are_refused_or_read():
    survives_damage("g.cyjs", json.dumps(DESKTOP)[120:].encode())
    sample = {"elements": data({"id": "a"}, {"id": "b"}, {"source": "a", "target": "b"})}
    survives_damage("g.cyjs", json.dumps(sample).encode())
