"""Bad input is refused before any kernel is computed, with a remedy."""

from dataclasses import replace

import numpy as np
import pytest

from mpgk_core.errors import InvalidGraphError, InvalidParameterError, KernelTooLargeError
from mpgk_core.evaluation.methods import KernelSpec
from mpgk_core.evaluation.nested_cv import evaluate
from mpgk_core.evaluation.protocol import Protocol, checked_classes
from tests.evaluation.small_sets import QUICK, noisy_set


@pytest.fixture(autouse=True)
def _no_kernel_is_computed(monkeypatch):
    monkeypatch.setattr("mpgk_core.evaluation.nested_cv.kernel_samples", None)


@pytest.mark.parametrize(
    ("classes", "message"),
    [
        ([0] * 24, "All graphs are of class 0"),
        ([0] * 22 + [1] * 2, "Class 1 has only 2 graphs, fewer than the 3 folds"),
        ([0] * 23, "24 graphs and 23 classes"),
        (None, "24 graphs and 0 classes"),
        ([0, 1] * 11 + [0, None], "Graph 23 has no class"),
        ([0.0, 1.0] * 11 + [float("nan"), 1.0], "Graph 22 has no class"),
        (["a", "b"] * 11 + ["", "b"], "Graph 22 has no class"),
    ],
)
def test_bad_classes_are_refused(classes, message):
    graphs, _ = noisy_set()
    with pytest.raises(InvalidGraphError, match=message):
        evaluate(graphs, classes, "AA", QUICK)


def test_few_graphs_are_refused():
    graphs, classes = noisy_set(4)
    with pytest.raises(InvalidGraphError, match="only 8 graphs"):
        evaluate(graphs, classes, "AA", QUICK)


def test_classes_too_small_for_the_inner_folds_are_refused():
    graphs, _ = noisy_set()
    classes = [0] * 20 + [1] * 4
    with pytest.raises(InvalidGraphError, match="2 remain for training, fewer than the 5 inner"):
        evaluate(graphs, classes, "AA", replace(QUICK, inner_folds=5))


def test_matrices_too_large_for_memory_are_refused_with_a_remedy(monkeypatch):
    graphs, classes = noisy_set()
    monkeypatch.setenv("MPGK_MEMORY_LIMIT", "10000")
    with pytest.raises(KernelTooLargeError, match="solver='linear'"):
        evaluate(graphs, classes, "AA", QUICK)


def test_size_kernel_has_no_linear_solver():
    graphs, classes = noisy_set()
    with pytest.raises(InvalidParameterError, match="no explicit features"):
        evaluate(graphs, classes, "size", replace(QUICK, solver="linear"))


@pytest.mark.parametrize("classes", [["no", "yes"] * 5, [-1, 1] * 5, np.array([2.5, 7.0] * 5)])
def test_any_names_of_classes_become_numbers(classes):
    names, codes = checked_classes(classes, 10, Protocol(n_folds=2, inner_folds=2))
    assert [names[code] for code in codes] == list(classes)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_folds": 1}, "n_folds"),
        ({"n_repeats": 0}, "n_repeats"),
        ({"inner_folds": 1}, "inner_folds"),
        ({"C": (0.0,)}, "above 0"),
        ({"C": (float("inf"),)}, "above 0"),
        ({"C": ()}, "empty"),
        ({"iterations": (-1,)}, "iterations"),
        ({"iterations": ()}, "empty"),
        ({"levels": ("first",)}, "levels"),
        ({"random_state": -1}, "random_state"),
        ({"solver": "magic"}, "solver"),
    ],
)
def test_bad_protocols_are_refused(options, message):
    with pytest.raises(InvalidParameterError, match=message):
        Protocol(**options)


def test_protocol_puts_choices_in_order():
    protocol = Protocol(C=(10, 1, 10), iterations=(3, 1), levels=("sum", "last"))
    assert protocol == Protocol(C=(1, 10), iterations=(1, 3))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: KernelSpec.of("AA", n_iterations=3), "n_iterations"),
        (lambda: KernelSpec.of("AA", []), "no alternatives"),
        (lambda: KernelSpec.of("AA", features=len), "not a JSON value"),
        (lambda: KernelSpec.of("XX"), "method"),
    ],
)
def test_bad_kernels_are_refused(make, message):
    with pytest.raises(InvalidParameterError, match=message):
        make()
