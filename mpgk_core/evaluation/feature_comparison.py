"""Which initial features carry the classes? One quick cross-validation on training graphs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from mpgk_core.arrays import IntArray
from mpgk_core.evaluation.methods import KernelSpec
from mpgk_core.evaluation.nested_cv import evaluate
from mpgk_core.evaluation.protocol import Protocol, checked_classes, outer_folds
from mpgk_core.evaluation.results import Evaluation, with_majority
from mpgk_core.graphs import GraphSet, as_graph_set
from mpgk_core.graphs.feature_names import summands_of
from mpgk_core.graphs.features import resolved_features
from mpgk_core.kernels.update import derived_seed

ADVICE = (
    "No rule without classes can know whether labels, attributes or structure carry the classes. "
    "Compare them on training graphs, or let a grid search choose 'features'."
)
"""What to say where graphs have both labels and attributes."""

_N_FOLDS, _INNER_FOLDS = 5, 2
_T, _C = 4, 10.0
_MAX_GRAPHS = 300


@dataclass(frozen=True, eq=False)
class FeatureComparison:
    """Accuracies of single choices of features, of "auto", and of the majority class.

    Attributes
    ----------
    evaluations : mapping
        From the features to what was found with them.
    auto : str
        What "auto" was resolved to.
    n_graphs : int
        How many graphs were used.
    """

    evaluations: Mapping[str, Evaluation]
    auto: str
    n_graphs: int

    @property
    def about(self) -> str:
        """How it was measured, in a sentence."""
        n_folds = next(iter(self.evaluations.values())).protocol.n_folds
        return (
            f"Initial features compared on {self.n_graphs:,} training graphs: kernel AA, T = {_T}, "
            f"C = {_C:g}, one cross-validation of {n_folds} folds."
        )

    def rows(self) -> list[dict[str, Any]]:
        """Return a table: features and accuracy in per cent, the majority class at the end."""
        shown = {
            f"auto: {self.auto}" if features == "auto" else features: evaluation
            for features, evaluation in self.evaluations.items()
        }
        *_, majority = with_majority(list(shown.values()))
        return [
            {"features": features, "accuracy": round(100 * evaluation.mean, 1)}
            for features, evaluation in {**shown, "majority class": majority}.items()
        ]


def needs_comparison(graphs: GraphSet) -> bool:
    """Return whether the graphs have both labels and attributes."""
    return graphs.label_codes is not None and graphs.attributes is not None


def compare_features(
    graphs: Any, classes: Any, max_graphs: int = _MAX_GRAPHS, random_state: int = 0
) -> FeatureComparison:
    """Compare labels, attributes, degree and "auto" by one quick cross-validation.

    Five folds of the kernel AA with T = 4 and an SVM with C = 10, on the training part of the
    first fold of a 10-fold cross-validation, and on at most so many graphs of it: the test part
    is never seen.

    Parameters
    ----------
    graphs : GraphSet, or graphs of any kind that as_graph_set accepts
    classes : array-like of shape (N,)
        The class of every graph.
    max_graphs : int
        If there are more, a sample of them is used.
    random_state : int
        Seed of the sample and of the folds.

    Returns
    -------
    FeatureComparison

    Examples
    --------
    >>> from mpgk_core.evaluation import generate
    >>> made = generate("synthie", n_per_class=15)
    >>> compare_features(made.graphs, made.classes).auto
    'attributes-standardised,degree'
    """
    prepared = as_graph_set(graphs)
    _, codes = checked_classes(classes, len(prepared), Protocol(n_folds=2, inner_folds=2))
    chosen = _training_sample(codes, max_graphs, random_state)
    protocol = Protocol(
        n_folds=min(_N_FOLDS, int(np.bincount(codes[chosen])[np.unique(codes[chosen])].min())),
        n_repeats=1,
        C=(_C,),
        iterations=(_T,),
        levels=("last",),
        inner_folds=_INNER_FOLDS,
        random_state=random_state,
    )
    sample = prepared[chosen]
    auto = str(resolved_features("auto", sample))
    single = [str(summand) for summand in summands_of(auto)]
    found = {
        features: evaluate(sample, codes[chosen], KernelSpec.of("AA", features=features), protocol)
        for features in (*single, "auto")
        if features != auto
    }
    return FeatureComparison(found, auto, len(chosen))


def comparison_markdown(data_set: str, comparison: FeatureComparison) -> str:
    """Return the accuracies of single choices of features as a table, and how to read it.

    Parameters
    ----------
    data_set : str
        Its name.
    comparison : FeatureComparison

    Returns
    -------
    str
    """
    lines = ["| data set | features | accuracy |", "|---|---|---|"]
    for row in comparison.rows():
        lines.append(f"| {data_set} | {row['features']} | {row['accuracy']:.1f} |")
    return "\n".join([*lines, "", f"{comparison.about} {ADVICE}", ""])


def _training_sample(codes: IntArray, max_graphs: int, random_state: int) -> IntArray:
    """Draw graphs of the training part of the first fold, every class in proportion."""
    n_folds = min(10, int(np.bincount(codes).min()))
    train = outer_folds(codes, Protocol(n_folds, 1, random_state=random_state))[0].train
    if len(train) <= max_graphs:
        return train
    seed = derived_seed(random_state, "graphs to compare features on", 0)
    order = np.random.default_rng(seed).permutation(train)
    shares = {
        code: max(round(max_graphs * np.count_nonzero(codes[train] == code) / len(train)), 4)
        for code in np.unique(codes[train]).tolist()
    }
    return np.sort(np.concatenate([order[codes[order] == code][:n] for code, n in shares.items()]))
