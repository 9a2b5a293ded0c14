"""Laying one embedding on another."""

import networkx as nx
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.spatial import procrustes as standardised_procrustes

from mpgk_core import GraphSet, MessagePassingNodeKernel
from mpgk_core.embedding.procrustes import aligned_to, matching_vertices, procrustes
from mpgk_core.embedding.trajectory import trajectory
from mpgk_core.errors import InvalidParameterError
from mpgk_core.graphs.sampling import induced_subgraph

coordinates = st.floats(-100, 100, allow_subnormal=False).map(lambda x: round(x, 3))
planes = st.integers(3, 9).flatmap(lambda n: arrays(np.float64, (n, 2), elements=coordinates))
pairs = st.integers(3, 9).flatmap(
    lambda n: st.tuples(*[arrays(np.float64, (n, 2), elements=coordinates)] * 2)
)


def turned(points, angle, is_mirrored, scale, shift):
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    mirror = np.diag([1.0, -1.0 if is_mirrored else 1.0])
    return scale * points @ turn @ mirror + shift


def misfit(points, target):
    return ((points - target) ** 2).sum()


@given(planes, st.floats(0, 7), st.booleans(), st.floats(0.1, 10), coordinates)
def test_turning_mirroring_scaling_and_shifting_are_undone(points, angle, mirrored, scale, shift):
    found = procrustes(turned(points, angle, mirrored, scale, shift), points)
    np.testing.assert_allclose(found.points, points, atol=1e-8)
    assert found.disparity < 1e-9


@given(pairs)
def test_the_disparity_is_the_share_that_is_missed(pair):
    points, target = pair
    assume(np.ptp(points, axis=0).any() and np.ptp(target, axis=0).any())
    found = procrustes(points, target)
    spread = misfit(target, target.mean(axis=0))
    assert misfit(found.points, target) / spread == pytest.approx(found.disparity, abs=1e-9)
    assert found.disparity == pytest.approx(standardised_procrustes(target, points)[2], abs=1e-9)


@given(pairs, st.floats(0, 7), st.booleans(), st.floats(0, 10), coordinates)
def test_no_other_turn_and_scale_does_better(pair, angle, mirrored, scale, shift):
    points, target = pair
    best = misfit(procrustes(points, target).points, target)
    other = misfit(turned(points, angle, mirrored, scale, shift), target)
    assert best <= other * (1 + 1e-9) + 1e-6


@pytest.mark.parametrize("n", [3, 7])
def test_points_that_only_rounding_parts_are_all_one(n):
    points = np.full((n, 2), 0.1)
    found = procrustes(turned(points, 1.0, False, 3.3, 0.7), points)
    assert found.disparity == 0.0
    np.testing.assert_allclose(found.points, points)


def test_points_that_are_all_one_lie_in_the_middle():
    target = np.array([[0.0, 0.0], [2.0, 4.0]])
    found = procrustes(np.ones((2, 2)), target)
    assert found.points.tolist() == [[1.0, 2.0], [1.0, 2.0]]
    assert found.disparity == 1.0
    assert procrustes(np.ones((2, 2)), np.zeros((2, 2))).disparity == 0.0


@pytest.mark.parametrize("shapes", [((3, 2), (4, 2)), ((3, 2), (3, 3)), ((0, 2), (0, 2))])
def test_shapes_that_do_not_fit_are_refused(shapes):
    with pytest.raises(InvalidParameterError, match="Give at least one row"):
        procrustes(*map(np.zeros, shapes))


@pytest.mark.parametrize("names", [["a", "b", "x"], ["a", "b"]])
def test_other_names_are_no_match(names):
    path = GraphSet.from_networkx(nx.path_graph(["a", "b", "c"]))
    assert matching_vertices(path, GraphSet.from_networkx(nx.path_graph(names))) is None


@given(order=st.permutations(range(10)))
@settings(max_examples=20)
def test_the_same_graph_in_another_order_is_laid_on_itself(order):
    graph = GraphSet.from_networkx(
        nx.relabel_nodes(nx.barbell_graph(4, 2), {v: f"v{v}" for v in range(10)})
    )
    other = induced_subgraph(graph, np.array(order))
    one, two = (
        trajectory(g, MessagePassingNodeKernel(n_iterations=3, features="degree").fit(g))
        for g in (graph, other)
    )
    partner = matching_vertices(other, graph)
    assert partner is not None
    moved = aligned_to(two, one, partner)
    assert moved.n_rounds == 0
    np.testing.assert_allclose(
        moved.points[0][moved.class_of_vertex],
        one.points[-1][one.class_of_vertex][partner],
        atol=1e-7,
    )
