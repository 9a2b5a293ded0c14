"""Houses on a ring: a graph whose roles are known by construction."""

from __future__ import annotations

import networkx as nx

__all__ = ["houses_on_a_ring"]


def houses_on_a_ring(houses: int, spacing: int) -> nx.Graph:
    """Return a ring with a house at every ``spacing``-th vertex.

    A house is a square (two floor and two ceiling vertices) under a triangle (the ceiling and
    the roof); one edge joins its roof to the ring. The node attribute ``label`` names the role.

    The roles are the automorphism orbits. Turning the ring by ``spacing`` steps maps every house
    to the next, the mirror image of the ring through a house swaps the vertices at equal distance
    from it, and every house can be mirrored on its own. So vertices with one label are
    equivalent. Vertices with different labels are not: colour refinement tells them apart, and no
    automorphism changes a stable colour.

    Parameters
    ----------
    houses : int
        Number of houses, at least 3.
    spacing : int
        Steps along the ring from one house to the next, at least 1.

    Returns
    -------
    networkx.Graph
        The ring is numbered first, then five vertices for each house.

    Examples
    --------
    >>> graph = houses_on_a_ring(houses=3, spacing=2)
    >>> len(graph)
    21
    >>> [role for _, role in graph.nodes("label")][4:11]
    ['ring at house', 'ring 1 from house', 'roof', 'ceiling', 'ceiling', 'floor', 'floor']
    """
    length = houses * spacing
    graph = nx.cycle_graph(length)
    for v in range(length):
        graph.nodes[v]["label"] = _ring_role(min(v % spacing, -v % spacing))
    for house in range(houses):
        roof, left, right, floor_left, floor_right = range(len(graph), len(graph) + 5)
        graph.add_node(roof, label="roof")
        graph.add_nodes_from([left, right], label="ceiling")
        graph.add_nodes_from([floor_left, floor_right], label="floor")
        nx.add_cycle(graph, [left, right, floor_right, floor_left])
        graph.add_edges_from([(roof, left), (roof, right), (roof, house * spacing)])
    return graph


def _ring_role(distance: int) -> str:
    return f"ring {distance} from house" if distance else "ring at house"
