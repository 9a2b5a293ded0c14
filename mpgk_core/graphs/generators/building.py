"""Build a graph by the name of its preset."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import files

import networkx as nx

from mpgk_core.graphs.generators.constructors import CONSTRUCTORS
from mpgk_core.graphs.generators.preset import Preset
from mpgk_core.graphs.generators.reading import read_presets
from mpgk_core.parameters import check_choice

PRESETS: Mapping[str, Preset] = read_presets(
    files("mpgk_core.graphs").joinpath("presets.json").read_text(encoding="utf-8"), CONSTRUCTORS
)


def build_graph(preset: str, **parameters: float) -> nx.Graph:
    """Build a graph that the playground offers.

    Parameters
    ----------
    preset : str
        A key of ``PRESETS``.
    **parameters : int or float
        Any of the preset's parameters; the others take their defaults. Every combination within
        the ranges gives a graph.

    Returns
    -------
    networkx.Graph
        Simple and undirected, new at every call; the same parameters give the same graph.
        Vertices are named 0, ..., n - 1 in this order, those of the grid (row, column), and those
        of Les Misérables and Florence by their names.

    Raises
    ------
    InvalidParameterError
        If the preset or a parameter is unknown, or a value is out of its range.

    Examples
    --------
    >>> len(build_graph("barbell")), len(build_graph("barbell", h=5, k=0))
    (30, 10)
    >>> build_graph("barbell", h=1)
    Traceback (most recent call last):
        ...
    mpgk_core.errors.InvalidParameterError: The 'h' parameter of the preset 'barbell' must be a
    whole number from 2 to 60. Got 1 instead.
    """
    check_choice(preset, list(PRESETS), "preset", "build_graph")
    chosen = PRESETS[preset]
    return CONSTRUCTORS[chosen.constructor](**chosen.complete(parameters))
