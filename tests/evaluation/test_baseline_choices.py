"""Baselines in the protocol: which candidates there are, and what they share."""

from dataclasses import replace

import numpy as np
import pytest

from mpgk_core.errors import InvalidParameterError
from mpgk_core.evaluation import table_spec
from mpgk_core.evaluation.methods import KernelSpec, candidates
from mpgk_core.evaluation.samples import check_kernel, cross_matrices, shaped, square_matrices
from mpgk_core.graphs import GraphSet
from mpgk_core.kernels.baselines import HashGraphKernel, WassersteinWeisfeilerLehman
from tests.evaluation.small_sets import QUICK, noisy_set


def test_only_subtrees_have_rounds_among_deep_kernels():
    graphs, _ = noisy_set(4)
    spec = table_spec("DGK", graphs)
    found = [(one.T, one.setting) for one in candidates(spec, QUICK)]
    assert found == [(1, 0), (1, 1), (1, 2), (2, 0)]


def test_wasserstein_kernels_with_common_distances_equal_single_ones():
    graphs, _ = noisy_set(4)
    spec, train, test = table_spec("WWL", graphs), graphs[:6], graphs[6:]
    square = square_matrices(spec, QUICK, train)
    cross = cross_matrices(spec, candidates(spec, QUICK), train, test)
    choices = candidates(spec, QUICK)
    assert len(choices) == len(QUICK.iterations) * len(spec.settings)
    for candidate, whole, both in zip(choices, square, cross, strict=True):
        parameters = spec.parameters(candidate.setting)
        kernel = WassersteinWeisfeilerLehman(candidate.T, **parameters)
        alone = kernel.fit_transform(train)
        np.testing.assert_allclose(whole, alone)
        np.testing.assert_allclose(both, np.concatenate([alone, kernel.transform(test)]))


def test_the_hash_graph_kernel_may_keep_its_lengths():
    graphs, _ = noisy_set(4)
    rules, shapes = replace(QUICK, iterations=(1, 2)), ({}, {"normalize": False}, {"gaussian": 1.0})
    spec = KernelSpec.of("HGK-WL", shapes, n_hashes=3)
    choices, train, test = candidates(spec, rules), graphs[:6], graphs[6:]
    cross = cross_matrices(spec, choices, train, test)
    for candidate, square, both in zip(
        choices, square_matrices(spec, rules, train), cross, strict=True
    ):
        shape = spec.shape(candidate.setting)
        plain = HashGraphKernel(candidate.T, 3, normalize=False)
        kernel = plain.fit_transform(train)
        np.testing.assert_allclose(square, shaped(kernel, kernel.diagonal(), shape))
        own = np.concatenate([kernel.diagonal(), plain.squared_lengths(test)])
        rows = shaped(np.concatenate([kernel, plain.transform(test)]), own, shape)
        np.testing.assert_allclose(both, rows)
    chosen = table_spec("HGK-WL", graphs)
    assert {chosen.shape(s).normalize for s in range(len(chosen.settings))} == {True, False}


def test_without_attributes_one_hash_function_does():
    graphs, _ = noisy_set(4)
    bare = GraphSet(graphs.adjacency, graphs.offsets)
    one, many = (HashGraphKernel(2, n, normalize=False).fit_transform(bare) for n in (1, 100))
    np.testing.assert_array_equal(one, many)


@pytest.mark.parametrize("method", ["GH", "GI", "P2K", "HGK-WL"])
def test_parameters_of_attributes_are_a_choice_only_where_there_are_attributes(method):
    graphs, _ = noisy_set(4)
    bare = GraphSet(graphs.adjacency, graphs.offsets)
    assert len(table_spec(method, graphs).settings) > 1
    assert table_spec(method, graphs).features == "labels+attributes-standardised"
    assert len(table_spec(method, bare).settings) == 1
    assert table_spec(method, bare).features == "degree-label"


def test_kernels_without_explicit_features_refuse_the_linear_solver():
    for method in ("GH", "GI", "WWL", "size"):
        with pytest.raises(InvalidParameterError, match="explicit features"):
            check_kernel(20, KernelSpec.of(method), replace(QUICK, solver="linear"))
    for method in ("GL", "P2K", "HGK-WL", "DGK"):
        check_kernel(20, KernelSpec.of(method), replace(QUICK, solver="linear"))
