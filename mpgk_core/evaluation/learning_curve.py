"""How accuracy grows with the share of labelled vertices."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from itertools import product
from typing import Any

import numpy as np

from mpgk_core.checks import check_choice
from mpgk_core.evaluation.methods import MAJORITY
from mpgk_core.evaluation.node_roles import Roles
from mpgk_core.evaluation.node_trials import (
    CLASSIFIERS,
    NODE_METHODS,
    QUICK_NODE_METHODS,
    NodeProtocol,
    NodeTrial,
    drawn_vertices,
    majority_trial,
    node_kernel_matrix,
    run_trial,
    trial_of,
)
from mpgk_core.graphs import GraphSet
from mpgk_core.jobs import Task, Unit, run_key


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
        Those given, then the same draws of labelled vertices with the majority as the guess.
    """

    roles: Roles
    trials: tuple[NodeTrial, ...]

    def __post_init__(self) -> None:
        draws = {(trial.share, trial.repeat): trial for trial in self.trials}
        if not any(trial.method == MAJORITY for trial in self.trials):
            added = tuple(majority_trial(trial, self.roles) for trial in draws.values())
            object.__setattr__(self, "trials", self.trials + added)

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


def kind_title(method: str, classifier: str) -> str:
    """Return a method and a classifier in words.

    Examples
    --------
    >>> kind_title("R", "svm"), kind_title("majority", "")
    ('Message passing, R, SVM', 'Most frequent role')
    """
    if method == MAJORITY:
        return "Most frequent role"
    return f"{NODE_METHODS[method]}, {CLASSIFIERS[classifier]}"


def learning_curve(
    graph: GraphSet,
    roles: Roles,
    methods: Sequence[str] = QUICK_NODE_METHODS,
    classifiers: Sequence[str] = tuple(CLASSIFIERS),
    protocol: NodeProtocol | None = None,
    n_iterations: int = 5,
    **parameters: Any,
) -> Iterator[NodeTrial]:
    """Run the trials one by one, the first repetition of all kernels and shares first.

    A trial is computed when the iterator is asked for it.

    Parameters
    ----------
    graph : GraphSet
        With one graph, which must not contain the roles.
    roles : Roles
    methods : sequence of str
        Keys of ``NODE_METHODS``; by default those that are quick on any graph.
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
    >>> from mpgk_core.evaluation import role_graph
    >>> graph, roles = role_graph("houses")
    >>> protocol = NodeProtocol(shares=(0.3,), n_repeats=1)
    >>> trials = learning_curve(graph, roles, ["A", "degree"], ["knn"], protocol)
    >>> [(trial.method, round(trial.accuracy, 2)) for trial in trials]
    [('A', 1.0), ('degree', 0.5)]
    """
    rules = NodeProtocol() if protocol is None else protocol
    settings = {"n_iterations": n_iterations, **parameters}
    task = CurveTask(graph, roles, tuple(methods), tuple(classifiers), rules, settings)
    memory: dict[Any, Any] = {}
    return (trial for unit in task.units() for trial in task.trials(unit, memory))


@dataclass(frozen=True, eq=False)
class CurveTask(Task):
    """The trials of a learning curve; a unit is one repetition of one kernel, with all shares.

    Attributes
    ----------
    graph : GraphSet
        With one graph, which must not contain the roles.
    roles : Roles
    methods, classifiers : tuple of str
        Keys of ``NODE_METHODS`` and ``CLASSIFIERS``.
    protocol : NodeProtocol
    parameters : mapping
        The number of rounds ``n_iterations``, and parameters of R and A.
    """

    graph: GraphSet
    roles: Roles
    methods: tuple[str, ...]
    classifiers: tuple[str, ...]
    protocol: NodeProtocol
    parameters: Mapping[str, Any]

    kind = "learning curve"
    unit_name = "parts"

    def units(self) -> list[Unit]:
        """Return the first repetition of all kernels, then the second, and so on."""
        return [
            Unit(key, str(repeat))
            for repeat in range(self.protocol.n_repeats)
            for key in self._method_of
        ]

    def run(self, unit: Unit, memory: dict[Any, Any]) -> list[Any]:
        """Return what was predicted: a list of (share, classifier, roles of all vertices, C)."""
        return [
            [trial.share, trial.classifier, trial.predicted.tolist(), trial.C]
            for trial in self.trials(unit, memory)
        ]

    def trials(self, unit: Unit, memory: dict[Any, Any]) -> Iterator[NodeTrial]:
        """Run the trials of one unit; the kernel is kept in memory."""
        method, repeat = self._method_of[unit.key], int(unit.place)
        if method not in memory:
            memory[method] = node_kernel_matrix(method, self.graph, **self.parameters)
        kernel, roles, rules = memory[method], self.roles, self.protocol
        for share, classifier in product(rules.shares, self.classifiers):
            yield run_trial(kernel, roles, method, classifier, share, repeat, rules)

    def curve(self, results: Mapping[Unit, Any]) -> LearningCurve:
        """Return what is known of the curve.

        Parameters
        ----------
        results : mapping from Unit to JSON values
            As many as there are.

        Returns
        -------
        LearningCurve
        """
        roles, trials = self.roles, []
        for unit in self.units():
            method, repeat = self._method_of[unit.key], int(unit.place)
            for share, classifier, values, cost in results.get(unit, ()):
                labelled = drawn_vertices(roles, share, repeat, self.protocol)
                predicted = np.array(values, dtype=np.int64)
                trials.append(
                    trial_of(method, classifier, share, repeat, labelled, predicted, cost, roles)
                )
        return LearningCurve(roles, tuple(trials))

    @cached_property
    def _method_of(self) -> dict[str, str]:
        for method in self.methods:
            check_choice(method, list(NODE_METHODS), "methods", "learning_curve")
        for classifier in self.classifiers:
            check_choice(classifier, list(CLASSIFIERS), "classifiers", "learning_curve")
        rules = asdict(self.protocol)
        del rules["n_repeats"]
        facts = self.graph, self.roles.names, self.roles.of_vertex, self.classifiers, rules
        return {
            run_key("learning curve", *facts, self.parameters, method): method
            for method in self.methods
        }
