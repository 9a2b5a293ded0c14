"""Ridge regression on explicit maps: exactly, or by conjugate gradients, never N × N for large N.

Targets are standardised before they come here, and a mean function is subtracted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from scipy.linalg import eigh

from mpgk_core.arrays import FloatArray
from mpgk_core.checks import check_memory, check_whole
from mpgk_core.evaluation.regression.models import (
    PENALTIES,
    Best,
    Data,
    Learnt,
    Model,
    check_positive_values,
)
from mpgk_core.evaluation.regression.scaled_rows import ScaledRows

_EXACT_UP_TO = 3000
_TOLERANCE = 1e-6
_MAX_STEPS = 1000
_NEIGHBOURS = (0.1, 1.0, 10.0)
_DESCENT_TOLERANCE = 1e-4


def ridge_path(
    rows: ScaledRows, targets: FloatArray, penalties: Sequence[float]
) -> list[FloatArray]:
    """Return the weights w with the least ‖y - X w‖² + λ ‖w‖², for every λ.

    By the eigenvectors of X Xᵀ or of Xᵀ X, whichever is smaller:

        w = Xᵀ (X Xᵀ + λ I)⁻¹ y = (Xᵀ X + λ I)⁻¹ Xᵀ y.

    Parameters
    ----------
    rows : ScaledRows
        n rows X with d columns, of which the smaller number is a few thousand.
    targets : ndarray of shape (n, k)
    penalties : sequence of float
        The λ, all above 0.

    Returns
    -------
    list of ndarray of shape (d, k)
        In the order of the penalties.

    Examples
    --------
    >>> rows = ScaledRows.of_training(np.array([[0.0], [2.0]]))
    >>> [w.item() for w in ridge_path(rows, np.array([[-1.0], [1.0]]), [2.0, 6.0])]
    [0.5, 0.25]
    """
    n, d = rows.shape
    check_memory(
        4 * 8 * min(n, d) ** 2,
        f"A matrix of {min(n, d):,} x {min(n, d):,} products",
        "Learn from fewer graphs.",
    )
    if d <= n:
        dense = rows.dense()
        values, vectors = eigh(dense.T @ dense)
        inner = vectors.T @ (dense.T @ targets)
        return [vectors @ (inner / _shifted(values, penalty)) for penalty in penalties]
    values, vectors = eigh(rows.products(rows))
    inner = vectors.T @ targets
    return [
        rows.transposed_times(vectors @ (inner / _shifted(values, penalty)))
        for penalty in penalties
    ]


def _shifted(values: FloatArray, penalty: float) -> FloatArray:
    found: FloatArray = (np.maximum(values, 0.0) + penalty)[:, np.newaxis]
    return found


class Descent(NamedTuple):
    """Weights found by conjugate gradients.

    Attributes
    ----------
    weights : ndarray of shape (d, k)
    n_steps : int
    residual : float
        The largest of ‖b - A w‖ / ‖b‖ over the targets.
    """

    weights: FloatArray
    n_steps: int
    residual: float


def ridge_by_descent(
    rows: ScaledRows,
    targets: FloatArray,
    penalties: FloatArray,
    start: FloatArray | None = None,
    tolerance: float = _TOLERANCE,
    max_steps: int = _MAX_STEPS,
) -> Descent:
    """Solve (Xᵀ X + λ I) w = Xᵀ y by conjugate gradients, one λ for every target.

    Needs neither an n × n nor a d × d matrix: a step is one product with X and one with Xᵀ.
    Preconditioned by the diagonal (Hestenes & Stiefel 1952; Jacobi).

    Parameters
    ----------
    rows : ScaledRows
        n rows X with d columns.
    targets : ndarray of shape (n, k)
    penalties : ndarray of shape (k,)
    start : ndarray of shape (d, k), optional
        Weights to start from.
    tolerance : float
        Of the residual, at which a target is done.
    max_steps : int

    Returns
    -------
    Descent

    Examples
    --------
    >>> rows = ScaledRows.of_training(np.array([[0.0, 1.0], [2.0, 1.0], [4.0, 0.0]]))
    >>> y = np.array([[-1.0], [0.0], [1.0]])
    >>> found = ridge_by_descent(rows, y, np.array([0.1]))
    >>> bool(np.allclose(found.weights, ridge_path(rows, y, [0.1])[0])), found.n_steps
    (True, 2)
    """
    squares = np.asarray(rows.rows.multiply(rows.rows).sum(axis=0)).ravel()
    diagonal = (squares - len(targets) * rows.mean**2) / rows.scale**2
    preconditioner = np.maximum(diagonal, 0.0)[:, np.newaxis] + penalties
    wanted = rows.transposed_times(targets)
    lengths = np.maximum(np.linalg.norm(wanted, axis=0), 1e-300)
    weights = np.zeros_like(wanted) if start is None else start.copy()
    rest = wanted.copy()
    if start is not None:
        rest -= rows.transposed_times(rows.times(weights)) + penalties * weights
    turned = rest / preconditioner
    direction, power = turned.copy(), np.einsum("dk,dk->k", rest, turned)
    steps = 0
    while steps < max_steps:
        active = np.flatnonzero(np.linalg.norm(rest, axis=0) > tolerance * lengths)
        if not len(active):
            break
        way = direction[:, active]
        image = rows.transposed_times(rows.times(way)) + penalties[active] * way
        step = power[active] / np.einsum("dk,dk->k", way, image)
        weights[:, active] += step * way
        rest[:, active] -= step * image
        turned[:, active] = rest[:, active] / preconditioner[:, active]
        renewed = np.einsum("dk,dk->k", rest[:, active], turned[:, active])
        direction[:, active] = turned[:, active] + renewed / power[active] * way
        power[active] = renewed
        steps += 1
    residual = float((np.linalg.norm(rest, axis=0) / lengths).max(initial=0.0))
    return Descent(weights, steps, residual)


def is_small(rows: ScaledRows) -> bool:
    """Return whether all λ can be solved at once, by eigenvectors."""
    return min(rows.shape) <= _EXACT_UP_TO


@dataclass(frozen=True)
class Ridge(Model):
    """Ridge regression on explicit rows, without an N × N matrix.

    Minimises ‖y - X w‖² + λ ‖w‖². Where neither side of X exceeds a few thousand, all λ are solved
    exactly. Else λ is chosen in the same way on a sample of the training graphs, and, with a tenth
    and ten times of it, solved for all graphs by conjugate gradients.

    Parameters
    ----------
    penalties : tuple of float
        The λ to choose from.
    n_pilot : int
        Size of the sample; at most 3,000.
    """

    penalties: tuple[float, ...] = PENALTIES
    n_pilot: int = 3000

    def __post_init__(self) -> None:
        check_positive_values(self.penalties, "penalties", "Ridge")
        check_whole(self.n_pilot, 2, "n_pilot", "Ridge", maximum=_EXACT_UP_TO)

    def fit(self, data: Data) -> Learnt:
        """Learn the weights."""
        rows = ScaledRows.of_training(data.rows)
        validation = rows.like(data.validation_rows)
        if is_small(rows):
            paths = ridge_path(rows, data.targets, self.penalties)
            best = Best(data, rows.shape[1])
            for penalty, weights in zip(self.penalties, paths, strict=True):
                best.offer(validation.times(weights), {"lambda": penalty}, weights)
            return _linear(rows, best, {})
        pilot = data.sample(self.n_pilot, "pilot")
        first = Best(data, rows.shape[1])
        paths = ridge_path(rows.chosen(pilot), data.targets[pilot], self.penalties)
        for penalty, weights in zip(self.penalties, paths, strict=True):
            first.offer(validation.times(weights), {"lambda": penalty}, weights)
        middle = np.array([chosen["lambda"] for chosen in first.chosen])
        best, start = Best(data, rows.shape[1]), first.weights
        for factor in sorted(_NEIGHBOURS, reverse=True):
            found = ridge_by_descent(
                rows, data.targets, factor * middle, start, tolerance=_DESCENT_TOLERANCE
            )
            start = found.weights
            facts = [
                {"lambda": factor * one, "steps": found.n_steps, "residual": found.residual}
                for one in middle.tolist()
            ]
            best.offer(validation.times(start), facts, start)
        return _linear(rows, best, {"pilot": len(pilot)})


def _linear(rows: ScaledRows, best: Best, facts: Mapping[str, Any]) -> Learnt:
    """Return a linear model with its weights for the rows as they came."""
    plain = best.weights / rows.scale
    shift = rows.mean @ plain
    chosen = [{**facts, **of_target} for of_target in best.chosen]
    return Learnt(chosen, lambda new: (new @ plain - shift, None), plain)
