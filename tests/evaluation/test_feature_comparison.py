"""The default features against single choices, on sets where one of the three carries classes."""

import numpy as np
import pytest

from mpgk_core.errors import InvalidGraphError
from mpgk_core.evaluation import compare_features, comparison_markdown
from mpgk_core.evaluation.feature_comparison import ADVICE
from tests.evaluation.small_sets import noisy_set
from tests.mixed_sets import mixed_set

GOAL, BEYOND_GOAL = 0.03, 0.07
SETS = [
    ("labels", {"dimension": 1}, BEYOND_GOAL),
    ("labels", {"dimension": 3, "scale": 1e4}, GOAL),
    ("labels", {"dimension": 18, "scale": 1e-6}, GOAL),
    ("labels", {"noise": "coordinates"}, BEYOND_GOAL),
    ("attributes", {"dimension": 1}, GOAL),
    ("attributes", {"dimension": 3}, GOAL),
    ("structure", {"dimension": 1, "has_labels": False}, GOAL),
    ("structure", {"dimension": 3}, GOAL),
]


@pytest.mark.parametrize(("carrier", "noise", "distance"), SETS)
def test_auto_stays_close_to_the_best_single_choice(carrier, noise, distance):
    made = mixed_set(carrier, 100, **noise)
    found = compare_features(made.graphs, made.classes)
    auto = found.evaluations["auto"].mean
    single = {name: one.mean for name, one in found.evaluations.items() if name != "auto"}
    assert auto >= max(single.values()) - distance


def test_a_comparison_sees_training_graphs_only_and_ends_with_the_majority():
    graphs, classes = noisy_set(40)
    found = compare_features(graphs, classes, max_graphs=30)
    rows = found.rows()
    auto = "auto: labels,attributes-standardised,degree"
    names = ["labels", "attributes-standardised", "degree", auto, "majority class"]
    assert [row["features"] for row in rows] == names
    assert rows[-1]["accuracy"] == 50.0
    assert found.n_graphs == 30
    assert found.rows() == compare_features(graphs, classes, max_graphs=30).rows()
    text = comparison_markdown("X", found)
    assert "30 training graphs" in text
    assert ADVICE in text


def test_graphs_with_nothing_to_compare_are_compared_by_degree():
    graphs, classes = noisy_set(12)
    graphs.label_codes, graphs.attributes = None, None
    assert [row["features"] for row in compare_features(graphs, classes).rows()] == [
        "auto: degree",
        "majority class",
    ]


def test_classes_that_are_too_rare_are_refused():
    graphs, _ = noisy_set(12)
    with pytest.raises(InvalidGraphError, match="fewer"):
        compare_features(graphs, np.array([0] * 22 + [1] * 2))
