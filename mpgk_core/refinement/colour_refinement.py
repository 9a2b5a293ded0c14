"""Colour refinement (Weisfeiler-Lehman): types of vertices, round by round.

A type is what the kernels can know of a vertex after t rounds: its type before the last round
and the multiset of colours that its neighbours sent it,

    type_{t+1}(v) = (type_t(v), {{ colour_t(u) : u in N(v) }}).

Where edges have labels, weights or directions that are used, a colour counts together with the
channel and the weight by which it came. With the types themselves as colours this is colour
refinement (Weisfeiler-Lehman); with the
leaves of a cluster tree as colours it is one round of an assignment kernel. Types are numbered
by their content, so nothing depends on the order of vertices or graphs, and everything is computed
once per type.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from mpgk_core._compiled import compiled
from mpgk_core.arrays import FloatArray, Int32Array, IntArray
from mpgk_core.checks import check_iterations
from mpgk_core.graphs import GraphSet, as_graph_set
from mpgk_core.graphs.neighbourhoods import EdgeEncoder, Neighbourhoods
from mpgk_core.grouping import Rows, group_rows

_PORTION = 1 << 17
"""Types that are worked on at a time, where that saves memory."""


class ChannelRows(NamedTuple):
    """Messages with a row for every type and every channel over which it received any."""

    rows: csr_array
    """(r, number of colours) how many neighbours of each colour"""
    channels: IntArray
    """(r,) the channel of every row"""
    first_rows: IntArray
    """(m + 1,) the rows of type i are ``first_rows[i]`` to ``first_rows[i + 1]``"""


@dataclass(frozen=True, eq=False)
class VertexTypes:
    """The types of all vertices after one round.

    Attributes
    ----------
    of_vertex : ndarray of shape (n,)
        The type of every vertex.
    parents : ndarray of shape (m,)
        The type that each type had before the round.
    messages : csr_array of shape (m, number of channels × number of colours)
        How many neighbours of each colour a vertex of the type has, or the sum of their weights,
        channel after channel.
    n_channels : int
    """

    of_vertex: Int32Array
    parents: Int32Array
    messages: csr_array
    n_channels: int = 1

    @property
    def n_types(self) -> int:
        """Number of distinct types."""
        return len(self.parents)

    @property
    def content(self) -> Rows:
        """What tells the types apart: the parent, then channel, colour and count."""
        channels, colours = self._channels_and_colours()
        parts = np.column_stack([channels, colours, self.messages.data]).astype(np.int64)
        return Rows(self.parents, 3 * self.messages.indptr.astype(np.int64), parts.ravel())

    def portions(self, size: int = _PORTION) -> Iterator[tuple[slice, VertexTypes]]:
        """Yield the types in portions: what is computed type by type needs less memory then.

        Parameters
        ----------
        size : int
            Types in a portion.

        Yields
        ------
        slice
            Which of the types.
        VertexTypes
            These types alone; ``of_vertex`` is left as it is.
        """
        for start in range(0, self.n_types, size):
            rows = slice(start, min(start + size, self.n_types))
            if rows == slice(0, self.n_types):
                yield rows, self
            else:
                parents, messages = self.parents[rows], self.messages[rows]
                yield rows, replace(self, parents=parents, messages=messages)

    def by_channel(self) -> ChannelRows:
        """Return what came over each channel alone."""
        channels, colours = self._channels_and_colours()
        of_entry = np.repeat(np.arange(self.n_types), np.diff(self.messages.indptr))
        is_first = np.ones(len(channels), dtype=np.bool_)
        is_first[1:] = (np.diff(channels) != 0) | (np.diff(of_entry) != 0)
        starts = np.append(np.flatnonzero(is_first), len(channels))
        shape = (len(starts) - 1, self.messages.shape[1] // self.n_channels)
        rows = csr_array((self.messages.data, colours, starts), shape=shape)
        first_rows = np.searchsorted(of_entry[is_first], np.arange(self.n_types + 1))
        return ChannelRows(rows, channels[is_first], first_rows)

    def over_each_channel(self, result_of: Callable[[csr_array], Any]) -> Any:
        """Compute something from what came over each channel alone, and join the results.

        Parameters
        ----------
        result_of : callable
            Takes messages, of shape (any number, number of colours), and returns as many sparse
            rows.

        Returns
        -------
        csr_array of shape (m, number of channels × number of columns of the results)
        """
        if self.n_channels == 1:
            return result_of(self.messages)
        parts = self.by_channel()
        found = result_of(parts.rows)
        width = found.shape[1]
        shift = np.repeat(parts.channels * width, np.diff(found.indptr))
        return csr_array(
            (found.data, found.indices + shift, found.indptr[parts.first_rows]),
            shape=(self.n_types, self.n_channels * width),
        )

    def _channels_and_colours(self) -> tuple[IntArray, IntArray]:
        """Return the channel and the colour of every entry of the messages."""
        n_colours = max(self.messages.shape[1] // self.n_channels, 1)
        channels, colours = np.divmod(self.messages.indices.astype(np.int64), n_colours)
        return channels, colours


def refine(
    neighbourhoods: Neighbourhoods,
    types: Int32Array,
    colours: Int32Array,
    n_colours: int,
    offsets: IntArray | None = None,
) -> VertexTypes:
    """Let every vertex receive the colours of its neighbours.

    Parameters
    ----------
    neighbourhoods : Neighbourhoods
    types : ndarray of shape (n,)
        The present types.
    colours : ndarray of shape (n,)
        What each vertex sends, from 0 to ``n_colours - 1``.
    n_colours : int
        Number of colours.
    offsets : ndarray of shape (N + 1,), optional
        Where the graphs begin, if there are several: work then stays within one at a time.

    Returns
    -------
    VertexTypes

    Examples
    --------
    On a path of five vertices, one round tells the ends from the rest:

    >>> import networkx as nx
    >>> path = Neighbourhoods.plain(nx.to_scipy_sparse_array(nx.path_graph(5)))
    >>> start = np.zeros(5, dtype=np.int32)
    >>> types = refine(path, start, start, n_colours=1)
    >>> types.n_types, bool(types.of_vertex[0] == types.of_vertex[4])
    (2, True)
    """
    indptr, indices, kinds = neighbourhoods.indptr, neighbourhoods.indices, neighbourhoods.kinds
    if kinds is None:
        bounds = np.array([0, len(types)], dtype=np.int64) if offsets is None else offsets
        received = _sorted_messages(indptr, indices, colours, n_colours, bounds)
    else:
        received = _sorted_kinds(indptr, indices, kinds, colours, n_colours)
    groups = group_rows(Rows(types, indptr, received))
    rows = groups.representatives
    counts, codes, starts = _count_runs(indptr, received, rows)
    n_channels = neighbourhoods.n_channels
    if neighbourhoods.weight_of_kind is not None:
        kind, colour = np.divmod(codes, max(n_colours, 1))
        counts = counts * neighbourhoods.weight_of_kind[kind]
        codes = neighbourhoods.channel_of_kind[kind] * np.int64(n_colours) + colour
    messages = csr_array((counts, codes, starts), shape=(len(rows), n_channels * n_colours))
    if neighbourhoods.weight_of_kind is not None:
        messages.sum_duplicates()
    return VertexTypes(groups.of_row, types[rows], messages, n_channels)


@compiled
def _sorted_kinds(
    indptr: IntArray, indices: Int32Array, kinds: Int32Array, colours: Int32Array, n_colours: int
) -> IntArray:
    """Return kind × n_colours + colour of all neighbours of each vertex, in ascending order."""
    received = np.empty(len(indices), dtype=np.int64)
    for v in range(len(indptr) - 1):
        for e in range(indptr[v], indptr[v + 1]):
            received[e] = np.int64(kinds[e]) * n_colours + colours[indices[e]]
        _sort(received[indptr[v] : indptr[v + 1]])
    return received


@compiled
def _sort(values: IntArray) -> None:
    """Shell's sort: rows are short."""
    gap = 1
    while 3 * gap + 1 < len(values):
        gap = 3 * gap + 1
    while gap > 0:
        for i in range(gap, len(values)):
            value = values[i]
            j = i
            while j >= gap and values[j - gap] > value:
                values[j] = values[j - gap]
                j -= gap
            values[j] = value
        gap //= 3


