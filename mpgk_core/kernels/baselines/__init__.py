"""Graph kernels of other authors, to compare with: one file each."""

from mpgk_core.kernels.baselines.deep_graph import DeepGraphKernel
from mpgk_core.kernels.baselines.graph_hopper import GraphHopperKernel
from mpgk_core.kernels.baselines.graph_invariant import GraphInvariantKernel
from mpgk_core.kernels.baselines.graph_size import GraphSizeKernel
from mpgk_core.kernels.baselines.graphlet import GraphletKernel
from mpgk_core.kernels.baselines.hash_graph import HashGraphKernel
from mpgk_core.kernels.baselines.propagation import PropagationKernel
from mpgk_core.kernels.baselines.shortest_path import ShortestPathKernel
from mpgk_core.kernels.baselines.wasserstein import WassersteinWeisfeilerLehman

__all__ = [
    "DeepGraphKernel",
    "GraphHopperKernel",
    "GraphInvariantKernel",
    "GraphSizeKernel",
    "GraphletKernel",
    "HashGraphKernel",
    "PropagationKernel",
    "ShortestPathKernel",
    "WassersteinWeisfeilerLehman",
]
