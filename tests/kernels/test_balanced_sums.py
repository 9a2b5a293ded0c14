"""Features separated by commas: kernels with trees of their own, balanced and averaged."""

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mpgk_core import (
    InvalidParameterError,
    MessagePassingGraphKernel,
    MessagePassingNodeKernel,
    WeisfeilerLehmanSubtree,
)
from tests.strategies import graph_lists, shuffled

VARIANTS = ["RR", "RA", "AR", "AA"]
SUM = "labels,attributes,degree"


def kernel(variant="AA", features=SUM, **parameters):
    return MessagePassingGraphKernel(variant, features=features, n_iterations=2, **parameters)


@pytest.fixture(scope="module")
def graphs():
    rng = np.random.default_rng(0)
    members = [nx.gnp_random_graph(n, 0.4, seed=n) for n in range(4, 10)]
    for graph in members:
        for node in graph.nodes.values():
            node |= {"label": "CNO"[rng.integers(3)], "attributes": rng.normal(5, 1e4, 3).tolist()}
    return members


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_sum_is_the_average_of_kernels_with_equal_mean_self_similarity(graphs, variant):
    single = [
        kernel(variant, features, normalize=False).kernels_at_all_t(graphs)
        for features in SUM.split(",")
    ]
    balanced = kernel(variant, normalize=False).kernels_at_all_t(graphs)
    for t, computed in enumerate(balanced):
        expected = sum(k[t] / np.trace(k[t]) for k in single) / len(single) * len(graphs)
        np.testing.assert_allclose(computed, expected)


@pytest.mark.parametrize("approximation", [None, "nystroem"])
@pytest.mark.parametrize("variant", VARIANTS)
def test_transform_and_feature_map_agree_with_the_fitted_kernel(graphs, variant, approximation):
    fitted = kernel(variant, approximation=approximation)
    square = fitted.fit_transform(graphs)
    np.testing.assert_allclose(fitted.transform(graphs[2:]), square[2:])
    rows = fitted.feature_map(graphs).toarray()
    lengths = np.linalg.norm(rows, axis=1)
    np.testing.assert_allclose(rows @ rows.T / np.outer(lengths, lengths), square)


@pytest.mark.parametrize("variant", VARIANTS)
def test_all_levels_add_up_the_balanced_rounds(graphs, variant):
    rounds = kernel(variant, normalize=False).kernels_at_all_t(graphs)
    total = kernel(variant, normalize=False, levels="sum").fit_transform(graphs)
    np.testing.assert_allclose(total, sum(rounds))


def test_the_scale_of_attributes_does_not_count(graphs):
    scaled = [graph.copy() for graph in graphs]
    for graph in scaled:
        for node in graph.nodes.values():
            node["attributes"] = [1024 * number for number in node["attributes"]]
    np.testing.assert_allclose(
        kernel("RR").fit_transform(scaled), kernel("RR").fit_transform(graphs)
    )


@given(graph_lists(min_graphs=2), st.sampled_from(VARIANTS), st.integers(0, 99))
def test_same_bytes_whatever_the_order_of_vertices_and_graphs(members, variant, seed):
    order = np.random.default_rng(seed).permutation(len(members))
    others = [shuffled(members[g], seed)[0] for g in order]
    one = kernel(variant, "auto").fit_transform(members)
    other = kernel(variant, "auto").fit_transform(others)
    assert one[np.ix_(order, order)].tobytes() == other.tobytes()


def test_a_single_choice_is_not_scaled(graphs):
    np.testing.assert_array_equal(
        kernel("RR", "degree", normalize=False).fit_transform(graphs),
        kernel("RR", lambda g: np.diff(g.adjacency.indptr), normalize=False).fit_transform(graphs),
    )


def test_a_sum_has_no_hierarchy_of_its_own(graphs):
    fitted = kernel().fit(graphs)
    for ask in (
        lambda: fitted.hierarchy_at(1),
        lambda: fitted.leaves_at(1, graphs),
        lambda: fitted.node_kernel(graphs),
    ):
        with pytest.raises(InvalidParameterError, match=r"average of 3 kernels.*features='labels'"):
            ask()


def test_repr_says_what_auto_was_resolved_to(graphs):
    found = "labels,attributes-standardised,degree"
    for unfitted, expected in (
        (MessagePassingGraphKernel(), f"MessagePassingGraphKernel(features_={found!r})"),
        (
            MessagePassingNodeKernel("A"),
            f"MessagePassingNodeKernel(neighbourhood='A', features_={found!r})",
        ),
        (WeisfeilerLehmanSubtree(), "WeisfeilerLehmanSubtree(features_='labels')"),
        (kernel(), f"MessagePassingGraphKernel(features={SUM!r}, n_iterations=2)"),
    ):
        assert "features_" not in repr(unfitted)
        assert repr(unfitted.fit(graphs)) == expected
        assert "features_" not in repr(unfitted.set_params(features="degree"))
