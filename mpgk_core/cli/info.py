"""``info``: what a file holds, and how it is understood."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Hashable, Iterator

from mpgk_core.cli.command import Command, Example
from mpgk_core.cli.console import Console
from mpgk_core.cli.input_files import Given, add_input_options, read_input
from mpgk_core.cli.output_files import add_output_options, open_output, rendered
from mpgk_core.cli.result import Result
from mpgk_core.graphs.labels import label_sort_key
from mpgk_core.readers import FORMATS

__all__ = ["COMMAND"]


def _configure(parser: ArgumentParser) -> None:
    add_input_options(parser)
    add_output_options(parser, ("csv", "json"))


def _run(chosen: Namespace, console: Console) -> None:
    output = open_output(chosen, console)
    given = read_input(chosen, console)
    rows = list(_rows(given))
    result = Result(
        "info",
        given.source(),
        given.parameters(),
        ("item", "name", "value"),
        tuple(zip(*rows, strict=True)),
        {"items": [dict(zip(("item", "name", "value"), row, strict=True)) for row in rows]},
    )
    output.write(rendered(result, chosen))


def _rows(given: Given) -> Iterator[tuple[str, Hashable, Hashable]]:
    tables, sizes = given.tables, given.graphs.sizes
    for file in given.files:
        yield "file", file["name"], ""
    yield "format", "", tables.format
    yield "graphs", "", len(tables)
    yield "vertices", "", tables.n_vertices
    yield "edges", "", given.graphs.n_edges
    if len(tables) > 1:
        yield "vertices", "smallest graph", int(sizes.min())
        yield "vertices", "largest graph", int(sizes.max())
    if tables.classes is not None:
        counts = Counter(tables.classes.tolist())
        for value in sorted(counts, key=label_sort_key):
            yield "class", value, counts[value]
    for column, role in given.roles.items():
        yield "column", column, role
    for note in tables.notes:
        yield "note", "", note


COMMAND = Command(
    "info",
    summary="what a file holds, and how it is understood",
    description="Read a file and say what was found: its format, how many graphs, vertices and "
    "edges, and what every column is taken for.\n\n"
    f"These formats are read: {', '.join(item.title for item in FORMATS)}.",
    output=(
        (
            "item",
            "what the row is about: file, format, graphs, vertices, edges, class, column, note",
        ),
        ("name", "which one: of the class, of the column"),
        ("value", "how many; of a column: label, attribute or ignore"),
    ),
    examples=(
        Example(
            ("info", "karate_club.gml"),
            "item,name,value\n"
            "file,karate_club.gml,\n"
            "format,,GML\n"
            "graphs,,1\n"
            "vertices,,34\n"
            "edges,,78\n"
            "column,club,label",
        ),
    ),
    configure=_configure,
    run=_run,
)
