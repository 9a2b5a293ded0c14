"""The live picture of a step, and its controls.

Until the question of a step is answered, nothing on the screen states the answer: counts, captions,
legends and what the mouse shows are left out, and a table has a question mark in its place.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
import plotly.graph_objects as go
import streamlit as st

from mpgk_core import kernel_pca
from mpgk_core.arrays import cosine_normalised
from mpgk_core.edits import without_edge
from mpgk_core.edits.names import named_edges
from mpgk_core.embedding.methods import VERTEX_METHODS
from mpgk_core.evaluation import METHODS, Candidate, Evaluation, KernelSpec
from mpgk_core.evaluation.samples import square_matrix
from mpgk_core.export import PresetGraph
from mpgk_core.graphs.features import LOCAL_FEATURES
from mpgk_core.kernels.update import KernelParameters
from mpgk_core.lessons import Picture, Question, Scene, answer_of, one_round
from mpgk_core.lessons.lesson import MAX_ROUNDS
from mpgk_core.lessons.scene import (
    DEFAULT_COST,
    MAP_KERNEL,
    PREDICTORS,
    UNKNOWN,
    DataSource,
    GraphSource,
    MeasuredSource,
    quick_errors,
    quick_evaluation,
)
from mpgk_core.plotting.colouring import colour_words
from mpgk_core.plotting.evaluation_figures import fold_figure
from mpgk_core.plotting.graph_figure import edge_words, graph_words
from mpgk_core.plotting.regression_figures import error_figure, predictor_words
from mpgk_core.plotting.set_maps_figure import graph_map_figure, graph_map_words
from mpgk_core.plotting.still_picture import at_round, still_picture
from mpgk_core.plotting.vertex_names import MAX_NAMED, name_vertices, numbers_of
from mpgk_core.text import counted
from ui.playground.change import change_panel, drawn_change
from ui.playground.results import Shown, linked_pictures
from ui.playground.study import COLOURINGS, study_of
from ui.shared.charts import chart, type_size
from ui.shared.computed import kernel_of
from ui.shared.widgets import ALPHA, BETA, NEIGHBOURHOODS, help_of
from ui.state.cache import cached
from ui.state.choices import ChosenGraph, PictureChoice

_NUMBERED = ("orbit", "points", "refinement")
_NUMBER_OF_CLASS = re.compile(r"(?:(?:orbit|point|colour) \d+(?:, )?)+(?:…)?<br>|, \d+ classes")
_MAX_ROWS_IN_WORDS, _MOST_LARGE = 12, 15
_SHARED_TEXT = (0.16, 0.35)
"""How far points may lie apart, in a plane from -1 to 1, to share the text of their names."""

_COSTS = (1e-3, 1e-2, 1e-1, 1.0, 10.0, 100.0, 1000.0)
_MOST_MAP_ROUNDS, _PRINTED_ROUNDS = 4, 6
_STAGES = {"kernel_value 0": 1, "neighbourhood_value 0": 2}
PAIR = ("First vertex", "Second vertex")
"""The controls of the two vertices of one round by hand; their keys end so."""

_SETTINGS = {
    "kernel": "neighbourhood",
    "T": "n_iterations",
    "α": "alpha",
    "β": "beta",
    "features": "features",
}
"""The parameters of a kernel by the names that a reader knows."""

_HIDDEN_NUMBERS = {
    "n_colours_changed": "WL",
    "colours_changed": "WL",
    "orbits_after": "Orbits",
    "similar_to_before": "Similarity",
}


@dataclass(frozen=True)
class _Moved:
    """What the controls of a step are set to."""

    kernel: KernelParameters
    removed: tuple[str, str] | None
    embedding: str
    methods: tuple[str, ...]
    cost: float


def step_picture(
    picture: Picture,
    question: Question,
    is_done: bool,
    key: str,
    selection: list[int],
    on_select: Callable[[list[int]], None],
) -> None:
    """Show the picture of a step and the controls that belong to it.

    Parameters
    ----------
    picture : Picture
    question : Question
        As long as it is not answered, nothing states the answer.
    is_done : bool
        Whether it is answered.
    key : str
        Begins the keys of all widgets.
    selection : list of int
        The vertices to mark; of one round by hand, the two that are chosen at first.
    on_select : callable
        Called with the vertices that the reader selects.
    """
    asked = None if is_done else question
    if isinstance(picture.source, DataSource):
        moved = _controls(picture, None, key)
        if isinstance(picture.source, MeasuredSource):
            _errors(picture.source, picture.models, moved, asked)
        elif picture.view == "map":
            _map(picture.source, moved.kernel)
        else:
            _accuracies(picture.source, moved, asked)
        return
    whole = _chosen(picture.source, picture.name)
    moved = _controls(picture, whole, key)
    graph = whole if moved.removed is None else _cut(whole, moved.removed)
    if picture.view == "change":
        hidden = _HIDDEN_NUMBERS.get(asked.quantity, "") if asked else ""
        change_panel(whole, graph, moved.kernel, hidden)
    elif picture.view == "messages":
        _by_hand(picture, question, is_done, whole, moved.kernel, key, selection or [0, 1])
    else:
        _linked(picture, asked, graph, moved, key, selection, on_select)


def _linked(
    picture: Picture,
    asked: Question | None,
    graph: ChosenGraph,
    moved: _Moved,
    key: str,
    selection: list[int],
    on_select: Callable[[list[int]], None],
) -> None:
    """Show graph, planes and matrix."""
    study = _study_of_step(picture, asked, graph, moved, type_size())
    views = {(True, True): "both", (True, False): "planes", (False, True): "matrix"}
    shown = Shown(views.get(("plane" in picture.parts, bool(picture.matrix)), "graph"))
    linked_pictures(study, selection, f"{key}-pictures", on_select, shown=shown)


def _study_of_step(
    picture: Picture, asked: Question | None, graph: ChosenGraph, moved: _Moved, type_size: int
) -> str:
    """Return graph, planes and matrix as JSON."""
    has_plane, has_matrix = "plane" in picture.parts, bool(picture.matrix)
    colour = "orbit" if picture.colour == "none" and asked is None else picture.colour
    look = PictureChoice(
        picture.layout,
        colour,
        axes=picture.axes,
        beside=moved.embedding if has_plane else "",
        matrix="values" if picture.matrix == "values" else "cosine",
    )
    veil = None
    if asked is not None:
        answer = answer_of(asked, picture)
        wanted = answer if isinstance(answer, frozenset) else frozenset()
        veil = tuple(v for v, name in enumerate(graph.graph.names) if str(name) in wanted)
    return _lesson_study(graph, moved.kernel, look, has_matrix, type_size, picture.t, veil)


@cached()
def _lesson_study(
    graph: ChosenGraph,
    kernel: KernelParameters,
    look: PictureChoice,
    has_matrix: bool,
    type_size: int,
    start: int | None,
    veil: tuple[int, ...] | None,
) -> str:
    """Return the linked pictures of a lesson: named vertices, and words without the answer.

    ``start`` is the round that is shown at first, None for the last one.
    ``veil`` is None once the question is answered. Before, it holds the vertices that are asked
    for: no ring shows which of them are equivalent.
    """
    parts = json.loads(study_of(graph, kernel, look, has_matrix))
    figures = parts["figures"]
    names = parts["links"]["names"]
    drawn, planes = figures["graph"], [figures[p] for p in ("embedding", "other") if p in figures]
    labels = graph.graph.named().labels if look.colour == "label" else None
    name_vertices(
        drawn["data"][1],
        drawn["layout"],
        graph.graph.adjacency,
        labels or names,
        type_size=type_size,
    )
    drawn["layout"] |= {
        "showlegend": False,  # the text of the step explains bonds
        "margin": dict.fromkeys("lrtb", type_size // 2),
    }
    for figure in figures.values():
        figure["layout"]["font"] = {"size": type_size}
    for trace in (trace for figure in (drawn, *planes) for trace in _traces(figure)):
        _enlarge(trace, type_size / 12, len(names))
    for plane in planes:
        plane["layout"]["margin"]["t"] = type_size  # for the name of the highest point
        for layout in (plane["layout"], *(frame["layout"] for frame in plane["frames"])):
            for axis in ("xaxis", "yaxis"):
                title = layout[axis]["title"]
                title["font"] = {"size": type_size}
            title["text"] = title["text"].split(":")[0]  # a lesson's plane is not high
    if len(names) > MAX_NAMED:  # so many counts would cover each other, and the points
        for trace in (trace for plane in planes for trace in _traces(plane)):
            trace["text"] = [" "] * len(trace["text"])
    elif look.beside:
        _name_points(figures["other"], parts["links"]["planes"]["other"], names)
    if has_matrix:
        _name_rows(figures["matrix"], parts["links"]["matrixRows"], names, look.matrix, type_size)
    if start is not None:
        parts["start"] = start
    parts["under"] = {
        plane: [words.split(". ")[0] for words in each] for plane, each in parts["under"].items()
    }
    parts["words"] |= _words(parts, graph, kernel, look, has_matrix)
    if veil is not None:
        _hide(parts, look, veil)
    return json.dumps(parts)


def _enlarge(trace: dict[str, Any], factor: float, n: int) -> None:
    """Draw n vertices, points, lines and letters larger, as for a projector."""
    own = factor if n <= _MOST_LARGE else factor**0.5
    for part, name in (("marker", "size"), ("marker", "standoff"), ("line", "width")):
        value = trace.get(part, {}).get(name)
        if value is not None:
            sizes = value if isinstance(value, int | float) else numbers_of(value)
            trace[part][name] = (np.asarray(sizes) * own).tolist()
    if "text" in trace:
        trace["textfont"] = {"size": 12 * factor}


def _for_room(figure: go.Figure) -> go.Figure:
    """Return a chart of numbers with marks that are seen from the last row of a room."""
    drawn = figure.to_dict()
    for trace in drawn["data"]:
        _enlarge(trace, type_size() / 12, 0)
    return go.Figure(drawn)


def _name_points(plane: dict[str, Any], linked: dict[str, Any], names: list[str]) -> None:
    """Write the names of vertices beside their points; points that are close share one text."""
    for trace in _traces(plane):
        places = np.column_stack([numbers_of(trace[axis]) for axis in "xy"])
        groups: dict[int, list[str]] = {}
        for name, number in zip(names, linked["classOfVertex"], strict=True):
            near = np.abs(places - places[number]) < _SHARED_TEXT
            groups.setdefault(int(near.all(axis=1).argmax()), []).append(name)
        texts = {number: ", ".join(some) for number, some in groups.items()}
        trace["text"] = [texts.get(number, " ") for number in range(len(places))]
        sides = [places[:, 0] < -0.5, places[:, 0] > 0.5]
        trace["textposition"] = np.select(
            sides, ["top right", "bottom left"], "top center"
        ).tolist()


def _name_rows(
    matrix: dict[str, Any], rows: list[int], names: list[str], kind: str, type_size: int
) -> None:
    """Write the names of vertices beside a small matrix, and its values into the cells."""
    if len(rows) > _MAX_ROWS_IN_WORDS:
        return
    for axis in ("xaxis", "yaxis"):
        matrix["layout"][axis] |= {
            "showticklabels": True,
            "tickfont": {"size": type_size},
            "tickvals": list(range(len(rows))),
            "ticktext": [names[v] for v in rows],
        }
    matrix["data"][0]["texttemplate"] = "%{z:.4~g}" if kind == "values" else "%{z:.2f}"


def _hide(parts: dict[str, Any], look: PictureChoice, veil: tuple[int, ...]) -> None:
    """Leave out what counts points, orbits, colours and members."""
    parts["isVeiled"] = True
    parts["rounds"] = [f"t = {t} of {parts['last']}" for t in range(parts["last"] + 1)]
    parts["under"] = {name: [""] * len(words) for name, words in parts["under"].items()}
    if look.colour in _NUMBERED:
        parts["colourWords"] = [[""] * len(words) for words in parts["colourWords"]]
        traces = [trace for figure in parts["figures"].values() for trace in _traces(figure)]
        for trace in traces:
            for field in ("text", "hovertext"):
                if isinstance(trace.get(field), list):
                    trace[field] = [_NUMBER_OF_CLASS.sub("", text) or " " for text in trace[field]]
    orbit = parts["links"]["orbit"]
    for v in veil:
        orbit[v] = -1 - v


def _traces(figure: dict[str, Any]) -> Iterable[dict[str, Any]]:
    """Return the traces of a figure and of all its frames."""
    return [*figure["data"], *(trace for frame in figure["frames"] for trace in frame["data"])]


def _words(
    parts: dict[str, Any],
    graph: ChosenGraph,
    kernel: KernelParameters,
    look: PictureChoice,
    has_matrix: bool,
) -> dict[str, Any]:
    """Describe what is drawn in every round, in enough detail to find the answer."""
    links, names = parts["links"], parts["links"]["names"]
    rounds = range(parts["last"] + 1)
    title = f"{graph.title}."
    if look.colour != "none":
        title += f" Coloured by {COLOURINGS[look.colour].lower()}."
    frames = parts["figures"]["graph"]["frames"]
    colours = [frame["data"][0]["marker"]["color"] for frame in frames]
    fixed = f"{title} {edge_words(graph.graph)}"
    if graph.graph.labels is not None:
        fixed += f" Labels: {', '.join(map(str, graph.graph.named().labels or []))}."
    found: dict[str, Any] = {
        "graphTitle": title,
        "graph": [f"{fixed} {colour_words(one, names)}" for one in colours],
    }
    for plane, linked in links["planes"].items():
        frames = parts["figures"][plane]["frames"]
        found[plane] = [
            f"After {counted(t, 'round')}: {_places(frames[t]['data'][0], linked, t, names)}."
            for t in rounds
        ]
    if has_matrix and len(names) <= _MAX_ROWS_IN_WORDS:
        what = "Kernel values" if look.matrix == "values" else "Cosines"
        kernels = kernel_of(graph, kernel).kernels_at_all_t(links["matrixRows"])
        found["matrixTitle"] = f"{what} of all pairs of vertices"
        found["matrix"] = []
        for t, table in enumerate(kernels):
            if look.matrix != "values":
                table = cosine_normalised(table, table.diagonal(), table.diagonal())
            lines = (
                f"row {names[v]}: {', '.join(f'{x:.4g}' for x in row)}"
                for v, row in zip(links["matrixRows"], table, strict=True)
            )
            found["matrix"].append(f"{what} after {counted(t, 'round')}: {'; '.join(lines)}.")
    return found


def _places(trace: dict[str, Any], linked: dict[str, Any], t: int, names: list[str]) -> str:
    """Name the vertices of every point of a plane, and its coordinates."""
    x, y = (numbers_of(trace[axis]) for axis in "xy")
    members: dict[int, list[str]] = {}
    for name, number in zip(names, linked["classOfVertex"], strict=True):
        members.setdefault(linked["pointOfClass"][t][number], []).append(name)
    first = {point: number for number, point in reversed([*enumerate(linked["pointOfClass"][t])])}
    return "; ".join(
        f"{', '.join(some)} at ({x[first[point]]:.2f}, {y[first[point]]:.2f})"
        for point, some in members.items()
    )


@cached(spinner="Building the graph …")
def _chosen(source: GraphSource, name: str | None) -> ChosenGraph:
    recipe = source if isinstance(source, PresetGraph) else None
    return ChosenGraph(name or source.title, source.build(), recipe)


@cached()
def _cut(whole: ChosenGraph, removed: tuple[str, str]) -> ChosenGraph:
    by_word = {str(name): name for name in whole.graph.names}
    graph = without_edge(whole.graph, *(by_word[end] for end in removed))
    return ChosenGraph(whole.title, graph, origin=whole)


def _by_hand(
    picture: Picture,
    question: Question,
    is_done: bool,
    graph: ChosenGraph,
    kernel: KernelParameters,
    key: str,
    pair: Sequence[int],
) -> None:
    """Show the numbers of one round up to what is asked for, and write out the terms of a pair."""
    found = one_round(Scene(picture.source, kernel))
    n_tables = _STAGES.get(f"{question.quantity} {question.arguments.get('t')}", 3)
    height = 215 + 8 * type_size() - 40 * n_tables
    look = PictureChoice(picture.layout, picture.colour)
    drawn = json.loads(study_of(graph, kernel, look))["figures"]["graph"]
    name_vertices(
        drawn["data"][1], drawn["layout"], graph.graph.adjacency, found.names, type_size=type_size()
    )
    figure = go.Figure(drawn["data"], drawn["layout"])
    figure.update_layout(margin={"l": 10, "r": 10, "t": 20, "b": 20})
    figure.update_yaxes(constrain="domain")  # else a place that shrinks leaves a small drawing
    figure.update_xaxes(constrain="domain")
    large = {"marker_size": 1.5 * type_size(), "textfont_size": type_size() + 2}
    figure.update_traces(**large, selector={"mode": "markers+text"})
    words = f"{graph_words(graph.graph)} {edge_words(graph.graph)}"
    drawing, choices = st.columns([3, 2], vertical_alignment="center")
    with drawing:
        chart(figure, f"{key}-drawn", words, (key, "graph"), height=height)
    with choices:
        numbers = range(len(found.names))
        v, u = (
            st.segmented_control(
                label,
                list(numbers),
                default=start,
                required=True,
                key=f"{key}-{label}",
                format_func=found.names.__getitem__,
                help=help_of("lesson-vertex"),
                persist_state="session",
            )
            for label, start in zip(PAIR, pair, strict=True)
        )
    v, u = int(v or 0), int(u or 0)
    hidden = None
    if not is_done:
        answer = answer_of(question, picture)
        hidden = float(answer) if isinstance(answer, int | float) else None
    tables = found.tables(n_tables, hidden)
    titles = ("$k^{0}(v, u)$", r"$\sum \sum k^{0}(v', u')$", "$k^{1}(v, u)$")
    with st.container(horizontal=True, key="by-hand"):
        for title, table in zip(titles, tables, strict=False):
            with st.container(width="content"):
                rows = dict(zip(found.names, table, strict=True))
                st.markdown(f"{title}\n\n{_table(found.names, rows, (v, u))}")
    with st.container(key="formula"):
        formula = found.written_out(v, u, kernel, tables)
        if formula:
            st.latex(formula)


def _table(
    columns: Sequence[str], rows: dict[str, list[str]], bold: tuple[int, int] | None = None
) -> str:
    """Return a table in Markdown, one of its cells in bold."""
    lines = ["| | " + " | ".join(columns) + " |", "|---" * (len(columns) + 1) + "|"]
    for i, (name, row) in enumerate(rows.items()):
        cells = [f"**{x}**" if (i, j) == bold else x for j, x in enumerate(row)]
        lines.append(f"| **{name}** | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def _accuracies(source: DataSource, moved: _Moved, asked: Question | None) -> None:
    """Show how accurate graph kernels are in every fold, and on average."""
    T = moved.kernel.n_iterations
    found = [quick_evaluation(source, method, T, moved.cost) for method in moved.methods]
    is_asked = asked is not None and asked.kind == "number" and "accuracy" in asked.quantity
    rows = {one.spec.method: _accuracy_row(one, is_asked) for one in found}
    columns = [f"fold {i + 1}" for i in range(len(rows[moved.methods[0]]) - 2)]
    columns += ["mean", "standard deviation"]
    words = "; ".join(
        f"{name}: {', '.join(map(' '.join, zip(columns, row, strict=True)))}"
        for name, row in rows.items()
    )
    figure = fold_figure(found, has_means=not is_asked)
    saved_as, height = (source.name, "accuracies"), type_size() * (17 + 5 * len(found))
    alt = f"Accuracies in per cent. {words}."
    chart(_for_room(figure), "lesson-folds", alt, saved_as, is_small=True, height=height)
    with st.container(key="by-hand"):
        st.markdown(_table([*columns[:-1], "±"], rows))
    meanings = ". ".join(f"{one.spec.method}: {one.spec.title}" for one in found)
    st.caption(
        "Accuracies in per cent. Circles: folds. Diamonds: mean, with the standard deviation over "
        f"the folds, ±. {meanings}."
    )


def _errors(
    source: MeasuredSource, models: Sequence[str], moved: _Moved, asked: Question | None
) -> None:
    """Show the errors of predicted numbers; that of the model that is asked for is hidden."""
    hidden = _asked_model(asked)
    found = {
        PREDICTORS[model]: quick_errors(source, model, moved.kernel.n_iterations)
        for model in models
        if model != hidden
    }
    if found:
        figure = error_figure(list(found.values()), names=list(found))
        words = predictor_words(found)
        saved_as, height = (source.name, "errors"), type_size() * (8 + 5 * len(found))
        chart(_for_room(figure), "lesson-errors", words, saved_as, is_small=True, height=height)
    T = moved.kernel.n_iterations
    shown = {PREDICTORS[model]: (model, T) for model in models}
    with st.container(key="by-hand"):
        st.markdown(_errors_table(source, shown, hidden))
    one = next(iter(found.values()), None)
    if one is not None:
        st.caption(
            "Mean absolute errors in per cent of the standard deviation, on "
            f"{len(one.test)} molecules that no model has seen, learnt from {one.size}; with 95 % "
            "bootstrap intervals over these test molecules."
        )


def _asked_model(asked: Question | None) -> str:
    """Return the model whose error is asked for as a number."""
    if asked is None or asked.kind != "number" or asked.quantity != "prediction_error":
        return ""
    return str(asked.arguments.get("model", ""))


def _errors_table(
    source: MeasuredSource, shown: Mapping[str, tuple[str, int]], hidden: str = ""
) -> str:
    """Return errors as a table in Markdown: a row for each model with its number of rounds."""
    rows = {}
    for name, (model, T) in shown.items():
        one = quick_errors(source, model, T)
        low, high = one.interval("mae")
        cells = [f"{100 * one.normalised_mae:.1f}", f"{100 * low:.0f} to {100 * high:.0f}"]
        rows[name] = [UNKNOWN] * 2 if model == hidden else cells
    return _table(["error (%)", "interval"], rows)


def _accuracy_row(one: Evaluation, is_asked: bool) -> list[str]:
    folds = [100 * record.accuracy for record in one.records]
    means = [UNKNOWN] * 2 if is_asked else [f"{100 * x:.1f}" for x in (one.mean, one.fold_std)]
    return [*(f"{x:.1f}" for x in folds), *means]


def _map(source: DataSource, kernel: KernelParameters) -> None:
    figure, words = _map_figure(source, kernel.n_iterations)
    sizes = Counter(source.labelled().classes)
    listed = ", ".join(f"class {name}: {n:,}" for name, n in sorted(sizes.items()))
    saved_as, height = (source.name, "map"), 250 + 19 * type_size()
    chart(_for_room(figure), "lesson-map", words, saved_as, height=height)
    st.caption(
        f"Every graph is a point of the kernel-PCA plane of AA. Numbers of graphs: {listed}. A "
        "cross marks a graph whose class the classifier gets wrong."
    )


@cached(spinner="Comparing the graphs …")
def _map_figure(source: DataSource, T: int) -> tuple[go.Figure, str]:
    gram = square_matrix(KernelSpec.of(MAP_KERNEL), Candidate(T, "last"), source.build())
    evaluation = quick_evaluation(source, MAP_KERNEL, T)
    plane = kernel_pca(gram, n_components=2)
    return graph_map_figure(plane, evaluation), graph_map_words(plane, evaluation)


def _controls(picture: Picture, graph: ChosenGraph | None, key: str) -> _Moved:
    """Show the controls that a step names, and return what they are set to.

    The graph is None for a data set. ``key`` begins the keys of the widgets.
    """
    kernel, removed = picture.kernel, picture.removed
    embedding, methods = picture.beside or "", picture.methods
    cost = picture.cost or DEFAULT_COST
    if not picture.controls:
        return _Moved(kernel, removed, embedding, methods, cost)

    def look(name: str, width: int | str = 240) -> dict[str, Any]:
        asked = {"key": f"{key}-{name}", "help": help_of(f"lesson-{name}")}
        if isinstance(width, int):
            width = width * type_size() // 12  # pixels; labels are larger on a projector
        return {**asked, "width": width, "persist_state": "session"}

    with st.container(horizontal=True, key="lesson-controls"):
        if "kernel" in picture.controls:
            kind = st.segmented_control(
                "Neighbourhoods",
                list(NEIGHBOURHOODS),
                default=kernel.neighbourhood,
                required=True,
                format_func=NEIGHBOURHOODS.__getitem__,
                **look("kernel", "content"),
            )
            kernel = replace(kernel, neighbourhood=kind or kernel.neighbourhood)
        is_set, is_measured = graph is None, isinstance(picture.source, MeasuredSource)
        rounds = (int(is_set and not is_measured), _MOST_MAP_ROUNDS if is_set else MAX_ROUNDS)
        sliders: tuple[tuple[str, str, str, Any, Any, Any], ...] = (
            ("T", "n_iterations", "Rounds T", *rounds, 1),
            ("alpha", "alpha", ALPHA, 0.0, 1.0, 0.05),
            ("beta", "beta", BETA, 0.0, 1.0, 0.05),
        )
        for name, field, label, low, high, step in sliders:
            if name in picture.controls:
                start = min(max(getattr(kernel, field), low), high)
                value = st.slider(label, low, high, start, step, **look(name))
                kernel = replace(kernel, **{field: value})
        if "C" in picture.controls:
            start = min(_COSTS, key=lambda one: abs(one - cost))
            cost = st.select_slider("Cost C", _COSTS, start, "{:g}".format, **look("C"))
        if "methods" in picture.controls:
            options, start = list(METHODS), list(methods)
            methods = tuple(st.multiselect("Kernels", options, start, **look("methods", 420)))
        if "embedding" in picture.controls:
            titles = {name: one.title for name, one in VERTEX_METHODS.items()}
            start = list(titles).index(embedding)
            words = titles.__getitem__
            embedding = st.selectbox("Second plane", titles, start, words, **look("embedding"))
        if "features" in picture.controls:
            own = [part for part in kernel.features.split("+") if part in LOCAL_FEATURES]
            options = list(LOCAL_FEATURES)
            chosen = st.multiselect("Initial features", options, own, **look("features", 320))
            kernel = replace(kernel, features="+".join(chosen) or "constant")
        if "remove" in picture.controls and graph is not None:
            removed = _removed(graph, removed, look("remove", 160))
    return _Moved(kernel, removed, embedding, methods or picture.methods, cost)


def _removed(
    graph: ChosenGraph, removed: tuple[str, str] | None, look: dict[str, Any]
) -> tuple[str, str] | None:
    edges = [(str(v), str(u)) for v, u in named_edges(graph.graph).values()]
    options = [*edges] if removed is not None else [None, *edges]
    start = next((i for i, edge in enumerate(options) if edge and {*edge} == {*(removed or ())}), 0)
    chosen: tuple[str, str] | None = st.selectbox(
        "Edge to remove",
        options,
        index=start,
        format_func=lambda edge: "none" if edge is None else f"{edge[0]} – {edge[1]}",
        **look,
    )
    return chosen


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
        figure, words = _map_figure(source, kernel.n_iterations)
        return [Still(_still(json.loads(figure.to_json())), words)]
    graph, asked = _chosen(source, picture.name), _asked_kernels(picture, question)
    if picture.view == "change" and picture.removed is not None:
        cut = _cut(graph, picture.removed)
        return [
            Still(_still(vars(one), f"{title}, {words}"), f"{title} the edge is removed, {words}.")
            for words, other in {f"T = {kernel.n_iterations}": kernel, **asked}.items()
            for title, one in drawn_change(graph, cut, other).items()
        ]
    moved = _Moved(kernel, picture.removed, picture.beside or "", picture.methods, DEFAULT_COST)

    def drawn(moved: _Moved) -> dict[str, Any]:
        study = json.loads(_study_of_step(picture, question, graph, moved, 12))
        figures: dict[str, Any] = study["figures"]
        return figures

    figures = drawn(moved)
    found = [Still(_still(figures["graph"]), graph_words(graph.graph))]
    last = kernel.n_iterations
    first = range(min(last, _PRINTED_ROUNDS - 1)) if question.control == "t" else ()
    if "plane" in picture.parts:
        found += [
            _still_plane(figures["embedding"], t, f"Plane for t = {t}") for t in (*first, last)
        ]
        for words, other in asked.items():
            plane = drawn(replace(moved, kernel=other))["embedding"]
            found.append(_still_plane(plane, other.n_iterations, words))
    if "second-plane" in picture.parts:  # the same in every round
        named = [option.arguments.get("embedding") for option in question.options]
        for name in dict.fromkeys([moved.embedding, *filter(None, named)]):
            plane = drawn(replace(moved, embedding=str(name)))["other"]
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
        return {
            "": _table(["graphs"], {f"class {one}": [f"{n:,}"] for one, n in sorted(sizes.items())})
        }
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
        return {"": _errors_table(source, chosen, _asked_model(question))}
    rows = {}
    for name, (method, own, cost) in shown.items():
        one = quick_evaluation(source, method, own.n_iterations, cost or DEFAULT_COST)
        rows[name] = _accuracy_row(one, True)[:-2]
    n_folds = len(next(iter(rows.values())))
    share = max(sizes.values()) / sizes.total()
    title = f"Always the larger class: {100 * share:.1f}" if "C" in picture.controls else ""
    return {title: _table([f"fold {i + 1}" for i in range(n_folds)], rows)}


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
        if len(scene.names) > _MAX_ROWS_IN_WORDS:
            return {}
        is_cosine = picture.matrix != "values"
        values = scene.cosines(t) if is_cosine else scene.kernel.kernel_at(t)
        cells = [[f"{x:.2f}" if is_cosine else f"{x:.4g}" for x in row] for row in values]
        rows = dict(zip(scene.names, cells, strict=True))
        found[f"{'Cosines' if is_cosine else 'Values'} for {title}"] = _table(scene.names, rows)
    return found


def _still(figure: dict[str, Any], title: str = "", size: tuple[int, int] = (480, 320)) -> str:
    layout = figure["layout"]
    ranges = [layout[axis].get("range") for axis in ("xaxis", "yaxis")]
    if "scaleanchor" in layout["yaxis"] and all(ranges):  # a flat graph needs no high picture
        across, up = (high - low for low, high in ranges)
        size = size[0], int(np.clip(size[0] * up / across + 60, 120, size[1]))
    return still_picture(figure["data"], layout, size, type_size=15, title=title)