@compiled
def _sorted_messages(
    indptr: IntArray, indices: Int32Array, colours: Int32Array, n_colours: int, offsets: IntArray
) -> IntArray:
    """Sort the colours of each vertex's neighbours, all vertices in one pass over the edges.

    The vertices send in the order of their colours, so every vertex receives in that order. They
    do so graph by graph, which keeps the memory that is touched close together.
    """
    n = len(colours)
    places = np.zeros(n_colours + 1, dtype=np.int64)
    for v in range(n):
        places[colours[v] + 1] += 1
    places = np.cumsum(places)
    by_colour = np.empty(n, dtype=np.int64)
    for v in range(n):
        by_colour[places[colours[v]]] = v
        places[colours[v]] += 1
    graph_of = np.empty(n, dtype=np.int32)
    for g in range(len(offsets) - 1):
        graph_of[offsets[g] : offsets[g + 1]] = g
    next_sender = offsets[:-1].copy()
    senders = np.empty(n, dtype=np.int64)
    for sender in by_colour:
        senders[next_sender[graph_of[sender]]] = sender
        next_sender[graph_of[sender]] += 1
    received = np.empty(indptr[n], dtype=np.int64)
    fill = indptr[:-1].copy()
    for u in senders:
        colour = colours[u]
        for e in range(indptr[u], indptr[u + 1]):
            v = indices[e]
            received[fill[v]] = colour
            fill[v] += 1
    return received


