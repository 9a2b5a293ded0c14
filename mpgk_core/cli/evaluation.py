"""What commands that evaluate kernels share: their options, the evaluation, the comparison."""

from __future__ import annotations

from argparse import SUPPRESS, Namespace
from collections.abc import Mapping, Sequence
from pathlib import Path

from mpgk_core.arrays import FloatArray
from mpgk_core.automorphism import IsomorphicGraphs
from mpgk_core.cli.console import Console, Options, Work, option
from mpgk_core.evaluation import (
    METHODS,
    Evaluation,
    Protocol,
    against_best,
    as_csv,
    comparison_report,
    ranks_of_evaluations,
)
from mpgk_core.evaluation import reproduce as evaluate_all
from mpgk_core.evaluation.choices import CHOSEN
from mpgk_core.evaluation.tables import Loader
from mpgk_core.graphs.feature_names import FEATURE_NAMES
from mpgk_core.jobs import Engine, Store
from mpgk_core.kernels.graph_kernel import LEVELS, VARIANTS

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
        "and one of follow, reverse, both, joined by +; auto: the training folds of the variants "
        "choose whether labels of edges are used (default: %(default)s)",
        default=CHOSEN,
        metavar="USE",
    ),
    option(
        "--features",
        "initial features of the variants, instead of a choice by the training folds: "
        f"names joined by + (added) or by , (balanced): {', '.join(FEATURE_NAMES)}",
        metavar="NAMES",
        default=SUPPRESS,
    ),
    *(
        option(
            f"--{name}",
            f"weight of {what} in the variants, instead of a choice by the training folds",
            type=float,
            metavar="X",
            default=SUPPRESS,
        )
        for name, what in {"alpha": "the previous similarity", "beta": "the neighbourhoods"}.items()
    ),
    option(
        "-T --iterations",
        "numbers of rounds that the training folds choose from (default: 1 2 3 4)",
        type=int,
        nargs="+",
        metavar="N",
        default=SUPPRESS,
    ),
    option(
        "--levels",
        "use of the rounds that the training folds choose from: the last round, or the sum of "
        "rounds (default: both)",
        nargs="+",
        choices=LEVELS,
        default=SUPPRESS,
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

_FIXED = ("features", "alpha", "beta")


def compared(
    found: dict[str, list[Evaluation]], isomorphic: Mapping[str, IsomorphicGraphs], folder: Path
) -> str:
    """Compare the kernels in sentences, and keep these and their numbers in a folder.

    Parameters
    ----------
    found : dict
        From the name of a data set to its evaluations.
    isomorphic : mapping
        From the name of a data set to its isomorphic graphs, where they are known.
    folder : Path

    Returns
    -------
    str
        Markdown; empty where there is nothing to compare.
    """
    text = comparison_report(found, isomorphic)
    if text:
        rows = [
            {"data set": name, **one.row()}
            for name, several in found.items()
            for one in against_best(several)
        ]
        (folder / "comparison.md").write_text(text, encoding="utf-8")
        (folder / "comparison.csv").write_text(as_csv(rows), encoding="utf-8")
    ranks = ranks_of_evaluations(found)
    if ranks is not None:
        from mpgk_core.plotting.comparison_figures import critical_difference_figure

        figure = critical_difference_figure(ranks)
        figure.write_html(folder / "critical-difference.html", include_plotlyjs=True)
        (folder / "ranks.csv").write_text(as_csv(ranks.rows()), encoding="utf-8")
    return f"\n{text}" if text else ""


def evaluated(
    names: Sequence[str],
    loaded: Loader,
    chosen: Namespace,
    console: Console,
    *,
    splits: tuple[tuple[int, ...], ...] = (),
    matrix: FloatArray | None = None,
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
    splits : tuple of tuple of int
        Fixed splits, see :class:`Protocol`.
    matrix : ndarray of shape (N, N), optional
        A kernel matrix to evaluate beside the methods.

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
        splits=splits,
        **{name: getattr(chosen, name) for name in ("iterations", "levels") if name in chosen},
    )

    if splits:
        console.note(protocol.split_words)
    works: dict[tuple[str, str], Work] = {}

    def work(name: str, method: str) -> Work:
        return works.setdefault((name, method), console.work(f"{name}, {method}"))

    fixed = {name: getattr(chosen, name) for name in _FIXED if name in chosen}
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
            progress=lambda name, method: work(name, method).progress,
            activity=lambda name, method: work(name, method).activity,
            matrix=matrix,
            edges=chosen.edges,
            **fixed,
        )
