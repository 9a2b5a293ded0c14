"""The parts of k^t(v, u) sum up to the whole, in every round, down to k⁰."""

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mpgk_core import (
    GraphSet,
    InvalidGraphError,
    InvalidParameterError,
    MessagePassingNodeKernel,
    NotFittedError,
)
from mpgk_core.explain import (
    explain_neighbourhoods,
    explain_vertices,
    instructive_pair,
    pair_history,
)
from tests.kernels.oracle import leaf_similarity
from tests.strategies import FEATURES, graph_lists, graphs

WEIGHTS = st.sampled_from([0.0, 0.2, 0.8, 1.0, 1.7])
SHAPES = st.sampled_from([(2, 1), (2, 3), (4, 8)])


@st.composite
def explained(draw, neighbourhood=None):
    """A fitted kernel, its graphs, and an explanation of two of their vertices."""
    members = draw(graph_lists(max_graphs=2))
    way = draw(st.sampled_from("RA")) if neighbourhood is None else neighbourhood
    branching, depth = draw(SHAPES)
    kernel = MessagePassingNodeKernel(
        way,
        draw(WEIGHTS),
        draw(WEIGHTS),
        draw(st.integers(0, 3)),
        draw(FEATURES),
        normalize=draw(st.booleans()),
        branching=branching,
        depth=depth,
    ).fit(members)
    vertex = st.integers(0, kernel.n_vertices_in_ - 1)
    t = draw(st.integers(0, kernel.n_iterations))
    return members, explain_vertices(kernel, members, draw(vertex), draw(vertex), t)


@settings(max_examples=60)
@given(explained())
def test_the_parts_sum_up_to_the_whole(example):
    _, pair = example
    while pair is not None:
        parts = pair.own_part + pair.neighbour_part
        np.testing.assert_allclose(parts, pair.value, rtol=1e-9, atol=1e-9)
        if pair.own is not None:
            np.testing.assert_allclose(
                pair.own_part, pair.parameters.alpha * pair.own.value, rtol=1e-12
            )
        np.testing.assert_allclose(
            pair.parameters.beta * pair.contributions.values.sum(),
            pair.neighbour_part,
            rtol=1e-9,
            atol=1e-9,
        )
        pair = pair.own


@settings(max_examples=40)
@given(explained())
def test_the_value_is_that_of_the_kernel(example):
    _, pair = example
    theirs = pair.kernel.kernel_at(pair.t)[pair.left, pair.right]
    np.testing.assert_allclose(pair.similarity, theirs, rtol=1e-9, atol=1e-9)


@settings(max_examples=25)
@given(explained(neighbourhood="R"))
def test_under_r_the_whole_tree_unfolds_to_k0(example):
    _, pair = example

    def unfolded(node, budget=[4000]):  # noqa: B006
        budget[0] -= 1
        if node.own is None:
            return sum(x * y for _, x, y in node.start_terms())
        if budget[0] < 0:
            return node.value
        around = [unfolded(node.into(row)) for row in range(len(node.contributions))]
        p = node.parameters
        return p.alpha * unfolded(node.own) + p.beta * sum(around)

    np.testing.assert_allclose(unfolded(pair), pair.value, rtol=1e-9, atol=1e-9)


@settings(max_examples=40)
@given(explained())
def test_contributions_are_pairs_of_neighbours(example):
    members, pair = example
    joint = nx.disjoint_union_all(members)
    pairs = np.stack([pair.contributions.left, pair.contributions.right], axis=1).tolist()
    left, right = sorted(joint[pair.left]), sorted(joint[pair.right])
    assert all(v in left and u in right for v, u in pairs)
    if pair.t == 0:
        assert pairs == []
        assert [side.tolist() for side in pair.unmatched] == [left, right]
    elif pair.parameters.neighbourhood == "R":
        assert pairs == [[v, u] for v in left for u in right]
    else:
        assert len({v for v, _ in pairs}) == len({u for _, u in pairs}) == len(pairs)
        assert len(pairs) == min(len(left), len(right))
        strong = leaf_similarity(
            pair.kernel.hierarchy_at(pair.t - 1), pair.kernel.leaves_at(pair.t - 1)
        )
        expected = [strong[v, u] for v, u in pairs]
        np.testing.assert_allclose(pair.contributions.values, expected, rtol=1e-12)
        assert pair.unmatched[0].tolist() == sorted(set(left) - {v for v, _ in pairs})
        assert pair.unmatched[1].tolist() == sorted(set(right) - {u for _, u in pairs})


@settings(max_examples=25)
@given(explained())
def test_the_history_tells_every_round(example):
    _, pair = example
    found = pair_history(pair)
    both = [pair.left, pair.right]
    values = [pair.kernel.kernel_between(both, both, s)[0, 1] for s in range(pair.t + 1)]
    np.testing.assert_allclose(found.total, values, rtol=1e-9, atol=1e-9)
    assert found.neighbours[0] == 0
    assert ((found.neighbour_share >= 0) & (found.neighbour_share <= 1)).all()


@settings(max_examples=25)
@given(explained())
def test_k0_is_the_sum_of_its_features(example):
    _, pair = example
    start = explain_vertices(pair.kernel, pair.graphs, pair.left, pair.right, 0)
    total = sum(x * y for _, x, y in start.start_terms())
    np.testing.assert_allclose(total, start.value, rtol=1e-9, atol=1e-9)


