"""The graph of a step and a kernel on it, ready to be asked."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from mpgk_core.arrays import cosine_normalised
from mpgk_core.automorphism.orbits import Orbits, orbits
from mpgk_core.errors import InvalidParameterError, shortened
from mpgk_core.graphs import GraphSet
from mpgk_core.kernels.node_kernel import MessagePassingNodeKernel
from mpgk_core.lessons.setting import KernelSetting
from mpgk_core.lessons.sources import GraphSource
from mpgk_core.recovery.kernel_points import kernel_points
from mpgk_core.recovery.verdict import verdict


class Scene:
    """A graph and a kernel; everything is computed when it is asked for, and once.

    Parameters
    ----------
    source : GraphSource
    setting : KernelSetting

    Examples
    --------
    >>> from mpgk_core.lessons.sources import PresetGraph
    >>> scene = Scene(PresetGraph("barbell"), KernelSetting())
    >>> [scene.n_points(t) for t in range(6)]
    [3, 4, 5, 6, 7, 7]
    """

    def __init__(self, source: GraphSource, setting: KernelSetting) -> None:
        self.source, self.setting = source, setting

    @cached_property
    def graph(self) -> GraphSet:
        """The graph."""
        return self.source.graphs()

    @cached_property
    def names(self) -> list[str]:
        """Names of the vertices as a reader sees them."""
        return [str(name) for name in self.graph.names]

    @cached_property
    def kernel(self) -> MessagePassingNodeKernel:
        """The fitted kernel."""
        return self.setting.unfitted().fit(self.graph)

    @cached_property
    def orbits(self) -> Orbits:
        """The orbits of the graph."""
        return orbits(self.graph)

    def number(self, name: str) -> int:
        """Return the number of a vertex, or raise."""
        if name not in self.names:
            some = ", ".join(self.names[:8]) + (", …" if len(self.names) > 8 else "")
            raise InvalidParameterError(
                f"There is no vertex {shortened(name)!r} in this graph. Its vertices are {some}."
            )
        return self.names.index(name)

    def named(self, vertices: NDArray[np.int64]) -> frozenset[str]:
        """Return the names of vertices given by number."""
        return frozenset(self.names[v] for v in vertices.tolist())

    def points(self, t: int) -> NDArray[np.int64]:
        """Return the point of every vertex after t rounds."""
        return kernel_points(self.graph, self.kernel, t).of_vertex

    def n_points(self, t: int) -> int:
        """Return the number of distinct points after t rounds."""
        return int(self.points(t).max(initial=-1)) + 1

    def n_recovered(self, t: int) -> int:
        """Return how many orbits are one point of their own after t rounds."""
        return verdict(self.graph, self.kernel, t, self.orbits).n_recovered

    def cosines(self, t: int) -> NDArray[np.float64]:
        """Return the kernel after t rounds, divided by the lengths."""
        kernel = self.kernel.kernel_at(t)
        return cosine_normalised(kernel, kernel.diagonal(), kernel.diagonal())