@compiled
def _count_runs(
    indptr: IntArray, received: IntArray, rows: IntArray
) -> tuple[FloatArray, IntArray, IntArray]:
    """Turn the sorted messages of the chosen rows into (count, colour) pairs, as CSR arrays."""
    total = 0
    for row in rows:
        for e in range(indptr[row], indptr[row + 1]):
            if e == indptr[row] or received[e] != received[e - 1]:
                total += 1
    counts = np.zeros(total, dtype=np.float64)
    run_colours = np.empty(total, dtype=np.int64)
    starts = np.zeros(len(rows) + 1, dtype=np.int64)
    run = -1
    for i in range(len(rows)):
        row = rows[i]
        for e in range(indptr[row], indptr[row + 1]):
            if e == indptr[row] or received[e] != received[e - 1]:
                run += 1
                run_colours[run] = received[e]
            counts[run] += 1.0
        starts[i + 1] = run + 1
    return counts, run_colours, starts


def agreeing(*classes: NDArray[Any]) -> IntArray:
    """Put two vertices into one class if they agree in all given classes.

    Parameters
    ----------
    *classes : ndarray of shape (n,)
        Any numbers; equal ones are one class.

    Returns
    -------
    ndarray of shape (n,)
        Numbered 0, 1, 2, ... in order of the first vertex.

    Examples
    --------
    >>> agreeing(np.array([7, 7, 2, 2]), np.array([0, 1, 0, 0])).tolist()
    [0, 1, 2, 2]
    """
    joint = classes[0]
    for part in classes[1:]:
        values, code = np.unique(part, return_inverse=True)
        together = np.unique(joint, return_inverse=True)[1].astype(np.int64)
        joint = together * max(len(values), 1) + code
    _, first, code = np.unique(joint, return_index=True, return_inverse=True)
    rank = np.empty(len(first), dtype=np.int64)
    rank[np.argsort(first)] = np.arange(len(first))
    return rank[code]


def colour_refinement(
    graph: Any,
    n_iterations: int | None = None,
    *,
    respect_labels: bool = False,
    edges: str = "ignore",
) -> Int32Array:
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
    edges : str
        What is used of edges, as by the kernels: with ``"labels+both"``, colours count together
        with the label and the direction of the edge over which they are seen.

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
    for t, types in enumerate(refinement_rounds(graphs, colours, n_colours, edges)):
        if t == n_iterations or (n_iterations is None and types.n_types == n_colours):
            break
        colours, n_colours = types.of_vertex, types.n_types
    return colours


def refinement_rounds(
    graphs: GraphSet, types: Int32Array, n_types: int, edges: str = "ignore"
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
    edges : str
        What is used of edges, as by the kernels.

    Yields
    ------
    VertexTypes
        The types after 1, 2, 3, ... rounds.
    """
    neighbourhoods = EdgeEncoder(edges).fit(graphs)
    while True:
        refined = refine(neighbourhoods, types, types, n_types)
        yield refined
        types, n_types = refined.of_vertex, refined.n_types


def mixed_classes(classes: IntArray, orbit_of_vertex: IntArray) -> list[IntArray]:
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
    graphs: GraphSet, colours: Int32Array, n_colours: int, edges: str = "ignore"
) -> Iterator[Int32Array]:
    """Refine until nothing changes any more.

    Parameters
    ----------
    graphs : GraphSet
    colours : ndarray of shape (n,)
        The colours to start from, numbered from 0.
    n_colours : int
    edges : str
        What is used of edges, as by the kernels.

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
    for types in refinement_rounds(graphs, colours, n_colours, edges):
        if types.n_types == n_colours:
            return
        n_colours = types.n_types
        yield types.of_vertex


class Separation(NamedTuple):
    """What a sequence of ever finer colourings tells apart."""

    n_colours: IntArray
    """For each set of vertices, how many colours it has in the end"""
    n_rounds: IntArray
    """For each set of vertices, the round after which it parts no further"""
    colours: Int32Array
    """(n,) the last colouring"""


def separation(colourings: Iterable[Int32Array], sets: list[IntArray]) -> Separation:
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