def test_features_are_called_by_their_names():
    graph = nx.path_graph(3)
    nx.set_node_attributes(graph, {0: "C", 1: "N", 2: "C"}, "label")
    nx.set_node_attributes(graph, {0: (2.0, 3.0), 1: (1.0, 1.0), 2: (5.0, 7.0)}, "attributes")
    kernel = MessagePassingNodeKernel(features="labels+attributes+degree").fit(graph)
    assert explain_vertices(kernel, graph, 0, 2, 0).start_terms() == [
        ("label C", 1.0, 1.0),
        ("attribute 1", 2.0, 5.0),
        ("attribute 2", 3.0, 7.0),
        ("degree", 1.0, 1.0),
    ]
    scaled = MessagePassingNodeKernel(features="attributes-standardised").fit(graph)
    assert scaled.feature_names_ == ["standardised attribute 1", "standardised attribute 2"]
    called = MessagePassingNodeKernel(features=lambda graphs: np.arange(graphs.n_vertices))
    assert called.fit(graph).feature_names_ == ["feature 1"]


def test_an_isolated_vertex_has_only_its_past():
    graph = nx.path_graph(2)
    graph.add_node(2)
    for way, pair in explain_neighbourhoods(graph, 0, 2).items():
        assert pair.parameters.neighbourhood == way
        assert pair.neighbour_part == 0
        with pytest.raises(InvalidParameterError, match="no pair of neighbours"):
            pair.into(0)


def test_parameters_set_after_fitting_change_no_explanation():
    graph = nx.path_graph(4)
    kernel = MessagePassingNodeKernel("R", n_iterations=2).fit(graph)
    kernel.set_params(alpha=5.0, beta=7.0, normalize=True, neighbourhood="A")
    pair = explain_vertices(kernel, graph, 0, 1)
    np.testing.assert_allclose(pair.own_part + pair.neighbour_part, pair.value, rtol=1e-9)
    assert (pair.parameters.alpha, pair.similarity) == (0.8, pair.value)


def test_mistakes_are_named():
    graph = nx.path_graph(4)
    with pytest.raises(NotFittedError):
        explain_vertices(MessagePassingNodeKernel(), graph, 0, 1)
    kernel = MessagePassingNodeKernel(n_iterations=2).fit(graph)
    with pytest.raises(InvalidParameterError, match="'t' parameter"):
        explain_vertices(kernel, graph, 0, 1, 3)
    with pytest.raises(InvalidParameterError, match="'right' parameter"):
        explain_vertices(kernel, graph, 0, 4)
    with pytest.raises(InvalidParameterError, match="'row' parameter"):
        explain_vertices(kernel, graph, 0, 1).into(2)
    for other in (nx.path_graph(5), nx.cycle_graph(4)):
        with pytest.raises(InvalidGraphError, match="not those that the kernel was fitted to"):
            explain_vertices(kernel, other, 0, 1)


@given(graph=graphs(min_vertices=1, max_vertices=9), place=st.none() | st.integers(0, 8))
def test_an_instructive_pair_has_small_neighbourhoods_that_are_not_joined(graph, place):
    given_one = None if place is None else place % len(graph)
    prepared = GraphSet.from_networkx(graph)
    first, second = instructive_pair(prepared, given_one)
    joined = prepared.adjacency.toarray() > 0
    beyond = np.abs(joined.sum(axis=1) - 2)
    if given_one is None:
        free = joined.sum(axis=1) < len(graph) - 1
        assert beyond[first] == beyond[free if free.any() else ~free].min()
        assert joined[first, second] <= (not free.any()), "two that are not joined are found"
    else:
        assert first == given_one
    others = [v for v in range(len(graph)) if v != first]
    apart = [v for v in others if not joined[first, v]]
    if others:
        assert second in (apart or others)
        assert beyond[second] == min(beyond[v] for v in apart or others)
    else:
        assert second == first


@pytest.mark.parametrize(
    ("graph", "pair"),
    [
        (nx.empty_graph(1), (0, 0)),
        (nx.empty_graph(4), (0, 1)),
        (nx.complete_graph(5), (0, 1)),
        (nx.path_graph(2), (0, 1)),
        (nx.star_graph(3), (1, 2)),
        (nx.path_graph(3), (0, 2)),
        (nx.barbell_graph(10, 10), (10, 12)),
    ],
)
def test_any_graph_with_a_vertex_has_an_instructive_pair(graph, pair):
    found = instructive_pair(GraphSet.from_networkx(graph))
    assert found == pair
    assert all(type(vertex) is int for vertex in found), "they become choices on a page"
    kernel = MessagePassingNodeKernel(n_iterations=2, features="degree-label").fit(graph)
    assert np.isfinite(explain_vertices(kernel, graph, *found).value)


@pytest.mark.parametrize(("way", "edges"), [("R", "labels+weights+both"), ("A", "labels+follow")])
def test_contributions_over_labelled_edges_sum_up_and_name_their_edges(way, edges):
    graph = nx.DiGraph()
    for a, b, label, weight in [
        (0, 1, "x", 2.0),
        (0, 2, "y", 0.5),
        (3, 1, "x", 1.0),
        (3, 4, "x", 3),
    ]:
        graph.add_edge(a, b, label=label, weight=weight)
    kernel = MessagePassingNodeKernel(way, 0.8, 0.2, 2, "degree", edges=edges).fit(graph)
    names = list(graph)
    for left in range(5):
        for right in range(5):
            pair = explain_vertices(kernel, graph, left, right)
            assert pair.own_part + pair.neighbour_part == pytest.approx(pair.value)
    pair = explain_vertices(kernel, graph, names.index(0), names.index(3))
    rows = pair.contributions.rows(names)
    assert {row["edges"] for row in rows} == {"label x, outgoing"}
    assert names.index(2) in pair.unmatched[0].tolist()
