"""Summaries of hand-made folds, counted by hand; tables that can be read back."""

import csv
import io
import json
from dataclasses import replace

import numpy as np
import pytest

from mpgk_core.datasets import catalogue
from mpgk_core.evaluation.choices import alternatives_for
from mpgk_core.evaluation.methods import METHODS, KernelSpec
from mpgk_core.evaluation.nested_cv import FoldRecord, evaluate
from mpgk_core.evaluation.protocol import Protocol
from mpgk_core.evaluation.published import PUBLISHED
from mpgk_core.evaluation.results import Evaluation, majority_accuracy, with_majority
from mpgk_core.evaluation.tables import (
    as_csv,
    fold_rows,
    reproduce,
    summary_csv,
    summary_markdown,
    summary_row,
    table_spec,
)
from mpgk_core.jobs import Engine, Store
from mpgk_core.kernels.graph_kernel import VARIANTS
from mpgk_core.text import unescaped
from tests.evaluation.small_sets import QUICK, noisy_set
from tests.jobs.hand_workers import HandWorkers


def fold(repeat, number, test, predicted, accuracy, C=1.0):
    return FoldRecord(repeat, number, 0.9, accuracy, test, predicted, C, 2, "sum", 0, 0, 2.0, 0.5)


@pytest.fixture
def evaluation():
    records = (
        fold(0, 0, (0, 2), (0, 1), 1.0),
        fold(0, 1, (1, 3), (1, 1), 0.5, C=10.0),
        fold(1, 0, (0, 3), (0, 1), 1.0),
        fold(1, 1, (1, 2), (0, 1), 1.0),
    )
    protocol = Protocol(n_folds=2, n_repeats=2)
    truth = np.array([0, 0, 1, 1])
    return Evaluation(KernelSpec.of("AA"), protocol, ("no", "yes"), truth, records)


def test_mean_and_deviation_are_taken_over_repetitions(evaluation):
    assert evaluation.repeat_accuracies.tolist() == [0.75, 1.0]
    assert evaluation.mean == 0.875
    assert evaluation.std == 0.125
    assert evaluation.is_complete


def test_confusion_and_scores_count_every_repetition(evaluation):
    assert evaluation.confusion.tolist() == [[3, 1], [0, 4]]
    no, yes = evaluation.class_scores
    assert (no.name, no.n_graphs, no.precision, no.recall) == ("no", 2, 1.0, 0.75)
    assert (yes.precision, yes.recall) == (0.8, 1.0)
    assert no.f1 == pytest.approx(2 * 0.75 / 1.75)
    assert evaluation.error_rates.tolist() == [0.0, 0.5, 0.0, 0.0]
    assert not evaluation.is_mostly_wrong.any()


def test_folds_deviate_also_in_one_repetition(evaluation):
    accuracies = [record.accuracy for record in evaluation.records]
    assert evaluation.fold_std == pytest.approx(np.std(accuracies))
    once = replace(evaluation, records=evaluation.records[:2])
    assert (once.std, once.fold_std) == (0.0, 0.25)
    assert np.isnan(replace(evaluation, records=()).fold_std)


def test_a_graph_is_learnt_from_the_other_folds(evaluation):
    assert evaluation.learnt_from(1).tolist() == [0, 2]
    assert replace(evaluation, records=()).learnt_from(1).tolist() == [0, 2, 3]
    part = replace(evaluation, records=evaluation.records[1:2])
    assert part.is_mostly_wrong.tolist() == [False, True, False, False]


def test_chosen_values_and_times_are_counted(evaluation):
    assert evaluation.chosen["C"] == {1.0: 3, 10.0: 1}
    assert evaluation.chosen["T"] == {2: 4}
    assert (evaluation.svm_seconds, evaluation.other_seconds) == (8.0, 2.0)


def test_partial_evaluation_knows_that_it_is(evaluation):
    part = replace(evaluation, records=evaluation.records[:1])
    assert not part.is_complete
    assert part.mean == 1.0
    assert np.isnan(part.error_rates[1])
    assert summary_row("X", part)["folds"] == "1 of 4"


