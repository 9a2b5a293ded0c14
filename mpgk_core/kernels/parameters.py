"""The parameters of a message passing kernel, as one checked value."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from mpgk_core.graphs.initial_features import FEATURE_NAMES
from mpgk_core.parameters import check_choice, check_flag, check_message_passing

_MAX_SPELLED_FEATURES = 2


@dataclass(frozen=True)
class KernelParameters:
    """All parameters of a message passing kernel, checked.

    Everything that carries parameters (studies, sessions, lessons, sweeps, pages) carries this.

    Parameters
    ----------
    neighbourhood, alpha, beta, n_iterations, features, normalize, branching, depth, random_state
        As for :class:`~mpgk_core.kernels.MessagePassingNodeKernel`; features must be a text.

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
    features: str = "auto"
    normalize: bool = False
    branching: int = 4
    depth: int = 8
    random_state: int = 0

    def __post_init__(self) -> None:
        owner = type(self).__name__
        check_choice(self.neighbourhood, ("R", "A"), "neighbourhood", owner)
        check_flag(self.normalize, "normalize", owner)
        check_message_passing(self)
        features = str(self.features)
        for part in features.replace(",", "+").split("+") if features != "auto" else ():
            check_choice(part.strip(), FEATURE_NAMES, "features", owner)
        object.__setattr__(self, "features", features)
        for key in ("alpha", "beta"):
            object.__setattr__(self, key, float(getattr(self, key)))
        for key in ("n_iterations", "branching", "depth", "random_state"):
            object.__setattr__(self, key, int(getattr(self, key)))

    def settings(self) -> dict[str, Any]:
        """Return the parameters by name."""
        return asdict(self)

    def file_parts(self) -> list[str]:
        """Return what a file name says of how messages are passed; many features are counted."""
        n_features = self.features.count("+") + self.features.count(",") + 1
        return [
            f"alpha{self.alpha:g}",
            f"beta{self.beta:g}",
            f"T{self.n_iterations}",
            self.features if n_features <= _MAX_SPELLED_FEATURES else f"{n_features}features",
        ]
