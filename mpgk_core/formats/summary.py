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
from mpgk_core.formats.columns import Role
from mpgk_core.formats.format import READINGS, GraphTables, Writer
from mpgk_core.graphs import GraphSet
from mpgk_core.graphs.graph_parts import label_sort_key
from mpgk_core.text import counted

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
        """What else should be known: copies of graphs, and what was lost."""
        return (*((_copies_words(self.n_copies),) if self.n_copies else ()), *self.losses)

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

    Returns
    -------
    Summary

    Examples
    --------
    >>> import networkx as nx
    >>> summary_of(GraphSet.from_networkx(nx.karate_club_graph()), "Karate club").sentence
    'Karate club: 34 vertices, 78 edges.'
    """
    if isinstance(source, GraphSet):
        return _of_graphs(source, name or "", classes)
    graphs = source.graph_set(roles, self_loops) if graphs is None else graphs
    found = source.classes if classes is None and len(graphs) == len(source) else classes
    plain = _of_graphs(graphs, name or source.source, found)
    return replace(
        plain,
        format=source.format,
        reading=source.reading,
        other_readings=source.other_readings,
        losses=source.losses(self_loops, roles),
    )


def _of_graphs(graphs: GraphSet, name: str, classes: Any) -> Summary:
    counts = Counter(np.asarray(classes).tolist() if classes is not None else ())
    return Summary(
        name,
        len(graphs),
        graphs.n_vertices,
        graphs.n_edges,
        None if graphs.label_codes is None else len(np.unique(graphs.label_codes)),
        0 if graphs.attributes is None else graphs.attributes.shape[1],
        tuple((value, counts[value]) for value in sorted(counts, key=label_sort_key)),
        n_copies(graphs),
    )


def n_copies(graphs: GraphSet) -> int:
    """Return how many graphs are identical to an earlier one.

    Two graphs are identical if they have equally many vertices and, vertex by vertex in the
    order of the file, the same neighbours, label and attributes. Names and classes do not count.
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

    Returns
    -------
    tuple of str

    Examples
    --------
    >>> import networkx as nx
    >>> from mpgk_core.formats import WRITERS
    >>> karate = GraphSet.from_networkx(nx.karate_club_graph(), node_label="club")
    >>> losses_of_writing(WRITERS["g6"], karate)
    ('graph6 cannot hold labels.',)
    >>> losses_of_writing(WRITERS["graphml"], karate, roles={"club": "label"})
    ("Column 'club' is called 'label' in the file.",)
    """
    found: list[str] = []
    missing = _missing(writer, graphs, classes)
    if missing:
        *others, last = missing
        listed = f"{', '.join(others)} and {last}" if others else last
        found.append(f"{writer.title} cannot hold {listed}.")
    if writer.keeps_attributes:
        found += _renamed(writer, roles or {})
    if writer.numbers_labels and _is_numbered(graphs, classes):
        found.append(
            f"{writer.title} holds whole numbers only: labels and classes are numbered, and "
            "README.txt in the archive says what the numbers mean."
        )
    return tuple(found)


def _missing(writer: Writer, graphs: GraphSet, classes: NDArray[Any] | None) -> list[str]:
    counting = [name for size in graphs.sizes.tolist() for name in range(size)]
    is_there = {
        "names of vertices": not writer.keeps_names and list(graphs.names) != counting,
        "labels": not writer.keeps_attributes and graphs.label_codes is not None,
        "attributes": not writer.keeps_attributes and graphs.attributes is not None,
        "classes of graphs": not writer.keeps_classes and classes is not None,
    }
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
        listed = ", ".join(shortened(key, 30) for key in labels[:_MAX_NAMED])
        words.append(f"Columns {listed} are one column {writer.label_column!r} in the file.")
    return words


def _is_numbered(graphs: GraphSet, classes: NDArray[Any] | None) -> bool:
    def is_whole(value: Any) -> bool:
        parts = value if isinstance(value, tuple) else (value,)
        return all(type(part) is int for part in parts)

    given = [] if classes is None else classes.tolist()
    return not all(map(is_whole, [*graphs.label_values, *given]))
