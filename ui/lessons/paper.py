"""The pictures and tables of a step on paper, where no control can be moved."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any, NamedTuple

import numpy as np

from mpgk_core.embedding.methods import VERTEX_METHODS
from mpgk_core.kernels.update import KernelParameters
from mpgk_core.lessons import Picture, Question, Scene
from mpgk_core.lessons.scene import (
    DEFAULT_COST,
    PREDICTORS,
    DataSource,
    MeasuredSource,
    quick_evaluation,
)
from mpgk_core.plotting.graph_figure import graph_words
from mpgk_core.plotting.still_picture import at_round, still_picture
from ui.lessons.graph_pictures import MAX_ROWS_IN_WORDS, study_of_step
from ui.lessons.number_pictures import (
    accuracy_row,
    asked_model,
    error_table,
    map_figure,
    markdown_table,
)
from ui.lessons.pictures import chosen_graph, cut_graph
from ui.playground.change import drawn_change

_SETTINGS = {
    "kernel": "neighbourhood",
    "T": "n_iterations",
    "α": "alpha",
    "β": "beta",
    "features": "features",
}
"""The parameters of a kernel by the names that a reader knows."""
_PRINTED_ROUNDS = 6


class Still(NamedTuple):
    """A picture for paper: SVG, what it shows in words, and whether several stand in a row."""

    svg: str
    words: str
    is_small: bool = False


def still_pictures(picture: Picture, question: Question) -> list[Still]:
    """Return the pictures of a step for paper, where no control can be moved.

    Planes are drawn in the first rounds and in the last one where the round is the control, and
    for all parameters that are asked about; the second plane for every embedding that the options
    of the question name. What has numbers is printed as tables: see :func:`printed_tables`.
    """
    source, kernel = picture.source, picture.kernel
    if isinstance(source, DataSource):
        if picture.view != "map":
            return []
        figure, words = map_figure(source, kernel.n_iterations)
        return [Still(_still(json.loads(figure.to_json())), words)]
    graph, asked = chosen_graph(source, picture.name), _asked_kernels(picture, question)
    if picture.view == "change" and picture.removed is not None:
        cut = cut_graph(graph, picture.removed)
        return [
            Still(_still(vars(one), f"{title}, {words}"), f"{title} the edge is removed, {words}.")
            for words, other in {f"T = {kernel.n_iterations}": kernel, **asked}.items()
            for title, one in drawn_change(graph, cut, other).items()
        ]
    embedding = picture.beside or ""

    def drawn(kernel: KernelParameters, embedding: str) -> dict[str, Any]:
        study = json.loads(study_of_step(picture, question, graph, kernel, embedding, 12))
        figures: dict[str, Any] = study["figures"]
        return figures

    figures = drawn(kernel, embedding)
    found = [Still(_still(figures["graph"]), graph_words(graph.graph))]
    last = kernel.n_iterations
    first = range(min(last, _PRINTED_ROUNDS - 1)) if question.control == "t" else ()
    if "plane" in picture.parts:
        found += [
            _still_plane(figures["embedding"], t, f"Plane for t = {t}") for t in (*first, last)
        ]
        for words, other in asked.items():
            plane = drawn(other, embedding)["embedding"]
            found.append(_still_plane(plane, other.n_iterations, words))
    if "second-plane" in picture.parts:  # the same in every round
        named = [option.arguments.get("embedding") for option in question.options]
        for name in dict.fromkeys([embedding, *filter(None, named)]):
            plane = drawn(kernel, str(name))["other"]
            found.append(_still_plane(plane, last, VERTEX_METHODS[str(name)].title))
    return found


def _still_plane(figure: dict[str, Any], t: int, title: str) -> Still:
    return Still(_still(at_round(figure, t), title, (330, 250)), title, True)


def _asked_kernels(picture: Picture, question: Question) -> dict[str, KernelParameters]:
    """Return the kernels that a question is about beside that of the picture, by their settings."""
    found = {}
    for measure in question.measures.values():
        kernel, words = measure.settings.applied_to(picture.kernel), []
        for name, field in _SETTINGS.items():
            value = getattr(kernel, field)
            if value != getattr(picture.kernel, field):
                text = value.replace("+", ", ") if isinstance(value, str) else f"{value:g}"
                words.append(f"{name} = {text}")
        if words:
            found[", ".join(words)] = kernel
    return found


def printed_tables(picture: Picture, question: Question) -> dict[str, str]:
    """Return the numbers of a step as tables in Markdown, by their titles.

    Where the options of the question are compared, each of them has a row or a table: on paper
    nothing can be switched.
    """
    source, kernel = picture.source, picture.kernel
    if picture.view == "linked" and picture.matrix:
        return _printed_matrices(picture, question)
    if not isinstance(source, DataSource):
        return {}
    sizes = Counter() if isinstance(source, MeasuredSource) else Counter(source.labelled().classes)
    if picture.view == "map":
        counts = {f"class {one}": [f"{n:,}"] for one, n in sorted(sizes.items())}
        return {"": markdown_table(["graphs"], counts)}
    argument = "method" if picture.view == "accuracies" else "model"
    shown = {one: (one, kernel, picture.cost) for one in picture.methods}
    if isinstance(source, MeasuredSource):
        shown = {PREDICTORS[one]: (one, kernel, None) for one in picture.models}
    if question.pick is not None and all(argument in one.arguments for one in question.options):
        shown = {
            option.text: (
                str(option.arguments[argument]),
                option.settings.applied_to(kernel),
                option.settings.cost or picture.cost,
            )
            for option in question.options
        }
    if isinstance(source, MeasuredSource):
        chosen = {name: (model, own.n_iterations) for name, (model, own, _) in shown.items()}
        return {"": error_table(source, chosen, asked_model(question))}
    rows = {}
    for name, (method, own, cost) in shown.items():
        one = quick_evaluation(source, method, own.n_iterations, cost or DEFAULT_COST)
        rows[name] = accuracy_row(one, True)[:-2]
    n_folds = len(next(iter(rows.values())))
    share = max(sizes.values()) / sizes.total()
    title = f"Always the larger class: {100 * share:.1f}" if "C" in picture.controls else ""
    return {title: markdown_table([f"fold {i + 1}" for i in range(n_folds)], rows)}


def _printed_matrices(picture: Picture, question: Question) -> dict[str, str]:
    """Return the matrix of a small graph, in the rounds and with the parameters asked for."""
    kernel, found = picture.kernel, {}
    rounds = {kernel.n_iterations}
    if question.control == "t":
        asked = (measure.arguments.get("t") for measure in question.measures.values())
        rounds |= {int(t) for t in (picture.t, *asked) if t is not None}
    own = {} if question.control == "t" else _asked_kernels(picture, question)
    shown = {f"t = {t}": (kernel, t) for t in sorted(rounds) if len(own) < 2}
    shown |= {words: (one, one.n_iterations) for words, one in own.items()}
    for title, (one, t) in shown.items():
        scene = Scene(picture.source, one)
        if len(scene.names) > MAX_ROWS_IN_WORDS:
            return {}
        is_cosine = picture.matrix != "values"
        values = scene.cosines(t) if is_cosine else scene.kernel.kernel_at(t)
        cells = [[f"{x:.2f}" if is_cosine else f"{x:.4g}" for x in row] for row in values]
        rows = dict(zip(scene.names, cells, strict=True))
        what = "Cosines" if is_cosine else "Values"
        found[f"{what} for {title}"] = markdown_table(scene.names, rows)
    return found


def _still(figure: dict[str, Any], title: str = "", size: tuple[int, int] = (480, 320)) -> str:
    layout = figure["layout"]
    ranges = [layout[axis].get("range") for axis in ("xaxis", "yaxis")]
    if "scaleanchor" in layout["yaxis"] and all(ranges):  # a flat graph needs no high picture
        across, up = (high - low for low, high in ranges)
        size = size[0], int(np.clip(size[0] * up / across + 60, 120, size[1]))
    return still_picture(figure["data"], layout, size, type_size=15, title=title)
