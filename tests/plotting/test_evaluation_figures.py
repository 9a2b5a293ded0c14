"""Accuracies as points: the axis, the deviations, the majority class, and what is published."""

from dataclasses import replace

import numpy as np
import pytest

from mpgk_core.evaluation import PUBLISHED, KernelSpec, LearningCurve, Protocol, with_majority
from mpgk_core.evaluation.learning_curve import learning_curve
from mpgk_core.evaluation.node_roles import role_graph
from mpgk_core.evaluation.node_trials import NodeProtocol
from mpgk_core.evaluation.results import Evaluation, FoldRecord
from mpgk_core.plotting.evaluation_figures import (
    accuracy_caption,
    accuracy_figure,
    accuracy_range,
    accuracy_words,
    axis_words,
    fold_figure,
    zoomed_range,
)
from mpgk_core.plotting.node_figures import learning_curve_caption, learning_curve_figure

N = 40
TRUTH = np.arange(N) % 5 == 0


def measured(method, accuracies, n_repeats=1):
    """Return an evaluation with these accuracies of its folds, repetition by repetition."""
    n_folds = len(accuracies) // n_repeats
    records = tuple(
        FoldRecord(*divmod(i, n_folds), 0.5, accuracy, tuple(range(i, N, n_folds)), (0,) * N)
        for i, accuracy in enumerate(accuracies)
    )
    protocol = Protocol(n_folds=max(n_folds, 2), n_repeats=n_repeats)
    return Evaluation(
        KernelSpec.of(method), protocol, (False, True), TRUTH.astype(np.int64), records
    )


QUICK = [measured("AA", [0.84, 0.86, 0.85, 0.89]), measured("size", [0.80, 0.82, 0.84, 0.86])]


def rows(figure):
    """Return the methods of the rows, with their places."""
    axis = figure.layout.yaxis
    return dict(zip(axis.ticktext, axis.tickvals, strict=True))


def test_the_axis_is_zoomed_to_the_points_and_says_so():
    figure = accuracy_figure(QUICK)
    (points,) = figure.data
    low, high = figure.layout.xaxis.range
    assert (low, high) == accuracy_range(QUICK) == (75.0, 90.0)
    bars = points.error_x.array
    assert low <= min(np.subtract(points.x, bars))
    assert max(np.add(points.x, bars)) <= high
    assert accuracy_caption(QUICK).startswith("The axis begins at 75 %, not at 0.")
    poor = [measured("AA", [0.02, 0.1, 0.0, 0.1])]
    assert accuracy_range(poor)[0] == 0
    assert "axis" not in accuracy_caption(poor)


@pytest.mark.parametrize("low", range(0, 100, 7))
def test_any_points_lie_within_the_axis(low):
    points = [(float(low), 0.5), (low + 0.3, 1.2), (min(low + 9.0, 100.0), float("nan"))]
    start, end = zoomed_range(points)
    assert start <= max(low - 0.5, 0)
    assert max(mean for mean, _ in points) < end
    assert start % 5 == 0
    assert end % 5 == 0 or end == 101
    assert axis_words(start) == (f"The axis begins at {start:.0f} %, not at 0." if start else "")


def test_every_fold_is_a_point_and_the_means_may_be_left_out():
    figure = fold_figure(QUICK)
    folds, means = figure.data
    assert list(folds.x) == pytest.approx([84, 86, 85, 89, 80, 82, 84, 86])
    assert list(means.x) == pytest.approx([86, 83])
    assert list(means.error_x.array) == pytest.approx(
        [100 * np.std([0.84, 0.86, 0.85, 0.89]), 100 * np.std([0.80, 0.82, 0.84, 0.86])]
    )
    assert list(rows(figure)) == ["AA", "size"]
    assert figure.layout.xaxis.range[0] == 50
    assert figure.layout.shapes[0].x0 == 80, "the share of the larger class"
    assert len(fold_figure(QUICK, has_means=False).data) == 1
    poor = fold_figure([measured("AA", [0.02, 0.1, 0.0, 0.1])])
    assert poor.layout.xaxis.range[0] == 0


def test_one_repetition_shows_the_deviation_over_its_folds():
    (points,) = accuracy_figure(QUICK).data
    expected = [100 * np.std([0.84, 0.86, 0.85, 0.89]), 100 * np.std([0.80, 0.82, 0.84, 0.86])]
    np.testing.assert_allclose(points.error_x.array, expected)
    assert "Bars: standard deviation over the folds, which" in accuracy_caption(QUICK)


def test_several_repetitions_show_the_deviation_over_them():
    full = [measured("AA", [0.8, 0.9, 0.86, 0.88], n_repeats=2), measured("WL", [0.7] * 4, 2)]
    (points,) = accuracy_figure(full).data
    np.testing.assert_allclose(points.error_x.array, [1.0, 0.0], atol=1e-12)
    assert "Bars: standard deviation over the repetitions." in accuracy_caption(full)
    begun = [full[0], replace(full[1], records=full[1].records[:2])]
    (points,) = accuracy_figure(begun).data
    assert points.error_x.array[0] == pytest.approx(100 * np.std([0.8, 0.9, 0.86, 0.88]))
    assert "over the folds" in accuracy_caption(begun)


