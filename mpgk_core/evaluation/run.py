"""Evaluate a kernel on a data set: all folds, in parallel, resumable, with progress."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from time import perf_counter
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray

from mpgk_core.evaluation.data_checks import check_kernel, checked_classes
from mpgk_core.evaluation.folds import Fold, outer_folds
from mpgk_core.evaluation.gram_source import (
    candidates,
    cross_matrices,
    feature_rows,
    square_matrices,
)
from mpgk_core.evaluation.identity import content_digest, run_key
from mpgk_core.evaluation.journal import Journal
from mpgk_core.evaluation.kernel_spec import KernelSpec
from mpgk_core.evaluation.nested_cv import FoldRecord, Samples, evaluate_fold
from mpgk_core.evaluation.protocol import Protocol
from mpgk_core.evaluation.results import Evaluation
from mpgk_core.graphs import GraphSet, as_graph_set

__all__ = ["Progress", "evaluate"]

Progress = Callable[[int, int, float], None]
"""Called with the number of folds done, the number of all folds, and the seconds left."""


def evaluate(
    graphs: Any,
    classes: Any,
    spec: KernelSpec | str,
    protocol: Protocol | None = None,
    *,
    n_jobs: int | None = None,
    journal: Journal | None = None,
    progress: Progress | None = None,
    stop: Callable[[], bool] | None = None,
) -> Evaluation:
    """Measure how well an SVM with this kernel predicts the classes of unseen graphs.

    Parameters
    ----------
    graphs : GraphSet, or list of GraphSets or networkx graphs
    classes : array-like of shape (N,)
        The class of every graph.
    spec : KernelSpec or str
        The kernel, or the name of its method.
    protocol : Protocol, optional
        Default: the paper's.
    n_jobs : int, optional
        Folds to work on at a time; None leaves it to ``joblib.parallel_config``, which can also
        name a cluster as the backend. Results do not depend on it.
    journal : Journal, optional
        Where results are kept as they come. Folds found in it are not computed again.
    progress : callable, optional
        Called after every fold.
    stop : callable, optional
        Asked before every fold; once it returns True, no further fold begins, and what is done
        is returned.

    Returns
    -------
    Evaluation

    Examples
    --------
    >>> import networkx as nx
    >>> graphs = [f(n) for f in (nx.cycle_graph, nx.star_graph) for n in range(3, 13)]
    >>> protocol = Protocol(n_folds=5, n_repeats=2, iterations=(1,))
    >>> evaluation = evaluate(graphs, ["ring"] * 10 + ["star"] * 10, "AA", protocol)
    >>> evaluation.mean, evaluation.std
    (1.0, 0.0)
    """
    chosen = KernelSpec.of(spec) if isinstance(spec, str) else spec
    rules = Protocol() if protocol is None else protocol
    prepared = as_graph_set(graphs)
    names, codes = checked_classes(classes, len(prepared), rules)
    check_kernel(len(prepared), chosen, rules)
    folds = outer_folds(codes, rules)
    key = run_key(content_digest(prepared, codes), chosen, rules)
    known = journal.records(key) if journal is not None else {}
    done = [known[fold.repeat, fold.number] for fold in folds if _place(fold) in known]
    pending = [fold for fold in folds if _place(fold) not in known]
    begin = perf_counter()
    kernel_seconds = 0.0
    if pending and not (stop is not None and stop()):
        tasks = _tasks(prepared, codes, chosen, rules, pending, stop)
        kernel_seconds = perf_counter() - begin
        workers = Parallel(n_jobs=n_jobs, return_as="generator_unordered", pre_dispatch="n_jobs")
        begin = perf_counter()
        n_known = len(done)
        for record in workers(tasks):
            if len(done) == n_known:
                record = record.moved(np.array(record.test), kernel_seconds)
            if journal is not None:
                journal.append(key, record)
            done.append(record)
            if progress is not None:
                pace = (perf_counter() - begin) / (len(done) - n_known)
                progress(len(done), len(folds), pace * (len(folds) - len(done)))
    ordered = sorted(done, key=lambda record: (record.repeat, record.fold))
    return Evaluation(chosen, rules, names, codes, tuple(ordered))


def _tasks(
    graphs: GraphSet,
    classes: NDArray[np.int64],
    spec: KernelSpec,
    protocol: Protocol,
    pending: list[Fold],
    stop: Callable[[], bool] | None,
) -> Iterator[Any]:
    """Return the work of every fold, after what all of them share is done."""
    choices = candidates(spec, protocol)
    samples: list[Samples] = []
    if not protocol.inductive:
        if protocol.solver == "linear":
            samples = [feature_rows(spec, candidate, graphs) for candidate in choices]
        else:
            samples = list(square_matrices(spec, protocol, graphs))

    def going() -> Iterator[Any]:
        for fold in pending:
            if stop is not None and stop():
                return
            if protocol.inductive:
                yield delayed(_inductive_fold)(graphs, classes, spec, protocol, fold)
            else:
                yield delayed(evaluate_fold)(samples, choices, classes, fold, protocol)

    return going()


def _inductive_fold(
    graphs: GraphSet,
    classes: NDArray[np.int64],
    spec: KernelSpec,
    protocol: Protocol,
    fold: Fold,
) -> FoldRecord:
    """Learn features and trees from the training graphs of this fold, then evaluate it."""
    begin = perf_counter()
    train, test = graphs[fold.train], graphs[fold.test]
    choices = candidates(spec, protocol)
    samples: list[Samples]
    if protocol.solver == "linear":
        samples = [feature_rows(spec, candidate, train, test) for candidate in choices]
    else:
        samples = list(cross_matrices(spec, protocol, train, test))
    kernel_seconds = perf_counter() - begin
    order = np.concatenate([fold.train, fold.test])
    local = Fold(
        fold.repeat,
        fold.number,
        np.arange(len(fold.train)),
        np.arange(len(fold.train), len(order)),
    )
    return evaluate_fold(samples, choices, classes[order], local, protocol).moved(
        fold.test, kernel_seconds
    )


def _place(fold: Fold) -> tuple[int, int]:
    return fold.repeat, fold.number
