"""The kernels are proper scikit-learn estimators and the barbell figure comes out."""

import pickle

import networkx as nx
import numpy as np
import pytest
from sklearn import config_context
from sklearn.base import clone
from sklearn.exceptions import NotFittedError as NotFittedOfScikitLearn
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import Pipeline
from sklearn.svm import SVC

from mpgk_core import (
    GraphSet,
    MessagePassingGraphKernel,
    MessagePassingNodeKernel,
    MPGKError,
    NotFittedError,
    WeisfeilerLehmanOptimalAssignment,
    WeisfeilerLehmanSubtree,
    kernel_pca,
    orbits,
)


def rings_and_trees():
    members = [nx.cycle_graph(n) for n in range(4, 14)]
    members += [nx.random_labeled_tree(n, seed=n) for n in range(4, 14)]
    return members, np.repeat([0, 1], 10)


@pytest.mark.parametrize(
    "estimator",
    [
        MessagePassingGraphKernel("RA", alpha=0.5, features="degree"),
        MessagePassingNodeKernel("A", beta=0.7),
        WeisfeilerLehmanSubtree(2),
        WeisfeilerLehmanOptimalAssignment(2),
    ],
)
def test_cloning_keeps_parameters_and_forgets_what_was_learnt(estimator):
    estimator.fit([nx.path_graph(3)])
    copy = clone(estimator)
    assert copy.get_params() == estimator.get_params()
    with pytest.raises(NotFittedError, match="not fitted"):
        copy.transform([nx.path_graph(3)])


def test_the_error_before_fit_is_that_of_scikit_learn_and_survives_pickling():
    with pytest.raises(NotFittedOfScikitLearn) as caught:
        MessagePassingNodeKernel().transform([nx.path_graph(3)])
    copy = pickle.loads(pickle.dumps(caught.value))
    assert type(copy) is NotFittedError
    assert isinstance(copy, MPGKError)
    assert str(copy) == str(caught.value)


@pytest.mark.parametrize("as_set", [False, True])
def test_pipeline_and_grid_search_work_with_lists_and_graph_sets(as_set):
    members, classes = rings_and_trees()
    data = GraphSet.from_networkx(members) if as_set else members
    model = Pipeline([("kernel", MessagePassingGraphKernel()), ("svm", SVC(kernel="precomputed"))])
    search = GridSearchCV(
        model,
        {"kernel__variant": ["RR", "AA"], "kernel__n_iterations": [1, 2], "svm__C": [1, 10]},
        cv=2,
        error_score="raise",
    ).fit(data, classes)
    assert search.best_score_ > 0.8
    assert search.predict(data).shape == (20,)
    assert "MessagePassingGraphKernel" in search._repr_html_()
    plain = cross_val_score(model, data, classes, cv=2).tolist()
    with config_context(enable_metadata_routing=True):
        assert cross_val_score(model, data, classes, cv=2).tolist() == plain


@pytest.mark.parametrize("variant", ["RR", "RA", "AR", "AA"])
def test_all_t_contains_what_a_run_with_that_t_gives(variant):
    members, _ = rings_and_trees()
    every_t = MessagePassingGraphKernel(variant, n_iterations=3).kernels_at_all_t(members)
    assert len(every_t) == 4
    for t, kernel in enumerate(every_t):
        alone = MessagePassingGraphKernel(variant, n_iterations=t).fit_transform(members)
        np.testing.assert_allclose(kernel, alone, rtol=1e-12)


def test_transform_after_kernels_at_all_t_uses_the_last_round():
    members, _ = rings_and_trees()
    kernel = MessagePassingGraphKernel("AA", n_iterations=2)
    last = kernel.kernels_at_all_t(members)[-1]
    np.testing.assert_allclose(kernel.transform(members[:3]), last[:3], rtol=1e-12)


def test_refitting_forgets_the_former_graph():
    kernel = MessagePassingNodeKernel("A", n_iterations=2)
    kernel.fit(nx.star_graph(5)).kernel_  # noqa: B018
    again = kernel.fit(nx.path_graph(4)).kernel_
    fresh = MessagePassingNodeKernel("A", n_iterations=2).fit(nx.path_graph(4)).kernel_
    assert again.tobytes() == fresh.tobytes()


@pytest.mark.parametrize("neighbourhood", ["R", "A"])
def test_barbell_figure(neighbourhood):
    """B(10,10), degree, T=5: seven orbits are seven points; each round tells one more apart."""
    barbell = nx.barbell_graph(10, 10)
    kernel = MessagePassingNodeKernel(neighbourhood, n_iterations=5, features="degree").fit(barbell)
    rows = [len(np.unique(kernel.kernel_at(t), axis=0)) for t in range(6)]
    assert rows == [3, 4, 5, 6, 7, 7]
    of_vertex = orbits(barbell).of_vertex
    assert of_vertex.max() + 1 == 7
    points = kernel_pca(kernel.kernel_, 2).points
    centres = np.array([points[of_vertex == orbit].mean(axis=0) for orbit in range(7)])
    for orbit in range(7):
        assert np.ptp(points[of_vertex == orbit], axis=0).max() <= 1e-9
    assert len(np.unique(centres.round(9), axis=0)) == 7
    in_clique = np.isin(np.arange(30), [*range(10), *range(20, 30)])
    clique, path = points[in_clique], points[~in_clique]
    gap = np.linalg.norm(clique.mean(axis=0) - path.mean(axis=0))
    assert gap > 2 * np.linalg.norm(clique - clique.mean(axis=0), axis=1).max()


def test_hierarchies_exist_where_assignment_needs_them():
    barbell = nx.barbell_graph(4, 2)
    assert MessagePassingNodeKernel("R").fit(barbell).hierarchy_at(1) is None
    assert MessagePassingNodeKernel("R").fit(barbell).leaves_at(1) is None
    kernel = MessagePassingNodeKernel("A", branching=2, depth=3).fit(barbell)
    for t in range(6):
        hierarchy = kernel.hierarchy_at(t)
        assert hierarchy.depths.max() <= 3
        assert kernel.leaves_at(t).max() < hierarchy.n_leaves
    graph_kernel = MessagePassingGraphKernel("RA", n_iterations=2).fit([barbell])
    assert graph_kernel.hierarchy_at(0) is None
    assert graph_kernel.leaves_at(0, [barbell]) is None
    assert graph_kernel.hierarchy_at(2) is not None


@pytest.mark.parametrize("variant", ["RR", "RA", "AR", "AA"])
def test_empty_graphs_have_zero_rows(variant):
    kernel = MessagePassingGraphKernel(variant).fit_transform([nx.Graph(), nx.path_graph(3)])
    np.testing.assert_array_equal(kernel, [[0.0, 0.0], [0.0, 1.0]])
    only_empty = MessagePassingGraphKernel(variant).fit_transform([nx.Graph()])
    np.testing.assert_array_equal(only_empty, [[0.0]])


def test_self_loops_kept_change_the_neighbourhood():
    graph = nx.Graph([(0, 0), (0, 1)])
    options = {"n_iterations": 1, "features": "constant", "alpha": 0.0, "beta": 1.0}
    kept = GraphSet.from_networkx(graph, self_loops="keep")
    kernel = MessagePassingNodeKernel("R", **options).fit_transform(kept)
    np.testing.assert_array_equal(kernel, [[4.0, 2.0], [2.0, 1.0]])
    dropped = MessagePassingNodeKernel("R", **options).fit_transform(graph)
    np.testing.assert_array_equal(dropped, [[1.0, 1.0], [1.0, 1.0]])
