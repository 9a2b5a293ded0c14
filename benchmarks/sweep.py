"""A sweep over α, β and T against as many separate fits."""

from __future__ import annotations

from itertools import product

import networkx as nx
import numpy as np

from benchmarks.measure import ratio
from benchmarks.report import Table
from mpgk_core import GraphSet
from mpgk_core.recovery.points import kernel_points
from mpgk_core.tuning import SCORES, Grid, sweep
from mpgk_core.tuning.scores import facts_for


def measure() -> Table:
    """Score all cells of the usual grid on B(10,10), all at once and one by one."""
    table = Table(
        "A sweep of 20 × 20 × 8 cells on B(10,10) against 3,200 separate fits",
        "Orbits and scores are computed in both. Target: ratio at most 0.05 for R and classes "
        "recovered. A has trees of its own for every α and β.",
        ["neighbourhood", "scores", "sweep (s)", "separate fits (s)", "ratio"],
    )
    graph = GraphSet.from_networkx(nx.barbell_graph(10, 10))
    for variant, scores, repeats in [
        ("R", ["recovered"], 3),
        ("R", ["recovered", "gap"], 1),
        ("A", ["recovered"], 1),
    ]:
        grid = Grid(variants=[variant], features=["degree"])
        value, own, separate = ratio(
            lambda g=grid, s=scores: sweep(graph, g, s),
            lambda g=grid, s=scores: _one_by_one(graph, g, s),
            repeats,
        )
        table.add(variant, ", ".join(SCORES[s].title.lower() for s in scores), own, separate, value)
    return table


def _one_by_one(graph: GraphSet, grid: Grid, scores: list[str]) -> dict[str, np.ndarray]:
    """Fit a kernel for every cell."""
    facts = facts_for(graph, scores)
    values = {name: np.empty(grid.shape) for name in scores}
    for place in product(*map(range, grid.shape)):
        cell = grid.cell(place)
        points = kernel_points(graph, grid.node_kernel(cell).fit(graph), cell.T)
        for name in scores:
            values[name][place] = SCORES[name].compute(points, facts)
    return values
