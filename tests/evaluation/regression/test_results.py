from dataclasses import replace

import numpy as np
import pytest

from mpgk_core.errors import InvalidParameterError
from mpgk_core.evaluation.regression import (
    PUBLISHED_TABLE2,
    RegressionResult,
    RegressionSpec,
    regression_csv,
    regression_latex,
    regression_markdown,
    table2,
)


def made_result(n=400, seed=0, deviation=1.0, **changes):
    """A result whose errors are normal with deviation 1."""
    rng = np.random.default_rng(seed)
    actual = rng.normal(10.0, 3.0, n)
    facts = {
        "spec": RegressionSpec.of("mean"),
        "target": "mu",
        "unit": "D",
        "size": 100,
        "n_validation": 10,
        "test": np.arange(n),
        "actual": actual,
        "predicted": actual + rng.standard_normal(n),
        "deviation": np.full(n, deviation),
        "n_vertices": rng.integers(3, 30, n),
        "mean": 10.0,
        "scale": 2.0,
        "chosen": {"lambda": 0.1},
        "validation_rmse": 0.5,
        "duplicates": 3,
        "seconds": 0.0,
    }
    return RegressionResult(**{**facts, **changes})


def test_errors_are_their_definitions():
    one = made_result()
    errors = one.predicted - one.actual
    assert one.mae == np.mean(np.abs(errors))
    assert one.rmse == pytest.approx(np.sqrt(np.mean(errors**2)))
    assert one.normalised_mae == one.mae / 2.0
    assert one.r2 == pytest.approx(
        1 - np.sum(errors**2) / np.sum((one.actual - one.actual.mean()) ** 2)
    )
    assert np.isnan(replace(one, actual=np.ones(400)).r2)


def test_bootstrap_intervals_hold_the_error_and_the_order_changes_no_byte():
    one = made_result()
    low, high = one.interval("rmse")
    assert low < one.normalised_rmse < high
    assert one.interval("rmse", 0.5)[0] > low
    order = np.random.default_rng(1).permutation(400)
    moved = replace(one, actual=one.actual[order], predicted=one.predicted[order])
    assert moved.interval("mae") == one.interval("mae")
    with pytest.raises(InvalidParameterError, match="'measure'"):
        one.interval("bias")


def test_the_interval_has_the_width_of_the_standard_error():
    one = made_result(n=2000)
    low, high = one.interval("mae")
    expected = 2 * 1.96 * np.std(np.abs(one.errors) / one.scale) / np.sqrt(2000)
    assert high - low == pytest.approx(expected, rel=0.15)


def test_normal_errors_are_calibrated_and_too_small_deviations_are_not():
    right, wrong = made_result(n=4000), made_result(n=4000, deviation=0.5)
    for row in right.calibration():
        assert row["observed"] == pytest.approx(row["nominal"], abs=0.03)
    assert wrong.calibration()[2]["observed"] < 0.7
    assert replace(right, deviation=None).calibration() == []


def test_groups_by_size_hold_every_graph_once():
    one = made_result()
    rows = one.by_size()
    assert sum(row["graphs"] for row in rows) == 400
    assert 2 <= len(rows) <= 6
    mean = sum(row["graphs"] * row["MAE"] for row in rows) / 400
    assert mean == pytest.approx(one.normalised_mae)
    (single,) = replace(one, n_vertices=np.full(400, 5)).by_size()
    assert single["vertices"] == "5"


def test_tables_hold_what_is_needed_and_are_escaped():
    one = made_result(target="=a|b_c")
    assert r"| =a\|b_c | D | Mean of the training part | 100 |" in regression_markdown([one])
    assert "3 of 400 test graphs are indistinguishable" in regression_markdown([one])
    assert "'=a|b_c" in regression_csv([one])
    assert r"=a|b\_c" in regression_latex([one])
    assert regression_markdown([]) == "No results yet.\n"
    assert regression_csv([]) == ""


def test_table_2_has_every_published_figure_and_ours():
    one = made_result(spec=RegressionSpec.of("linear-counts"))
    network = made_result(spec=RegressionSpec.of("network"), target="u0_atom")
    table = table2([one, network])
    published = [cell for cell in table.cells if cell.published is not None]
    assert len(published) == 2 * sum(len(of) for of in PUBLISHED_TABLE2.errors.values()) == 130
    ours = {(cell.row, cell.column): cell.ours for cell in table.cells if cell.ours is not None}
    assert ours["Linear on counts (100 training graphs), MAE", "mu"].mean == one.normalised_mae
    assert ("MPGK (100 training graphs), RMSE", "U0 atom.") in ours
    assert "Kondor et al. 2018" in table.markdown()
    assert PUBLISHED_TABLE2.best("omega1") == (0.02, 0.35)
