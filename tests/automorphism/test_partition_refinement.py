"""Refinement of ordered partitions: equitable, coarsest, and blind to vertex numbers."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest

from mpgk_core.automorphism.partition_refinement import OrderedPartition, refine_partition

GRAPHS = {
    "sparse": nx.gnp_random_graph(60, 0.04, seed=2),
    "dense": nx.gnp_random_graph(40, 0.6, seed=2),
    "cubic": nx.random_regular_graph(3, 30, seed=2),
    "grid": nx.convert_node_labels_to_integers(nx.grid_2d_graph(5, 8)),
    "barbell": nx.barbell_graph(6, 7),
}


def rows_of(adjacency):
    rows, columns = np.nonzero(adjacency)
    indptr = np.searchsorted(rows, np.arange(len(adjacency) + 1))
    return indptr.astype(np.int64), columns.astype(np.int64)


def refined(adjacency, set_apart=None, expected=None):
    partition = OrderedPartition.by_colour(np.zeros(len(adjacency), dtype=np.int64))
    trace, _ = refine_partition(*rows_of(adjacency), partition, partition.starts())
    if set_apart is not None:
        partition = partition.with_first(set_apart)
        splitters = partition.cell[set_apart : set_apart + 1]
        arguments = () if expected is None else (expected,)
        trace, _ = refine_partition(*rows_of(adjacency), partition, splitters, *arguments)
    return partition, trace


def stable_colours(adjacency, set_apart=None):
    """Colour refinement by the book, round by round."""
    n = len(adjacency)
    colours = [int(v == set_apart) for v in range(n)]
    for _ in range(n):
        seen = [
            (colours[v], sorted(colours[u] for u in np.flatnonzero(adjacency[v]))) for v in range(n)
        ]
        distinct = sorted(map(repr, seen))
        colours = [distinct.index(repr(content)) for content in seen]
    return colours


def same_partition(left, right):
    pairs = set(zip(left, right, strict=True))
    return len(pairs) == len(set(left)) == len(set(right))


@pytest.mark.parametrize("set_apart", [None, 3])
@pytest.mark.parametrize("name", GRAPHS)
def test_refinement_finds_the_stable_colours(name, set_apart):
    adjacency = nx.to_numpy_array(GRAPHS[name], nodelist=range(len(GRAPHS[name])))
    partition, _ = refined(adjacency, set_apart)
    assert same_partition(partition.cell.tolist(), stable_colours(adjacency, set_apart))


@pytest.mark.parametrize("name", GRAPHS)
def test_order_cells_and_sizes_tell_the_same(name):
    adjacency = nx.to_numpy_array(GRAPHS[name], nodelist=range(len(GRAPHS[name])))
    partition, _ = refined(adjacency, set_apart=3)
    assert sorted(partition.order.tolist()) == list(range(len(adjacency)))
    for start in partition.starts().tolist():
        members = partition.order[start : start + partition.size[start]]
        np.testing.assert_array_equal(np.sort(members), np.flatnonzero(partition.cell == start))


@pytest.mark.parametrize("name", GRAPHS)
def test_renumbering_vertices_keeps_trace_and_cells(name):
    adjacency = nx.to_numpy_array(GRAPHS[name], nodelist=range(len(GRAPHS[name])))
    old_place = np.random.default_rng(5).permutation(len(adjacency))
    moved = adjacency[np.ix_(old_place, old_place)]
    before, trace = refined(adjacency, int(old_place[0]))
    after, moved_trace = refined(moved, 0)
    np.testing.assert_array_equal(moved_trace, trace)
    np.testing.assert_array_equal(after.cell, before.cell[old_place])


def test_a_run_stops_where_it_departs_from_the_expected_trace():
    adjacency = nx.to_numpy_array(GRAPHS["cubic"])
    _, expected = refined(adjacency, set_apart=0)
    _, same = refined(adjacency, set_apart=0, expected=expected)
    _, other = refined(adjacency, set_apart=1, expected=expected)
    np.testing.assert_array_equal(same, expected)
    assert len(other) < len(expected)
    np.testing.assert_array_equal(other[:-1], expected[: len(other) - 1])
    assert other[-1] != expected[len(other) - 1]


def test_setting_the_only_vertex_of_a_cell_apart_changes_nothing():
    partition = OrderedPartition.by_colour(np.array([5, 9, 5]))
    again = partition.with_first(1)
    assert again.cell.tolist() == partition.cell.tolist() == [0, 2, 0]
    assert again.size.tolist() == [2, 0, 1]
