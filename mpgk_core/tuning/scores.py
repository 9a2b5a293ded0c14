"""Scores of kernels between vertices, what they compare, and which of them a graph allows.

All is checked before any long work begins.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from mpgk_core.arrays import FloatArray, IntArray
from mpgk_core.automorphism import Orbits
from mpgk_core.automorphism import orbits as find_orbits
from mpgk_core.checks import check_choice, check_whole
from mpgk_core.errors import InvalidGraphError, InvalidParameterError, shortened
from mpgk_core.evaluation.protocol import Fold, Protocol, check_one_each, outer_folds
from mpgk_core.graphs import GraphSet, as_graph_set
from mpgk_core.graphs.graph_parts import encode_labels
from mpgk_core.recovery.points import KernelPoints, distance_matrix
from mpgk_core.recovery.verdict import known_orbits, match_orbits


@dataclass(frozen=True, eq=False)
class VertexFacts:
    """What scores compare the points of a kernel with.

    Attributes
    ----------
    orbit_of_vertex : ndarray of shape (n,)
        Empty if no score asks for it.
    class_of_vertex : ndarray of shape (n,)
        The labels as numbers from 0; empty if no score asks for them.
    n_neighbours : int
        Neighbours that vote when a label is predicted.
    n_folds : int
        Folds of the cross-validation.
    random_state : int
        Seed of the folds.
    """

    orbit_of_vertex: IntArray
    class_of_vertex: IntArray
    n_neighbours: int
    n_folds: int
    random_state: int

    @cached_property
    def folds(self) -> list[Fold]:
        """Stratified folds of the vertices, the same for all cells."""
        protocol = Protocol(n_folds=self.n_folds, n_repeats=1, random_state=self.random_state)
        return outer_folds(self.class_of_vertex, protocol)

    @cached_property
    def class_sizes(self) -> IntArray:
        """The number of vertices with each label."""
        return np.bincount(self.class_of_vertex)


def checked_orbits(
    graphs: GraphSet, orbits: Orbits | None, needs_two: bool, edges: str = "ignore"
) -> IntArray:
    """Return the orbit of every vertex, or raise.

    Parameters
    ----------
    graphs : GraphSet
        With one graph.
    orbits : Orbits, optional
        Where they are known already.
    needs_two : bool
        Whether there must be two orbits at least.
    edges : str
        What is used of edges.

    Returns
    -------
    ndarray of shape (n,)
    """
    found = known_orbits(graphs, orbits, edges)
    if needs_two and found.n_orbits < 2:
        raise InvalidGraphError(
            "All vertices are in one orbit, so there is no gap between orbits. Choose another "
            "score, or another graph."
        )
    return found.of_vertex


def checked_labels(
    graphs: GraphSet, labels: Sequence[Hashable] | None, n_folds: int | None
) -> IntArray:
    """Return the label of every vertex as a number, or raise if no score can come of them.

    Parameters
    ----------
    graphs : GraphSet
    labels : sequence of hashable, optional
        One for every vertex; by default those of the graph.
    n_folds : int or None
        Of how many folds every label must be part; None without cross-validation.

    Returns
    -------
    ndarray of shape (n,)

    Examples
    --------
    >>> import networkx as nx
    >>> path = GraphSet.from_networkx(nx.path_graph(4))
    >>> checked_labels(path, ["end", "inner", "inner", "end"], None).tolist()
    [0, 1, 1, 0]
    """
    given = graphs.labels if labels is None else list(labels)
    if given is None:
        raise InvalidGraphError(
            "A score compares the kernel with labels, but the vertices have none. Give labels, or "
            "choose another score."
        )
    remedy = "choose a score that needs no labels"
    codes, values = encode_labels(given)
    check_one_each(given, graphs.names, "vertex", "label", remedy)
    _check_sizes(values, np.bincount(codes, minlength=len(values)), n_folds)
    return codes.astype(np.int64)


def _check_sizes(values: tuple[Any, ...], sizes: IntArray, n_folds: int | None) -> None:
    if len(values) < 2:
        raise InvalidGraphError(
            "All vertices have the same label. Give labels of at least two kinds."
        )
    if sizes.max() < 2:
        raise InvalidGraphError(
            "Every vertex has a label of its own, so no two vertices belong together. Give labels "
            "that vertices share."
        )
    rarest = int(sizes.argmin())
    if n_folds is not None and sizes[rarest] < n_folds:
        raise InvalidGraphError(
            f"Only {sizes[rarest]} of the vertices have the label "
            f"{shortened(str(values[rarest]))}, fewer than the {n_folds} folds. Use fewer folds, "
            "or leave this label out."
        )


_SAME_DISTANCE = 1 + 1e-9
"""Neighbours are equally far if their distances differ by no more than this factor."""


@dataclass(frozen=True)
class Score:
    """A number that says how good the points of a kernel are; larger is better.

    Attributes
    ----------
    title : str
        Its name in words.
    explanation : str
        One sentence for a student.
    compute : callable
        From the points of a kernel and the facts about the vertices to a number.
    needs_orbits, needs_labels : bool
        What it compares the points with.
    needs_distances : bool
        Whether it matters where the points lie, and not only which vertices share one.
    """

    title: str
    explanation: str
    compute: Callable[[KernelPoints, VertexFacts], float]
    needs_orbits: bool = False
    needs_labels: bool = False
    needs_distances: bool = False


def _recovered(points: KernelPoints, facts: VertexFacts) -> float:
    return float(match_orbits(facts.orbit_of_vertex, points.of_vertex).n_recovered)


def _distinct(points: KernelPoints, facts: VertexFacts) -> float:
    return float(points.n_points)


def _gap(points: KernelPoints, facts: VertexFacts) -> float:
    """Return (smallest gap - largest spread) / largest distance; 0 if all points coincide."""
    distances = distance_matrix(points.rows)
    whole = float(distances.max())
    if whole == 0.0:
        return 0.0
    match = match_orbits(facts.orbit_of_vertex, points.of_vertex)
    between = distances[np.ix_(match.points, match.points)]
    is_same = np.equal.outer(match.orbits, match.orbits)
    return float(between[~is_same].min() - between[is_same].max()) / whole


def _silhouette(points: KernelPoints, facts: VertexFacts) -> float:
    """Return the mean of (b - a) / max(a, b) over all vertices.

    a is the mean distance to the other vertices with the same label, b that to the vertices of
    the closest other label. A vertex without its like counts 0, and so does one with a = b = 0.
    """
    sizes = facts.class_sizes
    counts = _counts(points.of_vertex, facts.class_of_vertex, (points.n_points, len(sizes)))
    sums = distance_matrix(points.rows) @ counts
    own = sums / np.maximum(sizes - 1, 1)
    others = sums / sizes
    total = 0.0
    for label in range(len(sizes)):
        if sizes[label] == 1:
            continue
        a = own[:, label]
        b = np.delete(others, label, axis=1).min(axis=1)
        longer = np.maximum(a, b)
        quality = np.divide(b - a, longer, out=np.zeros_like(a), where=longer > 0)
        total += float(counts[:, label] @ quality)
    return total / len(points.of_vertex)


def _accuracy(points: KernelPoints, facts: VertexFacts) -> float:
    """Return the share of vertices whose label their nearest neighbours predict.

    All vertices as far as the k-th nearest vote, so that nothing hangs on the order of vertices
    on one point; with equal votes the first label wins.
    """
    distances = distance_matrix(points.rows)
    order = np.argsort(distances, axis=1, kind="stable")
    ascending = np.take_along_axis(distances, order, axis=1)
    shape = points.n_points, len(facts.class_sizes)
    n_right = 0
    for fold in facts.folds:
        known = _counts(points.of_vertex[fold.train], facts.class_of_vertex[fold.train], shape)
        reached = np.cumsum(known.sum(axis=1)[order], axis=1)
        last = (reached >= min(facts.n_neighbours, len(fold.train))).argmax(axis=1)
        radius = np.take_along_axis(ascending, last[:, np.newaxis], axis=1)
        predicted = ((distances <= radius * _SAME_DISTANCE) @ known).argmax(axis=1)
        truth = facts.class_of_vertex[fold.test]
        n_right += int(np.count_nonzero(predicted[points.of_vertex[fold.test]] == truth))
    return n_right / len(points.of_vertex)


def _counts(places: IntArray, classes: IntArray, shape: tuple[int, int]) -> FloatArray:
    """Return how many of some vertices lie on each point and are of each class."""
    table = np.zeros(shape)
    np.add.at(table, (places, classes), 1.0)
    return table


SCORES: Mapping[str, Score] = {
    "recovered": Score(
        "Classes recovered",
        "The number of orbits whose vertices share one point that holds no other vertex.",
        _recovered,
        needs_orbits=True,
    ),
    "gap": Score(
        "Gap between orbits",
        "How much farther apart the closest two orbits are than the widest orbit is wide, as "
        "a share of the largest distance.",
        _gap,
        needs_orbits=True,
        needs_distances=True,
    ),
    "silhouette": Score(
        "Silhouette by label",
        "How much closer a vertex is to vertices with its own label than to those of the "
        "nearest other label, from -1 to 1.",
        _silhouette,
        needs_labels=True,
        needs_distances=True,
    ),
    "points": Score(
        "Distinct points", "The number of points on which the kernel puts the vertices.", _distinct
    ),
    "accuracy": Score(
        "Labels predicted",
        "The share of vertices whose label their nearest neighbours predict, in a stratified "
        "cross-validation.",
        _accuracy,
        needs_labels=True,
        needs_distances=True,
    ),
}
"""All scores of kernels between vertices, by name."""


def score_problems(graph: Any, orbits: Orbits | None = None, n_folds: int = 5) -> dict[str, str]:
    """Say for every score what stands in its way.

    Parameters
    ----------
    graph : networkx graph, or GraphSet with one graph
    orbits : Orbits, optional
        The orbits of the graph, where they are known already.
    n_folds : int
        Folds in which labels are predicted.

    Returns
    -------
    dict from str to str
        By the name of the score; empty where nothing does.

    Examples
    --------
    >>> import networkx as nx
    >>> problems = score_problems(nx.cycle_graph(5))
    >>> [name for name, problem in problems.items() if not problem]
    ['recovered', 'points']
    >>> problems["gap"]
    'All vertices are in one orbit, so there is no gap between orbits. Choose another score, or
    another graph.'
    """
    graphs = as_graph_set(graph)
    known = find_orbits(graphs) if orbits is None else orbits
    problems = dict.fromkeys(SCORES, "")
    for name in SCORES:
        try:
            facts_for(graphs, [name], orbits=known, n_folds=n_folds)
        except InvalidGraphError as problem:
            problems[name] = str(problem)
    return problems


def check_scores(scores: Sequence[str]) -> None:
    """Raise unless these are names of scores, and there is at least one."""
    if isinstance(scores, str) or not scores:
        raise InvalidParameterError(
            f"The 'scores' parameter of sweep must be a list of names. Got {scores!r} instead."
        )
    for name in scores:
        check_choice(name, list(SCORES), "scores", "sweep")


def facts_for(
    graphs: GraphSet,
    scores: Sequence[str],
    *,
    labels: Sequence[Hashable] | None = None,
    orbits: Orbits | None = None,
    n_neighbours: int = 5,
    n_folds: int = 5,
    random_state: int = 0,
    edges: str = "ignore",
) -> VertexFacts:
    """Return what some scores compare the points with, or raise if the graph does not have it.

    Parameters
    ----------
    graphs, scores, labels, orbits, n_neighbours, n_folds, random_state
        As for :func:`sweep`.
    edges : str
        What is used of edges, where orbits must be found.

    Returns
    -------
    VertexFacts
    """
    check_scores(scores)
    check_whole(n_neighbours, 1, "n_neighbours", "sweep")
    check_whole(n_folds, 2, "n_folds", "sweep")
    check_whole(random_state, 0, "random_state", "sweep")
    nothing = np.empty(0, dtype=np.int64)
    classes = orbit_of_vertex = nothing
    if any(SCORES[name].needs_labels for name in scores):
        classes = checked_labels(graphs, labels, n_folds if "accuracy" in scores else None)
    if any(SCORES[name].needs_orbits for name in scores):
        orbit_of_vertex = checked_orbits(graphs, orbits, "gap" in scores, edges)
    return VertexFacts(orbit_of_vertex, classes, n_neighbours, n_folds, random_state)
