"""``classify`` and ``reproduce``: the numbers of the library, kept and resumed."""

import csv
import re
import sqlite3
from importlib import import_module

import networkx as nx
import numpy as np
import pytest
from threadpoolctl import threadpool_info

from mpgk_core import GraphSizeKernel
from mpgk_core.datasets import load
from mpgk_core.evaluation import Protocol, evaluate, table_spec
from mpgk_core.formats import write_graphs
from mpgk_core.graphs import as_graph_set
from tests.cli.running import fail, run, succeed
from tests.evaluation.small_sets import noisy_set

QUICK = ("--methods", "size", "WL", "--repeats", "1", "--folds", "5")


def test_numbers_are_those_of_the_library_and_stay_on_disk(empty_folder):
    shown = succeed("classify", "MUTAG", *QUICK, "--out", "kept").out.decode()
    with (empty_folder / "kept" / "table.csv").open() as file:
        rows = list(csv.DictReader(file))
    mutag = load("MUTAG")
    assert [row["kernel"] for row in rows] == ["size", "WL", "majority"]
    for row, method in zip(rows[:2], ("size", "WL"), strict=True):
        spec = table_spec(method, mutag.graphs)
        direct = evaluate(mutag.graphs, mutag.classes, spec, Protocol(n_folds=5, n_repeats=1))
        assert float(row["accuracy"]) == round(100 * direct.mean, 2)
        assert row["accuracy"] in shown
    folder = empty_folder / "kept"
    assert shown == f"{(folder / 'table.md').read_text()}\n{(folder / 'comparison.md').read_text()}"


def test_what_is_known_is_not_computed_again(empty_folder):
    first = succeed("classify", "MUTAG", *QUICK, "--out", "kept").out
    with sqlite3.connect(empty_folder / "kept" / "results.sqlite") as kept:
        kept.execute(
            "CREATE TRIGGER none_is_new BEFORE INSERT ON results BEGIN SELECT RAISE(FAIL, ''); END"
        )
    kept.close()
    assert succeed("classify", "MUTAG", *QUICK, "--out", "kept").out == first


def test_linear_algebra_has_one_thread_while_folds_are_worked_on(empty_folder, monkeypatch):
    options, threads = import_module("mpgk_core.cli.evaluation"), set()

    def watched(*arguments, **keywords):
        threads.update(library["num_threads"] for library in threadpool_info())
        return {}

    monkeypatch.setattr(options, "evaluate_all", watched)
    succeed("classify", "MUTAG", *QUICK, "--out", "kept")
    assert threads == {1}


def test_progress_goes_to_standard_error():
    outcome = run("classify", "MUTAG", *QUICK, "--verbose")
    assert outcome.code == 0
    assert "MUTAG, size: starting" in outcome.err
    assert re.search(r"MUTAG, WL: (\d+) of \1 steps", outcome.err)
    assert "steps, about" not in outcome.out.decode()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("NOSUCHSET",), "'NOSUCHSET' not found"),
        (("MUTAG", "--folds", "1"), "n_folds"),
        (("karate_club",), "no classes, so there is nothing to predict. Add --classes"),
    ],
)
def test_bad_requests_are_refused_in_words(arguments, words):
    assert words in fail("classify", *arguments, code=1)


SMALL = ("--methods", "size", "--repeats", "1", "--folds", "3", "--out", "kept")
RINGS_AND_STARS = {
    f"g{n}{kind}": made(n)
    for n in range(4, 12)
    for kind, made in (("ring", nx.cycle_graph), ("star", nx.star_graph))
}


def accuracy_in(folder, row=0):
    with (folder / "kept" / "table.csv").open() as file:
        return list(csv.DictReader(file))[row]["accuracy"]


@pytest.fixture
def separate_files(empty_folder):
    for name, graph in RINGS_AND_STARS.items():
        nx.write_gml(graph, empty_folder / f"{name}.gml")
    lines = [f"{name},{name[-4:]}" for name in reversed(RINGS_AND_STARS)]
    (empty_folder / "classes.csv").write_text("\n".join(["graph,class", *lines]))
    (empty_folder / "facts.csv").write_text(
        "\n".join(
            ["file,size,kind", *(f"{line.split(',')[0]}.gml,1,{line[-4:]}" for line in lines)]
        )
    )
    return empty_folder


def test_separate_files_take_their_classes_from_a_table(separate_files):
    files = [f"{name}.gml" for name in RINGS_AND_STARS]
    shown = succeed("classify", *files, "--classes", "classes.csv", *SMALL).out.decode()
    classes = [name[-4:] for name in RINGS_AND_STARS]
    protocol = Protocol(n_folds=3, n_repeats=1)
    direct = evaluate(list(RINGS_AND_STARS.values()), classes, "size", protocol)
    assert float(accuracy_in(separate_files)) == round(100 * direct.mean, 2)
    assert "| 16 files | size |" in shown
    again = succeed("classify", *files, "--join", "--classes", "facts.csv:kind", *SMALL).out
    assert again.decode() == shown
    words = fail("classify", files[0], "--classes", "nothing.csv", code=2)
    assert "there is no file 'nothing.csv'" in words
    words = fail("classify", *files, "--classes", "facts.csv", *SMALL, code=1)
    assert "not clear. Name one of these: size, kind" in words


