"""Node-link JSON from networkx, in the styles of d3, and by hand."""

import json

import networkx as nx
import numpy as np
import pytest
from hypothesis import given

from mpgk_core.formats.node_link_json import FORMAT
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

AB = [{"id": "a"}, {"id": "b"}]


def node_link(nodes, links, key="links", **more) -> str:
    return json.dumps({"nodes": nodes, key: links, **more}, ensure_ascii=False)


@pytest.mark.parametrize("key", ["links", "edges"])
@pytest.mark.parametrize("kind", [nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph])
def test_reads_what_networkx_writes(kind, key):
    graph = described_graph(kind)
    tables = read(FORMAT, json.dumps(nx.node_link_data(graph, edges=key)))
    assert_same_graph(tables, graph)
    assert_described(tables, graph, ("colour", "rank", "height"))
    assert tables.is_directed == graph.is_directed()
    assert sorted(tables.edge_columns["weight"].tolist()) == [0, 2.5]


@given(graph_lists())
def test_a_list_is_many_graphs_and_vectors_are_columns(members):
    content = json.dumps([nx.node_link_data(member, edges="edges") for member in members])
    tables = read(FORMAT, content)
    for g, member in enumerate(members):
        assert_same_graph(tables, member, g)
    nodes = [data for member in members for _, data in member.nodes(data=True)]
    assert tables.columns["label"].tolist() == [data["label"] for data in nodes]
    for place in (0, 1):
        expected = [data["attributes"][place] for data in nodes]
        assert tables.columns[f"attributes_{place + 1}"].tolist() == expected


def test_ids_that_are_tuples_in_networkx_are_lists():
    graph = nx.grid_2d_graph(2, 2)
    tables = read(FORMAT, json.dumps(nx.node_link_data(graph, edges="links")))
    assert names_of(tables) == ["[0, 0]", "[0, 1]", "[1, 0]", "[1, 1]"]
    assert len(edges_of(tables)) == 4


def test_links_of_old_d3_count_vertices_and_names_are_names():
    nodes = [{"name": "Myriel", "group": 1}, {"name": "Napoleon", "group": 1}]
    tables = read(FORMAT, node_link(nodes, [{"source": 1, "target": 0, "value": 1}]))
    assert names_of(tables) == ["Myriel", "Napoleon"]
    assert edges_of(tables) == {frozenset(("Myriel", "Napoleon"))}
    assert tables.columns["group"].tolist() == [1, 1]
    assert "Links count the vertices from 0." in tables.notes


def test_names_that_repeat_are_a_column_and_places_are_names():
    tables = read(FORMAT, node_link([{"name": "C"}, {"name": "C"}], [{"source": 0, "target": 1}]))
    assert names_of(tables) == [0, 1]
    assert edges_of(tables) == {frozenset((0, 1))}
    assert tables.columns["name"].tolist() == ["C", "C"]


def test_links_after_a_simulation_hold_their_ends_as_objects():
    links = [{"source": {"id": "a", "x": 1.5}, "target": {"id": "b"}, "index": 0}]
    assert edges_of(read(FORMAT, node_link(AB, links))) == {frozenset("ab")}


def test_plain_lists_of_ids_and_pairs():
    tables = read(FORMAT, node_link(["a", "b", 3], [["a", "b"], ["b", 3, 0.5]], key="edges"))
    assert names_of(tables) == ["a", "b", "3"]
    assert edges_of(tables) == {frozenset("ab"), frozenset("b3")}
    np.testing.assert_array_equal(tables.edge_columns["weight"], [np.nan, 0.5])


def test_numbers_and_texts_are_the_same_ids():
    tables = read(FORMAT, node_link([{"id": 1}, {"id": "2"}], [{"source": "1", "target": 2}]))
    assert names_of(tables) == [1, 2]
    assert edges_of(tables) == {frozenset((1, 2))}


def test_whole_numbers_that_are_ids_do_not_count_vertices():
    nodes = [{"id": 1}, {"id": 2}]
    assert edges_of(read(FORMAT, node_link(nodes, [[1, 2]]))) == {frozenset((1, 2))}
    assert "The edge from '0' to '1' ends at '0'" in refusal(FORMAT, node_link(nodes, [[0, 1]]))


