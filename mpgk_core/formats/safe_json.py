"""JSON from an untrusted file, within bounds, and what its formats of graphs share."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mpgk_core.formats.columns import (
    Column,
    column_of,
    each_graph,
    texts_of_names,
    vertex_columns,
    written_edges,
)
from mpgk_core.formats.format import EVERYTHING, Writer
from mpgk_core.formats.graph_collector import GraphCollector
from mpgk_core.formats.source import Source
from mpgk_core.graphs import GraphSet

_CHUNK = 1 << 20
_BYTES_PER_LIST, _BYTES_PER_ITEM = 100, 30
_QUOTE = ord('"')
_STEPS = np.zeros(256, dtype=np.int8)
_STEPS[[ord("["), ord("{")]] = 1
_STEPS[[ord("]"), ord("}")]] = -1
_IS_MARK = _STEPS != 0
_IS_MARK[_QUOTE] = True
_HALF_CHARACTER = re.compile(
    r"\\(?:(u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2})|(u[dD][89a-fA-F][0-9a-fA-F]{2})|.)",
    re.DOTALL,
)


def load_json(source: Source, hook: Callable[[dict[str, Any]], Any] | None = None) -> Any:
    """Return the content of a JSON file.

    Nesting and size are measured before anything is built. NaN and Infinity are numbers, of keys
    that are repeated the last one holds, and halves of surrogate pairs become replacement
    characters.

    Parameters
    ----------
    source : Source
    hook : callable, optional
        Takes every object as soon as it is loaded and returns what stands for it.

    Returns
    -------
    dict, list, str, int, float, bool, None or what the hook returned

    Examples
    --------
    >>> load_json(Source("a.json", b'{"a": [1, NaN]}'))
    {'a': [1, nan]}
    """
    text = source.text
    _check_size(source)
    _check_depth(source)
    if "\\ud" in text or "\\uD" in text:
        text = _HALF_CHARACTER.sub(_whole_character, text)
    try:
        return json.loads(text, object_hook=hook)
    except json.JSONDecodeError as error:
        raise source.error(
            f"This is not complete, correct JSON ({error.msg}).",
            "Write the file again with the program it comes from.",
            error.lineno,
        ) from None
    except ValueError:  # Python refuses to convert numbers of more than 4,300 digits
        raise source.error(
            "A whole number has thousands of digits.", "Write it as text, in quotation marks."
        ) from None


def looks_like_json(source: Source) -> bool:
    """Return whether the file starts like a JSON object or list."""
    return source.head[:1] in (b"{", b"[")


def _check_size(source: Source) -> None:
    """Refuse what would take too much memory: an empty list is 2 bytes here and 56 in memory."""
    n_lists = source.plain.count(b"[") + source.plain.count(b"{")
    n_bytes = _BYTES_PER_LIST * n_lists + _BYTES_PER_ITEM * source.plain.count(b",")
    if n_bytes > source.bounds.unpacked_bytes:
        raise source.error(
            f"It would take about {n_bytes / 1e9:,.1f} GB of memory.",
            "Give a part of it, or set MPGK_MAX_UNPACKED_BYTES to more.",
        )


def _check_depth(source: Source) -> None:
    content = source.plain
    if b"\\" in content:
        content = content.replace(b"\\\\", b"").replace(b'\\"', b"")
    depth = n_quotes = 0
    for start in range(0, len(content), _CHUNK):
        chunk = np.frombuffer(
            content, dtype=np.uint8, count=min(_CHUNK, len(content) - start), offset=start
        )
        marks = chunk[_IS_MARK[chunk]]
        quotes = n_quotes + np.cumsum(marks == _QUOTE)
        depths = depth + np.cumsum(np.where(quotes % 2 == 0, _STEPS[marks], 0))
        if len(marks) == 0:
            continue
        source.check("depth", int(depths.max()))
        depth, n_quotes = int(depths[-1]), int(quotes[-1])


def _whole_character(escape: re.Match[str]) -> str:
    return r"\ufffd" if escape[2] else escape[0]


#: The two ends of an edge, and then key and value of all that is known of it, by turns.
Link = tuple[Any, ...]

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
    return value if isinstance(value, str) else _json(value)


def link_or_record(record: dict[str, Any]) -> Link | dict[str, Any]:
    """Return an edge as a tuple, which takes less memory than an object.

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
    (1, 2, 'weight', 0.5, 'colour', 'red')
    """
    if "source" in record and "target" in record:
        if len(record) == 2:
            return record["source"], record["target"]
        ends = record.pop("source"), record.pop("target")
        return (*ends, *chain.from_iterable(record.items()))
    return record


def take_link(
    graphs: GraphCollector, edge: int, link: Link, left_out: Collection[str] = ()
) -> None:
    """Put all that is known of an edge into its columns."""
    if len(link) > 2:
        record = dict(zip(link[2::2], link[3::2], strict=True))
        take_record(graphs, partial(graphs.edge_value, edge), record, left_out)


def open_graph(graphs: GraphCollector, about: Mapping[str, Any], is_directed: bool) -> None:
    """Begin a graph with the name and the class that an object gives it."""
    graphs.start_graph(json_text(about.get("name") or ""))
    if about.get("class") is not None:
        graphs.class_of_graph(about["class"])
    graphs.direct(is_directed)


def take_record(
    graphs: GraphCollector,
    put: Callable[[str, Any], None],
    record: Mapping[str, Any],
    left_out: Collection[str] = (),
    prefix: str = "",
) -> None:
    """Put all values of a record into columns.

    An object within is flattened: ``"position": {"x": 1}`` is a value of "position.x". A list
    of numbers fills one column each, "spin_1", "spin_2" and so on; other lists stay as they are.

    Parameters
    ----------
    graphs : GraphCollector
    put : callable
        Takes a column and a value.
    record : mapping of str to value
        What was loaded.
    left_out : collection of str
        Keys that are no columns.
    prefix : str
        Before every key.
    """
    for inner, value in record.items():
        key = prefix + inner
        if key in left_out:
            continue
        if isinstance(value, dict):
            graphs.check("text_length", len(key))
            take_record(graphs, put, value, prefix=f"{key}.")
        elif isinstance(value, list) and value and _NUMBERS.issuperset(map(type, value)):
            for number, item in enumerate(value, start=1):
                put(f"{key}_{number}", item)
        else:
            put(key, value)


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
    edges : sequence of (int, int, str)
        Positions in the lists above, and labels and weights, each with a comma before it.
    kind : str
        Whether the graph is directed and has parallel edges, as fields.
    """

    about: str
    names: Sequence[str]
    ids: Sequence[str]
    fields: Sequence[str]
    edges: Sequence[tuple[int, int, str]]
    kind: str


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
    fields = _fields(vertex_columns(graphs), len(names))
    edges, columns = written_edges(graphs)
    of_edges = _fields(columns, len(edges))
    values = None if classes is None else column_of("class", classes.tolist()).values
    is_directed = graphs.edges is not None and graphs.edges.is_directed
    for g, (start, stop, own) in enumerate(each_graph(graphs, edges)):
        has_parallels = len({(a, b) for _, a, b in own}) < len(own)
        about = "{}" if values is None else f'{{"class": {_json(values[g])}}}'
        yield JsonGraph(
            about,
            names[start:stop],
            ids[start:stop],
            fields[start:stop],
            [(a - start, b - start, of_edges[edge]) for edge, a, b in own],
            f'"directed": {_json(is_directed)}, "multigraph": {_json(has_parallels)}',
        )


def _fields(columns: Sequence[Column], n_rows: int) -> list[str]:
    """Return all values of every row as fields of an object, each with a comma before it."""

    def field(name: str, value: Any) -> str:
        return "" if value is None else f", {_json(name)}: {_json(value)}"

    texts = [[field(column.name, value) for value in column.values] for column in columns]
    return list(map("".join, zip(*texts, strict=True))) if texts else [""] * n_rows


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

    def write(graphs: GraphSet, classes: NDArray[Any] | None) -> tuple[str, ...]:
        written = [text_of(graph) for graph in json_graphs(graphs, classes)]
        return written[0] if len(written) == 1 else json_list(written), "\n"

    return Writer(
        title,
        extension,
        write,
        keeps_attributes=True,
        many_graphs=True,
        keeps_classes=True,
        keeps_edges=EVERYTHING,
    )


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
