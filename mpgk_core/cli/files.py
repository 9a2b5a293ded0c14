"""Commands on files: ``info``, ``convert`` and ``fetch``."""

from __future__ import annotations

from argparse import ArgumentError, Namespace
from collections.abc import Hashable, Iterator
from pathlib import Path

from mpgk_core.cli.console import (
    OUT,
    Console,
    Result,
    check_target,
    option,
    output_options,
    write_bytes,
)
from mpgk_core.cli.input import INPUT, Given, fetched, read_input, read_inputs
from mpgk_core.datasets import catalogue, citation_of, tu_address
from mpgk_core.formats import FORMATS, READINGS, WRITERS, losses_of_writing, write_graphs

_BINARY = (".npz", ".zip")
_READ = ", ".join(dict.fromkeys(item.title for item in FORMATS))
_WRITTEN = ", ".join(f"{key} ({writer.title})" for key, writer in WRITERS.items())

OPTIONS = {
    "info": [
        *INPUT,
        *output_options("csv", "json"),
        f"formats: {_READ}; each may be packed by gzip (.gz)",
    ],
    "convert": [
        *INPUT,
        "destination",
        option(
            "--to",
            f"one of {_WRITTEN}; default: by the extension of --out",
            choices=tuple(WRITERS),
            metavar="FORMAT",
        ),
        OUT,
    ],
    "fetch": [
        "data sets",
        option(
            "names",
            f"as in the collection; those of the paper are {', '.join(catalogue())}",
            nargs="+",
            metavar="NAME",
        ),
        *output_options("csv", "json"),
    ],
}


def info(chosen: Namespace, console: Console) -> Result:
    """Describe what files hold.

    The report has the format, the numbers of graphs, vertices and edges, labels,
    attributes and classes, what is known of edges, the role of every column, and what was
    dropped or merged.
    Several files are reported one by one, unless --join makes one set of them.

    output:
      item   what the row is about: file, summary, format, reading, other reading, graphs,
             vertices, edges, labels, attributes, class, identical graphs (same vertices
             in the same order, with the same neighbours, labels and attributes),
             edge labels, edge weights, edge directions, column, edge column, note
      name   which one: of the class, of the column; the key of a reading for --reading
      value  how many; of a column: label, attribute or ignore; of an edge column: label,
             weight or ignore

    example:
      $ mpgk info karate_club.gml
      item,name,value
      file,karate_club.gml,
      summary,,"karate_club.gml: 34 vertices, 78 edges, 2 labels."
      format,,GML
      graphs,,1
      vertices,,34
      edges,,78
      labels,,2
      column,club,label
    """
    sets = read_inputs(chosen, console)
    rows = [row for given in sets for row in _rows(given)]
    header = ("item", "name", "value")
    sources = [given.source() for given in sets]
    parameters = [given.parameters() for given in sets]
    is_one = len(sets) == 1
    return Result(
        source=sources[0] if is_one else {"sets": sources},
        parameters=parameters[0] if is_one else {"sets": parameters},
        header=header,
        rows=rows,
        values={"items": [dict(zip(header, row, strict=True)) for row in rows]},
    )


def _rows(given: Given) -> Iterator[tuple[str, Hashable, Hashable]]:
    tables, sizes, summary = given.tables, given.graphs.sizes, given.summary
    for file in given.files:
        yield "file", file["name"], ""
    yield "summary", "", summary.sentence
    yield "format", "", tables.format
    if tables.reading:
        yield "reading", tables.reading, READINGS[tables.reading]
    for reading in tables.other_readings:
        yield "other reading", reading, READINGS[reading]
    yield "graphs", "", len(tables)
    yield "vertices", "", tables.n_vertices
    yield "edges", "", given.graphs.n_edges
    if len(tables) > 1:
        yield "vertices", "smallest graph", int(sizes.min())
        yield "vertices", "largest graph", int(sizes.max())
    if summary.n_labels is not None:
        yield "labels", "", summary.n_labels
    if summary.n_attributes:
        yield "attributes", "", summary.n_attributes
    for value, count in summary.classes:
        yield "class", value, count
    if summary.n_copies:
        yield "identical graphs", "", summary.n_copies
    if summary.n_edge_labels is not None:
        yield "edge labels", "", summary.n_edge_labels
    edges = given.graphs.edges
    if edges is not None and edges.weights is not None and edges.n_edges:
        yield "edge weights", "", f"{edges.weights.min():g} to {edges.weights.max():g}"
    if summary.is_directed:
        yield "edge directions", "", "yes"
    for column, role in given.roles.items():
        yield "column", column, role
    for column, edge_role in given.edge_roles.items():
        yield "edge column", column, edge_role
    for note in (*summary.losses, *summary.ignored):
        yield "note", "", note


def convert(chosen: Namespace, console: Console) -> None:
    r"""Read graphs from any format and write them in another one.

    Names, labels and attributes are kept where the format has a place for them, and so
    are the labels, weights and directions of edges and the classes of graphs. Parallel
    edges with the same label become one. Standard error lists what is left out or renamed.

    output:
      text or bytes  the file, in the format that --to names

    example:
      $ printf '0 1\n1 2\n2 0\n' | mpgk convert - --to g6
      Bw
    """
    key = chosen.to or _by_extension(chosen.out)
    writer = WRITERS[key]
    check_target(chosen.out, writer.extension in _BINARY, console)
    given = read_input(chosen, console)
    classes = given.tables.classes
    content = write_graphs(given.graphs, key, classes)
    lost = losses_of_writing(writer, given.graphs, classes, given.roles, given.edge_roles)
    for sentence in (*given.summary.losses, *lost):
        console.complain(sentence)
    if len(given.graphs) > 1 and given.tables.graph_names is not None:
        console.complain("The names of the graphs are left out.")
    write_bytes([content], chosen.out, console)


def _by_extension(out: str) -> str:
    extension = Path(out).suffix.lower()
    fitting = [key for key, writer in WRITERS.items() if writer.extension == extension]
    if len(fitting) != 1:
        known = f"{extension} may be {' or '.join(fitting)}" if fitting else "give --to FORMAT"
        raise ArgumentError(None, f"the format to write is not clear: {known}")
    return fitting[0]


def fetch(chosen: Namespace, console: Console) -> Result:
    """Get data sets of the TU collection.

    A data set is downloaded unless it is in the folder that MPGK_DATA names or in the
    cache (MPGK_CACHE). It is checked before it is kept, and an interrupted download is
    resumed. Other commands then find the data set by its name. MPGK_TU_ADDRESS sets
    another server.

    output:
      name      the data set
      file      its place
      citation  what to cite when results are published

    example:
      $ mpgk fetch PROTEINS
      name,file,citation
      PROTEINS,…,…
    """
    paths = [str(fetched(name, console)) for name in chosen.names]
    citations = [citation_of(name) for name in chosen.names]
    return Result(
        source={"address": tu_address()},
        parameters={"names": chosen.names},
        header=("name", "file", "citation"),
        rows=zip(chosen.names, paths, citations, strict=True),
        values={"names": chosen.names, "files": paths, "citations": citations},
    )
