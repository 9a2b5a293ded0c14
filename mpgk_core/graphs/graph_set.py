"""The one data structure of the engine: a set of graphs, all their vertices stacked."""

from __future__ import annotations

import copy
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import networkx as nx
import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import breadth_first_order

from mpgk_core.arrays import Int32Array, IntArray
from mpgk_core.checks import check_whole
from mpgk_core.errors import InvalidGraphError
from mpgk_core.graphs.array_graphs import (
    KINDS,
    has_edge_index,
    is_array_graph,
    is_matrix,
    parts_from_arrays,
)
from mpgk_core.graphs.edges import Edges
from mpgk_core.graphs.graph_parts import (
    LabelNames,
    check_blocks,
    checked_attributes,
    checked_length,
    checked_names,
    encode_labels,
)
from mpgk_core.graphs.networkx_graphs import networkx_from_parts, parts_from_networkx


class GraphSet:
    """Graphs G_1, ..., G_N, stored as one block-diagonal adjacency matrix.

    By default, kernels read each edge as "is a neighbour of": whatever comes in, the adjacency
    matrix is symmetric and holds ones. A directed edge joins its two ends, and parallel edges
    count once. Labels, weights and directions of edges are kept in ``edges``, for kernels that
    are asked to use them. A self-loop is dropped unless ``self_loops="keep"``, which
    makes the vertex one of its own neighbours. Isolated vertices and graphs without vertices
    are fine.

    Parameters
    ----------
    adjacency : sparse array of shape (n, n) or None
        Block-diagonal; any non-zero entry is an edge. None where ``edges`` are given.
    offsets : array-like of shape (N + 1,)
        Graph g owns the vertices ``offsets[g]`` up to, but not including, ``offsets[g + 1]``.
    names : sequence of hashable, optional
        One name per vertex, unique within its graph. Default: 0, 1, 2, ... in every graph.
    labels : sequence of hashable, optional
        One discrete label per vertex: numbers, text or tuples of them.
    attributes : array-like of shape (n, d), optional
        One finite real vector per vertex.
    self_loops : {"drop", "keep"}
        What to do with an edge from a vertex to itself.
    edges : Edges, optional
        Edges with labels, weights or directions, instead of ``adjacency``.
    label_names : LabelNames, optional
        What labels stand for that are numbers.

    Attributes
    ----------
    adjacency : csr_array of shape (n, n)
        Symmetric, float64 ones, sorted indices.
    offsets : ndarray of shape (N + 1,)
    names : sequence of hashable
    label_codes : ndarray of shape (n,) or None
        The labels as numbers; ``label_values[code]`` is the label itself.
    label_values : tuple
        All distinct labels in canonical order.
    attributes : ndarray of shape (n, d) or None
    edges : Edges or None
        None where edges have neither labels nor weights nor directions.
    label_names : LabelNames or None
        Only shown, see :meth:`named`.

    Examples
    --------
    >>> import networkx as nx
    >>> graphs = GraphSet.from_networkx([nx.path_graph(3), nx.cycle_graph(4)])
    >>> graphs
    GraphSet(2 graphs, 7 vertices, 6 edges)
    >>> len(graphs[1]), graphs[1].n_vertices
    (1, 4)
    """

    def __init__(
        self,
        adjacency: Any,
        offsets: ArrayLike,
        *,
        names: Sequence[Hashable] | None = None,
        labels: Sequence[Hashable] | None = None,
        attributes: ArrayLike | None = None,
        self_loops: str = "drop",
        edges: Edges | None = None,
        label_names: LabelNames | None = None,
    ) -> None:
        self.label_names = label_names
        self.offsets = np.ascontiguousarray(offsets, dtype=np.int64)
        if edges is not None:
            if adjacency is not None:
                raise InvalidGraphError("Give an adjacency matrix or edges, not both.")
            adjacency = edges.adjacency(int(self.offsets[-1]) if self.offsets.size else 0)
        self.adjacency = _simple_symmetric(adjacency, self_loops)
        self.edges: Edges | None = None
        if edges is not None:
            kept = edges.without_loops() if self_loops == "drop" else edges
            self.edges = None if kept.is_plain else kept
        n = self.adjacency.shape[0]
        check_blocks(self.adjacency, self.offsets)
        self._names = None if names is None else checked_names(list(names), self.offsets)
        self.label_codes: Int32Array | None = None
        self.label_values: tuple[Hashable, ...] = ()
        if labels is not None:
            checked = checked_length(list(labels), n, "labels")
            self.label_codes, self.label_values = encode_labels(checked)
        self.attributes = None if attributes is None else checked_attributes(attributes, n)

    @classmethod
    def from_networkx(
        cls,
        graphs: nx.Graph | Sequence[nx.Graph],
        node_label: str | None = "label",
        node_attributes: str | Sequence[str] | None = "attributes",
        self_loops: str = "drop",
        edge_label: str | None = "label",
        edge_weight: str | None = "weight",
    ) -> GraphSet:
        """Take one networkx graph or many.

        Parameters
        ----------
        graphs : graph or sequence of graphs
            Of any networkx class. Where some are directed, the edges of the others become arcs in
            both directions.
        node_label : str or None
            The node attribute that holds the discrete label. Either every node has it or none.
        node_attributes : str, sequence of str or None
            The node attributes that hold numbers, or vectors of numbers; several are joined.
        self_loops : {"drop", "keep"}
            What to do with an edge from a vertex to itself.
        edge_label : str or None
            The edge attribute that holds a discrete label. Edges without it have the label None.
        edge_weight : str or None
            The edge attribute that holds a number. Edges without it weigh 1.

        Returns
        -------
        GraphSet

        Examples
        --------
        >>> import networkx as nx
        >>> water = nx.Graph([("O", "H1"), ("O", "H2")])
        >>> nx.set_node_attributes(water, {"O": "O", "H1": "H", "H2": "H"}, "label")
        >>> GraphSet.from_networkx(water).labels
        ['O', 'H', 'H']
        """
        parts = parts_from_networkx(graphs, node_label, node_attributes, edge_label, edge_weight)
        return cls(**parts, self_loops=self_loops)

    @classmethod
    def from_arrays(cls, graphs: Any, self_loops: str = "drop") -> GraphSet:
        """Take graphs that are matrices, edge arrays, or tuples of edges and labels.

        Edges of which each has its opposite, with equal label and weight, are undirected and count
        once; where some have none, all are directed. Weights that are all 1 are no weights.

        Parameters
        ----------
        graphs : graph or iterable of graphs
            Kinds may be mixed. A graph is one of these:

            - A square matrix of NumPy or SciPy: an entry other than 0 is an edge, and its weight.
            - An object or mapping with an ``edge_index`` of shape (2, m), as in PyTorch Geometric,
              and perhaps with ``num_nodes``, ``x``, ``edge_attr`` and ``edge_weight``. Rows ``x``
              of whole numbers are labels, and those of real numbers attributes. One real number
              in ``edge_attr`` is the weight; whole numbers, or several numbers, are the label.
            - A tuple (edges, vertex labels, edge labels), as in GraKeL. Edges are a matrix, tuples
              of two vertices and perhaps a weight, or a dictionary. Labels are dictionaries; lists
              or arrays in the place of vertex labels are attributes.
        self_loops : {"drop", "keep"}
            What to do with an edge from a vertex to itself.

        Returns
        -------
        GraphSet

        Examples
        --------
        >>> from scipy.sparse import csr_array
        >>> water = ({(0, 1), (1, 0), (0, 2), (2, 0)}, {0: "O", 1: "H", 2: "H"})
        >>> GraphSet.from_arrays([water]).labels
        ['O', 'H', 'H']
        >>> data = {"edge_index": np.array([[0, 1], [1, 0]]), "num_nodes": 2}
        >>> GraphSet.from_arrays([csr_array([[0, 1], [1, 0]]), data])
        GraphSet(2 graphs, 4 vertices, 2 edges)
        """
        members = [graphs] if is_matrix(graphs) or has_edge_index(graphs) else graphs
        return cls(**parts_from_arrays(members), self_loops=self_loops)

    def to_networkx(self) -> list[nx.Graph]:
        """Return the graphs as networkx graphs, with ``label`` and ``attributes`` on the nodes.

        Edges have ``label`` and ``weight`` where there are any.
        """
        rows = None if self.attributes is None else list(map(tuple, self.attributes.tolist()))
        values = {"label": self.labels, "attributes": rows}
        return networkx_from_parts(self.offsets, self.names, values, self.all_edges())

    def all_edges(self) -> Edges:
        """Return the edges, also where nothing is known of them but their ends."""
        return Edges.of_adjacency(self.adjacency) if self.edges is None else self.edges

    @property
    def n_vertices(self) -> int:
        """Number of vertices of all graphs together."""
        return int(self.adjacency.shape[0])

    @property
    def n_edges(self) -> int:
        """Number of undirected edges; a kept self-loop counts as one."""
        loops = int(np.count_nonzero(self.adjacency.diagonal()))
        return (int(self.adjacency.nnz) + loops) // 2

    @property
    def sizes(self) -> IntArray:
        """Number of vertices of each graph."""
        return np.diff(self.offsets)

    @property
    def graph_of_vertex(self) -> IntArray:
        """The graph that each vertex belongs to."""
        return np.repeat(np.arange(len(self)), self.sizes)

    @property
    def names(self) -> list[Hashable]:
        """One name per vertex, unique within its graph."""
        if self._names is None:
            return [name for size in self.sizes.tolist() for name in range(size)]
        return self._names

    @property
    def labels(self) -> list[Hashable] | None:
        """One label per vertex, or None where the graphs have no labels."""
        if self.label_codes is None:
            return None
        return [self.label_values[code] for code in self.label_codes.tolist()]

    def content(self) -> tuple[Any, ...]:
        """Return all that makes the set what it is; see :func:`mpgk_core.content_key`."""
        pattern = (self.adjacency.indptr.astype(np.int64), self.adjacency.indices.astype(np.int64))
        labels = None if self.label_codes is None else (self.label_codes, self.label_values)
        names = self._names
        if names is not None and all(type(name) is int for name in names):
            usual = np.arange(self.n_vertices) - np.repeat(self.offsets[:-1], self.sizes)
            names = None if names == usual.tolist() else names
        known: tuple[Any, ...] = (self.offsets, *pattern, names, labels, self.attributes)
        beyond = (self.edges, self.label_names)
        return (*known, *(one for one in beyond if one is not None))

    def named(self) -> GraphSet:
        """Return the same graphs to be shown: with what labels stand for, their codes as before."""
        names = self.label_names
        if names is None:
            return self
        shown = copy.copy(self)
        shown.label_values, shown.label_names = names.of_vertices(self.label_values), None
        if self.edges is not None:
            values = names.of_edges(self.edges.label_values)
            shown.edges = replace(self.edges, label_values=values)
        return shown

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __iter__(self) -> Iterator[GraphSet]:
        return (self[g] for g in range(len(self)))

    def __repr__(self) -> str:
        plural = "" if len(self) == 1 else "s"
        return (
            f"GraphSet({len(self)} graph{plural}, {self.n_vertices} vertices, {self.n_edges} edges)"
        )

    def __getitem__(self, key: int | slice | Sequence[int] | NDArray[Any]) -> GraphSet:
        """Return the chosen graphs, as a GraphSet, also when it is only one."""
        chosen = np.atleast_1d(np.arange(len(self))[key])
        starts, sizes = self.offsets[chosen], self.sizes[chosen]
        offsets = np.concatenate([[0], np.cumsum(sizes)])
        within = np.arange(offsets[-1]) - np.repeat(offsets[:-1], sizes)
        vertices = np.repeat(starts, sizes) + within
        subset = object.__new__(GraphSet)
        subset.label_names = self.label_names
        subset.offsets = offsets
        subset.adjacency = _rows_of_blocks(self.adjacency, vertices, starts, offsets)
        subset._names = None if self._names is None else [self._names[v] for v in vertices]
        subset.label_codes = None if self.label_codes is None else self.label_codes[vertices]
        subset.label_values = self.label_values
        subset.attributes = None if self.attributes is None else self.attributes[vertices]
        own = None if self.edges is None else self.edges.of_blocks(starts, sizes)
        subset.edges = None if own is None or own.is_plain else own
        return subset

    @staticmethod
    def concatenate(parts: Sequence[GraphSet]) -> GraphSet:
        """Put several sets behind one another.

        Parameters
        ----------
        parts : sequence of GraphSet
            All with labels or all without; attributes likewise, and of equal length. Edges may
            differ: see :meth:`~mpgk_core.graphs.edges.Edges.joined`.

        Returns
        -------
        GraphSet
        """
        if not parts:
            raise InvalidGraphError("There are no graphs. Give at least one.")
        all_parts = parts
        parts = [part for part in parts if part.n_vertices] or parts[:1]
        if len({part.label_codes is None for part in parts}) > 1:
            raise InvalidGraphError(
                "Some graphs have labels and others have none. Label all or none."
            )
        widths = {None if part.attributes is None else part.attributes.shape[1] for part in parts}
        if len(widths) > 1:
            raise InvalidGraphError(
                f"The graphs have attributes of different lengths: {sorted(map(str, widths))}. "
                "Give every vertex of every graph equally many."
            )
        vertex_shift = np.cumsum([0, *(part.n_vertices for part in parts)])
        edge_shift = np.cumsum([0, *(part.adjacency.nnz for part in parts)])
        indptr = [
            part.adjacency.indptr[:-1] + e for part, e in zip(parts, edge_shift, strict=False)
        ]
        indices = [part.adjacency.indices + v for part, v in zip(parts, vertex_shift, strict=False)]
        n = int(vertex_shift[-1])
        joined = object.__new__(GraphSet)
        joined.label_names = _common_names(all_parts)
        sizes = np.concatenate([part.sizes for part in all_parts])
        joined.offsets = np.concatenate([[0], np.cumsum(sizes)])
        joined.adjacency = _with_narrow_indices(
            np.concatenate(indices), np.concatenate([*indptr, edge_shift[-1:]]), n
        )
        joined._names = None
        if any(part._names is not None for part in parts):
            joined._names = [name for part in parts for name in part.names]
        joined.label_codes, joined.label_values = None, ()
        if parts[0].label_codes is not None:
            joined.label_codes, joined.label_values = _merged_labels(parts)
        joined.attributes = None
        if parts[0].attributes is not None:
            joined.attributes = np.concatenate([part.attributes for part in parts])
        joined.edges = None
        if any(part.edges is not None for part in all_parts):
            shifts = np.cumsum([0, *(part.n_vertices for part in all_parts[:-1])])
            joined.edges = Edges.joined([part.all_edges() for part in all_parts], shifts.tolist())
        return joined


