"""Baselines in the protocol: which candidates there are, and what they share."""

from dataclasses import replace

import numpy as np
import pytest

from mpgk_core.errors import InvalidParameterError
from mpgk_core.evaluation import table_spec
from mpgk_core.evaluation.methods import KernelSpec, candidates
from mpgk_core.evaluation.samples import check_kernel, cross_matrices, square_matrices
from mpgk_core.graphs import GraphSet
from mpgk_core.kernels.baselines import WassersteinWeisfeilerLehman
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
