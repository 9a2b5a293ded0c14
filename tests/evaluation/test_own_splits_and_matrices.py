"""Fixed splits and kernel matrices of one's own, under the same protocol as all others."""

from dataclasses import replace

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mpgk_core import GraphSizeKernel, InvalidGraphError, InvalidParameterError, Protocol, evaluate
from mpgk_core.evaluation import with_majority
from mpgk_core.evaluation.protocol import outer_folds
from mpgk_core.evaluation.samples import IndefiniteMatrixWarning

GRAPHS = [made(n) for made in (nx.cycle_graph, nx.star_graph) for n in range(4, 14)]
CLASSES = np.repeat([0, 1], 10)
QUICK = Protocol(n_folds=2, n_repeats=1, inner_folds=2)


def as_splits(folds, n):
    codes = np.full(n, -1)
    for fold in folds:
        codes[fold.test] = fold.number
    return tuple(codes.tolist())


@given(st.lists(st.lists(st.integers(-2, 2), min_size=9, max_size=9), min_size=1, max_size=3))
def test_folds_are_disjoint_and_hold_all_but_what_is_left_out(rows):
    splits = tuple((*row, 0, 1, 2) for row in rows)
    protocol = Protocol(splits=splits)
    folds = outer_folds(np.zeros(12, dtype=np.int64), protocol)
    assert len(folds) == protocol.n_folds * protocol.n_repeats == 3 * len(rows)
    for fold in folds:
        row = np.array(splits[fold.repeat])
        assert not set(fold.train) & set(fold.test)
        assert set(fold.test) == set(np.flatnonzero(row == fold.number))
        assert set(fold.train) | set(fold.test) == set(np.flatnonzero(row != -2))


@pytest.mark.parametrize("method", ["size", "RA"])
def test_the_splits_of_a_shuffle_give_what_the_shuffle_gives(method):
    folds = outer_folds(CLASSES, QUICK)
    shuffled = evaluate(GRAPHS, CLASSES, method, QUICK)
    fixed = replace(QUICK, splits=(as_splits(folds, 20),))
    again = evaluate(GRAPHS, CLASSES, method, fixed)
    assert [r.predicted for r in again.records] == [r.predicted for r in shuffled.records]
    assert "20 of 20 graphs are tested." in fixed.split_words


def test_one_split_leaves_graphs_out_also_for_the_majority_class():
    split = tuple([-1] * 6 + [0] * 3 + [-2] + [-2] * 4 + [-1] * 4 + [0] * 2)
    protocol = Protocol(splits=(split,), inner_folds=2)
    found = with_majority([evaluate(GRAPHS, CLASSES, "size", protocol)])
    assert [one.records[0].test for one in found] == [(6, 7, 8, 18, 19)] * 2
    assert found[1].mean == 3 / 5
    assert found[0].learnt_from(7).tolist() == [*range(6), *range(14, 18)]
    assert found[0].is_complete
    assert np.isnan(found[0].spread)


@pytest.mark.parametrize(
    ("splits", "message"),
    [
        (((0, 1), (0, 1, 1)), "different lengths"),
        (((0, 2),), "without a gap"),
        (((-1, -1),), "without a gap"),
        (((0, -3),), "without a gap"),
        (((0, 1, 0), (0, 0, 0)), "Give all of them equally many"),
    ],
)
def test_splits_that_are_none_are_refused(splits, message):
    with pytest.raises(InvalidParameterError, match=message):
        Protocol(splits=splits)


@pytest.mark.parametrize(
    ("split", "message"),
    [
        ((0, 1), "20 graphs, and the splits are of 2"),
        (tuple([0] * 10 + [1] * 10), "fold 1: class 0 has 0 graphs in the training part"),
        (tuple([-2] * 9 + [-1] + [-1] * 5 + [0] * 5), "class 0 has 1 graphs in the training"),
    ],
)
def test_splits_without_a_class_in_training_are_refused(split, message):
    with pytest.raises(InvalidGraphError, match=message):
        evaluate(GRAPHS, CLASSES, "size", Protocol(splits=(split,), inner_folds=2))


def test_a_matrix_gives_what_its_kernel_gives():
    matrix = GraphSizeKernel().fit_transform(GRAPHS)
    own, ours = (evaluate(GRAPHS, CLASSES, spec, QUICK) for spec in (matrix, "size"))
    assert [r.predicted for r in own.records] == [r.predicted for r in ours.records]
    assert own.spec.title == "Own kernel matrix"
    other = evaluate(GRAPHS, CLASSES, 2 * matrix, QUICK)
    assert other.spec != own.spec


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda k: k[:5], r"shape \(5, 20\), and there are 20 graphs"),
        (lambda k: k + np.triu(np.ones((20, 20)), 1), "not symmetric: entry"),
        (lambda k: np.where(np.eye(20), np.nan, k), "holds nan in row 0, column 0"),
        (lambda k: [["x"] * 20] * 20, "does not hold numbers"),
    ],
)
def test_matrices_that_are_no_kernels_are_refused(change, message):
    matrix = GraphSizeKernel().fit_transform(GRAPHS)
    with pytest.raises(InvalidParameterError, match=message):
        evaluate(GRAPHS, CLASSES, change(matrix), QUICK)


def test_a_matrix_is_fixed_so_it_cannot_be_inductive():
    matrix = GraphSizeKernel().fit_transform(GRAPHS)
    for change in ({"inductive": True}, {"solver": "linear"}):
        with pytest.raises(InvalidParameterError, match="cannot be combined"):
            evaluate(GRAPHS, CLASSES, matrix, replace(QUICK, **change))


def test_rounding_is_forgiven_and_negative_eigenvalues_are_named():
    matrix = GraphSizeKernel().fit_transform(GRAPHS)
    rough = matrix + np.triu(np.full((20, 20), 1e-12), 1)
    assert evaluate(GRAPHS, CLASSES, rough, QUICK).is_complete
    with pytest.warns(IndefiniteMatrixWarning, match="smallest eigenvalue is -"):
        evaluate(GRAPHS, CLASSES, matrix - 0.5 * np.eye(20), QUICK)
