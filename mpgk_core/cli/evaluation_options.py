"""Options that ``classify`` and ``reproduce`` share, and the run that follows from them."""

from __future__ import annotations

import importlib
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from joblib import parallel_config

from mpgk_core.cli.console import Console
from mpgk_core.datasets import load
from mpgk_core.errors import InvalidParameterError
from mpgk_core.evaluation import METHODS, Protocol, reproduce, summary_markdown
from mpgk_core.evaluation.kernel_spec import VARIANTS
from mpgk_core.evaluation.run import Progress
from mpgk_core.graphs import GraphSet

__all__ = ["add_evaluation_options", "run_evaluation"]


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
    parser.add_argument("--jobs", type=int, default=None, metavar="N", help="folds at a time")
    parser.add_argument(
        "--backend", choices=("loky", "dask"), default="loky", help="where folds are computed"
    )
    parser.add_argument(
        "--scheduler", metavar="ADDRESS", help="of an existing Dask cluster, with --backend dask"
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
    with _backend(chosen):
        found = reproduce(
            names,
            _loaded,
            Path(chosen.out),
            chosen.variant,
            protocol,
            n_jobs=chosen.jobs,
            progress=_progress(console),
        )
    console.stdout.write(summary_markdown(found).encode())


def _loaded(name: str) -> tuple[GraphSet, object]:
    data_set = load(name)
    return data_set.graphs, data_set.classes


def _progress(console: Console) -> Callable[[str, str], Progress]:
    def of_kernel(name: str, method: str) -> Progress:
        count = console.counter(f"{name}, {method}")

        def tell(done: int, total: int, seconds: float) -> None:
            count(done, total, f"folds, about {seconds:,.0f} s left")

        return tell

    return of_kernel


@contextmanager
def _backend(chosen: Namespace) -> Iterator[None]:
    if chosen.backend == "loky":
        yield
        return
    try:
        distributed = importlib.import_module("distributed")
    except ImportError:
        raise InvalidParameterError(
            "The backend 'dask' needs the package distributed. Install mpgk-core[cluster]."
        ) from None
    with distributed.Client(chosen.scheduler), parallel_config(backend="dask"):
        yield
