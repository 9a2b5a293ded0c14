"""What joins two vertices of a graph that is being changed: directions, labels and weights."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping
from math import isfinite
from numbers import Real
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from mpgk_core.errors import InvalidGraphError, shortened
from mpgk_core.graphs import GraphSet
from mpgk_core.graphs.edges import BONDS, Edges
from mpgk_core.graphs.graph_parts import label_sort_key

MAX_TIES = 100
"""How many edges may join the same two vertices."""


class Tie(NamedTuple):
    """One of the edges between two vertices.

    Attributes
    ----------
    direction : {"-", ">", "<"}
        Undirected, from the vertex of the smaller number to the other, or back.
    label : hashable
        None where it has none.
    weight : float or None
    """

    direction: str = "-"
    label: Hashable = None
    weight: float | None = None


Ties: TypeAlias = dict[tuple[int, int], tuple[Tie, ...]]
"""The edges between every two vertices that are joined, the smaller number first."""


def ties_of(graph: GraphSet) -> Ties:
    """Return all edges of one graph by their ends.

    Examples
    --------
    >>> edges = Edges.of([1, 2], [0, 1], labels=["a", "b"], is_directed=True)
    >>> ties_of(GraphSet(None, [0, 3], edges=edges))[0, 1]
    (Tie(direction='<', label='a', weight=None),)
    """
    edges = graph.all_edges()
    labels = edges.labels or [None] * edges.n_edges
    weights = [None] * edges.n_edges if edges.weights is None else edges.weights.tolist()
    found: dict[tuple[int, int], list[Tie]] = {}
    for v, u, label, weight in zip(
        edges.sources.tolist(), edges.targets.tolist(), labels, weights, strict=True
    ):
        direction = "-" if not edges.is_directed else ">" if v <= u else "<"
        found.setdefault((min(v, u), max(v, u)), []).append(Tie(direction, label, weight))
    return {pair: tuple(found[pair]) for pair in sorted(found)}


def edges_of(ties: Mapping[tuple[int, int], Iterable[Tie]], is_directed: bool) -> Edges:
    """Return edges: directed ones where a tie has a direction, or where all are asked to be.

    An undirected edge among directed ones becomes two. Where some have labels, those of the others
    are None; where some have weights, the others weigh 1.
    """
    every = [(v, u, tie) for (v, u), own in ties.items() for tie in own]
    is_directed = is_directed or any(tie.direction != "-" for *_, tie in every)
    arcs = []
    for v, u, tie in every:
        if tie.direction != "<":
            arcs.append((v, u, tie))
        if tie.direction == "<" or (tie.direction == "-" and is_directed and v != u):
            arcs.append((u, v, tie))
    labels = [tie.label for *_, tie in arcs]
    weights = [tie.weight for *_, tie in arcs]
    return Edges.of(
        [v for v, *_ in arcs],
        [u for _, u, _ in arcs],
        labels=None if all(label is None for label in labels) else labels,
        weights=None
        if all(weight is None for weight in weights)
        else [1.0 if weight is None else weight for weight in weights],
        is_directed=is_directed,
    )


def typical_tie(graph: GraphSet) -> Tie:
    """Return the label and the weight that a new edge gets: the most common, and the mean.

    Where all labels are bonds of a molecule, a new one is single.

    Examples
    --------
    >>> ring = Edges.of([0, 1, 2], [1, 2, 0], labels=["aromatic", "aromatic", "single"])
    >>> typical_tie(GraphSet(None, [0, 3], edges=ring))
    Tie(direction='-', label='single', weight=None)
    """
    edges = graph.all_edges()
    label, weight = None, None
    if edges.labels:
        counts = Counter(edges.labels)
        kinds = {value: BONDS.get(str(value).lower()) for value in counts}
        if all(kinds.values()):
            usual = "single" if any(len(str(value)) > 1 for value in counts) else "-"
            label = next((value for value, kind in kinds.items() if kind == "single"), usual)
        else:
            label = min(counts, key=lambda value: (-counts[value], label_sort_key(value)))
    if edges.weights is not None and edges.n_edges:
        weight = float(np.mean(edges.weights))
    return Tie(">" if edges.is_directed else "-", label, weight)


def checked_ties(value: Any) -> tuple[Tie, ...]:
    """Return what joins two vertices, as an operation of a link gives it, or raise."""
    given = value if isinstance(value, tuple) else ()
    if not 1 <= len(given) <= MAX_TIES:
        raise InvalidGraphError(f"Between 1 and {MAX_TIES} edges can join two vertices.")
    return tuple(_checked(one) for one in given)


def _checked(value: Any) -> Tie:
    direction, label, weight = value if isinstance(value, tuple) and len(value) == 3 else (0, 0, 0)
    is_number = isinstance(weight, Real) and not isinstance(weight, bool)
    if direction not in ("-", ">", "<"):
        raise InvalidGraphError(f"{shortened(repr(value))} is no edge.")
    if weight is not None and not (is_number and isfinite(weight) and weight >= 0):
        raise InvalidGraphError(
            f"The weight {shortened(repr(weight))} is not a finite number of at least 0. Give one."
        )
    label_sort_key(label)
    return Tie(direction, label, None if weight is None else float(weight))
