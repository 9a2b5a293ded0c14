"""Read and write graphs in any format: one file, several, or an archive."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate, chain, islice
from pathlib import PurePosixPath
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from mpgk_core.errors import InvalidGraphError, InvalidParameterError, UnreadableFileError
from mpgk_core.formats import (
    adjacency_lists,
    adjacency_matrix,
    cytoscape_json,
    dot,
    edge_array,
    edge_list,
    gexf,
    gml,
    graph6,
    graphml,
    matrix_market,
    molecules,
    node_link_json,
    numpy_files,
    pajek,
    tu_archive,
    vertex_and_edge_tables,
)
from mpgk_core.formats.archives import SafeZip, is_gzip, is_zip, unpacked
from mpgk_core.formats.columns import column_of_values
from mpgk_core.formats.format import READINGS, Format, GraphTables, Writer
from mpgk_core.formats.graph_collector import LINE, with_both_directions
from mpgk_core.formats.source import Source
from mpgk_core.formats.vertex_and_edge_tables import kind_of_table, read_pair
from mpgk_core.graphs import GraphSet

_MAX_NOTES = 10
_WORDS_FOR_PEOPLE = ("readme", "license", "licence", "copying")
#: Extensions that say too little to prefer one format to another that recognises the file.
_VAGUE = {".txt", ".text", ".dat", ".data", ".csv", ".tsv", ".tab", ".json", ".xml", ".zip"}


def read_graphs(name: str, content: bytes, reading: str | None = None) -> GraphSet:
    """Read graphs, with labels and attributes as they are guessed from the columns.

    Parameters
    ----------
    name : str
        Name of the file; its extension helps where the content does not say what it is.
    content : bytes
        The whole file; it may be packed by gzip.
    reading : str, optional
        How to understand rows of cells: a key of ``READINGS``. Default: the likeliest.

    Returns
    -------
    GraphSet
    """
    return read_tables(name, content, reading).graph_set()


def read_tables(name: str, content: bytes, reading: str | None = None) -> GraphTables:
    r"""Read graphs with all columns, leaving open what these mean.

    Parameters
    ----------
    name : str
        Name of the file; its extension helps where the content does not say what it is.
    content : bytes
        The whole file; it may be packed by gzip.
    reading : str, optional
        How to understand rows of cells: a key of ``READINGS``. Default: the likeliest, unless
        it is implausible; then the file is refused with the reason.

    Returns
    -------
    GraphTables
        Its ``other_readings`` are the other ways in which the file could be understood.

    Examples
    --------
    >>> tables = read_tables("a.txt", b"0 1\n1 2\n")
    >>> tables.reading, tables.other_readings
    ('edge-list', ('adjacency-matrix', 'edge-array'))
    >>> read_tables("a.txt", b"0 1\n1 2\n", reading="adjacency-matrix").n_vertices
    2
    """
    source = Source(name, content)
    source.bounds.check_bytes(name, len(content))
    source = unpacked(source)
    if not source.plain or source.plain.isspace():
        raise source.error("The file is empty.", "Give a file that holds at least one graph.")
    if reading is not None:
        chosen = _format_for(source, reading)
    else:
        chosen = format_of(source)
        doubt = chosen.doubt(source)
        if doubt is not None:
            raise source.error(*doubt)
    tables = chosen.read(source)
    if not chosen.reading:
        return tables
    others = {
        item.reading
        for item in FORMATS
        if item.reading != chosen.reading and item.is_possible(source)
    }
    return replace(tables, reading=chosen.reading, other_readings=tuple(sorted(others)))


def _format_for(source: Source, reading: str) -> Format:
    """Return the format that reads a file as it was asked for."""
    if reading not in READINGS:
        raise InvalidParameterError(
            f"reading must be one of {', '.join(map(repr, READINGS))}. Got {reading!r} instead."
        )
    fitting = [item for item in FORMATS if item.reading == reading]
    return next((item for item in fitting if item.is_possible(source)), fitting[-1])


def format_of(source: Source) -> Format:
    """Return the format of a file: by its content, and by its extension where that is unclear.

    Where only the extension speaks, the most general format with it is tried, for its error says
    best what the file is not. Nearly any words make a table, so a file that is called after
    another kind of format is not taken for one: it is more likely damaged.
    """
    extension = source.extension
    by_extension = [item for item in FORMATS if extension in item.extensions]
    preferred = [] if extension in _VAGUE else by_extension
    is_foreign = bool(by_extension) and not any(item in _PLAIN_TABLES for item in by_extension)
    for candidate in (*preferred, *FORMATS):
        if candidate.recognises(source) and not (is_foreign and candidate in _PLAIN_TABLES):
            return candidate
    if by_extension:
        return by_extension[-1]
    raise UnreadableFileError(
        source.name,
        "The format was not recognised.",
        "These can be read: " + ", ".join(item.title for item in FORMATS) + ".",
    )


def read_many(
    files: Iterable[tuple[str, bytes]],
    name: str | None = None,
    *,
    join: Literal["each", "set"] = "each",
    reading: str | None = None,
) -> list[GraphTables]:
    r"""Read the graphs of several files.

    Two files of which one is a table of vertices and the other a table or list of edges make one
    graph, whatever ``join`` says.

    Parameters
    ----------
    files : iterable of pairs
        Name and content of each file.
    name : str, optional
        What all are called together. Default: their names.
    join : {"each", "set"}
        Whether each file is a set of its own, or all graphs are one set. In one set the graphs
        come in the order of the files and are called like them; columns of the same name are
        joined, and what a file does not say is missing.
    reading : str, optional
        How to understand rows of cells: a key of ``READINGS``. Default: the likeliest.

    Returns
    -------
    list of GraphTables
        One for each set.

    Examples
    --------
    >>> files = [("a.txt", b"1 2\n2 3\n"), ("b.txt", b"1 2\n")]
    >>> [tables.n_vertices for tables in read_many(files)]
    [3, 2]
    >>> [tables.graph_names for tables in read_many(files, join="set")]
    [['a', 'b']]
    """
    if join not in ("each", "set"):
        raise InvalidParameterError(f"join must be 'each' or 'set'. Got {join!r} instead.")
    waiting = (Source(file, content) for file, content in files)
    first = list(islice(waiting, 3))
    if not first:
        raise InvalidGraphError("There are no files. Give at least one.")
    pair = _pair(first)
    if pair is not None:
        return [read_pair(*pair, name)]
    tables: list[GraphTables] = []
    stems: list[str] = []
    n_vertices = n_edges = 0
    for source in chain(first, waiting):
        table = read_tables(source.name, source.content, reading)
        n_vertices += table.n_vertices
        n_edges += len(table.edges)
        source.bounds.check(name or source.name, "vertices", n_vertices)
        source.bounds.check(name or source.name, "edges", n_edges)
        tables.append(table)
        stems.append(source.stem)
    together = name or ", ".join(table.source for table in tables)
    if join == "each" or len(tables) == 1:
        return tables
    return [joined_tables(tables, stems, together)]


def are_one_graph(files: Sequence[tuple[str, bytes]]) -> bool:
    r"""Return whether files are a table of vertices and one of edges; their first bytes suffice.

    Examples
    --------
    >>> are_one_graph([("v.csv", b"id,label\n1,C\n"), ("e.csv", b"source,target\n1,1\n")])
    True
    """
    return _pair([Source(name, content) for name, content in files]) is not None


def _pair(sources: Sequence[Source]) -> tuple[Source, Source] | None:
    """Return the table of vertices and that of edges, if there is one of each and no more."""
    if len(sources) != 2:
        return None
    for vertices, edges in (sources, sources[::-1]):
        if kind_of_table(vertices) == "vertices" and edge_list.FORMAT.recognises(edges):
            return (vertices, edges) if kind_of_table(edges) != "vertices" else None
    return None


def joined_tables(tables: Sequence[GraphTables], stems: Sequence[str], source: str) -> GraphTables:
    """Return one set of graphs from several.

    Parameters
    ----------
    tables : sequence of GraphTables
        At least one.
    stems : sequence of str
        What the graphs of each are called; several in one file are counted.
    source : str
        What all are called together.

    Returns
    -------
    GraphTables
        With all columns that any of them has; what one does not say is missing. Where some edges
        are directed, those of the other sets go in both directions.
    """
    is_directed = _common_direction(tables)
    if is_directed:
        tables = [_directed(table) for table in tables]
    shifts = [0, *accumulate(table.n_vertices for table in tables)][:-1]
    shifted = list(zip(tables, shifts, strict=True))
    named = any(table.names is not None for table in tables)
    notes = [f"{table.source}: {note}" for table in tables for note in table.notes]
    if len(notes) > _MAX_NOTES:
        notes[_MAX_NOTES:] = [f"And {len(notes) - _MAX_NOTES:,} more notes."]
    return GraphTables(
        source,
        ", ".join(dict.fromkeys(table.format for table in tables)),
        np.concatenate([[0], *(table.offsets[1:] + shift for table, shift in shifted)]),
        np.concatenate([table.edges + shift for table, shift in shifted]),
        names=_joined(table.names or _counted(table) for table in tables) if named else None,
        columns=_joined_columns([(table.columns, table.n_vertices) for table in tables]),
        classes=None
        if any(table.classes is None for table in tables)
        else column_of_values(_joined(table.classes for table in tables)),
        graph_names=_joined(map(_graph_names, tables, stems)),
        notes=tuple(notes),
        reading=tables[0].reading if len({table.reading for table in tables}) == 1 else "",
        edge_columns=_joined_columns([(table.edge_columns, len(table.edges)) for table in tables]),
        is_directed=is_directed,
        edge_lines=tuple(part for table in tables for part in _lines_of(table)),
        targets=_joined_columns([(table.targets, len(table)) for table in tables]),
        left_out=tuple(_joined(table.left_out for table in tables)),
        label_names=tables[0].label_names
        if all(table.label_names == tables[0].label_names for table in tables)
        else None,
    )


def _common_direction(tables: Sequence[GraphTables]) -> bool | None:
    """Return whether any edge is directed; None if none is said to be directed or undirected."""
    said = {table.is_directed for table in tables if (np.diff(table.edges) != 0).any()}
    if True in said:
        return True
    return None if said == {None} else False


def _lines_of(table: GraphTables) -> tuple[tuple[str, NDArray[np.int32]], ...]:
    return table.edge_lines or ((table.source, np.zeros(len(table.edges), dtype=np.int32)),)


def _directed(table: GraphTables) -> GraphTables:
    """Return the same with every undirected edge in both directions."""
    if table.is_directed:
        return table
    ends, is_undirected = table.edges, np.ones(len(table.edges), dtype=np.bool_)
    source = Source(table.source, b"")
    ((file, own_lines),) = _lines_of(table)
    known = {**table.edge_columns, LINE: own_lines}
    edges, columns = with_both_directions(source, ends, known, is_undirected)
    where = ((file, columns.pop(LINE)),)
    return replace(table, edges=edges, edge_columns=columns, is_directed=True, edge_lines=where)


def _joined_columns(
    parts: Sequence[tuple[Mapping[str, NDArray[Any]], int]],
) -> dict[str, NDArray[Any]]:
    """Return the columns of several tables, whose rows are counted beside them."""
    keys = dict.fromkeys(key for columns, _ in parts for key in columns)
    return {
        key: column_of_values(_joined(columns.get(key, [None] * n) for columns, n in parts))
        for key in keys
    }


def _joined(parts: Iterable[Any]) -> list[Any]:
    """Return what lists or arrays hold, as one list."""
    return [
        value
        for part in parts
        for value in (part.tolist() if isinstance(part, np.ndarray) else part)
    ]


def _counted(table: GraphTables) -> list[int]:
    return [name for size in np.diff(table.offsets).tolist() for name in range(size)]


def _graph_names(table: GraphTables, stem: str) -> list[str]:
    if len(table) == 1:
        return [stem]
    own = table.graph_names or map(str, range(len(table)))
    return [f"{stem} {name}" for name in own]


def read_archive(source: Source) -> GraphTables:
    """Read all files in a zip archive as if they had been given one by one.

    Parameters
    ----------
    source : Source
        The archive. Files called "readme" or "licence" are left out; archives in it are refused.

    Returns
    -------
    GraphTables
    """
    archive = SafeZip(source)
    names = [
        name
        for name in archive.names
        if not PurePosixPath(name).stem.lower().startswith(_WORDS_FOR_PEOPLE)
    ]
    if not names:
        raise source.error("The archive holds no files.", "Put at least one graph in.")

    def content(member: Source) -> bytes:
        if is_zip(member) or is_gzip(member) or member.extension in _ZIP.extensions:
            raise member.error(
                "This is an archive within an archive.", "Unpack the inner one first."
            )
        return member.content

    members = (archive.member(name) for name in names)
    (tables,) = read_many(((one.name, content(one)) for one in members), source.name, join="set")
    return tables


_ZIP = Format("Zip archive of graph files", (".zip",), is_zip, read_archive)

#: Formats that any rows of words could have.
_PLAIN_TABLES = (
    adjacency_lists.MULTILINE,
    adjacency_lists.FORMAT,
    adjacency_matrix.FORMAT,
    edge_array.FORMAT,
    vertex_and_edge_tables.FORMAT,
    edge_list.FORMAT,
)

#: All formats, the most particular first: where several recognise a file, the first one reads it.
FORMATS: tuple[Format, ...] = (
    tu_archive.FORMAT,
    numpy_files.SPARSE_NPZ,
    _ZIP,
    numpy_files.NPY_MATRIX,
    numpy_files.NPY_EDGE_ARRAY,
    numpy_files.NPY_EDGES,
    matrix_market.FORMAT,
    graph6.FORMAT,
    graph6.SPARSE6,
    graphml.FORMAT,
    gexf.FORMAT,
    cytoscape_json.FORMAT,
    node_link_json.FORMAT,
    gml.FORMAT,
    dot.FORMAT,
    pajek.FORMAT,
    molecules.SDF,
    molecules.SMILES,
    *_PLAIN_TABLES,
)

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
