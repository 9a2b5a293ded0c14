"""Bad parameters, overflow and too little memory: one family of errors, each with a remedy."""

import networkx as nx
import numpy as np
import pytest

from mpgk_core import (
    InvalidParameterError,
    KernelOverflowError,
    KernelTooLargeError,
    MessagePassingGraphKernel,
    MessagePassingNodeKernel,
    MPGKError,
)

PATH = nx.path_graph(3)


@pytest.mark.parametrize(
    ("parameter", "value"),
    [
        ("alpha", -0.1),
        ("alpha", float("nan")),
        ("alpha", float("inf")),
        ("alpha", "0.5"),
        ("beta", -1),
        ("beta", None),
        ("beta", True),
        ("n_iterations", -1),
        ("n_iterations", 2.0),
        ("n_iterations", True),
        ("branching", 1),
        ("depth", 0),
        ("random_state", None),
        ("random_state", -3),
        ("features", "colour"),
    ],
)
@pytest.mark.parametrize("estimator", [MessagePassingGraphKernel, MessagePassingNodeKernel])
def test_parameters_out_of_range_are_named(estimator, parameter, value):
    with pytest.raises(InvalidParameterError, match=parameter):
        estimator(**{parameter: value}).fit([PATH])


@pytest.mark.parametrize(
    ("parameter", "value"),
    [
        ("variant", "XX"),
        ("variant", None),
        ("levels", "some"),
        ("approximation", "magic"),
        ("n_landmarks", 0),
    ],
)
def test_graph_kernel_choices_are_checked(parameter, value):
    with pytest.raises(InvalidParameterError, match=f"'{parameter}' parameter of MessagePassing"):
        MessagePassingGraphKernel(**{parameter: value}).fit([PATH])


def test_neighbourhood_is_checked():
    with pytest.raises(InvalidParameterError, match="'R', 'A'"):
        MessagePassingNodeKernel("B").fit(PATH)


def test_numpy_numbers_are_numbers():
    kernel = MessagePassingNodeKernel(
        "A", alpha=np.float32(0.5), beta=np.int64(1), n_iterations=np.int64(2)
    )
    assert np.all(np.isfinite(kernel.fit_transform(PATH)))


@pytest.mark.parametrize("t", [-1, 6])
def test_rounds_outside_the_run_are_refused(t):
    kernel = MessagePassingNodeKernel().fit(PATH)
    with pytest.raises(InvalidParameterError, match="at least 0 and at most 5"):
        kernel.kernel_at(t)


@pytest.mark.parametrize("variant", ["RR", "RA", "AR", "AA"])
def test_large_degrees_and_many_rounds_never_give_infinity_silently(variant):
    members = [nx.complete_graph(60), nx.path_graph(4)]
    kernel = MessagePassingGraphKernel(variant, n_iterations=30, features="degree")
    assert np.all(np.isfinite(kernel.fit_transform(members)))


@pytest.mark.parametrize("approximation", [None, "nystroem"])
@pytest.mark.parametrize("variant", ["RR", "RA"])
def test_growth_beyond_floating_point_is_an_error(variant, approximation):
    members = [nx.complete_graph(60), nx.path_graph(4)]
    kernel = MessagePassingGraphKernel(
        variant, n_iterations=400, features="degree", approximation=approximation
    )
    with pytest.raises(KernelOverflowError, match="fewer iterations"):
        kernel.fit_transform(members)


def test_node_kernel_overflow_is_an_error():
    kernel = MessagePassingNodeKernel("R", n_iterations=200, features="degree")
    with pytest.raises(KernelOverflowError, match="log-degree"):
        kernel.fit(nx.complete_graph(60))


def test_coefficients_that_overflow_are_an_error():
    for neighbourhood in "RA":
        with pytest.raises(KernelOverflowError, match="fewer iterations"):
            MessagePassingNodeKernel(neighbourhood, alpha=1e30, n_iterations=20).fit(PATH)


def test_walk_counts_beyond_exact_integers_do_not_depend_on_the_order_of_vertices():
    graph = nx.gnp_random_graph(30, 0.5, seed=1)
    moved = nx.relabel_nodes(graph, dict(enumerate(np.random.default_rng(0).permutation(30))))
    ordered = nx.Graph()
    ordered.add_nodes_from(range(30))
    ordered.add_edges_from(moved.edges())
    pair = [graph, ordered]
    kernel = MessagePassingGraphKernel("RR", n_iterations=18, normalize=False).fit_transform(pair)
    assert kernel[0, 0] == kernel[1, 1] == kernel[0, 1]


def test_kernels_that_do_not_fit_in_memory_are_refused_before_the_work(monkeypatch):
    monkeypatch.setenv("MPGK_MEMORY_LIMIT", "1000")
    kernel = MessagePassingNodeKernel().fit(nx.path_graph(50))
    with pytest.raises(KernelTooLargeError, match=r"50 vertices needs about .* GB"):
        kernel.kernel_at(1)
    assert kernel.feature_map().shape[0] == 50
    with pytest.raises(KernelTooLargeError, match="feature_map"):
        MessagePassingGraphKernel().fit_transform([PATH] * 30)
    with pytest.raises(KernelTooLargeError, match="feature_map"):
        MessagePassingGraphKernel().kernels_at_all_t([PATH] * 30)
    fitted = MessagePassingGraphKernel().fit([PATH] * 30)
    with pytest.raises(KernelTooLargeError, match="fewer graphs at a time"):
        fitted.transform([PATH] * 30)


def test_memory_limit_must_be_a_number(monkeypatch):
    monkeypatch.setenv("MPGK_MEMORY_LIMIT", "lots")
    with pytest.raises(InvalidParameterError, match="MPGK_MEMORY_LIMIT"):
        MessagePassingNodeKernel().fit_transform(PATH)


def test_all_errors_are_one_family():
    for error in (InvalidParameterError, KernelOverflowError, KernelTooLargeError):
        assert issubclass(error, MPGKError)
