"""Colour refinement: the one-dimensional Weisfeiler-Lehman algorithm."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mpgk_core.graphs import GraphSet, as_graph_set
from mpgk_core.parameters import check_iterations
from mpgk_core.refinement.vertex_types import VertexTypes, refine

__all__ = ["colour_refinement", "refinement_rounds"]


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
