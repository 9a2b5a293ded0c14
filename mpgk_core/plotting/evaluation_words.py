"""What the figures of an evaluation show, in sentences: for those who cannot see them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from mpgk_core.embedding import KernelEmbedding
from mpgk_core.evaluation.results import Evaluation
from mpgk_core.plotting.plane_words import neighbour_words

__all__ = ["accuracy_words", "class_sizes_words", "confusion_words", "graph_map_words"]

_MOST_SAID = 6


def class_sizes_words(sizes: Mapping[str, int]) -> str:
    """Say how many graphs every class has.

    Parameters
    ----------
    sizes : mapping from str to int

    Returns
    -------
    str

    Examples
    --------
    >>> class_sizes_words({"a": 7, "b": 5})
    'Graphs in each of 2 classes: a 7, b 5.'
    """
    some = list(sizes.items())[:_MOST_SAID]
    more = f", and {len(sizes) - len(some)} more classes" if len(sizes) > len(some) else ""
    said = ", ".join(f"{name} {size}" for name, size in some)
    return f"Graphs in each of {len(sizes)} classes: {said}{more}."


def accuracy_words(evaluations: Sequence[Evaluation], published: float | None = None) -> str:
    """Say the accuracy of every kernel, and which is best.

    Parameters
    ----------
    evaluations : sequence of Evaluation
        Those without a fold are left out.
    published : float, optional
        An accuracy in per cent to compare with.

    Returns
    -------
    str

    Examples
    --------
    >>> from mpgk_core.evaluation import Protocol, evaluate, generate
    >>> made = generate("motif", n_per_class=15)
    >>> protocol = Protocol(n_folds=5, n_repeats=1, iterations=(1,), inner_folds=3)
    >>> size = evaluate(made.graphs, made.classes, "size", protocol)
    >>> accuracy_words([size], 90.0).split(": ")[0]
    'Accuracies'
    >>> accuracy_words([])
    'No accuracy is known yet.'
    """
    shown = [one for one in evaluations if one.records]
    if not shown:
        return "No accuracy is known yet."
    listed = ", ".join(f"{one.spec.method} {100 * one.mean:.1f} %" for one in shown)
    best = max(shown, key=lambda one: one.mean)
    line = f" Best published: {published:g} %." if published is not None else ""
    return f"Accuracies: {listed}. Best: {best.spec.method}.{line}"


def confusion_words(evaluation: Evaluation) -> str:
    """Say how much of each class is found, and what it is mostly taken for otherwise.

    Parameters
    ----------
    evaluation : Evaluation

    Returns
    -------
    str
        Plain text: escape it before it becomes part of a page.
    """
    names = [str(name)[:40] for name in evaluation.names]
    parts = []
    for true, row in enumerate(evaluation.confusion[:_MOST_SAID]):
        total = int(row.sum())
        if not total:
            continue
        others = np.where(np.arange(len(row)) == true, -1, row)
        other = int(others.argmax())
        mistaken = f", {row[other]:,} taken for {names[other]}" if others[other] > 0 else ""
        parts.append(f"Of {total:,} judged in class {names[true]}, {row[true]:,} found{mistaken}.")
    left = len(names) - _MOST_SAID
    return " ".join(parts) + (f" And {left} more classes." if left > 0 else "")


def graph_map_words(embedding: KernelEmbedding, evaluation: Evaluation) -> str:
    """Say how many graphs lie in the plane, how many are misclassified, and who lies beside whom.

    Parameters
    ----------
    embedding : KernelEmbedding
        With two axes.
    evaluation : Evaluation

    Returns
    -------
    str
        Plain text: escape it before it becomes part of a page.
    """
    n_wrong = int(evaluation.is_mostly_wrong.sum())
    shares = " and ".join(f"{100 * share:.3g} %" for share in embedding.explained[:2])
    return (
        f"{len(evaluation.truth):,} graphs of {len(evaluation.names)} classes; "
        f"{n_wrong:,} of them mostly misclassified. The axes carry {shares} of the variance. "
        f"{neighbour_words(embedding.points[:, :2], evaluation.truth)}"
    )
