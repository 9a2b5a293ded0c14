"""Data sets as the TU collection packs them: an archive of plain tables; lines and ids from 1.

Labels and classes are whole numbers there. Others are numbered in their canonical order when they
are written, and ``README.txt`` says which number stands for which; names of vertices have no place.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Sequence
from pathlib import PurePosixPath
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array

from mpgk_core.errors import InvalidGraphError, UnreadableFileError, shortened
from mpgk_core.formats.archives import SafeZip, is_zip, packed
from mpgk_core.formats.format import Format, GraphTables, Writer, repeat_notes
from mpgk_core.formats.graph_collector import LINE
from mpgk_core.formats.number_table import n_lines, real_numbers, whole_numbers
from mpgk_core.formats.source import Source
from mpgk_core.formats.text_rows import FIRST_ROW, line_of_row
from mpgk_core.graphs import GraphSet
from mpgk_core.graphs.edges import Edges
from mpgk_core.graphs.graph_parts import LabelNames, encode_labels
from mpgk_core.text import counted

_TITLE = "TU data set"
_MEANING = re.compile(r"[ \t]*(-?[0-9]{1,9})[ \t]+(\S(?:.{0,38}\S)?)[ \t]*")
_MAX_NAMES = 1_000
_EDGES = "_A.txt"
_BYTES_PER_CELL = 8
_NAME = "graphs"
_MAX_INT = np.iinfo(np.int64).max


class _Archive:
    """The tables of a data set ``DS``: ``DS_A.txt``, ``DS_graph_indicator.txt`` and others."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._zip = SafeZip(source)
        found = [name for name in self._zip.names if name.endswith(_EDGES)]
        if len(found) != 1:
            shown = " and ".join(shortened(name) for name in found[:2]) or "none"
            raise source.error(
                f"A TU data set has one file of edges, called DS_A.txt, but here is {shown}.",
                "Pack the files of one data set.",
            )
        self._stem = found[0].removesuffix(_EDGES)

    def __contains__(self, part: str) -> bool:
        return f"{self._stem}_{part}.txt" in self._zip.names

    def label_names(self) -> LabelNames | None:
        """Return what labels stand for, where a file README.txt beside the edges says so."""
        folder = str(PurePosixPath(self._stem).parent)
        path = "README.txt" if folder == "." else f"{folder}/README.txt"
        if path not in self._zip.names:
            return None
        text = self._zip.read(path).decode("utf-8", "replace")
        names = LabelNames(_meanings(text, "node"), _meanings(text, "edge"))
        return names if names != LabelNames() else None

    def table(self, part: str) -> Source:
        """Return one table, named for messages after itself and the archive."""
        path = f"{self._stem}_{part}.txt"
        file = PurePosixPath(path).name
        if part not in self:
            raise self._source.error(f"{shortened(file)} is missing.", "Pack it beside the edges.")
        return Source(f"{file} in {self._source.name}", self._zip.read(path))


def _meanings(text: str, what: str) -> dict[Hashable, str]:
    r"""Return what the labels of vertices or edges stand for, as a README lists them.

    Examples
    --------
    >>> _meanings("Node labels:\n\n  0  C\n  1  N\n\nEdge labels:\n\n  0  single\n", "node")
    {0: 'C', 1: 'N'}
    """
    title = re.compile(rf"^[ \t]*{what} labels:?[ \t]*\r?$", re.IGNORECASE | re.MULTILINE)
    found: dict[Hashable, str] = {}
    start = title.search(text)
    lines = text[start.end() :].splitlines() if start else []
    for line in lines[:_MAX_NAMES]:
        meaning = _MEANING.fullmatch(line)
        if meaning:
            found[int(meaning[1])] = meaning[2]
        elif line.strip():
            break
    return found


