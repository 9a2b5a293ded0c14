"""The command ``regress``, and what it shares with the paper's Table 2."""

from __future__ import annotations

from argparse import ArgumentError, Namespace
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from threadpoolctl import threadpool_limits

from mpgk_core.cli.console import Console, Options, option
from mpgk_core.cli.input import INPUT, read_input
from mpgk_core.errors import InvalidParameterError, shortened
from mpgk_core.evaluation.regression import (
    KERNELS,
    MODELS,
    RegressionProtocol,
    RegressionResult,
    RegressionSpec,
    RegressionTask,
    TargetColumn,
    Targets,
    regression_csv,
    regression_latex,
    regression_markdown,
    target_columns,
)
from mpgk_core.formats import GraphTables
from mpgk_core.formats.molecule_parts import with_hydrogens
from mpgk_core.graphs import GraphSet
from mpgk_core.jobs import Store, run_task

SIZES_AND_THREADS: Options = [
    option(
        "--sizes",
        "numbers of training graphs to learn from, for a learning curve (default: all)",
        nargs="+",
        type=int,
        metavar="N",
    ),
    option(
        "--threads",
        "of linear algebra; the last digits may depend on it (default: %(default)s)",
        type=int,
        default=1,
        metavar="N",
    ),
]
"""Options that the paper's Table 2 shares."""

_FORMATS = ("markdown", "csv", "latex")

OPTIONS = {
    "regress": [
        *INPUT,
        option(
            "--hydrogens", "make hydrogens of molecules vertices of their own", action="store_true"
        ),
        "regression",
        option(
            "--target",
            "a column of numbers to predict; several may be given",
            action="append",
            required=True,
            metavar="COLUMN",
        ),
        option(
            "--method",
            "models to evaluate; the mean is always added (default: %(default)s)",
            nargs="+",
            choices=list(MODELS),
            default=["ridge"],
            dest="models",
        ),
        option(
            "--kernel",
            "kernels whose explicit maps the model learns from (default: %(default)s)",
            nargs="+",
            choices=list(KERNELS),
            default=["AA"],
            dest="kernels",
        ),
        option("-T --iterations", "rounds (default: %(default)s)", type=int, default=3),
        option(
            "--composition",
            "learn a linear model of the counts of labels first, and the rest by the method",
            action="store_true",
        ),
        option("--seed", "of the split and of samples", type=int, default=0, metavar="N"),
        *SIZES_AND_THREADS,
        option(
            "--out",
            "receives every prediction as it is done, and the tables; an interrupted run resumes "
            "from there (default: %(default)s)",
            default="results",
            metavar="FOLDER",
        ),
        option(
            "--format",
            "of the table on standard output (default: %(default)s)",
            choices=_FORMATS,
            default="markdown",
            dest="table_format",
        ),
    ]
}


def regress(chosen: Namespace, console: Console) -> None:
    """Predict numbers of graphs, such as properties of molecules, and measure the errors.

    80 % of the graphs are learnt from, settings are chosen on 10 %, and 10 % are predicted
    once. The split is drawn by a seed and the content of the graphs. Graphs without a
    number in a target column are left out, with the row and the reason.

    output:
      table            Markdown on standard output; regression.md, .csv and .tex in the
                       folder of results
      MAE, RMSE        mean absolute and root mean squared error, in the unit of the column
      normalised       the same over the standard deviation of the target in training, with
                       95 % bootstrap intervals
      chosen           the settings with the smallest error on the validation part
      duplicates       test graphs that are indistinguishable from a training graph
      results.sqlite   every prediction, written as it comes

    example:
      $ mpgk regress qm9_sample --target alpha --hydrogens --method linear-counts
      | target | unit | model | training graphs | test graphs | MAE | RMSE |…
    """
    given = read_input(chosen, console)
    tables = with_hydrogens(given.tables) if chosen.hydrogens else given.tables
    read = read_targets(tables, chosen.target, console)
    graphs = replace(given, tables=tables).graphs[read.kept]
    specs = [RegressionSpec.of("mean")]
    specs += [_spec(model, chosen, graphs) for model in chosen.models if model != "mean"]
    found = evaluated(graphs, read.columns, specs, chosen, console)
    texts = dict(
        zip(
            _FORMATS,
            (regression_markdown(found), regression_csv(found), regression_latex(found)),
            strict=True,
        )
    )
    for name, extension in zip(_FORMATS, ("md", "csv", "tex"), strict=True):
        path = Path(chosen.out) / f"regression.{extension}"
        path.write_text(texts[name], encoding="utf-8")
    console.stdout.write(texts[chosen.table_format].encode())


def read_targets(tables: GraphTables, names: Sequence[str], console: Console) -> Targets:
    """Return target columns of a file, and say which graphs have no number in them.

    Parameters
    ----------
    tables : GraphTables
    names : sequence of str
    console : Console

    Returns
    -------
    Targets
    """
    for name in names:
        if name not in tables.targets:
            known = ", ".join(shortened(key) for key in tables.targets) or "none"
            raise InvalidParameterError(
                f"There is no column of numbers {shortened(name)!r}. Such columns are: {known}."
            )
    for note in tables.notes:
        console.loss(note)
    cells = {name: tables.targets[name].tolist() for name in dict.fromkeys(names)}
    read = target_columns(cells, names=tables.graph_names or ())
    if read.problems:
        console.complain(read.summary)
    return read


def evaluated(
    graphs: GraphSet,
    targets: Sequence[TargetColumn],
    specs: Sequence[RegressionSpec],
    chosen: Namespace,
    console: Console,
) -> list[RegressionResult]:
    """Evaluate models, and keep every prediction in the folder of results.

    Parameters
    ----------
    graphs : GraphSet
    targets : sequence of TargetColumn
    specs : sequence of RegressionSpec
    chosen : Namespace
        With ``sizes``, ``seed``, ``threads`` and ``out``.
    console : Console

    Returns
    -------
    list of RegressionResult
    """
    if chosen.threads < 1:
        raise ArgumentError(None, "--threads must be at least 1")
    sizes = tuple(chosen.sizes) if chosen.sizes else (None,)
    protocol = RegressionProtocol(sizes=sizes, random_state=chosen.seed)
    task = RegressionTask(graphs, tuple(targets), tuple(specs), protocol)
    folder = Path(chosen.out)
    folder.mkdir(parents=True, exist_ok=True)
    work = console.work("Regression", "predictions")
    with Store(folder / "results.sqlite") as store, threadpool_limits(chosen.threads):
        return task.results(run_task(task, store, progress=work.progress, activity=work.activity))


def _spec(model: str, chosen: Namespace, graphs: GraphSet) -> RegressionSpec:
    """Return a model that uses labels of vertices and edges, where there are any."""
    has_edge_labels = graphs.edges is not None and graphs.edges.label_codes is not None
    parameters: dict[str, Any] = {"n_iterations": chosen.iterations}
    if set(chosen.kernels) != {"SP"}:
        parameters["edges"] = "labels" if has_edge_labels else "ignore"
    else:
        parameters.pop("n_iterations")
    if graphs.label_codes is not None:
        parameters["features"] = "labels"
    kernels = chosen.kernels
    if model == "network" and len(kernels) > 1:
        kernels = kernels[:1]
    return RegressionSpec.of(model, kernels, chosen.composition, parameters)
