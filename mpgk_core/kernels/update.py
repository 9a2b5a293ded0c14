"""The paper's update: its parameters, its definition, and the closed forms that the engine uses.

Message passing starts from k^0(v, u) = ⟨x_v, x_u⟩ and repeats T times (Equation 2)

    k^(t+1)(v, u) = α k^t(v, u) + β k_N(N(v), N(u)).

Two kernels k_N between neighbourhoods can be put in:

- R, the sum over all pairs (Equation 6): k_N(S, S') = Σ_{v in S} Σ_{u in S'} k^t(v, u);
- A, the optimal assignment (Equation 7): k_N(S, S') = max Σ k_s(v, π(v)), over all ways π to give
  every member of the smaller set a partner of its own in the larger one; k_s is the strong kernel
  of a hierarchy that was grown from k^t.

A kernel between graphs compares their sets of vertices after T rounds (Equation 3), again by
R (Equation 8) or by A (Equation 9). These definitions compare all pairs. They serve small inputs,
and tests measure the engine by them; the engine itself uses explicit feature maps
(:mod:`mpgk_core.kernels.blocks`), which follow from the closed forms below.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, TypeVar

import numpy as np
from scipy.optimize import linear_sum_assignment

from mpgk_core.arrays import FloatArray
from mpgk_core.checks import check_choice, check_flag, check_message_passing
from mpgk_core.errors import KernelOverflowError
from mpgk_core.graphs.feature_names import check_features
from mpgk_core.graphs.neighbourhoods import check_edges, edges_for

_MAX_SPELLED_FEATURES = 2


@dataclass(frozen=True)
class KernelParameters:
    """All parameters of a message passing kernel, checked.

    Everything that carries parameters (kernels, studies, sessions, lessons, sweeps, pages) carries
    this.

    Parameters
    ----------
    neighbourhood, alpha, beta, n_iterations, features, normalize, branching, depth
        As for :class:`~mpgk_core.kernels.MessagePassingNodeKernel`.
    random_state, edges
        As for :class:`~mpgk_core.kernels.MessagePassingNodeKernel`.

    Examples
    --------
    >>> KernelParameters(n_iterations=2, features="degree").file_parts()
    ['alpha0.8', 'beta0.2', 'T2', 'degree']
    >>> KernelParameters(alpha=-1)
    Traceback (most recent call last):
        ...
    mpgk_core.errors.InvalidParameterError: The 'alpha' parameter of KernelParameters must be a
    finite number of at least 0. Got -1 instead.
    """

    neighbourhood: str = "R"
    alpha: float = 0.8
    beta: float = 0.2
    n_iterations: int = 5
    features: Any = "auto"
    normalize: bool = False
    branching: int = 4
    depth: int = 8
    random_state: int = 0
    edges: str = "ignore"

    def __post_init__(self) -> None:
        owner = type(self).__name__
        check_choice(self.neighbourhood, ("R", "A"), "neighbourhood", owner)
        check_flag(self.normalize, "normalize", owner)
        check_message_passing(self)
        check_features(self.features)
        check_edges(self.edges, can_multiply=self.neighbourhood == "R")
        for key in ("alpha", "beta"):
            object.__setattr__(self, key, float(getattr(self, key)))
        for key in ("n_iterations", "branching", "depth", "random_state"):
            object.__setattr__(self, key, int(getattr(self, key)))

    def settings(self) -> dict[str, Any]:
        """Return the parameters by name."""
        return asdict(self)

    def compared_by(self, neighbourhood: str) -> KernelParameters:
        """Return the same with neighbourhoods compared by R or A, which takes weights in bins."""
        edges = edges_for(self.edges, can_multiply=neighbourhood == "R")
        return replace(self, neighbourhood=neighbourhood, edges=edges)

    def passing(self) -> dict[str, Any]:
        """Return the parameters that kernels between vertices and between graphs share."""
        own = ("neighbourhood", "normalize")
        return {key: value for key, value in asdict(self).items() if key not in own}

    def file_parts(self) -> list[str]:
        """Return what a file name says of how messages are passed; many features are counted."""
        features = str(self.features)
        n_features = features.count("+") + features.count(",") + 1
        parts = [
            f"alpha{self.alpha:g}",
            f"beta{self.beta:g}",
            f"T{self.n_iterations}",
            features if n_features <= _MAX_SPELLED_FEATURES else f"{n_features}features",
        ]
        return [*parts, *filter(None, [edges_part(self.edges)])]


def edges_part(edges: str) -> str:
    """Return the part of a file name that says what is used of edges; empty if nothing is.

    Examples
    --------
    >>> edges_part("labels+both")
    'edges-labels+both'
    """
    return "" if edges == "ignore" else f"edges-{edges}"


def derived_seed(random_state: int, purpose: str, t: int) -> int:
    """Return a 63-bit seed that depends on the user's seed, the purpose and the round.

    Parameters
    ----------
    random_state : int
        The user's seed.
    purpose : str
        What the random numbers are for.
    t : int
        The round.

    Returns
    -------
    int
    """
    sequence = np.random.SeedSequence([random_state, zlib.crc32(purpose.encode()), t])
    return int(sequence.generate_state(1, np.uint64)[0] >> np.uint64(1))


_Values = TypeVar("_Values", float, FloatArray)


def update(previous: _Values, neighbourhoods: _Values, alpha: float, beta: float) -> _Values:
    """Return k^(t+1) = α k^t + β k_N (Equation 2), for one pair of vertices or for many.

    Parameters
    ----------
    previous : float or ndarray
        k^t.
    neighbourhoods : float or ndarray
        k_N, of the same shape.
    alpha, beta : float

    Returns
    -------
    float or ndarray
    """
    return alpha * previous + beta * neighbourhoods


def convolution(similarity: FloatArray) -> float:
    """Return the sum over all pairs of two sets: R in Equations 6 and 8."""
    return float(similarity.sum())


def assignment(similarity: FloatArray) -> float:
    """Return the value of the best assignment between two sets: A in Equations 7 and 9."""
    rows, columns = linear_sum_assignment(similarity, maximize=True)
    return float(similarity[rows, columns].sum())


SET_KERNELS: Mapping[str, Callable[[FloatArray], float]] = {"R": convolution, "A": assignment}
"""The two ways to compare sets of vertices."""


def set_kernel(similarity: FloatArray, sets: Sequence[Any], way: str) -> FloatArray:
    """Compare sets of vertices: neighbourhoods (k_N), or the vertices of graphs (Equation 3).

    Parameters
    ----------
    similarity : ndarray of shape (n, n)
        Between vertices: k^t for R, the strong kernel k_s for A.
    sets : sequence of m sequences of int
        The vertices of each set.
    way : {"R", "A"}

    Returns
    -------
    ndarray of shape (m, m)

    Examples
    --------
    >>> similarity = np.array([[2.0, 1.0], [1.0, 2.0]])
    >>> set_kernel(similarity, [[0], [0, 1]], "R").tolist()
    [[2.0, 3.0], [3.0, 6.0]]
    >>> set_kernel(similarity, [[0], [0, 1]], "A").tolist()
    [[2.0, 2.0], [2.0, 4.0]]
    """
    compare = SET_KERNELS[way]
    values = [[compare(similarity[np.ix_(a, b)]) for b in sets] for a in sets]
    return np.array(values).reshape(len(sets), len(sets))


def node_kernels(
    start: FloatArray,
    neighbours: Sequence[Any],
    parameters: KernelParameters,
    strong_kernels: Sequence[FloatArray] = (),
) -> list[FloatArray]:
    """Return k^0, ..., k^T as Equation 2 defines them, with Equation 6 (R) or 7 (A) put in.

    Parameters
    ----------
    start : ndarray of shape (n, n)
        k^0.
    neighbours : sequence of n sequences of int
        The neighbours of every vertex.
    parameters : KernelParameters
    strong_kernels : sequence of ndarray of shape (n, n)
        k_s of the hierarchies of rounds 0..T-1 (A only).

    Returns
    -------
    list of ndarray of shape (n, n)

    Examples
    --------
    The path 0 - 1 - 2, from equal vertices:

    >>> once = KernelParameters(alpha=0.5, beta=1.0, n_iterations=1)
    >>> node_kernels(np.ones((3, 3)), [[1], [0, 2], [1]], once)[1].tolist()
    [[1.5, 2.5, 1.5], [2.5, 4.5, 2.5], [1.5, 2.5, 1.5]]
    """
    way, kernels = parameters.neighbourhood, [start]
    for t in range(parameters.n_iterations):
        similarity = strong_kernels[t] if way == "A" else kernels[t]
        k_n = set_kernel(similarity, neighbours, way)
        kernels.append(update(kernels[t], k_n, parameters.alpha, parameters.beta))
    return kernels


def convolution_coefficients(n_iterations: int, alpha: float, beta: float) -> FloatArray:
    """Unroll Equation 6 into a closed form.

    Summed over all pairs of neighbours, k_N is A K A with the adjacency matrix A, so one round
    maps K to αK + βAKA. The two parts commute; with K^0 = X Xᵀ the binomial theorem gives

        K^t = Σ_j C(t, j) α^(t-j) β^j (A^j X)(A^j X)ᵀ.

    So [ √(C(t, j) α^(t-j) β^j) A^j X ], j = 0..t, is an explicit feature map, made by t products
    of a sparse matrix with X instead of a comparison of all pairs.

    Parameters
    ----------
    n_iterations : int
        T.
    alpha, beta : float

    Returns
    -------
    ndarray of shape (T + 1, T + 1)
        Entry (t, j) belongs to the block (A^j X)(A^j X)ᵀ.

    Examples
    --------
    >>> convolution_coefficients(2, 0.5, 1.0)
    array([[1.  , 0.  , 0.  ],
           [0.5 , 1.  , 0.  ],
           [0.25, 1.  , 1.  ]])
    """

    def coefficient(t: int, j: int) -> float:
        return math.comb(t, j) * alpha ** (t - j) * beta**j if j <= t else 0.0

    return _table(coefficient, n_iterations, alpha, beta)


def assignment_coefficients(n_iterations: int, alpha: float, beta: float) -> FloatArray:
    """Unroll Equation 7, where k_N of round s has a block of its own, into a closed form.

        K^t = α^t K^0 + Σ_{s<t} α^(t-1-s) β K_N^s.

    K_N^s = Σ_c ω(c) min(h_c, h'_c) counts the neighbours in the tree nodes c of the hierarchy of
    round s, and a minimum of counts is the dot product of their unary codes: see
    :mod:`mpgk_core.kernels.assignment`.

    Parameters
    ----------
    n_iterations : int
        T.
    alpha, beta : float

    Returns
    -------
    ndarray of shape (T + 1, T + 1)
        Column 0 belongs to K^0, column s + 1 to the neighbourhood kernel of round s.

    Examples
    --------
    >>> assignment_coefficients(2, 0.5, 1.0)
    array([[1.  , 0.  , 0.  ],
           [0.5 , 1.  , 0.  ],
           [0.25, 0.5 , 1.  ]])
    """

    def coefficient(t: int, column: int) -> float:
        if column == 0:
            return float(alpha) ** t
        return float(alpha) ** (t - column) * beta if column <= t else 0.0

    return _table(coefficient, n_iterations, alpha, beta)


def _table(
    coefficient: Callable[[int, int], float], n_iterations: int, alpha: float, beta: float
) -> FloatArray:
    rounds = range(n_iterations + 1)
    try:
        table = [[coefficient(t, block) for block in rounds] for t in rounds]
        return np.array(table, dtype=np.float64)
    except OverflowError as error:
        raise KernelOverflowError(
            f"With alpha={alpha} and beta={beta}, {n_iterations} iterations lead beyond the range "
            "of floating-point numbers. Choose fewer iterations, or alpha + beta near 1."
        ) from error
