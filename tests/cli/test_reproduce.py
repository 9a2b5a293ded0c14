"""``reproduce``: the paper's table with ours beside it, resumed from the store."""

import csv
import io
import sqlite3

from mpgk_core.datasets import load
from mpgk_core.evaluation import Protocol, evaluate, table_spec
from tests.cli.running import fail, succeed

QUICK = ("--sets", "MUTAG", "--methods", "size", "WL", "--repeats", "1", "--folds", "4")


def test_our_numbers_stand_beside_the_published_ones(empty_folder):
    shown = succeed("reproduce", "table1", *QUICK, "--out", "kept").out.decode()
    mutag = load("MUTAG")
    direct = evaluate(
        mutag.graphs,
        mutag.classes,
        table_spec("WL", mutag.graphs),
        Protocol(n_folds=4, n_repeats=1),
    )
    assert f"| WL | {100 * direct.mean:.2f} ± {100 * direct.fold_std:.2f} [" in shown
    assert "| WL, published | 82.05 ± 0.36 [" in shown
    assert "| PSCN (k=10), published | 88.95 ± 4.37 [" in shown
    folder = empty_folder / "kept"
    assert (folder / "table1.md").read_text() == shown
    rows = list(csv.DictReader(io.StringIO((folder / "table1.csv").read_text())))
    assert {row["data set"] for row in rows} == {"MUTAG"}
    assert (folder / "table1.tex").read_text().startswith(r"\begin{table}")
    assert "Comparison on MUTAG" in (folder / "comparison.md").read_text()
    (compared,) = csv.DictReader(io.StringIO((folder / "comparison.csv").read_text()))
    assert {"size", "WL"} <= set(compared.values())


def test_other_formats_come_from_the_store_without_new_work(empty_folder):
    succeed("reproduce", "table1", *QUICK, "--out", "kept")
    with sqlite3.connect(empty_folder / "kept" / "results.sqlite") as kept:
        kept.execute(
            "CREATE TRIGGER none_is_new BEFORE INSERT ON results BEGIN SELECT RAISE(FAIL, ''); END"
        )
    kept.close()
    latex = succeed("reproduce", "table1", *QUICK, "--out", "kept", "--format", "latex").out
    assert latex == (empty_folder / "kept" / "table1.tex").read_bytes()


def test_sets_that_the_table_does_not_have_are_refused():
    words = fail("reproduce", "table1", "--sets", "LETTERS", code=2)
    assert "no data set 'LETTERS'" in words
    assert "mpgk classify" in words
