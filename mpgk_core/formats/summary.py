"""What was read, and what a file cannot hold, in words: the same wherever they are shown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mpgk_core.errors import shortened
from mpgk_core.formats.columns import EdgeRole, Role, column_of_cells
from mpgk_core.formats.format import EVERYTHING, READINGS, GraphTables, Writer
from mpgk_core.graphs import GraphSet
from mpgk_core.graphs.graph_parts import label_sort_key
from mpgk_core.text import counted, listed

_MAX_CLASSES = 10
_MAX_NAMED = 10


@dataclass(frozen=True)
class Summary:
    r"""What a source of graphs holds, and what was lost on the way.

    Attributes
    ----------
    name : str
        Of the file, the data set or the graph.
    n_graphs, n_vertices, n_edges : int
    n_labels : int or None
        How many labels differ; None where vertices have none.
    n_attributes : int
        Numbers per vertex.
    n_edge_labels : int or None
        How many labels of edges differ; None where edges have none.
    has_weights, is_directed : bool
        Whether edges have weights and directions.
    classes : tuple of pairs
        Every class of graphs, and how many graphs have it.
    n_copies : int
        As :func:`n_copies` counts them.
    format : str
        Of the file; empty where there is none.
    reading : str
        How rows of cells were understood: a key of ``READINGS``, or empty.
    other_readings : tuple of str
        Keys of other ways to understand the file.
    losses : tuple of str
        What was dropped, merged or left out, one sentence each.

    Examples
    --------
    >>> from mpgk_core.formats import read_tables
    >>> print(summary_of(read_tables("a.csv", b"0,1,1,2,2\n1,0,2,1,2\n")).text)
    a.csv: 3 vertices, 2 edges. Read as an edge array: two rows of vertex numbers. 1 self-loop is
    dropped.
    """

    name: str
    n_graphs: int
    n_vertices: int
    n_edges: int
    n_labels: int | None = None
    n_attributes: int = 0
    n_edge_labels: int | None = None
    has_weights: bool = False
    is_directed: bool = False
    classes: tuple[tuple[Hashable, int], ...] = ()
    n_copies: int = 0
    format: str = ""
    reading: str = ""
    other_readings: tuple[str, ...] = ()
    losses: tuple[str, ...] = ()

    @property
    def counts(self) -> str:
        """How much of everything there is: "34 vertices, 78 edges"."""
        parts = [counted(self.n_vertices, "vertex", "vertices"), counted(self.n_edges, "edge")]
        if self.n_graphs != 1:
            parts.insert(0, counted(self.n_graphs, "graph"))
        if self.n_labels is not None:
            parts.append(counted(self.n_labels, "label"))
        if self.n_attributes:
            parts.append(f"{counted(self.n_attributes, 'attribute')} per vertex")
        if self.n_edge_labels is not None:
            parts.append(counted(self.n_edge_labels, "edge label"))
        kept = {"edge weights": self.has_weights, "edge directions": self.is_directed}
        parts += [what for what, is_there in kept.items() if is_there]
        if self.classes:
            parts.append(counted(len(self.classes), "class", "classes") + self._class_sizes)
        return ", ".join(parts)

    @property
    def sentence(self) -> str:
        """Name and counts."""
        return f"{shortened(self.name, 100)}: {self.counts}."

    @property
    def how(self) -> str:
        """How the file was understood; empty where it was no file."""
        return how_read(self.format, self.reading)

    @property
    def remarks(self) -> tuple[str, ...]:
        """What else should be known: copies of graphs, what was lost, and what kernels ignore."""
        copies = (_copies_words(self.n_copies),) if self.n_copies else ()
        return (*copies, *self.losses, *self.ignored)

    @property
    def ignored(self) -> tuple[str, ...]:
        """A sentence on what is known of edges, if anything is: kernels have to be asked for it."""
        return ignored_words(self.n_edge_labels is not None, self.has_weights, self.is_directed)

    @property
    def text(self) -> str:
        """Everything, sentence by sentence."""
        return " ".join(part for part in (self.sentence, self.how, *self.remarks) if part)

    @property
    def _class_sizes(self) -> str:
        if len(self.classes) > _MAX_CLASSES:
            sizes = [size for _, size in self.classes]
            return f" ({min(sizes):,} to {max(sizes):,} graphs each)"
        return " (" + ", ".join(f"{shortened(str(c), 30)}: {n:,}" for c, n in self.classes) + ")"


def summary_of(
    source: GraphTables | GraphSet,
    name: str | None = None,
    *,
    graphs: GraphSet | None = None,
    roles: Mapping[str, Role] | None = None,
    self_loops: str = "drop",
    classes: Sequence[Any] | None = None,
    edge_roles: Mapping[str, EdgeRole] | None = None,
    is_directed: bool | None = None,
) -> Summary:
    """Return what a file, or a set of graphs, holds.

    Parameters
    ----------
    source : GraphTables or GraphSet
        What was read, or built.
    name : str, optional
        Default: the name of the file.
    graphs : GraphSet, optional
        What became of the tables, or the part of it that is used. Default: all of it.
    roles : mapping of str to {"label", "attribute", "ignore"}, optional
        What the columns of the tables were used as; those left out are named.
    self_loops : {"drop", "keep"}
        What became of them.
    classes : sequence, optional
        The class of each graph. Default: those of the tables.
    edge_roles, is_directed
        What the columns of edges were used as, and whether edges were taken as directed: as in
        :meth:`~mpgk_core.formats.GraphTables.graph_set`.

    Returns
    -------
    Summary

    Examples
    --------
    >>> import networkx as nx
    >>> summary_of(GraphSet.from_networkx(nx.karate_club_graph()), "Karate club").sentence
    'Karate club: 34 vertices, 78 edges, edge weights.'
    """
    if isinstance(source, GraphSet):
        return _of_graphs(source, name or "", classes)
    if graphs is None:
        graphs = source.graph_set(roles, self_loops, edge_roles=edge_roles, is_directed=is_directed)
    found = source.classes if classes is None and len(graphs) == len(source) else classes
    plain = _of_graphs(graphs, name or source.source, found)
    return replace(
        plain,
        format=source.format,
        reading=source.reading,
        other_readings=source.other_readings,
        losses=source.losses(self_loops, roles, edge_roles, is_directed),
    )


def _of_graphs(graphs: GraphSet, name: str, classes: Any) -> Summary:
    counts = Counter(np.asarray(classes).tolist() if classes is not None else ())
    edges = graphs.edges
    codes = None if edges is None else edges.label_codes
    return Summary(
        name,
        len(graphs),
        graphs.n_vertices,
        graphs.n_edges,
        None if graphs.label_codes is None else len(np.unique(graphs.label_codes)),
        0 if graphs.attributes is None else graphs.attributes.shape[1],
        None if codes is None else len(np.unique(codes)),
        edges is not None and edges.weights is not None,
        edges is not None and edges.is_directed,
        tuple((value, counts[value]) for value in sorted(counts, key=label_sort_key)),
        n_copies(graphs),
    )


def n_copies(graphs: GraphSet) -> int:
    """Return how many graphs are identical to an earlier one.

    Two graphs are identical if they have equally many vertices and, vertex by vertex in the
    order of the file, the same neighbours, label and attributes. Names and classes do not count,
    nor do labels, weights and directions of edges, which kernels ignore by default.
    Isomorphic graphs whose vertices are ordered differently are not identical in this sense.

    Parameters
    ----------
    graphs : GraphSet

    Returns
    -------
    int

    Examples
    --------
    >>> import networkx as nx
    >>> n_copies(GraphSet.from_networkx([nx.path_graph(3), nx.star_graph(2), nx.path_graph(3)]))
    1
    """
    if len(graphs) < 2:
        return 0
    indptr, indices = graphs.adjacency.indptr, graphs.adjacency.indices
    seen: set[bytes] = set()
    for start, stop in pairwise(graphs.offsets.tolist()):
        first, last = indptr[start], indptr[stop]
        digest = blake2b(np.diff(indptr[start : stop + 1]).astype(np.int64).tobytes())
        digest.update((indices[first:last].astype(np.int64) - start).tobytes())
        if graphs.label_codes is not None:
            digest.update(graphs.label_codes[start:stop].tobytes())
        if graphs.attributes is not None:
            digest.update(graphs.attributes[start:stop].tobytes())
        seen.add(digest.digest())
    return len(graphs) - len(seen)


def ignored_words(*are_there: bool) -> tuple[str, ...]:
    """Return a sentence on what kernels ignore of edges: labels, weights, directions, if there.

    Examples
    --------
    >>> ignored_words(True, False, True), ignored_words(False, False, False)
    (('Kernels ignore edge labels and directions by default.',), ())
    """
    kept = [what for what, is_there in zip(EVERYTHING, are_there, strict=True) if is_there]
    return (f"Kernels ignore edge {listed(kept)} by default.",) if kept else ()


def how_read(format_: str, reading: str) -> str:
    """Return how a file was understood, as a sentence; empty where it was no file.

    Examples
    --------
    >>> how_read("Edge list", "edge-list"), how_read("GraphML", "")
    ('Read as an edge list: one edge per line.', 'Format: GraphML.')
    """
    if reading:
        return f"Read as {READINGS[reading]}."
    return f"Format: {format_}." if format_ else ""


def _copies_words(n: int) -> str:
    return (
        "1 graph is identical to another one."
        if n == 1
        else f"{n:,} graphs are identical to others."
    )


def losses_of_writing(
    writer: Writer,
    graphs: GraphSet,
    classes: NDArray[Any] | None = None,
    roles: Mapping[str, Role] | None = None,
    edge_roles: Mapping[str, EdgeRole] | None = None,
) -> tuple[str, ...]:
    """Return one sentence for everything that is left out of a file, or renamed in it.

    Parameters
    ----------
    writer : Writer
        Of the format.
    graphs : GraphSet
        What is written.
    classes : ndarray of shape (N,), optional
        The class of each graph.
    roles : mapping of str to {"label", "attribute", "ignore"}, optional
        What the columns of the file that the graphs come from were used as.
    edge_roles : mapping of str to {"label", "weight", "ignore"}, optional
        Likewise, for the columns of edges.

    Returns
    -------
    tuple of str

    Examples
    --------
    >>> import networkx as nx
    >>> from mpgk_core.formats import WRITERS
    >>> karate = GraphSet.from_networkx(nx.karate_club_graph(), node_label="club")
    >>> losses_of_writing(WRITERS["g6"], karate)
    ('graph6 cannot hold labels and edge weights.',)
    >>> losses_of_writing(WRITERS["graphml"], karate, roles={"club": "label"})
    ("Column 'club' is called 'label' in the file.",)
    """
    found: list[str] = []
    missing = _missing(writer, graphs, classes)
    if missing:
        found.append(f"{writer.title} cannot hold {listed(missing)}.")
    if writer.keeps_attributes:
        found += _renamed(writer, roles or {})
    found += _renamed_of_edges(writer, edge_roles or {})
    if writer.numbers_labels and _is_numbered(graphs, classes):
        found.append(
            f"{writer.title} holds whole numbers only: labels and classes are numbered, and "
            "README.txt in the archive says what the numbers mean."
        )
    if not writer.has_types and _look_like_numbers(writer, graphs):
        found.append(
            f"{writer.title} has no types: labels that look like numbers are read as numbers."
        )
    return tuple(found)


def _look_like_numbers(writer: Writer, graphs: GraphSet) -> bool:
    """Return whether the file holds labels that are text, but are all written like numbers."""
    written: list[Sequence[Hashable] | None] = []
    if writer.keeps_attributes:
        written.append(graphs.labels)
    if graphs.edges is not None:
        written.append([label for label in graphs.edges.label_values if label is not None])
    return any(
        all(isinstance(label, str) for label in labels)
        and column_of_cells(sorted(set(map(str, labels)))).dtype != object
        for labels in written
        if labels
    )


def _missing(writer: Writer, graphs: GraphSet, classes: NDArray[Any] | None) -> list[str]:
    counting = [name for size in graphs.sizes.tolist() for name in range(size)]
    is_there = {
        "names of vertices": not writer.keeps_names and list(graphs.names) != counting,
        "labels": not writer.keeps_attributes and graphs.label_codes is not None,
        "attributes": not writer.keeps_attributes and graphs.attributes is not None,
        "classes of graphs": not writer.keeps_classes and classes is not None,
    }
    edges = graphs.edges
    if edges is not None:
        are_there = (edges.label_codes is not None, edges.weights is not None, edges.is_directed)
        for what, is_known in zip(EVERYTHING, are_there, strict=True):
            is_there[f"edge {what}"] = is_known and what not in writer.keeps_edges
    return [what for what, is_lost in is_there.items() if is_lost]


def _renamed(writer: Writer, roles: Mapping[str, Role]) -> list[str]:
    labels = [key for key, role in roles.items() if role == "label"]
    attributes = [key for key, role in roles.items() if role == "attribute"]
    new = {} if len(labels) != 1 else {labels[0]: writer.label_column}
    new |= {key: f"attribute_{place}" for place, key in enumerate(attributes, start=1)}
    changed = {old: name for old, name in new.items() if old != name}
    words = [
        f"Column {shortened(old, 30)!r} is called {name!r} in the file."
        for old, name in list(changed.items())[:_MAX_NAMED]
    ]
    if len(changed) > _MAX_NAMED:
        words.append(f"{len(changed) - _MAX_NAMED:,} more columns are renamed in this way.")
    if len(labels) > 1:
        named = ", ".join(shortened(key, 30) for key in labels[:_MAX_NAMED])
        words.append(f"Columns {named} are one column {writer.label_column!r} in the file.")
    return words


def _renamed_of_edges(writer: Writer, roles: Mapping[str, EdgeRole]) -> list[str]:
    """Return a sentence for every column of edges that has another name, or is joined with one."""
    words = []
    for role in ("label", "weight"):
        own = [key for key, use in roles.items() if use == role]
        if f"{role}s" in writer.keeps_edges and writer.has_columns and own not in ([], [role]):
            named = listed([repr(shortened(key, 30)) for key in own[:_MAX_NAMED]])
            what = f"column {named} is" if len(own) == 1 else f"columns {named} are"
            words.append(f"Edge {what} called {role!r} in the file.")
    return words


def _is_numbered(graphs: GraphSet, classes: NDArray[Any] | None) -> bool:
    def is_whole(value: Any) -> bool:
        parts = value if isinstance(value, tuple) else (value,)
        return all(type(part) is int for part in parts)

    given = [] if classes is None else classes.tolist()
    of_edges = () if graphs.edges is None else graphs.edges.label_values
    return not all(map(is_whole, [*graphs.label_values, *of_edges, *given]))
