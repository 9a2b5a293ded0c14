"""``info``: what a file holds, and how it is understood."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Hashable, Iterator

from mpgk_core.cli.command import Command, Example
from mpgk_core.cli.console import Console
from mpgk_core.cli.input import Given, add_input_options, read_inputs
from mpgk_core.cli.output import Result, add_output_options, open_output, rendered
from mpgk_core.formats import FORMATS, READINGS


def _configure(parser: ArgumentParser) -> None:
    add_input_options(parser)
    add_output_options(parser, ("csv", "json"))


def _run(chosen: Namespace, console: Console) -> None:
    output = open_output(chosen, console)
    sets = read_inputs(chosen, console)
    rows = [row for given in sets for row in _rows(given)]
    result = Result(
        "info",
        sets[0].source() if len(sets) == 1 else {"sets": [given.source() for given in sets]},
        sets[0].parameters()
        if len(sets) == 1
        else {"sets": [given.parameters() for given in sets]},
        ("item", "name", "value"),
        tuple(zip(*rows, strict=True)),
        {"items": [dict(zip(("item", "name", "value"), row, strict=True)) for row in rows]},
    )
    output.write(rendered(result, chosen))


def _rows(given: Given) -> Iterator[tuple[str, Hashable, Hashable]]:
    tables, sizes = given.tables, given.graphs.sizes
    for file in given.files:
        yield "file", file["name"], ""
    yield "summary", "", given.summary.sentence
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
    if given.summary.n_labels is not None:
        yield "labels", "", given.summary.n_labels
    if given.summary.n_attributes:
        yield "attributes", "", given.summary.n_attributes
    for value, count in given.summary.classes:
        yield "class", value, count
    if given.summary.n_copies:
        yield "identical graphs", "", given.summary.n_copies
    for column, role in given.roles.items():
        yield "column", column, role
    for note in given.summary.losses:
        yield "note", "", note


COMMAND = Command(
    "info",
    description="Read files and say what was found: format, how many graphs, vertices and edges, "
    "labels, attributes and classes, what every column is taken for, and what was dropped or "
    "merged. Several files are reported one by one, unless --join makes one set of them.\n\n"
    f"These formats are read: {', '.join(dict.fromkeys(item.title for item in FORMATS))}. Each "
    "may be packed by gzip (.gz).",
    output=(
        (
            "item",
            "what the row is about: file, summary, format, reading, other reading, graphs, "
            "vertices, edges, labels, attributes, class, identical graphs (same vertices in the "
            "same order, with the same neighbours, labels and attributes), column, note",
        ),
        ("name", "which one: of the class, of the column; the key of a reading for --reading"),
        ("value", "how many; of a column: label, attribute or ignore"),
    ),
    examples=(
        Example(
            ("info", "karate_club.gml"),
            "item,name,value\n"
            "file,karate_club.gml,\n"
            'summary,,"karate_club.gml: 34 vertices, 78 edges, 2 labels."\n'
            "format,,GML\n"
            "graphs,,1\n"
            "vertices,,34\n"
            "edges,,78\n"
            "labels,,2\n"
            "column,club,label",
        ),
    ),
    configure=_configure,
    run=_run,
)
