"""From the fields of a file to a picture: its graph, its kernel, and what may be changed."""

from __future__ import annotations

import re
from typing import Any

from mpgk_core.datasets import available
from mpgk_core.errors import MPGKError
from mpgk_core.evaluation import RECIPES
from mpgk_core.graphs.generators import PRESETS
from mpgk_core.graphs.initial_features import FEATURE_NAMES
from mpgk_core.lessons.fields import Fields
from mpgk_core.lessons.lesson import CONTROLS, VIEWS, Picture
from mpgk_core.lessons.setting import MOST_ROUNDS, KernelSetting
from mpgk_core.lessons.sources import (
    DataGraph,
    DataSource,
    GraphSource,
    OwnEdges,
    PresetGraph,
    Together,
)
from mpgk_core.plotting import LAYOUTS

COLOURS = ("orbit", "refinement", "points", "degree", "label")
"""What the colours of vertices may mean in a lesson."""

_KERNEL = ("kernel", "T", "alpha", "beta", "features")
_SOURCES = ("graph", "edges", "together", "data")
_OTHERS = ("parameters", "number", "shows", "colour", "layout", "matrix", "remove", "controls")
_MOST_VERTICES = 400
_MOST_EDGES = 2_000
_MOST_GRAPHS = 1_000
_MOST_BY_HAND = 8
_EDGE = re.compile(r"([\w.-]{1,20}) ([\w.-]{1,20})", re.ASCII)


def picture_of_fields(fields: Fields) -> Picture:
    """Take the fields of a picture.

    Parameters
    ----------
    fields : Fields

    Returns
    -------
    Picture

    Raises
    ------
    UnreadableFileError
        Naming file, step and field.
    """
    source = _source(fields)
    kernel = kernel_of_fields(fields, KernelSetting())
    is_set = isinstance(source, DataSource)
    view = fields.choice("shows", VIEWS, "map" if is_set else "linked")
    if is_set != (view == "map"):
        fields.fail(
            "shows",
            "A map shows a whole data set, and nothing else does.",
            "Give data without a number for a map.",
        )
    removed = _edge(fields, "remove") if "remove" in fields else None
    if view == "change" and removed is None:
        fields.fail("remove", "This field is missing.", 'Name the edge to remove: "a b".')
    picture = Picture(
        source=source,
        kernel=kernel,
        view=view,
        colour=fields.choice("colour", COLOURS, "orbit"),
        layout=fields.choice("layout", list(LAYOUTS), "spring"),
        has_matrix=fields.truth("matrix", False),
        removed=removed,
        controls=fields.choices("controls", CONTROLS),
    )
    _check(picture, fields)
    fields.finish((*_SOURCES, *_OTHERS, *_KERNEL))
    return picture


def kernel_of_fields(fields: Fields, default: KernelSetting) -> KernelSetting:
    """Take the fields of a kernel; what is left out is as in ``default``."""
    features = fields.take("features", default.features)
    parts = features.split("+") if isinstance(features, str) else []
    if not parts or any(part not in FEATURE_NAMES for part in parts):
        fields.fail(
            "features",
            f"This is {features!r}.",
            f"Join some of these by +: {', '.join(FEATURE_NAMES)}.",
        )
    return KernelSetting(
        neighbourhood=fields.choice("kernel", ("R", "A"), default.neighbourhood),
        alpha=fields.number("alpha", 0, 1, default.alpha),
        beta=fields.number("beta", 0, 1, default.beta),
        T=fields.whole("T", 0, MOST_ROUNDS, default.T),
        features=features,
    )


def _source(fields: Fields) -> GraphSource:
    given = [name for name in _SOURCES if name in fields]
    if len(given) != 1:
        fields.fail(
            "graph",
            f"There are {len(given)} graphs.",
            f"Give exactly one of {', '.join(_SOURCES)}.",
        )
    if given == ["graph"]:
        return _preset(fields)
    if given == ["edges"]:
        return OwnEdges(_edges(fields))
    if given == ["data"]:
        name = fields.choice("data", [*RECIPES, *available()])
        if "number" in fields:
            return DataGraph(name, fields.whole("number", 0, 10**6))
        return DataSource(name)
    parts = fields.tables("together", "", 2, 4)
    graphs = tuple(map(_preset, parts))
    for part in parts:
        part.finish(("graph", "parameters"))
    return Together(graphs)


def _preset(fields: Fields) -> PresetGraph:
    preset = fields.choice("graph", list(PRESETS))
    given = fields.plain_table("parameters")
    try:
        complete = PRESETS[preset].complete(given)
    except MPGKError as error:
        fields.fail("parameters", str(error), "Correct the number.")
    return PresetGraph(preset, tuple(complete.items()))


def _edges(fields: Fields) -> tuple[tuple[str, str], ...]:
    value = fields.take("edges")
    if not isinstance(value, list) or not 0 < len(value) <= _MOST_EDGES:
        fields.fail("edges", "This is not a list of edges.", 'Write ["a b", "b c"].')
    return tuple(_ends(fields, "edges", item) for item in value)


def _edge(fields: Fields, name: str) -> tuple[str, str]:
    return _ends(fields, name, fields.take(name))


def _ends(fields: Fields, name: str, value: Any) -> tuple[str, str]:
    match = _EDGE.fullmatch(value) if isinstance(value, str) else None
    if match is None or match[1] == match[2]:
        fields.fail(
            name,
            f"{value!r} is not an edge.",
            "Write two different names with one space between them; names have letters, "
            "digits, '_', '-' and '.'.",
        )
    return match[1], match[2]


def _check(picture: Picture, fields: Fields) -> None:
    """Build everything once: what cannot be built is said now, not in front of a class."""
    try:
        graphs = picture.source.graphs()
        if not isinstance(picture.source, DataSource):
            KernelSetting(T=0, features=picture.kernel.features).unfitted().fit(graphs)
    except MPGKError as error:
        fields.fail("graph", str(error), "Change the graph or the features.")
    if isinstance(picture.source, DataSource):
        if len(graphs) > _MOST_GRAPHS:
            fields.fail(
                "data",
                f"This set has {len(graphs):,} graphs.",
                f"Take one with at most {_MOST_GRAPHS:,}.",
            )
    elif graphs.n_vertices > _MOST_VERTICES or graphs.n_edges > _MOST_EDGES:
        fields.fail(
            "graph",
            f"It has {graphs.n_vertices:,} vertices and {graphs.n_edges:,} edges.",
            f"Take at most {_MOST_VERTICES} and {_MOST_EDGES:,}.",
        )
    is_by_hand = picture.view == "messages"
    if is_by_hand and (
        graphs.n_vertices > _MOST_BY_HAND
        or picture.kernel.neighbourhood != "R"
        or picture.kernel.T < 1
    ):
        fields.fail(
            "shows",
            "One round by hand is for R, with T of at least 1, and "
            f"at most {_MOST_BY_HAND} vertices.",
            "Change the kernel or the graph.",
        )
    if picture.colour == "label" and graphs.label_codes is None:
        fields.fail("colour", "This graph has no labels.", "Choose another colour.")
    if picture.removed is not None:
        names = [str(name) for name in graphs.names]
        ends = [names.index(end) for end in picture.removed if end in names]
        if len(ends) < 2 or not graphs.adjacency[ends[0], ends[1]]:
            fields.fail("remove", "There is no such edge.", "Name two vertices that are joined.")
