"""Cases in which rounding, threads, failures or unseen data once led astray, or easily could."""

from concurrent.futures import ThreadPoolExecutor

import networkx as nx
import numpy as np
import pytest

from mpgk_core import (
    GraphSet,
    InvalidGraphError,
    InvalidParameterError,
    KernelOverflowError,
    MessagePassingGraphKernel,
    MessagePassingNodeKernel,
    NotFittedError,
)
from mpgk_core.kernels.hierarchy import grow_tree

VARIANTS = ["RR", "RA", "AR", "AA"]


def attributed(graph, values):
    nx.set_node_attributes(graph, dict(zip(graph, values, strict=True)), "attributes")
    return graph


def labelled(graph, labels):
    nx.set_node_attributes(graph, dict(zip(graph, labels, strict=True)), "label")
    return graph


def tenths(seed, n_graphs=6, n=10):
    rng = np.random.default_rng(seed)
    return [
        attributed(
            nx.random_regular_graph(4, n, seed=int(rng.integers(10**6))),
            rng.choice([0.1, 0.2, 0.3], size=n).tolist(),
        )
        for _ in range(n_graphs)
    ]


@pytest.mark.parametrize("approximation", [None, "nystroem"])
@pytest.mark.parametrize("variant", VARIANTS)
def test_transform_equals_block_where_sums_of_decimals_are_not_exact(variant, approximation):
    for seed in range(12):
        members = tenths(seed)
        kernel = MessagePassingGraphKernel(
            variant, n_iterations=3, features="attributes", approximation=approximation
        )
        full = kernel.fit_transform(members)
        for g in range(len(members)):
            np.testing.assert_allclose(kernel.transform(members[g : g + 1])[0], full[g], rtol=1e-9)


def test_scaling_all_attributes_does_not_change_a_normalised_kernel():
    path = attributed(nx.path_graph(3), [0.1, 0.0, 0.2])
    edge = attributed(nx.path_graph(2), [0.0, 0.3])
    ten_times = [attributed(path.copy(), [1, 0, 2]), attributed(edge.copy(), [0, 3])]
    kernel = MessagePassingGraphKernel("RA", n_iterations=2, features="attributes")
    np.testing.assert_allclose(
        kernel.fit_transform([path, edge]), kernel.fit_transform(ten_times), rtol=1e-9
    )


def test_a_very_frequent_point_does_not_hide_the_others():
    points = np.random.default_rng(0).normal(size=(1100, 32))
    weights = np.ones(1100)
    weights[17] = 1e7
    tree, _ = grow_tree(points, weights, branching=4, depth=8, seed=0)
    assert tree.hierarchy.n_leaves > 900


@pytest.mark.parametrize("n_labels", [7, 32, 40, 300])
def test_labels_that_are_equally_far_apart_all_get_a_leaf(n_labels):
    graph = labelled(nx.empty_graph(n_labels), range(n_labels))
    kernel = MessagePassingGraphKernel("AA", n_iterations=0, features="labels").fit([graph])
    assert len(set(kernel.leaves_at(0, [graph]).tolist())) >= 0.98 * n_labels


@pytest.mark.parametrize("variant", ["AA", "RA"])
@pytest.mark.parametrize("T", [0, 1, 3])
def test_an_unseen_label_shares_only_the_root(variant, T):
    known = [labelled(nx.path_graph(3), "AAA"), labelled(nx.path_graph(3), "BBB")]
    kernel = MessagePassingGraphKernel(variant, n_iterations=T, features="labels").fit(known)
    unseen = kernel.transform([labelled(nx.path_graph(3), "ZZZ")])
    root_share = 1 / kernel.hierarchy_at(T).strong_kernel()[0, 0]
    np.testing.assert_allclose(unseen, [[root_share, root_share]])


@pytest.mark.parametrize("variant", VARIANTS)
def test_graphs_with_some_unseen_labels_stay_below_similarity_one(variant):
    known = [labelled(nx.path_graph(3), "AAB"), labelled(nx.cycle_graph(4), "ABAB")]
    kernel = MessagePassingGraphKernel(variant, features="labels").fit(known)
    mixed = kernel.transform([labelled(nx.path_graph(3), "AAZ")])
    assert np.all(mixed < 1.0 - 1e-6)
    assert np.all(mixed >= 0.0)


