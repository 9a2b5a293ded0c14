"""The compact text formats graph6 and sparse6: one graph per line, six bits per character."""

from __future__ import annotations

import re
from collections import defaultdict
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mpgk_core.errors import InvalidGraphError, UnreadableFileError
from mpgk_core.formats.columns import undirected_edges
from mpgk_core.formats.format import Format, GraphTables, Writer
from mpgk_core.formats.source import Source
from mpgk_core.formats.text_rows import line_of
from mpgk_core.graphs import GraphSet

_HEADER = re.compile(rb"\s*>>(?:graph6|sparse6)<<")
_LINE = re.compile(rb"[^\s][^\r\n]*")
_LINES = 20
_FIRST_LINES = re.compile(rb"\s*((?::?[?-~]+(?:[ \t]*[\r\n]+|\Z)){1,%d})" % _LINES)
_IS_GRAPH = re.compile(rb"[?-~]*\Z").match
#: What comes before the edges: the mark of sparse6, and the number of vertices.
_START = re.compile(rb":?(?:~~.{0,6}|~.{0,3}|.?)", re.DOTALL)
_LOWEST = 63
#: Where the number of vertices stands behind no, one and two tildes.
_SIZE_PLACES = ((0, 1), (1, 4), (2, 8))
_LARGEST_OF_ONE, _LARGEST_OF_THREE = 62, 258_047
_MAX_VERTICES = 20_000


def read(source: Source) -> GraphTables:
    r"""Read graphs, one from each line; both formats may be mixed.

    Parameters
    ----------
    source : Source
        Lines of graph6 or, starting with a colon, of sparse6.

    Returns
    -------
    GraphTables

    Examples
    --------
    >>> tables = read(Source("a.g6", b"Bw\n:Bd\n"))
    >>> tables.offsets.tolist(), tables.edges.tolist()
    ([0, 3, 6], [[0, 1], [0, 2], [1, 2], [3, 4], [4, 5]])
    """
    header = _HEADER.match(source.plain)
    content = source.plain[header.end() if header else 0 :]
    lines = [line for line in map(bytes.strip, content.splitlines()) if line]
    if not lines:
        raise source.error("There is no graph in it.", "Write one graph per line.")
    if len(lines) > source.bounds.vertices:
        most = source.bounds.vertices
        raise source.error(
            f"There are more than {most:,} graphs.", "Give a part of them.", _line(source, most)
        )
    alike: defaultdict[tuple[bytes, int], list[int]] = defaultdict(list)
    for place, line in enumerate(lines):
        alike[_START.match(line).group(), len(line)].append(place)  # type: ignore[union-attr]
    sizes = np.zeros(len(lines) + 1, dtype=np.int64)
    tables = []
    for (start, length), places in alike.items():
        is_sparse, n = _kind(source, lines[places[0]], places[0])
        text = b"".join(lines[place][len(start) :] for place in places)
        table = (
            np.frombuffer(text, dtype=np.uint8).reshape(len(places), length - len(start)) - _LOWEST
        )
        if table.max(initial=0) >= 64:
            place = places[int(np.argmax(table.max(axis=1) >= 64))]
            _kind(source, lines[place], place)
        sizes[np.array(places) + 1] = n
        tables.append((is_sparse, n, np.array(places), table))
    offsets = np.cumsum(sizes)
    source.check("vertices", int(offsets[-1]))
    title = "sparse6" if all(is_sparse for is_sparse, *_ in tables) else "graph6"
    return GraphTables(source.name, title, offsets, _edges(source, tables, offsets))


def _line(source: Source, place: int) -> int:
    """Return the line of a graph; ``place`` counts the graphs from 0."""
    header = _HEADER.match(source.plain)
    lines = _LINE.finditer(source.plain, header.end() if header else 0)
    return line_of(source.plain, next(islice(lines, place, None)).start())