def test_one_repetition_shows_the_spread_of_its_folds_and_one_fold_none(evaluation):
    first = replace(
        evaluation, protocol=evaluation.protocol.quick(), records=evaluation.records[:2]
    )
    row = summary_row("X", first)
    assert (row["std"], row["std over"]) == (25.0, "folds")
    assert "| X | AA | 75.00 ± 25.00 | folds |" in summary_markdown({"X": [first]})
    single = replace(first, records=first.records[:1])
    assert summary_row("X", single)["std"] is None
    assert "| X | AA | 100.00 | folds |" in summary_markdown({"X": [single]})
    assert summary_row("X", evaluation)["std over"] == "repetitions"


def test_csv_reads_back_and_markdown_names_the_source(evaluation):
    table = {"MUTAG": [evaluation], "other": [evaluation]}
    rows = list(csv.DictReader(io.StringIO(summary_csv(table))))
    assert [row["data set"] for row in rows] == ["MUTAG", "MUTAG", "other", "other"]
    assert [row["kernel"] for row in rows] == ["AA", "majority"] * 2
    assert float(rows[0]["accuracy"]) == 87.5
    assert (rows[0]["published"], rows[2]["published"]) == ("88.95", "")
    assert rows[0]["C"] == "1.0 (3), 10.0 (1)"
    text = summary_markdown(table)
    assert "| MUTAG | AA | 87.50 ± 12.50 | repetitions | 88.95 |" in text
    assert PUBLISHED.source in text
    widths = {line.count("|") for line in text.splitlines() if line.startswith("|")}
    assert len(widths) == 1


def test_empty_tables_say_so():
    assert summary_csv({}) == ""
    assert "No evaluations" in summary_markdown({})


def test_fold_rows_hold_what_was_chosen(evaluation):
    rows = fold_rows("MUTAG", evaluation)
    assert [row["C"] for row in rows] == [1.0, 10.0, 1.0, 1.0]
    assert json.loads(rows[0]["parameters"]) == {}
    read = list(csv.DictReader(io.StringIO(as_csv(rows))))
    assert [float(row["accuracy"]) for row in read] == [1.0, 0.5, 1.0, 1.0]


def test_tables_have_all_scores_and_say_nothing_where_decisions_are_missing(evaluation):
    decided = tuple(
        replace(r, decisions=tuple((2.0 * c - 1,) for c in evaluation.truth[list(r.test)]))
        for r in evaluation.records
    )
    known = replace(evaluation, records=decided)
    row = summary_row("X", known)
    assert (row["ROC AUC"], row["average precision"]) == (100.0, 100.0)
    assert row["balanced accuracy"] == 87.5
    assert [one["balanced accuracy"] for one in fold_rows("X", known)] == [1.0, 0.5, 1.0, 1.0]
    assert summary_row("X", evaluation)["ROC AUC"] is None
    assert fold_rows("X", evaluation)[0]["ROC AUC"] is None


def test_no_cell_of_a_table_is_a_formula(evaluation):
    name = "=HYPERLINK(1)"
    for text in (as_csv(fold_rows(name, evaluation)), summary_csv({name: [evaluation]})):
        rows = list(csv.DictReader(io.StringIO(text)))
        assert {row["data set"] for row in rows} == {"'=HYPERLINK(1)"}
        assert unescaped(rows[0]["data set"]) == name


def test_published_figures_are_percentages_with_a_deviation_and_a_source():
    assert set(PUBLISHED.accuracy) == set(catalogue()) - {"PROTEINS_full"}
    for name, best in PUBLISHED.best.items():
        figures = PUBLISHED.figures(name)
        assert all(0 < one.std < 5 < one.mean < 100 for one in figures)
        assert best == max(one.mean for one in figures)
        assert {one.method for one in figures} >= set(VARIANTS)
        for one in figures:
            assert one.method is None or one.method in METHODS
            assert bool(one.source) != one.title.startswith("MPGK ")
    assert PUBLISHED.figures("unheard-of") == ()
    assert "other folds" in PUBLISHED.caveat


