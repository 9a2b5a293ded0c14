"""Weisfeiler-Lehman as a member of the family, against GraKeL and by its own laws."""

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mpgk_core import (
    InvalidParameterError,
    WeisfeilerLehmanOptimalAssignment,
    WeisfeilerLehmanSubtree,
    colour_refinement,
)
from mpgk_core.arrays import membership_matrix
from mpgk_core.graphs import as_graph_set
from mpgk_core.kernels.assignment import node_histograms
from tests.grakel_graphs import for_grakel, labelled_graphs
from tests.strategies import graph_lists, graphs

BOTH = [WeisfeilerLehmanSubtree, WeisfeilerLehmanOptimalAssignment]


@pytest.mark.parametrize("estimator", BOTH)
@pytest.mark.parametrize("normalize", [False, True])
def test_equals_grakel_on_random_labelled_graphs(estimator, normalize):
    grakel = pytest.importorskip("grakel")
    members = labelled_graphs(25, (3, 14), 0.4)
    theirs = for_grakel(grakel, members)
    if estimator is WeisfeilerLehmanSubtree:
        peer = grakel.WeisfeilerLehman(
            n_iter=4, base_graph_kernel=grakel.VertexHistogram, normalize=normalize
        )
    else:
        peer = grakel.WeisfeilerLehmanOptimalAssignment(n_iter=4, normalize=normalize)
    ours = estimator(4, normalize=normalize).fit_transform(members)
    np.testing.assert_allclose(ours, peer.fit_transform(theirs), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("estimator", BOTH)
@settings(max_examples=40)
@given(members=graph_lists(), T=st.integers(0, 3))
def test_kernels_equal_their_definition_by_colours(estimator, members, T):
    graphs_of = as_graph_set(members).graph_of_vertex
    expected = np.zeros((len(members), len(members)))
    for t in range(T + 1):
        colours = colour_refinement(members, t, respect_labels=True)
        table = np.zeros((len(members), colours.max(initial=0) + 1))
        np.add.at(table, (graphs_of, colours), 1)
        if estimator is WeisfeilerLehmanSubtree:
            expected += table @ table.T
        else:
            expected += np.minimum(table[:, np.newaxis], table).sum(axis=2)
    ours = estimator(T, features="labels", normalize=False).fit_transform(members)
    np.testing.assert_allclose(ours, expected, rtol=1e-12)


@pytest.mark.parametrize("estimator", BOTH)
@settings(max_examples=40)
@given(known=graph_lists(), new=graph_lists(), T=st.integers(0, 3))
def test_transform_equals_block_of_the_joint_matrix(estimator, known, new, T):
    joint = estimator(T, features="labels").fit_transform([*known, *new])
    block = estimator(T, features="labels").fit(known).transform(new)
    np.testing.assert_allclose(block, joint[len(known) :, : len(known)], rtol=1e-12, atol=1e-12)


@settings(max_examples=40)
@given(graph=graphs(min_vertices=1), T=st.integers(0, 3))
def test_the_colour_tree_is_an_ordinary_hierarchy(graph, T):
    """Counting colours and climbing the tree of colours give the same histograms."""
    kernel = WeisfeilerLehmanOptimalAssignment(T, features="labels", normalize=False).fit(graph)
    hierarchy = kernel.hierarchy_
    colours = kernel._known[-1].of_vertex if T else kernel._start.of_vertex
    leaf_of_node = {int(node): leaf for leaf, node in enumerate(hierarchy.leaf_nodes)}
    first = hierarchy.n_nodes - hierarchy.n_leaves
    leaves = np.array([leaf_of_node[first + int(c)] for c in colours], dtype=np.int32)
    offsets = np.array([0, len(graph)])
    climbed = node_histograms(
        membership_matrix(leaves, hierarchy.n_leaves + 1, offsets), hierarchy
    ).toarray()
    assert climbed.sum() == kernel.fit_transform(graph)[0, 0]
    strong = hierarchy.strong_kernel()[np.ix_(leaves, leaves)]
    by_pairs = WeisfeilerLehmanSubtree(T, features="labels", normalize=False).fit_transform(graph)
    assert strong.sum() == by_pairs[0, 0]


@pytest.mark.parametrize("estimator", BOTH)
def test_graphs_without_labels_start_from_their_degrees(estimator):
    members = [nx.path_graph(4), nx.star_graph(3)]
    np.testing.assert_array_equal(
        estimator(2).fit_transform(members), estimator(2, features="degree").fit_transform(members)
    )


@pytest.mark.parametrize("estimator", BOTH)
def test_rounds_are_checked(estimator):
    with pytest.raises(InvalidParameterError, match="n_iterations"):
        estimator(-1).fit([nx.path_graph(2)])
