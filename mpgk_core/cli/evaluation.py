"""The command ``classify``, and what commands that evaluate kernels share."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path

from mpgk_core.cli.console import Console, Options, option
from mpgk_core.datasets import load
from mpgk_core.evaluation import (
    METHODS,
    Evaluation,
    Protocol,
    compare_features,
    comparison_markdown,
    summary_markdown,
)
from mpgk_core.evaluation import reproduce as evaluate_all
from mpgk_core.evaluation.feature_comparison import needs_comparison
from mpgk_core.evaluation.tables import Loader
from mpgk_core.graphs import GraphSet
from mpgk_core.jobs import Engine, Progress, Store
from mpgk_core.kernels.graph_kernel import VARIANTS

PROTOCOL: Options = [
    "evaluation",
    option(
        "--methods --variant",
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
        *PROTOCOL,
    ]
}


def classify(chosen: Namespace, console: Console) -> None:
    """Evaluate kernels by the paper's protocol.

    A support vector machine learns from nine tenths of the graphs and is tested on the
    last tenth, ten times with different shuffles; C, T, the use of the rounds and the
    weight of the neighbourhoods are chosen on the training part alone.

    output:
      table           Markdown on standard output; table.md and table.csv in the folder of
                      results
      accuracy        per cent, mean and standard deviation over what std over names: the
                      repetitions or, where there is one, its folds
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
      | data set | kernel | accuracy | std over | published |…
    """
    mixed: dict[str, tuple[GraphSet, object]] = {}

    def loaded(name: str) -> tuple[GraphSet, object]:
        """Return a data set; those with both labels and attributes are kept for a comparison."""
        data_set = load(name)
        if needs_comparison(data_set.graphs):
            mixed[name] = data_set.graphs, data_set.classes
        return data_set.graphs, data_set.classes

    found = evaluated(chosen.names, loaded, chosen, console)
    console.stdout.write(summary_markdown(found).encode())
    for name, (graphs, classes) in mixed.items():
        comparison = compare_features(graphs, classes, random_state=chosen.seed)
        console.stdout.write(f"\n{comparison_markdown(name, comparison)}".encode())


def evaluated(
    names: Sequence[str], loaded: Loader, chosen: Namespace, console: Console
) -> dict[str, list[Evaluation]]:
    """Evaluate by the options in ``PROTOCOL``, and keep every fold and the tables in a folder.

    Parameters
    ----------
    names : sequence of str
        Data sets.
    loaded : callable
        Returns the graphs and their classes for a name.
    chosen : Namespace
    console : Console

    Returns
    -------
    dict
        From the name of a data set to its evaluations.
    """
    protocol = Protocol(
        n_folds=chosen.folds,
        n_repeats=chosen.repeats,
        random_state=chosen.seed,
        inductive=chosen.inductive,
        solver=chosen.solver,
    )

    def progress(name: str, method: str) -> Progress:
        count = console.counter(f"{name}, {method}")
        return lambda done, total, left: count(done, total, f"folds, about {left:,.0f} s left")

    folder = Path(chosen.out)
    with (
        Store(folder / "results.sqlite") as store,
        Engine(store, address=chosen.scheduler, n_workers=chosen.jobs, patience=None) as engine,
    ):
        return evaluate_all(
            names,
            loaded,
            folder,
            chosen.methods,
            protocol,
            engine=engine,
            edges=chosen.edges,
            progress=progress,
        )
