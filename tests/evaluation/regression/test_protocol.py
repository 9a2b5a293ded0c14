import networkx as nx
import numpy as np
import pytest

from mpgk_core.errors import InvalidGraphError, InvalidParameterError
from mpgk_core.evaluation.regression import (
    RegressionProtocol,
    RegressionSpec,
    TargetColumn,
    content_order,
    split_graphs,
    target_columns,
)
from mpgk_core.graphs import GraphSet
from tests.evaluation.regression.made import labelled_graphs


def test_parts_are_disjoint_and_cover_everything():
    parts = split_graphs(np.arange(103), RegressionProtocol())
    assert [len(part) for part in parts] == [83, 10, 10]
    assert sorted(np.concatenate(parts).tolist()) == list(range(103))


def test_the_seed_decides_on_the_split():
    one, two, again = (
        split_graphs(np.arange(50), RegressionProtocol(random_state=seed)).test.tolist()
        for seed in (0, 1, 0)
    )
    assert one == again != two


def test_content_tells_graphs_apart_by_labels_of_vertices_and_edges():
    graphs = labelled_graphs(30)
    found = content_order(graphs)
    assert len(set(found.group.tolist())) == 30
    order = np.random.default_rng(0).permutation(30)
    assert content_order(graphs[order]).group.tolist() == found.group[order].tolist()
    relabelled = graphs[0].to_networkx()[0]
    mapping = {v: (5 * v + 3) % 97 for v in relabelled}
    other = nx.relabel_nodes(relabelled, mapping)
    both = content_order(GraphSet.from_networkx([relabelled, other]))
    assert both.group[0] == both.group[1]
    edge = next(iter(other.edges))
    other.edges[edge]["label"] = 7
    both = content_order(GraphSet.from_networkx([relabelled, other]))
    assert both.group[0] != both.group[1]


def test_attributes_tell_graphs_apart():
    one, two = nx.path_graph(2), nx.path_graph(2)
    nx.set_node_attributes(one, [1.0], "attributes")
    nx.set_node_attributes(two, [2.0], "attributes")
    assert len(set(content_order(GraphSet.from_networkx([one, two])).group.tolist())) == 2


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"validation": 0.6, "test": 0.5}, "Leave some"),
        ({"test": "half"}, "share between 0 and 1"),
        ({"sizes": (1,)}, "'sizes'"),
        ({"sizes": ()}, "empty"),
        ({"random_state": -1}, "'random_state'"),
    ],
)
def test_impossible_protocols_are_refused(settings, message):
    with pytest.raises(InvalidParameterError, match=message):
        RegressionProtocol(**settings)


def test_too_few_graphs_to_learn_from_are_refused():
    with pytest.raises(InvalidGraphError, match="too few remain"):
        split_graphs(np.arange(5), RegressionProtocol(validation=0.4, test=0.4))


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([1.0, np.nan], "nan for graph 1"),
        ([1.0, np.inf], "inf for graph 1"),
        ([[1.0], [2.0]], "shape"),
        ([2.5], "one graph"),
        ([3.0, 3.0], "nothing to predict"),
    ],
)
def test_targets_that_cannot_be_learnt_are_refused(values, message):
    with pytest.raises(InvalidGraphError, match=message):
        TargetColumn("y", values)


def test_rows_with_gaps_or_text_are_left_out_with_their_reason():
    cells = {
        "a": ["1", "2", "x" * 200, None, "5", "6"],
        "b": [1.0, float("nan"), 3.0, 4.0, "inf", 7],
    }
    found = target_columns(cells, {"a": "eV"})
    assert found.kept.tolist() == [0, 5]
    assert [row for row, _ in found.problems] == [1, 2, 3, 4]
    assert found.problems[0][1] == "'b' is no number"
    assert found.problems[3][1] == "'b' is 'inf', not a finite number"
    assert len(found.problems[1][1]) < 120


def test_a_column_of_text_is_refused_with_an_example():
    with pytest.raises(InvalidGraphError, match=r"row 1: 'y' is 'blue'"):
        target_columns({"y": ["blue", "red"]})


def test_columns_have_one_length():
    with pytest.raises(InvalidGraphError, match="different lengths"):
        target_columns({"a": [1.0], "b": [1.0, 2.0]})


@pytest.mark.parametrize(
    ("model", "settings", "message"),
    [
        ("ridge", {"kernel": "GH"}, "'kernel'"),
        ("ridge", {"depth": 3}, "no parameter 'depth'"),
        ("ridge", {"kernel_parameters": {"deep": 3}}, "no parameter 'deep'"),
        ("network", {"kernel": "WL"}, "'kernel'"),
        ("network", {"kernel": ["AA", "RA"]}, "one kernel"),
        ("gaussian-process", {"with_deviations": False}, "no parameter"),
        ("ridge", {"penalties": object()}, "JSON"),
        ("ridge", {"composition": 1}, "True or False"),
        ("ridge", {"penalties": [1.0, 0.0]}, "'penalties'.*above 0"),
        ("ridge", {"penalties": []}, "empty"),
        ("ridge", {"n_pilot": 5000}, "'n_pilot'"),
        ("kernel-ridge", {"shape": "round"}, "'shape'"),
        ("kernel-ridge", {"widths": [-1.0]}, "'widths'"),
        ("gaussian-process", {"n_landmarks": 0}, "'n_landmarks'"),
        ("network", {"epochs": 0}, "'epochs'"),
        ("network", {"landmarks_per_round": 0}, "'landmarks_per_round'"),
        ("boosting-counts", {"n_trees": 0}, "'n_trees'"),
    ],
)
def test_unknown_parameters_are_refused(model, settings, message):
    with pytest.raises(InvalidParameterError, match=message):
        RegressionSpec.of(model, **settings)


def test_several_kernels_share_parameters():
    one = RegressionSpec.of(
        "ridge", ["AA", "SP"], kernel_parameters={"n_iterations": 2, "features": "labels"}
    )
    assert one.title == "Ridge on the explicit map, AA and SP"
    assert one.kernel_parameters == {"n_iterations": 2, "features": "labels"}
