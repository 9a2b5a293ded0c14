"""What the pictures of a sweep show, in sentences."""

from __future__ import annotations

import numpy as np

from mpgk_core.plotting.style import safe_names
from mpgk_core.tuning.grid import Cell
from mpgk_core.tuning.result import Sweep

__all__ = ["heat_map_words", "rounds_words"]


def heat_map_words(sweep: Sweep, score: str, cell: Cell) -> str:
    """Say where a map of scores is best, and how much of it is still to come.

    Parameters
    ----------
    sweep : Sweep
    score : str
        Name of a score of the sweep.
    cell : Cell
        Says which variant, features and T are drawn; its α and β do not count.

    Returns
    -------
    str
        Safe to be shown.
    """
    values = sweep.map_of(score, cell)
    [features] = safe_names([cell.features])
    head = f"{sweep.titles[score]} ({cell.variant}, {features}, T = {cell.T})"
    best = sweep.best_of_map(score, cell)
    if best is None:
        return f"{head}: nothing yet"
    n_missing = int(np.count_nonzero(np.isnan(values)))
    so_far = f", {n_missing} of {values.size} cells to come" if n_missing else ""
    place = f"α = {best.alpha:g}, β = {best.beta:g}"
    return f"{head}: best {sweep.score(score, best):.4g} at {place}{so_far}"


def rounds_words(sweep: Sweep, score: str, cell: Cell) -> str:
    """Say for every line where it begins and ends, and where it is highest.

    Parameters
    ----------
    sweep : Sweep
    score : str
        Name of a score of the sweep.
    cell : Cell
        Says which α and β are drawn; the rest does not count.

    Returns
    -------
    str
        Plain text: escape it before it becomes part of a page.
    """
    grid = sweep.grid
    table = sweep.of(score)
    _, _, alpha, beta, _ = grid.index(cell)
    parts = [f"{sweep.titles[score]} over T, at α = {cell.alpha:g}, β = {cell.beta:g}."]
    for v, variant in enumerate(grid.variants):
        for f, features in enumerate(grid.features):
            values = table[v, f, alpha, beta]
            known = np.flatnonzero(~np.isnan(values))
            if not len(known):
                parts.append(f"{variant}, {features}: nothing yet.")
                continue
            first, best, last = known[0], known[values[known].argmax()], known[-1]
            said = ", ".join(
                f"{word} {values[t]:.4g} at T = {grid.iterations[t]}"
                for word, t in (("from", first), ("best", best), ("last", last))
            )
            parts.append(f"{variant}, {features}: {said}.")
    return " ".join(parts)
