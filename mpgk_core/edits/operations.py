"""Edits as a short list of operations, and as a text that fits into a link.

The text is ``version..check..operation..operation``, all of it in characters that an address
keeps as they are. Vertices are numbers, counted from 0 at the time of the operation. The check
belongs to the graph that results, so edits that meet another graph are refused.
"""

from __future__ import annotations

import base64
import json
import re
import zlib
from collections.abc import Hashable, Iterable
from typing import Any

import numpy as np

from mpgk_core.edits.graph_edits import Draft, Operation, apply_operations, typical_values
from mpgk_core.edits.ties import ties_of
from mpgk_core.errors import InvalidGraphError, InvalidParameterError, shortened
from mpgk_core.formats.columns import undirected_edges
from mpgk_core.graphs import GraphSet

MAX_EDIT_TEXT = 1_500
"""How many characters of edits a link holds at most."""

_VERSION = "1"
_BETWEEN = ".."
_OPERATION = re.compile(r"([a-z])([0-9]{1,9}(?:\.[0-9]{1,9})*)?(?:_([A-Za-z0-9_-]+))?")
_PLAIN = re.compile(r"[A-Za-z0-9-]+")


_LETTERS = {
    "remove-edge": "c",
    "add-edge": "j",
    "remove-vertices": "d",
    "add-vertex": "v",
    "remove-random-edges": "r",
    "rename": "n",
    "set-label": "l",
    "label-all": "b",
    "set-attributes": "a",
    "set-edge": "e",
}
"""The kinds of operations in a link."""

_KINDS = {letter: kind for kind, letter in _LETTERS.items()}
_SETTERS = ("rename", "set-label", "set-attributes")
"""The kinds that set the name, the label and the attributes of a vertex."""

_WITH_VALUE = ("add-vertex", "label-all", "set-edge", *_SETTERS)


def operations_between(before: GraphSet, after: GraphSet) -> tuple[Operation, ...] | None:
    """Return operations that lead from one version of a graph to another.

    Parameters
    ----------
    before, after : GraphSet
        With one graph each.

    Returns
    -------
    tuple of Operation, or None
        None where only the version before has labels or directions, or they differ in the number
        of attributes.

    Examples
    --------
    >>> import networkx as nx
    >>> ring, path = map(GraphSet.from_networkx, (nx.cycle_graph(4), nx.path_graph(4)))
    >>> operations_between(ring, path)
    (Operation(kind='remove-edge', numbers=(0, 3), value=None),)
    """
    draft, end = Draft(before), Draft(after)
    loses_directions = draft.is_directed and not end.is_directed
    if (draft.has_labels and not end.has_labels) or loses_directions or draft.width != end.width:
        return None
    made: list[Operation] = []

    def do(kind: str, numbers: Iterable[int], value: Hashable = None) -> None:
        made.append(Operation(kind, tuple(numbers), value))
        draft.apply(made[-1])

    if end.has_labels and not draft.has_labels:
        do("label-all", (), typical_values(after).label)
    gone, new = _gone_and_new(before.names, after.names)
    if gone:
        do("remove-vertices", gone)
    for name in new:
        do("add-vertex", (), name)
    for v, values in enumerate(end.vertices):
        for kind, old, value in zip(_SETTERS, draft.vertices[v], values, strict=True):
            if old != value or (kind != "set-attributes" and not _is_same(old, value)):
                do(kind, [v], value)
    if gone or new:
        lost = sorted(draft.edges.keys() - end.edges.keys())
        won = sorted(end.edges.keys() - draft.edges.keys())
    else:
        lost, won = _only_in(before, after), _only_in(after, before)
    made += [Operation("remove-edge", pair) for pair in lost]
    made += [Operation("add-edge", pair) for pair in won]
    if before.edges is None and after.edges is None:
        return tuple(made)
    draft = Draft(apply_operations(before, made))
    for pair, ties in end.edges.items():
        if not _is_same(draft.edges[pair], ties):
            do("set-edge", pair, tuple(map(tuple, ties)))
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
        _LETTERS[kind]
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
    made = []
    for part in text.split(_BETWEEN) if text else ():
        match = _OPERATION.fullmatch(part)
        kind = _KINDS.get(match[1]) if match else None
        if match is None or kind is None or bool(match[3]) != (kind in _WITH_VALUE):
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


def _is_same(one: Hashable, other: Hashable) -> bool:
    """Compare types too, also within tuples, since True == 1 == 1.0."""
    return type(one) is type(other) and one == other and repr(one) == repr(other)


def _bytes(row: Any) -> bytes:
    return np.asarray(row, dtype="<f8").tobytes()


def _check(graph: GraphSet) -> str:
    rows = None if graph.attributes is None else _bytes(graph.attributes)
    whole = repr((graph.names, graph.labels, rows)).encode(errors="surrogatepass")
    edges = undirected_edges(graph).astype("<i8").tobytes()
    code = zlib.crc32(edges, zlib.crc32(whole))
    if graph.edges is not None:
        code = zlib.crc32(repr(ties_of(graph)).encode(errors="surrogatepass"), code)
    return f"{code:08x}"


def _value_text(kind: str, value: Any) -> str:
    """Return a value as a letter for its form, and its text."""
    if kind == "set-attributes":
        return "f" + _base64(_bytes(value))
    if type(value) is int:
        return f"i{value}"
    if type(value) is str and _PLAIN.fullmatch(value):
        return f"t{value}"
    try:
        text = json.dumps(value)
        is_kept = repr(_hashable(json.loads(text))) == repr(value)
    except (TypeError, ValueError):
        is_kept = False
    if not is_kept:
        raise InvalidGraphError(
            f"{shortened(repr(value))} is of type {type(value).__name__}, which no link can hold."
        )
    return "j" + _base64(text.encode())


def _value(kind: str, text: str) -> Hashable:
    form, rest = text[0], text[1:]
    try:
        if kind == "set-attributes":
            return tuple(np.frombuffer(_from_base64(rest if form == "f" else "?"), "<f8").tolist())
        if form == "i":
            return int(rest)
        if form == "t":
            return rest
        if form == "j":
            return _hashable(json.loads(_from_base64(rest)))
    except (ValueError, RecursionError):
        pass
    raise InvalidParameterError(f"{shortened(text)!r} is no value of an edit.")


def _hashable(value: Any) -> Hashable:
    if isinstance(value, dict):
        raise ValueError("an object is no name")
    return tuple(map(_hashable, value)) if isinstance(value, list) else value


def _base64(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).decode("ascii").rstrip("=")


def _from_base64(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
