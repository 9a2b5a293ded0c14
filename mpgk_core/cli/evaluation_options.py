"""Options that ``classify`` and ``reproduce`` share, and the run that follows from them."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from mpgk_core.cli.console import Console
from mpgk_core.datasets import load
from mpgk_core.evaluation import (
    METHODS,
    Protocol,
    compare_features,
    comparison_markdown,
    reproduce,
    summary_markdown,
)
from mpgk_core.evaluation.feature_comparison import needs_comparison
from mpgk_core.graphs import GraphSet
from mpgk_core.jobs import Engine, Progress, Store
from mpgk_core.kernels.graph_kernel import VARIANTS


def add_evaluation_options(parser: ArgumentParser) -> None:
    """Add kernels, protocol, and where the work is done."""
    parser.add_argument(
        "--variant",
        nargs="+",
        choices=list(METHODS),
        default=list(VARIANTS),
        help="kernels to evaluate: the four variants and their rivals (default: the four)",
    )
    parser.add_argument("--repeats", type=int, default=10, metavar="N", help="default: 10")
    parser.add_argument("--folds", type=int, default=10, metavar="N", help="default: 10")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="of all shuffles")
    parser.add_argument(
        "--inductive",
        action="store_true",
        help="learn features and trees from the training graphs of each fold alone",
    )
    parser.add_argument(
        "--solver",
        choices=("kernel", "linear"),
        default="kernel",
        help="linear: explicit features, no N x N matrix, for large sets",
    )
    parser.add_argument(
        "--out",
        default="results",
        metavar="FOLDER",
        help="receives every fold as it is done, and the tables; a run that was interrupted goes "
        "on from there (default: %(default)s)",
    )
    parser.add_argument(
        "--jobs",
        type=int,
        default=None,
        metavar="N",
        help="folds at a time (default: one less than there are cores)",
    )
    parser.add_argument(
        "--scheduler",
        metavar="ADDRESS",
        help="of an existing Dask cluster that does the work (default: MPGK_SCHEDULER)",
    )


def run_evaluation(names: Sequence[str], chosen: Namespace, console: Console) -> None:
    """Evaluate, keep results in a folder, and write the table to standard output."""
    protocol = Protocol(
        n_folds=chosen.folds,
        n_repeats=chosen.repeats,
        random_state=chosen.seed,
        inductive=chosen.inductive,
        solver=chosen.solver,
    )
    mixed: dict[str, tuple[GraphSet, object]] = {}
    folder = Path(chosen.out)
    with (
        Store(folder / "results.sqlite") as store,
        Engine(store, address=chosen.scheduler, n_workers=chosen.jobs, patience=None) as engine,
    ):
        found = reproduce(
            names,
            partial(_loaded, mixed),
            folder,
            chosen.variant,
            protocol,
            engine=engine,
            progress=_progress(console),
        )
    console.stdout.write(summary_markdown(found).encode())
    for name, (graphs, classes) in mixed.items():
        comparison = compare_features(graphs, classes, random_state=chosen.seed)
        console.stdout.write(f"\n{comparison_markdown(name, comparison)}".encode())


def _loaded(mixed: dict[str, tuple[GraphSet, object]], name: str) -> tuple[GraphSet, object]:
    """Return a data set; those with both labels and attributes are kept to compare features."""
    data_set = load(name)
    if needs_comparison(data_set.graphs):
        mixed[name] = data_set.graphs, data_set.classes
    return data_set.graphs, data_set.classes


def _progress(console: Console) -> Callable[[str, str], Progress]:
    def of_kernel(name: str, method: str) -> Progress:
        count = console.counter(f"{name}, {method}")

        def tell(done: int, total: int, seconds: float) -> None:
            count(done, total, f"folds, about {seconds:,.0f} s left")

        return tell

    return of_kernel
