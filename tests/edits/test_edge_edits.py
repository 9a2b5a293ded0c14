"""Edges: every edit has an inverse, and wrong ones change nothing."""

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mpgk_core import GraphSet, InvalidGraphError
from mpgk_core.edits import toggled_edge, with_edge, without_edge
from tests.edits.versions import assert_same, content, editable


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


@pytest.mark.parametrize("edit", [with_edge, without_edge, toggled_edge])
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
