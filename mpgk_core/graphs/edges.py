"""What is known of edges beyond the two vertices that they join: labels, weights, directions."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import coo_array, csr_array, triu

from mpgk_core.arrays import BoolArray, FloatArray, Int32Array, IntArray
from mpgk_core.errors import InvalidGraphError
from mpgk_core.graphs.graph_parts import encode_labels

BONDS = {
    **{"single": "single", "double": "double", "triple": "triple", "aromatic": "aromatic"},
    **{"-": "single", "=": "double", "#": "triple", ":": "aromatic"},
}
"""What labels of edges mean, in small letters."""


@dataclass(frozen=True, eq=False)
class Edges:
    """The edges of a set of graphs, each of them once, in the order of their ends and labels.

    Parallel edges count by their labels: edges with the same ends and label are one edge, with the
    sum of their weights.

    Attributes
    ----------
    sources, targets : ndarray of shape (m,)
        Vertices, numbered through all graphs. An undirected edge has ``source <= target``.
    is_directed : bool
    label_codes : ndarray of shape (m,) or None
        The labels as numbers; ``label_values[code]`` is the label itself.
    label_values : tuple
        All distinct labels in canonical order.
    weights : ndarray of shape (m,) or None

    Examples
    --------
    >>> edges = Edges.of([0, 2, 1], [1, 1, 0], labels=["-", "=", "-"])
    >>> edges.sources.tolist(), edges.targets.tolist(), edges.labels
    ([0, 1], [1, 2], ['-', '='])
    """

    sources: Int32Array
    targets: Int32Array
    is_directed: bool = False
    label_codes: Int32Array | None = None
    label_values: tuple[Hashable, ...] = ()
    weights: FloatArray | None = None

    @classmethod
    def of(
        cls,
        sources: ArrayLike,
        targets: ArrayLike,
        *,
        labels: Sequence[Hashable] | NDArray[Any] | None = None,
        weights: ArrayLike | None = None,
        is_directed: bool = False,
    ) -> Edges:
        """Take edges in any order, also repeated ones.

        Parameters
        ----------
        sources, targets : array-like of int of shape (m,)
        labels : sequence of m hashable, optional
            Numbers, text or tuples of them; None stands for an edge without a label, which is
            like others without one. All None are no labels.
        weights : array-like of m numbers, optional
        is_directed : bool

        Returns
        -------
        Edges
        """
        codes: Int32Array | None = None
        values: tuple[Hashable, ...] = ()
        if labels is not None and any(label is not None for label in labels):
            codes, values = _encoded(labels)
        numbers = None if weights is None else _numbers(weights)
        ends = np.asarray(sources, dtype=np.int32), np.asarray(targets, dtype=np.int32)
        for what, given in {"targets": ends[1], "labels": codes, "weights": numbers}.items():
            if given is not None and len(given) != len(ends[0]):
                raise InvalidGraphError(
                    f"There are {len(given)} {what} for {len(ends[0])} edges. Give one each."
                )
        return cls(*ends, is_directed, codes, values, numbers)._in_order()

    @classmethod
    def of_adjacency(cls, adjacency: csr_array) -> Edges:
        """Return the plain edges of a symmetric matrix."""
        upper = triu(adjacency, format="csr")
        sources = np.repeat(np.arange(upper.shape[0], dtype=np.int32), np.diff(upper.indptr))
        return cls(sources, upper.indices.astype(np.int32))

    @property
    def n_edges(self) -> int:
        """Number of edges."""
        return len(self.sources)

    @property
    def is_plain(self) -> bool:
        """Whether nothing is known but the ends, or there are no edges."""
        known = self.is_directed or self.label_codes is not None or self.weights is not None
        return not known or self.n_edges == 0

    @property
    def labels(self) -> list[Hashable] | None:
        """One label per edge, or None where the edges have no labels."""
        if self.label_codes is None:
            return None
        return [self.label_values[code] for code in self.label_codes.tolist()]

    def adjacency(self, n_vertices: int) -> coo_array:
        """Return a matrix with an entry for every edge."""
        ends = (self.sources, self.targets)
        largest = max((int(end.max(initial=-1)) for end in ends), default=-1)
        if largest >= n_vertices or min(int(end.min(initial=0)) for end in ends) < 0:
            raise InvalidGraphError(
                f"An edge ends at vertex {largest if largest >= n_vertices else 'below 0'}, but "
                f"there are {n_vertices} vertices, numbered from 0."
            )
        return coo_array((np.ones(self.n_edges), ends), shape=(n_vertices, n_vertices))

    def without_loops(self) -> Edges:
        """Return the edges that join two vertices."""
        return self.chosen(self.sources != self.targets)

    def renumbered(self, new_number: IntArray) -> Edges:
        """Return the edges between some vertices.

        Parameters
        ----------
        new_number : ndarray of shape (n,)
            The new number of every vertex; -1 for those that are left out.

        Returns
        -------
        Edges
        """
        sources, targets = new_number[self.sources], new_number[self.targets]
        moved = replace(self, sources=sources.astype(np.int32), targets=targets.astype(np.int32))
        return moved.chosen((sources >= 0) & (targets >= 0))._in_order()

    def of_blocks(self, starts: IntArray, sizes: IntArray) -> Edges:
        """Return the edges of some graphs, which may repeat, numbered anew in their order.

        Parameters
        ----------
        starts, sizes : ndarray of shape (N,)
            The first vertex and the number of vertices of every graph.

        Returns
        -------
        Edges
        """
        first = np.searchsorted(self.sources, starts)
        n_edges = np.searchsorted(self.sources, starts + sizes) - first
        offsets = np.cumsum(n_edges) - n_edges
        rows = np.arange(n_edges.sum()) + np.repeat(first - offsets, n_edges)
        shift = np.repeat(np.cumsum(sizes) - sizes - starts, n_edges).astype(np.int32)
        own = self.chosen(rows)
        return replace(own, sources=own.sources + shift, targets=own.targets + shift)

    def only(self, *, labels: bool, weights: bool, directions: bool = True) -> Edges:
        """Return the same without labels, weights or directions; what is then alike is joined."""
        is_directed = self.is_directed and directions
        left = replace(self, is_directed=is_directed)
        if not labels:
            left = replace(left, label_codes=None, label_values=())
        if not weights:
            left = replace(left, weights=None)
        has_less = self.label_codes is not None and not labels
        return left._in_order() if has_less or is_directed != self.is_directed else left

    def directed(self) -> Edges:
        """Return the same as arcs: an undirected edge becomes one in each direction."""
        if self.is_directed:
            return self
        return replace(self.both_ways(), is_directed=True)._in_order()

    def undirected(self) -> Edges:
        """Return the same without directions: opposite arcs with equal label become one edge."""
        return replace(self, is_directed=False)._in_order() if self.is_directed else self

    def both_ways(self) -> Edges:
        """Return every edge from each of its ends to the other; a loop once."""
        back = self.without_loops()

        def twice(ours: Any, theirs: Any) -> Any:
            return None if ours is None else np.concatenate([ours, theirs])

        return replace(
            self,
            sources=twice(self.sources, back.targets),
            targets=twice(self.targets, back.sources),
            label_codes=twice(self.label_codes, back.label_codes),
            weights=twice(self.weights, back.weights),
        )

    @staticmethod
    def joined(parts: Sequence[Edges], shifts: Sequence[int]) -> Edges:
        """Put the edges of several sets behind one another.

        Where some are directed, undirected edges become arcs in both directions; where some have
        labels, edges of the others have the label None; where some have weights, the others
        weigh 1.

        Parameters
        ----------
        parts : sequence of Edges
        shifts : sequence of int
            The number of the first vertex of each part.

        Returns
        -------
        Edges
        """
        if any(part.is_directed for part in parts):
            parts = [part.directed() for part in parts]
        codes: Int32Array | None = None
        values: tuple[Hashable, ...] = ()
        if any(part.label_codes is not None for part in parts):
            codes, values = _joined_labels(parts)
        weights = None
        if any(part.weights is not None for part in parts):
            weights = np.concatenate(
                [np.ones(p.n_edges) if p.weights is None else p.weights for p in parts]
            )
        moved = list(zip(parts, shifts, strict=True))
        return Edges(
            np.concatenate([part.sources + np.int32(shift) for part, shift in moved]),
            np.concatenate([part.targets + np.int32(shift) for part, shift in moved]),
            any(part.is_directed for part in parts),
            codes,
            values,
            weights,
        )

    def content(self) -> tuple[Any, ...]:
        """Return all that makes the edges what they are; see :func:`mpgk_core.content_key`."""
        labels = None if self.label_codes is None else (self.label_codes, self.label_values)
        return self.sources, self.targets, self.is_directed, labels, self.weights

    def chosen(self, rows: BoolArray | IntArray) -> Edges:
        """Return some of the edges, in rising order."""
        return replace(
            self,
            sources=self.sources[rows],
            targets=self.targets[rows],
            label_codes=None if self.label_codes is None else self.label_codes[rows],
            weights=None if self.weights is None else self.weights[rows],
        )

    def _in_order(self) -> Edges:
        """Sort the edges, and join those with the same ends and label."""
        sources, targets = self.sources, self.targets
        if not self.is_directed:
            sources, targets = np.minimum(sources, targets), np.maximum(sources, targets)
        keys: list[Any] = [targets, sources]
        if self.label_codes is not None:
            keys.insert(0, self.label_codes)
        number = _one_number(keys)
        if number is None:
            order = np.lexsort(keys if self.weights is None else [self.weights, *keys])
        else:
            keys, order = [number], np.argsort(number)
            if self.weights is not None and not np.diff(number[order]).all():
                order = np.lexsort([self.weights, number])
        ordered = replace(self, sources=sources, targets=targets).chosen(order)
        is_first = np.zeros(len(order), dtype=np.bool_)
        is_first[:1] = True
        for key in keys:
            is_first[1:] |= np.diff(key[order]) != 0
        if is_first.all():
            return ordered
        sums = None
        if ordered.weights is not None:
            sums = np.add.reduceat(ordered.weights, np.flatnonzero(is_first))
        return replace(ordered.chosen(is_first), weights=sums)


def _one_number(keys: list[Any]) -> IntArray | None:
    """Return a number for every edge that sorts like its keys, the last key first, if there is one.

    One sort takes a third of the time of three.
    """
    sizes = [int(key.max(initial=0)) + 1 for key in keys]
    if math.prod(sizes) >= 1 << 62 or any(key.min(initial=0) < 0 for key in keys):
        return None
    number: IntArray = keys[-1].astype(np.int64)
    for key, size in zip(keys[-2::-1], sizes[-2::-1], strict=True):
        number *= size
        number += key
    return number


def _encoded(labels: Sequence[Hashable] | NDArray[Any]) -> tuple[Int32Array, tuple[Hashable, ...]]:
    """Return labels as numbers; whole numbers in an array without looking at each of them."""
    if isinstance(labels, np.ndarray) and labels.dtype.kind in "iu":
        values, codes = np.unique(labels, return_inverse=True)
        return codes.astype(np.int32), tuple(values.tolist())
    return encode_labels(list(labels))


def _joined_labels(parts: Sequence[Edges]) -> tuple[Int32Array, tuple[Hashable, ...]]:
    vocabularies = [(None,) if p.label_codes is None else p.label_values for p in parts]
    recode, values = encode_labels([value for own in vocabularies for value in own])
    codes, start = [], 0
    for part, own in zip(parts, vocabularies, strict=True):
        used = np.zeros(part.n_edges, np.int32) if part.label_codes is None else part.label_codes
        codes.append(recode[start + used])
        start += len(own)
    return np.concatenate(codes), values


def _numbers(weights: ArrayLike) -> FloatArray:
    try:
        return np.array(weights, dtype=np.float64).ravel() + 0.0
    except (TypeError, ValueError, OverflowError) as error:
        raise InvalidGraphError(
            f"The edge weights are not numbers ({error}). Give every edge one number, or none."
        ) from error
