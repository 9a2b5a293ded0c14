"""What the figures of roles show, in sentences: for those who cannot see them."""

from __future__ import annotations

from collections import Counter

from mpgk_core.node_classification import LearningCurve, NodeTrial, Roles, kind_title

__all__ = ["learning_curve_words", "role_map_words"]


def learning_curve_words(curve: LearningCurve) -> str:
    """Say for every kernel where its line begins and ends.

    Parameters
    ----------
    curve : LearningCurve

    Returns
    -------
    str
    """
    parts = []
    for method, classifier in curve.kinds:
        points = curve.points(method, classifier)
        ends = (points[0], points[-1]) if len(points) > 1 else points
        said = ", ".join(f"{100 * p.mean:.1f} % with {100 * p.share:.0f} % labelled" for p in ends)
        parts.append(f"{kind_title(method, classifier)}: {said}.")
    return " ".join(parts)


def role_map_words(roles: Roles, trial: NodeTrial) -> str:
    """Say how many vertices were labelled and found, and which role was missed most often.

    Parameters
    ----------
    roles : Roles
    trial : NodeTrial

    Returns
    -------
    str
        Plain text: escape it before it becomes part of a page.

    Examples
    --------
    >>> import numpy as np
    >>> from mpgk_core.node_classification import NodeProtocol, learning_curve, role_graph
    >>> graph, roles = role_graph("barbell")
    >>> one = NodeProtocol((0.5,), 1)
    >>> role_map_words(roles, next(learning_curve(graph, roles, ["R"], ["svm"], one)))[:30]
    '15 of 30 vertices were labelle'
    """
    n = len(roles.of_vertex)
    n_others = n - len(trial.labelled)
    n_right = round(trial.accuracy * n_others)
    wrong = trial.missed(roles)
    missed = Counter(
        zip(roles.of_vertex[wrong].tolist(), trial.predicted[wrong].tolist(), strict=True)
    )
    words = f"{n - n_others:,} of {n:,} vertices were labelled; {n_right:,} of {n_others:,} others "
    words += f"were found ({100 * trial.accuracy:.1f} %)."
    if missed:
        (true, said), times = missed.most_common(1)[0]
        words += (
            f" Missed most often: {roles.names[true][:40]}, taken for {roles.names[said][:40]} "
            f"({times} times)."
        )
    return words
