"""Roles of vertices, learnt from a few of them: kernels against simple rivals."""

from mpgk_core.node_classification.learning_curve import (
    CurveTask,
    LearningCurve,
    kind_title,
    learning_curve,
)
from mpgk_core.node_classification.node_methods import MAJORITY, NODE_METHODS, node_kernel_matrix
from mpgk_core.node_classification.role_graphs import ROLE_GRAPHS, RoleGraph, role_graph
from mpgk_core.node_classification.roles import Roles, checked_roles
from mpgk_core.node_classification.trial import CLASSIFIERS, NodeProtocol, NodeTrial

__all__ = [
    "CLASSIFIERS",
    "MAJORITY",
    "NODE_METHODS",
    "ROLE_GRAPHS",
    "CurveTask",
    "LearningCurve",
    "NodeProtocol",
    "NodeTrial",
    "RoleGraph",
    "Roles",
    "checked_roles",
    "kind_title",
    "learning_curve",
    "node_kernel_matrix",
    "role_graph",
]
