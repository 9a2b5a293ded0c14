"""Edges and vertices: every edit has an inverse, wrong ones change nothing, and names stay."""

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mpgk_core import GraphSet, InvalidGraphError
from mpgk_core.edits import (
    MAX_VERTICES,
    fresh_name,
    typed_name,
    typical_values,
    with_edge,
    with_vertex,
    without_edge,
    without_vertices,
)
from tests.edits.versions import assert_same, content, editable, graph_of, toggled_edge
from tests.strategies import shuffled


@settings(max_examples=40)
@given(editable(min_vertices=2), st.data())
def test_toggling_an_edge_twice_leaves_the_graph_as_it_was(graph, data):
    one, other = data.draw(st.permutations(graph.names))[:2]
    before = content(graph)
    once = toggled_edge(graph, one, other)
    assert content(graph) == before
    assert content(once) == (before[0], before[1] ^ {frozenset([one, other])})
    assert_same(toggled_edge(once, other, one), graph)


@settings(max_examples=40)
@given(editable(min_vertices=2), st.data())
def test_joining_and_parting_undo_each_other(graph, data):
    one, other = data.draw(st.permutations(graph.names))[:2]
    if frozenset([one, other]) in content(graph)[1]:
        assert_same(with_edge(without_edge(graph, one, other), one, other), graph)
        with pytest.raises(InvalidGraphError, match=r"joined already. Choose"):
            with_edge(graph, one, other)
    else:
        assert_same(without_edge(with_edge(graph, one, other), one, other), graph)
        with pytest.raises(InvalidGraphError, match=r"There is no edge between .* Choose"):
            without_edge(graph, one, other)


@pytest.mark.parametrize("edit", [with_edge, without_edge])
def test_ends_must_be_two_vertices_of_the_graph(edit):
    graph = GraphSet.from_networkx(nx.path_graph(3))
    with pytest.raises(
        InvalidGraphError, match=r"no vertex '7' in this graph. Choose one of its 3"
    ):
        edit(graph, 0, 7)
    with pytest.raises(InvalidGraphError, match="Both ends are '1': choose another"):
        edit(graph, 1, 1)
    with pytest.raises(InvalidGraphError, match=r"Edits belong to one graph. Got 2"):
        edit(GraphSet.concatenate([graph, graph]), 0, 1)


def test_self_loops_that_were_kept_stay():
    looped = GraphSet.from_networkx(nx.Graph([(0, 0), (0, 1), (1, 2)]), self_loops="keep")
    edited = without_edge(with_edge(looped, 0, 2), 0, 1)
    assert edited.adjacency.diagonal().tolist() == [1.0, 0.0, 0.0]
    assert content(edited)[1] == {frozenset([0]), frozenset([0, 2]), frozenset([1, 2])}


@settings(max_examples=40)
@given(editable(), st.data())
def test_a_vertex_that_is_added_and_removed_leaves_no_trace(graph, data):
    neighbours = data.draw(st.sets(st.sampled_from(graph.names)))
    larger = with_vertex(graph, joined_to=neighbours)
    *others, new = larger.names
    assert others == graph.names
    assert new not in graph.names
    assert content(larger)[1] - content(graph)[1] == {frozenset([new, old]) for old in neighbours}
    assert_same(without_vertices(larger, [new]), graph)


@settings(max_examples=40)
@given(editable(min_vertices=2), st.data())
def test_removed_vertices_take_only_their_own_edges_with_them(graph, data):
    gone = data.draw(st.sets(st.sampled_from(graph.names), min_size=1))
    if len(gone) == graph.n_vertices:
        with pytest.raises(InvalidGraphError, match=r"No vertex would be left. Keep at least one"):
            without_vertices(graph, gone)
        return
    rest = without_vertices(graph, gone)
    vertices, edges = content(graph)
    kept = {name: values for name, values in vertices.items() if name not in gone}
    assert content(rest) == (kept, {edge for edge in edges if not edge & gone})
    assert rest.names == [name for name in graph.names if name not in gone]


@settings(max_examples=40)
@given(editable(), st.integers(0, 9))
def test_new_vertices_get_the_most_common_label_and_the_mean(graph, seed):
    values = typical_values(graph)
    new = with_vertex(graph)
    if graph.labels is None:
        assert (values.label, values.attributes) == (None, None)
        assert values.words == "neither label nor attributes"
        assert new.labels is new.attributes is None
        return
    counts = {label: graph.labels.count(label) for label in sorted(set(graph.labels))}
    assert new.labels[-1] == values.label == max(counts, key=counts.get)
    np.testing.assert_allclose(values.attributes, graph.attributes.mean(axis=0), atol=1e-12)
    assert new.attributes[-1].tolist() == list(values.attributes)
    other = GraphSet.from_networkx(shuffled(graph.to_networkx()[0], seed)[0])
    assert typical_values(other) == values
    assert f"label {values.label!r}, the most common; attributes " in values.words


PLAIN = GraphSet.from_networkx(nx.path_graph(3))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"name": ""}, "has no name. Give it one"),
        ({"name": "  "}, "has no name. Give it one"),
        ({"name": float("nan")}, "has no name. Give it one"),
        ({"name": 2}, "There is a vertex '2' already. Give the new vertex another name"),
        ({"name": "2"}, "There is a vertex '2' already"),
        ({"joined_to": [9]}, "There is no vertex '9' in this graph"),
    ],
)
def test_wrong_vertices_are_refused(options, message):
    before = content(PLAIN)
    with pytest.raises(InvalidGraphError, match=message):
        with_vertex(PLAIN, **options)
    assert content(PLAIN) == before


def test_removal_needs_known_vertices():
    with pytest.raises(InvalidGraphError, match="There is no vertex 'x'"):
        without_vertices(PLAIN, ["x"])
    with pytest.raises(InvalidGraphError, match="Choose at least one to remove"):
        without_vertices(PLAIN, [])


def test_a_graph_grows_up_to_the_bound():
    full = GraphSet(np.zeros((1, 1)), [0, 1])
    largest = GraphSet.from_networkx(nx.empty_graph(MAX_VERTICES - 1))
    assert with_vertex(largest).n_vertices == MAX_VERTICES
    with pytest.raises(InvalidGraphError, match="6,001 vertices, and it can be edited up to 6,000"):
        with_vertex(with_vertex(largest))
    assert with_vertex(full).n_vertices == 2


@pytest.mark.parametrize(
    ("names", "fresh"),
    [
        ([0, 1, 7], 8),
        (["1", "34"], "35"),
        (["a", "b"], "v1"),
        (["v1", 5], "v2"),
        ([-1, 0], "v1"),
        (["01", "2"], "v1"),
        (["9" * 400], "v1"),
        ([], 0),
    ],
)
def test_fresh_names_follow_the_style_of_the_others(names, fresh):
    graph = GraphSet(np.zeros((len(names), len(names))), [0, len(names)], names=names)
    assert fresh_name([graph]) == fresh
    assert type(fresh_name([graph])) is type(fresh)


def test_a_fresh_name_differs_from_those_of_earlier_versions():
    before = graph_of([(0, 1), (1, 2)])
    after = without_vertices(before, [2])
    assert with_vertex(after).names == [0, 1, 2]
    assert fresh_name([before, after]) == 3


def test_typed_names_find_vertices_whatever_their_type():
    assert typed_name(graph_of([(0, 1)]), " 1 ") == 1
    assert typed_name(graph_of([("0", "1")]), "1") == "1"
    assert typed_name(graph_of([((0, 1), "a")]), "[0, 1]") == (0, 1)
    assert typed_name(graph_of([(0, 1)]), "x") == "x"