def read(source: Source) -> GraphTables:
    """Read a data set.

    Parameters
    ----------
    source : Source
        An archive with ``DS_A.txt``, ``DS_graph_indicator.txt`` and, where there are any, classes,
        labels and attributes; attributes of graphs are their targets.

    Returns
    -------
    GraphTables
    """
    archive = _Archive(source)
    indicator = archive.table("graph_indicator")
    graph = _column(indicator)
    if len(graph) and graph.min() < 1:
        row = int(np.argmax(graph < 1))
        problem = f"There is no graph {graph[row]}."
        raise _wrong(indicator, row, problem, "Number the graphs from 1.")
    classes = _column(archive.table("graph_labels")) if "graph_labels" in archive else None
    sizes = _graph_sizes(indicator, graph, None if classes is None else len(classes))
    columns = _columns(archive, "node", len(graph), "vertices")
    edges = _edge_pairs(archive.table("A"), graph)
    edge_columns = _columns(archive, "edge", len(edges), "edges")
    if edge_columns:
        edge_columns[LINE] = np.arange(1, len(edges) + 1, dtype=np.int32)
    edges, edge_columns, notes = _once(edges, len(graph), edge_columns)
    lines = edge_columns.pop(LINE, None)
    if np.any(np.diff(graph) < 0):
        notes = (*notes, "The vertices of every graph were put next to each other.")
        order = np.argsort(graph, kind="stable")
        columns = {key: column[order] for key, column in columns.items()}
        edges = np.argsort(order)[edges]
    return GraphTables(
        source.name,
        _TITLE,
        np.concatenate([[0], np.cumsum(sizes)]),
        edges,
        columns=columns,
        classes=classes,
        notes=notes,
        edge_columns=edge_columns,
        edge_lines=() if lines is None else ((f"{source.name}, tables of edges", lines),),
        targets=_targets(archive, len(sizes)),
        label_names=archive.label_names(),
    )


def _targets(archive: _Archive, n: int) -> dict[str, NDArray[np.float64]]:
    """Return the attributes of n graphs, if there are any: "target_1", "target_2", ..."""
    if "graph_attributes" not in archive:
        return {}
    found = _attributes(archive.table("graph_attributes"), n, "graphs")
    return {key.replace("attribute", "target"): column for key, column in found.items()}


def _columns(archive: _Archive, owner: str, n: int, what: str) -> dict[str, NDArray[Any]]:
    """Return labels and attributes of n vertices or edges, if there are any."""
    columns: dict[str, NDArray[Any]] = {}
    for part, columns_of in (("labels", _labels), ("attributes", _attributes)):
        if f"{owner}_{part}" in archive:
            columns |= columns_of(archive.table(f"{owner}_{part}"), n, what)
    return columns


def _column(table: Source) -> NDArray[np.int64]:
    """Read the graph of every vertex, or the class of every graph."""
    table.check("vertices", n_lines(table.plain))
    return whole_numbers(table, table.plain, 1)[:, 0]


def _graph_sizes(table: Source, ids: NDArray[np.int64], n_graphs: int | None) -> NDArray[np.int64]:
    """Return the number of vertices of every graph; without classes, none may be empty."""
    if n_graphs is None:
        gaps = np.setdiff1d(np.arange(1, len(ids) + 1), ids)
        n_graphs = int(gaps[0]) - 1 if len(gaps) else len(ids)
        remedy = f"There is no graph {n_graphs + 1}; number the graphs without gaps."
    else:
        remedy = f"Give it a class: there are {n_graphs:,}."
    beyond = np.flatnonzero(ids > n_graphs)
    if len(beyond):
        row = int(beyond[0])
        raise _wrong(table, row, f"This vertex is in graph {ids[row]}.", remedy)
    if n_graphs == 0:
        raise table.error("There are no graphs.", "Give at least one.")
    return np.bincount(ids, minlength=n_graphs + 1)[1:]


def _edge_pairs(table: Source, graph: NDArray[np.int64]) -> NDArray[Any]:
    """Return the edges as they are listed, by vertices counted from 0."""
    table.check("edges", n_lines(table.plain))
    edges, n = whole_numbers(table, table.plain, 2, dtype=np.int32), len(graph)
    if len(edges) and (edges.min() < 1 or edges.max() > n):
        row = int(np.argmax(((edges < 1) | (edges > n)).any(axis=1)))
        u, v = edges[row].tolist()
        problem = f"Vertex {u if not 1 <= u <= n else v} does not exist."
        raise _wrong(table, row, problem, f"The vertices are numbered from 1 to {n:,}.")
    edges -= 1
    narrow = graph.astype(np.int32)
    strays = narrow[edges[:, 0]] != narrow[edges[:, 1]]
    if strays.any():
        row = int(np.argmax(strays))
        u, v = edges[row].tolist()
        problem = f"Vertex {u + 1} is in graph {graph[u]}, and vertex {v + 1} in graph {graph[v]}."
        raise _wrong(table, row, problem, "An edge must stay within one graph.")
    return edges


