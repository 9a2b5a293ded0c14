"""The choice among many kernels in every fold, by successive halving inside its training part.

The whole search of a fold uses the classes of its training graphs alone:

1. groups: kernels that need a run of their own (features, α, β, edges) are compared by a few
   representatives each on a sample of 300 graphs, and the best six stay;
2. candidates: all kernels of these groups (T, use of the rounds, shape) on a sample of 400; the
   best eight stay, or twelve where more than 1,600 graphs make another stage worth while: the
   best four of those on a sample of 1,200;
3. the SVM, on all training graphs with all inner folds and the whole path over C, chooses one.

The first stages compare kernels K by the least-squares classifier, whose leave-one-out
predictions on n graphs need no second training (Cawley & Talbot 2003),

    ŷ_i = y_i - (H⁻¹ y)_i / (H⁻¹)_ii,   H = K + 1 + λ I,

for three values of λ. Its share of right predictions counts, and of equal ones the smaller squared
error. The best of a thousand scores is partly best by luck, which its neighbours do not share. So
to every score is added the sum of main effects that fits all scores of a stage best: an effect of
T, of the use of the rounds, and of every parameter. At the end the SVM's share of right predictions
takes the place of the candidate's own score. Samples are drawn without classes, so that all folds
share the matrices: one run of a kernel serves all folds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from scipy.linalg import lapack

from mpgk_core.arrays import FloatArray, IntArray
from mpgk_core.checks import check_memory
from mpgk_core.evaluation.methods import Candidate, KernelSpec, candidates
from mpgk_core.evaluation.protocol import Protocol
from mpgk_core.kernels.update import derived_seed

MAX_AT_ONCE = 16
"""With more candidates than these, a fold searches; up to these, the SVM compares all of them."""

_GROUPS_KEPT = 6
_KEPT, _KEPT_BY_MANY, _KEPT_AT_LAST = 8, 12, 4
_SAMPLES = (300, 400, 1200)
_MANY = 1600
_RIDGES = (1e-4, 1e-2, 1.0)
_DIGITS = 9
_BYTES = 1 << 30
"""Matrices that are held at a time, beside those of one run of the kernel."""


class Stage(NamedTuple):
    """One stage of the search.

    Attributes
    ----------
    kind : {"groups", "candidates", "svm"}
        What is compared; a candidate is its number.
    n_graphs : int or None
        The size of the sample; None for all graphs.
    n_units : int
        Units of every fold, or of every repetition where groups are compared.
    n_kept : int
        How many of what is compared stay.
    """

    kind: str
    n_graphs: int | None
    n_units: int
    n_kept: int


@dataclass(frozen=True)
class Search:
    """How the folds of one kernel choose, as units of work that depend on earlier ones.

    A unit has a place: stage, repetition, and then the group, or the fold and the rank of what
    it compares among all that stayed in this fold.

    Attributes
    ----------
    spec : KernelSpec
        Its features are resolved.
    protocol : Protocol
    n_graphs : int
    """

    spec: KernelSpec
    protocol: Protocol
    n_graphs: int

    @cached_property
    def choices(self) -> list[Candidate]:
        """All candidates."""
        return candidates(self.spec, self.protocol)

    @cached_property
    def is_needed(self) -> bool:
        """Whether there are too many candidates to compare all of them by the SVM."""
        return len(self.choices) > MAX_AT_ONCE

    @cached_property
    def members(self) -> list[list[int]]:
        """The candidates of every group."""
        found: list[list[int]] = [[] for _ in range(max(self.spec.groups) + 1)]
        for number, one in enumerate(self.choices):
            found[self.spec.groups[one.setting]].append(number)
        return found

    @cached_property
    def stages(self) -> list[Stage]:
        """All stages; the last one is that of the SVM."""
        n_groups = len(self.members)
        stages = []
        if n_groups > _GROUPS_KEPT:
            stages.append(Stage("groups", self._sample_size(0), n_groups, _GROUPS_KEPT))
        is_large = self.n_graphs > _MANY
        kept = min(_KEPT_BY_MANY if is_large else _KEPT, len(self.choices))
        n_left = min(n_groups, _GROUPS_KEPT)
        stages.append(Stage("candidates", self._sample_size(1), n_left, kept))
        if is_large:
            stages.append(Stage("candidates", self._sample_size(2), kept, _KEPT_AT_LAST))
        return [*stages, Stage("svm", None, stages[-1].n_kept, 1)]

    def _sample_size(self, stage: int) -> int | None:
        return None if self.n_graphs <= _SAMPLES[stage] else _SAMPLES[stage]

    def sample(self, stage: int) -> IntArray:
        """Return the graphs that a stage compares, drawn without looking at classes."""
        size = self.stages[stage].n_graphs
        if size is None:
            return np.arange(self.n_graphs)
        seed = derived_seed(self.protocol.random_state, "graphs to search with", size)
        chosen = np.random.default_rng(seed).choice(self.n_graphs, size, replace=False)
        return np.sort(chosen).astype(np.int64)

    def representatives(self, group: int) -> list[int]:
        """Return few candidates of a group: the least and the most rounds, plain and Gaussian."""
        shapes = {one.setting: self.spec.shape(one.setting) for one in self.choices}
        settings = sorted(s for s in shapes if self.spec.groups[s] == group)
        curved = [s for s in settings if shapes[s].gaussian is not None]
        chosen = {settings[0], *curved[:1]}
        rounds = {self.choices[c].T for c in self.members[group]}
        ends = {min(rounds, key=lambda T: T or 0), max(rounds, key=lambda T: T or 0)}
        return [
            c
            for c in self.members[group]
            if self.choices[c].setting in chosen and self.choices[c].T in ends
        ]

    @cached_property
    def places(self) -> list[list[str]]:
        """The places of all units of every stage."""
        rules = self.protocol
        found = []
        for number, stage in enumerate(self.stages):
            folds = [""] if stage.kind == "groups" else [f"/{f}" for f in range(rules.n_folds)]
            found.append(
                [
                    f"{number}/{repeat}{fold}/{unit}"
                    for repeat in range(rules.n_repeats)
                    for fold in folds
                    for unit in range(stage.n_units)
                ]
            )
        return found

    def plan(self, stage: int, results: Mapping[str, Any]) -> list[tuple[str, dict[str, Any]]]:
        """Return the units of a stage in the order in which matrices need to be made once.

        Parameters
        ----------
        stage : int
            All earlier ones are done.
        results : mapping
            From places to results.

        Returns
        -------
        list of (place, needed)
            ``needed`` has the candidates to compare, and those whose matrices to make with them.
        """
        wanted = {place: self._wanted(stage, place, results) for place in self.places[stage]}
        together: dict[int, list[int]] = {}
        for number in sorted({c for some in wanted.values() for c in some}):
            together.setdefault(self.spec.groups[self.choices[number].setting], []).append(number)
        size = len(self.sample(stage))
        n_made = max(_BYTES // (8 * size**2), 1) if self.stages[stage].n_graphs is None else None
        made = {
            number: numbers[i : i + (n_made or len(numbers))]
            for numbers in together.values()
            for i in range(0, len(numbers), n_made or len(numbers))
            for number in numbers[i : i + (n_made or len(numbers))]
        }
        units = [
            (place, {"choices": some, "made": made[some[0]] if some else []})
            for place, some in wanted.items()
        ]
        return sorted(units, key=lambda unit: unit[1]["made"])

    def _wanted(self, stage: int, place: str, results: Mapping[str, Any]) -> list[int]:
        """Return the candidates that a unit compares."""
        _, repeat, *fold, unit = place.split("/")
        if self.stages[stage].kind == "groups":
            return self.representatives(int(unit))
        if stage == 0:
            return self.members[int(unit)]
        kept = self.kept(stage - 1, int(repeat), int(fold[0]), results)
        if int(unit) >= len(kept):
            return []
        item = kept[int(unit)]
        return self.members[item] if self.stages[stage - 1].kind == "groups" else [item]

    def kept(self, stage: int, repeat: int, fold: int, results: Mapping[str, Any]) -> list[int]:
        """Return the groups or candidates that stay after a stage in a fold, the best first."""
        kind, _, _, n_kept = self.stages[stage]
        own = self._scores(stage, repeat, fold, results)
        common = self.effects(stage, repeat, fold, results)
        score: dict[int, float] = {}
        for candidate, value in own.items():
            item = self._group_of(candidate) if kind == "groups" else candidate
            score[item] = max(score.get(item, -1.0), round(value + common[candidate], _DIGITS))
        return sorted(score, key=lambda item: (-score[item], item))[:n_kept]

    def effects(
        self, stage: int, repeat: int, fold: int, results: Mapping[str, Any]
    ) -> dict[int, float]:
        """Return the sum of main effects for every candidate that is compared in a stage.

        Where another stage compared more candidates, its scores decide.

        Parameters
        ----------
        stage : int
            Of the SVM, or an earlier one.
        repeat, fold : int
        results : mapping
            From places to results.

        Returns
        -------
        dict from number of a candidate to float
        """
        while stage and self.stages[stage - 1].kind == "candidates":
            stage -= 1
        if self.stages[stage].kind == "svm":
            return {}
        scores = self._scores(stage, repeat, fold, results)
        numbers = list(scores)
        fitted = main_effects([self._facts[c] for c in numbers], np.array(list(scores.values())))
        return dict(zip(numbers, fitted.tolist(), strict=True))

    def _scores(
        self, stage: int, repeat: int, fold: int, results: Mapping[str, Any]
    ) -> dict[int, float]:
        """Return the share of right predictions of every candidate, in the order of candidates."""
        kind, _, n_units, _ = self.stages[stage]
        score: dict[int, float] = {}
        for unit in range(n_units):
            if kind == "groups":
                found = results[f"{stage}/{repeat}/{unit}"]
                values, n = found["scores"][fold], found["n_graphs"][fold]
            else:
                found = results[f"{stage}/{repeat}/{fold}/{unit}"]
                values, n = found["scores"], found["n_graphs"]
            score |= {c: x / n for c, x in zip(found["choices"], values, strict=True)}
        return dict(sorted(score.items()))

    def _group_of(self, candidate: int) -> int:
        return self.spec.groups[self.choices[candidate].setting]

    @cached_property
    def _facts(self) -> list[dict[str, Any]]:
        """All that tells the candidates apart, by name."""
        settings = [self.spec.parameters(setting) for setting in range(len(self.spec.settings))]
        return [{"T": one.T, "levels": one.levels, **settings[one.setting]} for one in self.choices]

    def seconds(self, repeat: int, fold: int, results: Mapping[str, Any]) -> float:
        """Return the time that the stages before the SVM took for a fold."""
        total = 0.0
        for s, stage in enumerate(self.stages[:-1]):
            if stage.kind == "groups":
                places = [f"{s}/{repeat}/{unit}" for unit in range(stage.n_units)]
                share = 1 / self.protocol.n_folds
            else:
                places, share = [f"{s}/{repeat}/{fold}/{u}" for u in range(stage.n_units)], 1.0
            total += share * sum(results[place]["seconds"] for place in places)
        return total

    def check(self) -> None:
        """Raise unless the matrices of one run of the kernel, and those held, fit into memory."""
        if self.protocol.solver == "linear":
            return
        matrix = 8 * self.n_graphs**2
        check_memory(
            (max(self.protocol.iterations) + 6) * matrix + max(_BYTES, matrix),
            f"Choosing among the kernel matrices of {self.n_graphs} graphs",
            "Use solver='linear', or fewer graphs or iterations.",
        )


def main_effects(facts: Sequence[Mapping[str, Any]], scores: FloatArray) -> FloatArray:
    """Return the sums of one number for every fact that fit the scores best.

    Parameters
    ----------
    facts : sequence of mappings
        From names to values, of every candidate; a name may be missing.
    scores : ndarray of shape (n,)

    Returns
    -------
    ndarray of shape (n,)
        The least-squares fit.

    Examples
    --------
    >>> facts = [{"T": 1, "a": 0}, {"T": 1, "a": 1}, {"T": 2, "a": 0}, {"T": 2, "a": 1}]
    >>> main_effects(facts, np.array([0.0, 1.0, 2.0, 4.0])).round(6).tolist()
    [-0.25, 1.25, 2.25, 3.75]
    """
    names = sorted({name for one in facts for name in one})
    columns = [
        [str(one.get(name)) == value for one in facts]
        for name in names
        for value in sorted({str(one.get(name)) for one in facts})
    ]
    table = np.array([[True] * len(facts), *columns], dtype=np.float64).T
    fitted: FloatArray = table @ np.linalg.lstsq(table, scores, rcond=None)[0]
    return fitted


def leave_one_out_score(kernel: FloatArray, classes: IntArray) -> float:
    """Return how well a kernel predicts the class of each graph from all others.

    Parameters
    ----------
    kernel : ndarray of shape (n, n)
        Positive semidefinite, with a mean diagonal of about 1.
    classes : ndarray of shape (n,)
        Numbers.

    Returns
    -------
    float
        Right predictions of the least-squares classifier with the best λ, plus a number below 1
        that is larger for smaller squared errors.

    Examples
    --------
    >>> kernel = np.kron(np.eye(2), np.ones((3, 3)))
    >>> int(leave_one_out_score(kernel, np.array([0, 0, 0, 1, 1, 1])))
    6
    >>> int(leave_one_out_score(np.ones((4, 4)), np.array([0, 1, 1, 1])))
    3
    """
    known, codes = np.unique(classes, return_inverse=True)
    if len(known) < 2:
        return 0.0
    targets = np.where(codes[:, np.newaxis] == np.arange(len(known)), 1.0, -1.0)
    best = 0.0
    for ridge in _RIDGES:
        system = kernel + 1.0
        system[np.diag_indices(len(system))] += ridge
        factor, failed = lapack.dpotrf(system, lower=1, overwrite_a=1)
        if failed:
            continue
        inverse, _ = lapack.dpotri(factor, lower=1, overwrite_c=1)
        inverse = np.tril(inverse) + np.tril(inverse, -1).T
        errors = (inverse @ targets) / inverse.diagonal()[:, np.newaxis]
        predicted = np.round(targets - errors, _DIGITS)
        right = int(np.count_nonzero(predicted.argmax(axis=1) == codes))
        loss = round(float(np.mean(errors**2)), _DIGITS)
        best = max(best, right + 1.0 / (2.0 + loss))
    return best


def scores_of(
    matrices: Sequence[FloatArray], classes: IntArray, some: IntArray | None = None
) -> list[float]:
    """Return the scores of several kernels on some of the graphs.

    Parameters
    ----------
    matrices : sequence of ndarray of shape (n, n)
    classes : ndarray of shape (n,)
    some : ndarray of int, optional
        The graphs that count; default: all.

    Returns
    -------
    list of float
    """
    if some is None:
        return [leave_one_out_score(matrix, classes) for matrix in matrices]
    return [leave_one_out_score(matrix[np.ix_(some, some)], classes[some]) for matrix in matrices]
