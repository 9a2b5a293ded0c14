"""Colours for a graph before and after a change, which mean the same in both drawings."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mpgk_core.edits.comparison import Comparison
from mpgk_core.edits.side_by_side import similarity_from_distance
from mpgk_core.plotting.colouring import Colouring, colour_by_class
from mpgk_core.plotting.palette import class_colours, scale_colours
from mpgk_core.plotting.style import MARK_COLOUR
from mpgk_core.refinement.agreement import agreeing

_ALONE = ("removed", "new")


def colour_by_movement(comparison: Comparison, neighbourhood: str) -> tuple[Colouring, Colouring]:
    """Colour every vertex by how far it moved: graded.

    Parameters
    ----------
    comparison : Comparison
    neighbourhood : {"R", "A"}

    Returns
    -------
    before, after : Colouring
        One scale for all rounds, from 0 to the farthest; vertices without a partner are grey.

    Examples
    --------
    >>> import networkx as nx
    >>> from mpgk_core import GraphSet
    >>> from mpgk_core.edits import compare
    >>> path, edge = map(GraphSet.from_networkx, (nx.path_graph(3), nx.path_graph(2)))
    >>> colour_by_movement(compare(path, edge), "R")[0].words[0]
    ['moved 0, cosine 1.0000', 'moved 0, cosine 1.0000', 'removed']
    """
    movement = comparison.movement[neighbourhood]
    farthest = float(movement.max(initial=0.0)) or 1.0
    colours = [scale_colours(np.append(row, [0.0, farthest]))[:-2] for row in movement]
    words = [
        [
            f"moved {distance:.3g}, cosine {cosine:.4f}"
            for distance, cosine in zip(row.tolist(), cosines.tolist(), strict=True)
        ]
        for row, cosines in zip(movement, similarity_from_distance(movement), strict=True)
    ]
    return _on_both(comparison, f"Movement under {neighbourhood}", colours, words)


def colour_by_recolouring(comparison: Comparison) -> tuple[Colouring, Colouring]:
    """Colour every vertex by whether colour refinement still gives it its colour: yes or no.

    Parameters
    ----------
    comparison : Comparison

    Returns
    -------
    before, after : Colouring
        Vertices without a partner are grey.
    """
    pair, said = class_colours(2), ("WL colour kept", "WL colour changed")
    changed = comparison.is_recoloured.astype(np.int64).tolist()
    colours = [[pair[is_changed] for is_changed in row] for row in changed]
    words = [[said[is_changed] for is_changed in row] for row in changed]
    return _on_both(comparison, "WL colour kept or changed", colours, words)


def colour_by_joint_refinement(comparison: Comparison) -> tuple[Colouring, Colouring]:
    """Colour every vertex by its colour of colour refinement, equal before and after.

    Parameters
    ----------
    comparison : Comparison

    Returns
    -------
    before, after : Colouring
    """
    n = comparison.before.n_vertices
    both = np.hstack([comparison.colours_before, comparison.colours_after])
    classes = np.array([agreeing(row) for row in both])
    whole = colour_by_class("WL colour after t rounds", classes, "colour")
    before, after = (
        Colouring(
            whole.title, [row[side] for row in whole.colours], [row[side] for row in whole.words]
        )
        for side in (slice(None, n), slice(n, None))
    )
    return before, after


def _on_both(
    comparison: Comparison, title: str, colours: list[list[str]], words: list[list[str]]
) -> tuple[Colouring, Colouring]:
    """Give what belongs to the common vertices to both versions; others are grey."""
    sizes = (comparison.before.n_vertices, comparison.after.n_vertices)
    places = (comparison.in_before, comparison.in_after)
    before, after = (
        Colouring(
            title,
            [_placed(row, place, n, MARK_COLOUR) for row in colours],
            [_placed(row, place, n, alone) for row in words],
        )
        for n, place, alone in zip(sizes, places, _ALONE, strict=True)
    )
    return before, after


def _placed(row: list[str], place: NDArray[np.int64], n: int, otherwise: str) -> list[str]:
    table = np.full(n, otherwise, dtype=object)
    table[place] = row
    placed: list[str] = table.tolist()
    return placed
