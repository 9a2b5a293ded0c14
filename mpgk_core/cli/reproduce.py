"""``reproduce``: the paper's tables again, with all data at hand."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from mpgk_core.cli.command import Command, Example
from mpgk_core.cli.console import Console
from mpgk_core.cli.evaluation_options import add_evaluation_options, run_evaluation
from mpgk_core.datasets import available
from mpgk_core.evaluation import PUBLISHED


def _configure(parser: ArgumentParser) -> None:
    parser.add_argument("table", choices=("table1",), help="which table")
    add_evaluation_options(parser)


def _run(chosen: Namespace, console: Console) -> None:
    at_hand = available()
    names = [name for name in PUBLISHED.best if name in at_hand]
    for name in PUBLISHED.best:
        if name not in at_hand:
            console.note(f"{name} is not on this machine; mpgk fetch {name} gets it.")
    run_evaluation(names, chosen, console)


COMMAND = Command(
    "reproduce",
    description="Evaluate the four variants on all data sets of the paper that are in the folder "
    "MPGK_DATA, in the cache or among the samples, with choices that are the same for all sets. "
    "This takes hours; every fold is kept, and a run that was interrupted goes on from there.",
    output=(("table", "as for classify"),),
    examples=(
        Example(
            ("reproduce", "table1", "--variant", "size", "--repeats", "1", "--out", "results"),
            "| data set | kernel | accuracy | published | protocol |…",
        ),
    ),
    configure=_configure,
    run=_run,
)
