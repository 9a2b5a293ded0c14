"""Edits as a short list of operations, and as a text that fits into a link.

The text is ``version..check..operation..operation``, all of it in characters that an address
keeps as they are. Vertices are numbers, counted from 0 at the time of the operation. The check
belongs to the graph that results, so edits that meet another graph are refused.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
import struct
import zlib
from collections.abc import Hashable, Iterable
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import coo_array

from mpgk_core.edits.lookup import check_one_graph
from mpgk_core.edits.random_edges import without_random_edges
from mpgk_core.edits.vertex_edits import check_size
from mpgk_core.errors import InvalidGraphError, InvalidParameterError, shortened
from mpgk_core.formats.columns import undirected_edges
from mpgk_core.graphs import GraphSet

MAX_EDIT_TEXT = 1_500
"""How many characters of edits a link holds at most."""

_VERSION = "1"
_BETWEEN = ".."
_KINDS = {
    "remove-edge": "c",
    "add-edge": "j",
    "remove-vertices": "d",
    "add-vertex": "v",
    "remove-random-edges": "r",
    "rename": "n",
    "set-label": "l",
    "set-attributes": "a",
}
_WITH_VALUE = ("add-vertex", "rename", "set-label", "set-attributes")
_OPERATION = re.compile(r"([a-z])([0-9]{1,9}(?:\.[0-9]{1,9})*)?(?:_([A-Za-z0-9_-]+))?")
_PLAIN = re.compile(r"[A-Za-z0-9-]+")
_N_NUMBERS = {
    "remove-edge": 2,
    "add-edge": 2,
    "remove-random-edges": 2,
    "rename": 1,
    "set-label": 1,
    "set-attributes": 1,
}


class Operation(NamedTuple):
    """One change of a graph.

    Attributes
    ----------
    kind : str
        "remove-edge", "add-edge", "remove-vertices", "add-vertex", "remove-random-edges",
        "rename", "set-label" or "set-attributes".
    numbers : tuple of int
        The vertices it concerns; the neighbours of a new vertex; number of edges and seed of a
        random removal.
    value : hashable
        A name, a label, or a tuple of attributes; None for other kinds.
    """

    kind: str
    numbers: tuple[int, ...] = ()
    value: Hashable = None


class _Draft:
    """A graph in the middle of its changes."""

    def __init__(self, graph: GraphSet) -> None:
        check_one_graph(graph)
        self.names = list(graph.names)
        self.labels = None if graph.labels is None else list(graph.labels)
        self.rows = None if graph.attributes is None else list(map(tuple, graph.attributes))
        self.width = 0 if graph.attributes is None else graph.attributes.shape[1]
        self._graph = graph

    @cached_property
    def edges(self) -> set[tuple[int, int]]:
        """Pairs of vertices, the smaller first."""
        return {(v, u) for v, u in undirected_edges(self._graph).tolist()}

    def do(self, operation: Operation) -> None:
        """Make one change, or raise."""
        kind, numbers, value = operation
        if kind not in _KINDS or len(numbers) != _N_NUMBERS.get(kind, len(numbers)):
            raise InvalidGraphError(f"{shortened(kind)!r} is no operation on a graph.")
        if kind == "remove-random-edges":
            self.edges = _Draft(without_random_edges(self.graph(), *numbers)).edges
            return
        if any(not 0 <= v < len(self.names) for v in numbers):
            raise InvalidGraphError(
                f"A vertex is not a number from 0 to {len(self.names) - 1:,}: the edits belong to "
                "another graph."
            )
        if kind in ("remove-edge", "add-edge"):
            self._toggle(min(numbers), max(numbers), kind == "add-edge")
        elif kind == "remove-vertices":
            self._remove(set(numbers))
        elif kind == "add-vertex":
            self._add(numbers, value)
        elif kind == "rename":
            self.names[numbers[0]] = value
        elif kind == "set-label" and self.labels is not None:
            self.labels[numbers[0]] = value
        elif kind == "set-attributes" and self.rows is not None and isinstance(value, tuple):
            if len(value) != self.width:
                raise InvalidGraphError("The edits have another number of attributes.")
            self.rows[numbers[0]] = value
        else:
            raise InvalidGraphError("The edits set labels or attributes that the graph lacks.")

    def graph(self) -> GraphSet:
        """Return the graph as it is now."""
        n = len(self.names)
        check_size(n)
        ends = np.array(sorted(self.edges), dtype=np.int64).reshape(-1, 2)
        return GraphSet(
            coo_array((np.ones(len(ends)), (ends[:, 0], ends[:, 1])), shape=(n, n)),
            [0, n],
            names=self.names,
            labels=self.labels,
            attributes=None if self.rows is None else np.array(self.rows, dtype=np.float64),
            self_loops="keep",
        )

    def _toggle(self, v: int, u: int, is_added: bool) -> None:
        if is_added == ((v, u) in self.edges) or (is_added and v == u):
            raise InvalidGraphError(
                "An edge that is to be added is there already, or one that is to be removed is "
                "not: the edits belong to another graph."
            )
        self.edges ^= {(v, u)}

    def _remove(self, gone: set[int]) -> None:
        kept = [v for v in range(len(self.names)) if v not in gone]
        number = {v: i for i, v in enumerate(kept)}
        self.names = [self.names[v] for v in kept]
        self.labels = None if self.labels is None else [self.labels[v] for v in kept]
        self.rows = None if self.rows is None else [self.rows[v] for v in kept]
        self.edges = {(number[v], number[u]) for v, u in self.edges if v in number and u in number}

    def _add(self, neighbours: tuple[int, ...], name: Hashable) -> None:
        new = len(self.names)
        check_size(new + 1)
        self.names.append(name)
        if self.labels is not None:
            self.labels.append(self.labels[0] if self.labels else None)
        if self.rows is not None:
            self.rows.append((0.0,) * self.width)
        self.edges |= {(v, new) for v in neighbours}


def apply_operations(graph: GraphSet, operations: Iterable[Operation]) -> GraphSet:
    """Return the graph that results from operations, made one after the other.

    Parameters
    ----------
    graph : GraphSet
        With one graph; it stays as it is.
    operations : iterable of Operation

    Returns
    -------
    GraphSet

    Raises
    ------
    InvalidGraphError, InvalidParameterError
        If an operation cannot be made.

    Examples
    --------
    >>> import networkx as nx
    >>> ring = GraphSet.from_networkx(nx.cycle_graph(5))
    >>> apply_operations(ring, [Operation("remove-edge", (0, 1)), Operation("add-vertex", (2,), 5)])
    GraphSet(1 graph, 6 vertices, 5 edges)
    """
    draft = _Draft(graph)
    for operation in operations:
        draft.do(operation)
    return draft.graph()


def operations_between(before: GraphSet, after: GraphSet) -> tuple[Operation, ...] | None:
    """Return operations that lead from one version of a graph to another.

    Parameters
    ----------
    before, after : GraphSet
        With one graph each.

    Returns
    -------
    tuple of Operation, or None
        None where only one version has labels, or they differ in the number of attributes.

    Examples
    --------
    >>> import networkx as nx
    >>> ring, path = map(GraphSet.from_networkx, (nx.cycle_graph(4), nx.path_graph(4)))
    >>> operations_between(ring, path)
    (Operation(kind='remove-edge', numbers=(0, 3), value=None),)
    """
    draft, end = _Draft(before), _Draft(after)
    if _widths(before) != _widths(after):
        return None
    made: list[Operation] = []

    def do(kind: str, numbers: Iterable[int], value: Hashable = None) -> None:
        made.append(Operation(kind, tuple(numbers), value))
        draft.do(made[-1])

    gone, new = _gone_and_new(draft.names, end.names)
    if gone:
        do("remove-vertices", gone)
    for name in new:
        do("add-vertex", (), name)
    for v, name in enumerate(end.names):
        if not _is_same(draft.names[v], name):
            do("rename", [v], name)
        if end.labels is not None and not _is_same((draft.labels or [])[v], end.labels[v]):
            do("set-label", [v], end.labels[v])
        if end.rows is not None and _bytes((draft.rows or [])[v]) != _bytes(end.rows[v]):
            do("set-attributes", [v], tuple(map(float, end.rows[v])))
    if gone or new:
        lost, won = sorted(draft.edges - end.edges), sorted(end.edges - draft.edges)
    else:
        lost, won = _only_in(before, after), _only_in(after, before)
    made += [Operation("remove-edge", pair) for pair in lost]
    made += [Operation("add-edge", pair) for pair in won]
    return tuple(made)


def encode_operations(operations: Iterable[Operation]) -> str:
    """Return operations as a text that an address keeps as it is.

    Parameters
    ----------
    operations : iterable of Operation

    Returns
    -------
    str

    Examples
    --------
    >>> encode_operations([Operation("remove-edge", (3, 7)), Operation("rename", (0,), "Ann")])
    'c3.7..n0_tAnn'
    """
    return _BETWEEN.join(
        _KINDS[kind]
        + ".".join(map(str, numbers))
        + (f"_{_value_text(kind, value)}" if kind in _WITH_VALUE else "")
        for kind, numbers, value in operations
    )


def decode_operations(text: str) -> tuple[Operation, ...]:
    """Return the operations of a text, or raise.

    Parameters
    ----------
    text : str
        Not trusted.

    Returns
    -------
    tuple of Operation

    Examples
    --------
    >>> decode_operations("c3.7")
    (Operation(kind='remove-edge', numbers=(3, 7), value=None),)
    """
    kinds = {letter: kind for kind, letter in _KINDS.items()}
    made = []
    for part in text.split(_BETWEEN) if text else ():
        match = _OPERATION.fullmatch(part)
        kind = kinds.get(match[1]) if match else None
        if match is None or kind is None or (match[3] is not None) != (kind in _WITH_VALUE):
            raise InvalidParameterError(f"{shortened(part)!r} is no edit.")
        numbers = tuple(map(int, match[2].split("."))) if match[2] else ()
        made.append(Operation(kind, numbers, _value(kind, match[3]) if match[3] else None))
    return tuple(made)


def edit_text(operations: Iterable[Operation], after: GraphSet) -> str:
    """Return edits for a link.

    Parameters
    ----------
    operations : iterable of Operation
    after : GraphSet
        What they lead to.

    Returns
    -------
    str
        For :func:`edited_by_text`.
    """
    return _BETWEEN.join([_VERSION, _check(after), encode_operations(operations)])


def edited_by_text(graph: GraphSet, text: str, most: int | None = MAX_EDIT_TEXT) -> GraphSet:
    """Return the graph that the edits of a link lead to, or raise.

    Parameters
    ----------
    graph : GraphSet
        The one that was edited.
    text : str
        Not trusted.
    most : int or None
        How many characters are read at most; None: any number.

    Returns
    -------
    GraphSet

    Raises
    ------
    InvalidParameterError
        If the text is too long, damaged or of another version.
    InvalidGraphError
        If the edits belong to another graph.

    Examples
    --------
    >>> import networkx as nx
    >>> ring, path = map(GraphSet.from_networkx, (nx.cycle_graph(4), nx.path_graph(4)))
    >>> text = edit_text([Operation("remove-edge", (0, 3))], path)
    >>> text, edited_by_text(ring, text)
    ('1..7410d047..c0.3', GraphSet(1 graph, 4 vertices, 3 edges))
    """
    if most is not None and len(text) > most:
        raise InvalidParameterError(
            f"They have {len(text):,} characters, and a link holds at most {most:,}."
        )
    version, _, rest = text.partition(_BETWEEN)
    check, _, operations = rest.partition(_BETWEEN)
    if version != _VERSION:
        raise InvalidParameterError(
            f"They are of version {shortened(version)!r}, and version {_VERSION} is known here."
        )
    after = apply_operations(graph, decode_operations(operations))
    if _check(after) != check:
        raise InvalidGraphError("They belong to another graph, or the link is damaged.")
    return after


def _gone_and_new(
    before: list[Hashable], after: list[Hashable]
) -> tuple[list[int], list[Hashable]]:
    """Return which vertices to remove and which to add behind, so that only names can differ."""
    old, wanted = set(before), set(after)
    gone = [v for v, name in enumerate(before) if name not in wanted]
    new = [name for name in after if name not in old]
    if len(before) == len(after) and gone == [v for v, a in enumerate(after) if a not in old]:
        return [], []
    if [name for name in before if name in wanted] + new == after:
        return gone, new
    n = min(len(before), len(after))
    return list(range(n, len(before))), after[n:]


def _only_in(one: GraphSet, other: GraphSet) -> list[tuple[int, int]]:
    """Return the edges that only one of two graphs with as many vertices has."""
    n = one.n_vertices
    own, others = (edges[:, 0] * n + edges[:, 1] for edges in map(undirected_edges, (one, other)))
    return [divmod(code, n) for code in np.setdiff1d(own, others).tolist()]


def _widths(graph: GraphSet) -> tuple[bool, int | None]:
    table = graph.attributes
    return graph.label_codes is None, None if table is None else table.shape[1]


def _is_same(one: Hashable, other: Hashable) -> bool:
    """Compare values and types, since True == 1 == 1.0."""
    return type(one) is type(other) and one == other and repr(one) == repr(other)


def _bytes(row: Any) -> bytes:
    return np.asarray(row, dtype="<f8").tobytes()


def _check(graph: GraphSet) -> str:
    rows = None if graph.attributes is None else _bytes(graph.attributes)
    whole = repr((graph.names, graph.labels, rows)).encode(errors="surrogatepass")
    edges = undirected_edges(graph).astype("<i8").tobytes()
    return f"{zlib.crc32(edges, zlib.crc32(whole)):08x}"


def _value_text(kind: str, value: Any) -> str:
    if kind == "set-attributes":
        return "f" + _as_text(struct.pack(f"<{len(value)}d", *value))
    if type(value) is int:
        return f"i{value}"
    if type(value) is str and _PLAIN.fullmatch(value):
        return f"t{value}"
    if isinstance(value, np.generic):
        value = value.item()
    try:
        return "j" + _as_text(json.dumps(_plain(value), ensure_ascii=True).encode())
    except TypeError:
        raise InvalidGraphError(
            f"{shortened(repr(value))} is of type {type(value).__name__}, which no link can hold."
        ) from None


def _value(kind: str, text: str) -> Hashable:
    form, rest = text[0], text[1:]
    try:
        if kind == "set-attributes":
            content = _from_text(rest) if form == "f" else b"?"
            return struct.unpack(f"<{len(content) // 8}d", content)
        if form == "i":
            return int(rest)
        if form == "t":
            return rest
        if form == "j":
            return _hashable(json.loads(_from_text(rest)))
    except (ValueError, binascii.Error, struct.error, RecursionError):
        pass
    raise InvalidParameterError(f"{shortened(text)!r} is no value of an edit.")


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_plain(part) for part in value]
    if value is None or type(value) in (bool, int, float, str):
        return value
    raise TypeError


def _hashable(value: Any) -> Hashable:
    if isinstance(value, list):
        return tuple(_hashable(part) for part in value)
    if isinstance(value, dict):
        raise ValueError("an object is no name")
    return value  # type: ignore[no-any-return]


def _as_text(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).decode("ascii").rstrip("=")


def _from_text(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
