"""Random removal: seeded, nested, and blind to the order of the vertices."""

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mpgk_core import GraphSet, InvalidParameterError
from mpgk_core.edits import without_random_edges
from tests.edits.versions import assert_same, content, editable
from tests.strategies import shuffled


@settings(max_examples=40)
@given(editable(), st.integers(0, 5), st.data())
def test_the_wanted_number_goes_and_each_removal_contains_those_before(graph, seed, data):
    k = data.draw(st.integers(0, graph.n_edges))
    vertices, edges = content(graph)
    some = without_random_edges(graph, k, seed)
    assert content(some)[0] == vertices
    assert content(some)[1] <= edges
    assert some.n_edges == graph.n_edges - k
    if k:
        assert content(some)[1] < content(without_random_edges(graph, k - 1, seed))[1]
    assert_same(some, without_random_edges(graph, k, seed))


@settings(max_examples=40)
@given(editable(), st.integers(0, 5), st.data())
def test_the_order_of_the_vertices_does_not_count(graph, seed, data):
    k = data.draw(st.integers(0, graph.n_edges))
    other = GraphSet.from_networkx(shuffled(graph.to_networkx()[0], seed + 3)[0])
    assert content(without_random_edges(graph, k, seed)) == content(
        without_random_edges(other, k, seed)
    )


def test_every_edge_can_be_hit():
    ring = GraphSet.from_networkx(nx.cycle_graph(5))
    all_edges = content(ring)[1]
    hit = [all_edges - content(without_random_edges(ring, 1, seed))[1] for seed in range(60)]
    assert set().union(*hit) == all_edges


def test_there_must_be_so_many_edges():
    ring = GraphSet.from_networkx(nx.cycle_graph(5))
    assert without_random_edges(ring, 5).n_edges == 0
    for wrong in (6, -1, 1.5):
        with pytest.raises(InvalidParameterError, match=r"'n_edges' parameter .* at most 5"):
            without_random_edges(ring, wrong)
    with pytest.raises(InvalidParameterError, match="'seed' parameter"):
        without_random_edges(ring, 1, seed=-1)
