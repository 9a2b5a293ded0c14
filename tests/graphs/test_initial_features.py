"""What vertices start with: every feature by its definition, fitted once, applied to others."""

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import issparse

from mpgk_core import GraphSet, InvalidGraphError, InvalidParameterError, MessagePassingNodeKernel
from mpgk_core.graphs.feature_names import FEATURE_NAMES, check_features
from mpgk_core.graphs.features import FeatureEncoder
from mpgk_core.graphs.local_features import LOCAL_FEATURES
from tests.kernels.oracle import initial_kernel
from tests.strategies import FEATURES, graph_lists, shuffled


def kernel_of(features, graphs):
    start = FeatureEncoder(features).fit(graphs)
    rows = np.asarray(start.rows)[start.of_vertex]
    return rows @ rows.T


@given(graph_lists(), FEATURES)
def test_initial_kernel_equals_its_definition(members, features):
    computed = kernel_of(features, GraphSet.from_networkx(members))
    np.testing.assert_allclose(computed, initial_kernel(members, features), rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("name", sorted(LOCAL_FEATURES))
def test_local_features_agree_with_networkx(name):
    graph = nx.gnp_random_graph(40, 0.2, seed=3)
    expected = {
        "degree": dict(graph.degree()),
        "degree-label": dict(graph.degree()),
        "log-degree": {v: np.log1p(d) for v, d in graph.degree()},
        "triangles": nx.triangles(graph),
        "core-number": nx.core_number(graph),
        "clustering": nx.clustering(graph),
        "constant": dict.fromkeys(graph, 1.0),
    }[name]
    computed = LOCAL_FEATURES[name](GraphSet.from_networkx(graph).adjacency)
    np.testing.assert_allclose(computed, [expected[v] for v in graph], rtol=1e-12)


@pytest.mark.parametrize("name", ["triangles", "core-number", "clustering"])
def test_local_features_do_not_count_self_loops(name):
    graph = nx.karate_club_graph()
    looped = graph.copy()
    looped.add_edges_from((v, v) for v in graph)
    with_loops = GraphSet.from_networkx(looped, self_loops="keep").adjacency
    without = GraphSet.from_networkx(graph).adjacency
    np.testing.assert_array_equal(LOCAL_FEATURES[name](with_loops), LOCAL_FEATURES[name](without))


def test_auto_takes_what_the_graphs_have():
    graph = nx.path_graph(3)
    assert resolved(graph) == "degree"
    nx.set_node_attributes(graph, dict.fromkeys(graph, 7.0), "attributes")
    assert resolved(graph) == "degree", "constant attributes tell nothing"
    nx.set_node_attributes(graph, dict(enumerate("CCO")), "label")
    assert resolved(graph) == "labels,degree"
    nx.set_node_attributes(graph, {0: 1.0, 1: 5.0, 2: 2.0}, "attributes")
    assert resolved(graph) == "labels,attributes-standardised,degree"


def resolved(graph):
    graphs = GraphSet.from_networkx(graph)
    encoder = FeatureEncoder("auto")
    start = encoder.fit(graphs)
    again = FeatureEncoder(encoder.features_).fit(graphs)
    assert start.rows.tobytes() == again.rows.tobytes()
    return encoder.features_


BALANCED = ["labels,attributes,degree", "labels,attributes-standardised,triangles+constant", "auto"]


@given(graph_lists(attribute_width=3), st.sampled_from(BALANCED), st.sampled_from([1e-9, 1.0, 1e7]))
def test_summands_that_are_not_zero_have_equal_mean_self_similarity(members, features, scale):
    for member in members:
        for node in member.nodes.values():
            node["attributes"] = [scale * number for number in node["attributes"]]
    graphs = GraphSet.from_networkx(members)
    encoder = FeatureEncoder(features)
    start = encoder.fit(graphs)
    rows = np.asarray(start.rows)[start.of_vertex]
    names = np.array([name.rstrip(" 0123456789CNO") for name in encoder.column_names])
    groups = [summand.split("+") for summand in encoder.features_.split(",")]
    means = np.array(
        [
            (rows[:, [COLUMN[name] in group for name in names]] ** 2).sum(axis=1).mean()
            for group in groups
        ]
    )
    np.testing.assert_allclose(means[means > 0], 1 / np.count_nonzero(means))


COLUMN = {"label": "labels", "attribute": "attributes"} | {
    "standardised attribute": "attributes-standardised",
    **{name: name for name in LOCAL_FEATURES},
}


@given(graph_lists(), st.integers(0, 99))
def test_balance_does_not_depend_on_the_order_of_vertices_and_graphs(members, seed):
    order = np.random.default_rng(seed).permutation(len(members))
    others = [shuffled(members[g], seed)[0] for g in order]
    start, other = (
        FeatureEncoder("auto").fit(GraphSet.from_networkx(several)) for several in (members, others)
    )
    assert start.rows.tobytes() == other.rows.tobytes()


def test_degrees_as_labels_share_a_balanced_sum_and_name_their_columns():
    encoder = FeatureEncoder("degree-label,constant")
    start = encoder.fit(GraphSet.from_networkx(nx.star_graph(3)))
    assert encoder.column_names == ["degree 1", "degree 3", "constant"]
    hub, leaf = start.rows[start.of_vertex][:2] ** 2
    np.testing.assert_allclose([hub, leaf], [[0.0, 0.5, 0.5], [0.5, 0.0, 0.5]])


def test_a_degree_that_is_new_equals_only_itself():
    encoder = FeatureEncoder("degree-label")
    encoder.fit(GraphSet.from_networkx(nx.path_graph(3)))
    new = encoder.transform(GraphSet.from_networkx([nx.star_graph(3), nx.star_graph(4)]))
    vertices = new.rows[new.of_vertex]
    assert new.n_known == 2
    hubs = vertices[[0, 4]]
    np.testing.assert_array_equal(hubs[:, :2], np.zeros((2, 2)))
    np.testing.assert_array_equal(hubs @ hubs.T, np.eye(2))
    np.testing.assert_array_equal(vertices[1], [1.0, 0.0, 0.0, 0.0])


def test_a_summand_of_zeros_contributes_nothing_and_takes_no_share():
    graphs = GraphSet.from_networkx(nx.path_graph(3))
    np.testing.assert_allclose(
        kernel_of("degree,triangles", graphs), kernel_of("degree", graphs) / 2
    )


def test_balance_is_learnt_in_training():
    encoder = FeatureEncoder("degree,constant")
    start = encoder.fit(GraphSet.from_networkx(nx.cycle_graph(3)))
    new = encoder.transform(GraphSet.from_networkx(nx.star_graph(4)))
    np.testing.assert_allclose(start.rows**2, [[0.5, 0.5]])
    np.testing.assert_allclose(np.sort(new.rows[:, 0] ** 2), [1 / 8, 2.0])


def test_standardised_vertices_have_squared_length_one_on_average():
    table = np.random.default_rng(0).normal(3.0, 10.0, size=(50, 4))
    graph = nx.empty_graph(50)
    nx.set_node_attributes(graph, dict(enumerate(table.tolist())), "attributes")
    kernel = kernel_of("attributes-standardised", GraphSet.from_networkx(graph))
    assert np.trace(kernel) / 50 == pytest.approx(1.0)


def test_constant_attributes_contribute_nothing():
    graph = nx.empty_graph(3)
    nx.set_node_attributes(graph, dict.fromkeys(range(3), 4.0), "attributes")
    kernel = kernel_of("attributes-standardised", GraphSet.from_networkx(graph))
    np.testing.assert_array_equal(kernel, np.zeros((3, 3)))
    alone = nx.empty_graph(3)
    nx.set_node_attributes(alone, {0: 1.0, 1: 5.0, 2: 2.0}, "attributes")
    for v in graph:
        graph.nodes[v]["attributes"] = [alone.nodes[v]["attributes"], 4.0, 0.1 + 0.2 * (v < 3)]
    np.testing.assert_allclose(
        kernel_of("attributes-standardised", GraphSet.from_networkx(graph)),
        kernel_of("attributes-standardised", GraphSet.from_networkx(alone)),
    )


def test_a_callable_gives_the_features():
    graphs = GraphSet.from_networkx([nx.path_graph(3), nx.cycle_graph(3)])
    computed = kernel_of(lambda g: np.diff(g.adjacency.indptr), graphs)
    np.testing.assert_array_equal(computed, kernel_of("degree", graphs))
    with pytest.raises(InvalidParameterError, match="returned shape"):
        kernel_of(lambda g: np.ones(2), graphs)
    with pytest.raises(InvalidParameterError, match="NaN or infinite"):
        kernel_of(lambda g: np.full(g.n_vertices, np.nan), graphs)


def labelled(*labels):
    graph = nx.empty_graph(len(labels))
    nx.set_node_attributes(graph, dict(enumerate(labels)), "label")
    return graph


def test_an_unseen_label_is_orthogonal_to_all_known_ones_and_equal_to_itself():
    encoder = FeatureEncoder("labels")
    encoder.fit(GraphSet.from_networkx(labelled("C", "O")))
    start = encoder.transform(GraphSet.from_networkx(labelled("N", "C", "N", "S")))
    rows = np.asarray(start.rows)[start.of_vertex]
    np.testing.assert_array_equal(rows[:, : start.n_known].sum(axis=1), [0, 1, 0, 0])
    np.testing.assert_array_equal(
        rows @ rows.T, [[1, 0, 1, 0], [0, 1, 0, 0], [1, 0, 1, 0], [0, 0, 0, 1]]
    )


def test_many_labels_are_kept_apart_in_sparse_form():
    graph = labelled(*range(500))
    kernel = MessagePassingNodeKernel("R", n_iterations=0, features="labels").fit_transform(graph)
    np.testing.assert_array_equal(kernel, np.eye(500))


def test_scales_come_from_the_training_graphs():
    train, new = nx.empty_graph(2), nx.empty_graph(1)
    nx.set_node_attributes(train, {0: 0.0, 1: 2.0}, "attributes")
    nx.set_node_attributes(new, {0: 5.0}, "attributes")
    encoder = FeatureEncoder("attributes-standardised")
    encoder.fit(GraphSet.from_networkx(train))
    start = encoder.transform(GraphSet.from_networkx(new))
    np.testing.assert_allclose(start.rows, [[4.0]])


@pytest.mark.parametrize(
    "features", ["colour", "labels+", "degree+degree", "", "Degree", "labels,"]
)
def test_unknown_or_repeated_features_are_refused(features):
    with pytest.raises(InvalidParameterError, match="features"):
        FeatureEncoder(features).fit(GraphSet.from_networkx(nx.path_graph(2)))


def test_features_must_be_text_or_callable():
    with pytest.raises(InvalidParameterError, match="text or a callable"):
        FeatureEncoder(3).fit(GraphSet.from_networkx(nx.path_graph(2)))


@pytest.mark.parametrize("features", ["labels", "attributes", "attributes-standardised"])
def test_features_that_the_graphs_lack_are_refused(features):
    with pytest.raises(InvalidGraphError, match="choose other features"):
        FeatureEncoder(features).fit(GraphSet.from_networkx(nx.path_graph(2)))


def test_new_attributes_must_have_the_same_length():
    train, new = nx.empty_graph(1), nx.empty_graph(1)
    train.nodes[0]["attributes"] = [1.0, 2.0]
    new.nodes[0]["attributes"] = [1.0]
    encoder = FeatureEncoder("attributes")
    encoder.fit(GraphSet.from_networkx(train))
    with pytest.raises(InvalidGraphError, match="same length"):
        encoder.transform(GraphSet.from_networkx(new))


def test_all_feature_names_work_alone():
    graph = nx.lollipop_graph(4, 2)
    nx.set_node_attributes(graph, {v: v % 2 for v in graph}, "label")
    nx.set_node_attributes(graph, {v: [v, 1.0] for v in graph}, "attributes")
    for name in FEATURE_NAMES:
        kernel = kernel_of(name, GraphSet.from_networkx(graph))
        assert kernel.shape == (6, 6)
        assert np.all(np.isfinite(kernel))


def similarities(graphs, features, **options):
    start = FeatureEncoder(features, **options).fit(graphs)
    rows = start.rows.toarray() if issparse(start.rows) else start.rows
    table = rows[start.of_vertex]
    return table @ table.T


@given(graph_lists())
def test_factors_weigh_the_parts_of_a_sum(members):
    graphs = GraphSet.from_networkx(members)
    one, other = (similarities(graphs, part) for part in ("labels", "attributes"))
    found = similarities(graphs, "labels + 0.5*attributes")
    np.testing.assert_allclose(found, one + 0.5 * other, rtol=1e-9, atol=1e-9)


@given(graph_lists())
def test_a_product_compares_attributes_between_equal_labels_only(members):
    graphs = GraphSet.from_networkx(members)
    one, other = (similarities(graphs, part) for part in ("labels", "attributes"))
    np.testing.assert_allclose(similarities(graphs, "labels*attributes"), one * other, atol=1e-9)
    both = similarities(graphs, "labels + 2*labels*attributes")
    np.testing.assert_allclose(both, one + 2 * one * other, atol=1e-9)


def test_products_with_new_labels_meet_no_training_vertex():
    known = GraphSet(np.zeros((2, 2)), [0, 2], labels="CO", attributes=[[1.0], [2.0]])
    new = GraphSet(np.zeros((1, 1)), [0, 1], labels="N", attributes=[[3.0]])
    encoder = FeatureEncoder("labels*attributes")
    encoder.fit(known)
    start = encoder.transform(new)
    assert not start.rows[:, : start.n_known].any()
    assert start.rows[:, start.n_known :].tolist() == [[3.0]]
    assert encoder.column_names == ["attribute 1 of label C", "attribute 1 of label O"]


def test_random_features_approximate_the_gaussian_kernel_and_follow_the_seed():
    table = np.random.default_rng(1).normal(size=(60, 3))
    graphs = GraphSet(np.zeros((60, 60)), [0, 60], attributes=table)
    linear = similarities(graphs, "attributes-standardised")
    own = np.diag(linear)
    exact = np.exp(-(own[:, None] + own - 2 * linear) / 2)
    found = similarities(graphs, "attributes-gaussian")
    np.testing.assert_allclose(np.diag(found), 1.0)
    assert np.sqrt(np.mean((found - exact) ** 2)) < 0.1
    assert np.abs(found - similarities(graphs, "attributes-gaussian", random_state=1)).max() > 0.01
    many = [similarities(graphs, "attributes-gaussian", random_state=s) for s in range(40)]
    np.testing.assert_allclose(np.mean(many, axis=0), exact, atol=0.08)


@pytest.mark.parametrize(
    "features", ["0*labels", "-1*labels", "inf*degree", "x*labels", "labels*degree", "2*2*degree"]
)
def test_impossible_factors_are_refused(features):
    with pytest.raises(InvalidParameterError, match="factor"):
        check_features(features)


def test_attributes_are_used_in_one_way_at_a_time():
    with pytest.raises(InvalidParameterError, match="occurs twice"):
        check_features("attributes+attributes-gaussian")
