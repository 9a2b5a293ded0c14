"""The parts of a graph kernel sum up to what the engine says, for every variant."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mpgk_core import InvalidParameterError, MessagePassingGraphKernel, colour_refinement
from mpgk_core.explain import colour_hierarchy, explain_four_variants, explain_graphs
from tests.strategies import FEATURES, graph_lists

VARIANTS = ["RR", "RA", "AR", "AA"]
WEIGHTS = st.sampled_from([0.0, 0.2, 0.8, 1.7])


@pytest.mark.parametrize("variant", VARIANTS)
@settings(max_examples=16)
@given(
    members=graph_lists(),
    features=FEATURES,
    alpha=WEIGHTS,
    beta=WEIGHTS,
    T=st.integers(0, 3),
    levels=st.sampled_from(["last", "sum"]),
    normalize=st.booleans(),
    data=st.data(),
)
def test_parts_sum_up_to_the_kernel_of_every_round(
    variant, members, features, alpha, beta, T, levels, normalize, data
):
    kernel = MessagePassingGraphKernel(
        variant, alpha, beta, T, levels, features, normalize=normalize, branching=3, depth=3
    )
    matrices = kernel.kernels_at_all_t(members)
    graph = st.integers(0, len(members) - 1)
    g, h, t = data.draw(graph), data.draw(graph), data.draw(st.integers(0, T))
    pair = explain_graphs(kernel, members, g, h, t)
    np.testing.assert_allclose(pair.similarity, matrices[t][g, h], rtol=1e-9, atol=1e-9)
    parts = sum(part.values.sum() for part in pair.rounds.values())
    np.testing.assert_allclose(parts, pair.value, rtol=1e-9, atol=1e-9)
    assert list(pair.rounds) == (list(range(t + 1)) if levels == "sum" else [t])
    middle = len(members[g])
    for part in pair.rounds.values():
        assert (part.left < middle).all()
        assert (part.right >= middle).all()
        if variant[1] == "A":
            smaller = min(middle, len(members[h]))
            assert len(set(part.left)) == len(set(part.right)) == len(part) == smaller
        else:
            assert len(part) == middle * len(members[h])


@pytest.mark.parametrize("variant", VARIANTS)
@settings(max_examples=10)
@given(known=graph_lists(), new=graph_lists(), T=st.integers(0, 3), features=FEATURES)
def test_graphs_that_training_did_not_know_are_explained_too(variant, known, new, T, features):
    for graph in new:
        for v in list(graph)[:2]:
            graph.nodes[v]["label"] = "unknown"
    kernel = MessagePassingGraphKernel(variant, n_iterations=T, features=features).fit(known)
    expected = kernel.transform(new)
    pair = explain_graphs(kernel, [*known, *new], len(known), 0)
    np.testing.assert_allclose(pair.similarity, expected[0, 0], rtol=1e-9, atol=1e-9)
    own = explain_graphs(kernel, new, 0, 0)
    assert own.similarity == pytest.approx(1.0 if own.value > 0 else 0.0)


@pytest.mark.parametrize("variant", VARIANTS)
@settings(max_examples=10)
@given(members=graph_lists(min_graphs=2, min_vertices=1), T=st.integers(0, 3))
def test_one_can_step_into_a_pair_of_vertices(variant, members, T):
    kernel = MessagePassingGraphKernel(variant, n_iterations=T, features="labels").fit(members)
    pair = explain_graphs(kernel, members, 0, 1)
    row = int(pair.contributions.largest(1)[0])
    inner = pair.into(row)
    assert (inner.left, inner.right) == (
        pair.contributions.left[row],
        pair.contributions.right[row],
    )
    np.testing.assert_allclose(inner.own_part + inner.neighbour_part, inner.value, rtol=1e-9)
    if variant[1] == "R":
        np.testing.assert_allclose(inner.value, pair.contributions.values[row], rtol=1e-9)


def test_vertices_of_the_larger_graph_remain_alone_under_a_only():
    found = explain_four_variants([nx.path_graph(3), nx.cycle_graph(5)], 0, 1)
    alone = {variant: [len(side) for side in pair.unmatched] for variant, pair in found.items()}
    assert alone == {"RR": [0, 0], "RA": [0, 2], "AR": [0, 0], "AA": [0, 2]}
    assert list(found) == VARIANTS
    assert all(pair.is_normalised for pair in found.values())


def test_a_hub_is_the_busiest_vertex_under_r_and_less_so_under_a():
    members = [nx.star_graph(9), nx.path_graph(10)]
    found = explain_four_variants(members, 0, 1)
    busiest = {variant: pair.contributions.busiest() for variant, pair in found.items()}
    assert busiest["RR"].vertex == 0
    assert busiest["RR"].even_share == 0.1
    assert busiest["RR"].share > 0.2 > busiest["RA"].share


def test_graphs_without_vertices_have_no_parts():
    kernel = MessagePassingGraphKernel("AA", n_iterations=1).fit([nx.path_graph(3), nx.Graph()])
    pair = explain_graphs(kernel, [nx.path_graph(3), nx.Graph()], 0, 1)
    assert (pair.value, pair.similarity, pair.contributions.busiest()) == (0.0, 0.0, None)
    assert [side.tolist() for side in pair.unmatched] == [[0, 1, 2], []]
    with pytest.raises(InvalidParameterError, match="No pair of vertices contributes"):
        pair.into(0)


def test_mistakes_are_named():
    members = [nx.path_graph(3), nx.cycle_graph(4)]
    kernel = MessagePassingGraphKernel("RA", n_iterations=2).fit(members)
    with pytest.raises(InvalidParameterError, match="No hierarchy was grown in round 1"):
        explain_graphs(kernel, members, 0, 1, 1)
    with pytest.raises(InvalidParameterError, match="'right' parameter"):
        explain_graphs(kernel, members, 0, 2)
    with pytest.raises(InvalidParameterError, match="'row' parameter"):
        explain_graphs(kernel, members, 0, 1).into(3)
    with pytest.raises(InvalidParameterError, match="in round 1"):
        explain_graphs(kernel, members, 0, 1).into(0, 1)
    landmarks = MessagePassingGraphKernel("AA", approximation="nystroem", n_landmarks=4)
    with pytest.raises(InvalidParameterError, match="approximation=None"):
        explain_graphs(landmarks.fit(members), members, 0, 1)


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
