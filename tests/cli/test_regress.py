"""``regress`` and ``reproduce table2``: the numbers of the library, kept and resumed."""

import csv
import io
import sqlite3
import sys

import pytest

from tests.cli.running import fail, run, succeed

pytest.importorskip("rdkit")

QUICK = ("--target", "alpha", "--method", "linear-counts")
HEADER = "smiles,alpha,name,constant\n"
ALCOHOLS = [f"{'C' * n}O,{n * 1.5 + 0.1 * (n % 3)},a{n},1" for n in range(1, 31)]


def _file(folder, rows):
    path = folder / "alcohols.csv"
    path.write_text(HEADER + "\n".join(rows) + "\n")
    return str(path)


def test_errors_of_a_target_are_printed_and_kept(empty_folder):
    path = _file(empty_folder, ALCOHOLS)
    shown = succeed("regress", path, *QUICK, "--format", "csv").out.decode()
    rows = list(csv.DictReader(io.StringIO(shown)))
    assert [row["model"] for row in rows] == ["Mean of the training part", "Linear on counts"]
    assert float(rows[1]["normalised MAE"]) < 0.1 < float(rows[0]["normalised MAE"])
    folder = empty_folder / "results"
    assert (folder / "regression.csv").read_text() == shown
    assert (folder / "regression.md").read_text().startswith("| target | unit | model |")
    assert (folder / "regression.tex").read_text().startswith(r"\begin{table}")


def test_a_second_run_computes_nothing(empty_folder):
    path = _file(empty_folder, ALCOHOLS)
    first = succeed("regress", path, *QUICK, "--hydrogens").out
    with sqlite3.connect(empty_folder / "results" / "results.sqlite") as kept:
        kept.execute(
            "CREATE TRIGGER none_is_new BEFORE INSERT ON results BEGIN SELECT RAISE(FAIL, ''); END"
        )
    kept.close()
    assert succeed("regress", path, *QUICK, "--hydrogens").out == first


def test_kernels_and_sizes_make_a_learning_curve(empty_folder):
    path = _file(empty_folder, ALCOHOLS)
    shown = succeed(
        *("regress", path, "--target", "alpha", "--method", "gaussian-process", "kernel-ridge"),
        *("--kernel", "AA", "SP", "--sizes", "12", "24", "--composition", "--format", "csv"),
    ).out.decode()
    rows = list(csv.DictReader(io.StringIO(shown)))
    assert [row["training graphs"] for row in rows] == ["12"] * 3 + ["24"] * 3


def test_rows_without_a_number_are_left_out_with_the_reason(empty_folder):
    path = _file(empty_folder, [*ALCOHOLS, "CCN,,gap,1", "CCC,many,text,1"])
    outcome = run("regress", path, *QUICK)
    assert outcome.code == 0
    told = "2 rows were left out (gap: 'alpha' is no number; text: 'alpha' is no number)."
    assert told in outcome.err
    first = "is empty for 1 and no number for 1 (line 33: 'many') of 32 molecules"
    assert f"Target 'alpha' {first}" in outcome.err


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        (["C(C,1,broken,1"], "1 of 31 molecules is left out (line 32: C(C: this is not valid"),
        (["CC(C)(C)(C)C,1,five,1"], "valence"),
        (["[Na+].[Cl-],1,salt,1"], "1 molecule consists of several fragments, as salts do"),
    ],
)
def test_losses_are_told_even_in_a_pipe_and_the_rest_goes_on(empty_folder, rows, words):
    outcome = run("regress", _file(empty_folder, [*ALCOHOLS, *rows]), *QUICK)
    assert outcome.code == 0
    assert outcome.err.count(words) == 1
    told = run("regress", _file(empty_folder, [*ALCOHOLS, *rows]), *QUICK, "--verbose")
    assert told.err.count(words) == 1


def test_molecules_on_both_sides_of_the_split_are_counted(empty_folder):
    outcome = run("regress", _file(empty_folder, ALCOHOLS * 3), *QUICK)
    assert "test graphs are indistinguishable from a graph of the" in outcome.out.decode()


def test_without_rdkit_the_command_says_what_to_install(empty_folder, monkeypatch):
    monkeypatch.setitem(sys.modules, "rdkit.Chem", None)
    words = fail("regress", _file(empty_folder, ALCOHOLS), *QUICK, code=1)
    assert "RDKit, which is not installed. Install it with 'pip install rdkit'" in words


@pytest.mark.parametrize(
    ("target", "words"),
    [
        ("constant", "'constant' is 1 for all 30 graphs"),
        ("beta", "no column of numbers 'beta'. Such columns are: alpha, constant"),
        ("name", "no column of numbers 'name'"),
    ],
)
def test_targets_that_cannot_be_learnt_are_refused(empty_folder, target, words):
    path = _file(empty_folder, ALCOHOLS)
    assert words in fail("regress", path, "--target", target, code=1)


def test_one_molecule_is_refused(empty_folder):
    path = _file(empty_folder, ALCOHOLS[:1])
    assert "There is one graph with the target 'alpha'" in fail(
        "regress", path, "--target", "alpha", code=1
    )


def test_our_errors_stand_beside_the_published_ones(empty_folder):
    rows = [f"{line},{n}" for n, line in enumerate(ALCOHOLS)]
    path = empty_folder / "some.csv"
    path.write_text(HEADER.strip() + ",mu\n" + "\n".join(rows) + "\n")
    models = ("linear-counts", "composition-ridge")
    shown = succeed("reproduce", "table2", "--data", str(path), "--models", *models).out.decode()
    assert "| MPGK, RMSE, published |" in shown
    assert "| Linear on counts (24 training graphs), MAE |" in shown
    assert "probably a misprint" in shown
    assert (empty_folder / "results" / "table2.tex").exists()


def test_table_2_asks_for_its_molecules(empty_folder):
    assert "add --data" in fail("reproduce", "table2", code=2)
    path = empty_folder / "no_targets.csv"
    path.write_text("smiles\nCC\nCCO\n")
    words = fail("reproduce", "table2", "--data", str(path), code=1)
    assert "none of the targets of QM9" in words
