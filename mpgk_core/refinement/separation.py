"""Which vertices colour refinement tells apart, and after how many rounds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mpgk_core.graphs.graph_set import GraphSet
from mpgk_core.refinement.colour_refinement import refinement_rounds

__all__ = ["Separation", "mixed_classes", "separation", "until_stable"]


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
