"""Every variant equals the paper's formulas, computed the slow and obvious way."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mpgk_core import MessagePassingGraphKernel, MessagePassingNodeKernel
from tests.kernels.oracle import graph_kernels, node_kernels
from tests.strategies import FEATURES, graph_lists

WEIGHTS = st.sampled_from([0.0, 0.2, 0.8, 1.0, 1.7])
SHAPES = st.sampled_from([(2, 1), (2, 3), (4, 8), (3, 2)])


def trees_of(kernel, members, T):
    return {t: (kernel.hierarchy_at(t), kernel.leaves_at(t, members)) for t in range(T + 1)}


@pytest.mark.parametrize("variant", ["RR", "RA", "AR", "AA"])
@settings(max_examples=40)
@given(
    members=graph_lists(),
    features=FEATURES,
    alpha=WEIGHTS,
    beta=WEIGHTS,
    T=st.integers(0, 3),
    shape=SHAPES,
    seed=st.integers(0, 3),
)
def test_graph_kernels_equal_the_formulas(variant, members, features, alpha, beta, T, shape, seed):
    kernel = MessagePassingGraphKernel(
        variant,
        alpha,
        beta,
        T,
        features=features,
        normalize=False,
        branching=shape[0],
        depth=shape[1],
        random_state=seed,
    )
    computed = kernel.kernels_at_all_t(members)
    expected = graph_kernels(
        members, features, variant, alpha, beta, T, trees_of(kernel, members, T)
    )
    for ours, theirs in zip(computed, expected, strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("neighbourhood", ["R", "A"])
@settings(max_examples=40)
@given(
    members=graph_lists(max_graphs=2),
    features=FEATURES,
    alpha=WEIGHTS,
    beta=WEIGHTS,
    T=st.integers(0, 3),
    shape=SHAPES,
    seed=st.integers(0, 3),
)
def test_node_kernels_equal_the_formulas(
    neighbourhood, members, features, alpha, beta, T, shape, seed
):
    kernel = MessagePassingNodeKernel(
        neighbourhood,
        alpha,
        beta,
        T,
        features,
        branching=shape[0],
        depth=shape[1],
        random_state=seed,
    ).fit(members)
    trees = {t: (kernel.hierarchy_at(t), kernel.leaves_at(t)) for t in range(T + 1)}
    expected = node_kernels(members, features, neighbourhood, alpha, beta, T, trees)
    for t in range(T + 1):
        np.testing.assert_allclose(kernel.kernel_at(t), expected[t], rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("variant", ["RR", "RA", "AR", "AA"])
@settings(max_examples=15)
@given(members=graph_lists(), T=st.integers(0, 3))
def test_the_sum_of_rounds_sums_their_kernels(variant, members, T):
    options = {"variant": variant, "n_iterations": T, "normalize": False, "features": "labels"}
    every_t = MessagePassingGraphKernel(**options).kernels_at_all_t(members)
    summed = MessagePassingGraphKernel(**options, levels="sum").fit_transform(members)
    np.testing.assert_allclose(summed, sum(every_t), rtol=1e-12)
    by_earlier_name = MessagePassingGraphKernel(**options, levels="all").fit_transform(members)
    assert by_earlier_name.tobytes() == summed.tobytes()


@pytest.mark.parametrize("variant", ["RR", "RA", "AR", "AA"])
@settings(max_examples=15)
@given(members=graph_lists(), T=st.integers(0, 3))
def test_sparse_feature_rows_give_the_kernels_of_dense_ones(variant, members, T):
    kernel = MessagePassingGraphKernel(variant, n_iterations=T, features="degree-label")
    dense = kernel.kernels_at_all_t(members)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("mpgk_core.graphs.features._WIDEST_DENSE", 0)
        sparse = kernel.kernels_at_all_t(members)
    for ours, theirs in zip(sparse, dense, strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-9, atol=1e-9)
