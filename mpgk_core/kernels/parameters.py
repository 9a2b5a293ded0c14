"""The parameters of a message passing kernel, as one checked value, and the seeds made of them."""

from __future__ import annotations

import zlib
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from mpgk_core.graphs.initial_features import check_features
from mpgk_core.parameters import check_choice, check_flag, check_message_passing

_MAX_SPELLED_FEATURES = 2


@dataclass(frozen=True)
class KernelParameters:
    """All parameters of a message passing kernel, checked.

    Everything that carries parameters (kernels, studies, sessions, lessons, sweeps, pages) carries
    this.

    Parameters
    ----------
    neighbourhood, alpha, beta, n_iterations, features, normalize, branching, depth, random_state
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

    def __post_init__(self) -> None:
        owner = type(self).__name__
        check_choice(self.neighbourhood, ("R", "A"), "neighbourhood", owner)
        check_flag(self.normalize, "normalize", owner)
        check_message_passing(self)
        check_features(self.features)
        for key in ("alpha", "beta"):
            object.__setattr__(self, key, float(getattr(self, key)))
        for key in ("n_iterations", "branching", "depth", "random_state"):
            object.__setattr__(self, key, int(getattr(self, key)))

    def settings(self) -> dict[str, Any]:
        """Return the parameters by name."""
        return asdict(self)

    def passing(self) -> dict[str, Any]:
        """Return the parameters that kernels between vertices and between graphs share."""
        own = ("neighbourhood", "normalize")
        return {key: value for key, value in asdict(self).items() if key not in own}

    def file_parts(self) -> list[str]:
        """Return what a file name says of how messages are passed; many features are counted."""
        features = str(self.features)
        n_features = features.count("+") + features.count(",") + 1
        return [
            f"alpha{self.alpha:g}",
            f"beta{self.beta:g}",
            f"T{self.n_iterations}",
            features if n_features <= _MAX_SPELLED_FEATURES else f"{n_features}features",
        ]


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
