"""The graph, the planes and the matrix of a step, linked, and drawn without the answer."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from mpgk_core.arrays import cosine_normalised
from mpgk_core.kernels.update import KernelParameters
from mpgk_core.lessons import Picture, Question, answer_of
from mpgk_core.plotting.colouring import colour_words
from mpgk_core.plotting.graph_figure import edge_words
from mpgk_core.plotting.vertex_names import MAX_NAMED, name_vertices, numbers_of
from mpgk_core.text import counted
from ui.playground.results import Shown, linked_pictures
from ui.playground.study import COLOURINGS, study_of
from ui.shared.computed import kernel_of
from ui.state.cache import cached
from ui.state.choices import ChosenGraph, PictureChoice

_NUMBERED = ("orbit", "points", "refinement")
_NUMBER_OF_CLASS = re.compile(r"(?:(?:orbit|point|colour) \d+(?:, )?)+(?:…)?<br>|, \d+ classes")
MAX_ROWS_IN_WORDS, _MOST_LARGE, _BOND = 12, 15, 4
_SHARED_TEXT = (0.16, 0.35)
"""How far points may lie apart, in a plane from -1 to 1, to share the text of their names."""


def linked_view(
    picture: Picture,
    study: str,
    selection: list[int],
    key: str,
    on_select: Callable[[list[int]], None],
) -> None:
    """Show graph, planes and matrix."""
    views = {(True, True): "both", (True, False): "planes", (False, True): "matrix"}
    shown = Shown(views.get(("plane" in picture.parts, bool(picture.matrix)), "graph"))
    linked_pictures(study, selection, f"{key}-pictures", on_select, shown=shown)


def study_of_step(
    picture: Picture,
    asked: Question | None,
    graph: ChosenGraph,
    kernel: KernelParameters,
    embedding: str,
    type_size: int,
) -> str:
    """Return graph, planes and matrix as JSON."""
    has_plane, has_matrix = "plane" in picture.parts, bool(picture.matrix)
    colour = "orbit" if picture.colour == "none" and asked is None else picture.colour
    look = PictureChoice(
        picture.layout,
        colour,
        axes=picture.axes,
        beside=embedding if has_plane else "",
        matrix="values" if picture.matrix == "values" else "cosine",
    )
    veil = None
    if asked is not None:
        answer = answer_of(asked, picture)
        wanted = answer if isinstance(answer, frozenset) else frozenset()
        veil = tuple(v for v, name in enumerate(graph.graph.names) if str(name) in wanted)
    return _lesson_study(graph, kernel, look, has_matrix, type_size, picture.t, veil)


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
        edge_width=_BOND if graph.graph.edges is not None else 0,
    )
    drawn["layout"] |= {
        "showlegend": False,  # the text of the step explains bonds
        "margin": dict.fromkeys("lrtb", type_size // 2),
    }
    for figure in figures.values():
        figure["layout"]["font"] = {"size": type_size}
    for trace in (trace for figure in (drawn, *planes) for trace in _traces(figure)):
        enlarge(trace, type_size / 12, len(names))
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


def enlarge(trace: dict[str, Any], factor: float, n: int) -> None:
    """Draw n vertices, points, lines and letters larger, as for a projector."""
    own = factor if n <= _MOST_LARGE else factor**0.5
    for part, name in (("marker", "size"), ("marker", "standoff"), ("line", "width")):
        value = trace.get(part, {}).get(name)
        if value is not None:
            sizes = value if isinstance(value, int | float) else numbers_of(value)
            trace[part][name] = (np.asarray(sizes) * own).tolist()
    if "text" in trace:
        trace["textfont"] = {"size": 12 * factor}


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
    if len(rows) > MAX_ROWS_IN_WORDS:
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
    if has_matrix and len(names) <= MAX_ROWS_IN_WORDS:
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
