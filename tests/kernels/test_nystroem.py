"""The paper's approximation converges to the exact kernel and is honest about being one."""

import networkx as nx
import numpy as np
import pytest

from mpgk_core import MessagePassingGraphKernel


def some_graphs():
    rng = np.random.default_rng(3)
    members = [nx.gnp_random_graph(int(rng.integers(5, 15)), 0.3, seed=seed) for seed in range(12)]
    for graph in members:
        nx.set_node_attributes(graph, {v: int(rng.integers(3)) for v in graph}, "label")
    return members


def test_with_a_landmark_for_every_type_rr_is_exact():
    members = some_graphs()
    exact = MessagePassingGraphKernel("RR", normalize=False)
    landmarks = MessagePassingGraphKernel(
        "RR", normalize=False, approximation="nystroem", n_landmarks=10_000
    )
    expected = exact.fit_transform(members)
    np.testing.assert_allclose(landmarks.fit_transform(members), expected, rtol=1e-6)


def test_error_falls_with_the_number_of_landmarks():
    members = some_graphs()
    exact = MessagePassingGraphKernel("RR", n_iterations=3).fit_transform(members)

    def error(n_landmarks):
        kernel = MessagePassingGraphKernel(
            "RR", n_iterations=3, approximation="nystroem", n_landmarks=n_landmarks
        )
        return np.abs(kernel.fit_transform(members) - exact).max()

    assert error(2) > error(30)
    assert error(1000) < 1e-6


@pytest.mark.parametrize("variant", ["RR", "RA", "AR", "AA"])
def test_seed_decides_the_landmarks(variant):
    members = some_graphs()

    def kernel(seed):
        return MessagePassingGraphKernel(
            variant, approximation="nystroem", n_landmarks=6, random_state=seed
        ).fit_transform(members)

    assert kernel(1).tobytes() == kernel(1).tobytes()
    assert not np.array_equal(kernel(1), kernel(2))


def test_all_zero_features_give_an_all_zero_kernel():
    kernel = MessagePassingGraphKernel("RR", features="triangles", approximation="nystroem")
    np.testing.assert_array_equal(kernel.fit_transform([nx.path_graph(3)] * 2), np.zeros((2, 2)))