def test_the_numbers_of_the_table_are_those_of_the_paper():
    numbers = {one.title: (one.mean, one.std) for one in PUBLISHED.figures("ENZYMES")}
    assert numbers["GI"] == (71.7, 0.79)
    assert numbers["MPGK AA"] == (70.18, 1.33)
    of_collab = {one.method: one.mean for one in PUBLISHED.figures("COLLAB") if one.method}
    assert of_collab == {"RR": 65.52, "RA": 74.85, "AR": 68.95, "AA": 82.6, "DGK": 73.09}
    assert sum(len(methods) for methods in PUBLISHED.accuracy.values()) == 75


def test_table_choices_are_the_same_for_all_sets():
    attributed, _ = noisy_set(3)
    bare = attributed[:]
    bare.label_codes, bare.attributes = None, None
    for graphs in (attributed, bare):
        assert table_spec("RA", graphs) == alternatives_for("RA", graphs)
    assert table_spec("WL", bare) == KernelSpec.of("WL", features="degree")
    assert table_spec("WL", attributed) == KernelSpec.of("WL", features="labels")
    assert table_spec("size", bare) == KernelSpec.of("size")


def test_results_say_what_auto_was_resolved_to():
    graphs, classes = noisy_set(6)
    protocol = replace(QUICK, n_repeats=1, iterations=(1,), C=(1.0,))
    found = [evaluate(graphs, classes, method, protocol) for method in ("AA", "WL", "size")]
    features = ["labels,attributes-standardised,degree", "labels", ""]
    assert [one.spec.features for one in found] == features
    explicit = evaluate(graphs, classes, KernelSpec.of("AA", features=features[0]), protocol)
    assert explicit.records[0].predicted == found[0].records[0].predicted
    text = summary_markdown({"X": found})
    assert features[0] in text
    assert "auto" not in text


def test_the_majority_is_that_of_the_training_part_of_the_same_folds(evaluation):
    truth = np.array([0, 0, 1, 1, 1])
    record = replace(evaluation.records[0], test=(3, 4), predicted=(1, 1))
    known = replace(evaluation, truth=truth, records=(record,))
    *same, majority = with_majority([known])
    assert same == [known]
    assert majority.records[0].predicted == (0, 0), "most training graphs are of class 0"
    assert majority.mean == 0.0
    assert majority.spec.title == "Majority class"
    assert with_majority([*same, majority]) == [*same, majority], "once is enough"
    assert with_majority([]) == []


def test_the_majority_of_a_protocol_equals_that_of_its_evaluations():
    graphs, classes = noisy_set(8)
    graphs, classes = graphs[:13], classes[:13]
    found = evaluate(graphs, classes, "size", QUICK)
    assert with_majority([found])[1].mean == pytest.approx(majority_accuracy(classes, QUICK))


def test_reproduce_keeps_tables_and_goes_on_where_it_was(tmp_path):
    protocol = replace(QUICK, n_repeats=1, iterations=(1,), C=(1.0,))
    seen = []

    def watch(name, method):
        return lambda done, total, left: seen.append((name, method, done))

    def run(**options):
        return reproduce(
            ["first", "second"],
            lambda name: noisy_set(6, seed=len(name)),
            tmp_path,
            ["WL", "size"],
            protocol,
            engine=engine,
            progress=watch,
            **options,
        )

    with Store(tmp_path / "results.sqlite") as store:
        with Engine(store, workers=HandWorkers) as engine:
            part = run(stop=lambda: bool(seen))
            n_kept = sum(len(e.records) for several in part.values() for e in several)
            assert 0 < n_kept < 12
        with Engine(store, workers=HandWorkers) as engine:
            found = run()
    assert [len(several) for several in found.values()] == [2, 2]
    assert all(e.is_complete for several in found.values() for e in several)
    rows = list(csv.DictReader(io.StringIO((tmp_path / "table.csv").read_text())))
    assert [(row["data set"], row["kernel"]) for row in rows] == [
        ("first", "WL"),
        ("first", "size"),
        ("first", "majority"),
        ("second", "WL"),
        ("second", "size"),
        ("second", "majority"),
    ]
    assert (tmp_path / "table.md").read_text() == summary_markdown(found)
