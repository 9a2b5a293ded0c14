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
share the matrices: one run of a kernel serves all folds, and so does one inverse. Where P are the
graphs that a fold leaves out and Q is the inverse of H for all graphs of the sample, that of the
others is a block of Q - Q_P (Q_PP)⁻¹ Q_Pᵀ.
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
    n_kept : int
        How many of what is compared stay.
    """

    kind: str
    n_graphs: int | None
    n_kept: int


@dataclass(frozen=True)
class Search:
    """How the folds of one kernel choose, as units of work that depend on earlier ones.

    A unit has a place: stage, repetition, and then the group, or for the SVM the fold and the rank
    of the candidate among those that stayed in it.

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
        stages = []
        if len(self.members) > _GROUPS_KEPT:
            stages.append(Stage("groups", self._sample_size(0), _GROUPS_KEPT))
        is_large = self.n_graphs > _MANY
        kept = min(_KEPT_BY_MANY if is_large else _KEPT, len(self.choices))
        stages.append(Stage("candidates", self._sample_size(1), kept))
        if is_large:
            stages.append(Stage("candidates", self._sample_size(2), _KEPT_AT_LAST))
        return [*stages, Stage("svm", None, 1)]

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

    @cached_property
    def representatives(self) -> list[list[int]]:
        """Few candidates of every group: the least and the most rounds, plain and Gaussian."""
        found = []
        for members in self.members:
            settings = sorted({self.choices[c].setting for c in members})
            curved = [s for s in settings if self.spec.shape(s).gaussian is not None]
            chosen = {settings[0], *curved[:1]}
            rounds = {self.choices[c].T for c in members}
            ends = {min(rounds, key=lambda T: T or 0), max(rounds, key=lambda T: T or 0)}
            found.append(
                [
                    c
                    for c in members
                    if self.choices[c].setting in chosen and self.choices[c].T in ends
                ]
            )
        return found

    @cached_property
    def places(self) -> list[list[str]]:
        """The places of all units of every stage."""
        repeats = range(self.protocol.n_repeats)
        found = [
            [
                f"{stage}/{repeat}/{group}"
                for repeat in repeats
                for group in range(len(self.members))
            ]
            for stage in range(len(self.stages) - 1)
        ]
        folds = [(repeat, fold) for repeat in repeats for fold in range(self.protocol.n_folds)]
        return [*found, [place for fold in folds for place in self.svm_places(*fold)]]

    def svm_places(self, repeat: int, fold: int) -> list[str]:
        """Return the places of the units at the end of a fold."""
        last = len(self.stages) - 1
        return [f"{last}/{repeat}/{fold}/{i}" for i in range(self.stages[last - 1].n_kept)]

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
            ``needed`` has the candidates to compare: those of every fold or, for the SVM, those
            of its one fold, and those whose matrices to make with them.
        """
        units: list[tuple[str, dict[str, Any]]] = []
        for repeat in range(self.protocol.n_repeats):
            folds = [
                self._wanted(stage, repeat, fold, results) for fold in range(self.protocol.n_folds)
            ]
            if self.stages[stage].kind != "svm":
                by_group: list[list[list[int]]] = [[[] for _ in folds] for _ in self.members]
                for fold, some in enumerate(folds):
                    for candidate in some:
                        by_group[self._group_of(candidate)][fold].append(candidate)
                units += [
                    (f"{stage}/{repeat}/{group}", {"folds": some})
                    for group, some in enumerate(by_group)
                ]
                continue
            for fold, some in enumerate(folds):
                places = self.svm_places(repeat, fold)
                chosen = [[c] for c in some] + [[]] * (len(places) - len(some))
                units += [
                    (place, {"choices": one}) for place, one in zip(places, chosen, strict=True)
                ]
        if self.stages[stage].kind == "svm":
            made = self._made_together({c for _, needed in units for c in needed["choices"]})
            for _, needed in units:
                needed["made"] = made[needed["choices"][0]] if needed["choices"] else []
            units.sort(key=lambda unit: unit[1]["made"])
        return units

    def _made_together(self, chosen: set[int]) -> dict[int, list[int]]:
        """Return for each candidate those whose matrices are made and held with its own."""
        of_group: dict[int, list[int]] = {}
        for candidate in sorted(chosen):
            of_group.setdefault(self._group_of(candidate), []).append(candidate)
        most = max(_BYTES // (8 * self.n_graphs**2), 1)
        parts = [
            some[i : i + most] for some in of_group.values() for i in range(0, len(some), most)
        ]
        return {candidate: part for part in parts for candidate in part}

    def _wanted(self, stage: int, repeat: int, fold: int, results: Mapping[str, Any]) -> list[int]:
        """Return the candidates that a fold compares in a stage."""
        if self.stages[stage].kind == "groups":
            return [candidate for some in self.representatives for candidate in some]
        if stage == 0:
            return list(range(len(self.choices)))
        kept = self.kept(stage - 1, repeat, fold, results)
        if self.stages[stage - 1].kind == "groups":
            return [candidate for group in kept for candidate in self.members[group]]
        return kept

    def kept(self, stage: int, repeat: int, fold: int, results: Mapping[str, Any]) -> list[int]:
        """Return the groups or candidates that stay after a stage in a fold, the best first."""
        kind, _, n_kept = self.stages[stage]
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
        score: dict[int, float] = {}
        for group in range(len(self.members)):
            found = results[f"{stage}/{repeat}/{group}"]
            if found:
                score |= {int(c): x for c, x in found["shares"][fold].items()}
        return dict(sorted(score.items()))

    def _group_of(self, candidate: int) -> int:
        return self.spec.groups[self.choices[candidate].setting]

    @cached_property
    def _facts(self) -> list[dict[str, Any]]:
        """All that tells the candidates apart, by name."""
        settings = [self.spec.parameters(setting) for setting in range(len(self.spec.settings))]
        return [{"T": one.T, "levels": one.levels, **settings[one.setting]} for one in self.choices]

    def seconds(self, repeat: int, results: Mapping[str, Any]) -> float:
        """Return the time that the stages before the SVM took for a fold of a repetition."""
        places = [
            f"{stage}/{repeat}/{group}"
            for stage in range(len(self.stages) - 1)
            for group in range(len(self.members))
        ]
        total = sum(results[place].get("seconds", 0.0) for place in places)
        return float(total) / self.protocol.n_folds

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


class TrainingPart(NamedTuple):
    """The graphs of a sample that a fold trains on.

    Attributes
    ----------
    targets : ndarray of shape (n, n_classes)
        1 in the column of the class of a graph and -1 in the others; zeros where it is left out.
    codes : ndarray of shape (m,)
        The classes of those that count, from 0.
    some, others : ndarray of int
        Those that count, and those that are left out.
    """

    targets: FloatArray
    codes: IntArray
    some: IntArray
    others: IntArray

    @classmethod
    def of(cls, classes: IntArray, some: IntArray) -> TrainingPart:
        """Return the part of a sample of n graphs; classes of others are not looked at."""
        known, codes = np.unique(classes[some], return_inverse=True)
        targets = np.zeros((len(classes), len(known)))
        targets[some] = np.where(codes[:, np.newaxis] == np.arange(len(known)), 1.0, -1.0)
        others = np.setdiff1d(np.arange(len(classes)), some)
        return cls(targets, codes.astype(np.int64), some, others)


def leave_one_out_scores(kernel: FloatArray, parts: Sequence[TrainingPart]) -> list[float]:
    """Return how well a kernel predicts the class of each graph from all others.

    Parameters
    ----------
    kernel : ndarray of shape (n, n)
        Positive semidefinite, with a mean diagonal of about 1.
    parts : sequence of TrainingPart

    Returns
    -------
    list of float
        For each part the right predictions of the least-squares classifier with the best λ, plus
        a number below 1 that is larger for smaller squared errors.

    Examples
    --------
    >>> kernel, classes = np.kron(np.eye(2), np.ones((3, 3))), np.array([0, 0, 0, 1, 1, 0])
    >>> parts = [TrainingPart.of(classes, np.arange(n)) for n in (5, 6)]
    >>> [int(score) for score in leave_one_out_scores(kernel, parts)]
    [5, 3]
    """
    n = len(kernel)
    best = [0.0] * len(parts)
    for ridge in _RIDGES:
        system = kernel + 1.0
        system.flat[:: n + 1] += ridge
        factor, failed = lapack.dpotrf(system, lower=1, overwrite_a=1)
        if failed:
            continue
        lower, _ = lapack.dpotri(factor, lower=1, overwrite_c=1)  # zeros above the diagonal
        inverse = lower + lower.T
        inverse.flat[:: n + 1] /= 2
        for number, (targets, codes, some, others) in enumerate(parts):
            weights, own = inverse @ targets, inverse.diagonal()
            if len(others):
                rows = inverse[others]
                known = np.hstack([rows, weights[others]])
                _, solved, failed = lapack.dposv(rows[:, others], known, overwrite_a=1)
                if failed:
                    continue
                weights -= rows.T @ solved[:, n:]
                own = own - np.einsum("ij,ij->j", rows, solved[:, :n])
            errors = weights[some] / own[some, np.newaxis]
            predicted = np.round(targets[some] - errors, _DIGITS)
            right = int(np.count_nonzero(predicted.argmax(axis=1) == codes))
            loss = round(float(np.mean(errors**2)), _DIGITS)
            best[number] = max(best[number], right + 1.0 / (2.0 + loss))
    return [
        score if part.targets.shape[1] > 1 else 0.0 for score, part in zip(best, parts, strict=True)
    ]
