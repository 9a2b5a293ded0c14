"""The parameters that all message passing kernels share."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from mpgk_core.graphs.initial_features import FEATURE_NAMES
from mpgk_core.parameters import check_choice, check_message_passing

_MOST_SPELLED = 2


@dataclass(frozen=True)
class PassingParameters:
    """How messages are passed, whatever the kernels make of them.

    Parameters
    ----------
    alpha, beta, n_iterations, features, branching, depth, random_state
        As for :class:`~mpgk_core.kernels.MessagePassingNodeKernel`; features must be a text.

    Examples
    --------
    >>> PassingParameters(n_iterations=2, features="degree").file_parts()
    ['alpha0.8', 'beta0.2', 'T2', 'degree']
    >>> PassingParameters(features="degree+triangles+core-number").file_parts()[-1]
    '3features'
    """

    alpha: float = 0.8
    beta: float = 0.2
    n_iterations: int = 5
    features: str = "auto"
    branching: int = 4
    depth: int = 8
    random_state: int = 0

    def __post_init__(self) -> None:
        settle_passing(self)

    def settings(self) -> dict[str, Any]:
        """Return the parameters by name."""
        return asdict(self)

    def file_parts(self) -> list[str]:
        """Return what a file name says of them; many features are counted."""
        n_features = self.features.count("+") + self.features.count(",") + 1
        return [
            f"alpha{self.alpha:g}",
            f"beta{self.beta:g}",
            f"T{self.n_iterations}",
            self.features if n_features <= _MOST_SPELLED else f"{n_features}features",
        ]


def settle_passing(parameters: Any) -> None:
    """Check the shared parameters of a frozen dataclass, and keep them as plain numbers and text.

    Parameters
    ----------
    parameters : dataclass
        With at least the fields of :class:`PassingParameters`.
    """
    check_message_passing(parameters)
    features = str(parameters.features)
    for part in features.replace(",", "+").split("+") if features != "auto" else ():
        check_choice(part.strip(), FEATURE_NAMES, "features", type(parameters).__name__)
    object.__setattr__(parameters, "features", features)
    for key in ("alpha", "beta"):
        object.__setattr__(parameters, key, float(getattr(parameters, key)))
    for key in ("n_iterations", "branching", "depth", "random_state"):
        object.__setattr__(parameters, key, int(getattr(parameters, key)))