@pytest.mark.parametrize("value", [0.1, 4.0, -1 / 3])
def test_constant_attributes_say_nothing_once_standardised(value):
    graph = attributed(nx.path_graph(3), [value] * 3)
    kernel = MessagePassingNodeKernel("R", features="attributes-standardised")
    np.testing.assert_array_equal(kernel.fit_transform(graph), np.zeros((3, 3)))


def test_huge_attributes_are_standardised_like_small_ones():
    small = attributed(nx.path_graph(4), [1.0, -2.0, 3.0, 0.5])
    huge = attributed(nx.path_graph(4), [1e200, -2e200, 3e200, 0.5e200])
    kernel = MessagePassingNodeKernel("R", features="attributes-standardised")
    np.testing.assert_allclose(kernel.fit_transform(huge), kernel.fit_transform(small))


@pytest.mark.parametrize("approximation", [None, "nystroem"])
def test_raw_attributes_beyond_all_bounds_are_an_overflow_error(approximation):
    huge = attributed(nx.path_graph(3), [1e200, 2e200, 3e200])
    kernel = MessagePassingGraphKernel("RR", features="attributes", approximation=approximation)
    with np.errstate(over="ignore"), pytest.raises(KernelOverflowError):
        kernel.fit([huge])


def test_tiny_attributes_still_have_similarity_one_with_themselves():
    tiny = attributed(nx.path_graph(3), [1e-80, 2e-80, 3e-80])
    kernel = MessagePassingGraphKernel("RR", features="attributes").fit_transform([tiny, tiny])
    np.testing.assert_allclose(kernel, np.ones((2, 2)), rtol=1e-12)


@pytest.mark.parametrize("variant", VARIANTS)
def test_threads_can_share_a_fitted_kernel(variant):
    members = tenths(0, n_graphs=12)
    kernel = MessagePassingGraphKernel(variant, features="attributes")
    full = kernel.fit_transform(members)
    with ThreadPoolExecutor(4) as pool:
        rows = list(pool.map(lambda g: kernel.transform(members[g : g + 1])[0], range(12)))
    np.testing.assert_allclose(rows, full, rtol=1e-9)


def test_a_failed_fit_leaves_no_half_fitted_kernel():
    kernel = MessagePassingGraphKernel("RR", features="degree").fit([nx.path_graph(3)])
    kernel.set_params(n_iterations=400)
    with np.errstate(over="ignore", invalid="ignore"), pytest.raises(KernelOverflowError):
        kernel.fit([nx.complete_graph(60)])
    with pytest.raises(NotFittedError):
        kernel.transform([nx.path_graph(3)])


def test_changing_parameters_after_fitting_changes_nothing_until_the_next_fit():
    members = [nx.path_graph(4), nx.star_graph(4)]
    kernel = MessagePassingGraphKernel("AA")
    before = kernel.fit_transform(members)
    kernel.set_params(variant="RR", n_iterations=1, normalize=False)
    np.testing.assert_allclose(kernel.transform(members), before)
    node_kernel = MessagePassingNodeKernel("R").fit(members[0])
    first = node_kernel.kernel_
    node_kernel.set_params(normalize=True, n_iterations=2)
    np.testing.assert_array_equal(node_kernel.kernel_at(5), first)


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("features", ["labels", "attributes", "labels+attributes-standardised"])
def test_graphs_without_vertices_can_be_transformed(variant, features):
    graph = attributed(labelled(nx.path_graph(3), "CCO"), [1.0, 2.0, 4.0])
    kernel = MessagePassingGraphKernel(variant, features=features).fit([graph])
    np.testing.assert_array_equal(kernel.transform([nx.Graph()]), [[0.0]])
    mixed = GraphSet.concatenate(
        [GraphSet.from_networkx(nx.Graph()), GraphSet.from_networkx(graph)]
    )
    assert mixed.sizes.tolist() == [0, 3]
    np.testing.assert_allclose(kernel.transform(mixed), [[0.0], [1.0]])


