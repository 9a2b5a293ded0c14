"""Edits keep the labels, weights and directions of edges, and can set them."""

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mpgk_core import GraphSet, InvalidGraphError
from mpgk_core.content_key import content_key
from mpgk_core.edits import (
    graph_from_tables,
    tables_of,
    with_edge,
    with_edge_facts,
    with_vertex,
    without_edge,
    without_random_edges,
    without_vertices,
    words_of_change,
)
from mpgk_core.edits.graph_edits import Operation, apply_operations
from mpgk_core.edits.operations import edit_text, edited_by_text, operations_between
from mpgk_core.edits.ties import Tie, ties_of
from tests.strategies import edge_graphs


def read(graph):
    return GraphSet.from_networkx(graph, self_loops="keep")


graphs = edge_graphs(min_vertices=1).map(read)


@settings(max_examples=150)
@given(graphs, graphs)
def test_operations_lead_from_any_graph_to_any_other_that_keeps_its_directions(before, after):
    operations = operations_between(before, after)
    if operations is None:
        assert before.all_edges().is_directed
        assert not after.all_edges().is_directed
        return
    changed = apply_operations(before, operations)
    assert content_key(changed) == content_key(after)
    text = edit_text(operations, changed)
    assert content_key(edited_by_text(before, text, most=None)) == content_key(after)


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        (["aromatic", "aromatic", "single"], "single"),
        (["aromatic"] * 3, "single"),
        (["=", "=", "-"], "-"),
        (["=", "=", ":"], "-"),
        (["road", "road", "single"], "road"),
    ],
)
def test_a_new_bond_of_a_molecule_is_single_and_other_new_edges_are_as_most(labels, expected):
    graph = nx.path_graph(4)
    for edge, label in zip(graph.edges, labels, strict=True):
        graph.edges[edge]["label"] = label
    joined = with_edge(read(graph), 0, 3)
    assert ties_of(joined)[0, 3] == (Tie(label=expected),)


@given(graphs)
def test_tables_lead_back_to_the_graph(graph):
    assert content_key(graph_from_tables(*tables_of(graph), graph)) == content_key(graph)


@given(graphs, st.data())
def test_untouched_edges_keep_their_facts(graph, data):
    before = ties_of(graph)
    if not before:
        return
    gone = data.draw(st.sampled_from(sorted(before)))
    after = ties_of(without_edge(graph, *gone))
    assert after == {pair: ties for pair, ties in before.items() if pair != gone}
    larger = ties_of(with_vertex(graph, joined_to=[gone[0]]))
    assert {pair: larger[pair] for pair in before} == before
    fewer = ties_of(without_random_edges(graph, 1, seed=3))
    assert fewer.items() <= before.items()
    last = graph.n_vertices - 1
    if last:
        left = ties_of(without_vertices(graph, [last]))
        assert left == {pair: ties for pair, ties in before.items() if last not in pair}


def test_a_new_edge_gets_the_usual_label_and_weight_and_the_direction_in_which_it_is_drawn():
    web = nx.DiGraph()
    web.add_edge("a", "b", label="x", weight=1.0)
    web.add_edge("b", "c", label="x", weight=3.0)
    web.add_edge("a", "c", label="y", weight=2.0)
    web.add_node("d")
    changed = with_edge(read(web), "d", "a")
    assert ties_of(changed)[0, 3] == (Tie("<", "x", 2.0),)


def test_facts_can_be_set_on_a_plain_graph():
    path = read(nx.path_graph(3))
    assert with_edge_facts(path, 0, 1, weight=2.5).edges.weights.tolist() == [2.5, 1.0]
    turned = with_edge_facts(path, 2, 1, direction=">").to_networkx()[0]
    assert sorted(turned.edges) == [(0, 1), (1, 0), (2, 1)]
    labelled = with_edge_facts(path, 0, 1, label="=")
    assert words_of_change(path, labelled) == "changed edge 0 – 1"
    assert words_of_change(labelled, labelled) == "changed nothing"


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ((), "Between 1 and 100"),
        ((("x", None, None),), "is no edge"),
        ((("-", None, -1.0),), "at least 0"),
        ((("-", None, float("nan")),), "at least 0"),
        ((("-", None, "heavy"),), "at least 0"),
        ((("-", ["a"], None),), "Use numbers, text"),
        ("-", "Between 1 and 100"),
    ],
)
def test_impossible_facts_are_refused(value, words):
    with pytest.raises(InvalidGraphError, match=words):
        apply_operations(read(nx.path_graph(2)), [Operation("set-edge", (0, 1), value)])


def test_an_edge_that_does_not_exist_cannot_be_changed():
    with pytest.raises(InvalidGraphError, match="does not exist"):
        with_edge_facts(read(nx.path_graph(3)), 0, 2, label="x")


def test_a_negative_weight_in_a_table_is_refused_with_its_row():
    vertices, edges = tables_of(read(nx.path_graph(3)))
    with pytest.raises(InvalidGraphError, match="Row 2 of the edges"):
        graph_from_tables(vertices, edges | {"weight": [1, -2]})
