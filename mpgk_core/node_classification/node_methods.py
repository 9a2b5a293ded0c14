"""Kernels between vertices to learn roles with: message passing, and two simple rivals."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mpgk_core.graphs import GraphSet
from mpgk_core.kernels import MessagePassingNodeKernel
from mpgk_core.limits import check_memory
from mpgk_core.parameters import check_choice
from mpgk_core.refinement import colour_refinement

NODE_METHODS: Mapping[str, str] = MappingProxyType(
    {
        "R": "Message passing, R",
        "A": "Message passing, A",
        "WL": "Weisfeiler-Lehman colours",
        "degree": "Degree only",
    }
)
"""Titles of the kernels between vertices."""

MAJORITY = "majority"
"""The baseline that needs no kernel: always the most frequent role of the labelled vertices."""


def node_kernel_matrix(
    method: str, graph: GraphSet, n_iterations: int = 5, **parameters: Any
) -> NDArray[np.float64]:
    """Return a kernel between all vertices, centred, with squared lengths of one on average.

    - ``"R"``, ``"A"``: the node kernel of that neighbourhood, of cosines;
    - ``"WL"``: the number of rounds t = 0..T in which two vertices have the same colour;
    - ``"degree"``: min(deg v, deg u), so that the squared distance is |deg v - deg u|.

    Centring looks at all vertices and at no role. It leaves distances as they are, up to one
    common factor.

    Parameters
    ----------
    method : str
        A key of ``NODE_METHODS``.
    graph : GraphSet
        With one graph.
    n_iterations : int
        The number of rounds T.
    **parameters
        Of :class:`~mpgk_core.kernels.MessagePassingNodeKernel`, for R and A.

    Returns
    -------
    ndarray of shape (n, n)

    Examples
    --------
    >>> import networkx as nx
    >>> star = GraphSet.from_networkx(nx.star_graph(3))
    >>> node_kernel_matrix("degree", star).round(2)[0].tolist()
    [3.0, -1.0, -1.0, -1.0]
    """
    check_choice(method, list(NODE_METHODS), "method", "node_kernel_matrix")
    n = graph.n_vertices
    check_memory(
        4 * 8 * n**2, f"A kernel matrix of {n} vertices", "Use a smaller graph, or a sample of it."
    )
    if method == "degree":
        degrees = np.diff(graph.adjacency.indptr).astype(np.float64)
        return _centred(np.minimum.outer(degrees, degrees))
    if method == "WL":
        kernel = np.zeros((n, n))
        for t in range(n_iterations + 1):
            colours = colour_refinement(graph, t, respect_labels=True)
            kernel += np.equal.outer(colours, colours)
        return _centred(kernel)
    fitted = MessagePassingNodeKernel(
        method, n_iterations=n_iterations, **{**parameters, "normalize": True}
    )
    return _centred(fitted.fit_transform(graph))


def _centred(kernel: NDArray[np.float64]) -> NDArray[np.float64]:
    """Move the centre of all vertices to the origin, and the mean squared length to one."""
    means = kernel.mean(axis=0)
    centred: NDArray[np.float64] = kernel - means - means[:, np.newaxis] + means.mean()
    scale = float(centred.trace()) / len(kernel)
    if scale > 0:
        centred /= scale
    return centred