def test_files_and_data_sets_are_evaluated_in_one_run(empty_folder):
    graphs = as_graph_set(list(RINGS_AND_STARS.values()))
    classes = [name[-4:] == "ring" for name in RINGS_AND_STARS]
    content = write_graphs(graphs, "tu", np.array(classes, dtype=int))
    for name in ("mine.zip", "folder/mine.zip"):
        (empty_folder / name).parent.mkdir(exist_ok=True)
        (empty_folder / name).write_bytes(content)
    shown = succeed("classify", "mine.zip", "MUTAG", "folder/mine.zip", *SMALL).out.decode()
    sets = [line.split("|")[1].strip() for line in shown.splitlines()[2:8]]
    assert sets == ["mine.zip"] * 2 + ["MUTAG"] * 2 + ["mine.zip (2)"] * 2
    protocol = Protocol(n_folds=3, n_repeats=1)
    direct = evaluate(graphs, classes, "size", protocol)
    assert float(accuracy_in(empty_folder)) == round(100 * direct.mean, 2)


def test_a_column_of_graphs_can_be_the_class(empty_folder):
    rows = [f"{'C' * n}{'O' if n % 2 else ''},{n % 2}" for n in range(1, 25)]
    (empty_folder / "mols.csv").write_text("\n".join(["smiles,soluble", *rows]))
    pytest.importorskip("rdkit")
    shown = succeed("classify", "mols.csv", "--classes", "soluble", *SMALL).out.decode()
    assert "| mols.csv | size |" in shown


def test_kernels_are_compared_in_sentences_and_over_several_sets(empty_folder):
    for name, seed in (("one.zip", 1), ("two.zip", 2)):
        graphs, classes = noisy_set(12, seed=seed)
        (empty_folder / name).write_bytes(write_graphs(graphs, "tu", classes))
    sets = ("one.zip", "two.zip")
    out = succeed("classify", *sets, *QUICK, "--out", "kept").out.decode()
    assert "Comparison on one" in out
    assert "points on average over 5 folds" in out
    assert "Average ranks over 2 data sets (1 is best): " in out
    folder = empty_folder / "kept"
    rows = list(csv.DictReader((folder / "comparison.csv").read_text().splitlines()))
    assert len(rows) == 2
    assert {"p", "equal (%)", "first better (%)"} <= set(rows[0])
    assert len((folder / "ranks.csv").read_text().splitlines()) == 2
    page = (folder / "critical-difference.html").read_text()
    assert "critical difference" in page
    assert 'src="http' not in page, "the page needs no other server"


def test_isomorphic_graphs_are_told_and_left_out(empty_folder):
    out = succeed("classify", "MUTAG", "--methods", "size", *QUICK[3:], "--out", "kept").out
    assert "24 graphs (13 %) are isomorphic to another graph" in out.decode()
    assert "Accuracy without these: size " in out.decode()


def test_splits_and_a_matrix_of_ones_own(separate_files):
    files = [f"{name}.gml" for name in RINGS_AND_STARS]
    rows = [f"{name},{i // 2 % 2 + 1}" for i, name in enumerate(RINGS_AND_STARS)]
    (separate_files / "splits.csv").write_text("\n".join(["graph,first", *rows]))
    matrix = GraphSizeKernel().fit_transform(list(RINGS_AND_STARS.values()))
    np.save(separate_files / "k.npy", matrix)
    np.savetxt(separate_files / "bad.csv", matrix - np.eye(len(matrix)), delimiter=",")
    own = ("--classes", "classes.csv", "--splits", "splits.csv")
    inner = SMALL[:-2]
    words = fail("classify", *files, *own, *SMALL, code=1)
    assert "Split 1, fold 1: class ring has 4 graphs in the training part" in words
    lines = [f"{name},{'test' if name[1] in '456' else 'train'}" for name in RINGS_AND_STARS]
    (separate_files / "splits.csv").write_text("\n".join(lines))
    shown = succeed("classify", *files, *own, "--matrix", "k.npy", *inner, "--out", "a").out
    lines = [line.split(" | ") for line in shown.decode().splitlines()[2:5]]
    assert [line[1] for line in lines] == ["size", "own", "majority"]
    assert lines[0][2] == lines[1][2]
    outcome = run("classify", *files, *own, "--matrix", "bad.csv", *inner, "--out", "b")
    assert "smallest eigenvalue" in outcome.err


def test_parameters_can_be_fixed_instead_of_chosen(empty_folder):
    fixed = ("--features", "labels", "--alpha", "0.5", "--beta", "0.1", "-T", "1", "2")
    more = ("--levels", "sum", "--edges", "ignore", "--repeats", "1", "--folds", "3")
    succeed("classify", "MUTAG", "--methods", "RA", *fixed, *more, "--out", "kept")
    mutag = load("MUTAG")
    protocol = Protocol(n_folds=3, n_repeats=1, iterations=(1, 2), levels=("sum",))
    spec = table_spec("RA", mutag.graphs, "ignore", "labels", alpha=0.5, beta=0.1)
    direct = evaluate(mutag.graphs, mutag.classes, spec, protocol)
    assert float(accuracy_in(empty_folder)) == round(100 * direct.mean, 2)
