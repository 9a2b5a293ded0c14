"""Graphs as one text that gives back exactly the same graphs: names, labels, order and all.

The text is JSON, and compressed where it is long, so that a program or a session can hold it.
"""

from __future__ import annotations

import base64
import binascii
import json
import zlib
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from mpgk_core.errors import InvalidGraphError, UnreadableFileError, shortened
from mpgk_core.formats import GraphTables, Role, bounds, node_link_json, write_graphs
from mpgk_core.formats.safe_json import load_json
from mpgk_core.formats.source import Source
from mpgk_core.graphs import GraphSet
from mpgk_core.graphs.edges import Edges
from mpgk_core.graphs.graph_parts import LabelNames
from mpgk_core.schema import Table, checked
from mpgk_core.text import encoded

LONGEST_PLAIN = 20_000
"""Texts of more characters are compressed."""

REMEDY = "Make the file anew from the page or the study it comes from."
"""What to do where such a text is damaged."""


@dataclass(frozen=True, eq=False)
class PackedSet:
    """Graphs, and their classes if they have any.

    Attributes
    ----------
    graphs : GraphSet
    classes : tuple or None
        One for every graph.
    """

    graphs: GraphSet
    classes: tuple[Hashable, ...] | None = None

    def __post_init__(self) -> None:
        if self.classes is not None and len(self.classes) != len(self.graphs):
            raise InvalidGraphError(
                f"There are {len(self.classes):,} classes for {len(self.graphs):,} graphs. "
                "Give one each."
            )


def packed(graphs: GraphSet, classes: Sequence[Hashable] | None = None) -> str:
    """Return graphs as text: JSON, or letters and digits where that would be long.

    The graphs are node-link JSON that holds numbers in place of names and labels. Names, labels
    of vertices and edges, and classes stand in lists beside it, so that their types come back too.

    Parameters
    ----------
    graphs : GraphSet
    classes : sequence of hashable, optional
        One for every graph.

    Returns
    -------
    str
        For :func:`unpacked`.

    Examples
    --------
    >>> import networkx as nx
    >>> print(packed(GraphSet.from_networkx(nx.Graph([("a", "b")]))))
    {"graphs": {"directed": false, "multigraph": false, "graph": {},
    "nodes": [
    {"id": 0},
    {"id": 1}
    ],
    "edges": [
    {"source": 0, "target": 1}
    ]},
    "names": ["a", "b"]}
    """
    classes = PackedSet(graphs, None if classes is None else tuple(classes)).classes
    edges, names = graphs.edges, graphs.label_names
    if edges is not None and edges.label_codes is not None:
        numbers = tuple(range(len(edges.label_values)))
        edges = replace(edges, label_values=numbers)
    plain = GraphSet(
        graphs.adjacency if edges is None else None,
        graphs.offsets,
        labels=None if graphs.label_codes is None else graphs.label_codes.tolist(),
        attributes=graphs.attributes,
        self_loops="keep",
        edges=edges,
    )
    beside = {
        "names": graphs.names,
        "labels": graphs.label_values or None,
        "edge_labels": None if graphs.edges is None else graphs.edges.label_values or None,
        "classes": classes,
        "label_names": None if names is None else (_pairs(names.vertices), _pairs(names.edges)),
    }
    text = '{"graphs": ' + write_graphs(plain, "json").decode().rstrip()
    for field, items in beside.items():
        if items is not None:
            text += f',\n"{field}": {json.dumps(plain_value(tuple(items)), ensure_ascii=False)}'
    text += "}"
    content = encoded(text)
    if len(text) <= LONGEST_PLAIN:
        return text
    return base64.b64encode(zlib.compress(content, 9)).decode("ascii")


def unpacked(text: str, name: str = "packed graphs") -> PackedSet:
    """Return what :func:`packed` was given; names, labels and attributes are equal to the bit.

    Parameters
    ----------
    text : str
    name : str
        What to call the text in errors.

    Returns
    -------
    PackedSet

    Examples
    --------
    >>> import networkx as nx
    >>> grid = GraphSet.from_networkx(nx.grid_2d_graph(1, 2))
    >>> unpacked(packed(grid)).graphs.names
    [(0, 0), (0, 1)]
    """
    content = text.strip().encode(errors="replace")
    if not content.startswith(b"{"):
        content = _inflated(content, name)
    return graphs_from_json(load_json(Source(name, content)), name)


def _inflated(content: bytes, name: str) -> bytes:
    maximum = bounds().unpacked_bytes
    try:
        inflater = zlib.decompressobj()
        text = inflater.decompress(base64.b64decode(content, validate=True), maximum + 1)
        is_whole = inflater.eof and not inflater.unused_data
    except (binascii.Error, zlib.error):
        is_whole, text = False, b""
    if len(text) > maximum:
        raise UnreadableFileError(
            name, f"It holds more than {maximum:,} bytes.", "Set MPGK_MAX_UNPACKED_BYTES to more."
        )
    if not is_whole:
        raise UnreadableFileError(name, "The compressed text is damaged.", REMEDY)
    return text


