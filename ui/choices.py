"""What the user has chosen, as values that can key a cache."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["GraphChoice", "KernelChoice", "PictureChoice"]


@dataclass(frozen=True)
class GraphChoice:
    """A preset and its parameters."""

    preset: str
    parameters: tuple[tuple[str, float], ...]


@dataclass(frozen=True)
class KernelChoice:
    """The parameters of a node kernel."""

    neighbourhood: str
    alpha: float
    beta: float
    n_iterations: int
    features: str
    normalize: bool
    random_state: int
    branching: int
    depth: int


@dataclass(frozen=True)
class PictureChoice:
    """How things are drawn."""

    layout: str
    colour: str
    n_axes: int
    is_ranked: bool
