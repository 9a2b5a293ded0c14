"""How far the default features stay from the best single choice."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.svm import SVC

from benchmarks.report import Table
from benchmarks.tu_data import data_folder, load
from mpgk_core import GraphSet, MessagePassingGraphKernel
from tests.mixed_sets import mixed_set

SINGLE = ("labels", "attributes-standardised", "degree")
GENERATED: tuple[tuple[str, dict[str, Any]], ...] = (
    ("labels", {"dimension": 1}),
    ("labels", {"dimension": 3, "scale": 1e4}),
    ("labels", {"dimension": 18}),
    ("labels", {"noise": "coordinates"}),
    ("labels", {"strength": 0.6}),
    ("attributes", {"dimension": 1}),
    ("attributes", {"dimension": 3}),
    ("attributes", {"dimension": 3, "strength": 0.6}),
    ("structure", {"dimension": 1, "has_labels": False}),
    ("structure", {"dimension": 3}),
    ("structure", {"dimension": 3, "strength": 0.6}),
)
REAL = ("MUTAG", "ENZYMES", "PROTEINS", "PROTEINS_full", "Synthie")


def measure() -> Table:
    """Compare "auto" with labels, attributes and degree alone, and with one unbalanced vector."""
    table = Table(
        "Default features against single choices",
        "The pipeline of docs/tutorials/library.md: AA, T = 4, SVC with C = 10, one run of 10 "
        "folds; accuracy in per cent. "
        "In a generated set (2 × 100 graphs, 4 labels, d attributes; clear differences, or weak "
        "ones with strength 0.6) one of the three carries the classes and the others are noise. "
        "One vector: labels and standardised attributes in one vector with one hierarchy, else "
        "the degree, as "
        '`features="labels+attributes-standardised"`, the default before. Goal: "auto" at most 3 '
        "points below the best single choice; the last column is the distance.",
        ["set", "majority", *SINGLE, "one vector", "auto", "below the best"],
    )
    for carrier, options in GENERATED:
        made = mixed_set(carrier, 100, **options)
        words = ", ".join(f"{key} {value}" for key, value in options.items())
        _add(table, f"generated: {carrier} ({words})", made.graphs, made.classes)
    if data_folder() is not None:
        for name in REAL:
            found = load(name)
            _add(table, name, found.graphs, found.classes)
    return table


def _add(table: Table, name: str, graphs: GraphSet, classes: Any) -> None:
    truth = np.unique(np.asarray(classes), return_inverse=True)[1]
    has = {
        "labels": graphs.label_codes is not None,
        "attributes-standardised": graphs.attributes is not None,
        "degree": True,
    }
    single = {part: _accuracy(graphs, truth, part) for part in SINGLE if has[part]}
    before = "+".join(part for part in SINGLE[:2] if has[part]) or "degree"
    auto = _accuracy(graphs, truth, "auto")
    table.add(
        name,
        100 * float(np.bincount(truth).max()) / len(truth),
        *(single.get(part, "") for part in SINGLE),
        single.get(before) or _accuracy(graphs, truth, before),
        auto,
        f"{round(max(single.values()) - auto, 1) + 0.0:.1f}",
    )


def _accuracy(graphs: GraphSet, truth: Any, features: str) -> float:
    kernel = MessagePassingGraphKernel("AA", n_iterations=4, features=features)
    folds = StratifiedKFold(10, shuffle=True, random_state=0)
    gram = kernel.fit_transform(graphs)
    scores = cross_val_score(SVC(kernel="precomputed", C=10), gram, truth, cv=folds)
    return 100 * float(scores.mean())
