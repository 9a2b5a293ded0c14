"""What JSON says of one vertex or one edge, as a collector takes it."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from mpgk_core.formats.graph_collector import GraphCollector

#: The two ends of an edge, and whether it has a weight.
Link = tuple[Any, Any, bool]

_NUMBERS = frozenset((bool, int, float))


def json_text(value: Any) -> str:
    """Return an id as text: 1 and "1" are the same id, and lists are written as in JSON.

    Parameters
    ----------
    value : anything that JSON can hold

    Returns
    -------
    str

    Examples
    --------
    >>> json_text(1), json_text("1"), json_text([0, "a"])
    ('1', '1', '[0, "a"]')
    """
    if isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False)


def link_or_record(record: dict[str, Any]) -> Link | dict[str, Any]:
    """Return the ends of an edge in place of all that is said of it, which takes less memory.

    Parameters
    ----------
    record : dict
        Anything that was loaded.

    Returns
    -------
    tuple or dict
        The record itself if it lacks a source or a target.

    Examples
    --------
    >>> link_or_record({"source": 1, "target": 2, "weight": 0.5, "colour": "red"})
    (1, 2, True)
    """
    if "source" in record and "target" in record:
        return record["source"], record["target"], "weight" in record or "value" in record
    return record


def take_record(
    graphs: GraphCollector, vertex: int, record: Mapping[str, Any], left_out: Collection[str] = ()
) -> None:
    """Put all values of a record into the columns of a vertex.

    An object within is flattened: ``"position": {"x": 1}`` is a value of "position.x". A list
    of numbers fills one column each, "spin_1", "spin_2" and so on; other lists stay as they are.

    Parameters
    ----------
    graphs : GraphCollector
    vertex : int
        Its number.
    record : mapping of str to value
        What was loaded.
    left_out : collection of str
        Keys that are no columns.
    """
    outer = ((key, value) for key, value in record.items() if key not in left_out)
    for key, value in _flattened(graphs, outer):
        if isinstance(value, list) and value and _NUMBERS.issuperset(map(type, value)):
            for number, item in enumerate(value, start=1):
                graphs.value(vertex, f"{key}_{number}", item)
        else:
            graphs.value(vertex, key, value)


def _flattened(
    graphs: GraphCollector, record: Iterable[tuple[str, Any]]
) -> Iterator[tuple[str, Any]]:
    """Yield keys and values one at a time: one long key may stand before thousands of others."""
    waiting = [("", iter(record))]
    while waiting:
        prefix, items = waiting[-1]
        for inner, value in items:
            key = prefix + inner
            if isinstance(value, dict):
                graphs.check_length(key)
                waiting.append((f"{key}.", iter(value.items())))
                break
            yield key, value
        else:
            waiting.pop()
