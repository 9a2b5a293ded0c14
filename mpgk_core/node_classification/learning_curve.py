"""How accuracy grows with the share of labelled vertices."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mpgk_core.graphs import GraphSet
from mpgk_core.node_classification.node_methods import NODE_METHODS, node_kernel_matrix
from mpgk_core.node_classification.roles import Roles
from mpgk_core.node_classification.trial import CLASSIFIERS, NodeProtocol, NodeTrial, run_trial
from mpgk_core.parameters import check_choice

__all__ = ["CurvePoint", "LearningCurve", "learning_curve"]


@dataclass(frozen=True)
class CurvePoint:
    """Accuracy at one share of labelled vertices.

    Attributes
    ----------
    share : float
    mean, std : float
        Over the trials.
    n_trials : int
    """

    share: float
    mean: float
    std: float
    n_trials: int


@dataclass(frozen=True, eq=False)
class LearningCurve:
    """The trials so far, and what follows from them.

    Attributes
    ----------
    roles : Roles
    trials : tuple of NodeTrial
    """

    roles: Roles
    trials: tuple[NodeTrial, ...]

    @property
    def kinds(self) -> list[tuple[str, str]]:
        """The pairs of method and classifier, in order of appearance."""
        return list(dict.fromkeys((trial.method, trial.classifier) for trial in self.trials))

    def points(self, method: str, classifier: str) -> list[CurvePoint]:
        """Return the curve of one method, in ascending order of the share."""
        by_share: dict[float, list[float]] = {}
        for trial in self.chosen(method, classifier):
            by_share.setdefault(trial.share, []).append(trial.accuracy)
        return [
            CurvePoint(share, float(np.mean(found)), float(np.std(found)), len(found))
            for share, found in sorted(by_share.items())
        ]

    def chosen(self, method: str, classifier: str) -> list[NodeTrial]:
        """Return the trials of one method and classifier."""
        return [t for t in self.trials if (t.method, t.classifier) == (method, classifier)]

    def rows(self) -> list[dict[str, Any]]:
        """Return one row for every trial, for a table."""
        return [
            {
                "kernel": trial.method,
                "classifier": trial.classifier,
                "share labelled": trial.share,
                "repeat": trial.repeat + 1,
                "labelled": len(trial.labelled),
                "accuracy": trial.accuracy,
                "C": trial.C,
            }
            for trial in self.trials
        ]


def learning_curve(
    graph: GraphSet,
    roles: Roles,
    methods: Sequence[str] = tuple(NODE_METHODS),
    classifiers: Sequence[str] = tuple(CLASSIFIERS),
    protocol: NodeProtocol | None = None,
    n_iterations: int = 5,
    **parameters: Any,
) -> Iterator[NodeTrial]:
    """Run the trials one by one, the first repetition of all shares and kernels first.

    Whoever asks for trials may stop at any time, and go on later.

    Parameters
    ----------
    graph : GraphSet
        With one graph, which must not contain the roles.
    roles : Roles
    methods : sequence of str
        Keys of ``NODE_METHODS``.
    classifiers : sequence of str
        Keys of ``CLASSIFIERS``.
    protocol : NodeProtocol, optional
    n_iterations : int
        The number of rounds T.
    **parameters
        Of :class:`~mpgk_core.kernels.MessagePassingNodeKernel`, for R and A.

    Yields
    ------
    NodeTrial

    Examples
    --------
    >>> from mpgk_core.node_classification import role_graph
    >>> graph, roles = role_graph("houses")
    >>> protocol = NodeProtocol(shares=(0.3,), n_repeats=1)
    >>> trials = learning_curve(graph, roles, ["A", "degree"], ["knn"], protocol)
    >>> [(trial.method, round(trial.accuracy, 2)) for trial in trials]
    [('A', 1.0), ('degree', 0.5)]
    """
    rules = NodeProtocol() if protocol is None else protocol
    for method in methods:
        check_choice(method, list(NODE_METHODS), "methods", "learning_curve")
    for classifier in classifiers:
        check_choice(classifier, list(CLASSIFIERS), "classifiers", "learning_curve")
    return _trials(graph, roles, methods, classifiers, rules, n_iterations, parameters)


def _trials(
    graph: GraphSet,
    roles: Roles,
    methods: Sequence[str],
    classifiers: Sequence[str],
    protocol: NodeProtocol,
    n_iterations: int,
    parameters: dict[str, Any],
) -> Iterator[NodeTrial]:
    kernels: dict[str, NDArray[np.float64]] = {}
    for repeat in range(protocol.n_repeats):
        for share in protocol.shares:
            for method in methods:
                if method not in kernels:
                    kernels[method] = node_kernel_matrix(method, graph, n_iterations, **parameters)
                for classifier in classifiers:
                    yield run_trial(
                        kernels[method], roles, method, classifier, share, repeat, protocol
                    )
