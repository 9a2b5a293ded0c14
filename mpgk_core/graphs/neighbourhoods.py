"""Who is a neighbour of whom: what kernels use of the labels, weights and directions of edges.

The paper's graphs have plain edges. This is an extension: a neighbourhood falls into *channels*,
one for every label of an edge, and every neighbour has a weight. Neighbours are compared within a
channel only, and k_N is the sum over all channels b,

    R:  k_N(v, u) = Σ_b Σ_{v' over b} Σ_{u' over b} w(v, v') w(u, u') k(v', u'),
    A:  k_N(v, u) = Σ_b  (best assignment between the neighbours over b).

The neighbours of v are, along an edge v → u: both ends of each other (directions are merged), the
targets of v (follow), the sources of v (reverse), or both of these, as channels of their own.
"""

from __future__ import annotations

import math
from collections.abc import Hashable
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from scipy.sparse import csr_array

from mpgk_core.arrays import FloatArray, Int32Array, IntArray
from mpgk_core.errors import InvalidGraphError, InvalidParameterError
from mpgk_core.graphs.edges import Edges
from mpgk_core.graphs.graph_parts import encode_labels
from mpgk_core.graphs.graph_set import GraphSet

DIRECTIONS = ("follow", "reverse", "both")
_REMEDY = (
    "Use 'ignore', or 'labels', 'weights' (or 'weights/4' for four bins at quantiles, "
    "'weights@0.5,2' for bins between given limits) and one of 'follow', 'reverse', 'both', joined "
    "by '+'."
)
_MAX_BINS = 100


@dataclass(frozen=True)
class EdgeUse:
    """What a kernel uses of edges.

    Attributes
    ----------
    labels : bool
        Whether neighbours are compared only over equally labelled edges.
    weights : bool
        Whether every message is multiplied by the weight of its edge.
    n_bins : int
        At least 2 where weights are put into so many bins, which are labels; else 0.
    limits : tuple of float
        The limits between given bins.
    direction : {"merge", "follow", "reverse", "both"}

    Examples
    --------
    >>> EdgeUse.of("labels+both")
    EdgeUse(labels=True, weights=False, n_bins=0, limits=(), direction='both')
    >>> EdgeUse.of("weights/4").n_bins, EdgeUse.of("weights@0.5,2").limits
    (4, (0.5, 2.0))
    """

    labels: bool = False
    weights: bool = False
    n_bins: int = 0
    limits: tuple[float, ...] = ()
    direction: str = "merge"

    @classmethod
    def of(cls, text: Any) -> EdgeUse:
        """Read the text of the parameter ``edges``, or raise."""
        if text == "ignore":
            return cls()
        parts = [part.strip() for part in text.split("+")] if isinstance(text, str) else []
        found: dict[str, Any] = {}
        for part in parts:
            read = _read_part(part)
            if read.keys() & found.keys():
                raise InvalidParameterError(f"edges={text!r} names one thing twice. {_REMEDY}")
            found |= read
        if not found:
            raise InvalidParameterError(
                f"The 'edges' parameter must be a text. Got {text!r} instead. {_REMEDY}"
            )
        return cls(**found)

    @property
    def has_bins(self) -> bool:
        """Whether weights are put into bins."""
        return self.n_bins > 0

    @property
    def has_channels(self) -> bool:
        """Whether a neighbourhood may fall into several channels."""
        return self.labels or self.has_bins or self.direction == "both"

    @property
    def multiplies(self) -> bool:
        """Whether messages are multiplied by weights."""
        return self.weights and not self.has_bins


def _read_part(part: str) -> dict[str, Any]:
    if part == "labels":
        return {"labels": True}
    if part in DIRECTIONS:
        return {"direction": part}
    if part == "weights":
        return {"weights": True}
    head, _, tail = part.partition("/")
    if head == "weights" and tail.isascii() and tail.isdigit() and 2 <= int(tail) <= _MAX_BINS:
        return {"weights": True, "n_bins": int(tail)}
    head, _, tail = part.partition("@")
    limits = _numbers(tail) if head == "weights" else ()
    if limits and list(limits) == sorted(set(limits)) and len(limits) < _MAX_BINS:
        return {"weights": True, "n_bins": len(limits) + 1, "limits": limits}
    raise InvalidParameterError(f"The 'edges' parameter does not know {part!r}. {_REMEDY}")


def _numbers(text: str) -> tuple[float, ...]:
    try:
        numbers = tuple(float(number) for number in text.split(","))
    except ValueError:
        return ()
    return numbers if all(map(math.isfinite, numbers)) else ()


_BINNED = "weights/4"


