"""One graph and a node kernel, described so fully that anybody can compute the same numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from types import MappingProxyType
from typing import Any

from mpgk_core.errors import InvalidGraphError, InvalidParameterError, shortened
from mpgk_core.graphs import GraphSet, as_graph_set
from mpgk_core.graphs.generators import PRESETS, build_graph
from mpgk_core.graphs.initial_features import FEATURE_NAMES
from mpgk_core.kernels import MessagePassingNodeKernel
from mpgk_core.parameters import check_choice, check_message_passing, check_whole

__all__ = ["AXES", "KernelParameters", "NodeStudy", "PresetGraph", "check_flag"]

AXES = (2, 3)
"""Numbers of axes that can be drawn."""


@dataclass(frozen=True)
class PresetGraph:
    """A graph by the name of its preset.

    Parameters
    ----------
    preset : str
        A key of :data:`~mpgk_core.graphs.generators.PRESETS`.
    values : mapping of str to number
        Its parameters; those left out take their defaults.

    Examples
    --------
    >>> PresetGraph("barbell", {"h": 5}).build()
    GraphSet(1 graph, 20 vertices, 31 edges)
    """

    preset: str
    values: Mapping[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        check_choice(self.preset, list(PRESETS), "preset", "PresetGraph")
        complete = PRESETS[self.preset].complete(self.values)
        object.__setattr__(self, "values", MappingProxyType(complete))

    @property
    def title(self) -> str:
        """Name for people."""
        return PRESETS[self.preset].title

    def build(self) -> GraphSet:
        """Return the graph."""
        return as_graph_set(build_graph(self.preset, **self.values))


@dataclass(frozen=True)
class KernelParameters:
    """All parameters of a node kernel, checked.

    Parameters
    ----------
    neighbourhood, alpha, beta, n_iterations, features, normalize, branching, depth, random_state
        As for :class:`~mpgk_core.kernels.MessagePassingNodeKernel`; features must be a text.

    Examples
    --------
    >>> KernelParameters("A", n_iterations=3, features="degree").unfitted()
    MessagePassingNodeKernel(features='degree', n_iterations=3, neighbourhood='A')
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
        check_message_passing(self)
        check_flag(self.normalize, "normalize", owner)
        features = str(self.features)
        for part in features.split("+") if features != "auto" else ():
            check_choice(part.strip(), FEATURE_NAMES, "features", owner)
        object.__setattr__(self, "features", features)
        for key in ("alpha", "beta"):
            object.__setattr__(self, key, float(getattr(self, key)))
        for key in ("n_iterations", "branching", "depth", "random_state"):
            object.__setattr__(self, key, int(getattr(self, key)))

    def unfitted(self) -> MessagePassingNodeKernel:
        """Return the kernel, ready for a graph."""
        return MessagePassingNodeKernel(**self.settings())

    def settings(self) -> dict[str, Any]:
        """Return the parameters by name."""
        return asdict(self)


@dataclass(frozen=True, eq=False)
class NodeStudy:
    """What the playground shows: the node kernel of one graph and its embedding in all rounds.

    Parameters
    ----------
    graph : PresetGraph or GraphSet
        By name, or the graph itself.
    kernel : KernelParameters
    n_axes : {2, 3}
        Axes of the embedding.
    title : str
        Name of the graph for people; that of the preset where none is given.

    Examples
    --------
    >>> study = NodeStudy(PresetGraph("barbell"), KernelParameters(features="degree"))
    >>> study.title, study.graph_set()
    ('Barbell', GraphSet(1 graph, 30 vertices, 101 edges))
    """

    graph: PresetGraph | GraphSet
    kernel: KernelParameters
    n_axes: int = 2
    title: str = ""

    def __post_init__(self) -> None:
        check_whole(self.n_axes, AXES[0], "n_axes", "NodeStudy", maximum=AXES[1])
        if isinstance(self.graph, GraphSet) and len(self.graph) != 1:
            raise InvalidGraphError(
                f"A NodeStudy is about one graph, and there are {len(self.graph):,}. Choose one."
            )
        if not self.title:
            own = self.graph.title if isinstance(self.graph, PresetGraph) else "Graph"
            object.__setattr__(self, "title", own)

    @property
    def name(self) -> str:
        """The title, fit for a line of text."""
        return shortened(self.title)

    def graph_set(self) -> GraphSet:
        """Return the graph."""
        return self.graph.build() if isinstance(self.graph, PresetGraph) else self.graph


def check_flag(value: Any, name: str, owner: str) -> None:
    """Raise unless ``value`` is True or False."""
    if not isinstance(value, bool):
        raise InvalidParameterError(
            f"The {name!r} parameter of {owner} must be True or False. Got {value!r} instead."
        )
