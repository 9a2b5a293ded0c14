"""How much of a graph's vertices is left, edge after edge.

Colour refinement is brittle: one missing edge changes the colour of every vertex that can see it.
Message passing kernels are graded: a vertex stays similar to what it was. The curve shows both.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from mpgk_core.edits.comparison import NEIGHBOURHOODS
from mpgk_core.edits.edge_edits import with_edges_replaced
from mpgk_core.edits.random_edges import random_edge_order
from mpgk_core.edits.side_by_side import SideBySide, similarity_from_distance
from mpgk_core.errors import InvalidParameterError
from mpgk_core.graphs import GraphSet
from mpgk_core.kernels.node_kernel import MessagePassingNodeKernel
from mpgk_core.parameters import check_iterations, check_whole

__all__ = [
    "CURVES",
    "PerturbationCurve",
    "growing_curve",
    "perturbation_curve",
    "perturbation_steps",
]

CURVES = ("WL", *NEIGHBOURHOODS)
"""What is measured: colours of colour refinement, and the two kernels."""

_MOST_STEPS = 12


@dataclass(frozen=True, eq=False)
class PerturbationCurve:
    """What is left of the vertices after so many edges were removed at random.

    Attributes
    ----------
    n_removed : ndarray of shape (s,)
        Numbers of removed edges.
    seeds : ndarray of shape (r,)
        One order of removal for each.
    values : mapping of str to ndarray of shape (r, s)
        For "WL", the share of vertices that keep their colour; for "R" and "A", the mean cosine
        of a vertex with what it was. NaN where nothing is measured yet.
    n_rounds : int
        Number of rounds T of all three.
    """

    n_removed: NDArray[np.int64]
    seeds: NDArray[np.int64]
    values: Mapping[str, NDArray[np.float64]]
    n_rounds: int

    @property
    def is_measured(self) -> NDArray[np.bool_]:
        """(r, s) which values are there."""
        return ~np.isnan(self.values[CURVES[0]])

    def mean(self, curve: str) -> NDArray[np.float64]:
        """Return the mean over the seeds measured so far; NaN where there is none.

        Parameters
        ----------
        curve : {"WL", "R", "A"}

        Returns
        -------
        ndarray of shape (s,)
        """
        count = self.is_measured.sum(axis=0)
        total = np.nansum(self.values[curve], axis=0)
        means: NDArray[np.float64] = np.full(len(count), np.nan)
        np.divide(total, count, out=means, where=count > 0)
        return means

    def lowest(self, curve: str) -> NDArray[np.float64]:
        """Return the lowest value of all seeds, as :meth:`mean` does."""
        lowest: NDArray[np.float64] = np.fmin.reduce(self.values[curve], axis=0)
        return lowest

    def highest(self, curve: str) -> NDArray[np.float64]:
        """Return the highest value of all seeds, as :meth:`mean` does."""
        highest: NDArray[np.float64] = np.fmax.reduce(self.values[curve], axis=0)
        return highest


def perturbation_steps(n_edges: int) -> list[int]:
    """Return numbers of edges to remove: close together at first, then up to half of them.

    Parameters
    ----------
    n_edges : int
        Of the graph.

    Returns
    -------
    list of int
        At most 12, rising from 0.

    Examples
    --------
    >>> perturbation_steps(78)
    [0, 1, 2, 3, 4, 6, 9, 13, 19, 27, 39]
    """
    half = -(-n_edges // 2)
    if half == 0:
        return [0]
    spaced = np.geomspace(1, half, _MOST_STEPS - 1).round().astype(np.int64)
    return [0, *np.unique(spaced).tolist()]


def perturbation_curve(
    graph: GraphSet,
    kernel: MessagePassingNodeKernel | None = None,
    steps: Sequence[int] | None = None,
    seeds: Sequence[int] = (0, 1, 2, 3, 4),
    *,
    respect_labels: bool = False,
) -> PerturbationCurve:
    """Remove edges at random, and measure what is left of the vertices.

    For every seed, edges are removed in one random order, so that what is removed at one step
    stays removed at the next. Every result is compared with the graph as it was.

    Parameters
    ----------
    graph : GraphSet
        With one graph.
    kernel : MessagePassingNodeKernel, optional
        Its parameters count, except for the neighbourhood: both are measured.
    steps : sequence of int, optional
        Rising numbers of edges to remove. Default: :func:`perturbation_steps`.
    seeds : sequence of int
        Of the orders.
    respect_labels : bool
        Whether colours start from the vertex labels.

    Returns
    -------
    PerturbationCurve

    Raises
    ------
    InvalidParameterError
        If steps or seeds are missing, negative, not rising, or more than there are edges.

    Examples
    --------
    >>> import networkx as nx
    >>> ring = GraphSet.from_networkx(nx.cycle_graph(20))
    >>> kernel = MessagePassingNodeKernel(features="degree", n_iterations=3)
    >>> curve = perturbation_curve(ring, kernel, steps=[0, 1, 2, 3])
    >>> curve.mean("WL").round(2).tolist(), curve.mean("R").round(2).tolist()
    ([1.0, 0.7, 0.53, 0.35], [1.0, 1.0, 0.98, 0.97])
    """
    *_, whole = growing_curve(graph, kernel, steps, seeds, respect_labels=respect_labels)
    return whole


def growing_curve(
    graph: GraphSet,
    kernel: MessagePassingNodeKernel | None = None,
    steps: Sequence[int] | None = None,
    seeds: Sequence[int] = (0, 1, 2, 3, 4),
    *,
    respect_labels: bool = False,
) -> Iterator[PerturbationCurve]:
    """Give what is known of the curve after every measurement; whoever asks may stop at any time.

    Parameters
    ----------
    graph, kernel, steps, seeds, respect_labels
        As for :func:`perturbation_curve`. All steps of one seed come before the next seed.

    Returns
    -------
    iterator of PerturbationCurve
        As many as there are steps and seeds; none of them changes any more.
    """
    chosen = MessagePassingNodeKernel() if kernel is None else kernel
    check_iterations(chosen.n_iterations, type(chosen).__name__)
    n_removed = perturbation_steps(graph.n_edges) if steps is None else list(steps)
    _check_numbers(n_removed, "steps", graph.n_edges)
    _check_numbers(seeds, "seeds")
    if any(one >= other for one, other in pairwise(n_removed)):
        raise InvalidParameterError(
            f"The 'steps' parameter of perturbation_curve must rise. Got {n_removed} instead."
        )
    return _measured(graph, chosen, n_removed, list(seeds), respect_labels)


def _measured(
    graph: GraphSet,
    kernel: MessagePassingNodeKernel,
    steps: list[int],
    seeds: list[int],
    respect_labels: bool,
) -> Iterator[PerturbationCurve]:
    values = {curve: np.full((len(seeds), len(steps)), np.nan) for curve in CURVES}
    for i, seed in enumerate(seeds):
        order = random_edge_order(graph, seed)
        for j, n_removed in enumerate(steps):
            both = SideBySide.of(graph, with_edges_replaced(graph, order[n_removed:]))
            for curve, value in _left(both, kernel, respect_labels).items():
                values[curve][i, j] = value
            copies = {curve: table.copy() for curve, table in values.items()}
            yield PerturbationCurve(np.array(steps), np.array(seeds), copies, kernel.n_iterations)


def _left(
    both: SideBySide, kernel: MessagePassingNodeKernel, respect_labels: bool
) -> dict[str, float]:
    """Measure one pair: for each curve, what is left of the vertices on average."""
    last = kernel.n_iterations
    colours = both.colours(last, respect_labels)[last]
    left = {"WL": float((colours[both.before] == colours[both.after]).mean())}
    for way in NEIGHBOURHOODS:
        distances = both.distances(kernel, way, [last])
        left[way] = float(similarity_from_distance(distances).mean())
    return left


def _check_numbers(numbers: Sequence[int], name: str, maximum: int | None = None) -> None:
    if not len(numbers):
        raise InvalidParameterError(
            f"The {name!r} parameter of perturbation_curve is empty. Give at least one number."
        )
    for number in numbers:
        check_whole(number, 0, name, "perturbation_curve", maximum)
