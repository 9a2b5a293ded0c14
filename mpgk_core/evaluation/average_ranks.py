"""Several methods compared over several data sets, by their ranks.

References
----------
Demšar, J. (2006). Statistical comparisons of classifiers over multiple data sets. JMLR 7.
Benavoli, A., Corani, G. & Mangili, F. (2016). Should we really use post-hoc tests based on
mean-ranks? JMLR 17.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import inf, sqrt
from typing import Any

import numpy as np

from mpgk_core.arrays import FloatArray
from mpgk_core.errors import InvalidParameterError
from mpgk_core.evaluation.results import Evaluation
from mpgk_core.evaluation.scores import summarised
from mpgk_core.text import listed

LEVEL = 0.05
"""Level of significance of all tests here."""


@dataclass(frozen=True)
class PairOfMethods:
    """Two methods over several sets.

    Attributes
    ----------
    first, second : str
    p : float
        Of Wilcoxon's signed-rank test.
    adjusted : float
        The same, adjusted for the number of pairs by Holm's method.
    """

    first: str
    second: str
    p: float
    adjusted: float


@dataclass(frozen=True, eq=False)
class AverageRanks:
    """Ranks of methods over several data sets, and which differences are significant.

    Attributes
    ----------
    methods : tuple of str
        The best average rank first.
    ranks : ndarray of shape (k,)
        Mean rank over the sets; 1 is best, and equal scores share the mean of their ranks.
    n_sets : int
    chi2, p : float
        Friedman's test that all methods are equally good.
    critical_difference : float
        Average ranks that differ by at least so much are significantly different by Nemenyi's
        test.
    pairs : tuple of PairOfMethods
        Wilcoxon's test with Holm's adjustment, which does not depend on the other methods.
    """

    methods: tuple[str, ...]
    ranks: FloatArray
    n_sets: int
    chi2: float
    p: float
    critical_difference: float
    pairs: tuple[PairOfMethods, ...]

    @property
    def groups(self) -> list[tuple[int, int]]:
        """First and last place of methods that are not significantly different by Nemenyi's test.

        Only the largest groups, each of at least two methods.
        """
        found: list[tuple[int, int]] = []
        for first, rank in enumerate(self.ranks.tolist()):
            is_close = self.ranks - rank < self.critical_difference
            last = int(np.flatnonzero(is_close).max())
            if last > first and (not found or last > found[-1][1]):
                found.append((first, last))
        return found

    def rows(self) -> list[dict[str, Any]]:
        """Return a row for every pair of methods, for a table."""
        rank_of = dict(zip(self.methods, self.ranks.tolist(), strict=True))
        return [
            {
                "first": pair.first,
                "second": pair.second,
                "average rank of first": round(rank_of[pair.first], 3),
                "average rank of second": round(rank_of[pair.second], 3),
                "critical difference": round(self.critical_difference, 3),
                "Wilcoxon p": float(f"{pair.p:.3g}"),
                "adjusted by Holm": float(f"{pair.adjusted:.3g}"),
            }
            for pair in self.pairs
        ]


def average_ranks(scores: FloatArray, methods: Sequence[str]) -> AverageRanks:
    """Rank methods on every data set, and test their average ranks.

    With N sets, k methods and average ranks R_j, Friedman's statistic (corrected for ties)

        χ² = 12 N / (k (k + 1)) (Σ_j R_j² - k (k + 1)² / 4) / C

    has k - 1 degrees of freedom, and two ranks differ by Nemenyi's test if they are at least

        CD = q √(k (k + 1) / (6 N))

    apart, where q is the 95 % point of the Studentised range of k methods, divided by √2.

    Parameters
    ----------
    scores : ndarray of shape (N, k)
        Larger is better; at least two sets and two methods.
    methods : sequence of str
        The k methods.

    Returns
    -------
    AverageRanks

    Examples
    --------
    >>> scores = np.array([[0.9, 0.8, 0.7], [0.8, 0.7, 0.6], [0.7, 0.9, 0.6]])
    >>> found = average_ranks(scores, ["AA", "WL", "size"])
    >>> found.methods, found.ranks.round(2).tolist(), round(found.critical_difference, 2)
    (('AA', 'WL', 'size'), [1.33, 1.67, 3.0], 1.91)
    """
    from scipy.stats import chi2 as chi2_distribution
    from scipy.stats import rankdata, studentized_range

    n, k = scores.shape
    if n < 2 or k < 2:
        raise InvalidParameterError(
            f"There are {n} data sets and {k} methods. Ranks need at least two of both."
        )
    ranks = rankdata(-scores, axis=1)
    means = ranks.mean(axis=0)
    ties = sum(
        int((count**3 - count).sum())
        for row in ranks
        for count in [np.unique(row, return_counts=True)[1]]
    )
    correction = 1 - ties / (n * (k**3 - k))
    if correction > 0:
        spread = float((means**2).sum()) - k * (k + 1) ** 2 / 4
        chi2 = 12 * n / (k * (k + 1)) * spread / correction
        p = float(chi2_distribution.sf(chi2, k - 1))
    else:  # all methods are equal on every set
        chi2, p = 0.0, 1.0
    q = float(studentized_range.ppf(1 - LEVEL, k, inf)) / sqrt(2)
    order = np.lexsort((np.arange(k), means))
    names = tuple(methods[j] for j in order)
    pairs = _pairs(scores[:, order], names)
    critical = q * sqrt(k * (k + 1) / (6 * n))
    return AverageRanks(names, means[order], n, float(chi2), p, critical, pairs)


def ranks_of_evaluations(
    found: Mapping[str, Sequence[Evaluation]], score: str = "accuracy"
) -> AverageRanks | None:
    """Rank the methods that were evaluated on all of several data sets.

    Parameters
    ----------
    found : mapping
        From the name of a data set to its evaluations.
    score : str
        A key of ``SCORES``.

    Returns
    -------
    AverageRanks or None
        None where fewer than two methods have all folds of at least two sets.
    """
    means = {
        name: {
            one.spec.method: mean
            for one in several
            if one.is_complete and not np.isnan(mean := summarised(one, score).mean)
        }
        for name, several in found.items()
    }
    means = {name: own for name, own in means.items() if len(own) >= 2}
    methods = [m for m in next(iter(means.values()), {}) if all(m in of for of in means.values())]
    if len(means) < 2 or len(methods) < 2:
        return None
    table = np.array([[of[method] for method in methods] for of in means.values()])
    return average_ranks(table, methods)


def ranks_text(found: AverageRanks) -> str:
    """Say what the ranks mean: the order, what differs, and how many sets that rests on.

    Examples
    --------
    >>> scores = np.array([[0.9, 0.8, 0.7], [0.8, 0.7, 0.6], [0.7, 0.9, 0.6]])
    >>> print(ranks_text(average_ranks(scores, ["AA", "WL", "size"])))
    Average ranks over 3 data sets (1 is best): AA 1.33, WL 1.67, size 3.00. Friedman's test finds
    no significant difference between the methods (p = 0.097). Ranks that differ by less than 1.91
    are not significantly different by Nemenyi's test: AA, WL and size. With so few sets, only
    large differences can be found.
    """
    order = ", ".join(
        f"{method} {rank:.2f}"
        for method, rank in zip(found.methods, found.ranks.tolist(), strict=True)
    )
    finds = "a significant difference" if found.p < LEVEL else "no significant difference"
    p = "p < 0.001" if found.p < 0.001 else f"p = {found.p:.2g}"
    groups = [listed(found.methods[a : b + 1]) for a, b in found.groups]
    alike = f": {'; '.join(groups)}" if groups else ", which no two of them do"
    few = " With so few sets, only large differences can be found." if found.n_sets < 6 else ""
    return (
        f"Average ranks over {found.n_sets} data sets (1 is best): {order}. Friedman's test finds "
        f"{finds} between the methods ({p}). Ranks that differ by less than "
        f"{found.critical_difference:.2f} are not significantly different by Nemenyi's test"
        f"{alike}.{few}"
    )


def _pairs(scores: FloatArray, methods: Sequence[str]) -> tuple[PairOfMethods, ...]:
    """Return Wilcoxon's test of every pair, adjusted by Holm's method."""
    places = list(combinations(range(len(methods)), 2))
    values = np.array([_signed_rank(scores[:, i] - scores[:, j]) for i, j in places])
    order = np.argsort(values, kind="stable")
    steps = values[order] * np.arange(len(values), 0, -1)
    adjusted = np.empty(len(values))
    adjusted[order] = np.minimum(np.maximum.accumulate(steps), 1.0)
    return tuple(
        PairOfMethods(methods[i], methods[j], p, holm)
        for (i, j), p, holm in zip(places, values.tolist(), adjusted.tolist(), strict=True)
    )


def _signed_rank(differences: FloatArray) -> float:
    """Return the p-value of Wilcoxon's signed-rank test; zeros count half for either side."""
    from scipy.stats import wilcoxon

    if not differences.any():
        return 1.0
    has_ties = len(np.unique(np.abs(differences))) < len(differences)
    method = "approx" if has_ties else "exact"
    return float(wilcoxon(differences, zero_method="zsplit", method=method).pvalue)
