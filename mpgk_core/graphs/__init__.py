"""Sets of graphs and the features their vertices start with."""

from mpgk_core.graphs.graph_set import GraphSet, as_graph_set

__all__ = ["GraphSet", "as_graph_set"]
