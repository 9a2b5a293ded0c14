"""How much of a graph's vertices is left, edge after edge.

Colour refinement is brittle: one missing edge changes the colour of every vertex that can see it.
Message passing kernels are graded: a vertex stays similar to what it was. The curve shows both.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise, product
from typing import Any

import numpy as np

from mpgk_core.arrays import BoolArray, FloatArray, IntArray
from mpgk_core.checks import check_iterations, check_not_empty, check_whole
from mpgk_core.edits.comparison import NEIGHBOURHOODS, SideBySide, similarity_from_distance
from mpgk_core.edits.graph_edits import random_edge_order, with_edges
from mpgk_core.errors import InvalidParameterError
from mpgk_core.graphs import GraphSet
from mpgk_core.jobs import Task, Unit, run_key, run_task
from mpgk_core.kernels.node_kernel import MessagePassingNodeKernel

CURVES = ("WL", *NEIGHBOURHOODS)
"""What is measured: colours of colour refinement, and the two kernels."""

_MAX_STEPS = 12


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

    n_removed: IntArray
    seeds: IntArray
    values: Mapping[str, FloatArray]
    n_rounds: int

    @property
    def is_measured(self) -> BoolArray:
        """(r, s) which values are there."""
        return ~np.isnan(self.values[CURVES[0]])

    def mean(self, curve: str) -> FloatArray:
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
        means: FloatArray = np.full(len(count), np.nan)
        np.divide(total, count, out=means, where=count > 0)
        return means

    def lowest(self, curve: str) -> FloatArray:
        """Return the lowest value of all seeds, as :meth:`mean` does."""
        lowest: FloatArray = np.fmin.reduce(self.values[curve], axis=0)
        return lowest

    def highest(self, curve: str) -> FloatArray:
        """Return the highest value of all seeds, as :meth:`mean` does."""
        highest: FloatArray = np.fmax.reduce(self.values[curve], axis=0)
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
    spaced = np.geomspace(1, half, _MAX_STEPS - 1).round().astype(np.int64)
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
    chosen = MessagePassingNodeKernel() if kernel is None else kernel
    n_removed = perturbation_steps(graph.n_edges) if steps is None else list(steps)
    task = PerturbationTask(graph, chosen, tuple(n_removed), tuple(seeds), respect_labels)
    return task.curve(run_task(task))


@dataclass(frozen=True, eq=False)
class PerturbationTask(Task):
    """The measurements of a curve; a unit is one number of removed edges in one order.

    Attributes
    ----------
    graph : GraphSet
        With one graph.
    kernel : MessagePassingNodeKernel
        Its parameters count, except for the neighbourhood.
    steps : tuple of int
        Rising numbers of edges to remove.
    seeds : tuple of int
        Of the orders.
    respect_labels : bool
        Whether colours start from the vertex labels.
    """

    graph: GraphSet
    kernel: MessagePassingNodeKernel
    steps: tuple[int, ...]
    seeds: tuple[int, ...]
    respect_labels: bool = False

    kind = "removed edges"
    unit_name = "measurements"

    def units(self) -> list[Unit]:
        """Return all steps of the first seed, then of the second, and so on."""
        check_iterations(self.kernel.n_iterations, type(self.kernel).__name__)
        _check_numbers(self.steps, "steps", self.graph.n_edges)
        _check_numbers(self.seeds, "seeds")
        if any(one >= other for one, other in pairwise(self.steps)):
            raise InvalidParameterError(
                "The 'steps' parameter of perturbation_curve must rise. "
                f"Got {list(self.steps)} instead."
            )
        places = product(self.seeds, self.steps)
        return [Unit(self._run_key, f"{seed}/{n_removed}") for seed, n_removed in places]

    def run(self, unit: Unit, memory: dict[Any, Any]) -> dict[str, float]:
        """Return what is left of the vertices on average, for each curve."""
        seed, n_removed = map(int, unit.place.split("/"))
        if seed not in memory:
            memory[seed] = random_edge_order(self.graph, seed)
        changed = with_edges(self.graph, memory[seed][n_removed:])
        return _left(SideBySide.of(self.graph, changed), self.kernel, self.respect_labels)

    def curve(self, results: Mapping[Unit, Any]) -> PerturbationCurve:
        """Return what is known of the curve.

        Parameters
        ----------
        results : mapping from Unit to JSON values
            As many as there are.

        Returns
        -------
        PerturbationCurve
        """
        shape = (len(self.seeds), len(self.steps))
        values = {curve: np.full(shape, np.nan) for curve in CURVES}
        for place, unit in zip(np.ndindex(shape), self.units(), strict=True):
            for curve, value in results.get(unit, {}).items():
                values[curve][place] = value
        steps, seeds = np.array(self.steps), np.array(self.seeds)
        return PerturbationCurve(steps, seeds, values, self.kernel.n_iterations)

    @cached_property
    def _run_key(self) -> str:
        settings = {**self.kernel.get_params(), "neighbourhood": None}
        return run_key("removed edges", self.graph, settings, self.respect_labels)


def _left(
    both: SideBySide, kernel: MessagePassingNodeKernel, respect_labels: bool
) -> dict[str, float]:
    """Measure one pair: for each curve, what is left of the vertices on average."""
    last = kernel.n_iterations
    colours = both.colours(last, respect_labels)[last]
    left = {"WL": float((colours[both.before] == colours[both.after]).mean())}
    for kind in NEIGHBOURHOODS:
        distances = both.distances(kernel, kind, [last])
        left[kind] = float(similarity_from_distance(distances).mean())
    return left


def _check_numbers(numbers: Sequence[int], name: str, maximum: int | None = None) -> None:
    check_not_empty(numbers, name, "perturbation_curve")
    for number in numbers:
        check_whole(number, 0, name, "perturbation_curve", maximum)
