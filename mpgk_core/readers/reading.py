"""Read graphs from bytes, whatever the format."""

from __future__ import annotations

from mpgk_core.errors import UnreadableFileError
from mpgk_core.graphs import GraphSet
from mpgk_core.readers import (
    adjacency_matrix,
    cytoscape_json,
    dot,
    edge_list,
    gexf,
    gml,
    graph6,
    graphml,
    matrix_market,
    node_link_json,
    pajek,
    sdf,
    smiles,
    sparse_npz,
    tu_archive,
    vertex_and_edge_tables,
    zip_of_files,
)
from mpgk_core.readers.formats import Format
from mpgk_core.readers.graph_tables import GraphTables
from mpgk_core.readers.source import Source

__all__ = ["FORMATS", "format_of", "read_graphs", "read_tables"]

#: All formats, the most particular first: where several recognise a file, the first one reads it.
FORMATS: tuple[Format, ...] = (
    tu_archive.FORMAT,
    sparse_npz.FORMAT,
    zip_of_files.FORMAT,
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
    sdf.FORMAT,
    smiles.FORMAT,
    adjacency_matrix.FORMAT,
    vertex_and_edge_tables.FORMAT,
    edge_list.FORMAT,
)

#: Formats that any rows of words could have.
_PLAIN_TABLES = {adjacency_matrix.FORMAT, vertex_and_edge_tables.FORMAT, edge_list.FORMAT}

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


def read_graphs(name: str, content: bytes) -> GraphSet:
    """Read graphs, with labels and attributes as they are guessed from the columns.

    Parameters
    ----------
    name : str
        Name of the file; its extension helps where the content does not say what it is.
    content : bytes
        The whole file.

    Returns
    -------
    GraphSet
    """
    return read_tables(name, content).graph_set()


def read_tables(name: str, content: bytes) -> GraphTables:
    """Read graphs with all columns, leaving open what these mean.

    Parameters
    ----------
    name : str
        Name of the file; its extension helps where the content does not say what it is.
    content : bytes
        The whole file.

    Returns
    -------
    GraphTables
    """
    source = Source(name, content)
    source.bounds.check_bytes(name, len(content))
    if not source.plain.strip():
        raise source.error("The file is empty.", "Give a file that holds at least one graph.")
    return format_of(source).read(source)


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
