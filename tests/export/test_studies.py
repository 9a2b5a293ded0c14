"""Programs of the pages give the numbers of the engine, in a fresh process."""

import csv
import io

import numpy as np
import pytest

from mpgk_core import InvalidGraphError, InvalidParameterError, MessagePassingGraphKernel
from mpgk_core.evaluation import LearningCurve, NodeProtocol, Protocol, learning_curve
from mpgk_core.evaluation.nystroem_quality import nystroem_quality
from mpgk_core.evaluation.regression import TargetColumn, evaluate_regression, prediction_rows
from mpgk_core.explain import explain_four_variants
from mpgk_core.export import (
    GeneratedSet,
    GivenGraph,
    GivenRoles,
    KernelParameters,
    LandmarkStudy,
    PairStudy,
    PresetGraph,
    PresetRoles,
    RoleStudy,
    SweepStudy,
    VariantStudy,
    set_kernels_csv,
    set_kernels_npz,
)
from mpgk_core.tuning import Grid, sweep, sweep_sets
from tests.export.studies import (
    FORMS,
    LANDMARKS,
    MADE,
    PAIRS,
    REGRESSIONS,
    ROLES,
    SWEEPS,
    VARIANTS,
    nasty_graph,
)

RINGS = GeneratedSet("rings")
BOTH = pytest.mark.parametrize("form", FORMS)
PRESET = PresetRoles("houses")


def saved_rows(runs, form, name, study, what):
    """Return a table that a program has saved, its numbers as numbers."""
    text = (runs[0] / f"{form} {name}" / study.file_name(what, "csv")).read_text("utf-8")
    return [
        {key: number(value) for key, value in row.items()}
        for row in csv.DictReader(io.StringIO(text, newline=""))
    ]


def number(text):
    try:
        return float(text)
    except ValueError:
        return text


def assert_same_rows(found, expected):
    """Compare texts exactly and numbers to 1e-12; None is an empty cell."""
    assert len(found) == len(expected) > 0
    for row, other in zip(found, expected, strict=True):
        assert list(row) == list(other)
        for key, value in other.items():
            if isinstance(value, str) or value is None:
                assert row[key] == (value or "")
            else:
                np.testing.assert_allclose(row[key], value, rtol=1e-12, atol=1e-12)


@BOTH
@pytest.mark.parametrize("name", ROLES)
def test_a_program_gives_the_trials_of_the_engine(runs, form, name):
    study = ROLES[name]
    graph, roles = study.data.build()
    trials = learning_curve(
        graph, roles, study.methods, protocol=study.protocol, **study.kernel.passing()
    )
    expected = LearningCurve(roles, tuple(trials)).rows()
    assert_same_rows(saved_rows(runs, form, name, study, "learning-curve"), expected)
    assert "R, k-NN, 60 % labelled" in runs[1][f"{form} {name}"]


@BOTH
@pytest.mark.parametrize("name", REGRESSIONS)
def test_a_program_gives_the_predictions_of_the_engine(runs, form, name):
    study = REGRESSIONS[name]
    data = study.data.build()
    target = TargetColumn(study.target, np.array(data.classes), study.unit)
    found = evaluate_regression(data.graphs, target, study.specs, study.protocol)
    expected = [row for one in found for row in prediction_rows(one)]
    assert_same_rows(saved_rows(runs, form, name, study, "predictions"), expected)
    assert "| target | unit | model |" in runs[1][f"{form} {name}"]


@BOTH
@pytest.mark.parametrize("name", SWEEPS)
def test_a_program_gives_the_sweep_of_the_engine(runs, form, name):
    study = SWEEPS[name]
    rules = {"n_folds": study.n_folds, "random_state": study.random_state}
    if study.is_about_vertices:
        found = sweep(study.data.build(), study.grid, study.scores, **rules)
    else:
        data = study.data.build()
        protocol = Protocol(n_repeats=1, **rules)
        found = sweep_sets(data.graphs, data.classes, study.grid, protocol)
    assert found.is_complete
    assert_same_rows(saved_rows(runs, form, name, study, "sweep"), found.rows())
    assert f"{next(iter(found.titles.values()))}: " in runs[1][f"{form} {name}"]


@BOTH
@pytest.mark.parametrize("name", VARIANTS)
def test_a_program_gives_the_four_kernels_of_the_engine(runs, form, name):
    study = VARIANTS[name]
    data = study.data.build()
    saved = np.load(runs[0] / f"{form} {name}" / study.file_name("kernels", "npz"))
    assert saved["classes"].tolist() == list(data.classes)
    rows = saved_rows(runs, form, name, study, "kernels")
    for variant in ("RR", "RA", "AR", "AA"):
        kernel = MessagePassingGraphKernel(variant, **study.kernel.passing())
        expected = kernel.fit_transform(data.graphs)
        np.testing.assert_allclose(saved[variant], expected, rtol=1e-12, atol=1e-12)
        table = [
            [row[str(g)] for g in range(len(expected))] for row in rows if row["kernel"] == variant
        ]
        np.testing.assert_allclose(table, expected, rtol=1e-12, atol=1e-12)


