"""Message passing graph kernels: exact, seeded, linear in the edges.

The engine behind the MPGK Explorer; it works as well in a notebook.

Examples
--------
>>> import networkx as nx
>>> from mpgk_core import MessagePassingNodeKernel, kernel_pca, orbits
>>> barbell = nx.barbell_graph(10, 10)
>>> kernel = MessagePassingNodeKernel("R", n_iterations=5, features="degree").fit(barbell)
>>> points = kernel_pca(kernel.kernel_, n_components=2).points
>>> len({tuple(point) for point in points.round(9).tolist()}), orbits(barbell).n_orbits
(7, 7)
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mpgk_core.automorphism import Orbits, orbits
    from mpgk_core.embedding import KernelEmbedding, kernel_pca
    from mpgk_core.errors import (
        InvalidGraphError,
        InvalidParameterError,
        KernelOverflowError,
        KernelTooLargeError,
        MPGKError,
        NotFittedError,
    )
    from mpgk_core.evaluation import Evaluation, KernelSpec, Protocol, evaluate
    from mpgk_core.graphs import GraphSet, as_graph_set
    from mpgk_core.kernels import (
        Hierarchy,
        MessagePassingGraphKernel,
        MessagePassingNodeKernel,
        WeisfeilerLehmanOptimalAssignment,
        WeisfeilerLehmanSubtree,
    )
    from mpgk_core.kernels.baselines import (
        DeepGraphKernel,
        GraphHopperKernel,
        GraphInvariantKernel,
        GraphletKernel,
        GraphSizeKernel,
        HashGraphKernel,
        PropagationKernel,
        ShortestPathKernel,
        WassersteinWeisfeilerLehman,
    )
    from mpgk_core.recovery import Confusion, Reason, Verdict, verdict
    from mpgk_core.refinement import colour_refinement

__version__ = "0.2.0"

__all__ = [
    "Confusion",
    "DeepGraphKernel",
    "Evaluation",
    "GraphHopperKernel",
    "GraphInvariantKernel",
    "GraphSet",
    "GraphSizeKernel",
    "GraphletKernel",
    "HashGraphKernel",
    "Hierarchy",
    "InvalidGraphError",
    "InvalidParameterError",
    "KernelEmbedding",
    "KernelOverflowError",
    "KernelSpec",
    "KernelTooLargeError",
    "MPGKError",
    "MessagePassingGraphKernel",
    "MessagePassingNodeKernel",
    "NotFittedError",
    "Orbits",
    "PropagationKernel",
    "Protocol",
    "Reason",
    "ShortestPathKernel",
    "Verdict",
    "WassersteinWeisfeilerLehman",
    "WeisfeilerLehmanOptimalAssignment",
    "WeisfeilerLehmanSubtree",
    "as_graph_set",
    "colour_refinement",
    "evaluate",
    "kernel_pca",
    "orbits",
    "verdict",
]

_HOMES = {
    "Confusion": "mpgk_core.recovery",
    "DeepGraphKernel": "mpgk_core.kernels.baselines",
    "Evaluation": "mpgk_core.evaluation",
    "GraphHopperKernel": "mpgk_core.kernels.baselines",
    "GraphInvariantKernel": "mpgk_core.kernels.baselines",
    "GraphSet": "mpgk_core.graphs",
    "GraphSizeKernel": "mpgk_core.kernels.baselines",
    "GraphletKernel": "mpgk_core.kernels.baselines",
    "HashGraphKernel": "mpgk_core.kernels.baselines",
    "Hierarchy": "mpgk_core.kernels",
    "InvalidGraphError": "mpgk_core.errors",
    "InvalidParameterError": "mpgk_core.errors",
    "KernelEmbedding": "mpgk_core.embedding",
    "KernelOverflowError": "mpgk_core.errors",
    "KernelSpec": "mpgk_core.evaluation",
    "KernelTooLargeError": "mpgk_core.errors",
    "MPGKError": "mpgk_core.errors",
    "MessagePassingGraphKernel": "mpgk_core.kernels",
    "MessagePassingNodeKernel": "mpgk_core.kernels",
    "NotFittedError": "mpgk_core.errors",
    "Orbits": "mpgk_core.automorphism",
    "PropagationKernel": "mpgk_core.kernels.baselines",
    "Protocol": "mpgk_core.evaluation",
    "Reason": "mpgk_core.recovery",
    "ShortestPathKernel": "mpgk_core.kernels.baselines",
    "Verdict": "mpgk_core.recovery",
    "WassersteinWeisfeilerLehman": "mpgk_core.kernels.baselines",
    "WeisfeilerLehmanOptimalAssignment": "mpgk_core.kernels",
    "WeisfeilerLehmanSubtree": "mpgk_core.kernels",
    "as_graph_set": "mpgk_core.graphs",
    "colour_refinement": "mpgk_core.refinement",
    "evaluate": "mpgk_core.evaluation",
    "kernel_pca": "mpgk_core.embedding",
    "orbits": "mpgk_core.automorphism",
    "verdict": "mpgk_core.recovery",
}
"""Where every name comes from. It is imported when it is first asked for: all of them together
would take a second, of which most programs need a part."""


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = globals()[name] = getattr(import_module(_HOMES[name]), name)
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
