"""Points of a kernel against its matrix, and where rounding or scale could mislead."""

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mpgk_core import GraphSet, MessagePassingNodeKernel
from mpgk_core.recovery.points import kernel_points
from tests.strategies import FEATURES, graphs


def points_of(graph, **settings):
    prepared = GraphSet.from_networkx(graph)
    kernel = MessagePassingNodeKernel(**settings).fit(prepared)
    return kernel, kernel_points(prepared, kernel, kernel.n_iterations)


def stars_with_leaves(*attributes):
    """One star for each list of leaf attributes; all middles have the attribute 1."""
    graph = nx.Graph()
    for s, leaves in enumerate(attributes):
        graph.add_node((s, "middle"), attributes=1.0)
        for i, x in enumerate(leaves):
            graph.add_node((s, i), attributes=x)
            graph.add_edge((s, "middle"), (s, i))
    return graph


@given(
    graphs(min_vertices=1),
    FEATURES,
    st.sampled_from("RA"),
    st.sampled_from([0.0, 0.8]),
    st.sampled_from([0.0, 0.2]),
    st.integers(0, 3),
    st.booleans(),
)
def test_points_are_those_of_the_kernel_matrix(
    graph, features, neighbourhood, alpha, beta, n_iterations, normalize
):
    kernel, points = points_of(
        graph,
        features=features,
        neighbourhood=neighbourhood,
        alpha=alpha,
        beta=beta,
        n_iterations=n_iterations,
        normalize=normalize,
    )
    own = kernel.kernel_.diagonal()
    squared = own[:, np.newaxis] + own - 2 * kernel.kernel_
    is_one_point = np.equal.outer(points.of_vertex, points.of_vertex)
    np.testing.assert_array_equal(is_one_point, squared <= 1e-10 * (own[:, np.newaxis] + own))
    between = (points.rows @ points.rows.T).toarray()
    place = points.of_vertex
    np.testing.assert_allclose(between[np.ix_(place, place)], kernel.kernel_, atol=1e-9)


@pytest.mark.parametrize("normalize", [False, True])
@pytest.mark.parametrize("alpha", [0.0, 0.8])
def test_sums_that_differ_only_by_rounding_are_one_point(alpha, normalize):
    assert 0.1 + 0.2 != 0.3
    graph = stars_with_leaves([0.1, 0.2, 0.0], [0.3, 0.0, 0.0])
    settings = {"n_iterations": 1, "features": "attributes", "normalize": normalize}
    _, points = points_of(graph, alpha=alpha, **settings)
    assert points.of_vertex[0] == points.of_vertex[4]


@pytest.mark.parametrize("normalize", [False, True])
@pytest.mark.parametrize("alpha", [0.0, 0.8])
def test_sums_that_cancel_out_up_to_rounding_are_one_point(alpha, normalize):
    assert 0.1 + 0.2 - 0.3 != 0.0
    graph = stars_with_leaves([0.1, 0.2, -0.3, 1.0], [0.3, -0.3, 0.0, 1.0])
    settings = {"n_iterations": 1, "features": "attributes", "normalize": normalize}
    _, points = points_of(graph, alpha=alpha, **settings)
    assert points.of_vertex[0] == points.of_vertex[5]


def test_sums_that_cancel_out_to_nothing_are_one_point():
    graph = stars_with_leaves([0.1, 0.2, -0.3], [0.3, -0.3, 0.0])
    _, points = points_of(graph, alpha=0.0, n_iterations=1, features="attributes")
    assert points.of_vertex[0] == points.of_vertex[4]


def test_distances_that_the_kernel_matrix_cannot_show_count():
    kernel, points = points_of(nx.barbell_graph(10, 60), n_iterations=20, features="degree")
    n_clique, n_told_on_path, n_left = 2, 20, 1
    assert points.n_points == n_clique + n_told_on_path + n_left
    far, farther = 29, 31
    assert points.of_vertex[far] != points.of_vertex[farther]
    own = kernel.kernel_.diagonal()
    assert own[far] + own[farther] - 2 * kernel.kernel_[far, farther] < 1e-10 * own[far]


def test_points_are_numbered_by_their_first_vertex():
    _, points = points_of(nx.star_graph(3), n_iterations=1)
    assert points.of_vertex.tolist() == [0, 1, 1, 1]
    _, points = points_of(nx.Graph([(1, 0), (1, 2)]), n_iterations=1)
    assert points.of_vertex.tolist() == [0, 1, 1]