def edges_for(edges: str, can_multiply: bool) -> str:
    """Return what a kernel uses of edges; only R multiplies by weights, others put them into bins.

    Examples
    --------
    >>> edges_for("labels+weights", can_multiply=False), edges_for("weights/2", can_multiply=False)
    ('labels+weights/4', 'weights/2')
    """
    if can_multiply:
        return edges
    parts = edges.split("+")
    return "+".join(_BINNED if part.strip() == "weights" else part for part in parts)


def check_edges(edges: Any, can_multiply: bool) -> None:
    """Raise unless a kernel can use ``edges``; only R multiplies messages by weights."""
    if EdgeUse.of(edges).multiplies and not can_multiply:
        raise InvalidParameterError(
            f"edges={edges!r} multiplies messages by weights, which only neighbourhood R can do. "
            f"Put the weights into bins, for example {_BINNED!r}."
        )


@dataclass(frozen=True, eq=False)
class Neighbourhoods:
    """The neighbours of all vertices, in compressed rows.

    Attributes
    ----------
    indptr, indices : ndarray
        The neighbours of vertex v are ``indices[indptr[v]:indptr[v + 1]]``; one that is reached
        in several ways is listed as often.
    kinds : ndarray or None
        The kind of every entry; None where there is one kind only, symmetric and of weight 1.
    channel_of_kind : ndarray
        Kinds are numbered by channel, then by weight.
    weight_of_kind : ndarray or None
        None where all weights are 1.
    n_channels : int
        Those known from training come first.
    """

    indptr: IntArray
    indices: Int32Array
    kinds: Int32Array | None
    channel_of_kind: Int32Array
    weight_of_kind: FloatArray | None
    n_channels: int

    @classmethod
    def plain(cls, adjacency: csr_array) -> Neighbourhoods:
        """Return the neighbourhoods of a symmetric adjacency matrix."""
        zero = np.zeros(1, dtype=np.int32)
        return cls(adjacency.indptr.astype(np.int64), adjacency.indices, None, zero, None, 1)

    def strengths(self) -> FloatArray:
        """Return the sum of the weights of the neighbours of every vertex."""
        weights = np.ones(len(self.indices))
        if self.kinds is not None and self.weight_of_kind is not None:
            weights = self.weight_of_kind[self.kinds]
        vertices = np.repeat(np.arange(len(self.indptr) - 1), np.diff(self.indptr))
        return np.bincount(vertices, weights, minlength=len(self.indptr) - 1).astype(np.float64)


