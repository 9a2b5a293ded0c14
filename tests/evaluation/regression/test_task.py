import json
import pickle

import networkx as nx
import numpy as np
import pytest

from mpgk_core.errors import InvalidGraphError, InvalidParameterError, MPGKError
from mpgk_core.evaluation.regression import (
    MODELS,
    RegressionProtocol,
    RegressionSpec,
    RegressionTask,
    TargetColumn,
    evaluate_regression,
    fit_regression,
)
from mpgk_core.graphs import GraphSet
from mpgk_core.jobs import Store, run_task
from tests.evaluation.regression.made import labelled_graphs, targets_of

QUICK = {"n_iterations": 2, "edges": "labels"}
NETWORK = {"hidden": 8, "epochs": 5, "landmarks_per_round": 6}


def spec(model, **changes):
    parameters = {"kernel_parameters": QUICK, **(NETWORK if model == "network" else {})}
    parameters |= {"n_trees": 10} if model == "boosting-counts" else {}
    return RegressionSpec.of(model, **{**parameters, **changes})


GRAPHS = labelled_graphs(60)
TARGETS = targets_of(GRAPHS)


def predictions(graphs, targets, one, protocol=None):
    """The predicted numbers by graph, for all targets."""
    found = evaluate_regression(graphs, targets, one, protocol)
    return [dict(zip(f.test.tolist(), f.predicted.tolist(), strict=True)) for f in found]


@pytest.mark.parametrize("model", list(MODELS))
def test_every_model_has_a_result_for_every_target(model):
    found = evaluate_regression(GRAPHS, TARGETS, spec(model))
    assert [one.target for one in found] == ["carbons", "rings"]
    for one in found:
        assert one.size == 48
        assert len(one.test) == one.n_validation == 6
        assert np.isfinite(one.predicted).all()
        low, high = one.interval("rmse")
        assert low <= high
        json.dumps(dict(one.chosen))
        assert (one.deviation is not None) == (model == "gaussian-process")


@pytest.mark.parametrize("model", list(MODELS))
def test_order_of_graphs_changes_no_byte(model):
    order = np.random.default_rng(3).permutation(len(GRAPHS))
    moved = tuple(target.chosen(order) for target in TARGETS)
    first = predictions(GRAPHS, TARGETS, spec(model))
    second = predictions(GRAPHS[order], moved, spec(model))
    for one, two in zip(first, second, strict=True):
        assert one == {int(order[position]): value for position, value in two.items()}


@pytest.mark.parametrize("model", list(MODELS))
def test_no_choice_looks_at_the_test_part(model):
    first = evaluate_regression(GRAPHS, TARGETS, spec(model))
    test = first[0].test
    changed = []
    for target in TARGETS:
        values = target.values.copy()
        values[test] = values[np.roll(test, 1)] + 5.0
        changed.append(TargetColumn(target.name, values, target.unit))
    second = evaluate_regression(GRAPHS, changed, spec(model))
    for one, two in zip(first, second, strict=True):
        assert one.predicted.tobytes() == two.predicted.tobytes()
        assert one.chosen == two.chosen
        assert one.scale == two.scale


def test_ridge_on_the_map_is_kernel_ridge_with_its_kernel():
    penalties = [0.01, 0.1, 1.0]
    ridge = predictions(GRAPHS, TARGETS, spec("ridge", penalties=penalties))
    kernel = predictions(GRAPHS, TARGETS, spec("kernel-ridge", shape="linear", penalties=penalties))
    for one, two in zip(ridge, kernel, strict=True):
        np.testing.assert_allclose(list(one.values()), list(two.values()), rtol=1e-5, atol=1e-6)


def test_mean_of_the_process_is_kernel_ridge_and_its_variance_is_positive():
    ridge = evaluate_regression(GRAPHS, TARGETS, spec("kernel-ridge"))
    process = evaluate_regression(GRAPHS, TARGETS, spec("gaussian-process"))
    for one, two in zip(ridge, process, strict=True):
        assert one.predicted.tobytes() == two.predicted.tobytes()
        assert (two.deviation > 0).all()
        assert [row["nominal"] for row in two.calibration()] == [0.5, 0.8, 0.9, 0.95]
        assert one.calibration() == []


def test_descent_gives_what_the_exact_solution_gives(monkeypatch):
    exact = predictions(GRAPHS, TARGETS, spec("ridge", penalties=[0.1]))
    monkeypatch.setattr("mpgk_core.evaluation.regression.models.is_small", lambda rows: False)
    monkeypatch.setattr("mpgk_core.evaluation.regression.models._NEIGHBOURS", (1.0,))
    monkeypatch.setattr("mpgk_core.evaluation.regression.models._DESCENT_TOLERANCE", 1e-10)
    found = evaluate_regression(GRAPHS, TARGETS, spec("ridge", penalties=[0.1]))
    for one, two in zip(exact, found, strict=True):
        np.testing.assert_allclose(list(one.values()), two.predicted, rtol=1e-6)
        assert two.chosen["residual"] <= 1e-10


def test_composition_learns_what_only_counts_exactly():
    counts = TargetColumn("atoms", GRAPHS.sizes.astype(float))
    (found,) = evaluate_regression(GRAPHS, counts, spec("mean", composition=True))
    assert found.rmse < 1e-9
    assert found.r2 > 1 - 1e-12


