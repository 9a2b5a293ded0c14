"""Real networks with what is known about their vertices."""

from __future__ import annotations

import networkx as nx

__all__ = ["karate_club"]


def karate_club() -> nx.Graph:
    """Return Zachary's karate club; ``label`` is the club that a member joined after the split.

    Examples
    --------
    >>> graph = karate_club()
    >>> len(graph), graph.nodes[0]["label"], graph.nodes[33]["label"]
    (34, 'Mr. Hi', 'Officer')
    """
    graph = nx.karate_club_graph()
    nx.set_node_attributes(graph, nx.get_node_attributes(graph, "club"), "label")
    return graph
