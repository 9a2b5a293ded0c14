"""The command ``reproduce``: tables of the paper, ours beside what is published."""

from __future__ import annotations

from argparse import ArgumentError, Namespace
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from mpgk_core.cli.console import Console, option
from mpgk_core.cli.evaluation import PROTOCOL, compared, evaluated
from mpgk_core.cli.input import located
from mpgk_core.cli.regress import SIZES_AND_THREADS, read_targets
from mpgk_core.cli.regress import evaluated as regressions
from mpgk_core.datasets import available, load
from mpgk_core.errors import InvalidParameterError
from mpgk_core.evaluation import PUBLISHED, PaperTable, accuracy_table
from mpgk_core.evaluation.regression import PUBLISHED_TABLE2, TABLE2_LABELS, TABLE2_MODELS, table2
from mpgk_core.formats import Role, read_tables
from mpgk_core.formats.molecule_parts import with_hydrogens
from mpgk_core.graphs import GraphSet


def reproduce(chosen: Namespace, console: Console) -> None:
    """Measure what a table of the paper reports, and print both side by side.

    table1 is the accuracy of graph classification, on the data sets in the folder
    MPGK_DATA, in the cache or among the samples, with choices that are the same for all
    sets. table2 is the errors of 13 properties of the molecules of QM9, and of their
    atomisation energies. Either takes hours as a whole; everything done is kept, and an
    interrupted run resumes from there.

    output:
      table          methods in rows and data sets in columns; below each of our lines the
                     published one, marked as such, with its source and how far both can be
                     compared; in the folder of results also table1.md, .csv and .tex
      comparison.md  which kernel is better, and how sure that is, from two kernels on;
                     over two sets or more also average ranks: critical-difference.html
      deviation      over the repetitions or, where there is one, over its folds
      --format csv   a row for every cell, with the difference

    example:
      $ mpgk reproduce table1 --sets MUTAG --methods size --repeats 1 --format csv
      data set,method,ours,ours std,measured,published,published std,source,difference
      MUTAG,SP,,,,87.28,0.55,As reported by Shervashidze et al. 2011,
    """
    table = TABLES[chosen.table](chosen, console)
    texts = {"markdown": table.markdown(), "csv": table.csv(), "latex": table.latex()}
    for name, text in texts.items():
        path = Path(chosen.out) / f"{chosen.table}.{_EXTENSIONS[name]}"
        path.write_text(text, encoding="utf-8")
    console.stdout.write(texts[chosen.table_format].encode())


def _table1(chosen: Namespace, console: Console) -> PaperTable:
    """Return the accuracies on the sets that were asked for, or on all that are available."""
    names = chosen.sets or list(PUBLISHED.accuracy)
    unknown = [name for name in names if name not in PUBLISHED.accuracy]
    if unknown:
        raise ArgumentError(
            None,
            f"the paper's Table 1 has no data set {unknown[0]!r}: it has "
            f"{', '.join(PUBLISHED.accuracy)}; evaluate others with mpgk classify",
        )
    if not chosen.sets:
        known = available()
        for name in names:
            if name not in known:
                console.note(f"{name} is not on this machine; mpgk fetch {name} gets it.")
        names = [name for name in names if name in known]

    def loaded(name: str) -> tuple[GraphSet, object]:
        data_set = load(name)
        return data_set.graphs, data_set.classes

    found = evaluated(names, loaded, chosen, console)
    compared(found, {}, Path(chosen.out))
    return accuracy_table(found)


def _table2(chosen: Namespace, console: Console) -> PaperTable:
    """Return the errors of the models on all targets of QM9 that the file has."""
    if chosen.data is None:
        raise ArgumentError(
            None, "Table 2 needs the molecules of QM9 with their targets: add --data qm9.csv.gz"
        )
    path = located(chosen.data, fetch=False, console=console)
    tables = with_hydrogens(read_tables(path.name, path.read_bytes()))
    names = [name for name in PUBLISHED_TABLE2.titles if name in tables.targets]
    if not names:
        raise InvalidParameterError(
            f"{path.name} has none of the targets of QM9: {', '.join(PUBLISHED_TABLE2.titles)}."
        )
    read = read_targets(tables, names, console)
    roles: dict[str, Role] = dict.fromkeys(tables.columns, "ignore")
    roles |= dict.fromkeys(TABLE2_LABELS, "label")
    graphs = tables.graph_set(roles, edge_roles={"bond": "label"})[read.kept]
    columns = [replace(one, unit=PUBLISHED_TABLE2.units[one.name]) for one in read.columns]
    specs = [TABLE2_MODELS[model] for model in chosen.models]
    return table2(regressions(graphs, columns, specs, chosen, console))


TABLES: Mapping[str, Callable[[Namespace, Console], PaperTable]] = {
    "table1": _table1,
    "table2": _table2,
}
"""What measures each table."""

_EXTENSIONS = {"markdown": "md", "csv": "csv", "latex": "tex"}

OPTIONS = {
    "reproduce": [
        "table",
        option("table", "which table", choices=tuple(TABLES)),
        option(
            "--sets",
            "data sets of the paper (default: all that are available)",
            nargs="+",
            metavar="NAME",
        ),
        option(
            "--format",
            "of the table on standard output (default: %(default)s)",
            choices=tuple(_EXTENSIONS),
            dest="table_format",
            default="markdown",
        ),
        *PROTOCOL,
        "Table 2: beside --seed and --out, these options alone count",
        option(
            "--data",
            "the molecules of QM9 as SMILES with their targets: qm9.csv, or .csv.gz",
            metavar="FILE",
        ),
        option(
            "--models",
            "models to evaluate (default: all): %(choices)s",
            nargs="+",
            choices=list(TABLE2_MODELS),
            default=list(TABLE2_MODELS),
            metavar="MODEL",
        ),
        *SIZES_AND_THREADS,
    ]
}
