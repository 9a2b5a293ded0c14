"""Vertices of different orbits on one point, and why they are there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray


class Reason(StrEnum):
    """Why a kernel puts vertices of different orbits on one point.

    Examples
    --------
    >>> Reason.NO_MESSAGES.explanation
    'β = 0: no messages are passed, so only the initial features count.'
    """

    NO_ROUNDS = "no rounds"
    TOO_FEW_ROUNDS = "too few rounds"
    NO_MESSAGES = "no messages"
    REGULAR_GRAPH = "regular graph"
    REFINEMENT_IS_BLIND = "refinement is blind"
    ONLY_DIRECTIONS = "only directions"
    NO_MEMORY = "no memory"
    COARSE_HIERARCHY = "coarse hierarchy"
    EQUAL_SUMS = "equal sums"

    @property
    def explanation(self) -> str:
        """One sentence for a student."""
        return _EXPLANATIONS[self]


_EXPLANATIONS = {
    Reason.NO_ROUNDS: (
        "T = 0: no message has been passed yet, so only the initial features count."
    ),
    Reason.TOO_FEW_ROUNDS: "T is too small.",
    Reason.NO_MESSAGES: "β = 0: no messages are passed, so only the initial features count.",
    Reason.REGULAR_GRAPH: (
        "All vertices start alike and have equally many neighbours (a regular graph), "
        "so every round repeats the same message."
    ),
    Reason.REFINEMENT_IS_BLIND: (
        "Colour refinement can never tell these vertices apart: from these features, each of "
        "them sees the same in every round, however many there are."
    ),
    Reason.ONLY_DIRECTIONS: (
        "Normalisation keeps only the direction of a vertex in feature space, and these vertices "
        "differ only in their length."
    ),
    Reason.NO_MEMORY: (
        "α = 0: the previous similarity does not count, and the last round alone does not tell "
        "these vertices apart."
    ),
    Reason.COARSE_HIERARCHY: (
        "The hierarchy is too coarse: it puts neighbours that differ into one cluster."
    ),
    Reason.EQUAL_SUMS: (
        "The neighbours of these vertices differ, but the sums over them, which are all that R "
        "looks at, are equal, or so nearly equal that the difference is lost in rounding."
    ),
}


@dataclass(frozen=True, eq=False)
class Confusion:
    """Vertices of two or more orbits that share a point for one reason.

    Attributes
    ----------
    point : int
        The point.
    vertices_by_orbit : mapping of int to ndarray
        The vertices concerned, under the numbers of their orbits.
    reason : Reason
        Why they share the point.
    n_rounds : int or None
        For reasons that more messages would remove: after how many rounds colour refinement,
        from the same initial features, has told apart whatever it ever tells apart.
    suggestion : str or None
        What to try, where something was found that helps.

    Examples
    --------
    >>> ends = {0: np.array([0, 4]), 1: np.array([2])}
    >>> Confusion(0, ends, Reason.TOO_FEW_ROUNDS, 2, "Try T = 2.").explanation
    'T is too small. The difference is 2 steps away, so T = 2 would show it.'
    """

    point: int
    vertices_by_orbit: Mapping[int, NDArray[np.int64]]
    reason: Reason
    n_rounds: int | None = None
    suggestion: str | None = None

    @property
    def explanation(self) -> str:
        """The reason, with the numbers of this case."""
        if self.n_rounds is None or self.reason is Reason.NO_MESSAGES:
            return self.reason.explanation
        steps = f"{self.n_rounds} step" + ("s" if self.n_rounds != 1 else "")
        if len(self.vertices_by_orbit) == 2:
            distance = f"The difference is {steps} away, so T = {self.n_rounds} would show it."
        else:
            distance = (
                f"The differences are up to {steps} away, so T = {self.n_rounds} would show them."
            )
        return f"{self.reason.explanation} {distance}"
