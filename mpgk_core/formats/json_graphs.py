"""What the JSON formats share: records of vertices and edges, read into a collector or written."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from mpgk_core.formats.columns import column_of, each_graph, texts_of_names, vertex_columns
from mpgk_core.formats.format import Writer
from mpgk_core.formats.graph_collector import GraphCollector
from mpgk_core.graphs import GraphSet
from mpgk_core.text import encoded

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
    """Return only the ends of an edge, which takes less memory than all its fields.

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
                graphs.check("text_length", len(key))
                waiting.append((f"{key}.", iter(value.items())))
                break
            yield key, value
        else:
            waiting.pop()


@dataclass(frozen=True)
class JsonGraph:
    """A graph whose names and fields are JSON already.

    Attributes
    ----------
    about : str
        An object with the class of the graph, if it has one.
    names : sequence of str
        The names of the vertices as text.
    ids : sequence of str
        The same, but whole numbers as numbers.
    fields : sequence of str
        Labels and attributes of each vertex, each with a comma before it.
    edges : sequence of pairs of int
        Positions in the lists above.
    """

    about: str
    names: Sequence[str]
    ids: Sequence[str]
    fields: Sequence[str]
    edges: Sequence[tuple[int, int]]


def json_graphs(graphs: GraphSet, classes: NDArray[Any] | None) -> Iterator[JsonGraph]:
    """Yield every graph in JSON.

    Parameters
    ----------
    graphs : GraphSet
    classes : ndarray of shape (N,), optional

    Yields
    ------
    JsonGraph
    """
    names = [_json(name) for name in texts_of_names(graphs)]
    ids = [
        str(name) if type(name) is int else text
        for name, text in zip(graphs.names, names, strict=True)
    ]
    columns = [
        [f", {_json(column.name)}: {_json(value)}" for value in column.values]
        for column in vertex_columns(graphs)
    ]
    fields = list(map("".join, zip(*columns, strict=True))) if columns else [""] * len(names)
    values = None if classes is None else column_of("class", classes.tolist()).values
    for g, (start, stop, edges) in enumerate(each_graph(graphs)):
        about = "{}" if values is None else f'{{"class": {_json(values[g])}}}'
        yield JsonGraph(
            about,
            names[start:stop],
            ids[start:stop],
            fields[start:stop],
            [(a - start, b - start) for a, b in edges],
        )


def json_list(items: Iterable[str]) -> str:
    """Return a list of items that are JSON already, one per line."""
    return "[\n" + ",\n".join(items) + "\n]"


def json_writer(title: str, extension: str, text_of: Callable[[JsonGraph], str]) -> Writer:
    """Return the writer of a JSON format: one graph as it is, several as a list.

    Parameters
    ----------
    title, extension : str
        Of the format.
    text_of : callable
        Returns one graph as JSON.

    Returns
    -------
    Writer
    """

    def write(graphs: GraphSet, classes: NDArray[Any] | None = None) -> bytes:
        written = [text_of(graph) for graph in json_graphs(graphs, classes)]
        return encoded((written[0] if len(written) == 1 else json_list(written)) + "\n")

    return Writer(
        title, extension, write, keeps_attributes=True, many_graphs=True, keeps_classes=True
    )


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
