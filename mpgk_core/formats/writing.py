"""Write graphs in any format, and list what a format cannot hold before a file is given away."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from numpy.typing import NDArray

from mpgk_core.errors import InvalidParameterError, shortened
from mpgk_core.formats import (
    adjacency_matrix,
    cytoscape_json,
    edge_list,
    gexf,
    gml,
    graph6,
    graphml,
    matrix_market,
    node_link_json,
    numpy_files,
    pajek,
    tu_archive,
    vertex_and_edge_tables,
)
from mpgk_core.formats.columns import Role
from mpgk_core.formats.format import Writer
from mpgk_core.graphs import GraphSet

#: All formats that can be written.
WRITERS: dict[str, Writer] = {
    "edgelist": edge_list.WRITER,
    "csv": adjacency_matrix.WRITER,
    "tables": vertex_and_edge_tables.WRITER,
    "graphml": graphml.WRITER,
    "gexf": gexf.WRITER,
    "gml": gml.WRITER,
    "net": pajek.WRITER,
    "json": node_link_json.WRITER,
    "cyjs": cytoscape_json.WRITER,
    "g6": graph6.WRITER,
    "s6": graph6.SPARSE6_WRITER,
    "mtx": matrix_market.WRITER,
    "npz": numpy_files.SPARSE_NPZ_WRITER,
    "tu": tu_archive.WRITER,
}
_MAX_NAMED = 10


def write_graphs(
    graphs: GraphSet,
    format: str,  # noqa: A002
    classes: NDArray[Any] | None = None,
) -> bytes:
    """Return the content of a file.

    Parameters
    ----------
    graphs : GraphSet
        One graph, or many if the format holds many.
    format : str
        A key of ``WRITERS``.
    classes : ndarray of shape (N,), optional
        The class of each graph.

    Returns
    -------
    bytes
    """
    if format not in WRITERS:
        raise InvalidParameterError(
            f"format must be one of {', '.join(map(repr, WRITERS))}. Got {format!r} instead."
        )
    return WRITERS[format].write(graphs, classes)


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
