"""The command ``classify``: kernels on data sets or files, with classes and splits of one's own."""

from __future__ import annotations

from argparse import ArgumentError, Namespace
from collections.abc import Callable, Hashable, Iterator, Sequence
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple
from warnings import catch_warnings, simplefilter

from mpgk_core.automorphism import IsomorphicGraphs, isomorphic_graphs
from mpgk_core.cli.console import Console, option
from mpgk_core.cli.evaluation import PROTOCOL, compared, evaluated
from mpgk_core.cli.input import INPUT, Given, read_input
from mpgk_core.datasets import available, load
from mpgk_core.errors import InvalidParameterError, shortened
from mpgk_core.evaluation import compare_features, comparison_markdown, summary_markdown
from mpgk_core.evaluation.feature_comparison import needs_comparison
from mpgk_core.evaluation.samples import IndefiniteMatrixWarning
from mpgk_core.formats import bounds, classes_of_graphs, matrix_of_graphs, splits_of_graphs
from mpgk_core.formats.columns import column_of_values
from mpgk_core.formats.source import Source
from mpgk_core.graphs import GraphSet

OPTIONS = {
    "classify": [
        *INPUT,
        "classes",
        option(
            "--classes",
            "where the files have none: a table with the class of every graph, in order or with "
            "the name of the graph or its file first (TABLE:COLUMN where it has several columns), "
            "or a column of the file; several files then are one set",
            metavar="TABLE",
        ),
        *PROTOCOL,
        "of one's own: for one data set",
        option(
            "--splits",
            "a table with fixed splits instead of shuffles: a row for every graph, in order or "
            "with its name first, and a column for every repetition; a cell is the number of the "
            "fold in which the graph is tested, or train or test, or - to leave the graph out",
            metavar="TABLE",
        ),
        option(
            "--matrix",
            "a kernel matrix, as .npy or as a table of numbers, to evaluate beside the methods",
            metavar="FILE",
        ),
    ]
}


def classify(chosen: Namespace, console: Console) -> None:
    """Evaluate kernels on data sets or files by the paper's protocol.

    A support vector machine learns from nine tenths of the graphs and is tested on the
    last tenth, ten times with different shuffles. Initial features, weights, rounds and C
    are chosen on the training part alone, by one rule for all sets.

    Each file or name is a set of its own: mpgk classify my_set.zip PROTEINS. Graphs in
    separate files take their classes from a table: mpgk classify graphs/*.gml --classes
    classes.csv.

    output:
      table           Markdown on standard output; table.md and table.csv in the folder of
                      results
      accuracy        per cent, mean and standard deviation over what std over names: the
                      repetitions or, where there is one, its folds
      majority        the accuracy of the most frequent class in training
      published       the best figure of any method in the paper
      parameters      of the kernel, with how often they were chosen
      C, T, levels    what most folds chose
      features        where graphs have labels and attributes: a second table, in which
                      labels, attributes, degree and their balanced sum are compared on
                      training graphs
      comparison      which kernel is better on the same folds and how sure that is,
                      isomorphic graphs and the accuracy without them, and ranks over
                      several sets; also comparison.md, comparison.csv, ranks.csv and
                      critical-difference.html
      results.sqlite  every fold with its predictions, written as it comes

    example:
      $ mpgk classify MUTAG --variant size --repeats 1 --out results
      | data set | kernel | accuracy | std over | published |…
    """
    sets = _sets(chosen, console)
    mixed: dict[str, LoadedSet] = {}
    isomorphic: dict[str, IsomorphicGraphs] = {}
    splits: tuple[tuple[int, ...], ...] = ()
    matrix = None
    if chosen.splits or chosen.matrix:
        if len(sets) > 1:
            raise ArgumentError(None, "--splits and --matrix belong to one data set: give one")
        only = next(iter(sets.values()))()
        titles = only.titles or range(len(only.graphs))
        if chosen.splits:
            splits = splits_of_graphs(_source(chosen.splits), titles)
        if chosen.matrix:
            matrix = matrix_of_graphs(_source(chosen.matrix), titles)

    def loaded(name: str) -> tuple[GraphSet, Any]:
        """Return a set; those with both labels and attributes are kept for a comparison."""
        found = sets[name]()
        if needs_comparison(found.graphs):
            mixed[name] = found
        isomorphic[name] = isomorphic_graphs(found.graphs)
        return found.graphs, found.classes

    with catch_warnings(record=True) as words:
        simplefilter("always", IndefiniteMatrixWarning)
        found = evaluated(list(sets), loaded, chosen, console, splits=splits, matrix=matrix)
    for word in dict.fromkeys(str(one.message) for one in words):
        console.complain(word)
    console.stdout.write(summary_markdown(found).encode())
    console.stdout.write(compared(found, isomorphic, Path(chosen.out)).encode())
    for name, (graphs, classes, _) in mixed.items():
        console.note(f"{name}: comparing initial features on training graphs …")
        comparison = compare_features(graphs, classes, random_state=chosen.seed)
        console.stdout.write(f"\n{comparison_markdown(name, comparison)}".encode())


