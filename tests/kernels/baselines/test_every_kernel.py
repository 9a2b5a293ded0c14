"""Laws of graph kernels, for every kernel of this package on the same graphs."""

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mpgk_core import (
    InvalidParameterError,
    MessagePassingGraphKernel,
    NotFittedError,
    WeisfeilerLehmanOptimalAssignment,
    WeisfeilerLehmanSubtree,
)
from mpgk_core.kernels.baselines import (
    DeepGraphKernel,
    GraphHopperKernel,
    GraphInvariantKernel,
    GraphletKernel,
    GraphSizeKernel,
    HashGraphKernel,
    PropagationKernel,
    ShortestPathKernel,
    WassersteinWeisfeilerLehman,
)
from tests.strategies import graph_lists, shuffled

BOTH = "labels+attributes"
KERNELS = {
    "AA": MessagePassingGraphKernel("AA", n_iterations=2, features=BOTH),
    "size": GraphSizeKernel(),
    "SP": ShortestPathKernel(features="labels"),
    "VH": WeisfeilerLehmanSubtree(0, features="labels"),
    "WL": WeisfeilerLehmanSubtree(2, features="labels"),
    "WL-OA": WeisfeilerLehmanOptimalAssignment(2, features="labels"),
    "graphlets of 3": GraphletKernel(3),
    "graphlets of 4": GraphletKernel(4),
    "GH, linear": GraphHopperKernel("linear", features=BOTH),
    "GH, Gaussian": GraphHopperKernel(gamma=0.5, features=BOTH),
    "GI, linear": GraphInvariantKernel(2, "linear", features=BOTH),
    "GI, Gaussian": GraphInvariantKernel(2, gamma=0.5, features=BOTH),
    "P2K": PropagationKernel(2, attribute_width=0.5, features=BOTH),
    "P2K, L1": PropagationKernel(2, attribute_width=0.5, metric="L1", features=BOTH),
    "HGK-WL": HashGraphKernel(2, 3, features=BOTH),
    "DGK, subtrees": DeepGraphKernel("subtrees", 2, features="labels"),
    "DGK, paths": DeepGraphKernel("paths", features="labels"),
    "DGK, graphlets": DeepGraphKernel("graphlets"),
    "WWL, labels": WassersteinWeisfeilerLehman(2, features="labels"),
    "WWL, attributes": WassersteinWeisfeilerLehman(2, features=BOTH),
}
INDEFINITE = {"WWL, attributes"}
"""Kernels that may have negative eigenvalues, as their authors state."""
LEARNT = {"AA", "size", "DGK, subtrees", "DGK, paths", "DGK, graphlets"}
"""Kernels whose values depend on which graphs are in training."""

every_kernel = pytest.mark.parametrize("name", KERNELS)
automatic = st.booleans()


def unfitted(name, is_automatic=False):
    """Return a kernel, on request with the features that it chooses itself."""
    kernel = KERNELS[name].unfitted()
    if is_automatic and "features" in kernel.get_params():
        kernel.set_params(features="auto")
    return kernel


@every_kernel
@settings(max_examples=15)
@given(members=graph_lists(), is_automatic=automatic)
def test_kernels_are_symmetric_and_positive_semidefinite(name, members, is_automatic):
    kernel = unfitted(name, is_automatic).fit_transform(members)
    np.testing.assert_array_equal(kernel, kernel.T)
    if name not in INDEFINITE:
        assert np.linalg.eigvalsh(kernel).min() >= -1e-9


@every_kernel
@settings(max_examples=15)
@given(members=graph_lists(), is_automatic=automatic, seed=st.integers(0, 99))
def test_order_of_vertices_and_graphs_does_not_matter_at_all(name, members, is_automatic, seed):
    kernel = unfitted(name, is_automatic)
    before, again = kernel.fit_transform(members), kernel.transform(members)
    order = np.random.default_rng(seed).permutation(len(members))
    moved = [shuffled(members[g], seed + g)[0] for g in order]
    after, later = kernel.fit_transform(moved), kernel.transform(moved)
    assert after.tobytes() == before[np.ix_(order, order)].tobytes()
    assert later.tobytes() == again[np.ix_(order, order)].tobytes()


