"""Kernels of all rounds between a few vertices: blocks of the full matrices."""

import tracemalloc

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mpgk_core import KernelTooLargeError, MessagePassingNodeKernel, NotFittedError
from mpgk_core.kernels import node_kernel
from tests.strategies import FEATURES, graphs

BOTH = pytest.mark.parametrize("neighbourhood", ["R", "A"])


def assert_blocks(kernel, found, vertices):
    assert len(found) == kernel.n_iterations + 1
    for t, values in enumerate(found):
        expected = kernel.kernel_at(t)[np.ix_(vertices, vertices)]
        assert values.shape == expected.shape
        np.testing.assert_allclose(values, expected, rtol=1e-12, atol=1e-12)


@BOTH
@pytest.mark.parametrize("normalize", [False, True])
@settings(max_examples=15)
@given(graph=graphs(min_vertices=1), features=FEATURES, data=st.data())
def test_few_vertices_give_the_block_of_the_full_kernel(
    neighbourhood, normalize, graph, features, data
):
    options = {"n_iterations": 3, "features": features, "normalize": normalize}
    kernel = MessagePassingNodeKernel(neighbourhood, **options).fit(graph)
    vertices = data.draw(st.lists(st.integers(0, len(graph) - 1), min_size=1, max_size=8))
    assert_blocks(kernel, kernel.kernels_at_all_t(vertices), vertices)


@BOTH
@pytest.mark.parametrize("normalize", [False, True])
def test_all_vertices_are_the_default(neighbourhood, normalize):
    options = {"n_iterations": 4, "normalize": normalize}
    kernel = MessagePassingNodeKernel(neighbourhood, **options).fit(nx.barbell_graph(5, 4))
    assert_blocks(kernel, kernel.kernels_at_all_t(), np.arange(14))


@BOTH
def test_chosen_vertices_of_a_larger_graph_keep_their_order(neighbourhood):
    graph = nx.gnm_random_graph(60, 120, seed=3)
    kernel = MessagePassingNodeKernel(neighbourhood, n_iterations=3).fit(graph)
    vertices = np.random.default_rng(0).permutation(60)[:20]
    assert_blocks(kernel, kernel.kernels_at_all_t(vertices), vertices)


@BOTH
def test_normalized_vertices_are_as_similar_to_themselves_as_can_be(neighbourhood):
    kernel = MessagePassingNodeKernel(neighbourhood, n_iterations=2, normalize=True)
    for values in kernel.fit(nx.star_graph(4)).kernels_at_all_t([0, 3, 1]):
        np.testing.assert_allclose(values.diagonal(), np.ones(3))


@BOTH
@pytest.mark.parametrize("vertices", [[], np.array([], dtype=np.int64)], ids=["list", "array"])
def test_no_vertices_give_empty_kernels(neighbourhood, vertices):
    kernel = MessagePassingNodeKernel(neighbourhood, n_iterations=2).fit(nx.path_graph(4))
    assert [values.shape for values in kernel.kernels_at_all_t(vertices)] == [(0, 0)] * 3


@BOTH
def test_graph_without_vertices_gives_empty_kernels(neighbourhood):
    kernel = MessagePassingNodeKernel(neighbourhood, n_iterations=2).fit(nx.Graph())
    assert [values.shape for values in kernel.kernels_at_all_t()] == [(0, 0)] * 3


def test_kernels_that_do_not_fit_are_refused(monkeypatch):
    kernel = MessagePassingNodeKernel(n_iterations=5).fit(nx.barbell_graph(10, 10))
    monkeypatch.setenv("MPGK_MEMORY_LIMIT", "10000")
    with pytest.raises(KernelTooLargeError, match=r"6 kernel matrices of 30 vertices.*fewer"):
        kernel.kernels_at_all_t()
    assert len(kernel.kernels_at_all_t([0, 11, 15])) == 6


@BOTH
def test_few_vertices_of_a_large_graph_take_little_memory(neighbourhood):
    graph = nx.gnm_random_graph(1500, 4500, seed=1)
    kernel = MessagePassingNodeKernel(neighbourhood, n_iterations=2, features="degree").fit(graph)
    tracemalloc.start()
    kernel.kernels_at_all_t(np.arange(10))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 3e6


def test_kernel_that_is_not_fitted_is_refused():
    with pytest.raises(NotFittedError, match="fit"):
        MessagePassingNodeKernel().kernels_at_all_t([0])


@pytest.mark.parametrize("neighbourhood", ["R", "A"])
@pytest.mark.parametrize("small_table", [0, 10**9])
def test_feature_maps_of_some_vertices_are_rows_of_the_whole(
    monkeypatch, neighbourhood, small_table
):
    monkeypatch.setattr(node_kernel, "_SMALL_TABLE", small_table)
    kernel = MessagePassingNodeKernel(neighbourhood, n_iterations=2).fit(nx.lollipop_graph(4, 3))
    for t in range(3):
        rows = kernel.feature_map(t).toarray()
        np.testing.assert_allclose(rows @ rows.T, kernel.kernel_at(t))
        some = np.array([5, 0, 5])
        np.testing.assert_allclose(kernel.feature_map(t, some).toarray(), rows[some])
