"""Colour refinement (Weisfeiler-Lehman), and the round in which it tells two vertices apart."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mpgk_core.graphs import GraphSet, as_graph_set
from mpgk_core.parameters import check_iterations
from mpgk_core.refinement.vertex_types import VertexTypes, refine


def colour_refinement(
    graph: Any, n_iterations: int | None = None, *, respect_labels: bool = False
) -> NDArray[np.int32]:
    """Colour vertices so that equal colours mean "looks the same from here, t steps deep".

    All vertices start with one colour (or their label); in each round, vertices that see
    different multisets of colours around them part:

        c_{t+1}(v) = (c_t(v), {{ c_t(u) : u in N(v) }}).

    Parameters
    ----------
    graph : GraphSet, networkx graph, or list of these
        Colours of several graphs are comparable.
    n_iterations : int, optional
        Number of rounds; by default until nothing changes any more.
    respect_labels : bool
        Start from the vertex labels instead of a single colour.

    Returns
    -------
    ndarray of shape (n,)
        The colour of every vertex, a number from 0.

    Examples
    --------
    >>> import networkx as nx
    >>> barbell = nx.barbell_graph(10, 10)
    >>> [len(set(colour_refinement(barbell, t).tolist())) for t in range(7)]
    [1, 3, 4, 5, 6, 7, 7]
    """
    graphs = as_graph_set(graph)
    if n_iterations is not None:
        check_iterations(n_iterations, "colour_refinement")
    colours = np.zeros(graphs.n_vertices, dtype=np.int32)
    if respect_labels and graphs.label_codes is not None:
        colours = np.unique(graphs.label_codes, return_inverse=True)[1].astype(np.int32)
    n_colours = len(np.unique(colours))
    for t, types in enumerate(refinement_rounds(graphs, colours, n_colours)):
        if t == n_iterations or (n_iterations is None and types.n_types == n_colours):
            break
        colours, n_colours = types.of_vertex, types.n_types
    return colours


def refinement_rounds(
    graphs: GraphSet, types: NDArray[np.int32], n_types: int
) -> Iterator[VertexTypes]:
    """Refine for ever, one round at a time.

    Parameters
    ----------
    graphs : GraphSet
        The graphs.
    types : ndarray of shape (n,)
        The types to start from, numbered from 0.
    n_types : int
        How many types there are.

    Yields
    ------
    VertexTypes
        The types after 1, 2, 3, ... rounds.
    """
    while True:
        refined = refine(graphs.adjacency, types, types, n_types)
        yield refined
        types, n_types = refined.of_vertex, refined.n_types


def mixed_classes(
    classes: NDArray[np.int64], orbit_of_vertex: NDArray[np.int64]
) -> list[NDArray[np.int64]]:
    """Return the classes that hold vertices of more than one orbit.

    Parameters
    ----------
    classes, orbit_of_vertex : ndarray of shape (n,)
        Numbered from 0.

    Returns
    -------
    list of ndarray
        The vertices of each such class, in ascending order.

    Examples
    --------
    >>> [c.tolist() for c in mixed_classes(np.array([0, 0, 1, 1]), np.array([0, 1, 2, 2]))]
    [[0, 1]]
    """
    width = int(orbit_of_vertex.max(initial=0)) + 1
    pairs = np.unique(classes * width + orbit_of_vertex)
    n_orbits = np.bincount(pairs // width)
    by_class = np.argsort(classes, kind="stable")
    members = np.split(by_class, np.cumsum(np.bincount(classes))[:-1])
    return [members[c] for c in np.flatnonzero(n_orbits > 1)]


def until_stable(
    graphs: GraphSet, colours: NDArray[np.int32], n_colours: int
) -> Iterator[NDArray[np.int32]]:
    """Refine until nothing changes any more.

    Parameters
    ----------
    graphs : GraphSet
    colours : ndarray of shape (n,)
        The colours to start from, numbered from 0.
    n_colours : int

    Yields
    ------
    ndarray of shape (n,)
        The colours after 0, 1, 2, ... rounds, up to the stable ones.

    Examples
    --------
    >>> import networkx as nx
    >>> path = GraphSet.from_networkx(nx.path_graph(5))
    >>> [len(np.unique(c)) for c in until_stable(path, np.zeros(5, dtype=np.int32), 1)]
    [1, 2, 3]
    """
    yield colours
    for types in refinement_rounds(graphs, colours, n_colours):
        if types.n_types == n_colours:
            return
        n_colours = types.n_types
        yield types.of_vertex


class Separation(NamedTuple):
    """What a sequence of ever finer colourings tells apart."""

    n_colours: NDArray[np.int64]
    """For each set of vertices, how many colours it has in the end"""
    n_rounds: NDArray[np.int64]
    """For each set of vertices, the round after which it parts no further"""
    colours: NDArray[np.int32]
    """(n,) the last colouring"""


def separation(
    colourings: Iterable[NDArray[np.int32]], sets: list[NDArray[np.int64]]
) -> Separation:
    """Watch sets of vertices fall apart.

    Parameters
    ----------
    colourings : iterable of ndarray of shape (n,)
        The colours after 0, 1, 2, ... rounds, at least one.
    sets : list of ndarray
        Disjoint sets of vertices.

    Returns
    -------
    Separation

    Examples
    --------
    >>> import networkx as nx
    >>> path = GraphSet.from_networkx(nx.path_graph(7))
    >>> rounds = until_stable(path, np.zeros(7, dtype=np.int32), 1)
    >>> found = separation(rounds, [np.array([0, 1]), np.array([2, 3, 4])])
    >>> found.n_colours.tolist(), found.n_rounds.tolist()
    ([2, 2], [1, 3])
    """
    vertices = np.concatenate([np.empty(0, dtype=np.int64), *sets])
    set_of = np.repeat(np.arange(len(sets)), [len(members) for members in sets])
    n_colours = np.zeros(len(sets), dtype=np.int64)
    n_rounds = np.zeros(len(sets), dtype=np.int64)
    colours = np.empty(0, dtype=np.int32)
    for s, colours in enumerate(colourings):
        width = int(colours.max(initial=0)) + 1
        pairs = np.unique(set_of * width + colours[vertices])
        told = np.bincount(pairs // width, minlength=len(sets))
        n_rounds[told > n_colours] = s
        n_colours = told
    return Separation(n_colours, n_rounds, colours)