def _common_names(parts: Sequence[GraphSet]) -> LabelNames | None:
    first = parts[0].label_names
    return first if all(part.label_names == first for part in parts) else None


def _merged_labels(parts: Sequence[GraphSet]) -> tuple[Int32Array, tuple[Hashable, ...]]:
    if all(part.label_values is parts[0].label_values for part in parts):
        codes = [part.label_codes for part in parts if part.label_codes is not None]
        return np.concatenate(codes), parts[0].label_values
    every = [value for part in parts for value in part.label_values]
    recode, values = encode_labels(every)
    shift = np.cumsum([0, *(len(part.label_values) for part in parts)])
    recoded = [recode[shift[i] + part.label_codes] for i, part in enumerate(parts)]
    return np.concatenate(recoded), values


def _simple_symmetric(adjacency: Any, self_loops: str) -> csr_array:
    if self_loops not in ("drop", "keep"):
        raise InvalidGraphError(f"self_loops must be 'drop' or 'keep'. Got {self_loops!r} instead.")
    matrix = csr_array(adjacency, dtype=np.float64)
    if matrix.shape[0] != matrix.shape[1]:
        raise InvalidGraphError(f"The adjacency matrix must be square. Got shape {matrix.shape}.")
    if not matrix.has_canonical_format:
        matrix = matrix.copy()
        matrix.sum_duplicates()
    n = matrix.shape[0]
    there = matrix.data != 0
    if self_loops == "drop":
        there &= matrix.indices != np.repeat(np.arange(n), np.diff(matrix.indptr))
    indptr = np.concatenate([[0], np.cumsum(there)])[matrix.indptr]
    ones = np.ones(indptr[-1], dtype=np.int8)
    one_way = csr_array((ones, matrix.indices[there], indptr), shape=matrix.shape)
    simple = one_way + one_way.T.tocsr()
    return _with_narrow_indices(simple.indices, simple.indptr, n)


