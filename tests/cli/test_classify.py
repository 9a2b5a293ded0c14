"""``classify`` and ``reproduce``: the numbers of the library, kept and resumed."""

import csv
import sqlite3
from importlib import import_module

import pytest
from threadpoolctl import threadpool_info

from mpgk_core.datasets import load
from mpgk_core.evaluation import Protocol, evaluate, table_spec
from tests.cli.running import fail, run, succeed

QUICK = ("--methods", "size", "RR", "--repeats", "1", "--folds", "5")


def test_numbers_are_those_of_the_library_and_stay_on_disk(empty_folder):
    shown = succeed("classify", "MUTAG", *QUICK, "--out", "kept").out.decode()
    with (empty_folder / "kept" / "table.csv").open() as file:
        rows = list(csv.DictReader(file))
    mutag = load("MUTAG")
    assert [row["kernel"] for row in rows] == ["size", "RR", "majority"]
    for row, method in zip(rows[:2], ("size", "RR"), strict=True):
        spec = table_spec(method, mutag.graphs)
        direct = evaluate(mutag.graphs, mutag.classes, spec, Protocol(n_folds=5, n_repeats=1))
        assert float(row["accuracy"]) == round(100 * direct.mean, 2)
        assert row["accuracy"] in shown
    assert (empty_folder / "kept" / "table.md").read_text() == shown


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
    assert "MUTAG, RR: 5 of 5 folds" in outcome.err
    assert "folds, about" not in outcome.out.decode()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [(("NOSUCHSET",), "'NOSUCHSET' not found"), (("MUTAG", "--folds", "1"), "n_folds")],
)
def test_bad_requests_are_refused_in_words(arguments, words):
    assert words in fail("classify", *arguments, code=1)
