"""Sessions that the first release saved on the playground, as settings of today's address.

Those of the other pages have the fields of today already, under another mark.
"""

from __future__ import annotations

from typing import Annotated, Any

import msgspec

from mpgk_core.errors import InvalidGraphError
from mpgk_core.export.packed_graphs import graphs_from_json
from mpgk_core.graphs.feature_names import summands_of
from mpgk_core.graphs.features import resolved_features
from mpgk_core.graphs.generators import GivenGraph, PresetGraph
from mpgk_core.kernels.update import KernelParameters
from mpgk_core.schema import Table, checked

OLD_PLAYGROUND, OLD_PAGES = ("mpgk_session", 1), ("mpgk_page_session", 1)
"""The marks and versions of the two kinds."""


class _Kernel(Table, frozen=True):
    neighbourhood: str
    alpha: float
    beta: float
    n_iterations: int
    features: str
    normalize: bool
    branching: int
    depth: int
    random_state: int


class _Picture(Table, frozen=True):
    layout: str
    colour: str
    n_axes: Annotated[int, msgspec.Meta(ge=2, le=3)]
    is_ranked: bool
    n_clusters: int
    attribute: Annotated[int, msgspec.Meta(ge=0, le=10**9)]


class _Preset(Table, frozen=True):
    preset: str
    values: dict[str, int | float]


class _Playground(Table, frozen=True):
    engine: str
    title: str
    graph: dict[str, Any]
    kernel: _Kernel
    picture: _Picture
    selection: tuple[Annotated[int, msgspec.Meta(ge=0, le=10**9)], ...]
    widgets: dict[str, Any]  # always empty in files of the app
    edits: str = ""


def playground_of_version_1(
    saved: dict[str, Any], name: str
) -> tuple[dict[str, tuple[str, ...]], GivenGraph | None]:
    """Return the settings of a session of the playground, and its graph unless it is a preset.

    Parameters
    ----------
    saved : dict
        The fields of the file, not trusted.
    name : str
        Of the file, for errors.

    Returns
    -------
    dict of str to tuple of str
        As in the address of the page.
    GivenGraph or None

    Raises
    ------
    UnreadableFileError, InvalidGraphError, InvalidParameterError
        If a field is wrong, or two of them do not fit together.
    """
    old = checked(_Playground, saved, name, "selected vertex")
    kernel, picture = KernelParameters(**msgspec.structs.asdict(old.kernel)), old.picture
    recipe = _recipe(old, name)
    settings: dict[str, str | float] = {
        "kernel": kernel.neighbourhood,
        "T": kernel.n_iterations,
        "alpha": kernel.alpha,
        "beta": kernel.beta,
        "cosine": kernel.normalize,
        "colour": picture.colour,
        "axes": "rank" if picture.is_ranked else "stretch",
        "three": picture.n_axes == 3,
        "layout": picture.layout,
        "sel": ",".join(map(str, sorted(set(old.selection)))),
        "edits": old.edits,
    }
    if kernel.neighbourhood == "A":
        settings |= {"branching": kernel.branching, "depth": kernel.depth}
        settings["seed"] = kernel.random_state
    if picture.colour == "clusters":
        settings["clusters"] = picture.n_clusters
    if picture.colour == "attribute":
        settings["attribute"] = picture.attribute + 1
    if isinstance(recipe, PresetGraph):
        values = {f"{recipe.preset}-{key}": value for key, value in recipe.values.items()}
        settings |= {"source": "build", "graph": recipe.preset, **values}
    else:
        settings["source"] = "loaded"
    features = str(resolved_features(kernel.features, recipe.build()))
    if len(summands_of(features)) > 1:
        raise InvalidGraphError(
            f"features holds the balanced sum {features}, and the page adds features as they are."
        )
    texts = {key: (_text(value),) for key, value in settings.items() if value != ""}
    parts = tuple(part.strip() for part in features.split("+"))
    return {**texts, "features": parts}, recipe if isinstance(recipe, GivenGraph) else None


def _recipe(old: _Playground, name: str) -> PresetGraph | GivenGraph:
    if "preset" in old.graph:
        given = checked(_Preset, old.graph, name, "item")
        return PresetGraph(given.preset, given.values)
    return GivenGraph(old.title, graphs_from_json(old.graph, name).graphs)


def _text(value: str | float) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
