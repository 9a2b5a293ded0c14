"""The tree of colours is a hierarchy: matching along it is WL-OA, summing over it is WL."""

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
from mpgk_core.explain import colour_hierarchy, explain_colours
from tests.strategies import graph_lists, graphs

KERNELS = {"A": WeisfeilerLehmanOptimalAssignment, "R": WeisfeilerLehmanSubtree}


@pytest.mark.parametrize("way", ["A", "R"])
@settings(max_examples=20)
@given(
    members=graph_lists(),
    T=st.integers(0, 3),
    normalize=st.booleans(),
    features=st.sampled_from(["labels", "degree", "constant"]),
    data=st.data(),
)
def test_explanations_sum_up_to_the_wl_kernels(way, members, T, normalize, features, data):
    graph = st.integers(0, len(members) - 1)
    g, h = data.draw(graph), data.draw(graph)
    expected = KERNELS[way](T, features, normalize).fit_transform(members)[g, h]
    pair = explain_colours(members, g, h, T, features, way, normalize)
    np.testing.assert_allclose(pair.similarity, expected, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(pair.contributions.values.sum(), pair.value, rtol=1e-12)


@settings(max_examples=20)
@given(members=graph_lists(), T=st.integers(0, 3))
def test_two_vertices_share_a_node_for_every_round_in_which_they_look_alike(members, T):
    hierarchy, leaves = colour_hierarchy(members, T, "labels")
    strong = hierarchy.strong_kernel()[np.ix_(leaves, leaves)]
    expected = np.zeros_like(strong)
    for t in range(T + 1):
        colours = colour_refinement(members, t, respect_labels=True)
        expected += colours[:, np.newaxis] == colours
    np.testing.assert_array_equal(strong, expected)


@settings(max_examples=15)
@given(graph=graphs(min_vertices=1), T=st.integers(0, 3))
def test_a_graph_is_matched_with_itself_in_the_leaves(graph, T):
    pair = explain_colours([graph], 0, 0, T, "labels")
    assert (pair.contributions.values == T + 1).all()
    assert (pair.contributions.right - pair.contributions.left == len(graph)).all()


def test_colours_have_no_parts_and_two_ways():
    members = [nx.path_graph(3), nx.cycle_graph(4)]
    with pytest.raises(InvalidParameterError, match="WL-OA compares colours"):
        explain_colours(members, 0, 1).into(0)
    with pytest.raises(InvalidParameterError, match="'way' parameter"):
        explain_colours(members, 0, 1, way="B")
