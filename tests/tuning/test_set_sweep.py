"""Sweeps over sets: every cell as an evaluation of its own, parallel as serial, stopped cleanly."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from mpgk_core.errors import InvalidGraphError, InvalidParameterError, KernelOverflowError
from mpgk_core.evaluation import KernelSpec, Protocol, evaluate
from mpgk_core.tuning import Grid, SetSweepTask, sweep_sets
from tests.evaluation.small_sets import QUICK, noisy_set

SMALL = Grid([0.0, 0.8], [0.1], [0, 2], ["RR", "RA", "AR", "AA"], ["labels+degree"], depth=4)
TINY = Grid([0.5, 0.8], [0.1, 0.2], [1, 2], ["RR"], ["labels"])
ONCE = QUICK.quick()


def accuracies(found):
    return found.values["accuracy"]


@pytest.mark.parametrize("protocol", [ONCE, replace(QUICK, levels=("last",), C=(1.0,))])
def test_every_cell_is_an_evaluation_of_its_own(protocol):
    graphs, classes = noisy_set()
    found = sweep_sets(graphs, classes, SMALL, protocol)
    assert found.is_complete
    for place in product(*map(range, SMALL.shape)):
        cell = SMALL.cell(place)
        spec = KernelSpec.of(
            cell.variant, alpha=cell.alpha, beta=cell.beta, features=cell.features, depth=4
        )
        alone = evaluate(graphs, classes, spec, replace(protocol, iterations=(cell.T,)))
        assert accuracies(found)[place] == pytest.approx(alone.mean, abs=1e-12), cell


def test_units_in_any_order_give_the_same_numbers():
    graphs, classes = noisy_set()
    task = SetSweepTask(graphs, tuple(classes), TINY, ONCE)
    backwards = {unit: task.run(unit, {}) for unit in reversed(task.units())}
    np.testing.assert_array_equal(
        accuracies(sweep_sets(graphs, classes, TINY, ONCE)), accuracies(task.sweep(backwards))
    )


def test_stopping_keeps_the_cells_that_are_done():
    graphs, classes = noisy_set()
    whole = sweep_sets(graphs, classes, TINY, ONCE)
    n_done = []
    for n_asked in (0, 1, 3, 6, 11):
        asked = iter([False] * n_asked)
        part = sweep_sets(graphs, classes, TINY, ONCE, stop=lambda a=asked: next(a, True))
        done = ~np.isnan(accuracies(part))
        np.testing.assert_array_equal(accuracies(part)[done], accuracies(whole)[done])
        n_done.append(part.n_done)
    assert n_done == sorted(n_done)
    assert n_done[0] == 0
    assert 0 < n_done[-1] < whole.n_cells


def test_progress_tells_of_every_fold():
    graphs, classes = noisy_set()
    seen = []
    sweep_sets(graphs, classes, TINY, ONCE, progress=lambda *told: seen.append(told))
    total = seen[0][1]
    assert [done for done, *_ in seen] == list(range(1, total + 1))
    assert all(left >= 0 for *_, left in seen)
    assert seen[-1][2] == 0


def test_an_interrupt_ends_the_sweep():
    graphs, classes = noisy_set()

    def interrupt(*_):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        sweep_sets(graphs, classes, TINY, ONCE, progress=interrupt)


@pytest.mark.parametrize("change", [{"inductive": True}, {"solver": "linear"}])
def test_protocols_without_common_matrices_are_refused(change):
    with pytest.raises(InvalidParameterError, match="inductive=False"):
        sweep_sets(*noisy_set(), TINY, replace(ONCE, **change))


def test_kernels_between_vertices_are_refused():
    with pytest.raises(InvalidParameterError, match="or use sweep"):
        sweep_sets(*noisy_set(), Grid(variants=["R"]))


def test_classes_that_cannot_work_are_refused_before_any_work(monkeypatch):
    monkeypatch.setattr("mpgk_core.tuning.sweeps.square_matrices", None)
    graphs, classes = noisy_set()
    with pytest.raises(InvalidGraphError, match="All graphs are of class"):
        sweep_sets(graphs, np.zeros_like(classes), TINY, ONCE)
    with pytest.raises(InvalidGraphError, match="fewer than the 13 folds"):
        sweep_sets(graphs, classes, TINY, Protocol(n_folds=13))


def test_numbers_beyond_all_bounds_are_refused_before_any_work(monkeypatch):
    monkeypatch.setattr("mpgk_core.tuning.sweeps.square_matrices", None)
    with pytest.raises(KernelOverflowError):
        sweep_sets(*noisy_set(), Grid([1.0, 1e200], [0.1], [1, 5], ["RR"]), ONCE)