def _with_narrow_indices(indices: NDArray[Any], indptr: NDArray[Any], n: int) -> csr_array:
    """Return an adjacency matrix with indices of 32 bits wherever they suffice.

    Compiled loops are compiled anew for other types of index.
    """
    narrow = np.int32 if len(indices) < np.iinfo(np.int32).max else np.int64
    parts = (np.ones(len(indices)), indices.astype(narrow), indptr.astype(narrow))
    return csr_array(parts, shape=(n, n))


def _rows_of_blocks(
    adjacency: csr_array, vertices: IntArray, starts: IntArray, offsets: IntArray
) -> csr_array:
    rows = adjacency[vertices]
    shift = np.repeat(offsets[:-1] - starts, np.diff(offsets))
    indices = rows.indices + np.repeat(shift, np.diff(rows.indptr))
    return _with_narrow_indices(indices, rows.indptr, len(vertices))


def as_graph_set(graphs: Any) -> GraphSet:
    """Accept graphs of any kind, one or many.

    Parameters
    ----------
    graphs : GraphSet, networkx graph, matrix, edge array, or iterable of graphs
        At least one graph. An iterable may also hold tuples of edges and labels; see
        :meth:`GraphSet.from_arrays`.

    Returns
    -------
    GraphSet
    """
    if isinstance(graphs, GraphSet):
        if len(graphs) == 0:
            raise InvalidGraphError("There are no graphs. Give at least one.")
        return graphs
    if isinstance(graphs, nx.Graph):
        return GraphSet.from_networkx(graphs)
    if is_matrix(graphs) or has_edge_index(graphs):
        return GraphSet.from_arrays(graphs)
    try:
        members = list(graphs)
    except TypeError:
        members = [graphs]
    if members and all(is_array_graph(member) for member in members):
        return GraphSet.from_arrays(members)
    if any(isinstance(member, GraphSet) or is_array_graph(member) for member in members):
        return GraphSet.concatenate([_as_part(g, member) for g, member in enumerate(members)])
    return GraphSet.from_networkx(members)


