"""Scores against slow ones, which look at one vertex after the other."""

import networkx as nx
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array, random_array

from mpgk_core import GraphSet, MessagePassingNodeKernel
from mpgk_core.recovery.points import distance_matrix, kernel_points
from mpgk_core.tuning import SCORES
from mpgk_core.tuning.scores import facts_for
from tests.strategies import graphs, shuffled
from tests.tuning import oracle


def studied(graph, labels=None, names=("recovered",), **settings):
    """Return facts, points, and distances between all vertices by way of the feature map."""
    prepared = GraphSet.from_networkx(graph)
    kernel = MessagePassingNodeKernel(**settings).fit(prepared)
    points = kernel_points(prepared, kernel, kernel.n_iterations)
    facts = facts_for(prepared, names, labels=labels, n_folds=2, n_neighbours=3)
    rows = points.rows.toarray()[points.of_vertex]
    distances = np.linalg.norm(rows[:, np.newaxis] - rows, axis=2)
    return facts, points, distances


@settings(max_examples=60)
@given(
    graphs(min_vertices=2, max_vertices=8),
    st.sampled_from(["attributes", "degree", "labels+degree"]),
    st.integers(0, 3),
    st.booleans(),
)
def test_orbit_scores_are_those_of_the_slow_way(graph, features, n_iterations, normalize):
    how = {"features": features, "n_iterations": n_iterations, "normalize": normalize}
    facts, points, distances = studied(graph, **how)
    orbit = facts.orbit_of_vertex
    expected = oracle.recovered(distances, orbit, 0.0)
    assert SCORES["recovered"].compute(points, facts) == expected
    assert SCORES["points"].compute(points, facts) == len(np.unique(points.of_vertex))
    assume(orbit.max() > 0)
    assert SCORES["gap"].compute(points, facts) == pytest.approx(oracle.gap(distances, orbit))


@settings(max_examples=60)
@given(
    graphs(min_vertices=6, max_vertices=9),
    st.lists(st.sampled_from("xyz"), min_size=9, max_size=9),
    st.sampled_from("RA"),
)
def test_label_scores_are_those_of_the_slow_way(graph, labels, neighbourhood):
    labels = labels[: len(graph)]
    sizes = [labels.count(label) for label in set(labels)]
    assume(len(sizes) > 1 and min(sizes) > 1)
    facts, points, distances = studied(
        graph, labels, ["silhouette", "accuracy"], neighbourhood=neighbourhood, n_iterations=2
    )
    code = facts.class_of_vertex
    expected = oracle.silhouette(distances, code)
    assert SCORES["silhouette"].compute(points, facts) == pytest.approx(expected, abs=1e-9)
    expected = oracle.accuracy(distances, code, facts.folds, 3)
    assert SCORES["accuracy"].compute(points, facts) == pytest.approx(expected)


def test_a_label_that_occurs_once_counts_nothing_in_the_silhouette():
    labels = ["a", "a", "b", "b", "c"]
    facts, points, distances = studied(nx.path_graph(5), labels, ["silhouette"])
    expected = oracle.silhouette(distances, facts.class_of_vertex)
    assert SCORES["silhouette"].compute(points, facts) == pytest.approx(expected)


def test_scores_by_label_reward_labels_that_the_kernel_shows():
    graph = nx.barbell_graph(10, 10)
    shown = ["clique" if degree > 2 else "path" for _, degree in graph.degree()]
    random = np.random.default_rng(0).permutation(shown).tolist()
    for name in ("silhouette", "accuracy"):
        good, bad = (
            SCORES[name].compute(*reversed(studied(graph, labels, [name], features="degree")[:2]))
            for labels in (shown, random)
        )
        assert good > 0.9
        assert bad < 0.8


def test_scores_without_folds_do_not_depend_on_the_order_of_vertices():
    graph = nx.barbell_graph(6, 5)
    labels = dict(zip(graph, "aabbb" * 3 + "ab", strict=True))
    other, _ = shuffled(graph, seed=5)
    names = ["recovered", "gap", "silhouette", "points"]
    one, two = (
        studied(g, [labels[v] for v in g], names, n_iterations=3)[:2] for g in (graph, other)
    )
    for name in names:
        assert SCORES[name].compute(*reversed(one)) == pytest.approx(
            SCORES[name].compute(*reversed(two)), rel=1e-12
        )


@given(
    st.integers(0, 150), st.integers(1, 6), st.sampled_from([0.0, 1.0, 1e6]), st.integers(0, 10**6)
)
def test_distances_are_those_of_the_rows_also_between_close_ones(n, width, length, seed):
    rng = np.random.default_rng(seed)
    rows = random_array((n, width), density=0.5, rng=rng, format="csr")
    dense = rows.toarray() + length * rng.random(width)
    expected = np.linalg.norm(dense[:, np.newaxis] - dense, axis=2)
    np.testing.assert_allclose(distance_matrix(csr_array(dense)), expected, rtol=1e-9, atol=1e-12)


def test_every_score_explains_itself_in_one_sentence():
    for score in SCORES.values():
        assert score.title
        assert score.explanation.endswith(".")
        assert score.explanation.count(".") == 1
