"""One graph and a node kernel, described so fully that anybody can compute the same numbers."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from mpgk_core.errors import InvalidParameterError, shortened
from mpgk_core.graphs import GraphSet
from mpgk_core.kernels import MessagePassingNodeKernel
from mpgk_core.parameters import check_choice, check_whole
from mpgk_core.takeaway.graph_sources import PresetGraph, check_one_graph
from mpgk_core.takeaway.node_steps import node_steps
from mpgk_core.takeaway.passing_parameters import settle_passing
from mpgk_core.takeaway.steps import Step

__all__ = ["AXES", "KernelParameters", "NodeStudy", "check_flag"]

AXES = (2, 3)
"""Numbers of axes that can be drawn."""


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
        check_flag(self.normalize, "normalize", owner)
        settle_passing(self)

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
        if isinstance(self.graph, GraphSet):
            check_one_graph(self.graph, "NodeStudy")
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

    def steps(self) -> list[Step]:
        """Return what a script and a notebook that compute it are made of."""
        return node_steps(self)

    def file_parts(self) -> list[str]:
        """Return graph and kernel, without what is usual."""
        kernel = self.kernel
        named = self.graph.file_part if isinstance(self.graph, PresetGraph) else self.title
        parts = [named, kernel.neighbourhood, f"alpha{kernel.alpha:g}", f"beta{kernel.beta:g}"]
        parts.append(f"T{kernel.n_iterations}")
        if kernel.features != "degree":
            parts.append(kernel.features)
        if kernel.normalize:
            parts.append("normalised")
        if kernel.neighbourhood == "A" and kernel.random_state:
            parts.append(f"seed{kernel.random_state}")
        return parts


def check_flag(value: Any, name: str, owner: str) -> None:
    """Raise unless ``value`` is True or False."""
    if not isinstance(value, bool):
        raise InvalidParameterError(
            f"The {name!r} parameter of {owner} must be True or False. Got {value!r} instead."
        )