def _as_part(g: int, member: Any) -> GraphSet:
    if isinstance(member, GraphSet):
        return member
    if is_array_graph(member):
        return GraphSet.from_arrays([member])
    if isinstance(member, nx.Graph):
        return GraphSet.from_networkx(member)
    raise InvalidGraphError(f"Graph {g} is of type {type(member).__name__}. Give {KINDS}.")


def neighbourhood_sample(graph: GraphSet, n_vertices: int, random_state: int = 0) -> GraphSet:
    """Return the part of a graph around a vertex drawn at random.

    Vertices are taken in the order of their distance from it; where a component is used up,
    another vertex is drawn. All edges between the vertices taken are kept, so inner vertices keep
    their neighbourhoods, and those on the rim lose some neighbours.

    Parameters
    ----------
    graph : GraphSet
        With one graph.
    n_vertices : int
        Number of vertices to keep.
    random_state : int
        Seed of the draw.

    Returns
    -------
    GraphSet

    Examples
    --------
    >>> import networkx as nx
    >>> ring = GraphSet.from_networkx(nx.cycle_graph(1000))
    >>> neighbourhood_sample(ring, 5)
    GraphSet(1 graph, 5 vertices, 4 edges)
    """
    check_whole(n_vertices, 1, "n_vertices", "neighbourhood_sample")
    is_taken = np.zeros(graph.n_vertices, dtype=np.bool_)
    missing = n_vertices
    for start in np.random.default_rng(random_state).permutation(graph.n_vertices):
        if missing == 0:
            break
        if not is_taken[start]:
            reached = breadth_first_order(graph.adjacency, start, return_predecessors=False)
            is_taken[reached[:missing]] = True
            missing -= min(missing, len(reached))
    return induced_subgraph(graph, np.flatnonzero(is_taken))


def induced_subgraph(graph: GraphSet, vertices: IntArray) -> GraphSet:
    """Return some vertices of one graph and all edges between them.

    Parameters
    ----------
    graph : GraphSet
        With one graph.
    vertices : ndarray of int
        The vertices to keep, in their new order.

    Returns
    -------
    GraphSet
    """
    labels = graph.labels
    edges = None
    if graph.edges is not None:
        new_number = np.full(graph.n_vertices, -1, dtype=np.int64)
        new_number[vertices] = np.arange(len(vertices))
        edges = graph.edges.renumbered(new_number)
    return GraphSet(
        graph.adjacency[vertices][:, vertices] if edges is None else None,
        [0, len(vertices)],
        names=[graph.names[v] for v in vertices.tolist()],
        labels=None if labels is None else [labels[v] for v in vertices.tolist()],
        attributes=None if graph.attributes is None else graph.attributes[vertices],
        self_loops="keep",
        edges=edges,
        label_names=graph.label_names,
    )
