"""Graphs as one text that gives back exactly the same graphs: names, labels, order and all.

The text is JSON, and compressed where it is long, so that a program or a session can hold it.
"""

from __future__ import annotations

import base64
import binascii
import json
import zlib
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from mpgk_core.csv_cells import cell_text, encoded
from mpgk_core.errors import InvalidGraphError, UnreadableFileError, shortened
from mpgk_core.formats import Role, bounds, node_link_json
from mpgk_core.formats.columns import whole_numbers_or_text
from mpgk_core.formats.safe_json import load_json
from mpgk_core.formats.source import Source
from mpgk_core.graphs import GraphSet
from mpgk_core.writers import write_graphs

LONGEST_PLAIN = 20_000
"""Texts of more characters are compressed."""

REMEDY = "Make the file anew from the page or the study it comes from."
"""What to do where such a text is damaged."""

_MOST = 2**53
_FIELDS = ("graphs", "names", "labels", "classes")


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


def packed(graphs: GraphSet, classes: Sequence[Hashable] | None = None) -> str:
    """Return graphs as text: JSON, or letters and digits where that would be long.

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
    {"id": "a"},
    {"id": "b"}
    ],
    "edges": [
    {"source": "a", "target": "b"}
    ]}}
    """
    text = graphs_as_json(graphs, classes)
    if len(text) <= LONGEST_PLAIN:
        return text
    return base64.b64encode(zlib.compress(text.encode(), 9)).decode("ascii")


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
    most = bounds().unpacked_bytes
    try:
        inflater = zlib.decompressobj()
        text = inflater.decompress(base64.b64decode(content, validate=True), most + 1)
        is_whole = inflater.eof and not inflater.unused_data
    except (binascii.Error, zlib.error):
        is_whole, text = False, b""
    if len(text) > most:
        raise UnreadableFileError(
            name, f"It holds more than {most:,} bytes.", "Set MPGK_MAX_UNPACKED_BYTES to more."
        )
    if not is_whole:
        raise UnreadableFileError(name, "The compressed text is damaged.", REMEDY)
    return text


def graphs_as_json(graphs: GraphSet, classes: Sequence[Hashable] | None = None) -> str:
    """Return graphs as a JSON object: node-link JSON, and beside it what that would not keep.

    Names and labels that come back from node-link JSON as they were stand in it. Others stand in
    the lists "names" and "labels", and the graphs hold numbers in their place.

    Parameters
    ----------
    graphs : GraphSet
    classes : sequence of hashable, optional
        One for every graph.

    Returns
    -------
    str
    """
    if classes is not None and len(classes) != len(graphs):
        raise InvalidGraphError(
            f"There are {len(classes):,} classes for {len(graphs):,} graphs. Give one each."
        )
    names, labels, values = graphs.names, graphs.labels, graphs.label_values
    codes = graphs.label_codes
    keeps_names, keeps_labels = _names_survive(names), _labels_survive(values)
    plain = GraphSet(
        graphs.adjacency,
        graphs.offsets,
        names=names if keeps_names else None,
        labels=labels if keeps_labels or codes is None else codes.tolist(),
        attributes=graphs.attributes,
        self_loops="keep",
    )
    beside = {
        "names": None if keeps_names else names,
        "labels": None if keeps_labels else values,
        "classes": classes,
    }
    text = '{"graphs": ' + write_graphs(plain, "json").decode().rstrip()
    for field, items in beside.items():
        if items is not None:
            text += f',\n"{field}": {json.dumps(_plain(tuple(items)), ensure_ascii=False)}'
    encoded(text)
    return text + "}"


def graphs_from_json(content: Any, name: str) -> PackedSet:
    """Return the graphs of a JSON object that :func:`graphs_as_json` wrote, or raise.

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
    if not isinstance(content, dict) or "graphs" not in content or set(content) - set(_FIELDS):
        raise UnreadableFileError(
            name, f"A packed graph must have the fields {', '.join(_FIELDS)} only.", REMEDY
        )
    tables = node_link_json.read(Source(name, json.dumps(content["graphs"]).encode()))
    roles: dict[str, Role] = {
        key: "label" if key == "label" else "attribute"
        for key in tables.columns
        if key == "label" or key.startswith("attribute_")
    }
    try:
        found = tables.graph_set(roles, self_loops="keep")
        if "names" not in content and "labels" not in content:
            graphs = found
        else:
            graphs = GraphSet(
                found.adjacency,
                found.offsets,
                names=_list(content, "names", name) if "names" in content else found.names,
                labels=_looked_up(content, found, name) if "labels" in content else found.labels,
                attributes=found.attributes,
                self_loops="keep",
            )
    except InvalidGraphError as error:
        raise UnreadableFileError(name, shortened(str(error), 300), REMEDY) from None
    if "classes" not in content:
        return PackedSet(graphs)
    classes = _list(content, "classes", name)
    if len(classes) != len(graphs):
        raise UnreadableFileError(
            name, f"There are {len(classes):,} classes for {len(graphs):,} graphs.", REMEDY
        )
    return PackedSet(graphs, tuple(classes))


def _names_survive(names: Sequence[Hashable]) -> bool:
    texts = [cell_text(name) for name in names]
    return _are_identical(whole_numbers_or_text(texts), names)


def _labels_survive(values: Sequence[Hashable]) -> bool:
    kinds = set(map(type, values))
    return (kinds <= {str} and "" not in values) or (
        kinds == {int} and all(abs(value) < _MOST for value in values)  # type: ignore[arg-type]
    )


def _are_identical(some: Sequence[Hashable], others: Sequence[Hashable]) -> bool:
    """Compare values and types, since True == 1 == 1.0."""
    return list(some) == list(others) and list(map(type, some)) == list(map(type, others))


def _plain(value: Any) -> Any:
    """Return a value that JSON keeps; tuples become lists."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, tuple):
        return [_plain(part) for part in value]
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    raise InvalidGraphError(
        f"{shortened(repr(value))} is of type {type(value).__name__}, which no text can hold. "
        "Use numbers, text, or tuples of them as names, labels and classes."
    )


def _value(item: Any, field: str, name: str) -> Hashable:
    if isinstance(item, list):
        return tuple(_value(part, field, name) for part in item)
    if isinstance(item, dict):
        raise UnreadableFileError(name, f"The field {field!r} holds an object.", REMEDY)
    return item  # type: ignore[no-any-return]


def _list(content: dict[str, Any], field: str, name: str) -> list[Hashable]:
    items = content[field]
    if not isinstance(items, list):
        raise UnreadableFileError(name, f"The field {field!r} must be a list.", REMEDY)
    return [_value(item, field, name) for item in items]


def _looked_up(content: dict[str, Any], found: GraphSet, name: str) -> list[Hashable] | None:
    """Return the labels of all vertices, whose numbers the graphs hold."""
    values = _list(content, "labels", name)
    if found.labels is None:
        return None
    if not all(type(number) is int and 0 <= number < len(values) for number in found.label_values):
        raise UnreadableFileError(
            name, f"A label of a vertex is not a number from 0 to {len(values) - 1}.", REMEDY
        )
    return [values[number] for number in found.labels]  # type: ignore[call-overload]