def _once(
    edges: NDArray[Any], n: int, columns: dict[str, NDArray[Any]]
) -> tuple[NDArray[np.int64], dict[str, NDArray[Any]], tuple[str, ...]]:
    """Return every edge once, though it is listed in both directions, and what was unusual."""
    notes: tuple[str, ...] = ()
    if columns:
        known = [column for key, column in columns.items() if key != LINE]
        is_kept, n_one_way = unpaired(edges, known)
        edges = edges[is_kept].astype(np.int64)
        columns = {key: column[is_kept] for key, column in columns.items()}
    else:
        edges, n_repeated, n_one_way = merged_edges(edges, n)
        notes = repeat_notes(n_repeated)
    if n_one_way:
        are = "is" if n_one_way == 1 else "are"
        one_way = f"{counted(n_one_way, 'edge')} {are} listed in one direction only, and counted."
        notes = (one_way, *notes)
    return edges, columns, notes


def unpaired(edges: NDArray[Any], columns: Sequence[NDArray[Any]]) -> tuple[NDArray[np.bool_], int]:
    """Return which lines to keep so that an edge which is listed in both directions counts once.

    Parameters
    ----------
    edges : ndarray of shape (m, 2)
        Pairs of vertices.
    columns : sequence of ndarray of shape (m,)
        What is known of the edges; only lines with equal values are the same edge.

    Returns
    -------
    is_kept : ndarray of shape (m,)
        False for each line that is another one in the other direction.
    n_one_way : int
        Number of lines without another one, self-loops aside.

    Examples
    --------
    >>> unpaired(np.array([[0, 1], [1, 0], [1, 2], [2, 1]]), [np.array([3, 3, 4, 5])])
    (array([ True, False,  True,  True]), 2)
    """
    low, high = edges.min(axis=1), edges.max(axis=1)
    is_back = edges[:, 0] > edges[:, 1]
    order = np.lexsort([is_back, *columns, high, low])
    is_first = np.zeros(len(edges), dtype=np.bool_)
    is_first[:1] = True
    for key in (low, high, *columns):
        is_first[1:] |= key[order][1:] != key[order][:-1]
    group = np.cumsum(is_first) - 1
    n_lines_of, n_back = np.bincount(group), np.bincount(group, is_back[order])
    n_forth = n_lines_of - n_back
    place = np.arange(len(edges)) - np.flatnonzero(is_first)[group]
    is_kept = np.empty(len(edges), dtype=np.bool_)
    is_kept[order] = ~is_back[order] | (place - n_forth[group] >= n_forth[group])
    is_edge = low[order][is_first] < high[order][is_first]
    return is_kept, int(np.abs(n_forth - n_back)[is_edge].sum())


def merged_edges(edges: NDArray[Any], n: int) -> tuple[NDArray[np.int64], int, int]:
    """Return every undirected edge once, sorted.

    Parameters
    ----------
    edges : ndarray of shape (m, 2)
        Pairs of vertices, counted from 0.
    n : int
        Number of vertices.

    Returns
    -------
    merged : ndarray of shape (k, 2)
        Pairs with the smaller vertex first.
    n_repeated : int
        Number of lines that repeat an earlier one in the same direction.
    n_one_way : int
        Number of edges that are listed in one direction only, self-loops aside.

    Examples
    --------
    >>> merged_edges(np.array([[0, 1], [1, 0], [2, 1], [2, 1]]), 3)
    (array([[0, 1], [1, 2]]), 1, 1)
    """
    ones = np.ones(len(edges), dtype=np.bool_)
    listed = coo_array((ones, (edges[:, 0], edges[:, 1])), shape=(n, n)).tocsr()
    both = listed + listed.T.tocsr()
    rows = np.repeat(np.arange(n, dtype=np.int32), np.diff(both.indptr))
    once = rows <= both.indices
    merged = np.column_stack([rows[once], both.indices[once]]).astype(np.int64)
    return merged, len(edges) - listed.nnz, both.nnz - listed.nnz


def _labels(table: Source, n: int, what: str) -> dict[str, NDArray[Any]]:
    """Read n labels: "label", and "label_2", ... where there are several."""
    labels = _rows(whole_numbers, table, n, what)
    keys = ["label", *(f"label_{j}" for j in range(2, labels.shape[1] + 1))]
    return dict(zip(keys, labels.T, strict=True))


def _attributes(table: Source, n: int, what: str) -> dict[str, NDArray[Any]]:
    """Read n rows of attributes: "attribute_1", "attribute_2", ..."""
    attributes = _rows(real_numbers, table, n, what)
    if not np.isfinite(attributes).all():
        row, column = np.argwhere(~np.isfinite(attributes))[0].tolist()
        problem = f"Attribute {column + 1} is {attributes[row, column]}."
        raise _wrong(table, row, problem, "Replace it by a finite number.")
    return {f"attribute_{j}": column for j, column in enumerate(attributes.T, start=1)}