class _Packed(Table, frozen=True):
    graphs: Any
    names: tuple[Any, ...] | None = None
    labels: tuple[Any, ...] | None = None
    edge_labels: tuple[Any, ...] | None = None
    classes: tuple[Any, ...] | None = None
    label_names: tuple[Any, Any] | None = None


def _pairs(names: Mapping[Hashable, str]) -> tuple[tuple[Hashable, str], ...]:
    return tuple(names.items())


def _label_names(pairs: tuple[Any, Any] | None) -> LabelNames | None:
    """Return what labels stand for from lists of pairs, or raise."""
    if pairs is None:
        return None
    found: list[dict[Hashable, str]] = []
    for side in pairs:
        names: dict[Hashable, str] = {}
        for item in _hashable(side if isinstance(side, list) else [side], "names of labels"):
            if not (isinstance(item, tuple) and len(item) == 2):
                raise InvalidGraphError("The names of labels are not pairs.")
            names[item[0]] = shortened(str(item[1]))
        found.append(names)
    return LabelNames(*found)


def graphs_from_json(content: Any, name: str) -> PackedSet:
    """Return the graphs of a JSON object that :func:`packed` wrote, or raise.

    Parameters
    ----------
    content : anything that JSON can hold
        Not trusted.
    name : str
        What to call it in errors.

    Returns
    -------
    PackedSet
    """
    saved = checked(_Packed, content, name, "item")
    try:
        tables = node_link_json.read(Source(name, json.dumps(saved.graphs).encode()))
        roles: dict[str, Role] = {
            key: "label" if key == "label" else "attribute"
            for key in tables.columns
            if key == "label" or key.startswith("attribute_")
        }
        graphs = tables.graph_set(roles, self_loops="keep", edge_roles={}, is_directed=False)
        labels: Sequence[Hashable] | None = graphs.labels
        if labels is not None and saved.labels is not None:
            labels = _looked_up(saved.labels, labels, "a vertex")
        edges = _edges(tables, saved.edge_labels)
        graphs = GraphSet(
            graphs.adjacency if edges is None else None,
            graphs.offsets,
            names=graphs.names if saved.names is None else _hashable(saved.names, "names"),
            labels=labels,
            attributes=graphs.attributes,
            self_loops="keep",
            edges=edges,
            label_names=_label_names(saved.label_names),
        )
        classes = None if saved.classes is None else _hashable(saved.classes, "classes")
        return PackedSet(graphs, classes)
    except InvalidGraphError as error:
        raise UnreadableFileError(name, shortened(str(error), 300), REMEDY) from None


def _edges(tables: GraphTables, labels: Sequence[Any] | None) -> Edges | None:
    """Return all that is known of edges, or None if that is nothing but their ends."""
    numbers, weights = (tables.edge_columns.get(key) for key in ("label", "weight"))
    if numbers is None and weights is None and not tables.is_directed:
        return None
    known = None if numbers is None else numbers.tolist()
    if known is not None and labels is not None:
        known = _looked_up(labels, known, "an edge")
    ends = tables.edges.T
    directed = bool(tables.is_directed)
    return Edges.of(*ends, labels=known, weights=weights, is_directed=directed)


def plain_value(value: Any) -> Any:
    """Return numpy's numbers as Python's, also within tuples, or raise where no text can hold it.

    Examples
    --------
    >>> plain_value((np.int64(1), "a"))
    (1, 'a')
    """
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, tuple):
        return tuple(map(plain_value, value))
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    raise InvalidGraphError(
        f"{shortened(repr(value))} is of type {type(value).__name__}, which no text can hold. "
        "Use numbers, text, or tuples of them."
    )


def _hashable(items: Sequence[Any], field: str) -> tuple[Hashable, ...]:
    """Return a list of JSON as a tuple, also within it."""
    if any(isinstance(item, dict) for item in items):
        raise InvalidGraphError(f"The field {field!r} holds an object.")
    return tuple(_hashable(item, field) if isinstance(item, list) else item for item in items)


def _looked_up(labels: Sequence[Any], numbers: Sequence[Hashable], owner: str) -> list[Hashable]:
    """Return the labels that stand behind numbers."""
    values = _hashable(labels, "labels")
    if not all(type(number) is int and 0 <= number < len(values) for number in set(numbers)):
        raise InvalidGraphError(f"A label of {owner} is not a number from 0 to {len(values) - 1}.")
    return [values[number] for number in numbers]  # type: ignore[call-overload]
