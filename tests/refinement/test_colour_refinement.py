"""Colour refinement against a dictionary-based version, and its known strengths and limits."""

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mpgk_core import InvalidParameterError, colour_refinement
from tests.strategies import graphs, shuffled


def slow_refinement(graph, n_iterations, labels=None):
    colours = {v: labels[v] if labels else 0 for v in graph}
    for _ in range(n_iterations):
        colours = {
            v: (colours[v], tuple(sorted(map(repr, (colours[u] for u in graph[v]))))) for v in graph
        }
    return [colours[v] for v in graph]


def same_partition(ours, theirs):
    pairs = set(zip(ours, map(repr, theirs), strict=True))
    return len(pairs) == len(set(ours)) == len(set(map(repr, theirs)))


@given(graphs(min_vertices=1), st.integers(0, 4), st.booleans())
def test_partition_equals_the_slow_one(graph, n_iterations, respect_labels):
    labels = nx.get_node_attributes(graph, "label") if respect_labels else None
    ours = colour_refinement(graph, n_iterations, respect_labels=respect_labels)
    assert same_partition(ours.tolist(), slow_refinement(graph, n_iterations, labels))


@given(graphs(min_vertices=1), st.integers(0, 50))
def test_colours_do_not_depend_on_the_order_of_vertices(graph, seed):
    moved, order = shuffled(graph, seed)
    np.testing.assert_array_equal(colour_refinement(moved), colour_refinement(graph)[order])


def test_stops_when_nothing_changes():
    path = nx.path_graph(9)
    np.testing.assert_array_equal(colour_refinement(path), colour_refinement(path, 4))
    assert len(set(colour_refinement(path).tolist())) == 5


def test_colours_of_several_graphs_are_comparable():
    colours = colour_refinement(
        [nx.cycle_graph(6), nx.disjoint_union(nx.cycle_graph(3), nx.cycle_graph(3))]
    )
    assert len(set(colours.tolist())) == 1


def test_self_loops_count_where_kept():
    from mpgk_core import GraphSet

    graph = nx.Graph([(0, 0), (0, 1)])
    assert len(set(colour_refinement(GraphSet.from_networkx(graph)).tolist())) == 1
    kept = GraphSet.from_networkx(graph, self_loops="keep")
    assert len(set(colour_refinement(kept).tolist())) == 2


def test_empty_graph_has_no_colours():
    assert colour_refinement(nx.Graph()).shape == (0,)


@pytest.mark.parametrize("bad", [-1, 1.5, "two", True])
def test_rounds_must_be_a_whole_number(bad):
    with pytest.raises(InvalidParameterError, match="whole number"):
        colour_refinement(nx.path_graph(2), bad)
