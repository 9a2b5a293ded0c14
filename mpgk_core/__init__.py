"""Message passing graph kernels: exact, seeded, linear in the edges.

The engine behind the MPGK Explorer; it works as well in a notebook.

>>> import networkx as nx
>>> from mpgk_core import MessagePassingNodeKernel, kernel_pca, orbits
>>> barbell = nx.barbell_graph(10, 10)
>>> kernel = MessagePassingNodeKernel("R", n_iterations=5, features="degree").fit(barbell)
>>> points = kernel_pca(kernel.kernel_, n_components=2).points
>>> len({tuple(point) for point in points.round(9).tolist()}), orbits(barbell).n_orbits
(7, 7)
"""

from mpgk_core.embedding import KernelEmbedding, kernel_pca
from mpgk_core.equivalence import (
    Confusion,
    Orbits,
    Reason,
    Verdict,
    colour_refinement,
    orbits,
    verdict,
)
from mpgk_core.errors import (
    InvalidGraphError,
    InvalidParameterError,
    KernelOverflowError,
    KernelTooLargeError,
    MPGKError,
    NotFittedError,
)
from mpgk_core.graphs import GraphSet
from mpgk_core.kernels import (
    Hierarchy,
    MessagePassingGraphKernel,
    MessagePassingNodeKernel,
    WeisfeilerLehmanOptimalAssignment,
    WeisfeilerLehmanSubtree,
)

__version__ = "0.1.0"

__all__ = [
    "Confusion",
    "GraphSet",
    "Hierarchy",
    "InvalidGraphError",
    "InvalidParameterError",
    "KernelEmbedding",
    "KernelOverflowError",
    "KernelTooLargeError",
    "MPGKError",
    "MessagePassingGraphKernel",
    "MessagePassingNodeKernel",
    "NotFittedError",
    "Orbits",
    "Reason",
    "Verdict",
    "WeisfeilerLehmanOptimalAssignment",
    "WeisfeilerLehmanSubtree",
    "colour_refinement",
    "kernel_pca",
    "orbits",
    "verdict",
]
