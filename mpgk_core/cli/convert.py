"""``convert``: from any format that can be read to one that can be written."""

from __future__ import annotations

from argparse import ArgumentError, ArgumentParser, Namespace
from pathlib import Path

from mpgk_core.cli.command import Command, Example
from mpgk_core.cli.console import Console
from mpgk_core.cli.input import add_input_options, read_input
from mpgk_core.cli.output import Output, add_out_option
from mpgk_core.writers import WRITERS, losses_of_writing, write_graphs

_BINARY = (".npz", ".zip")


def _configure(parser: ArgumentParser) -> None:
    add_input_options(parser)
    listed = ", ".join(f"{key} ({writer.title})" for key, writer in WRITERS.items())
    parser.add_argument(
        "--to",
        choices=tuple(WRITERS),
        metavar="FORMAT",
        help=f"one of {listed}; default: as the extension of --out says",
    )
    add_out_option(parser)


def _run(chosen: Namespace, console: Console) -> None:
    key = chosen.to or _by_extension(chosen.out)
    writer = WRITERS[key]
    output = Output.checked(chosen.out, writer.extension in _BINARY, console)
    given = read_input(chosen, console)
    classes = given.tables.classes
    content = write_graphs(given.graphs, key, classes)
    lost = losses_of_writing(writer, given.graphs, classes, given.roles)
    for sentence in (*given.summary.losses, *lost):
        console.complain(sentence)
    if len(given.graphs) > 1 and given.tables.graph_names is not None:
        console.complain("The names of the graphs are left out.")
    output.write([content])


def _by_extension(out: str) -> str:
    extension = Path(out).suffix.lower()
    fitting = [key for key, writer in WRITERS.items() if writer.extension == extension]
    if len(fitting) != 1:
        known = f"{extension} may be {' or '.join(fitting)}" if fitting else "give --to FORMAT"
        raise ArgumentError(None, f"the format to write is not clear: {known}")
    return fitting[0]


COMMAND = Command(
    "convert",
    description="Read graphs from any format and write them in another one. Names, labels and "
    "attributes go along where the format has a place for them, and so do the classes of graphs. "
    "Edges become undirected and simple, as the kernels read them. Standard error says what is "
    "left out or renamed.",
    output=(("text or bytes", "the file, in the format that --to names"),),
    examples=(Example(("convert", "-", "--to", "g6"), "Bw", stdin="0 1\n1 2\n2 0\n"),),
    configure=_configure,
    run=_run,
)
