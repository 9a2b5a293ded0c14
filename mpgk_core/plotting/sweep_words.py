"""What the lines of a sweep show, in sentences: for those who cannot see them."""

from __future__ import annotations

import numpy as np

from mpgk_core.tuning import Cell, Sweep

__all__ = ["rounds_words"]


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