@every_kernel
@settings(max_examples=15)
@given(known=graph_lists(), new=graph_lists())
def test_transform_equals_block_of_the_full_matrix(name, known, new):
    if name in LEARNT:
        expected, new = unfitted(name).fit_transform(known), known
    else:
        expected = unfitted(name).fit_transform([*known, *new])[len(known) :, : len(known)]
    block = unfitted(name).fit(known).transform(new)
    np.testing.assert_allclose(block, expected, rtol=1e-9, atol=1e-9)


@every_kernel
@settings(max_examples=10)
@given(members=graph_lists())
def test_lengths_are_one_where_a_graph_has_features_at_all(name, members):
    own = unfitted(name).fit_transform(members).diagonal()
    assert np.all(np.isclose(own, 1.0) | (own == 0.0))


def toy(n_vertices, edges=(), label="C", value=1.0):
    graph = nx.Graph()
    for v in range(n_vertices):
        graph.add_node(v, label=label, attributes=(value, value + v))
    graph.add_edges_from(edges)
    return graph


SMALLEST = [toy(0), toy(1), toy(3), toy(3, [(0, 1)]), toy(4, [(0, 1), (1, 2), (2, 3)])]


@every_kernel
@pytest.mark.parametrize("is_automatic", [False, True])
def test_empty_graphs_single_and_isolated_vertices_are_fine(name, is_automatic):
    kernel = unfitted(name, is_automatic)
    for members in (SMALLEST, SMALLEST[1:2], SMALLEST[:3]):
        square = kernel.fit_transform(members)
        assert np.all(np.isfinite(square))
        np.testing.assert_allclose(kernel.transform(members), square, atol=1e-9)


@every_kernel
def test_labels_that_training_did_not_have_are_new_labels(name):
    new = [toy(4, [(0, 1), (1, 2), (2, 3)], label="Z"), toy(2, label="Z")]
    kernel = unfitted(name).fit(SMALLEST)
    block = kernel.transform(new)
    assert np.all(np.isfinite(block))
    alone = np.concatenate([kernel.transform([graph]) for graph in new])
    np.testing.assert_array_equal(block, alone)


@every_kernel
def test_kernels_must_be_fitted(name):
    with pytest.raises(NotFittedError, match="fit"):
        unfitted(name).transform(SMALLEST)


@every_kernel
def test_cloning_keeps_the_parameters(name):
    sklearn = pytest.importorskip("sklearn.base")
    assert repr(sklearn.clone(KERNELS[name])) == repr(KERNELS[name])


@pytest.mark.parametrize(
    ("name", "parameter", "value"),
    [
        ("graphlets of 3", "size", 5),
        ("GH, linear", "attribute_kernel", "cubic"),
        ("GH, Gaussian", "gamma", -1.0),
        ("GI, linear", "attribute_kernel", "cubic"),
        ("GI, Gaussian", "gamma", float("nan")),
        ("GI, Gaussian", "n_iterations", -1),
        ("P2K", "n_iterations", 1.5),
        ("P2K", "label_width", 0.0),
        ("P2K", "attribute_width", True),
        ("P2K", "metric", "L3"),
        ("P2K", "random_state", -1),
        ("HGK-WL", "n_iterations", -1),
        ("HGK-WL", "n_hashes", 0),
        ("HGK-WL", "width", -1.0),
        ("HGK-WL", "random_state", "x"),
        ("DGK, paths", "substructures", "words"),
        ("DGK, paths", "n_iterations", -1),
        ("DGK, paths", "dimension", 0),
        ("WWL, labels", "n_iterations", -1),
        ("WWL, labels", "decay", 0.0),
    ],
)
def test_parameters_are_checked(name, parameter, value):
    kernel = unfitted(name).set_params(**{parameter: value})
    with pytest.raises(InvalidParameterError, match=parameter):
        kernel.fit(SMALLEST)
