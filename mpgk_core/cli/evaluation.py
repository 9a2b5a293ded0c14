"""Commands that evaluate kernels: ``classify`` and ``reproduce``."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path

from mpgk_core.cli.console import Console, Options, option
from mpgk_core.datasets import available, load
from mpgk_core.evaluation import (
    METHODS,
    PUBLISHED,
    Protocol,
    compare_features,
    comparison_markdown,
    summary_markdown,
)
from mpgk_core.evaluation import reproduce as evaluate_all
from mpgk_core.evaluation.feature_comparison import needs_comparison
from mpgk_core.graphs import GraphSet
from mpgk_core.jobs import Engine, Progress, Store
from mpgk_core.kernels.graph_kernel import VARIANTS

_PROTOCOL: Options = [
    "evaluation",
    option(
        "--variant",
        "kernels to evaluate: the four variants and the baselines (default: the four)",
        nargs="+",
        choices=list(METHODS),
        default=list(VARIANTS),
    ),
    option(
        "--edges",
        "what the variants, WL and WL-OA use of edges: ignore, or labels, weights/4 (four bins) "
        "and one of follow, reverse, both, joined by + (default: %(default)s)",
        default="ignore",
        metavar="USE",
    ),
    option("--repeats", "default: 10", type=int, default=10, metavar="N"),
    option("--folds", "default: 10", type=int, default=10, metavar="N"),
    option("--seed", "of all shuffles", type=int, default=0, metavar="N"),
    option(
        "--inductive",
        "learn features and trees from the training graphs of each fold alone",
        action="store_true",
    ),
    option(
        "--solver",
        "linear: explicit features, no N x N matrix, for large sets",
        choices=("kernel", "linear"),
        default="kernel",
    ),
    option(
        "--out",
        "receives every fold as it is done, and the tables; an interrupted run resumes from "
        "there (default: %(default)s)",
        default="results",
        metavar="FOLDER",
    ),
    option("--jobs", "folds at a time (default: one less than the cores)", type=int, metavar="N"),
    option(
        "--scheduler",
        "of an existing Dask cluster that does the work (default: MPGK_SCHEDULER)",
        metavar="ADDRESS",
    ),
]

OPTIONS = {
    "classify": [
        "data sets",
        option("names", "an available data set: MUTAG (see fetch)", nargs="+", metavar="NAME"),
        *_PROTOCOL,
    ],
    "reproduce": ["table", option("table", "which table", choices=("table1",)), *_PROTOCOL],
}


def classify(chosen: Namespace, console: Console) -> None:
    """Evaluate kernels by the paper's protocol.

    A support vector machine learns from nine tenths of the graphs and is tested on the
    last tenth, ten times with different shuffles; C, T, the use of the rounds and the
    weight of the neighbourhoods are chosen on the training part alone.

    output:
      table           Markdown on standard output; table.md and table.csv in the folder of
                      results
      accuracy        per cent, mean and standard deviation over the repetitions
      majority        the accuracy of the most frequent class in training
      published       the best figure of any method in the paper
      parameters      of the kernel, with the features that 'auto' stands for
      C, T, levels    what most folds chose
      features        where graphs have labels and attributes: a second table, in which
                      labels, attributes, degree and their balanced sum are compared on
                      training graphs
      results.sqlite  every fold with its predictions, written as it comes

    example:
      $ mpgk classify MUTAG --variant size --repeats 1 --out results
      | data set | kernel | accuracy | published | protocol |…
    """
    _evaluate(chosen.names, chosen, console)


def reproduce(chosen: Namespace, console: Console) -> None:
    """Evaluate the four variants on all data sets of the paper.

    The data sets are those in the folder MPGK_DATA, in the cache or among the samples,
    with choices that are the same for all sets. This takes hours; every fold is kept, and
    an interrupted run resumes from there.

    output:
      table  as for classify

    example:
      $ mpgk reproduce table1 --variant size --repeats 1 --out results
      | data set | kernel | accuracy | published | protocol |…
    """
    known = available()
    for name in PUBLISHED.best:
        if name not in known:
            console.note(f"{name} is not on this machine; mpgk fetch {name} gets it.")
    _evaluate([name for name in PUBLISHED.best if name in known], chosen, console)


def _evaluate(names: Sequence[str], chosen: Namespace, console: Console) -> None:
    """Evaluate, keep results in a folder, and write the table to standard output."""
    protocol = Protocol(
        n_folds=chosen.folds,
        n_repeats=chosen.repeats,
        random_state=chosen.seed,
        inductive=chosen.inductive,
        solver=chosen.solver,
    )
    mixed: dict[str, tuple[GraphSet, object]] = {}

    def loaded(name: str) -> tuple[GraphSet, object]:
        """Return a data set; those with both labels and attributes are kept for a comparison."""
        data_set = load(name)
        if needs_comparison(data_set.graphs):
            mixed[name] = data_set.graphs, data_set.classes
        return data_set.graphs, data_set.classes

    def progress(name: str, method: str) -> Progress:
        count = console.counter(f"{name}, {method}")
        return lambda done, total, left: count(done, total, f"folds, about {left:,.0f} s left")

    folder = Path(chosen.out)
    with (
        Store(folder / "results.sqlite") as store,
        Engine(store, address=chosen.scheduler, n_workers=chosen.jobs, patience=None) as engine,
    ):
        found = evaluate_all(
            names,
            loaded,
            folder,
            chosen.variant,
            protocol,
            engine=engine,
            edges=chosen.edges,
            progress=progress,
        )
    console.stdout.write(summary_markdown(found).encode())
    for name, (graphs, classes) in mixed.items():
        comparison = compare_features(graphs, classes, random_state=chosen.seed)
        console.stdout.write(f"\n{comparison_markdown(name, comparison)}".encode())
