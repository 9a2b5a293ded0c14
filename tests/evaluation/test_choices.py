"""One rule for all sets: it sees what a set has, and finds what carries the classes."""

import ast
from pathlib import Path

import numpy as np
import pytest

import mpgk_core
from mpgk_core.datasets import catalogue
from mpgk_core.evaluation import KernelSpec, Protocol, evaluate
from mpgk_core.evaluation.choices import alternatives_for, edge_choices, feature_choices
from mpgk_core.graphs.edges import Edges
from mpgk_core.graphs.feature_names import check_features
from tests.evaluation.small_sets import noisy_set
from tests.mixed_sets import mixed_set

CORE = Path(mpgk_core.__file__).parent
PROTOCOL = Protocol(n_folds=3, n_repeats=1, iterations=(1, 3), inner_folds=3)


def without_docstrings(tree):
    """Yield all texts of a program but its docstrings and other bare texts."""
    bare = {id(one.value) for one in ast.walk(tree) if isinstance(one, ast.Expr)}
    for one in ast.walk(tree):
        if isinstance(one, ast.Constant) and isinstance(one.value, str) and id(one) not in bare:
            yield one.value


@pytest.mark.parametrize("room", ["evaluation", "graphs", "kernels", "refinement", "tuning"])
def test_nothing_that_computes_knows_the_name_of_a_data_set(room):
    names = set(catalogue())
    for path in sorted((CORE / room).rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        found = [text for text in without_docstrings(tree) if text in names]
        assert not found, f"{path.name} knows {found}"
        imported = [one.module or "" for one in ast.walk(tree) if isinstance(one, ast.ImportFrom)]
        assert not any(module.startswith("mpgk_core.datasets") for module in imported), path.name


def test_choices_depend_on_what_a_set_has_and_nothing_else():
    graphs, _ = noisy_set(3)
    other, _ = noisy_set(5, seed=9)
    assert alternatives_for("AA", graphs) == alternatives_for("AA", other)
    everything = feature_choices(graphs)
    bare = graphs[:]
    bare.label_codes = None
    without_labels = feature_choices(bare)
    bare.attributes = None
    nothing = feature_choices(bare)
    assert {"labels", "attributes", "attributes-scaled", "degree"} < set(everything)
    assert not any("labels" in one for one in without_labels)
    assert not any("attributes" in one for one in nothing)
    for one in {*everything, *without_labels, *nothing}:
        check_features(one)


def test_constant_attributes_and_a_single_label_of_edges_are_no_choice():
    graphs, _ = noisy_set(3)
    graphs.attributes = np.ones((graphs.n_vertices, 2))
    assert not any("attributes" in one for one in feature_choices(graphs))
    graphs.edges = Edges.of([0, 1], [1, 2], labels=["-", "-"])
    assert edge_choices(graphs) == ["ignore"]
    graphs.edges = Edges.of([0, 1], [1, 2], labels=["-", "="])
    assert edge_choices(graphs) == ["ignore", "labels"]


def test_a_fixed_choice_leaves_the_others_open():
    graphs, _ = noisy_set(3)
    spec = alternatives_for("RR", graphs, features="labels", beta=0.5)
    every = [spec.parameters(setting) for setting in range(len(spec.settings))]
    assert {one["features"] for one in every} == {"labels"}
    assert {one["beta"] for one in every} == {0.5}
    assert len({one["alpha"] for one in every}) > 1
    assert len(set(spec.settings)) == len(spec.settings)


SETS = [
    ("labels", {"dimension": 3, "scale": 1e3}),
    ("labels", {"noise": "coordinates"}),
    ("attributes", {"dimension": 3}),
    ("structure", {"dimension": 1, "has_labels": False}),
]


@pytest.mark.parametrize(("carrier", "options"), SETS)
def test_chosen_features_are_as_good_as_the_best_single_ones(carrier, options):
    chosen, best = [], []
    for seed in (11, 12):
        made = mixed_set(carrier, 30, random_state=seed, **options)
        spec = alternatives_for("RA", made.graphs, alpha=0.8, beta=0.2)
        chosen.append(evaluate(made.graphs, made.classes, spec, PROTOCOL).mean)
        singles = ["attributes-standardised", "degree"]
        singles += ["labels"] if options.get("has_labels", True) else []
        of_singles = [
            evaluate(made.graphs, made.classes, KernelSpec.of("RA", features=one), PROTOCOL).mean
            for one in singles
        ]
        best.append(max(of_singles))
    assert np.mean(chosen) >= np.mean(best) - 0.01
