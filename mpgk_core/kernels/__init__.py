"""Kernels between vertices and between graphs."""

from mpgk_core.kernels.graph_kernel import MessagePassingGraphKernel
from mpgk_core.kernels.hierarchy import Hierarchy
from mpgk_core.kernels.node_kernel import MessagePassingNodeKernel
from mpgk_core.kernels.weisfeiler_lehman import (
    WeisfeilerLehmanOptimalAssignment,
    WeisfeilerLehmanSubtree,
)

__all__ = [
    "Hierarchy",
    "MessagePassingGraphKernel",
    "MessagePassingNodeKernel",
    "WeisfeilerLehmanOptimalAssignment",
    "WeisfeilerLehmanSubtree",
]
