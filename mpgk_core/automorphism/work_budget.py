"""A limit on the work of a search, counted in edge visits instead of seconds.

Edge visits are the same on every machine and in every run, so a search that ends at its limit
always ends at the same place.
"""

from __future__ import annotations

from dataclasses import dataclass

_VISITS_PER_STEP = 5_000  # starting one step of a search takes about as long as this many visits


class SearchAbandonedError(Exception):
    """A search ended without an answer. Caught by whoever started the search."""


@dataclass(eq=False)
class WorkBudget:
    """The number of edge visits that a search may still make.

    Parameters
    ----------
    left : int
        Edge visits left.

    Examples
    --------
    >>> budget = WorkBudget(10_000)
    >>> budget.spend(500)
    >>> budget.left
    4500
    """

    left: int

    @staticmethod
    def price(visits: int) -> int:
        """Return what one step of a search that visits so many edges costs."""
        return visits + _VISITS_PER_STEP

    def spend(self, visits: int) -> None:
        """Pay for one step of a search that visits so many edges.

        Raises
        ------
        SearchAbandonedError
            If that is more than what is left.
        """
        self.left -= self.price(visits)
        if self.left < 0:
            raise SearchAbandonedError