def test_a_smaller_sample_is_a_curve_and_part_of_the_larger_one():
    protocol = RegressionProtocol(sizes=(10, 20, None))
    task = RegressionTask(GRAPHS, TARGETS, (spec("ridge"),), protocol)
    parts = [set(task.parts(size).train.tolist()) for size in protocol.sizes]
    assert parts[0] < parts[1] < parts[2]
    found = task.results(run_task(task))
    assert [one.size for one in found] == [10, 10, 20, 20, 48, 48]
    (alone, _) = evaluate_regression(
        GRAPHS, TARGETS, spec("ridge"), RegressionProtocol(sizes=(20,))
    )
    assert alone.predicted.tobytes() == found[2].predicted.tobytes()


def test_a_stopped_run_is_resumed_and_gives_the_same(tmp_path):
    specs = [spec("ridge"), spec("boosting-counts")]
    whole = evaluate_regression(GRAPHS, TARGETS, specs)
    with Store(tmp_path / "results.sqlite") as store:
        asked = iter([False, True])
        some = evaluate_regression(GRAPHS, TARGETS, specs, store=store, stop=lambda: next(asked))
        assert len(some) == 1
        counts = []
        rest = evaluate_regression(
            GRAPHS,
            TARGETS,
            specs,
            store=store,
            progress=lambda done, total, left: counts.append(done),
        )
    assert counts == [2, 3, 4]
    for one, two in zip(whole, rest, strict=True):
        assert one.predicted.tobytes() == two.predicted.tobytes()


def test_a_unit_gives_the_same_in_another_process():
    task = RegressionTask(GRAPHS, TARGETS, (spec("gaussian-process"),), RegressionProtocol())
    memory = {}
    here = [task.run(unit, memory) for unit in task.units()]
    other = pickle.loads(pickle.dumps(task))
    assert other.units() == task.units()
    there = other.run(other.units()[1], {})
    assert there["predicted"] == here[1]["predicted"]
    assert json.loads(json.dumps(there))["chosen"] == here[1]["chosen"]


def test_widths_are_chosen_on_a_sample_where_there_are_more_graphs():
    found = evaluate_regression(
        GRAPHS, TARGETS, spec("kernel-ridge", n_pilot=20, n_landmarks=30, widths=[0.5, 2.0])
    )
    for one in found:
        assert one.chosen["landmarks"] == 30
        assert one.chosen["width"] in (0.5, 2.0)


def test_duplicates_across_the_split_are_counted():
    twice = GRAPHS[np.repeat(np.arange(20), 3)]
    values = np.arange(60.0)
    (found,) = evaluate_regression(twice, TargetColumn("y", values), spec("mean"))
    assert 0 < found.duplicates <= 6


def test_a_fitted_model_predicts_new_graphs_as_the_test_part():
    (found, _) = evaluate_regression(GRAPHS, TARGETS, spec("ridge"))
    (alone,) = evaluate_regression(GRAPHS, TARGETS[0], spec("ridge"))
    fitted = fit_regression(GRAPHS, TARGETS[0], spec("ridge"))
    means, deviations = fitted.predict(GRAPHS[found.test])
    np.testing.assert_allclose(means, alone.predicted, rtol=1e-9)
    assert deviations is None


def test_the_nearest_training_graph_of_a_training_graph_is_itself():
    fitted = fit_regression(GRAPHS, TARGETS[0], spec("ridge"))
    some = fitted.parts.train[:5]
    positions, similarities = fitted.nearest(GRAPHS[some], 2)
    assert positions[:, 0].tolist() == some.tolist()
    np.testing.assert_allclose(similarities[:, 0], 1.0)
    with pytest.raises(InvalidParameterError, match="compares no graphs"):
        fit_regression(GRAPHS, TARGETS[0], spec("mean")).nearest(GRAPHS[0])


def test_graphs_without_labels_have_counts_too():
    paths = GraphSet.from_networkx([nx.path_graph(n) for n in range(3, 33)])
    target = TargetColumn("y", np.arange(30.0))
    for model in ("linear-counts", "mean"):
        (found,) = evaluate_regression(paths, target, RegressionSpec.of(model, composition=True))
        assert found.rmse < 0.1


@pytest.mark.parametrize(
    ("graphs", "targets", "message"),
    [
        (GRAPHS[[0]], (TargetColumn("y", [1.0, 2.0]),), "2 values for 1 graphs"),
        (GRAPHS[[0, 1, 2]], (TargetColumn("y", [1.0, 2.0, 3.0]),), "at least 5 graphs"),
        (GRAPHS, (TARGETS[0], TARGETS[0]), "same name"),
        (GRAPHS, (), "at least one target"),
    ],
)
def test_unusable_targets_are_refused(graphs, targets, message):
    with pytest.raises(MPGKError, match=message):
        evaluate_regression(graphs, targets, spec("mean"))


def test_a_target_that_is_constant_in_training_is_refused():
    task = RegressionTask(GRAPHS, TARGETS, (spec("mean"),), RegressionProtocol())
    values = np.ones(60)
    values[task.parts().test[0]] = 2.0
    with pytest.raises(InvalidParameterError, match="the same for all graphs of the training"):
        evaluate_regression(GRAPHS, TargetColumn("y", values), spec("mean"))


def test_too_large_a_sample_is_refused():
    with pytest.raises(InvalidParameterError, match="48 graphs, fewer than the 49"):
        evaluate_regression(GRAPHS, TARGETS, spec("mean"), RegressionProtocol(sizes=(49,)))


def test_equal_graphs_teach_nothing():
    same = GraphSet.from_networkx([nx.path_graph(4)] * 20)
    with pytest.raises(InvalidGraphError, match="same features"):
        evaluate_regression(same, TargetColumn("y", np.arange(20.0)), RegressionSpec.of("ridge"))
