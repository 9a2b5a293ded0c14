"""The paper's table with our figures beside it: nothing is lost, nothing is invented."""

import csv
import io
import re
from dataclasses import replace

import numpy as np
import pytest

from mpgk_core.evaluation import PUBLISHED, PaperCell, PaperTable, Protocol, accuracy_table
from mpgk_core.evaluation.methods import KernelSpec
from mpgk_core.evaluation.paper_table import MeanAndSpread
from mpgk_core.evaluation.results import Evaluation, FoldRecord


def evaluation(method, accuracies, n_repeats=1):
    """Return folds of two graphs each, with these accuracies."""
    n_folds = len(accuracies) // n_repeats
    records = tuple(
        FoldRecord(i // n_folds, i % n_folds, 1.0, value, (2 * (i % n_folds),), (0,))
        for i, value in enumerate(accuracies)
    )
    truth = np.zeros(2 * n_folds, dtype=np.int64)
    protocol = Protocol(n_folds=n_folds, n_repeats=n_repeats)
    return Evaluation(KernelSpec.of(method), protocol, ("a", "b"), truth, records)


@pytest.fixture
def table():
    known = [evaluation("RR", [0.75, 1.0]), evaluation("size", [0.5, 0.5, 0.75, 0.75], n_repeats=2)]
    return accuracy_table({"MUTAG": known, "Synthie": []})


def cell_of(table, column, row):
    (found,) = [one for one in table.cells if (one.column, one.row) == (column, row)]
    return found


def test_every_published_figure_stands_in_its_cell(table):
    for name in ("MUTAG", "Synthie"):
        for figure in PUBLISHED.figures(name):
            cell = cell_of(table, name, figure.title)
            assert (cell.published.mean, cell.published.std) == (figure.mean, figure.std)
            assert figure.source in cell.published.note
    of_paper = [cell for cell in table.cells if cell.published]
    assert len(of_paper) == sum(len(PUBLISHED.figures(n)) for n in ("MUTAG", "Synthie"))


def test_ours_stand_beside_the_same_variant_and_say_how_they_were_measured(table):
    own = cell_of(table, "MUTAG", "MPGK RR")
    assert (own.ours.mean, own.ours.std) == (87.5, 12.5)
    assert own.ours.note == "1 × 2 folds, deviation over folds"
    assert own.difference == pytest.approx(87.5 - 85.26)
    size = cell_of(table, "MUTAG", "size")
    assert (size.ours.mean, size.ours.std, size.published) == (62.5, 12.5, None)
    assert "over repetitions" in size.ours.note
    assert cell_of(table, "Synthie", "MPGK RR").ours is None
    assert cell_of(table, "MUTAG", "majority class").ours.mean == 100.0


def test_unfinished_runs_are_marked():
    whole = evaluation("RR", [0.75, 1.0])
    part = replace(whole, records=whole.records[:1])
    cell = cell_of(accuracy_table({"MUTAG": [part]}), "MUTAG", "MPGK RR")
    assert cell.ours.note.endswith("1 of 2 folds done")
    assert cell.ours.text(2) == "75.00", "one fold has no deviation"


def test_markdown_and_latex_hold_the_same_numbers_with_their_notes(table):
    markdown, latex = table.markdown(), table.latex()
    assert "| MPGK RR | 87.50 ± 12.50 [" in markdown
    assert "| MPGK RR, published | 85.26 ± 1.16 | 77.80 ± 0.94 |" in markdown
    assert r"MPGK RR, published & 85.26 $\pm$ 1.16 & 77.80 $\pm$ 0.94 \\" in latex
    for text in (markdown, latex.replace(r"\&", "&")):
        assert PUBLISHED.caveat in text
        assert PUBLISHED.source in text
        assert "As reported by Shervashidze et al. 2011" in text
    assert re.findall(r"\d+\.\d\d", markdown) == re.findall(r"\d+\.\d\d", latex)
    widths = {line.count("|") for line in markdown.splitlines() if line.startswith("|")}
    assert widths == {4}


def test_csv_has_a_row_for_every_cell(table):
    rows = list(csv.DictReader(io.StringIO(table.csv())))
    assert len(rows) == len(table.cells)
    (own,) = [row for row in rows if (row["data set"], row["method"]) == ("MUTAG", "MPGK RR")]
    assert (own["ours"], own["ours std"], own["published"]) == ("87.5", "12.5", "85.26")
    assert (own["published std"], own["difference"]) == ("1.16", "2.24")


def test_names_are_escaped_for_latex_and_columns_may_be_something_else():
    cell = PaperCell("a_b & 5%", "m^2", MeanAndSpread(1.0, float("nan")), None)
    table = PaperTable("Error", (cell,), (), column_name="target", digits=3)
    assert r"a\_b \& 5\%" in table.latex()
    assert r"m\textasciicircum{}2 & 1.000 \\" in table.latex()
    assert table.csv().splitlines()[0].startswith("target,method,ours")
    assert "| m^2 | 1.000 |" in table.markdown()