def _kind(source: Source, text: bytes, place: int) -> tuple[bool, int]:
    """Return whether a line is sparse6, and its number of vertices; ``place`` counts the graphs."""

    def error(problem: str, remedy: str) -> UnreadableFileError:
        return source.error(problem, remedy, _line(source, place))

    if text.startswith((b";", b"&")):
        raise error(
            "This line is digraph6 or incremental sparse6, which are not read.",
            "Convert it to graph6 or sparse6.",
        )
    is_sparse = text.startswith(b":")
    text = text[is_sparse:]
    if not _IS_GRAPH(text):
        raise error("This line is no graph6 or sparse6.", "Write one graph per line.")
    start, stop = _SIZE_PLACES[text.startswith(b"~") + text.startswith(b"~~")]
    n = 0
    for character in text[start:stop]:
        n = n << 6 | character - _LOWEST
    if len(text) >= stop and n > source.bounds.vertices:
        raise error(
            f"This graph has more than {source.bounds.vertices:,} vertices.",
            "Give a smaller one, or set MPGK_MAX_VERTICES to more.",
        )
    if len(text) < stop or (not is_sparse and len(text) - stop != (n * (n - 1) // 2 + 5) // 6):
        raise error(
            "This line is too short or too long for its number of vertices.", "It may be cut off."
        )
    return is_sparse, n


_Table = tuple[bool, int, NDArray[np.int64], NDArray[np.uint8]]


def _edges(source: Source, tables: list[_Table], offsets: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return all edges in the order of the graphs; those of equal size are decoded together."""
    n_edges = 0
    found = []
    for is_sparse, n, places, table in tables:
        width = max(n - 1, 0).bit_length()
        if is_sparse:
            n_edges += len(places) * (6 * table.shape[1] // (width + 1))
        else:
            n_edges += int(np.bitwise_count(table).sum())
        source.check("edges", n_edges)
        graph, low, high = _sparse6_edges(table, n, width) if is_sparse else _graph6_edges(table, n)
        graph = places[graph]
        found.append(np.stack([graph, low + offsets[graph], high + offsets[graph]]))
    graph, *ends = np.concatenate(found, axis=1)
    return np.column_stack(ends)[np.argsort(graph, kind="stable")]


_Edges = tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]


def _bits(characters: NDArray[np.uint8]) -> NDArray[np.uint8]:
    return np.unpackbits(characters[..., None], axis=-1)[..., 2:]


def _graph6_edges(characters: NDArray[np.uint8], n: int) -> _Edges:
    """Return graph and ends of every edge: the upper triangle of a matrix, down the columns."""
    graph, place = np.nonzero(characters)
    which, bit = np.nonzero(_bits(characters[graph, place]))
    graph, bit = graph[which], 6 * place[which] + bit
    inside = bit < n * (n - 1) // 2
    graph, bit = graph[inside], bit[inside]
    column = ((1 + np.sqrt(8.0 * bit + 1)) / 2).astype(np.int64)
    return graph, bit - column * (column - 1) // 2, column


def _sparse6_edges(characters: NDArray[np.uint8], n: int, width: int) -> _Edges:
    """Return graph and ends of every edge.

    Step i is a bit b that moves on to the next vertex, and a number x: the current vertex is
    v_i = max(v_{i-1} + b_i, x_i), and there is an edge to x_i unless x_i was larger. With B for
    the running sum of b, v_i - B_i is the running maximum of x_i - B_i and 0.
    """
    bits = _bits(characters).reshape(len(characters), -1)
    n_steps = bits.shape[1] // (width + 1)
    steps = bits[:, : n_steps * (width + 1)].reshape(len(characters), n_steps, width + 1)
    moved = np.cumsum(steps[..., 0], axis=1, dtype=np.int64)
    other = np.zeros_like(moved)
    for place in range(1, width + 1):
        other = other << 1 | steps[..., place]
    reached = np.maximum.accumulate(np.maximum(other - moved, 0), axis=1)
    vertex = moved.copy()
    vertex[:, 1:] += reached[:, :-1]
    is_over = np.logical_or.accumulate((other >= n) | (vertex >= n), axis=1)
    graph, step = np.nonzero(~is_over & (other <= vertex))
    return graph, other[graph, step], vertex[graph, step]


def _recognises(source: Source, mark: bytes) -> bool:
    """Return whether the first lines are all graphs, and the first is of the format."""
    content = source.plain
    header = _HEADER.match(content)
    lines = _FIRST_LINES.match(content, header.end() if header else 0)
    if lines is None or lines.group(1).startswith(b":") != (mark == b":"):
        return False
    if header is not None:
        return True
    is_all = lines.end() == len(content) or len(lines.group(1).split()) == _LINES
    try:
        return is_all and all(
            _kind(source, line, place) for place, line in enumerate(lines.group(1).split())
        )
    except UnreadableFileError:
        return False


def write(graphs: GraphSet, _: NDArray[Any] | None) -> bytes:
    """Return one line of graph6 for each graph."""
    return b"".join(_graph6(graph, place) + b"\n" for place, graph in enumerate(graphs))


def write_sparse6(graphs: GraphSet, _: NDArray[Any] | None) -> bytes:
    """Return one line of sparse6 for each graph."""
    return b"".join(b":" + _sparse6(graph) + b"\n" for graph in graphs)


def _graph6(graph: GraphSet, place: int) -> bytes:
    """Return the upper triangle of the adjacency matrix, going down the columns."""
    n = graph.n_vertices
    row, column = undirected_edges(graph).T
    if n > _MAX_VERTICES or (row == column).any():
        raise InvalidGraphError(
            f"Graph {place} has self-loops or more than {_MAX_VERTICES:,} vertices, which graph6 "
            "has no place for. Choose sparse6."
        )
    bits = np.zeros(n * (n - 1) // 2, dtype=np.uint8)
    bits[column * (column - 1) // 2 + row] = 1
    return _size(n) + _characters(np.pad(bits, (0, -len(bits) % 6)))


def _sparse6(graph: GraphSet) -> bytes:
    """Return the edges in the order of their larger ends.

    A bit says whether to go on to the next vertex, and a number follows: if it is larger than
    the current vertex, go there, and otherwise there is an edge between both.
    """
    n = graph.n_vertices
    edges = undirected_edges(graph)
    small, large = edges[np.lexsort((edges[:, 0], edges[:, 1]))].T
    width = max(n - 1, 0).bit_length()
    step = np.diff(large, prepend=0)
    jumps = step > 1
    places = np.repeat(np.arange(len(large)), 1 + jumps)
    is_jump = np.concatenate([places[1:] == places[:-1], [False]])[: len(places)]
    moves = np.where(is_jump, True, step[places] == 1)
    numbers = np.where(is_jump, large[places], small[places]) | moves.astype(np.int64) << width
    bits = (numbers[:, None] >> np.arange(width, -1, -1) & 1).astype(np.uint8).ravel()
    padding = np.ones(-len(bits) % 6, dtype=np.uint8)
    last = large[-1] if len(large) else 0
    if n == 1 << width and len(padding) > width and last < n - 1:
        padding[0] = 0  # ones alone would be read as a self-loop of the last vertex
    return _size(n) + _characters(np.concatenate([bits, padding]))


def _size(n: int) -> bytes:
    if n <= _LARGEST_OF_ONE:
        return bytes([n + _LOWEST])
    marks, length = (b"~", 3) if n <= _LARGEST_OF_THREE else (b"~~", 6)
    return marks + bytes((n >> 6 * i & 63) + _LOWEST for i in reversed(range(length)))


def _characters(bits: NDArray[np.uint8]) -> bytes:
    weights = np.array([32, 16, 8, 4, 2, 1], dtype=np.uint8)
    return (bits.reshape(-1, 6) @ weights + np.uint8(_LOWEST)).astype(np.uint8).tobytes()


FORMAT = Format("graph6", (".g6", ".graph6"), lambda source: _recognises(source, b""), read)
SPARSE6 = Format("sparse6", (".s6", ".sparse6"), lambda source: _recognises(source, b":"), read)
WRITER = Writer("graph6", ".g6", write, many_graphs=True, keeps_names=False)
SPARSE6_WRITER = Writer("sparse6", ".s6", write_sparse6, many_graphs=True, keeps_names=False)
