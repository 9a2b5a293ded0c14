"""Graphs to try things on: presets, read from ``presets.json``, and the functions that build them.

Most functions are networkx's own. Each accepts the parameters of its preset as keywords and
returns a valid graph for every combination within their ranges.

Examples
--------
>>> from mpgk_core.graphs.generators import PRESETS, build_graph
>>> [(p.key, p.minimum, p.maximum) for p in PRESETS["barbell"].parameters]
[('h', 2, 60), ('k', 0, 200)]
>>> print(build_graph("barbell", h=10, k=10))
Graph with 30 nodes and 101 edges
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib.resources import files
from itertools import combinations
from random import Random
from types import MappingProxyType

import networkx as nx

from mpgk_core.graphs.presets import Preset, read_presets
from mpgk_core.parameters import check_choice


def barbell(h: int, k: int) -> nx.Graph:
    """Return B(h, k): two cliques of h vertices, joined by a path of k vertices.

    Vertices are listed from the left clique over the path to the right clique, as numbered;
    networkx lists the only path vertex of B(h, 1) last.

    Examples
    --------
    >>> list(barbell(2, 1))
    [0, 1, 2, 3, 4]
    """
    graph = nx.empty_graph(2 * h + k)
    graph.add_edges_from(nx.barbell_graph(h, k).edges)
    return graph


def lollipop(h: int, k: int) -> nx.Graph:
    """Return a clique of h vertices with a path of k vertices hanging on it.

    Examples
    --------
    >>> [degree for _, degree in lollipop(4, 2).degree]
    [3, 3, 3, 4, 2, 1]
    """
    return nx.lollipop_graph(h, k)


def grid(rows: int, columns: int) -> nx.Graph:
    """Return a rectangular grid; its vertices are named (row, column).

    Examples
    --------
    >>> list(grid(rows=2, columns=3))
    [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2)]
    """
    return nx.grid_2d_graph(rows, columns)


def balanced_tree(branching: int, height: int) -> nx.Graph:
    """Return the rooted tree in which all but the lowest vertices have ``branching`` children.

    Examples
    --------
    >>> len(balanced_tree(branching=2, height=3))
    15
    """
    return nx.balanced_tree(branching, height)


def circular_skip_links(n: int, skip: int) -> nx.Graph:
    """Return a ring of n vertices, each also joined to those ``skip`` steps away.

    A link cannot skip more than half of the ring: a larger ``skip`` is read as n // 2.

    Examples
    --------
    >>> sorted(circular_skip_links(7, 2)[0])
    [1, 2, 5, 6]
    >>> sorted(circular_skip_links(6, 5)[0])
    [1, 3, 5]
    """
    return nx.circulant_graph(n, [1, min(skip, n // 2)])


def connected_caveman(cliques: int, size: int) -> nx.Graph:
    """Return a ring of cliques in which one edge of each is rewired to the clique before it.

    Examples
    --------
    >>> graph = connected_caveman(cliques=3, size=4)
    >>> len(graph), nx.is_connected(graph)
    (12, True)
    """
    return nx.connected_caveman_graph(cliques, size)


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


def erdos_renyi(n: int, mean_degree: float, seed: int) -> nx.Graph:
    """Return G(n, p) with p = mean_degree / (n - 1), and at most 1.

    A mean degree, unlike p, keeps its meaning when n changes.

    Examples
    --------
    >>> round(2 * erdos_renyi(5000, 4.0, seed=0).size() / 5000, 1)
    4.0
    """
    return nx.fast_gnp_random_graph(n, min(1.0, mean_degree / (n - 1)), seed=seed)


def random_regular(n: int, d: int, seed: int) -> nx.Graph:
    """Return a random graph in which all vertices have d neighbours.

    Edges have two ends, so n · d must be even: if both are odd, n is raised by one.

    Examples
    --------
    >>> graph = random_regular(n=13, d=3, seed=0)
    >>> len(graph), {degree for _, degree in graph.degree}
    (14, {3})
    """
    return nx.random_regular_graph(d, n + n * d % 2, seed=seed)


def stochastic_blocks(blocks: int, size: int, p_in: float, p_out: float, seed: int) -> nx.Graph:
    """Return blocks of equal size, with edges more likely inside than between them, or less.

    The node attribute ``block`` holds the number of the block. networkx's model divides by
    log(1 - p), which fails for a tiny p; here every p from 0 to 1 is fine.

    Examples
    --------
    >>> graph = stochastic_blocks(blocks=2, size=3, p_in=1.0, p_out=0.0, seed=0)
    >>> list(nx.connected_components(graph)), graph.nodes[5]["block"]
    ([{0, 1, 2}, {3, 4, 5}], 1)
    """
    chance = Random(seed)
    graph = nx.Graph()
    graph.add_nodes_from((v, {"block": v // size}) for v in range(blocks * size))
    for v, u in combinations(graph, 2):
        if chance.random() < (p_in if v // size == u // size else p_out):
            graph.add_edge(v, u)
    return graph


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


_OWN = (
    *(balanced_tree, barbell, circular_skip_links, connected_caveman, erdos_renyi, grid),
    *(houses_on_a_ring, karate_club, lollipop, random_regular, stochastic_blocks),
)
_OF_NETWORKX = (
    *(nx.barabasi_albert_graph, nx.circular_ladder_graph, nx.complete_graph, nx.cycle_graph),
    *(nx.florentine_families_graph, nx.les_miserables_graph, nx.path_graph, nx.petersen_graph),
    *(nx.star_graph, nx.watts_strogatz_graph, nx.wheel_graph),
)
CONSTRUCTORS: Mapping[str, Callable[..., nx.Graph]] = MappingProxyType(
    {function.__name__: function for function in _OWN}
    | {f"networkx.{function.__name__}": function for function in _OF_NETWORKX}
)
"""The functions that presets may name: nothing else can be called from data."""

PRESETS: Mapping[str, Preset] = read_presets(
    files("mpgk_core.graphs").joinpath("presets.json").read_text(encoding="utf-8"), CONSTRUCTORS
)


def build_graph(preset: str, **parameters: float) -> nx.Graph:
    """Build a graph that the playground offers.

    Parameters
    ----------
    preset : str
        A key of ``PRESETS``.
    **parameters : int or float
        Any of the preset's parameters; the others take their defaults. Every combination within
        the ranges gives a graph.

    Returns
    -------
    networkx.Graph
        Simple and undirected, new at every call; the same parameters give the same graph.
        Vertices are named 0, ..., n - 1 in this order, those of the grid (row, column), and those
        of Les Misérables and Florence by their names.

    Raises
    ------
    InvalidParameterError
        If the preset or a parameter is unknown, or a value is out of its range.

    Examples
    --------
    >>> len(build_graph("barbell")), len(build_graph("barbell", h=5, k=0))
    (30, 10)
    >>> build_graph("barbell", h=1)
    Traceback (most recent call last):
        ...
    mpgk_core.errors.InvalidParameterError: The 'h' parameter of the preset 'barbell' must be a
    whole number from 2 to 60. Got 1 instead.
    """
    check_choice(preset, list(PRESETS), "preset", "build_graph")
    chosen = PRESETS[preset]
    return CONSTRUCTORS[chosen.constructor](**chosen.complete(parameters))