def test_a_single_fold_has_no_bar():
    (points,) = accuracy_figure([replace(QUICK[0], records=QUICK[0].records[:1])]).data
    assert points.error_x.array[0] is None or np.isnan(points.error_x.array[0])


def test_the_majority_class_is_a_line_in_view_and_words_elsewhere():
    near = with_majority(QUICK)
    majority = 100 * near[-1].mean
    assert majority == pytest.approx(80)
    figure = accuracy_figure(near)
    assert [shape.x0 for shape in figure.layout.shapes] == [majority]
    assert f"Majority class: {majority:.1f} % (dashed line)." in accuracy_caption(near)
    assert len(figure.data[0].x) == 2
    far = with_majority([measured("AA", [0.97, 0.98, 0.97, 0.99])])
    assert not accuracy_figure(far).layout.shapes
    assert "Majority class: 80.0 %, left of the axis." in accuracy_caption(far)
    high = with_majority([measured("AA", [0.3, 0.31, 0.3, 0.32])])
    assert not accuracy_figure(high).layout.shapes
    assert "Majority class: 80.0 %, right of the axis." in accuracy_caption(high)


def test_every_published_figure_is_a_mark_of_its_own():
    figure = accuracy_figure(QUICK, "MUTAG")
    points, diamonds = figure.data
    published = PUBLISHED.figures("MUTAG")
    assert diamonds.marker.symbol == "diamond-open"
    assert diamonds.x == tuple(one.mean for one in published)
    assert diamonds.error_x.array == tuple(one.std for one in published)
    places = rows(figure)
    assert list(places) == ["AA", "size", "SP", "WL", "PSCN (k=10)", "DGCNN", "RR", "RA", "AR"]
    for one, place in zip(published, diamonds.y, strict=True):
        assert abs(place - places[one.method or one.title]) < 0.5
    assert len(set(diamonds.y)) == len(published)
    both = dict(zip(places, points.y, strict=False))
    assert both["AA"] not in diamonds.y
    assert [note.text for note in figure.layout.annotations] == ["published only"]
    caption = accuracy_caption(QUICK, "MUTAG")
    assert "Hollow diamonds: published for MUTAG" in caption
    assert PUBLISHED.caveat in caption
    assert PUBLISHED.source in caption
    assert "Niepert et al. 2016" in diamonds.hovertext[2]


@pytest.mark.parametrize("paper_set", PUBLISHED.accuracy)
def test_all_marks_of_every_set_are_in_view(paper_set):
    figure = accuracy_figure(QUICK, paper_set)
    low, high = figure.layout.xaxis.range
    bottom, top = figure.layout.yaxis.range
    for trace in figure.data:
        assert all(low < x < high for x in trace.x)
        assert all(top < y < bottom for y in trace.y)


@pytest.mark.parametrize("paper_set", [None, "unheard-of"])
def test_other_sets_have_no_diamonds(paper_set):
    assert len(accuracy_figure(QUICK, paper_set).data) == 1
    assert "ublished" not in accuracy_caption(QUICK, paper_set)


@pytest.mark.parametrize("n_repeats", [1, 3])
def test_learning_curves_zoom_too_and_one_trial_has_no_bars(n_repeats):
    graph, roles = role_graph("barbell")
    protocol = NodeProtocol((0.5, 0.9), n_repeats)
    curve = LearningCurve(roles, tuple(learning_curve(graph, roles, ["R"], ["svm"], protocol)))
    figure = learning_curve_figure(curve)
    low, high = figure.layout.yaxis.range
    for line in figure.data:
        assert all(low <= y <= high for y in line.y)
        has_bars = [bar is not None and np.isfinite(bar) for bar in line.error_y.array]
        assert all(has_bars) if n_repeats > 1 else not any(has_bars)
    assert ("The axis begins at" in learning_curve_caption(curve)) == (low > 0)
    assert ("standard deviation" in learning_curve_caption(curve)) == (n_repeats > 1)


def test_other_scores_have_their_own_points_and_no_published_figures():
    found = [
        replace(
            one,
            records=tuple(
                replace(r, predicted=(0,) * len(r.test), decisions=tuple((g,) for g in r.test))
                for r in one.records
            ),
        )
        for one in QUICK
    ]
    every = with_majority(found)
    figure = accuracy_figure(every, "MUTAG", "balanced accuracy")
    (points,) = figure.data
    assert list(points.x) == pytest.approx([50, 50]), "all graphs are taken for one class"
    assert figure.layout.xaxis.title.text == "balanced accuracy (%)"
    assert "ublished" not in accuracy_caption(every, "MUTAG", "balanced accuracy")
    assert "Mean over the classes" in accuracy_caption(every, None, "balanced accuracy")
    words = accuracy_words(every, None, "ROC AUC")
    assert words.startswith("ROC AUC: AA ")
    assert "Majority" not in words, "it has no decision values"
    assert "2 kernels without it" in accuracy_caption(QUICK, None, "ROC AUC")
    assert accuracy_words(QUICK, None, "ROC AUC") == "No ROC AUC is known yet."
