"""Learning curves over training graphs: the whole training part gives the evaluation itself."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from mpgk_core import GraphSizeKernel
from mpgk_core.errors import InvalidParameterError
from mpgk_core.evaluation import evaluate
from mpgk_core.evaluation.protocol import Protocol, checked_classes, outer_folds
from mpgk_core.evaluation.training_curve import TrainingCurveTask, nested_parts, training_curve
from mpgk_core.jobs import Store
from tests.evaluation.small_sets import QUICK, noisy_set

SHARES = (0.3, 0.6, 1.0)


@pytest.fixture(scope="module")
def known():
    graphs, classes = noisy_set(12)
    return graphs, [evaluate(graphs, classes, method, QUICK) for method in ("WL", "RR")]


@pytest.fixture(scope="module")
def curve(known):
    return training_curve(known[0], known[1], SHARES)


@pytest.mark.parametrize("solver", ["kernel", "linear"])
def test_with_all_training_graphs_it_is_the_evaluation(solver):
    graphs, classes = noisy_set(12)
    rules = replace(QUICK, n_repeats=1, solver=solver)
    found = evaluate(graphs, classes, "WL", rules)
    (whole,) = training_curve(graphs, [found], (1.0,)).of_method["WL"]
    for one, other in zip(whole.evaluation.records, found.records, strict=True):
        same = ("repeat", "fold", "C", "T", "levels", "setting", "predicted", "test", "decisions")
        assert all(getattr(one, name) == getattr(other, name) for name in same)


def test_graphs_that_a_split_leaves_out_are_never_trained_on():
    graphs, classes = noisy_set(12)
    split = np.tile([0, -1, -1, -2], len(classes) // 4)
    rules = replace(QUICK, splits=(tuple(split.tolist()),))
    found = evaluate(graphs, classes, "WL", rules)
    (whole,) = training_curve(graphs, [found], (1.0,)).of_method["WL"]
    assert whole.n_graphs == np.count_nonzero(split == -1)
    assert whole.evaluation.records[0].predicted == found.records[0].predicted


def test_a_matrix_of_ones_own_gives_what_its_kernel_gives():
    graphs, classes = noisy_set(12)
    rules = replace(QUICK, n_repeats=1)
    matrix = GraphSizeKernel().fit_transform(graphs)
    own, size = (evaluate(graphs, classes, one, rules) for one in (matrix, "size"))
    curve = training_curve(graphs, [own, size], (0.5, 1.0), matrix=matrix)
    for one, other in zip(curve.of_method["own"], curve.of_method["size"], strict=True):
        pairs = zip(one.evaluation.records, other.evaluation.records, strict=True)
        assert all(mine.predicted == known.predicted for mine, known in pairs)


def test_parts_are_nested_stratified_and_large_enough():
    classes = np.repeat([0, 1, 2], [40, 20, 8])
    rules = Protocol(n_folds=4, n_repeats=2, inner_folds=3)
    _, codes = checked_classes(classes, len(classes), rules)
    for fold in outer_folds(codes, rules):
        parts = nested_parts(codes, fold, rules, (0.1, 0.5, 1.0))
        for smaller, larger in pairwise(parts):
            assert set(smaller) < set(larger)
        assert parts[-1].tolist() == fold.train.tolist()
        assert np.bincount(codes[parts[0]]).tolist() == [3, 3, 3], "as many as inner folds"
        half = np.bincount(codes[parts[1]])
        assert half.tolist() == [15, round(np.sum(codes[fold.train] == 1) / 2), 3]
        again = nested_parts(codes, fold, rules, (0.1, 0.5, 1.0))
        assert all((one == other).all() for one, other in zip(parts, again, strict=True))
    first, second = (
        nested_parts(codes, f, rules, (0.5,))[0] for f in outer_folds(codes, rules)[:2]
    )
    assert set(first) != set(second)


def test_test_folds_stay_the_same_and_sizes_grow(curve, known):
    for found in known[1]:
        points = curve.of_method[found.spec.method]
        assert [point.share for point in points] == list(SHARES)
        assert np.all(np.diff([point.n_graphs for point in points]) > 0)
        for point in points:
            assert [r.test for r in point.evaluation.records] == [r.test for r in found.records]
        assert points[-1].evaluation.mean == found.mean
    rows = curve.rows("ROC AUC")
    assert len(rows) == 6
    assert {"kernel", "training graphs", "ROC AUC", "std", "std over"} <= set(rows[0])


def test_folds_are_kept_and_not_computed_again(tmp_path, known, curve):
    graphs, evaluations = known
    with Store(tmp_path / "kept.sqlite") as store:
        done = []
        part = training_curve(
            graphs,
            evaluations,
            SHARES,
            store=store,
            progress=lambda n, *_: done.append(n),
            stop=lambda: len(done) == 4,
        )
        assert sum(len(points[0].evaluation.records) for points in part.of_method.values()) == 4
        training_curve(graphs, evaluations, SHARES, store=store)
        again = training_curve(graphs, evaluations, SHARES, store=store, stop=lambda: True)
    assert again.rows() == curve.rows()


def test_a_kernel_that_was_chosen_otherwise_is_another_unit(known):
    graphs, (found, _) = known
    changed = replace(found.records[0], T=2 if found.records[0].T == 1 else 1)
    other = replace(found, records=(changed, *found.records[1:]))
    units = [set(TrainingCurveTask(graphs, (one,)).units()) for one in (found, other)]
    assert len(units[0] - units[1]) == 1


def test_bad_shares_and_the_inductive_protocol_are_refused(known):
    graphs, (found, _) = known
    for share in (0.0, 1.5):
        with pytest.raises(InvalidParameterError, match="above 0 and at most 1"):
            training_curve(graphs, [found], (share,))
    inductive = replace(found, protocol=replace(found.protocol, inductive=True))
    with pytest.raises(InvalidParameterError, match="inductive"):
        training_curve(graphs, [inductive])
