"""Read graphs from bytes, whatever the format."""

from __future__ import annotations

from dataclasses import replace

from mpgk_core.errors import InvalidParameterError, UnreadableFileError
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
    pajek,
    sparse_npz,
    tu_archive,
    vertex_and_edge_tables,
    zip_of_files,
)
from mpgk_core.formats.archives import unpacked
from mpgk_core.formats.format import READINGS, Format
from mpgk_core.formats.graph_tables import GraphTables
from mpgk_core.formats.source import Source
from mpgk_core.graphs import GraphSet

#: All formats, the most particular first: where several recognise a file, the first one reads it.
FORMATS: tuple[Format, ...] = (
    tu_archive.FORMAT,
    sparse_npz.FORMAT,
    zip_of_files.FORMAT,
    edge_array.NPY_MATRIX,
    edge_array.NPY_EDGE_ARRAY,
    edge_array.NPY_EDGES,
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
    adjacency_lists.MULTILINE,
    adjacency_lists.FORMAT,
    adjacency_matrix.FORMAT,
    edge_array.FORMAT,
    vertex_and_edge_tables.FORMAT,
    edge_list.FORMAT,
)

#: Formats that any rows of words could have.
_PLAIN_TABLES = {
    adjacency_lists.MULTILINE,
    adjacency_lists.FORMAT,
    adjacency_matrix.FORMAT,
    edge_array.FORMAT,
    vertex_and_edge_tables.FORMAT,
    edge_list.FORMAT,
}

#: Extensions that say too little to prefer one format to another that recognises the file.
_VAGUE_EXTENSIONS = {
    ".txt",
    ".text",
    ".dat",
    ".data",
    ".csv",
    ".tsv",
    ".tab",
    ".json",
    ".xml",
    ".zip",
}


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
    if not source.plain.strip():
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
    preferred = [] if extension in _VAGUE_EXTENSIONS else by_extension
    is_foreign = bool(by_extension) and _PLAIN_TABLES.isdisjoint(by_extension)
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