@BOTH
@pytest.mark.parametrize("name", PAIRS)
def test_a_program_takes_two_graphs_apart_like_the_engine(runs, form, name):
    study = PAIRS[name]
    graphs = study.data.build().graphs
    kernel = MessagePassingGraphKernel(**study.kernel.passing())
    pairs = explain_four_variants(graphs, *study.pair, kernel)
    similar = saved_rows(runs, form, name, study, "similarities")
    added = saved_rows(runs, form, name, study, "contributions")
    assert [row["kernel"] for row in similar] == list(pairs)
    for row, (variant, pair) in zip(similar, pairs.items(), strict=True):
        matrix = kernel.set_params(variant=variant).fit_transform(graphs)
        assert row["similarity"] == pytest.approx(matrix[study.pair], rel=1e-9)
        assert row["similarity"] == pytest.approx(pair.similarity, rel=1e-12)
        parts = [part["contributes"] for part in added if part["kernel"] == variant]
        np.testing.assert_allclose(parts, pair.contributions.values, rtol=1e-12, atol=1e-12)
        assert sum(parts) == pytest.approx(row["value"], rel=1e-9)


@BOTH
@pytest.mark.parametrize("name", LANDMARKS)
def test_a_program_gives_the_errors_of_the_engine(runs, form, name):
    study = LANDMARKS[name]
    graphs = study.data.build().graphs
    found = nystroem_quality(graphs, study.landmarks, study.variant, **study.kernel.passing())
    expected = [
        {
            "landmarks": one.n_landmarks,
            "error": one.error,
            "disparity": one.disparity,
            "megabytes": one.megabytes,
        }
        for one in found
    ]
    rows = saved_rows(runs, form, name, study, "landmarks")
    assert all(row.pop("seconds") > 0 for row in rows)
    assert_same_rows(rows, expected)


def test_kernels_of_other_graphs_are_refused():
    with pytest.raises(InvalidParameterError, match="there are 3 classes"):
        set_kernels_csv({"RR": np.eye(2)}, "abc")
    with pytest.raises(InvalidParameterError, match="kernel RR"):
        set_kernels_npz({"RR": np.eye(2)}, "abc")


def test_role_studies_are_named_after_graph_kernels_and_protocol():
    kernel = KernelParameters("R", 1, 0.25, 3, "degree+triangles+core-number")
    study = RoleStudy(PresetRoles("houses", 4, 9), ("R", "WL"), NodeProtocol(), kernel)
    assert study.file_name("learning-curve", "csv") == (
        "houses-4-9_R-WL_alpha1_beta0.25_T3_3features_10trials_seed0_learning-curve.csv"
    )


def test_other_studies_are_named_after_what_they_compute():
    grid = Grid((0.5, 1), (0.2,), (1, 6), ("RR", "AA"), ("degree", "constant"))
    names = [
        SweepStudy(RINGS, grid, random_state=2).file_name("sweep", "csv"),
        PairStudy(RINGS, pair=(3, 1)).file_name("similarities", "csv"),
        VariantStudy(RINGS).file_name("kernels", "npz"),
        LandmarkStudy(RINGS, (5,), "RA").file_name("landmarks", "csv"),
    ]
    assert names == [
        "rings-50-0_RR-AA_2x1_T6_2starts_seed2_sweep.csv",
        "rings-50-0_RR-RA-AR-AA_graphs3-1_alpha0.8_beta0.2_T5_auto_similarities.csv",
        "rings-50-0_RR-RA-AR-AA_alpha0.8_beta0.2_T5_auto_kernels.npz",
        "rings-50-0_RA_alpha0.8_beta0.2_T5_auto_landmarks.csv",
    ]


@pytest.mark.parametrize(
    ("make", "match"),
    [
        (lambda: PresetRoles("castles"), "'preset' parameter"),
        (lambda: PresetRoles("houses", 61), "extra_edges"),
        (lambda: KernelParameters(beta=-1), "'beta' parameter"),
        (lambda: KernelParameters(features="age"), "'features' parameter"),
        (lambda: RoleStudy(PRESET, (), NodeProtocol()), "methods"),
        (lambda: RoleStudy(PRESET, ("B",), NodeProtocol()), "methods"),
        (lambda: SweepStudy(PresetGraph("path"), Grid(variants=["AA"])), "Give R and A"),
        (lambda: SweepStudy(RINGS, Grid()), "Give RR, RA, AR and AA"),
        (lambda: SweepStudy(PresetGraph("path"), scores=()), "scores"),
        (lambda: SweepStudy(PresetGraph("path"), scores=("beauty",)), "scores"),
        (lambda: SweepStudy(PresetGraph("path"), n_folds=1), "n_folds"),
        (lambda: PairStudy(RINGS, pair=(0, -1)), "pair"),
        (lambda: LandmarkStudy(RINGS, ()), "landmarks"),
        (lambda: LandmarkStudy(RINGS, (0,)), "landmarks"),
        (lambda: LandmarkStudy(RINGS, (5,), "A"), "variant"),
    ],
)
def test_wrong_studies_are_refused(make, match):
    with pytest.raises(InvalidParameterError, match=match):
        make()


def test_roles_of_other_graphs_are_refused():
    roles = PRESET.build()[1]
    with pytest.raises(InvalidGraphError, match="13 vertices and 80 roles"):
        GivenRoles("x", nasty_graph(), roles)
    with pytest.raises(InvalidGraphError, match="about one graph"):
        GivenRoles("x", MADE.graphs, roles)
    with pytest.raises(InvalidGraphError, match="about one graph"):
        GivenGraph("x", MADE.graphs)
