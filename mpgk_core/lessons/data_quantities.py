"""Quantities of a whole data set: its size, similarities of graphs, and how well classes are found.

Accuracies come from one five-fold cross-validation with a fixed C, quick enough for a lesson.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from typing import Any

from mpgk_core.evaluation import Evaluation, KernelSpec, LabelledSet, Protocol, evaluate
from mpgk_core.kernels import MessagePassingGraphKernel
from mpgk_core.lessons.registry import Value, quantity
from mpgk_core.lessons.scene import Scene
from mpgk_core.lessons.sources import DataSource

MAP_KERNEL = "AA"
"""The kernel under which a lesson draws the map of a data set."""

_C = 10.0
_FOLDS = 5


@quantity(on_data=True)
def n_graphs(scene: Scene) -> Value:
    """Return the number of graphs."""
    return len(scene.graph)


@quantity(on_data=True)
def n_classes(scene: Scene) -> Value:
    """Return the number of classes."""
    return len(set(_data(scene).classes))


@quantity(on_data=True)
def chance(scene: Scene) -> Value:
    """Return the share of graphs, in percent, that are in the largest class."""
    classes = _data(scene).classes
    return 100 * Counter(classes).most_common(1)[0][1] / len(classes)


@quantity(on_data=True, graph="graph")
def class_of_graph(scene: Scene, graph: int) -> Value:
    """Return the class of a graph."""
    return _data(scene).classes[graph]


@quantity(on_data=True, method="method")
def accuracy(scene: Scene, method: str) -> Value:
    """Return the accuracy, in percent, of a support vector machine with a kernel for graphs."""
    assert isinstance(scene.source, DataSource)
    return 100 * quick_evaluation(scene.source, method, scene.setting.T).mean


@quantity(on_data=True, graph="graph", other="graph", method="method")
def graph_cosine(scene: Scene, graph: int, other: int, method: str) -> Value:
    """Return the cosine of two graphs under a message passing kernel for graphs."""
    setting = scene.setting
    kernel = MessagePassingGraphKernel(
        method, alpha=setting.alpha, beta=setting.beta, n_iterations=setting.T
    )
    return float(kernel.fit_transform(scene.graph)[graph, other])


def quick_evaluation(source: DataSource, method: str, T: int) -> Evaluation:
    """Cross-validate a kernel on a data set, with a fixed C and T.

    Parameters
    ----------
    source : DataSource
    method : str
        A key of ``METHODS``.
    T : int
        Number of rounds.

    Returns
    -------
    Evaluation
    """
    return _evaluation(source, method, T, source.content())


@lru_cache(maxsize=32)
def _evaluation(source: DataSource, method: str, T: int, content: tuple[Any, ...]) -> Evaluation:
    data = source.labelled()
    protocol = Protocol(
        n_folds=_FOLDS, n_repeats=1, C=(_C,), iterations=(T,), levels=("last",), inner_folds=2
    )
    return evaluate(data.graphs, data.classes, KernelSpec.of(method), protocol)


def _data(scene: Scene) -> LabelledSet:
    assert isinstance(scene.source, DataSource)
    return scene.source.labelled()
