"""Pictures of comparisons hold the numbers they are made of, and their words say the same."""

from dataclasses import replace

import numpy as np
import pytest

from mpgk_core.evaluation import PaperCell, against_best, average_ranks, evaluate, training_curve
from mpgk_core.evaluation.paired_comparison import compared
from mpgk_core.evaluation.paper_table import MeanAndSpread
from mpgk_core.plotting import comparison_figures as figures
from tests.evaluation.small_sets import QUICK, noisy_set


@pytest.fixture(scope="module")
def known():
    graphs, classes = noisy_set(10)
    rules = replace(QUICK, iterations=(1,))
    return graphs, [evaluate(graphs, classes, method, rules) for method in ("size", "WL", "RR")]


def test_the_bars_of_a_pair_are_its_probabilities(known):
    comparisons = against_best(known[1])
    figure = figures.paired_figure(comparisons)
    shares = np.array([bar.x for bar in figure.data])
    assert shares.sum(axis=0) == pytest.approx([100, 100])
    for column, one in zip(shares.T, comparisons, strict=True):
        expected = [one.first_better, one.equal, one.second_better]
        assert column == pytest.approx(100 * np.array(expected))
        assert one.sentence in figures.paired_words(comparisons)
    assert "no other method" in figures.paired_words([])
    tiny = figures.paired_figure([compared(np.full(5, 0.1), 0.1, "A", "B")])
    assert [bar.text[0] for bar in tiny.data] == ["100 %", "", ""]


def test_differences_from_the_paper_are_drawn_for_methods_that_have_both():
    cells = [
        PaperCell("X", "RR", MeanAndSpread(80.0, 1.5), MeanAndSpread(77.5, 0.9)),
        PaperCell("X", "AA", MeanAndSpread(70.0, float("nan")), MeanAndSpread(71.0, 0.5)),
        PaperCell("X", "GI", None, MeanAndSpread(90.0, 0.5)),
        PaperCell("X", "size", MeanAndSpread(60.0, 1.0), None),
    ]
    figure = figures.paper_figure(cells)
    theirs, ours = figure.data
    assert list(ours.x) == [2.5, -1.0]
    assert list(ours.error_x.array) == [1.5, None]
    assert (list(theirs.base), list(theirs.x)) == ([-0.9, -0.5], [1.8, 1.0])
    assert list(figure.layout.yaxis.ticktext) == ["RR", "AA"]
    words = figures.paper_words(cells)
    assert "RR: 80.00 ± 1.50 here, 77.50 ± 0.90 published (+2.50)." in words
    assert "GI" not in words
    assert "No method" in figures.paper_words(cells[2:])


def test_the_diagram_has_every_rank_and_every_group():
    scores = np.random.default_rng(0).normal(size=(9, 5)) + np.arange(5)
    ranks = average_ranks(scores, list("ABCDE"))
    figure = figures.critical_difference_figure(ranks)
    dots = figure.data[-1]
    assert list(dots.x) == ranks.ranks.tolist()
    assert list(dots.text) == list(ranks.methods)
    texts = " ".join(note.text for note in figure.layout.annotations)
    for method, rank in zip(ranks.methods, ranks.ranks, strict=True):
        assert method in texts
        assert f"{rank:.2f}" in texts
    bars = [trace for trace in figure.data if trace.line.width == 6]
    assert len(bars) == len(ranks.groups) > 0
    low, high = figure.layout.xaxis.range
    assert low < 1
    assert high >= max(5, 1 + ranks.critical_difference)


@pytest.mark.parametrize("score", ["accuracy", "ROC AUC"])
def test_learning_curves_end_at_the_evaluation(known, score):
    graphs, evaluations = known
    curve = training_curve(graphs, evaluations, (0.4, 1.0))
    figure = figures.training_curve_figure(curve, score)
    assert [line.name for line in figure.data] == ["size", "WL", "RR"]
    rows = curve.rows(score)
    drawn = [y for line in figure.data for y in line.y]
    assert drawn == pytest.approx([row[score] for row in rows], abs=0.006)
    low, high = figure.layout.yaxis.range
    assert low <= min(drawn)
    assert max(drawn) <= high
    words = figures.training_curve_words(curve, score)
    assert f"{figure.data[1].y[-1]:.1f} % with" in words
    caption = figures.training_curve_caption(curve, score)
    assert "C is chosen anew" in caption