def test_links_and_vertices_may_have_ids_sources_and_targets_as_well():
    nodes = [{"id": "a", "source": "web", "target": 3}, {"id": "b", "source": "x", "target": 4}]
    links = [{"id": "e1", "source": "a", "target": "b"}]
    tables = read(FORMAT, node_link(nodes, links))
    assert edges_of(tables) == {frozenset("ab")}
    assert tables.columns["source"].tolist() == ["web", "x"]


def test_columns_are_numbers_only_if_all_values_are():
    nodes = [
        {"id": 0, "n": 1, "x": 1, "m": 1, "big": 2**70, "b": True, "nan": float("nan"), "e": ""},
        {"id": 1, "n": 2, "x": 0.5, "m": "1", "big": 1, "b": False, "nan": 1.5, "e": "x"},
    ]
    columns = read(FORMAT, node_link(nodes, [])).columns
    assert columns["n"].dtype == np.int64
    assert columns["x"].tolist() == [1.0, 0.5]
    assert columns["m"].tolist() == ["1", "1"]
    assert columns["big"].tolist() == [str(2**70), "1"]
    assert columns["b"].tolist() == [1, 0]
    np.testing.assert_array_equal(columns["nan"], [np.nan, 1.5])
    assert columns["e"].tolist() == [None, "x"]


def test_objects_within_a_vertex_are_flattened_and_other_lists_are_text():
    nodes = [{"id": 0, "pos": {"x": 1.5, "deep": {"y": 2}}, "tags": ["a", {"b": []}], "none": None}]
    columns = read(FORMAT, node_link(nodes, [])).columns
    assert columns["pos.x"].tolist() == [1.5]
    assert columns["pos.deep.y"].tolist() == [2]
    assert columns["tags"].tolist() == ['["a", {"b": []}]']
    assert "none" not in columns


def test_classes_and_names_of_graphs():
    some = [json.loads(node_link([0], [], graph={"class": c, "name": c.upper()})) for c in "xy"]
    tables = read(FORMAT, json.dumps(some))
    assert tables.classes.tolist() == ["x", "y"]
    assert tables.graph_names == ["X", "Y"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (node_link(AB, [{"source": "a", "target": "z"}]), "ends at 'z', which is no vertex"),
        (node_link(AB, [{"source": "a"}]), "Graph 0: link 0 lacks its source or its target"),
        (node_link(AB, ["ab"]), "link 0 lacks"),
        (node_link(AB, [[None, "a"]]), "ends at 'null', which is no vertex"),
        (node_link([*AB, {"id": "a"}], []), "There are two vertices 'a'"),
        (node_link([*AB, {"name": "c"}], []), "Graph 0: vertex 2 has no id"),
        (node_link([*AB, None], []), "vertex 2 has no id"),
        (node_link({"a": 1}, []), "it has no list 'nodes'"),
        (node_link(AB, {}), "it has no list 'links'"),
        ('{"nodes": []}', "it has no list 'edges'"),
        ("[1]", "Graph 0: it is not an object"),
        ("[]", "There is no graph in it"),
        ("3", "it is not an object"),
    ],
)
def test_says_what_is_wrong_and_where(content, message):
    assert message in refusal(FORMAT, content)


def test_many_columns_and_cells_are_bounded(monkeypatch):
    wide = node_link([{"id": 0, "v": list(range(3000))}], [])
    assert "MPGK_MAX_COLUMNS" in refusal(FORMAT, wide)
    monkeypatch.setenv("MPGK_MAX_UNPACKED_BYTES", "1000")
    tall = node_link([{"id": i, "x": 1, "y": 2} for i in range(100)], [])
    assert "MPGK_MAX_UNPACKED_BYTES" in refusal(FORMAT, tall)


def test_long_texts_are_bounded_at_the_bound():
    assert names_of(read(FORMAT, node_link(["x" * 100_000], []))) == ["x" * 100_000]
    assert "100,001 characters" in refusal(FORMAT, node_link(["x" * 100_001], []))


def test_damaged_files_are_refused_or_read():
    sample = node_link(AB, [{"source": "a", "target": "b"}], graph={"class": 1})
    survives_damage("g.json", sample.encode())
