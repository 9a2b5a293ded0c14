"""Accuracies with their spread, and confusions between classes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil, floor
from typing import Any, NamedTuple

import numpy as np
import plotly.graph_objects as go

from mpgk_core.evaluation.methods import MAJORITY
from mpgk_core.evaluation.published import PUBLISHED, PublishedFigure
from mpgk_core.evaluation.results import Evaluation, over_repetitions
from mpgk_core.evaluation.scores import SCORE_TEXTS, SCORES, fold_scores
from mpgk_core.plotting.colouring import SHARE_SCALE, class_colours
from mpgk_core.plotting.style import (
    LEGEND_ABOVE,
    MARK_COLOUR,
    OUTLINE,
    QUIET_AXIS,
    base_figure,
    margins,
    safe_names,
    titled_axis,
)
from mpgk_core.text import counted

_MAX_NAMED = 6
_PUBLISHED_COLOUR = class_colours(7)[6]
_ROOM = 1.0
"""Between the points and the ends of the axis, in per cent."""
_AXIS_OF_FOLDS = 50.0
_APART, _STEP = 0.16, 0.5
"""Between the two points of a kernel, and before what is published only, in rows."""


def accuracy_figure(
    evaluations: Sequence[Evaluation], paper_set: str | None = None, score: str = "accuracy"
) -> go.Figure:
    """Draw the accuracy, or another score, of every kernel as a point with its deviation.

    Parameters
    ----------
    evaluations : sequence of Evaluation
        Those without the score are left out; the majority class becomes a line, if it is in view.
    paper_set : str, optional
        The data set of the paper whose published accuracies are drawn, as hollow diamonds: beside
        the kernels that were evaluated, and below them for all other methods.
    score : str
        A key of ``SCORES``.

    Returns
    -------
    plotly.graph_objects.Figure
        The axis is that of :func:`accuracy_range`. Bars are the standard deviation that
        :func:`accuracy_caption` names.
    """
    kernels, majority = _kernels_and_majority(evaluations, score)
    published = _published(paper_set, score)
    rows = {one.method: place for place, one in enumerate(kernels)}
    known = {one.method for one in published}
    others = [one for one in published if one.method not in rows]
    rows_of_others = {one.title: len(rows) + _STEP + place for place, one in enumerate(others)}
    ours = {
        "type": "scatter",
        "name": "measured here",
        "x": [one.mean for one in kernels],
        "y": [place - _APART * (method in known) for method, place in rows.items()],
        "error_x": _bars([one.spread for one in kernels]),
        "text": [f"{one.mean:.1f}" for one in kernels],
        "textposition": "top center",
        "mode": "markers+text",
        "marker": {"size": 11, "color": class_colours(1)[0], "line": OUTLINE},
        "hovertext": [f"{one.title}: {counted(one.n_folds, 'fold')}" for one in kernels],
        "hovertemplate": "%{hovertext}<br>%{x:.2f} %<extra></extra>",
    }
    theirs = {
        "type": "scatter",
        "name": f"published for {paper_set}",
        "x": [one.mean for one in published],
        "y": [
            rows_of_others[one.title] if one in others else rows[one.method or ""] + _APART
            for one in published
        ],
        "error_x": _bars([one.std for one in published]),
        "text": [f"{one.mean:.2f}" for one in published],
        "textposition": "bottom center",
        "mode": "markers+text",
        "marker": {
            "size": 12,
            "symbol": "diamond-open",
            "color": _PUBLISHED_COLOUR,
            "line": {"width": 2},
        },
        "hovertext": [
            f"{one.title}, published: {one.mean:.2f} ± {one.std:.2f}"
            + (f"<br>{one.source}" if one.source else "")
            for one in published
        ],
        "hovertemplate": "%{hovertext}<extra></extra>",
    }
    low, high = accuracy_range(evaluations, paper_set, score)
    last = max([*rows.values(), *rows_of_others.values()], default=0)
    figure = base_figure(
        [ours, *([theirs] if published else [])],
        xaxis=titled_axis(f"{score} (%)", range=[low, high], showgrid=True),
        yaxis={
            **QUIET_AXIS,
            "showticklabels": True,
            "tickvals": [*rows.values(), *rows_of_others.values()],
            "ticktext": [*rows, *(one.method or one.title for one in others)],
            "range": [last + 0.7, -0.7],
        },
        height=round(90 + 50 * (last + 1)),
        margin=margins(12, 12, 40, 40),
        **LEGEND_ABOVE,
    )
    if others:
        border = {"dash": "dot", "width": 1, "color": MARK_COLOUR}
        figure.add_hline(len(rows) - 0.5 + _STEP / 2, line=border)
        where = {"x": low, "xanchor": "left", "y": len(rows) - 0.5 + _STEP / 2, "yanchor": "top"}
        figure.add_annotation(text="published only", showarrow=False, **where)
    if majority is not None and low <= majority <= high:
        line = {"dash": "dash", "color": MARK_COLOUR}
        said = f"majority class {majority:.1f}"
        figure.add_vline(
            majority, line=line, annotation_text=said, annotation_position="bottom right"
        )
    return figure


def fold_figure(evaluations: Sequence[Evaluation], has_means: bool = True) -> go.Figure:
    """Draw the accuracy in every fold, and the mean with the standard deviation over the folds.

    Parameters
    ----------
    evaluations : sequence of Evaluation
    has_means : bool
        Whether means and deviations are drawn.

    Returns
    -------
    plotly.graph_objects.Figure
        The axis begins at 50 %, or further left if a fold needs it. A dashed line is the share of
        the largest class.
    """
    rows = {one.spec.method: place for place, one in enumerate(evaluations)}
    accuracies = [(100 * record.accuracy, 0.0) for one in evaluations for record in one.records]
    low = min(_AXIS_OF_FOLDS, zoomed_range(accuracies)[0])
    folds = {
        "type": "scatter",
        "name": "fold",
        "x": [100 * record.accuracy for one in evaluations for record in one.records],
        "y": [rows[one.spec.method] for one in evaluations for _ in one.records],
        "text": [f"fold {record.fold + 1}" for one in evaluations for record in one.records],
        "mode": "markers",
        "marker": {"size": 10, "color": class_colours(1)[0], "opacity": 0.7, "line": OUTLINE},
        "hovertemplate": "%{text}: %{x:.1f} %<extra></extra>",
    }
    means = {
        "type": "scatter",
        "name": "mean and standard deviation",
        "x": [100 * one.mean for one in evaluations],
        "y": [place + 2 * _APART for place in rows.values()],
        "error_x": _bars([100 * one.fold_std for one in evaluations]),
        "mode": "markers",
        "marker": {"size": 12, "symbol": "diamond", "color": class_colours(2)[1], "line": OUTLINE},
        "hovertemplate": "%{x:.1f} %<extra></extra>",
    }
    figure = base_figure(
        [folds, *([means] if has_means else [])],
        xaxis=titled_axis("accuracy (%)", range=[low, 100 + _ROOM], showgrid=True),
        yaxis={
            **QUIET_AXIS,
            "showticklabels": True,
            "tickvals": list(rows.values()),
            "ticktext": list(rows),
            "range": [len(rows) - 0.2, -0.6],
        },
    )
    if evaluations:
        line = {"dash": "dash", "color": MARK_COLOUR}
        share = 100 * np.bincount(evaluations[0].truth).max() / len(evaluations[0].truth)
        place = {
            "annotation_text": "always the larger class",
            "annotation_position": "bottom right",
        }
        figure.add_vline(share, line=line, **place)
    return figure


def accuracy_range(
    evaluations: Sequence[Evaluation], paper_set: str | None = None, score: str = "accuracy"
) -> tuple[float, float]:
    """Return where the axis of :func:`accuracy_figure` begins and ends, in per cent.

    Parameters
    ----------
    evaluations : sequence of Evaluation
    paper_set : str, optional
    score : str

    Returns
    -------
    tuple of two floats
        Multiples of 5 around all points with their deviations; the majority class is not counted.

    Examples
    --------
    >>> accuracy_range([], "MUTAG")
    (80.0, 95.0)
    """
    kernels, _ = _kernels_and_majority(evaluations, score)
    points = [(one.mean, one.spread) for one in kernels]
    points += [(one.mean, one.std) for one in _published(paper_set, score)]
    return zoomed_range(points)


def zoomed_range(points: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """Return multiples of 5 around means and their deviations in per cent.

    The end is at most a little above 100, so that a point there is drawn whole.

    Examples
    --------
    >>> zoomed_range([(84.0, 1.5), (88.1, float("nan"))]), zoomed_range([(100.0, 0.0)])
    ((80.0, 90.0), (95.0, 101.0))
    """
    if not points:
        return 0.0, 100.0 + _ROOM
    means, stds = np.array(points).T
    stds = np.nan_to_num(stds)
    low, high = float((means - stds).min()) - _ROOM, float((means + stds).max()) + _ROOM
    return max(0.0, 5.0 * floor(low / 5)), min(100.0 + _ROOM, 5.0 * ceil(high / 5))


def axis_words(low: float) -> str:
    """Say where an axis of accuracies begins; nothing if at 0.

    Examples
    --------
    >>> axis_words(80.0), axis_words(0.0)
    ('The axis begins at 80 %, not at 0.', '')
    """
    return f"The axis begins at {low:.0f} %, not at 0." if low > 0 else ""


def accuracy_caption(
    evaluations: Sequence[Evaluation], paper_set: str | None = None, score: str = "accuracy"
) -> str:
    """Say what :func:`accuracy_figure` shows: axis, deviation, majority class, and diamonds.

    Parameters
    ----------
    evaluations : sequence of Evaluation
    paper_set : str, optional
    score : str

    Returns
    -------
    str
    """
    kernels, majority = _kernels_and_majority(evaluations, score)
    low, high = accuracy_range(evaluations, paper_set, score)
    over = "folds, which is usually larger than over repetitions"
    if kernels and kernels[0].over == "repetitions":
        over = "repetitions"
    parts = [axis_words(low), f"Bars: standard deviation over the {over}."]
    if score != "accuracy":
        parts.insert(0, SCORE_TEXTS[score])
        n_without = sum(one.spec.method != MAJORITY for one in evaluations) - len(kernels)
        if n_without:
            parts.append(
                f"{counted(n_without, 'kernel')} without it: their results were kept by an earlier "
                "version, or no fold is done."
            )
    if majority is not None:
        side = ", left of the axis" if majority < low else ", right of the axis"
        side = " (dashed line)" if low <= majority <= high else side
        parts.append(f"Majority class: {majority:.1f} %{side}.")
    if _published(paper_set, score):
        parts.append(
            f"Hollow diamonds: published for {paper_set}, with the published deviations. "
            f"{PUBLISHED.caveat} {PUBLISHED.source}."
        )
    return " ".join(part for part in parts if part)


class _Scored(NamedTuple):
    """A kernel with its score in per cent; the deviation is NaN where there is none."""

    method: str
    title: str
    mean: float
    spread: float
    over: str
    n_folds: int


def _kernels_and_majority(
    evaluations: Sequence[Evaluation], score: str = "accuracy"
) -> tuple[list[_Scored], float | None]:
    """Return the kernels that have the score, and that of the majority class, in per cent.

    The deviation is one that all kernels have: over repetitions, else over folds.
    """
    values = [(one, fold_scores(one, score)) for one in evaluations if one.records]
    known = [(one, scores) for one, scores in values if not np.isnan(scores).any()]
    repeats = [over_repetitions(one.records, scores) for one, scores in known]
    kernels, majority = [], None
    is_repeated = all(
        len(means) > 1
        for (one, _), means in zip(known, repeats, strict=True)
        if one.spec.method != MAJORITY
    )
    for (one, scores), means in zip(known, repeats, strict=True):
        mean = 100 * float(np.mean(means))
        if one.spec.method == MAJORITY:
            majority = mean
            continue
        spread_of = means if is_repeated else scores
        spread = 100 * float(np.std(spread_of)) if len(spread_of) > 1 else float("nan")
        over = "repetitions" if is_repeated else "folds"
        kernels.append(_Scored(one.spec.method, one.spec.title, mean, spread, over, len(scores)))
    return kernels, majority


def _published(paper_set: str | None, score: str) -> tuple[PublishedFigure, ...]:
    """Return the published figures, which are accuracies."""
    return PUBLISHED.figures(paper_set or "") if score == "accuracy" else ()


def _bars(spreads: Sequence[float]) -> dict[str, Any]:
    shown = [spread if np.isfinite(spread) else None for spread in spreads]
    return {"type": "data", "array": shown, "thickness": 1.5, "width": 4}


def class_sizes_figure(sizes: Mapping[str, int]) -> go.Figure:
    """Draw how many graphs every class has.

    Parameters
    ----------
    sizes : mapping from str to int
        Number of graphs by the name of the class, which is not trusted.

    Returns
    -------
    plotly.graph_objects.Figure
    """
    bars = {
        "type": "bar",
        "x": list(sizes.values()),
        "y": safe_names(list(sizes)),
        "orientation": "h",
        "text": list(sizes.values()),
        "marker": {"color": class_colours(len(sizes)), "line": OUTLINE},
        "hovertemplate": "class %{y}: %{x} graphs<extra></extra>",
    }
    yaxis = {"title": {"text": "class"}, "type": "category", "autorange": "reversed"}
    return base_figure([bars], xaxis=titled_axis("graphs"), yaxis=yaxis)


def confusion_figure(evaluation: Evaluation) -> go.Figure:
    """Draw which classes are taken for which.

    Parameters
    ----------
    evaluation : Evaluation

    Returns
    -------
    plotly.graph_objects.Figure
        Rows are the true classes; cells hold the share of the row and the number of predictions.
    """
    counts = evaluation.confusion
    shares = counts / counts.sum(axis=1, keepdims=True).clip(min=1)
    names = [f"class {name}" for name in safe_names(evaluation.names)]
    cells = {
        "type": "heatmap",
        "z": 100 * shares,
        "x": names,
        "y": names,
        "zmin": 0,
        "zmax": 100,
        "colorscale": SHARE_SCALE,
        "text": counts,
        "texttemplate": "%{z:.0f} %",
        "hovertemplate": "%{y} taken for %{x}: %{text} times<extra></extra>",
        "colorbar": {"title": {"text": "% of row"}, "thickness": 10},
    }
    yaxis = {"title": {"text": "true"}, "autorange": "reversed"}
    return base_figure([cells], xaxis={"title": {"text": "predicted"}}, yaxis=yaxis)


def class_sizes_words(sizes: Mapping[str, int]) -> str:
    """Describe how many graphs every class has.

    Parameters
    ----------
    sizes : mapping from str to int

    Returns
    -------
    str

    Examples
    --------
    >>> class_sizes_words({"a": 7, "b": 5})
    'Graphs in each of 2 classes: a 7, b 5.'
    """
    listed = ", ".join(f"{name} {size}" for name, size in list(sizes.items())[:_MAX_NAMED])
    n_more = len(sizes) - _MAX_NAMED
    more = f", and {counted(n_more, 'more class', 'more classes')}" if n_more > 0 else ""
    return f"Graphs in each of {counted(len(sizes), 'class', 'classes')}: {listed}{more}."


def accuracy_words(
    evaluations: Sequence[Evaluation], paper_set: str | None = None, score: str = "accuracy"
) -> str:
    """Describe the score of every kernel, which is best, and what is published.

    Parameters
    ----------
    evaluations : sequence of Evaluation
        Those without the score are left out.
    paper_set : str, optional
        The data set of the paper whose published figures are told.
    score : str
        A key of ``SCORES``.

    Returns
    -------
    str

    Examples
    --------
    >>> from mpgk_core.evaluation import Protocol, evaluate, generate
    >>> made = generate("motif", n_per_class=15)
    >>> protocol = Protocol(n_folds=5, n_repeats=1, iterations=(1,), inner_folds=3)
    >>> size = evaluate(made.graphs, made.classes, "size", protocol)
    >>> accuracy_words([size]).split(": ")[0]
    'Accuracies'
    >>> accuracy_words([])
    'No accuracy is known yet.'
    """
    kernels, majority = _kernels_and_majority(evaluations, score)
    if not kernels:
        return f"No {score} is known yet."
    listed = ", ".join(
        f"{one.method} {one.mean:.1f} %"
        + (f" ± {one.spread:.1f}" if np.isfinite(one.spread) else "")
        for one in kernels
    )
    best = max(kernels, key=lambda one: one.mean)
    name = "Accuracies" if score == "accuracy" else SCORES[score]
    words = f"{name}: {listed}. Best: {best.method}."
    if majority is not None:
        words += f" Majority class: {majority:.1f} %."
    published = _published(paper_set, score)
    if published:
        told = ", ".join(f"{one.method or one.title} {one.mean:.2f} %" for one in published)
        words += f" Published for {paper_set}: {told}."
    return words


def confusion_words(evaluation: Evaluation) -> str:
    """Describe how much of each class is found, and what it is mostly taken for otherwise.

    Parameters
    ----------
    evaluation : Evaluation

    Returns
    -------
    str
        Plain text: escape it before it becomes part of a page.
    """
    names = [str(name)[:40] for name in evaluation.names]
    parts = []
    for true, row in enumerate(evaluation.confusion[:_MAX_NAMED]):
        total = int(row.sum())
        if not total:
            continue
        others = np.where(np.arange(len(row)) == true, -1, row)
        other = int(others.argmax())
        mistaken = f", {row[other]:,} taken for {names[other]}" if others[other] > 0 else ""
        parts.append(f"Of {total:,} judged in class {names[true]}, {row[true]:,} found{mistaken}.")
    n_more = len(names) - _MAX_NAMED
    if n_more > 0:
        parts.append(f"And {counted(n_more, 'more class', 'more classes')}.")
    return " ".join(parts)
