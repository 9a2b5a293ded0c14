"""What is known of the vertices besides the kernel, checked before any long work begins."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mpgk_core.automorphism.orbits import Orbits
from mpgk_core.automorphism.orbits import orbits as find_orbits
from mpgk_core.errors import InvalidGraphError, shortened
from mpgk_core.evaluation.protocol import Fold, Protocol, check_one_each, outer_folds
from mpgk_core.graphs.graph_parts import encode_labels
from mpgk_core.graphs.graph_set import GraphSet


@dataclass(frozen=True, eq=False)
class VertexFacts:
    """What scores compare the points of a kernel with.

    Attributes
    ----------
    orbit_of_vertex : ndarray of shape (n,)
        Empty if no score asks for it.
    class_of_vertex : ndarray of shape (n,)
        The labels as numbers from 0; empty if no score asks for them.
    n_neighbours : int
        Neighbours that vote when a label is predicted.
    n_folds : int
        Folds of the cross-validation.
    random_state : int
        Seed of the folds.
    """

    orbit_of_vertex: NDArray[np.int64]
    class_of_vertex: NDArray[np.int64]
    n_neighbours: int
    n_folds: int
    random_state: int

    @cached_property
    def folds(self) -> list[Fold]:
        """Stratified folds of the vertices, the same for all cells."""
        protocol = Protocol(n_folds=self.n_folds, n_repeats=1, random_state=self.random_state)
        return outer_folds(self.class_of_vertex, protocol)

    @cached_property
    def class_sizes(self) -> NDArray[np.int64]:
        """The number of vertices with each label."""
        return np.bincount(self.class_of_vertex)


def checked_orbits(graphs: GraphSet, orbits: Orbits | None, needs_two: bool) -> NDArray[np.int64]:
    """Return the orbit of every vertex, or raise.

    Parameters
    ----------
    graphs : GraphSet
        With one graph.
    orbits : Orbits, optional
        Where they are known already.
    needs_two : bool
        Whether there must be two orbits at least.

    Returns
    -------
    ndarray of shape (n,)
    """
    found = find_orbits(graphs) if orbits is None else orbits
    if len(found.of_vertex) != graphs.n_vertices:
        raise InvalidGraphError(
            f"The orbits are those of {len(found.of_vertex)} vertices, but the graph has "
            f"{graphs.n_vertices}. Give the orbits of this graph, or none."
        )
    if needs_two and found.n_orbits < 2:
        raise InvalidGraphError(
            "All vertices are in one orbit, so there is no gap between orbits. Choose another "
            "score, or another graph."
        )
    return found.of_vertex


def checked_labels(
    graphs: GraphSet, labels: Sequence[Hashable] | None, n_folds: int | None
) -> NDArray[np.int64]:
    """Return the label of every vertex as a number, or raise if no score can come of them.

    Parameters
    ----------
    graphs : GraphSet
    labels : sequence of hashable, optional
        One for every vertex; by default those of the graph.
    n_folds : int or None
        Of how many folds every label must be part; None without cross-validation.

    Returns
    -------
    ndarray of shape (n,)

    Examples
    --------
    >>> import networkx as nx
    >>> path = GraphSet.from_networkx(nx.path_graph(4))
    >>> checked_labels(path, ["end", "inner", "inner", "end"], None).tolist()
    [0, 1, 1, 0]
    """
    given = graphs.labels if labels is None else list(labels)
    if given is None:
        raise InvalidGraphError(
            "A score compares the kernel with labels, but the vertices have none. Give labels, or "
            "choose another score."
        )
    remedy = "choose a score that needs no labels"
    codes, values = encode_labels(given)
    check_one_each(given, graphs.names, "vertex", "label", remedy)
    _check_sizes(values, np.bincount(codes, minlength=len(values)), n_folds)
    return codes.astype(np.int64)


def _check_sizes(values: tuple[Any, ...], sizes: NDArray[np.int64], n_folds: int | None) -> None:
    if len(values) < 2:
        raise InvalidGraphError(
            "All vertices have the same label. Give labels of at least two kinds."
        )
    if sizes.max() < 2:
        raise InvalidGraphError(
            "Every vertex has a label of its own, so no two vertices belong together. Give labels "
            "that vertices share."
        )
    rarest = int(sizes.argmin())
    if n_folds is not None and sizes[rarest] < n_folds:
        raise InvalidGraphError(
            f"Only {sizes[rarest]} of the vertices have the label "
            f"{shortened(str(values[rarest]))}, fewer than the {n_folds} folds. Use fewer folds, "
            "or leave this label out."
        )
