"""Learning roles: nothing leaks, draws are nested and seeded, and easy roles are found."""

import numpy as np
import pytest
from sklearn.svm import SVC

from mpgk_core import GraphSet, InvalidParameterError, MessagePassingNodeKernel
from mpgk_core.evaluation import (
    NODE_METHODS,
    LearningCurve,
    NodeProtocol,
    Roles,
    checked_roles,
    learning_curve,
    node_kernel_matrix,
    node_trials,
    role_graph,
)
from mpgk_core.evaluation.node_trials import drawn_vertices, run_trial
from mpgk_core.refinement import colour_refinement

QUICK = NodeProtocol(shares=(0.3, 0.6), n_repeats=2)


def mixed(seed=0, n=60):
    """Return a random graph, with roles that have nothing to do with it."""
    chance = np.random.default_rng(seed)
    upper = np.triu(chance.random((n, n)) < 0.1, 1)
    return GraphSet(upper | upper.T, [0, n]), checked_roles(chance.integers(2, size=n), n)


@pytest.mark.parametrize("method", ["R", "A", "WL"])
@pytest.mark.parametrize("classifier", ["svm", "knn"])
def test_undisturbed_houses_are_found(method, classifier):
    graph, roles = role_graph("houses")
    trials = list(learning_curve(graph, roles, [method], [classifier], QUICK))
    assert [t.accuracy for t in trials] == [1.0] * 4


def test_degrees_alone_cannot_find_the_houses():
    graph, roles = role_graph("houses")
    found = [t.accuracy for t in learning_curve(graph, roles, ["degree"], protocol=QUICK)]
    assert max(found) < 0.7


def test_missed_vertices_are_those_that_accuracy_lacks():
    graph, roles = mixed()
    for one in learning_curve(graph, roles, ["degree"], protocol=QUICK):
        missed = set(one.missed(roles).tolist())
        assert not missed & set(one.labelled.tolist())
        n_others = graph.n_vertices - len(one.labelled)
        assert len(missed) == round((1 - one.accuracy) * n_others) > 0


@pytest.mark.parametrize("method", list(NODE_METHODS))
def test_roles_at_random_stay_at_chance(method):
    found = []
    for seed in range(8):
        graph, roles = mixed(seed)
        protocol = NodeProtocol(shares=(0.7,), n_repeats=3)
        found += [t.accuracy for t in learning_curve(graph, roles, [method], protocol=protocol)]
    assert 0.4 < np.mean(found) < 0.6


@pytest.mark.parametrize("classifier", ["svm", "knn"])
def test_roles_of_unlabelled_vertices_have_no_influence(classifier, monkeypatch):
    graph, roles = mixed()
    kernel = node_kernel_matrix("A", graph)
    first = run_trial(kernel, roles, "A", classifier, 0.3, 0, QUICK)
    monkeypatch.setattr(node_trials, "drawn_vertices", lambda *_: first.labelled)
    others = np.setdiff1d(np.arange(graph.n_vertices), first.labelled)
    turned = roles.of_vertex.copy()
    turned[others] = 1 - turned[others]
    again = run_trial(kernel, Roles(roles.names, turned), "A", classifier, 0.3, 0, QUICK)
    assert again.predicted[others].tolist() == first.predicted[others].tolist()
    assert again.C == first.C
    assert again.accuracy == pytest.approx(1 - first.accuracy)


def test_larger_draws_hold_smaller_ones_and_every_role():
    _, roles = role_graph("karate")
    _, houses = role_graph("houses")
    for given in (roles, houses):
        before = set()
        for share in (0.05, 0.3, 0.6, 0.95):
            drawn = drawn_vertices(given, share, 1, QUICK)
            assert before <= set(drawn.tolist())
            before = set(drawn.tolist())
            shown = np.bincount(given.of_vertex[drawn], minlength=len(given.names))
            assert (shown >= 1).all()
            assert (shown < given.counts).all()
    repeats = [drawn_vertices(houses, 0.3, repeat, QUICK).tolist() for repeat in (0, 1)]
    assert repeats[0] != repeats[1]


def test_svm_predicts_as_libsvm_does():
    graph, roles = mixed(3)
    kernel = node_kernel_matrix("R", graph, 2)
    own = run_trial(kernel, roles, "R", "svm", 0.6, 0, QUICK)
    others = np.setdiff1d(np.arange(graph.n_vertices), own.labelled)
    rival = SVC(C=own.C, kernel="precomputed").fit(
        kernel[np.ix_(own.labelled, own.labelled)], roles.of_vertex[own.labelled]
    )
    said = rival.predict(kernel[np.ix_(others, own.labelled)])
    assert np.mean(said == own.predicted[others]) > 0.95


def test_kernels_are_what_they_say():
    graph, _ = mixed(5, 30)
    n = graph.n_vertices
    centre = np.eye(n) - 1 / n
    degrees = np.diff(graph.adjacency.indptr)
    rounds = [colour_refinement(graph, t) for t in range(3)]
    slow = {
        "degree": np.array([[min(a, b) for b in degrees] for a in degrees], dtype=float),
        "WL": np.array([[sum(c[v] == c[u] for c in rounds) for u in range(n)] for v in range(n)]),
        "R": MessagePassingNodeKernel("R", n_iterations=2, normalize=True).fit(graph).kernel_,
    }
    for method, kernel in slow.items():
        expected = centre @ kernel @ centre
        expected /= expected.trace() / n
        np.testing.assert_allclose(node_kernel_matrix(method, graph, 2), expected, atol=1e-9)


def test_curves_sum_up_their_trials():
    graph, roles = role_graph("barbell", 3)
    trials = tuple(learning_curve(graph, roles, ["degree", "R"], ["knn"], QUICK))
    curve = LearningCurve(roles, trials)
    assert curve.kinds == [("degree", "knn"), ("R", "knn"), ("majority", "")]
    point = curve.points("R", "knn")[1]
    own = [t.accuracy for t in trials if t.method == "R" and t.share == 0.6]
    assert (point.share, point.mean, point.n_trials) == (0.6, pytest.approx(np.mean(own)), 2)
    assert len(curve.rows()) == 12
    assert LearningCurve(roles, curve.trials).trials == curve.trials
    again = tuple(learning_curve(graph, roles, ["degree", "R"], ["knn"], QUICK))
    assert [t.predicted.tolist() for t in again] == [t.predicted.tolist() for t in trials]


def test_the_majority_is_that_of_the_labelled_vertices():
    graph, roles = role_graph("houses")
    trials = tuple(learning_curve(graph, roles, ["degree"], ["knn"], QUICK))
    found = LearningCurve(roles, trials).chosen("majority", "")
    for said, own in zip(found, trials, strict=True):
        most = np.bincount(roles.of_vertex[own.labelled]).argmax()
        others = np.setdiff1d(np.arange(graph.n_vertices), own.labelled)
        assert np.all(said.predicted[others] == most)
        assert said.accuracy == np.mean(roles.of_vertex[others] == most)


@pytest.mark.parametrize(
    "wrong", [{"shares": ()}, {"shares": (0.0,)}, {"shares": (1.0,)}, {"n_neighbours": 0}]
)
def test_wrong_protocols_are_refused(wrong):
    with pytest.raises(InvalidParameterError):
        NodeProtocol(**wrong)


def test_wrong_methods_are_refused_before_any_work():
    graph, roles = role_graph("barbell")
    with pytest.raises(InvalidParameterError, match="methods"):
        learning_curve(graph, roles, ["B"])
    with pytest.raises(InvalidParameterError, match="classifiers"):
        learning_curve(graph, roles, classifiers=["forest"])
