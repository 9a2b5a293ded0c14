"""``classify``: how well kernels predict the classes of graphs."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from mpgk_core.cli.command import Command, Example
from mpgk_core.cli.console import Console
from mpgk_core.cli.evaluation_options import add_evaluation_options, run_evaluation


def _configure(parser: ArgumentParser) -> None:
    parser.add_argument(
        "names", nargs="+", metavar="DATASET", help="a data set at hand: MUTAG (see fetch)"
    )
    add_evaluation_options(parser)


def _run(chosen: Namespace, console: Console) -> None:
    run_evaluation(chosen.names, chosen, console)


COMMAND = Command(
    "classify",
    description="Evaluate kernels by the paper's protocol: a support vector machine learns from "
    "nine tenths of the graphs and is tested on the last tenth, ten times with different shuffles; "
    "C, T, the use of the rounds and the weight of the neighbourhood are chosen on the training "
    "part alone.",
    output=(
        ("table", "Markdown on standard output; table.md and table.csv in the folder of results"),
        ("accuracy", "per cent, mean and standard deviation over the repetitions"),
        ("majority", "the accuracy of always saying the most frequent class in training"),
        ("published", "the best figure of any method in the paper"),
        ("parameters", "of the kernel, with what the features 'auto' were resolved to"),
        ("C, T, levels", "what most folds chose"),
        (
            "features",
            "where graphs have labels and attributes: a second table, in which labels, attributes, "
            "degree and their balanced sum are compared on training graphs",
        ),
        ("results.sqlite", "every fold with its predictions, written as it comes"),
    ),
    examples=(
        Example(
            ("classify", "MUTAG", "--variant", "size", "--repeats", "1", "--out", "results"),
            "| data set | kernel | accuracy | published | protocol |…",
        ),
    ),
    configure=_configure,
    run=_run,
)
