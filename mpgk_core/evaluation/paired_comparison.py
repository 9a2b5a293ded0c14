"""Two methods compared over the same folds: a corrected t-test, and how probable a better one is.

Folds share training graphs, so their differences are correlated and a plain t-test finds
differences that are not there. Both tests here widen the variance accordingly.

References
----------
Nadeau, C. & Bengio, Y. (2003). Inference for the generalization error. Machine Learning 52.
Corani, G. & Benavoli, A. (2015). A Bayesian approach for comparing cross-validated algorithms on
multiple data sets. Machine Learning 100.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, sqrt
from typing import Any

import numpy as np

from mpgk_core.arrays import FloatArray
from mpgk_core.errors import InvalidParameterError
from mpgk_core.evaluation.results import Evaluation
from mpgk_core.evaluation.scores import fold_scores

ROPE = 0.01
"""Smaller differences do not matter: the region of practical equivalence, one point."""

SURE = 0.95
"""From this probability on, a statement is made without "probably"."""

_PROBABLE = 0.75


@dataclass(frozen=True)
class PairedComparison:
    """What the differences between two methods over the same folds say.

    Attributes
    ----------
    first, second : str
        The methods.
    n_folds : int
        Folds that both have.
    difference : float
        Mean of first minus second.
    t, p : float
        Statistic and two-sided p-value of the corrected resampled t-test.
    first_better, equal, second_better : float
        Probabilities, given the folds, that the first method is better by more than ``rope``,
        that the difference is at most ``rope``, and that the second is better by more.
    rope : float
        Half of the width of the region of practical equivalence.
    """

    first: str
    second: str
    n_folds: int
    difference: float
    t: float
    p: float
    first_better: float
    equal: float
    second_better: float
    rope: float

    @property
    def sentence(self) -> str:
        """Say which method is better and how sure that is.

        Examples
        --------
        >>> differences = np.array([0.03, 0.04, 0.05, 0.03, 0.05])
        >>> print(compared(differences, 0.25, "AA", "WL").sentence)
        AA is better than WL: 99 % probable. AA leads by 4.0 points on average over 5 folds
        (p = 0.004).
        """
        for better, worse, chance in (
            (self.first, self.second, self.first_better),
            (self.second, self.first, self.second_better),
        ):
            if chance >= _PROBABLE:
                word = "is" if chance >= SURE else "is probably"
                return f"{better} {word} better than {worse}: {_percent(chance)}. {self._numbers}"
        if self.equal >= _PROBABLE:
            word = "are" if self.equal >= SURE else "are probably"
            within = f"within {100 * self.rope:g} {_points(self.rope)}"
            return (
                f"{self.first} and {self.second} {word} equally good, {within}: "
                f"{_percent(self.equal)}. {self._numbers}"
            )
        return (
            f"It is not clear whether {self.first} or {self.second} is better: "
            f"{_percent(self.first_better)} for {self.first}, {_percent(self.second_better, '')} "
            f"for {self.second}, {_percent(self.equal, '')} that they are equally good. "
            f"{self._numbers}"
        )

    @property
    def _numbers(self) -> str:
        p = "p < 0.001" if self.p < 0.001 else f"p = {self.p:.2g}"
        leader = self.first if self.difference > 0 else self.second
        lead = f"{leader} leads by {100 * abs(self.difference):.1f} points on average"
        return f"{lead if self.difference else 'No lead'} over {self.n_folds} folds ({p})."

    def row(self) -> dict[str, Any]:
        """Return the comparison as a row of a table: differences and probabilities in per cent."""
        return {
            "first": self.first,
            "second": self.second,
            "folds": self.n_folds,
            "difference": round(100 * self.difference, 2),
            "t": round(self.t, 3),
            "p": float(f"{self.p:.3g}"),
            "first better (%)": round(100 * self.first_better, 1),
            "equal (%)": round(100 * self.equal, 1),
            "second better (%)": round(100 * self.second_better, 1),
            "equal within": 100 * self.rope,
        }


def compared(
    differences: FloatArray, test_per_train: float, first: str, second: str, rope: float = ROPE
) -> PairedComparison:
    """Compare two methods by their differences in J folds.

    With mean m and variance s² (divided by J - 1) of the differences, and n_test / n_train test
    graphs per training graph,

        t = m / σ,   σ² = (1 / J + n_test / n_train) s²,

    has J - 1 degrees of freedom (Nadeau & Bengio 2003). With the correlation
    ρ = n_test / (n_test + n_train) between folds, the mean difference has, given the folds, the
    distribution of m + σ T, where T is Student's with J - 1 degrees of freedom (Corani & Benavoli
    2015: σ² = (1 / J + ρ / (1 - ρ)) s², the same).

    Parameters
    ----------
    differences : ndarray of shape (J,)
        First minus second; at least two.
    test_per_train : float
        n_test / n_train, for example 1/9 with ten folds.
    first, second : str
        The methods.
    rope : float
        Differences up to this one do not matter.

    Returns
    -------
    PairedComparison
        Equal differences in all folds leave no doubt: probabilities are 0 or 1.

    Examples
    --------
    >>> found = compared(np.array([0.02, 0.0, 0.01, 0.03]), 1 / 3, "AA", "WL")
    >>> round(found.t, 3), round(found.p, 3), round(found.first_better, 3)
    (1.521, 0.226, 0.676)
    """
    from scipy.stats import t as student

    n = len(differences)
    if n < 2:
        raise InvalidParameterError(
            f"{first} and {second} have {n} folds in common. At least 2 are needed to compare them."
        )
    mean = float(np.mean(differences))
    sigma = sqrt((1 / n + test_per_train) * float(np.var(differences, ddof=1)))
    if sigma <= 1e-12:  # rounding of equal differences
        t = 0.0 if abs(mean) <= 1e-12 else inf if mean > 0 else -inf
        below, above = float(mean < -rope), float(mean > rope)
    else:
        t = mean / sigma
        below = float(student.cdf((-rope - mean) / sigma, n - 1))
        above = float(student.sf((rope - mean) / sigma, n - 1))
    p = float(2 * student.sf(abs(t), n - 1))
    equal = max(0.0, 1 - below - above)
    return PairedComparison(first, second, n, mean, t, p, above, equal, below, rope)


def compare_evaluations(
    first: Evaluation, second: Evaluation, score: str = "accuracy", rope: float = ROPE
) -> PairedComparison:
    """Compare two methods over the folds that both have.

    Parameters
    ----------
    first, second : Evaluation
        Of the same graphs under the same protocol.
    score : str
        A key of ``SCORES``.
    rope : float
        Differences up to this one do not matter.

    Returns
    -------
    PairedComparison

    Examples
    --------
    >>> from mpgk_core.evaluation import Protocol, evaluate, generate
    >>> made = generate("motif", n_per_class=15)
    >>> protocol = Protocol(n_folds=5, n_repeats=1, iterations=(1,), inner_folds=3)
    >>> aa, size = (evaluate(made.graphs, made.classes, m, protocol) for m in ("AA", "size"))
    >>> compare_evaluations(aa, size).first_better > 0.95
    True
    """
    found = []
    for one in (first, second):
        values = fold_scores(one, score).tolist()
        pairs = zip(one.records, values, strict=True)
        found.append({(record.repeat, record.fold): (record, value) for record, value in pairs})
    shared = sorted(found[0].keys() & found[1].keys())
    for place in shared:
        if found[0][place][0].test != found[1][place][0].test:
            raise InvalidParameterError(
                f"{first.spec.method} and {second.spec.method} were tested on different folds. "
                "Evaluate both on the same graphs with the same protocol."
            )
    differences = np.array([found[0][place][1] - found[1][place][1] for place in shared])
    known = differences[~np.isnan(differences)]
    n_tested = sum(len(found[0][place][0].test) for place in shared)
    n_learnt = sum(len(first.trained_on(found[0][place][0])) for place in shared)
    return compared(known, n_tested / max(n_learnt, 1), first.spec.method, second.spec.method, rope)


def against_best(
    evaluations: Sequence[Evaluation], score: str = "accuracy", rope: float = ROPE
) -> list[PairedComparison]:
    """Compare the method with the highest mean with every other one.

    Parameters
    ----------
    evaluations : sequence of Evaluation
        Of the same graphs under the same protocol. Those that lack the score, or have fewer than
        two folds in common with the best, are left out.
    score : str
    rope : float

    Returns
    -------
    list of PairedComparison
        The best method first in each; the closest other one first in the list.
    """
    known = {one: fold_scores(one, score) for one in evaluations}
    scored = [one for one in evaluations if len(known[one]) and not np.isnan(known[one]).any()]
    if not scored:
        return []
    best = max(scored, key=lambda one: float(known[one].mean()))
    places = {(record.repeat, record.fold) for record in best.records}
    found = [
        compare_evaluations(best, one, score, rope)
        for one in scored
        if one is not best and len(places & {(r.repeat, r.fold) for r in one.records}) >= 2
    ]
    return sorted(found, key=lambda one: one.difference)


def _percent(chance: float, word: str = " probable") -> str:
    if chance > 0.995:
        return f"more than 99 %{word}"
    return f"less than 1 %{word}" if chance < 0.005 else f"{100 * chance:.0f} %{word}"


def _points(share: float) -> str:
    return "point" if share == 0.01 else "points"
