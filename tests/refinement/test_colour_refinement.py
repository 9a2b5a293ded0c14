"""Colour refinement against a dictionary-based version, and its known strengths and limits."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mpgk_core import GraphSet, InvalidParameterError, colour_refinement
from mpgk_core.graphs.neighbourhoods import Neighbourhoods
from mpgk_core.refinement.colour_refinement import (
    agreeing,
    mixed_classes,
    refine,
    separation,
    until_stable,
)
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


CLASSES = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=12)


def rounds_of(graph):
    prepared = GraphSet.from_networkx(graph)
    return until_stable(prepared, np.zeros(prepared.n_vertices, dtype=np.int32), 1)


@given(CLASSES)
def test_vertices_agree_in_all_classes_or_are_apart(pairs):
    first, second = np.array(pairs).T
    numbers = {}
    expected = [numbers.setdefault(pair, len(numbers)) for pair in pairs]
    assert agreeing(first, second).tolist() == expected


@given(CLASSES)
def test_a_class_is_mixed_if_it_holds_two_orbits(pairs):
    classes, orbits = (agreeing(column) for column in np.array(pairs).T)
    found = [members.tolist() for members in mixed_classes(classes, orbits)]
    members = [np.flatnonzero(classes == c) for c in range(classes.max() + 1)]
    assert found == [m.tolist() for m in members if len(set(orbits[m].tolist())) > 1]


@given(graphs(min_vertices=1))
def test_the_last_round_is_stable(graph):
    colours = list(rounds_of(graph))
    assert [len(set(c.tolist())) for c in colours] == [
        len(set(colour_refinement(graph, s).tolist())) for s in range(len(colours))
    ]
    assert len(set(colours[-1].tolist())) == len(set(colour_refinement(graph).tolist()))


def test_the_ends_of_a_path_are_told_at_once_and_its_middle_at_last():
    found = separation(rounds_of(nx.path_graph(9)), [np.array([0, 8]), np.array([1, 3, 4])])
    assert found.n_colours.tolist() == [1, 3]
    assert found.n_rounds.tolist() == [0, 4]
    assert len(set(found.colours.tolist())) == 5


def test_without_sets_only_the_colours_remain():
    found = separation(rounds_of(nx.path_graph(3)), [])
    assert found.n_colours.shape == found.n_rounds.shape == (0,)
    assert found.colours[0] == found.colours[2] != found.colours[1]


@given(st.integers(0, 10**6), st.integers(1, 4), st.integers(1, 3))
def test_a_type_is_its_parent_and_the_counts_of_received_colours(seed, n_colours, n_graphs):
    rng = np.random.default_rng(seed)
    members = [
        nx.gnp_random_graph(int(rng.integers(1, 7)), 0.4, seed=seed) for _ in range(n_graphs)
    ]
    graphs = GraphSet.from_networkx(members)
    colours, types = rng.integers(n_colours, size=(2, graphs.n_vertices)).astype(np.int32)
    found = refine(Neighbourhoods.plain(graphs.adjacency), types, colours, n_colours)
    received = graphs.adjacency @ np.eye(n_colours)[colours]
    np.testing.assert_array_equal(found.messages.toarray()[found.of_vertex], received)
    np.testing.assert_array_equal(found.parents[found.of_vertex], types)
    assert found.n_types == len(
        {(t, *row) for t, row in zip(types, received.tolist(), strict=True)}
    )
    by_graph = refine(
        Neighbourhoods.plain(graphs.adjacency), types, colours, n_colours, graphs.offsets
    )
    np.testing.assert_array_equal(by_graph.of_vertex, found.of_vertex)
    assert (by_graph.messages != found.messages).nnz == 0
    content = found.content
    for number in range(found.n_types):
        parts = content.values[content.indptr[number] : content.indptr[number + 1]].reshape(-1, 3)
        row = found.messages.toarray()[number]
        assert parts.tolist() == [[0, c, row[c]] for c in np.flatnonzero(row)]