def test_unused_rounds_leave_no_explicit_zeros_in_the_feature_map():
    members = [nx.path_graph(5), nx.star_graph(4)]
    kernel = MessagePassingGraphKernel("AA", n_iterations=3)
    kernel.kernels_at_all_t(members)
    assert np.all(kernel.fitted_features().data != 0)


def test_networkx_graphs_and_graph_sets_can_be_mixed():
    members = [nx.path_graph(3), GraphSet.from_networkx([nx.cycle_graph(4), nx.star_graph(3)])]
    assert MessagePassingGraphKernel("RR").fit_transform(members).shape == (3, 3)


@pytest.mark.parametrize("parameters", [{"depth": 41}, {"branching": 10**12}])
def test_hierarchies_have_a_greatest_size(parameters):
    with pytest.raises(InvalidParameterError, match="at most"):
        MessagePassingGraphKernel("AA", **parameters).fit([nx.path_graph(3)])


def test_deepest_hierarchies_are_exact():
    kernel = MessagePassingGraphKernel("AA", depth=40, n_iterations=2)
    values = kernel.fit_transform([nx.path_graph(6), nx.cycle_graph(5)])
    np.testing.assert_allclose(np.diag(values), 1.0)


@pytest.mark.parametrize("label", [[1, 2], np.array([1.0]), {"a": 1}])
def test_labels_that_cannot_be_compared_are_refused(label):
    graph = nx.path_graph(1)
    graph.nodes[0]["label"] = label
    with pytest.raises(InvalidGraphError, match="label"):
        GraphSet.from_networkx(graph)


def test_numbers_that_are_too_large_or_complex_are_refused():
    graph = nx.path_graph(1)
    graph.nodes[0]["attributes"] = 10**400
    with pytest.raises(InvalidGraphError, match="not a number"):
        GraphSet.from_networkx(graph)
    with pytest.raises(InvalidGraphError, match="complex"):
        GraphSet(nx.to_scipy_sparse_array(nx.path_graph(2)), [0, 2], attributes=[[1j], [2.0]])


def test_vertex_names_are_unique_within_a_graph():
    adjacency = nx.to_scipy_sparse_array(nx.path_graph(2))
    with pytest.raises(InvalidGraphError, match="same name"):
        GraphSet(adjacency, [0, 2], names=["a", "a"])
    assert GraphSet(adjacency * 0, [0, 1, 2], names=["a", "a"]).names == ["a", "a"]


@pytest.mark.parametrize("t", [1.5, "two", -1, 99])
def test_rounds_are_checked_everywhere(t):
    with pytest.raises(InvalidParameterError, match="'t'"):
        MessagePassingNodeKernel().fit(nx.path_graph(3)).kernel_at(t)
    with pytest.raises(InvalidParameterError, match="'t'"):
        MessagePassingGraphKernel().fit([nx.path_graph(3)]).hierarchy_at(t)


@pytest.mark.parametrize("neighbourhood", ["R", "A"])
def test_vertices_with_an_unseen_label_resemble_each_other_and_no_training_vertex(neighbourhood):
    known, new = nx.path_graph(3), nx.path_graph(2)
    nx.set_node_attributes(known, "C", "label")
    nx.set_node_attributes(new, {0: "C", 1: "X"}, "label")
    kernel = MessagePassingNodeKernel(neighbourhood, n_iterations=0, features="labels").fit(known)
    assert kernel.transform(new).tolist() == [[1.0, 1.0, 1.0], [0.0, 0.0, 0.0]]
    graphs = MessagePassingGraphKernel(f"{neighbourhood}R", features="labels", n_iterations=0)
    vertices = graphs.fit([known]).node_kernel([new])
    assert vertices.kernel_at(0).tolist() == [[1.0, 0.0], [0.0, 1.0]]
    assert vertices.feature_names_[-1] == "label unknown in training"
