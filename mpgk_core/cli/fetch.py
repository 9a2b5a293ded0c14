"""``fetch``: get data sets of the TU collection."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from mpgk_core.cli.command import Command, Example
from mpgk_core.cli.console import Console
from mpgk_core.cli.input import fetched
from mpgk_core.cli.output import Result, add_output_options, open_output, rendered
from mpgk_core.datasets import catalogue, citation_of, tu_address


def _configure(parser: ArgumentParser) -> None:
    parser.add_argument("names", nargs="+", metavar="NAME", help="as in the collection: MUTAG")
    add_output_options(parser, ("csv", "json"))


def _run(chosen: Namespace, console: Console) -> None:
    output = open_output(chosen, console)
    paths = [str(fetched(name, console)) for name in chosen.names]
    citations = [citation_of(name) for name in chosen.names]
    result = Result(
        "fetch",
        {"address": tu_address()},
        {"names": chosen.names},
        ("name", "file", "citation"),
        (chosen.names, paths, citations),
        {"names": chosen.names, "files": paths, "citations": citations},
    )
    output.write(rendered(result, chosen))


COMMAND = Command(
    "fetch",
    description="Get data sets of the TU collection, unless they are in the folder that MPGK_DATA "
    "names or in the cache (MPGK_CACHE). Each is checked before it is kept, and an interrupted "
    "download goes on where it stopped. Other commands then know the data set by its name. "
    "MPGK_TU_ADDRESS sets another server.\n\n"
    f"Those of the paper are {', '.join(catalogue())}; any other of the collection will do.",
    output=(
        ("name", "the data set"),
        ("file", "where it lies"),
        ("citation", "whom to name when results are published"),
    ),
    examples=(Example(("fetch", "PROTEINS"), "name,file,citation\nPROTEINS,…,…"),),
    configure=_configure,
    run=_run,
)
