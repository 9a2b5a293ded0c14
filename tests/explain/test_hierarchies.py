"""The matching along a hierarchy is one-to-one, and no assignment is worth more."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mpgk_core import (
    InvalidGraphError,
    InvalidParameterError,
    MessagePassingGraphKernel,
    MessagePassingNodeKernel,
)
from mpgk_core.explain import HierarchyTable, colour_hierarchy, match_along
from mpgk_core.kernels.hierarchy import grow_tree
from tests.kernels.oracle import best_assignment, strong_kernel
from tests.strategies import graph_lists, graphs


@st.composite
def trees_and_leaves(draw):
    """Random trees of random shape, and two sets of leaves, equal ones among them."""
    n_points = draw(st.integers(1, 12))
    points = np.random.default_rng(draw(st.integers(0, 99))).normal(size=(n_points, 2))
    branching, depth = draw(st.sampled_from([(2, 1), (2, 4), (3, 3), (4, 8)]))
    tree, _ = grow_tree(points, np.ones(n_points), branching, depth, seed=0)
    leaf = st.integers(0, tree.hierarchy.n_leaves - 1)
    sets = st.lists(leaf, max_size=9)
    return tree.hierarchy, draw(sets), draw(sets)


@settings(max_examples=100)
@given(trees_and_leaves())
def test_the_matching_is_worth_as_much_as_the_best_assignment(example):
    hierarchy, left, right = example
    found = match_along(hierarchy, left, right)
    table = np.array([[strong_kernel(hierarchy, a, b) for b in right] for a in left])
    table = table.reshape(len(left), len(right))
    np.testing.assert_allclose(found.value, best_assignment(table), rtol=1e-12)
    np.testing.assert_allclose(found.similarities, table[found.left, found.right], rtol=1e-12)


@settings(max_examples=100)
@given(trees_and_leaves())
def test_the_matching_is_one_to_one_and_leaves_nobody_of_the_smaller_set_out(example):
    hierarchy, left, right = example
    found = match_along(hierarchy, left, right)
    assert len(found) == min(len(left), len(right))
    assert len(set(found.left.tolist())) == len(set(found.right.tolist())) == len(found)
    assert (np.diff(found.left) > 0).all()
    assert set(found.left.tolist()) <= set(range(len(left)))
    assert set(found.right.tolist()) <= set(range(len(right)))


@settings(max_examples=50)
@given(trees_and_leaves())
def test_a_pair_meets_at_the_deepest_node_that_holds_both(example):
    hierarchy, left, right = example
    found = match_along(hierarchy, left, right)
    for i, j, node in zip(found.left, found.right, found.nodes, strict=True):
        mine, theirs = (set(hierarchy.paths[side]) - {-1} for side in (left[i], right[j]))
        assert node == max(mine & theirs, key=lambda c: hierarchy.depths[c])


@settings(max_examples=50)
@given(trees_and_leaves())
def test_swapping_the_sets_keeps_the_value_and_a_set_is_worth_most_to_itself(example):
    hierarchy, left, right = example
    value = match_along(hierarchy, left, right).value
    assert match_along(hierarchy, right, left).value == value
    assert match_along(hierarchy, left, left).value >= value
    own = match_along(hierarchy, left, left)
    assert (own.left == own.right).all()


def test_earlier_members_are_paired_with_earlier_ones():
    tree, leaves = grow_tree(np.array([[0.0], [9.0]]), np.ones(2), 2, 2, seed=0)
    a, b = leaves.tolist()
    found = match_along(tree.hierarchy, [a, a, b], [b, a, a])
    assert list(zip(found.left, found.right, strict=True)) == [(0, 1), (1, 2), (2, 0)]


@settings(max_examples=12)
@given(known=graph_lists(), new=graph_lists(max_graphs=2, min_graphs=2), T=st.integers(0, 2))
def test_unknown_labels_meet_on_a_branch_of_their_own(known, new, T):
    """Their matching is the histogram intersection that the engine gives them in the joint set."""
    for graph in new:
        for v in graph:
            graph.nodes[v]["label"] = "unknown"
    kernel = MessagePassingGraphKernel("AA", n_iterations=T, features="labels").fit(known)
    hierarchy, leaves = kernel.hierarchy_at(T), kernel.leaves_at(T, new)
    assert set(leaves.tolist()) <= {hierarchy.n_leaves}
    found = match_along(hierarchy, leaves[: len(new[0])], leaves[len(new[0]) :])
    whole = match_along(hierarchy, [0], [0]).value
    np.testing.assert_allclose(found.similarities, whole, rtol=1e-12)
    assert set(found.nodes.tolist()) <= {hierarchy.n_nodes}
    mixed = match_along(hierarchy, [hierarchy.n_leaves], [0])
    assert (mixed.nodes[0], mixed.value) == (0, hierarchy.omega[0])


@st.composite
def tables(draw):
    graph = draw(graphs(min_vertices=1, max_vertices=8))
    T = draw(st.integers(0, 2))
    if draw(st.booleans()):
        return HierarchyTable(*colour_hierarchy(graph, T, "labels"))
    kernel = MessagePassingNodeKernel(
        "A", n_iterations=T, features="labels", branching=2, depth=4
    ).fit(graph)
    return HierarchyTable(kernel.hierarchy_at(T), kernel.leaves_at(T))


@settings(max_examples=25)
@given(tables())
def test_a_node_holds_what_its_children_hold(table):
    n_nodes = table.hierarchy.n_nodes
    assert table.n_vertices[0] == len(table.leaves)
    is_leaf = np.isin(np.arange(n_nodes), table.hierarchy.leaf_nodes)
    for node in range(n_nodes):
        children = np.flatnonzero(table.hierarchy.parents == node)
        held = [table.vertices_of(child) for child in children]
        if is_leaf[node]:
            (leaf,) = np.flatnonzero(table.hierarchy.leaf_nodes == node)
            held = [np.flatnonzero(table.leaves == leaf)]
        assert table.vertices_of(node).tolist() == sorted(np.concatenate(held).tolist())
        assert len(table.vertices_of(node)) == table.n_vertices[node]


@settings(max_examples=25)
@given(tables())
def test_what_is_shared_at_a_leaf_is_the_strong_kernel_of_a_vertex_with_itself(table):
    for leaf, node in enumerate(table.hierarchy.leaf_nodes):
        assert table.shared[node] == pytest.approx(strong_kernel(table.hierarchy, leaf, leaf))
    rows = table.rows()
    assert [row["node"] for row in rows] == list(range(table.hierarchy.n_nodes))
    for row in rows[1:]:
        assert row["shared"] == pytest.approx(rows[row["parent"]]["shared"] + row["omega"])


@settings(max_examples=25)
@given(tables(), st.data())
def test_the_majority_is_the_most_frequent_class(table, data):
    n = len(table.leaves)
    classes = np.array(data.draw(st.lists(st.integers(0, 3), min_size=n, max_size=n)))
    most, shares = table.majority(classes)
    for node in range(table.hierarchy.n_nodes):
        counts = np.bincount(classes[table.vertices_of(node)], minlength=4)
        assert most[node] == counts.argmax()
        assert shares[node] == pytest.approx(counts.max() / max(counts.sum(), 1))


def test_a_vertex_in_no_leaf_is_counted_at_the_root_alone():
    hierarchy, leaves = colour_hierarchy(nx.path_graph(3), 1)
    table = HierarchyTable(hierarchy, np.append(leaves, hierarchy.n_leaves))
    assert table.n_vertices[0] == 4
    assert table.n_vertices[hierarchy.depths == 1].sum() == 3


def test_mistakes_are_named():
    table = HierarchyTable(*colour_hierarchy(nx.path_graph(3), 1))
    with pytest.raises(InvalidParameterError, match="'node' parameter"):
        table.vertices_of(table.hierarchy.n_nodes)
    with pytest.raises(InvalidGraphError, match="2 classes for 3 vertices"):
        table.majority(np.array([0, 1]))