def _rows(
    read_numbers: Callable[..., NDArray[Any]], table: Source, n: int, what: str
) -> NDArray[Any]:
    """Return the numbers of n vertices or edges."""
    numbers = read_numbers(table, table.plain, _n_columns(table, n))
    if len(numbers) != n:
        raise table.error(
            f"There are {len(numbers):,} lines for {n:,} {what}.", "Give one line for each."
        )
    return numbers


def _n_columns(table: Source, n: int) -> int:
    """Return how many cells the first row has, if a table of that width may be read."""
    first = FIRST_ROW.search(table.plain)
    row = b"1" if first is None else first.group()
    width = row.count(b",") + 1 if b"," in row else len(row.split())
    limit = min(table.bounds.columns, table.bounds.unpacked_bytes // (_BYTES_PER_CELL * max(n, 1)))
    if width > limit:
        raise table.error(
            f"There are {width:,} columns, and at most {limit:,} are read.",
            "Leave some out, or set MPGK_MAX_COLUMNS and MPGK_MAX_UNPACKED_BYTES to more.",
        )
    return width


def _wrong(table: Source, row: int, problem: str, remedy: str) -> UnreadableFileError:
    return table.error(problem, remedy, line_of_row(table.plain, row))


def _recognises(source: Source) -> bool:
    return is_zip(source) and _EDGES.encode() in source.content


def write(graphs: GraphSet, classes: NDArray[Any] | None) -> bytes:
    """Return the archive of a data set."""
    if classes is None and not graphs.sizes.all():
        raise InvalidGraphError(
            f"Graph {int(np.argmin(graphs.sizes))} has no vertices, and a TU data set has a place "
            "for it only if the graphs have classes. Give classes, or leave it out."
        )
    edges = graphs.all_edges()
    if edges.is_directed:
        edges = Edges.of(edges.sources, edges.targets, labels=edges.labels, weights=edges.weights)
    edges = edges.directed()
    pairs = zip((edges.sources + 1).tolist(), (edges.targets + 1).tolist(), strict=True)
    owners = zip((graphs.graph_of_vertex + 1).tolist(), strict=True)
    tables = {"A": _table(pairs), "graph_indicator": _table(owners)}
    meanings: list[str] = []
    if classes is not None:
        tables["graph_labels"] = _table(_numbered(classes.tolist(), "Graph label", meanings))
    if graphs.labels is not None:
        tables["node_labels"] = _table(_numbered(graphs.labels, "Node label", meanings))
    if graphs.attributes is not None and graphs.attributes.size:
        tables["node_attributes"] = _table(graphs.attributes.tolist())
    if edges.labels is not None and edges.n_edges:
        tables["edge_labels"] = _table(_numbered(edges.labels, "Edge label", meanings))
    if edges.weights is not None and edges.n_edges:
        tables["edge_attributes"] = _table(zip(edges.weights.tolist(), strict=True))
    files = {f"{_NAME}/{_NAME}_{part}.txt": content for part, content in tables.items()}
    names = graphs.label_names or LabelNames()
    for what, known in (("Node", names.vertices), ("Edge", names.edges)):
        if known:
            listed = (f"  {label}  {shortened(name)}" for label, name in known.items())
            meanings += ["", f"{what} labels:", "", *listed]
    if meanings:
        files[f"{_NAME}/README.txt"] = "".join(f"{line}\n" for line in meanings).encode()
    return packed(files)


def _numbered(values: Sequence[Any], what: str, meanings: list[str]) -> Iterable[Any]:
    """Return rows of whole numbers; what these stand for is added to the meanings."""
    is_row = {isinstance(value, tuple) for value in values}
    rows = values if is_row == {True} else list(zip(values, strict=True))
    cells = [cell for row in rows for cell in row] if len(is_row) == 1 else []
    is_whole = all(type(cell) is int and abs(cell) <= _MAX_INT for cell in cells)
    if cells and is_whole and len({len(row) for row in rows}) == 1:
        return rows
    codes, meant = encode_labels(values)
    meanings += [f"{what} {code}: {shortened(str(value))}" for code, value in enumerate(meant)]
    return zip(codes.tolist(), strict=True)


def _table(rows: Iterable[Iterable[float]]) -> bytes:
    return "".join(", ".join(map(repr, row)) + "\n" for row in rows).encode()


FORMAT = Format(_TITLE, (".zip",), _recognises, read)
WRITER = Writer(
    _TITLE,
    ".zip",
    write,
    keeps_attributes=True,
    many_graphs=True,
    keeps_names=False,
    keeps_classes=True,
    numbers_labels=True,
    keeps_edges=("labels", "weights"),
    has_columns=False,
)
