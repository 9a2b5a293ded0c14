"""How much of an accuracy comes from graphs that the training part holds already.

A test graph that is isomorphic to a training graph is recognised rather than classified. The
accuracy on the other test graphs is the stricter figure.

References
----------
Ivanov, S., Sviridov, S. & Burnaev, E. (2019). Understanding isomorphism bias in graph data sets.
arXiv:1910.12091.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mpgk_core.arrays import BoolArray, IntArray
from mpgk_core.automorphism.isomorphism import IsomorphicGraphs
from mpgk_core.evaluation.results import Evaluation, over_repetitions
from mpgk_core.evaluation.scores import ScoreSummary, summarised, summary_of_folds
from mpgk_core.text import counted


@dataclass(frozen=True)
class IsomorphismBias:
    """An accuracy, and the same without test graphs that have a twin in training.

    Attributes
    ----------
    usual, strict : ScoreSummary
        Over all test graphs, and over those without a twin; NaN where none is left.
    share : float
        Share of test graphs with a twin in training.
    twin_accuracy : float
        Accuracy on these; NaN where there are none.
    """

    usual: ScoreSummary
    strict: ScoreSummary
    share: float
    twin_accuracy: float


def twins_in_training(isomorphic: IsomorphicGraphs, test: IntArray, train: IntArray) -> BoolArray:
    """Return which test graphs are isomorphic to a training graph of the same fold.

    Parameters
    ----------
    isomorphic : IsomorphicGraphs
        Undecided pairs count as isomorphic, so that no twin is overlooked.
    test, train : ndarray of int
        Graphs of a fold.

    Returns
    -------
    ndarray of shape (number of test graphs,)
    """
    groups = isomorphic.possible
    return np.isin(groups[test], groups[train])


def isomorphism_bias(evaluation: Evaluation, isomorphic: IsomorphicGraphs) -> IsomorphismBias:
    """Return the accuracy with and without test graphs that have a twin in training.

    Parameters
    ----------
    evaluation : Evaluation
        With at least one fold.
    isomorphic : IsomorphicGraphs
        Of the same graphs.

    Returns
    -------
    IsomorphismBias

    Examples
    --------
    >>> import networkx as nx
    >>> from mpgk_core.automorphism.isomorphism import isomorphic_graphs
    >>> from mpgk_core.evaluation import Protocol, evaluate
    >>> graphs = [f(n % 5 + 3) for f in (nx.cycle_graph, nx.path_graph) for n in range(10)]
    >>> protocol = Protocol(n_folds=5, n_repeats=1, iterations=(1,), inner_folds=3)
    >>> found = evaluate(graphs, [0] * 10 + [1] * 10, "WL", protocol)
    >>> isomorphism_bias(found, isomorphic_graphs(graphs)).share > 0.5
    True
    """
    strict, n_twins, n_right, n_tested = [], 0, 0, 0
    kept = []
    for record in evaluation.records:
        test = np.array(record.test, dtype=np.int64)
        is_twin = twins_in_training(isomorphic, test, evaluation.trained_on(record))
        is_right = evaluation.truth[test] == np.array(record.predicted)
        n_twins += int(is_twin.sum())
        n_right += int(is_right[is_twin].sum())
        n_tested += len(is_twin)
        if not is_twin.all():
            strict.append(float(is_right[~is_twin].mean()))
            kept.append(record)
    return IsomorphismBias(
        summarised(evaluation),
        summary_of_folds(np.array(strict), over_repetitions(kept, strict)),
        n_twins / n_tested,
        n_right / n_twins if n_twins else float("nan"),
    )


def bias_text(isomorphic: IsomorphicGraphs, bias: IsomorphismBias | None = None) -> str:
    """Say how many graphs have a twin and what that means; empty where there are none.

    Parameters
    ----------
    isomorphic : IsomorphicGraphs
    bias : IsomorphismBias, optional
        Of an evaluation of these graphs.

    Returns
    -------
    str
    """
    n_twins = int(np.count_nonzero(isomorphic.has_twin))
    if n_twins == 0:
        return ""
    share = 100 * n_twins / len(isomorphic.possible)
    parts = [
        f"{n_twins:,} graphs ({share:.0f} %) are isomorphic to another graph of the set, with "
        "equal labels and attributes."
    ]
    if bias is not None:
        parts.append(
            f"{100 * bias.share:.0f} % of the test graphs have such a twin in the training part: "
            "they are recognised rather than classified."
        )
    if isomorphic.n_undecided:
        pairs = counted(isomorphic.n_undecided, "pair")
        parts.append(
            f"For {pairs} of graphs the check reached its limit; they are counted as isomorphic."
        )
    return " ".join(parts)
