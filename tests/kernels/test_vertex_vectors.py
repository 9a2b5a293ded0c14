"""The points that are clustered stand for the kernel: exactly, on average, or by landmarks."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import networkx as nx
import numpy as np
import pytest
from scipy.sparse import csr_array

from mpgk_core import GraphSet, MessagePassingNodeKernel
from mpgk_core.grouping import mix
from mpgk_core.kernels import nystroem, sketches
from mpgk_core.kernels.feature_maps import exact_powers, vertex_blocks
from mpgk_core.kernels.message_passing import MessagePassing
from mpgk_core.kernels.sketches import SKETCH_WIDTH, add_code_sketches, sketch_features
from mpgk_core.kernels.update import KernelParameters, node_kernels

GRAPHS = GraphSet.from_networkx(nx.lollipop_graph(4, 3))
T = 2


def rounds_of(parameters, graphs=GRAPHS, n_landmarks=None):
    every = frozenset(range(parameters.n_iterations + 1))
    passing = MessagePassing(parameters, every, n_landmarks)
    return passing.run(graphs, passing.encode(graphs))


def hashed(state, value):
    return np.uint64(mix(np.uint64(state), np.uint64(value)))


def products(now):
    rows = now.vectors[now.types.of_vertex]
    return rows @ rows.T


@pytest.mark.parametrize("features", ["degree", "degree+triangles"])
def test_convolution_vectors_multiply_to_the_kernel(features):
    parameters = KernelParameters("R", 0.7, 0.4, T, features)
    kernel = MessagePassingNodeKernel(**parameters.settings()).fit(GRAPHS)
    for t, now in enumerate(rounds_of(parameters)):
        np.testing.assert_allclose(products(now), kernel.kernel_at(t), rtol=1e-7)


def test_convolution_vectors_of_rounds_without_a_tree_are_empty():
    passing = MessagePassing(KernelParameters("R", n_iterations=3), frozenset([1, 3]))
    rounds = passing.run(GRAPHS, passing.encode(GRAPHS))
    assert [now.vectors.shape[1] for now in rounds] == [0, 2, 0, 4]
    assert [now.tree is None for now in rounds] == [True, False, True, False]


@pytest.mark.parametrize("neighbourhood", ["R", "A"])
def test_with_all_types_as_landmarks_vectors_multiply_to_the_kernel(neighbourhood):
    parameters = KernelParameters(neighbourhood, 0.7, 0.4, T, "degree+triangles")
    rounds = rounds_of(parameters, n_landmarks=100)
    expected = products(rounds[0])
    rows = MessagePassingNodeKernel(**parameters.settings()).fit(GRAPHS).initial_features_
    np.testing.assert_allclose(expected, rows @ rows.T, atol=1e-9)
    neighbours = [
        GRAPHS.adjacency.indices[start:stop] for start, stop in pairwise(GRAPHS.adjacency.indptr)
    ]
    for before, after in pairwise(rounds):
        leaves = before.leaf_of_vertex
        strong = before.tree.hierarchy.strong_kernel()[np.ix_(leaves, leaves)]
        once = replace(parameters, n_iterations=1)
        expected = node_kernels(products(before), neighbours, once, [strong])[1]
        np.testing.assert_allclose(products(after), expected, atol=1e-8)


def test_landmarks_are_drawn_once_each_and_as_often_as_they_occur():
    counts = np.array([1, 1, 1, 1, 60, 60])
    vectors = [
        nystroem.NystroemVectors(KernelParameters(random_state=seed), 2) for seed in range(200)
    ]
    drawn = [one._draw(0, counts).tolist() for one in vectors]
    assert all(len(set(chosen)) == 2 and chosen == sorted(chosen) for chosen in drawn)
    assert np.mean([chosen == [4, 5] for chosen in drawn]) > 0.8
    assert vectors[0]._draw(0, counts[:2]).tolist() == [0, 1]
    assert len({tuple(vectors[0]._draw(t, np.ones(50))) for t in range(5)}) > 1


def test_whitening_is_a_root_of_the_pseudo_inverse():
    rows = np.random.default_rng(0).normal(size=(5, 3))
    kernel = rows @ rows.T
    whitening = nystroem._whitening(kernel)
    assert whitening.shape == (5, 3)
    np.testing.assert_allclose(whitening @ whitening.T, np.linalg.pinv(kernel), atol=1e-9)
    assert nystroem._whitening(np.zeros((2, 2))).tolist() == [[0.0], [0.0]]


def test_without_messages_assignment_vectors_only_shrink():
    parameters = KernelParameters("A", 0.25, 0.0, T, "degree")
    start, once, twice = rounds_of(parameters)
    np.testing.assert_allclose(once.vectors, 0.5 * start.vectors[once.types.parents])
    np.testing.assert_allclose(twice.vectors, 0.5 * once.vectors[twice.types.parents])


def test_assignment_vectors_multiply_to_the_kernel_on_average():
    parameters = KernelParameters("A", 0.5, 2.0, 1, "degree")
    kernel = MessagePassingNodeKernel(**parameters.settings()).fit(GRAPHS)
    start = rounds_of(parameters)[0]
    assert start.vectors.shape[1] == SKETCH_WIDTH
    np.testing.assert_allclose(products(start), kernel.kernel_at(0))
    around = kernel.kernel_at(1) - 0.5 * kernel.kernel_at(0)
    histograms = kernel._blocks[1]
    rows = histograms.features()[np.unique(histograms.index, return_index=True)[1]].toarray()
    expected = 2.0 * rows @ rows.T
    np.testing.assert_allclose(expected[np.ix_(histograms.index, histograms.index)], around)


def test_a_feature_falls_once_into_each_quarter_and_keeps_its_length():
    places = set()
    for column in range(300):
        row = np.zeros(SKETCH_WIDTH)
        sketches._add_feature(row, hashed(1, column), 3.0)
        quarters = row.reshape(4, -1)
        assert (np.count_nonzero(quarters, axis=1) == 1).all()
        assert set(np.abs(row[row != 0]).tolist()) == {1.5}
        places |= set(np.flatnonzero(row).tolist())
    assert places == set(range(SKETCH_WIDTH))


def test_sketches_of_codes_add_one_feature_for_every_member():
    counts = csr_array(np.array([[2.0, 0.0, 1.0], [0.0, 3.0, 0.0]]))
    weights = np.array([4.0, 9.0, 16.0])
    found = np.ones((2, SKETCH_WIDTH))
    add_code_sketches(found, counts, weights, 7)
    expected = np.ones((2, SKETCH_WIDTH))
    for i, row in enumerate(counts.toarray()):
        for node, count in enumerate(row):
            for member in range(int(count)):
                code = hashed(hashed(7, node), member)
                sketches._add_feature(expected[i], code, np.sqrt(weights[node]))
    np.testing.assert_allclose(found, expected)


def test_sketches_of_codes_multiply_to_weighted_minima_on_average():
    counts = csr_array(np.array([[2.0, 0.0, 1.0], [1.0, 3.0, 4.0]]))
    weights = np.array([1.0, 0.5, 2.0])
    values = []
    for seed in range(2000):
        sketches = np.zeros((2, SKETCH_WIDTH))
        add_code_sketches(sketches, counts, weights, seed)
        values.append(sketches @ sketches.T)
    table = counts.toarray()
    minima = (weights * np.minimum(table[:, np.newaxis], table)).sum(axis=2)
    np.testing.assert_allclose(np.mean(values, axis=0), minima, atol=0.15)


def test_few_features_are_kept_and_many_are_sketched():
    rows = np.arange(12.0).reshape(3, 4)
    np.testing.assert_array_equal(sketch_features(rows, 4, 4, 0), rows)
    np.testing.assert_array_equal(sketch_features(rows, 3, 4, 0), rows[:, :3])
    np.testing.assert_array_equal(sketch_features(csr_array(rows), 3, 4, 0), rows[:, :3])
    wide = np.random.default_rng(0).normal(size=(2, 70))
    mean = np.mean([_gram(sketch_features(wide, 60, 32, seed)) for seed in range(2000)], axis=0)
    assert sketch_features(wide, 60, 32, 0).shape == (2, 32)
    np.testing.assert_allclose(mean, _gram(wide[:, :60]), atol=2.0)


def _gram(rows):
    return rows @ rows.T


@pytest.mark.parametrize("features", ["degree", "labels", "degree+triangles+constant"])
def test_powers_of_whole_numbers_need_no_types(features):
    graph = nx.gnm_random_graph(40, 90, seed=1)
    nx.set_node_attributes(graph, {v: v % 3 for v in graph}, "label")
    kernel = MessagePassingNodeKernel("R", n_iterations=4, features=features).fit(graph)
    graphs, passing = GraphSet.from_networkx(graph), kernel._passing
    start = passing.encode(graphs)
    powers = exact_powers(graphs, start, passing)
    by_types = vertex_blocks(start, kernel.rounds_, passing)
    for power, block in zip(powers, by_types, strict=True):
        np.testing.assert_array_equal(power.features(), block.features())


@pytest.mark.parametrize(
    ("weight", "parameters"),
    [
        (0.1, {}),
        (-1.0, {}),
        (2.0**50, {}),
        (1.0, {"neighbourhood": "A"}),
        (1.0, {"edges": "follow"}),
    ],
)
def test_powers_that_may_not_be_exact_are_left_to_types(weight, parameters):
    graph = nx.complete_graph(5)
    nx.set_node_attributes(graph, dict.fromkeys(graph, weight), "attributes")
    graphs = GraphSet.from_networkx(graph, node_attributes="attributes")
    settings = {"neighbourhood": "R", "features": "attributes", **parameters}
    passing = MessagePassing(KernelParameters(**settings), frozenset(range(6)))
    assert exact_powers(graphs, passing.encode(graphs), passing) is None


def test_points_of_convolution_share_the_rows_of_all_rounds():
    graphs = GraphSet.from_networkx(nx.gnm_random_graph(60, 120, seed=2))
    parameters = KernelParameters("R", n_iterations=4, features="degree+triangles")
    rounds = rounds_of(parameters, graphs)
    for t, now in enumerate(rounds):
        assert len(now.points.table) == sum(before.types.n_types for before in rounds[: t + 1])
        assert now.vectors.shape == (now.types.n_types, 2 * (t + 1))
