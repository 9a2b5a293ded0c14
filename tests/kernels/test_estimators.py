"""The kernels are proper scikit-learn estimators and the barbell figure comes out."""

import pickle

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from sklearn import config_context
from sklearn.base import clone
from sklearn.exceptions import NotFittedError as NotFittedOfScikitLearn
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import Pipeline
from sklearn.svm import SVC
from sklearn.utils import estimator_checks

from mpgk_core import (
    GraphSet,
    GraphSizeKernel,
    MessagePassingGraphKernel,
    MessagePassingNodeKernel,
    MPGKError,
    NotFittedError,
    Protocol,
    WeisfeilerLehmanOptimalAssignment,
    WeisfeilerLehmanSubtree,
    evaluate,
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


class PathsOfRows(GraphSizeKernel):
    """A kernel for rows of numbers, which is what the checks of scikit-learn have to give."""

    def fit(self, rows, y=None):
        return super().fit(self.paths(rows))

    def transform(self, rows):
        return super().transform(self.paths(rows))

    @staticmethod
    def paths(rows):
        sums = np.abs(np.asarray(rows, dtype=float).sum(axis=1))
        paths = [nx.path_graph(2 + int(10 * s) % 20) for s in sums]
        return pd.Series(paths, index=getattr(rows, "index", None), dtype=object)


WITHOUT_DATA = (
    "estimator_cloneable",
    "estimator_repr",
    "estimator_tags_renamed",
    "estimators_unfitted",
    "do_not_raise_errors_in_init_or_set_params",
    "get_feature_names_out_error",
    "get_params_invariance",
    "mixin_order",
    "no_attributes_set_in_init",
    "parameters_default_constructible",
    "set_params",
    "transformers_unfitted",
    "valid_tag_types",
)
WITH_DATA = (
    "dict_unchanged",
    "dont_overwrite_parameters",
    "estimators_fit_returns_self",
    "estimators_overwrite_params",
    "estimators_pickle",
    "fit_check_is_fitted",
    "fit_idempotent",
    "methods_sample_order_invariance",
    "methods_subset_invariance",
    "pipeline_consistency",
    "readonly_memmap_input",
    "requires_y_none",
    "set_output_transform",
    "set_output_transform_pandas",
    "set_output_transform_polars",
)


@pytest.mark.parametrize(
    ("check", "estimator"),
    [
        *((check, MessagePassingGraphKernel()) for check in WITHOUT_DATA),
        *((check, MessagePassingNodeKernel()) for check in WITHOUT_DATA),
        *((check, PathsOfRows()) for check in (*WITHOUT_DATA, *WITH_DATA)),
    ],
)
def test_the_checks_of_scikit_learn_pass(check, estimator):
    getattr(estimator_checks, f"check_{check}")(type(estimator).__name__, estimator)


@pytest.mark.parametrize(
    ("estimator", "n_columns"),
    [
        (MessagePassingGraphKernel("AR"), 2),
        (WeisfeilerLehmanSubtree(1), 2),
        (MessagePassingNodeKernel("R"), 7),
        (GraphSizeKernel(), 2),
    ],
)
def test_tables_have_the_names_of_the_columns(estimator, n_columns):
    graphs = pd.Series([nx.path_graph(3), nx.path_graph(4)], index=["a", "b"])
    plain = estimator.fit_transform(graphs)
    names = estimator.get_feature_names_out().tolist()
    assert len(set(names)) == n_columns
    table = estimator.set_output(transform="pandas").fit_transform(graphs)
    assert table.columns.tolist() == names
    np.testing.assert_array_equal(table, plain)
    if n_columns == 2:
        assert table.index.tolist() == ["a", "b"]
    new = clone(estimator).fit(graphs).transform(graphs[:1])
    assert new.columns.tolist() == names
    assert isinstance(estimator.set_output(transform="default").transform(graphs), np.ndarray)
    assert estimator.set_output(transform=None).transform(graphs) is not None
    with pytest.raises(MPGKError, match="transform"):
        estimator.set_output(transform="excel")


def test_evaluations_do_not_mind_what_tables_scikit_learn_is_set_to():
    members, classes = rings_and_trees()
    protocol = Protocol(n_folds=2, n_repeats=1, iterations=(1,), inner_folds=2)
    plain = evaluate(members, classes, "RA", protocol).repeat_accuracies.tolist()
    with config_context(transform_output="pandas"):
        assert evaluate(members, classes, "RA", protocol).repeat_accuracies.tolist() == plain
