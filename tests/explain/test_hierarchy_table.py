"""A tree as a table: sizes add up, weights add up, everybody is where they belong."""

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mpgk_core import InvalidGraphError, InvalidParameterError, MessagePassingNodeKernel
from mpgk_core.explain import HierarchyTable, colour_hierarchy
from tests.kernels.oracle import strong_kernel
from tests.strategies import graphs


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