class EdgeEncoder:
    """Turn the edges of graphs into neighbourhoods, with the channels of the training graphs.

    Parameters
    ----------
    edges : str
        ``"ignore"``, or what is used of edges, joined by "+": see ``EdgeUse``. Whatever is not
        used is forgotten first: parallel edges with the same ends and, if used, the same label
        become one edge with the sum of their weights. Without a direction, this goes for opposite
        arcs, too; with one, an undirected edge counts as two arcs.

    Attributes
    ----------
    known_labels_ : tuple
        Labels of the edges of the training graphs; others get channels of their own.
    limits_ : ndarray
        Limits between the bins of weights; a weight on a limit belongs to the lower bin.

    Examples
    --------
    >>> edges = Edges.of([0, 1], [1, 2], labels=["-", "="])
    >>> path = GraphSet(None, [0, 3], edges=edges)
    >>> found = EdgeEncoder("labels").fit(path)
    >>> found.indices.tolist(), found.channel_of_kind[found.kinds].tolist()
    ([1, 2, 0, 1], [0, 1, 0, 1])
    """

    def __init__(self, edges: str) -> None:
        self.use = EdgeUse.of(edges)

    def fit(self, graphs: GraphSet) -> Neighbourhoods:
        """Learn labels and bins from the training graphs, and return their neighbourhoods.

        Parameters
        ----------
        graphs : GraphSet

        Returns
        -------
        Neighbourhoods
        """
        self.known_labels_: tuple[Hashable, ...] = (None,)
        self.limits_ = np.array(self.use.limits)
        if self.use.labels:
            edges = graphs.all_edges()
            used = np.unique(_labels(edges)).tolist()
            self.known_labels_ = tuple(edges.label_values[code] for code in used)
        if self.use.has_bins and not self.use.limits:
            shares = np.arange(1, self.use.n_bins) / self.use.n_bins
            weights = checked_weights(self._used(graphs))
            self.limits_ = np.zeros(len(shares))
            if len(weights):
                self.limits_ = np.quantile(weights, shares, method="inverted_cdf")
        return self.transform(graphs)

    def transform(self, graphs: GraphSet) -> Neighbourhoods:
        """Return the neighbourhoods of graphs, with the channels that were learnt.

        Parameters
        ----------
        graphs : GraphSet

        Returns
        -------
        Neighbourhoods
        """
        if self.use == EdgeUse():
            return Neighbourhoods.plain(graphs.adjacency)
        edges = self._used(graphs)
        arcs = edges if edges.is_directed else edges.both_ways()
        channels = self._channels(arcs)
        out, back = (arcs.sources, arcs.targets), (arcs.targets, arcs.sources)
        ways = {"reverse": [back], "both": [out, back]}.get(self.use.direction, [out])
        n_ways = len(ways)
        receivers, senders = (np.concatenate(ends) for ends in zip(*ways, strict=True))
        kinds = np.concatenate([channels * n_ways + way for way in range(n_ways)])
        n_channels = n_ways * self._n_channels(arcs)
        channel_of_kind = np.arange(n_channels, dtype=np.int32)
        weight_of_kind = None
        if self.use.multiplies:
            kinds, channel_of_kind, weight_of_kind = _by_weight(
                kinds, np.tile(checked_weights(arcs), n_ways)
            )
        order = np.argsort(receivers, kind="stable")
        counts = np.bincount(receivers, minlength=graphs.n_vertices)
        return Neighbourhoods(
            np.concatenate([[0], np.cumsum(counts)]),
            senders[order],
            kinds[order].astype(np.int32),
            channel_of_kind,
            weight_of_kind,
            n_channels,
        )

    @property
    def channel_names(self) -> list[str]:
        """What the channels of the training graphs stand for, in words."""
        labels = [f"label {label}" for label in self.known_labels_] if self.use.labels else [""]
        bins = [f"weight up to {limit:g}" for limit in self.limits_]
        bins.append(f"weight above {self.limits_[-1]:g}" if self.use.has_bins else "")
        ways = {"both": ["outgoing", "incoming"], "follow": ["outgoing"], "reverse": ["incoming"]}
        parts = product(labels, bins, ways.get(self.use.direction, [""]))
        return [", ".join(filter(None, part)) for part in parts]

    def _used(self, graphs: GraphSet) -> Edges:
        """Return the edges as if nothing was known of them but what is used."""
        use = self.use
        is_merged = use.direction == "merge"
        edges = graphs.all_edges().only(
            labels=use.labels, weights=use.weights, directions=not is_merged
        )
        return edges if is_merged else edges.directed()

    def _n_channels(self, edges: Edges) -> int:
        n_labels = len(self._recoded(edges)[1]) if self.use.labels else 1
        return max(n_labels, 1) * max(self.use.n_bins, 1)

    def _channels(self, edges: Edges) -> IntArray:
        """Return the channel of every edge, before directions: the label, then the bin."""
        channels = np.zeros(edges.n_edges, dtype=np.int64)
        if self.use.labels:
            channels += self._recoded(edges)[0][_labels(edges)]
        if self.use.has_bins:
            bins = np.searchsorted(self.limits_, checked_weights(edges), side="left")
            channels = channels * self.use.n_bins + bins
        return channels

    def _recoded(self, edges: Edges) -> tuple[Int32Array, tuple[Hashable, ...]]:
        """Return the number of every label: those of training first, then the others."""
        return encode_labels(edges.label_values, self.known_labels_)


def _by_weight(channels: IntArray, weights: FloatArray) -> tuple[IntArray, Int32Array, FloatArray]:
    """Return the kind of every entry, and the channel and the weight of every kind."""
    order = np.lexsort([weights, channels]) if channels.any() else np.argsort(weights)
    ordered = channels[order], weights[order]
    is_first = np.ones(len(order), dtype=np.bool_)
    is_first[1:] = (np.diff(ordered[0]) != 0) | (np.diff(ordered[1]) != 0)
    kinds = np.empty(len(order), dtype=np.int64)
    kinds[order] = np.cumsum(is_first) - 1
    return kinds, ordered[0][is_first].astype(np.int32), ordered[1][is_first]


def _labels(edges: Edges) -> Int32Array:
    if edges.label_codes is None and edges.n_edges:
        raise InvalidGraphError(
            "The edges have no labels. Label them, or leave 'labels' out of the 'edges' parameter."
        )
    return np.zeros(0, dtype=np.int32) if edges.label_codes is None else edges.label_codes


def checked_weights(edges: Edges) -> FloatArray:
    """Return the weights of edges, or raise unless all are finite and at least 0."""
    if edges.weights is None:
        if edges.n_edges:
            raise InvalidGraphError(
                "The edges have no weights. Give every edge a number, or leave 'weights' out of "
                "the 'edges' parameter."
            )
        return np.zeros(0)
    bad = np.flatnonzero(~(np.isfinite(edges.weights) & (edges.weights >= 0)))
    if len(bad):
        e = bad[0]
        raise InvalidGraphError(
            f"The edge between vertices {edges.sources[e]} and {edges.targets[e]} has the weight "
            f"{edges.weights[e]:g}. Weights must be finite numbers of at least 0: change them, or "
            "leave 'weights' out of the 'edges' parameter."
        )
    return edges.weights