class LoadedSet(NamedTuple):
    """Graphs, the class of each of them, and what they are called, where they have names."""

    graphs: GraphSet
    classes: Any
    titles: Sequence[Hashable] = ()


def _sets(chosen: Namespace, console: Console) -> dict[str, Callable[[], LoadedSet]]:
    """Return what the user has named: files are read at once, data sets when they are wanted."""
    known = available()
    sets: dict[str, Callable[[], LoadedSet]] = {}
    is_one = chosen.join or (chosen.classes is not None and len(chosen.files) > 1)
    for texts in [chosen.files] if is_one else [[text] for text in chosen.files]:
        text = texts[0]
        if len(texts) == 1 and text in known and not Path(text).exists() and not chosen.classes:
            sets[text] = partial(_built_in, text, console)
            continue
        given = read_input(Namespace(**{**vars(chosen), "files": texts, "join": is_one}), console)
        title = given.tables.source if len(texts) == 1 else f"{len(texts)} files"
        name = next(n for n in _numbered(title) if n not in sets)
        classes = _classes(given, chosen.classes)
        read = LoadedSet(given.graphs, classes, given.graph_titles)
        sets[name] = partial(LoadedSet, *read)
    return sets


def _built_in(name: str, console: Console) -> LoadedSet:
    console.note(f"Reading {name} …")
    data_set = load(name)
    return LoadedSet(data_set.graphs, data_set.classes)


def _numbered(title: str) -> Iterator[str]:
    yield title
    yield from (f"{title} ({number})" for number in count(2))


def _source(path: str) -> Source:
    """Return a file, of which no more is read than it takes to see that it is too much."""
    with Path(path).open("rb") as file:
        content = file.read(bounds().file_bytes + 1)
    bounds().check_bytes(path, len(content))
    return Source(path, content)


def _classes(given: Given, where: str | None) -> Any:
    """Return the class of every graph, from the files themselves or from where the user says."""
    tables = given.tables
    if where is None:
        if tables.classes is None:
            columns = ", ".join(shortened(name) for name in tables.targets)
            raise InvalidParameterError(
                f"{shortened(tables.source)}: there are no classes, so there is nothing to "
                "predict. Add --classes with a table of them"
                + (f", or with one of these columns: {columns}." if columns else ".")
            )
        return tables.classes
    path, _, column = where.rpartition(":")
    if Path(where).is_file() or not Path(path).is_file():
        path, column = where, ""
    if Path(path).is_file():
        return classes_of_graphs(_source(path), given.graph_titles, column or None)
    if where not in tables.targets:
        columns = ", ".join(shortened(name) for name in tables.targets)
        raise ArgumentError(
            None,
            f"--classes: there is no file {shortened(where)!r}, and {shortened(tables.source)!r} "
            f"has no such column of graphs (it has: {columns or 'none'})",
        )
    return column_of_values(
        [int(x) if x.is_integer() else x for x in tables.targets[where].tolist()]
    )
